#ifndef KB_PAGES_HEATMAP_H
#define KB_PAGES_HEATMAP_H

#include <stddef.h>
#include <stdint.h>

struct kb_board;
struct kb_buf;

/*
 * Problems by submissions of one ranking: speedups on a scale of powers of
 * two, with the number in each cell, and failures as classes of their own,
 * with the class's letter. Whether a speedup is faster or slower than the
 * baseline is undecided where it is underlined.
 */
void kb_heatmap_print(struct kb_buf *out, const struct kb_board *b,
		      size_t ranking);

/* One of eight shades: below 1/4, 1/2, 1/sqrt 2, 1, sqrt 2, 2, 4, or above. */
#define KB_SHADES 8
int kb_heat_shade(int64_t speedup_micro);

#endif
