#ifndef KB_SHEET_SCORE_PARTS_H
#define KB_SHEET_SCORE_PARTS_H

#include <stddef.h>

#include "manifest/score.h"
#include "sheet/format.h"

/* Of what a score has metrics, in the order of columns: each level, all of
 * them, and the sound problems where they are known. */
size_t kb_score_part_count(const struct kb_score *s);

/* Borrowed from the score. */
const struct kb_metrics *kb_score_part(const struct kb_score *s, size_t i);

void kb_score_part_head(char out[KB_FORMAT_SIZE], const struct kb_score *s,
			size_t i);

#endif
