#ifndef KB_PAGES_VIEW_ROWS_H
#define KB_PAGES_VIEW_ROWS_H

struct kb_view;

/* Fill rows, row_count and, of what is no score, metrics, from the lineage. */
void kb_view_make_rows(struct kb_view *v);

#endif
