#ifndef KB_PAGES_PROFILES_H
#define KB_PAGES_PROFILES_H

#include <stdint.h>

struct kb_buf;
struct kb_view;
struct kb_view_row;

/* How much of its time a candidate would need if the device did the problem as
 * it is stated at the peaks of its data sheet, in millionths; KB_UNKNOWN. */
int64_t kb_share_of_bound_micro(const struct kb_view_row *r);

/* SOL-ExecBench's score with that bound and the baseline: a half for who is as
 * fast as the baseline, 1 at the bound; in millionths, or KB_UNKNOWN. */
int64_t kb_sol_score_micro(const struct kb_view_row *r);

/* A table for each profile beside the evaluation; nothing if there is none. */
void kb_profiles_print(struct kb_buf *out, const struct kb_view *v);

#endif
