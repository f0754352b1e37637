#include "score/speedup.h"

#include <math.h>

#include "base/alloc.h"

#define MICRO 1000000

/* Rounded half up, in integers. */
int64_t kb_ratio_micro(int64_t over_ns, int64_t under_ns)
{
	__int128 twice = (__int128)over_ns * (2 * MICRO);
	__int128 micro = (twice + under_ns) / ((__int128)under_ns * 2);

	return micro > KB_SPEEDUP_MICRO_MAX ? KB_SPEEDUP_MICRO_MAX :
					      (int64_t)micro;
}

bool kb_speedup_exceeds(int64_t baseline_ns, int64_t candidate_ns,
			int p_milli)
{
	return (__int128)baseline_ns * 1000 >
	       (__int128)candidate_ns * p_milli;
}

/*
 * 2^LOG2_BITS * log2(x), cut to an integer, for x >= 1.
 *
 * The mantissa m stands for m / 2^63 in [1, 2). Squaring it doubles its
 * logarithm: if the square reaches 2, the next bit of the logarithm is 1
 * and the square is halved. Cutting a square to 64 bits lowers its
 * logarithm by less than d = 1.4427 * 2^-63, and what is lost in step i
 * counts 2^-i, so all steps together lose less than d, which is 0.012 units
 * of 2^-56. The bits that are never produced are less than one unit:
 *
 *	log2_fixed(x) <= 2^56 log2(x) < log2_fixed(x) + 1.02.
 *
 * Powers of two are exact. All steps are monotone, so the whole is.
 */
#define LOG2_BITS 56

static int64_t log2_fixed(uint64_t x)
{
	int shift = __builtin_clzll(x);
	uint64_t m = x << shift;
	int64_t log2 = 63 - shift;

	for (int i = 0; i < LOG2_BITS; i++) {
		unsigned __int128 square = (unsigned __int128)m * m;
		int bit = (int)(square >> 127);

		m = (uint64_t)(square >> (63 + bit));
		log2 = 2 * log2 + bit;
	}
	return log2;
}

void kb_geomean_add(struct kb_geomean *g, int64_t baseline_ns,
		    int64_t candidate_ns)
{
	g->log2_sum += log2_fixed((uint64_t)baseline_ns) -
		       log2_fixed((uint64_t)candidate_ns);
	g->count++;
}

/* A double is an integer of 53 bits and a power of two, whose logarithm is
 * exact. */
void kb_geomean_add_ratio(struct kb_geomean *g, double ratio)
{
	int exponent;
	const double mantissa = ldexp(frexp(ratio, &exponent), 53);

	g->log2_sum += log2_fixed((uint64_t)mantissa) +
		       (__int128)(exponent - 53) * ((int64_t)1 << LOG2_BITS);
	g->count++;
}

/*
 * r is the nearest integer to 10^6 m if it is the greatest one with
 * r - 1/2 <= 10^6 m, that is, with
 *
 *	n * (log2(2r - 1) - log2(2 * 10^6)) <= sum of the n logarithms.
 *
 * In units of 2^-56 each difference of two log2_fixed() is off by less than
 * 1.02 to either side, so the two sides together by less than 2.04 n. With
 * SLACK = 3 added to each of the n on the right the condition is never
 * missed when it is true, ties included, and when it is accepted
 * log2(r - 1/2) exceeds log2(10^6 m) by less than 5.04 units: a factor
 * below 1 + 2^-54. So it is with other scales than 10^6.
 */
#define SLACK 3

static bool reaches_root(const struct kb_geomean *g, int64_t r, int64_t scale)
{
	__int128 log2 = log2_fixed(2 * (uint64_t)r - 1) -
			log2_fixed(2 * (uint64_t)scale);

	return log2 * g->count <= g->log2_sum + (__int128)g->count * SLACK;
}

int64_t kb_geomean_scaled(const struct kb_geomean *g, int64_t scale)
{
	int64_t low = 0, high = KB_SPEEDUP_MICRO_MAX;

	if (!g->count)
		KB_BUG("geometric mean of nothing");

	/* `low` reaches (0 always does), nothing above `high` counts. */
	while (low < high) {
		int64_t middle = low + (high - low + 1) / 2;

		if (reaches_root(g, middle, scale))
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

int64_t kb_geomean_micro(const struct kb_geomean *g)
{
	return kb_geomean_scaled(g, MICRO);
}
