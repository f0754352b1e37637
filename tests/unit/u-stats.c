#include "measure/stats.h"

#include "base/alloc.h"
#include "lib/tap.h"

static const struct {
	size_t count;
	int64_t sorted_ns[6];
	int64_t median_ns;
} known[] = {
	{ 1, { 7 }, 7 },
	{ 2, { 4, 4 }, 4 },
	{ 2, { 4, 5 }, 5 },		/* 4.5 up */
	{ 2, { -5, -4 }, -4 },		/* -4.5 up is -4 */
	{ 3, { 1, 2, 9 }, 2 },
	{ 4, { 1, 2, 4, 100 }, 3 },
	{ 5, { 1, 1, 2, 2, 4 }, 2 },
	{ 5, { 3, 3, 3, 3, 90 }, 3 },
	{ 6, { -9, -3, 0, 1, 2, 50 }, 1 },
	{ 2, { -KB_STAT_NS_MAX, KB_STAT_NS_MAX }, 0 },
};

static void test_median_of_known_samples(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(known); i++)
		check_int(kb_median_ns(known[i].sorted_ns, known[i].count),
			  known[i].median_ns);
}

static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

static size_t count_of(int64_t ns, const int64_t samples_ns[], size_t count)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		n += samples_ns[i] == ns;
	return n;
}

static void test_sorting_few_or_many_only_moves_them(void)
{
	uint32_t state = 7;

	for (size_t count = 0; count <= 40; count++) {
		int64_t s[41] = { 0 }, before[41];
		bool ascends = true, same = true;

		for (size_t i = 0; i < count; i++)
			before[i] = s[i] =
				(int64_t)(next_random(&state) % 50) - 25;
		s[count] = -1000;
		kb_sort_ns(s, count);
		for (size_t i = 0; i < count; i++) {
			ascends &= !i || s[i - 1] <= s[i];
			same &= count_of(s[i], s, count) ==
				count_of(s[i], before, count);
		}
		check(ascends && same);
		check_int(s[count], -1000);
	}
}

/* Ranks as in the usual tables of the two-sided sign test (critical value
 * plus one), 95 %. */
static const struct {
	size_t count;
	int64_t low, high;
} ranks[] = {
	{ 6, 1, 6 }, { 8, 1, 8 }, { 9, 2, 8 }, { 12, 3, 10 }, { 15, 4, 12 },
	{ 20, 6, 15 }, { 25, 8, 18 }, { 30, 10, 21 }, { 50, 18, 33 },
	{ 100, 40, 61 }, { 1000, 469, 532 }, { 1100, 518, 583 },
};

static void test_interval_has_tabulated_ranks(void)
{
	int64_t s[1100], low, high;

	for (size_t i = 0; i < KB_ARRAY_LEN(s); i++)
		s[i] = (int64_t)i + 1;
	for (size_t i = 0; i < KB_ARRAY_LEN(ranks); i++) {
		low = high = 0;
		check(kb_median_interval_ns(&low, &high, s, ranks[i].count,
					    950000));
		check_int(low, ranks[i].low);
		check_int(high, ranks[i].high);
	}
}

/* Greatest k with 2 * sum_{i<k} C(n, i) * 1000000 <= alpha_ppm * 2^n, by
 * Pascal's triangle; 2^n * 10^6 must fit, hence n <= 100. */
static size_t exact_rank(size_t n, int confidence_ppm)
{
	unsigned __int128 row[101] = { 1 }, sum = 0, all;
	size_t k;

	for (size_t i = 1; i <= n; i++)
		for (size_t j = i; j > 0; j--)
			row[j] += row[j - 1];
	all = (unsigned __int128)(1000000 - confidence_ppm) << n;

	for (k = 0; k < n / 2; k++) {
		sum += row[k];
		if (2 * sum * 1000000 > all)
			break;
	}
	return k;
}

static void test_interval_agrees_with_exact_binomials(void)
{
	static const int confidences_ppm[] = { 500000, 900000, 950000, 990000,
					       999000, 968750 /* 31/32 */ };
	int64_t s[100];

	for (size_t i = 0; i < KB_ARRAY_LEN(s); i++)
		s[i] = (int64_t)i + 1;
	for (size_t c = 0; c < KB_ARRAY_LEN(confidences_ppm); c++) {
		for (size_t n = 0; n <= 100; n++) {
			size_t k = exact_rank(n, confidences_ppm[c]);
			int64_t low = 0, high = (int64_t)n + 1;

			kb_median_interval_ns(&low, &high, s, n,
					      confidences_ppm[c]);
			check_int(low, k);
			check_int(high, n + 1 - k);
		}
	}
}

static void test_too_few_samples_have_no_interval(void)
{
	int64_t s[] = { 1, 2, 3, 4, 5, 6 }, low = -1, high = -1;

	for (size_t n = 0; n < 6; n++)
		check(!kb_median_interval_ns(&low, &high, s, n, 950000));
	check_int(low, -1);
	check_int(high, -1);
}

static const struct {
	int64_t small_ns, large_ns, n_small, n_large, slope_ns;
} slopes[] = {
	{ 0, 0, 0, 1, 0 },
	{ 100, 200, 1, 2, 100 },
	{ 100, 103, 1, 3, 2 },		/* 1.5 */
	{ 103, 100, 1, 3, -2 },		/* -1.5 */
	{ 100, 104, 1, 4, 1 },		/* 1.33 */
	{ 100, 105, 1, 4, 2 },		/* 1.67 */
	{ 105, 100, 1, 4, -2 },
	{ 0, KB_STAT_NS_MAX, 0, 1, KB_STAT_NS_MAX },
	{ KB_STAT_NS_MAX, -KB_STAT_NS_MAX, 10, 12, -KB_STAT_NS_MAX },
};

static void test_slopes_round_half_away_from_zero(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(slopes); i++) {
		int64_t slope_ns;

		kb_slopes_ns(&slope_ns, &slopes[i].small_ns,
			     &slopes[i].large_ns, 1, slopes[i].n_small,
			     slopes[i].n_large);
		check_int(slope_ns, slopes[i].slope_ns);
	}
}

static void test_slope_cancels_what_is_paid_once(void)
{
	static const int64_t small_ns[] = { 1150, 1151, 9150 };
	static const int64_t large_ns[] = { 1450, 1451, 9450 };
	int64_t slope_ns[3];

	kb_slopes_ns(slope_ns, small_ns, large_ns, 3, 5, 15);
	kb_sort_ns(slope_ns, 3);
	check_int(kb_median_ns(slope_ns, 3), 30);
}

TAP_MAIN(TAP(test_median_of_known_samples),
	 TAP(test_sorting_few_or_many_only_moves_them),
	 TAP(test_interval_has_tabulated_ranks),
	 TAP(test_interval_agrees_with_exact_binomials),
	 TAP(test_too_few_samples_have_no_interval),
	 TAP(test_slopes_round_half_away_from_zero),
	 TAP(test_slope_cancels_what_is_paid_once));
