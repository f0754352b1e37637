#ifndef KB_PAGES_COSTS_H
#define KB_PAGES_COSTS_H

#include <stddef.h>

struct kb_board;
struct kb_buf;

/*
 * Print fast_1 over tokens for the scores of a ranking whose tokens are known,
 * as a chart and a table. Nothing if these are fewer than two.
 */
void kb_costs_print(struct kb_buf *out, const struct kb_board *b,
		    size_t which);

#endif
