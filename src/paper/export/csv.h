#ifndef KB_EXPORT_CSV_H
#define KB_EXPORT_CSV_H

struct kb_buf;
struct kb_comparison;
struct kb_score_sheet;

/*
 * A score as comma-separated values (RFC 4180, with line feeds): a row a level
 * and one for all, which "level" calls overall. Counts, the geometric mean
 * ("geomean_speedup", empty if there is none), and in every row all that the
 * numbers must stay attached to, so that rows of many scores can be put
 * together.
 */
void kb_csv_print(struct kb_buf *out, const struct kb_score_sheet *s);

/* The rows of each, one after the other, below one head. In what they differ
 * that no row of one score says stands in further columns. */
void kb_csv_comparison_print(struct kb_buf *out, const struct kb_comparison *c);

/* A cell with a line of text, cleaned by kb_utf8_clean_line(). It stands in
 * quotes if it needs them, and a text that a spreadsheet would take for a formula
 * gets an apostrophe in front. */
void kb_csv_text_print(struct kb_buf *out, const char *text);

#endif
