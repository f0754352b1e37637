#ifndef KB_TABLES_SCORE_TABLE_H
#define KB_TABLES_SCORE_TABLE_H

#include "cli/look.h"

struct kb_buf;
struct kb_mismatches;
struct kb_score;

/*
 * A score as text, from its record alone.
 *
 * One row a metric, one column a level and one for all, with counts beside
 * rates: on a suite of twelve problems "33.3%" hides how little it says.
 * Rows and rates are those of the score's preset. Then, where there are
 * intervals, what they leave certain: fast_p as "10 to 12" for ten candidates
 * that are faster than p and two that may be, and the mean's ends. Below, what
 * the numbers must stay attached to: device, baseline mode, preset, the
 * clock where there is more than one, the two bundles, drift, noise, the
 * differences that were allowed, and how many candidates ended in which
 * status.
 *
 * All append to `out` and end with a line feed.
 */

void kb_score_table_print(struct kb_buf *out, const struct kb_score *s,
			  struct kb_look look);

/* One line a candidate: problem, sample, status, times, speedup, "~" if it is
 * undecided, drift. */
void kb_score_table_print_candidates(struct kb_buf *out,
				     const struct kb_score *s,
				     struct kb_look look);

/* The fields in which two match keys differ. */
void kb_score_table_print_mismatches(struct kb_buf *out,
				     const struct kb_mismatches *m);

#endif
