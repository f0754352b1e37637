#ifndef KB_TABLES_CERTAINTY_TABLE_H
#define KB_TABLES_CERTAINTY_TABLE_H

#include "cli/look.h"

struct kb_buf;
struct kb_score;

/*
 * What the intervals of times leave certain of a score: fast_p as "10 to 12"
 * for ten candidates that are faster than p and two that may be, and the
 * geometric mean from its low end to its high one. A column a level and one
 * for all. Nothing for a score that has no intervals.
 *
 * Appends to `out`, and ends with a line feed.
 */
void kb_certainty_table_print(struct kb_buf *out, const struct kb_score *s,
			      struct kb_look look);

#endif
