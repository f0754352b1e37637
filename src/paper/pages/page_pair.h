#ifndef KB_PAGES_PAGE_PAIR_H
#define KB_PAGES_PAGE_PAIR_H

#include "cli/look.h"

struct kb_buf;
struct kb_err;
struct kb_pair;

/* Two submissions as one page: how many problems went how, a row for each
 * problem, and what differs between the two sources. Fails as kb_bundle_read()
 * of a source. */
int kb_pair_page_print(struct kb_buf *out, const struct kb_pair *p,
		       struct kb_err *err);

/* The same without sources, as plain characters. */
void kb_pair_text_print(struct kb_buf *out, const struct kb_pair *p,
			struct kb_look look);

#endif
