#ifndef KB_SCORE_SPEEDUP_H
#define KB_SCORE_SPEEDUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/numbers.h"

/*
 * Speedup: baseline time divided by candidate time, so that greater is
 * better and 1 is a tie. Integers throughout, hence the same digits on
 * every machine: `_ns` are nanoseconds, `_micro` millionths of a ratio,
 * `_milli` thousandths. Times lie in 1..KB_TIME_NS_MAX.
 */

#define KB_TIME_NS_MAX KB_EXACT_INT_MAX

/* The largest ratio in a record. A greater ratio (nine billion) is cut to
 * it. */
#define KB_SPEEDUP_MICRO_MAX KB_EXACT_INT_MAX

/*
 * 10^6 * over / under to the nearest integer, half up. Exact. For tables
 * and records; nothing is decided by a rounded number.
 */
int64_t kb_ratio_micro(int64_t over_ns, int64_t under_ns);

/* baseline / candidate > p, strictly, by exact cross-multiplication. */
bool kb_speedup_exceeds(int64_t baseline_ns, int64_t candidate_ns,
			int p_milli);

/*
 * The geometric mean of any number of speedups: a sum of logarithms in
 * fixed point. Starts as { 0 }.
 */
struct kb_geomean {
	__int128 log2_sum;	/* of baseline / candidate, in 2^-56 */
	int64_t count;
};

void kb_geomean_add(struct kb_geomean *g, int64_t baseline_ns,
		    int64_t candidate_ns);

/* A ratio that is a double already; finite and greater than 0. */
void kb_geomean_add_ratio(struct kb_geomean *g, double ratio);

/*
 * The mean m of what was added, in millionths to the nearest integer, half
 * up; `count` is at least 1. The result r satisfies
 *
 *	r - 1/2 <= 10^6 m (1 + 2^-54)   and   r + 1/2 > 10^6 m,
 *
 * that is: it is the nearest integer, except that a value which lies below
 * a half by less than 2^-54 of itself is rounded up like the half. (Unless
 * it is cut to KB_SPEEDUP_MICRO_MAX.) The order of additions does not
 * matter.
 */
int64_t kb_geomean_micro(const struct kb_geomean *g);

/* The same in units of 1 / `scale`, which is 10^9 at most. */
int64_t kb_geomean_scaled(const struct kb_geomean *g, int64_t scale);

#endif
