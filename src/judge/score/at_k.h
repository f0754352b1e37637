#ifndef KB_SCORE_AT_K_H
#define KB_SCORE_AT_K_H

#include <stddef.h>
#include <stdint.h>

#include "manifest/at_k.h"
#include "manifest/metrics.h"

/*
 * pass@k: the probability that of k samples drawn from the n that a problem
 * has, without putting back, at least one is correct,
 *
 *	1 - C(n - c, k) / C(n, k)
 *
 * where c of them are, averaged over problems. fast_p@k is the same with
 * those that are correct and faster than p. Both are exact fractions.
 *
 * A problem without any sample counts, as 0.
 */
struct kb_tries {
	int64_t samples;		/* of one problem */
	int64_t correct;		/* at most `samples` */
	int64_t fast[KB_FAST_COUNT];	/* by kb_fast_p_milli */
};

/* The values of k: 1, 2, 5, 10, 20, 50 and 100, as far as each problem that has
 * samples has so many. */
#define KB_AT_K_COUNT 7

/*
 * Returns how many of `out` were filled in; each is released with
 * kb_at_k_release(). 0 also if problems differ in their number of samples in
 * more than KB_AT_K_SIZES ways: the fractions would be enormous.
 */
#define KB_AT_K_SIZES 64
size_t kb_at_k_of(struct kb_at_k out[KB_AT_K_COUNT],
		  const struct kb_tries tries[], size_t count);

/* The mean over problems of 1 - C(n - c, k) / C(n, k), `c` being right[i] and
 * n samples[i], 0 or at least k. Caller frees what is in `out`. */
void kb_at_k_mean(struct kb_share *out, const int64_t samples[],
		  const int64_t right[], size_t count, int64_t k);

#endif
