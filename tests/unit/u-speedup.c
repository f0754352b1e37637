#include "score/speedup.h"

#include "base/alloc.h"
#include "lib/tap.h"
#include "score/metrics.h"

/*
 * Just enough arithmetic to compare products exactly: a natural number in
 * base 2^64, lowest limb first, that can only be multiplied.
 */
#define LIMBS 256

struct product {
	uint64_t limbs[LIMBS];
	size_t count;
};

static void product_start(struct product *p)
{
	p->limbs[0] = 1;
	p->count = 1;
}

static void product_times(struct product *p, uint64_t factor)
{
	unsigned __int128 carry = 0;

	for (size_t i = 0; i < p->count; i++) {
		carry += (unsigned __int128)p->limbs[i] * factor;
		p->limbs[i] = (uint64_t)carry;
		carry >>= 64;
	}
	if (!carry)
		return;
	if (p->count == LIMBS)
		KB_BUG("product too large for the test");
	p->limbs[p->count++] = (uint64_t)carry;
}

static int product_compare(const struct product *a, const struct product *b)
{
	if (a->count != b->count)
		return a->count < b->count ? -1 : 1;
	for (size_t i = a->count; i-- > 0;)
		if (a->limbs[i] != b->limbs[i])
			return a->limbs[i] < b->limbs[i] ? -1 : 1;
	return 0;
}

struct pair {
	int64_t baseline_ns, candidate_ns;
};

/*
 * The sign of twice_micro / (2 * 10^6) - mean, exactly: compares
 * twice_micro^n * prod(candidate) with (2 * 10^6)^n * prod(baseline).
 */
static int compare_with_mean(int64_t twice_micro, const struct pair pairs[],
			     size_t n)
{
	static struct product left, right;

	product_start(&left);
	product_start(&right);
	for (size_t i = 0; i < n; i++) {
		product_times(&left, (uint64_t)twice_micro);
		product_times(&left, (uint64_t)pairs[i].candidate_ns);
		product_times(&right, 2000000);
		product_times(&right, (uint64_t)pairs[i].baseline_ns);
	}
	return product_compare(&left, &right);
}

static int64_t geomean_of(const struct pair pairs[], size_t n)
{
	struct kb_geomean g = { 0 };

	for (size_t i = 0; i < n; i++)
		kb_geomean_add(&g, pairs[i].baseline_ns,
			       pairs[i].candidate_ns);
	return kb_geomean_micro(&g);
}

/* r - 1/2 <= 10^6 mean < r + 1/2, in exact integers. */
static void check_nearest(const struct pair pairs[], size_t n)
{
	int64_t micro = geomean_of(pairs, n);

	if (micro && compare_with_mean(2 * micro - 1, pairs, n) > 0)
		tap_fail("mean of %zu is less than %" PRId64 " - 1/2", n,
			 micro);
	if (compare_with_mean(2 * micro + 1, pairs, n) <= 0)
		tap_fail("mean of %zu is not less than %" PRId64 " + 1/2", n,
			 micro);
}

static const struct {
	int64_t over_ns, under_ns, micro;
} ratios[] = {
	{ 1, 1, 1000000 },
	{ 1, 3, 333333 },
	{ 2, 3, 666667 },
	{ 1, 2000000, 1 },		/* half a millionth: up */
	{ 1, 2000001, 0 },
	{ 3, 2000000, 2 },
	{ 1, KB_TIME_NS_MAX, 0 },
	{ KB_TIME_NS_MAX, KB_TIME_NS_MAX, 1000000 },
	{ KB_TIME_NS_MAX, 1000000, KB_TIME_NS_MAX },
	{ KB_TIME_NS_MAX, 999999, KB_SPEEDUP_MICRO_MAX },	/* cut */
	{ KB_TIME_NS_MAX, 1, KB_SPEEDUP_MICRO_MAX },
};

static void test_ratio_rounds_half_up_and_is_cut(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(ratios); i++)
		check_int(kb_ratio_micro(ratios[i].over_ns,
					 ratios[i].under_ns),
			  ratios[i].micro);
}

static void test_geomean_of_one_is_its_ratio(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(ratios); i++) {
		struct pair p = { ratios[i].over_ns, ratios[i].under_ns };

		check_int(geomean_of(&p, 1), ratios[i].micro);
	}
}

static const struct {
	size_t count;
	struct pair pairs[4];
	int64_t micro;
} means[] = {
	{ 2, { { 2, 1 }, { 1, 2 } }, 1000000 },
	{ 2, { { 4, 1 }, { 9, 1 } }, 6000000 },
	{ 3, { { 3, 1 }, { 3, 1 }, { 3, 1 } }, 3000000 },
	{ 4, { { 7, 5 }, { 7, 5 }, { 7, 5 }, { 7, 5 } }, 1400000 },
	{ 2, { { 2, 1 }, { 1, 1 } }, 1414214 },		/* sqrt(2) */
	{ 3, { { 1, 1 }, { 1, 1 }, { 2, 1 } }, 1259921 }, /* cbrt(2) */
	{ 2, { { KB_TIME_NS_MAX, 1 }, { 1, KB_TIME_NS_MAX } }, 1000000 },
	{ 2, { { 1, 2000000 }, { 1, 2000000 } }, 1 },	/* a tie, up */
};

static void test_geomean_of_known_ratios(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(means); i++)
		check_int(geomean_of(means[i].pairs, means[i].count),
			  means[i].micro);
}

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void test_geomean_is_nearest_by_exact_arithmetic(void)
{
	uint64_t state = 88172645463325252u;

	for (int round = 0; round < 600; round++) {
		/* Times of up to `bits` bits: from all tiny to all huge. */
		int bits = 1 + round % 40;
		size_t n = 1 + next_random(&state) % 60;
		struct pair pairs[60];

		for (size_t i = 0; i < n; i++) {
			uint64_t mask = (UINT64_C(1) << bits) - 1;

			pairs[i].baseline_ns =
				1 + (int64_t)(next_random(&state) & mask);
			pairs[i].candidate_ns =
				1 + (int64_t)(next_random(&state) & mask);
		}
		check_nearest(pairs, n);
	}
}

/* n ratios of exactly k - 1/2 millionths: the hardest case there is. */
static void test_geomean_rounds_every_tie_up(void)
{
	uint64_t state = 1;

	for (int round = 0; round < 400; round++) {
		int64_t k = 1 + (int64_t)(next_random(&state) % 100000000);
		struct pair pairs[20];

		for (size_t i = 0; i < 20; i++) {
			int64_t scale = 1 + (int64_t)(next_random(&state) %
						      1000000);

			pairs[i].baseline_ns = (2 * k - 1) * scale;
			pairs[i].candidate_ns = 2000000 * scale;
		}
		check_int(geomean_of(pairs, 20), k);
	}
}

static void test_geomean_does_not_depend_on_order(void)
{
	struct pair pairs[] = { { 5, 3 }, { 100, 7 }, { 1, 9 }, { 12, 11 } };
	int64_t forward = geomean_of(pairs, 4);
	struct pair backward[] = { pairs[3], pairs[1], pairs[2], pairs[0] };

	check_int(geomean_of(backward, 4), forward);
}

static const struct {
	int64_t baseline_ns, candidate_ns;
	int p_milli;
	bool exceeds;
} comparisons[] = {
	{ 100, 100, 1000, false },	/* a tie is not faster */
	{ 101, 100, 1000, true },
	{ 200, 100, 2000, false },
	{ 150, 100, 1500, false },
	{ 80, 100, 800, false },
	{ 81, 100, 800, true },
	{ 1, KB_TIME_NS_MAX, 0, true },
	{ KB_TIME_NS_MAX, KB_TIME_NS_MAX, 1000, false },
	{ KB_TIME_NS_MAX, KB_TIME_NS_MAX - 1, 1000, true },
	{ KB_TIME_NS_MAX, 1, 2000, true },
};

static void test_exceeds_is_strict_and_exact(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(comparisons); i++)
		check_int(kb_speedup_exceeds(comparisons[i].baseline_ns,
					     comparisons[i].candidate_ns,
					     comparisons[i].p_milli),
			  comparisons[i].exceeds);
}

#define NONE KB_UNKNOWN

#define VERDICT(problem, s, candidate, baseline, reference, is_compiled) { \
	.line = { .key = { 1, problem }, .status = KB_STATUS_##s, \
		  .candidate_ns = candidate, .baseline_ns = baseline, \
		  .reference_ns = reference, .speedup_micro = NONE }, \
	.compiled = is_compiled }

/* One of everything that a metric treats in its own way. */
static const struct kb_verdict verdicts[] = {
	VERDICT(1, CORRECT, 50, 100, 102, true),
	VERDICT(2, CORRECT, 100, 100, 100, true),
	VERDICT(3, CORRECT, NONE, 100, 101, true),
	VERDICT(4, CORRECT, 10, NONE, 100, true),
	VERDICT(5, CORRECT, 400, 100, NONE, true),
	VERDICT(6, MISMATCH, NONE, 100, 90, true),
	VERDICT(7, BUILD_FAILED, NONE, 100, NONE, false),
	VERDICT(8, MISSING, NONE, 100, NONE, false),
};

static void test_metrics_count_every_problem(void)
{
	static const int64_t fast[KB_FAST_COUNT] = { 3, 2, 2, 1, 1, 0 };
	struct kb_metrics m;

	kb_metrics_of(&m, verdicts, KB_ARRAY_LEN(verdicts));
	check_int(m.problems, 8);
	check_int(m.compiled, 6);
	check_int(m.correct, 5);
	for (int p = 0; p < KB_FAST_COUNT; p++)
		check_int(m.fast[p], fast[p]);
	/* (2 * 1 * 1/4)^(1/3) */
	check_int(m.geomean_speedup_micro, 793701);
	check_int(m.status_counts[KB_STATUS_CORRECT], 5);
	check_int(m.status_counts[KB_STATUS_MISMATCH], 1);
	check_int(m.status_counts[KB_STATUS_BUILD_FAILED], 1);
	check_int(m.status_counts[KB_STATUS_MISSING], 1);
}

static void test_metrics_of_nothing_have_no_mean(void)
{
	struct kb_metrics m;

	kb_metrics_of(&m, NULL, 0);
	check_int(m.problems, 0);
	check(m.geomean_speedup_micro == KB_UNKNOWN);
}

static void test_a_wrong_candidate_is_never_fast(void)
{
	/* It should not have a time; if it has, that changes nothing. */
	static const struct kb_verdict wrong =
		VERDICT(1, MISMATCH, 1, 100, 100, true);
	struct kb_metrics m;

	kb_metrics_of(&m, &wrong, 1);
	check_int(m.fast[0], 0);
	check(m.geomean_speedup_micro == KB_UNKNOWN);
}

static void test_drift_is_reference_over_baseline(void)
{
	struct kb_score_line lines[KB_ARRAY_LEN(verdicts)];
	struct kb_spread drift;

	for (size_t i = 0; i < KB_ARRAY_LEN(verdicts); i++)
		lines[i] = verdicts[i].line;

	check_int(kb_drift_micro(&lines[0]), 1020000);
	check(kb_drift_micro(&lines[3]) == KB_UNKNOWN);

	kb_drift_of(&drift, lines, KB_ARRAY_LEN(lines));
	check_int(drift.problems, 4);
	check_int(drift.median_micro, 1005000);	/* of .9 1 1.01 1.02 */
	check_int(drift.min_micro, 900000);
	check_int(drift.max_micro, 1020000);

	kb_drift_of(&drift, lines + 6, 2);
	check_int(drift.problems, 0);
	check(drift.median_micro == KB_UNKNOWN);
}

TAP_MAIN(TAP(test_ratio_rounds_half_up_and_is_cut),
	 TAP(test_geomean_of_one_is_its_ratio),
	 TAP(test_geomean_of_known_ratios),
	 TAP(test_geomean_is_nearest_by_exact_arithmetic),
	 TAP(test_geomean_rounds_every_tie_up),
	 TAP(test_geomean_does_not_depend_on_order),
	 TAP(test_exceeds_is_strict_and_exact),
	 TAP(test_metrics_count_every_problem),
	 TAP(test_metrics_of_nothing_have_no_mean),
	 TAP(test_a_wrong_candidate_is_never_fast),
	 TAP(test_drift_is_reference_over_baseline));
