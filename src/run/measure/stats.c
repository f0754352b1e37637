#include "measure/stats.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"

static int compare_ns(const void *pa, const void *pb)
{
	int64_t a = *(const int64_t *)pa, b = *(const int64_t *)pb;

	/* Not a - b, which overflows an int and may overflow an int64_t. */
	return (a > b) - (a < b);
}

/* Mean of a <= b, half up. The difference cannot overflow, the sum of two
 * arbitrary int64_t could. */
static int64_t midpoint_of(int64_t a, int64_t b)
{
	return a + (b - a + 1) / 2;
}

/* Most lists are a few trials, for which qsort(3) is slow to start. */
#define FEW 16

static void sort_few_ns(int64_t samples_ns[], size_t count)
{
	for (size_t i = 1; i < count; i++) {
		const int64_t ns = samples_ns[i];
		size_t to = i;

		for (; to > 0 && samples_ns[to - 1] > ns; to--)
			samples_ns[to] = samples_ns[to - 1];
		samples_ns[to] = ns;
	}
}

void kb_sort_ns(int64_t samples_ns[], size_t count)
{
	if (count <= FEW)
		sort_few_ns(samples_ns, count);
	else
		qsort(samples_ns, count, sizeof(samples_ns[0]), compare_ns);
}

int64_t kb_median_ns(const int64_t sorted_ns[], size_t count)
{
	if (!count)
		KB_BUG("median of no samples");

	return midpoint_of(sorted_ns[(count - 1) / 2], sorted_ns[count / 2]);
}

/*
 * The greatest k with 2 * sum_{i<k} C(n, i) <= (1 - confidence) * 2^n; 0 if
 * there is none.
 *
 * The sum is kept in units of 2^exponent, scaled down before it can
 * overflow. Every operation is a single IEEE one (no product is added to
 * anything, so no compiler can fuse two roundings), which makes the result
 * the same everywhere; the sum's relative error stays below 4n * 2^-53, so
 * only a confidence that lies that close to an attainable one could be
 * taken for its neighbour. The unit test compares with exact integers.
 */
static size_t compute_rank(size_t n, int confidence_ppm)
{
	double tail = (1000000 - confidence_ppm) / 2e6;
	double term = 1, sum = 0;	/* C(n, i) and the sum up to it */
	int exponent = 0;
	size_t k;

	for (k = 0; k < n / 2; k++) {
		sum += term;
		if (ldexp(sum, exponent - (int)n) > tail)
			break;
		term = term * (double)(n - k) / (double)(k + 1);
		if (term > 0x1p500) {
			term *= 0x1p-500;
			sum *= 0x1p-500;
			exponent += 500;
		}
	}
	return k;
}

/* Lists are asked again and again as they grow, and most are short. */
#define RANKS_KEPT 1025

static size_t interval_rank(size_t n, int confidence_ppm)
{
	static _Thread_local uint16_t kept[RANKS_KEPT];	/* rank + 1 */

	if (n >= RANKS_KEPT || confidence_ppm != KB_STAT_CONFIDENCE_PPM)
		return compute_rank(n, confidence_ppm);
	if (!kept[n])
		kept[n] = (uint16_t)(compute_rank(n, confidence_ppm) + 1);
	return kept[n] - 1u;
}

bool kb_median_interval_ns(int64_t *low_ns, int64_t *high_ns,
			   const int64_t sorted_ns[], size_t count,
			   int confidence_ppm)
{
	size_t k = interval_rank(count, confidence_ppm);

	if (!k)
		return false;

	*low_ns = sorted_ns[k - 1];
	*high_ns = sorted_ns[count - k];
	return true;
}

static int64_t divide_rounded(int64_t a, int64_t b)
{
	int64_t half = b / 2;

	/* Away from zero at a half, which for an odd b does not occur. */
	return a < 0 ? (a - half) / b : (a + half) / b;
}

void kb_slopes_ns(int64_t out[], const int64_t small_ns[],
		  const int64_t large_ns[], size_t count, int64_t n_small,
		  int64_t n_large)
{
	if (n_small < 0 || n_large <= n_small)
		KB_BUG("slope over no calls");

	for (size_t i = 0; i < count; i++)
		out[i] = divide_rounded(large_ns[i] - small_ns[i],
					n_large - n_small);
}
