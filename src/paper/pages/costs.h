#ifndef KB_PAGES_COSTS_H
#define KB_PAGES_COSTS_H

#include <stddef.h>

struct kb_board;
struct kb_buf;

/*
 * Of a ranking, what the scores came to by what their candidates took, as a
 * chart and a table: those whose tokens are known. Nothing if these are fewer
 * than two.
 */
void kb_costs_print(struct kb_buf *out, const struct kb_board *b,
		    size_t which);

#endif
