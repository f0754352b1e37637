#ifndef KB_TABLES_WIDE_TIMES_H
#define KB_TABLES_WIDE_TIMES_H

#include <stdbool.h>
#include <stddef.h>

struct kb_buf;
struct kb_evaluation;
struct kb_baseline;

/*
 * How wide the intervals of times by the device's clock may be, in millionths
 * of the time, before something is said: of the 2690 that are published two
 * are wider, beside the compilers of other runs it was one in three
 * (doc/notebook/2026-11.md, "Beside compilers").
 */
#define KB_WIDE_TIMES_PPM 50000

/* The same of times by calls, which is all that a CPU has: a candidate that is a
 * quarter faster cannot be told from one that is not. */
#define KB_WIDE_CALLS_PPM 250000

/* Wide intervals of a baseline or an evaluation: by the device's clock, if it
 * has one, otherwise by calls. */
struct kb_wide_times {
	size_t count;			/* that have an interval */
	size_t wide;			/* of these */
	bool is_by_calls;
};

#define KB_WIDE_TIMES_INIT { .count = 0 }

void kb_wide_times_of_baseline(struct kb_wide_times *out,
			       const struct kb_baseline *b);

/* The intervals of candidates, and of the references timed with them. */
void kb_wide_times_of_evaluation(struct kb_wide_times *out,
				 const struct kb_evaluation *e);

/* "note: 25 of 118 times by ...", a line, appended; nothing if none is wide, or
 * of times by calls no more than half of them are. */
void kb_wide_times_print(struct kb_buf *out, const struct kb_wide_times *w);

#endif
