#include "device/compare.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/float8.h"
#include "base/half.h"
#include "lib/tap.h"
#include "manifest/fp64_error.h"
#include "manifest/problem_facts.h"
#include "random/random.h"

static const struct kb_tolerance loose = { 0.5, 0.25 };
static const struct kb_tolerance tight = { 1e-4, 1e-4 };
static const struct kb_tolerance zero = { 0, 0 };

/* Enough for several blocks and a tail that fits no vector. */
enum { MANY = 20037 };

static double float8_value(enum kb_dtype dtype, int code)
{
	return (double)(dtype == KB_FLOAT8_E5M2 ?
			kb_float_from_float8_e5m2((uint8_t)code) :
			kb_float_from_float8_e4m3fn((uint8_t)code));
}

/* The code of exactly `x`, or -1. */
static int float8_code(enum kb_dtype dtype, double x)
{
	for (int code = 0; code < 256; code++) {
		double value = float8_value(dtype, code);

		if (isnan(x) ? isnan(value) :
		    value == x && !signbit(value) == !signbit(x))
			return code;
	}
	return -1;
}

static bool is_float8(enum kb_dtype dtype)
{
	return dtype == KB_FLOAT8_E4M3FN || dtype == KB_FLOAT8_E5M2;
}

static void put(void *data, enum kb_dtype dtype, size_t i, double x)
{
	switch (dtype) {
	case KB_FLOAT64:
		((double *)data)[i] = x;
		break;
	case KB_FLOAT32:
		((float *)data)[i] = (float)x;
		break;
	case KB_FLOAT16:
		((uint16_t *)data)[i] = kb_float16_from_float((float)x);
		break;
	case KB_BFLOAT16:
		((uint16_t *)data)[i] = kb_bfloat16_from_float((float)x);
		break;
	case KB_FLOAT8_E4M3FN:
	case KB_FLOAT8_E5M2:
		((uint8_t *)data)[i] = (uint8_t)float8_code(dtype, x);
		break;
	case KB_INT64:
		((int64_t *)data)[i] = (int64_t)x;
		break;
	case KB_INT32:
		((int32_t *)data)[i] = (int32_t)x;
		break;
	case KB_INT16:
		((int16_t *)data)[i] = (int16_t)x;
		break;
	case KB_INT8:
		((int8_t *)data)[i] = (int8_t)x;
		break;
	default:
		((uint8_t *)data)[i] = (uint8_t)x;
	}
}

static const enum kb_dtype float_types[] = {
	KB_FLOAT64, KB_FLOAT32, KB_FLOAT16, KB_BFLOAT16,
	KB_FLOAT8_E4M3FN, KB_FLOAT8_E5M2,
};

#define INF INFINITY
#define MAX64 0x1.fffffffffffffp1023

/* One pair, exact in every float type of 16 bits and more unless `only`
 * names one. Types of 8 bits leave out what they do not have. */
static const struct {
	double a, b;
	int mismatched, not_finite;
	double abs_error, rel_error;
	enum kb_dtype only;
} pairs[] = {
	{ 0, 0, 0, 0, 0, 0, 0 },
	{ 0, -0.0, 0, 0, 0, 0, 0 },
	{ 2, 2, 0, 0, 0, 0, 0 },
	{ 3, 2, 0, 0, 1, 0.5, 0 },		/* at the bound */
	{ 1, 2, 0, 0, 1, 0.5, 0 },
	{ 3.015625, 2, 1, 0, 1.015625, 0.5078125, 0 },
	{ 3.5, 2, 1, 0, 1.5, 0.75, 0 },
	{ 320, 224, 1, 0, 96, 96 / 224.0, 0 },
	{ 0x1p-9, 0, 0, 0, 0x1p-9, 0, 0 },	/* a subnormal, in e4m3fn */
	{ -1, 2, 1, 0, 3, 1.5, 0 },
	{ 0.5, 0, 0, 0, 0.5, 0, 0 },		/* no relative error */
	{ 1, 0, 1, 0, 1, 0, 0 },
	{ NAN, NAN, 0, 0, 0, 0, 0 },
	{ INF, INF, 0, 0, 0, 0, 0 },
	{ -INF, -INF, 0, 0, 0, 0, 0 },
	{ NAN, 1, 1, 1, 0, 0, 0 },
	{ INF, 1, 1, 1, 0, 0, 0 },
	{ -INF, 0, 1, 1, 0, 0, 0 },
	{ 1, NAN, 1, 0, 0, 0, 0 },
	{ 1, INF, 1, 0, 0, 0, 0 },
	{ INF, -INF, 1, 0, 0, 0, 0 },
	{ NAN, INF, 1, 0, 0, 0, 0 },
	{ INF, NAN, 1, 0, 0, 0, 0 },
	{ MAX64, -MAX64, 1, 0, INF, INF, KB_FLOAT64 },
	{ 0x1p1000, 0x1p999, 1, 0, 0x1p999, 1, KB_FLOAT64 },
	{ 0x1p100, 0x1p99, 1, 0, 0x1p99, 1, KB_FLOAT32 },
};

static void check_pair(size_t row, enum kb_dtype dtype, size_t count, size_t at)
{
	kb_auto(mem) double *a = kb_xcalloc(count, sizeof(*a));
	kb_auto(mem) double *b = kb_xcalloc(count, sizeof(*b));
	struct kb_compare_result r;

	put(a, dtype, at, pairs[row].a);
	put(b, dtype, at, pairs[row].b);
	kb_compare(&r, a, b, dtype, count, loose);

	if (r.elements != count ||
	    r.mismatched != (uint64_t)pairs[row].mismatched ||
	    r.not_finite != (uint64_t)pairs[row].not_finite ||
	    r.first_mismatch != (r.mismatched ? at : count) ||
	    r.max_abs_error != pairs[row].abs_error ||
	    r.max_rel_error != pairs[row].rel_error)
		tap_fail("row %zu as %s at %zu of %zu: %ju mismatched, "
			 "%ju not finite, first %ju, errors %g %g",
			 row, kb_dtype_name(dtype), at, count,
			 (uintmax_t)r.mismatched, (uintmax_t)r.not_finite,
			 (uintmax_t)r.first_mismatch, r.max_abs_error,
			 r.max_rel_error);
}

static bool has_pair(enum kb_dtype dtype, size_t row)
{
	if (pairs[row].only && pairs[row].only != dtype)
		return false;
	return !is_float8(dtype) ||
		(float8_code(dtype, pairs[row].a) >= 0 &&
		 float8_code(dtype, pairs[row].b) >= 0);
}

static void test_every_pair_is_judged_the_same_wherever_it_is(void)
{
	for (size_t row = 0; row < KB_ARRAY_LEN(pairs); row++)
		for (size_t t = 0; t < KB_ARRAY_LEN(float_types); t++) {
			enum kb_dtype dtype = float_types[t];

			if (!has_pair(dtype, row))
				continue;
			check_pair(row, dtype, 1, 0);
			check_pair(row, dtype, 64, 63);
			check_pair(row, dtype, MANY, 0);
			check_pair(row, dtype, MANY, 5000);
			check_pair(row, dtype, MANY, MANY - 1);
		}
}

static void test_nothing_compares_equal_to_nothing(void)
{
	struct kb_compare_result r;

	kb_compare(&r, NULL, NULL, KB_FLOAT32, 0, tight);
	check_int(r.elements, 0);
	check_int(r.mismatched, 0);
	check_int(r.first_mismatch, 0);
	check(r.rms_error == 0);
}

static void test_all_mismatches_are_counted(void)
{
	kb_auto(mem) float *a = kb_xcalloc(MANY, sizeof(*a));
	kb_auto(mem) float *b = kb_xcalloc(MANY, sizeof(*b));
	struct kb_compare_result r;
	size_t nans = 0;

	for (size_t i = 7; i < MANY; i += 3)
		a[i] = 1;
	for (size_t i = 10; i < MANY; i += 999) {	/* 10 = 7 mod 3 */
		a[i] = NAN;
		nans++;
	}
	kb_compare(&r, a, b, KB_FLOAT32, MANY, tight);
	check_int(r.mismatched, (MANY - 7 + 2) / 3);
	check_int(r.not_finite, nans);
	check_int(r.first_mismatch, 7);
	check(r.max_abs_error == 1);
}

static void test_rms_is_over_all_elements(void)
{
	float a[8] = { 3, 0, 0, 0, 4 }, b[8] = { 0 };
	struct kb_compare_result r;

	kb_compare(&r, a, b, KB_FLOAT32, 4, zero);
	check(r.rms_error == 1.5);
	kb_compare(&r, a, b, KB_FLOAT32, 8, zero);
	check(r.rms_error == sqrt(25.0 / 8));
}

/* Sums 2^-24 MANY times: lost in a float, exact in a double. */
static void test_sums_are_kept_in_double(void)
{
	kb_auto(mem) float *a = kb_xcalloc(MANY, sizeof(*a));
	kb_auto(mem) float *b = kb_xcalloc(MANY, sizeof(*b));
	struct kb_compare_result r;

	for (size_t i = 0; i < MANY; i++)
		a[i] = i ? 0x1p-12f : 1;
	kb_compare(&r, a, b, KB_FLOAT32, MANY, loose);
	check_int(r.mismatched, 1);
	check(r.rms_error == sqrt((1 + (MANY - 1) * 0x1p-24) / MANY));
}

/* Against an accumulation in long double, element after element. */
static void test_errors_agree_with_a_simple_loop(void)
{
	const struct kb_draw values = { KB_DRAW_NORMAL, 0, 10 };
	const struct kb_draw noise = { KB_DRAW_UNIFORM, -1e-4, 1e-4 };
	struct kb_random_stream s = { .slot = 1 };
	kb_auto(mem) double *a = kb_xcalloc(MANY, sizeof(*a));
	kb_auto(mem) double *b = kb_xcalloc(MANY, sizeof(*b));
	double max_abs = 0, max_rel = 0;
	long double squares = 0;
	struct kb_compare_result r;

	kb_random_fill(b, KB_FLOAT64, MANY, &values, &s);
	s.tensor = 1;
	kb_random_fill(a, KB_FLOAT64, MANY, &noise, &s);
	for (size_t i = 0; i < MANY; i++) {
		a[i] += b[i];
		max_abs = fmax(max_abs, fabs(a[i] - b[i]));
		max_rel = fmax(max_rel, fabs(a[i] - b[i]) / fabs(b[i]));
		squares += (long double)(a[i] - b[i]) * (a[i] - b[i]);
	}
	kb_compare(&r, a, b, KB_FLOAT64, MANY, tight);
	check_int(r.mismatched, 0);
	check(r.max_abs_error == max_abs);
	check(r.max_rel_error == max_rel);
	check(fabs(r.rms_error / (double)sqrtl(squares / MANY) - 1) < 1e-14);
}

static const struct {
	enum kb_dtype dtype;
	double a, b;
	int mismatched;
	double abs_error, rel_error;
} integer_pairs[] = {
	{ KB_INT64, 7, 7, 0, 0, 0 },
	{ KB_INT64, 0x1p62, -0x1p62, 1, 0x1p63, 2 },
	{ KB_INT64, -0x1p63, 0x1p62, 1, 0x1.8p63, 3 },
	{ KB_INT32, -0x1p31, 0x1p30, 1, 0x1.8p31, 3 },
	{ KB_INT16, 3, 0, 1, 3, 0 },
	{ KB_INT8, -128, 127, 1, 255, 255.0 / 127 },
	{ KB_UINT8, 255, 5, 1, 250, 50 },
	{ KB_BOOL, 1, 0, 1, 1, 0 },
	{ KB_BOOL, 1, 1, 0, 0, 0 },
	{ KB_BOOL, 2, 1, 1, 1, 1 },	/* true, but not the true */
};

static void test_integers_are_exact(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(integer_pairs); i++) {
		kb_auto(mem) int64_t *a = kb_xcalloc(MANY, sizeof(*a));
		kb_auto(mem) int64_t *b = kb_xcalloc(MANY, sizeof(*b));
		enum kb_dtype dtype = integer_pairs[i].dtype;
		struct kb_compare_result r;

		put(a, dtype, 9001, integer_pairs[i].a);
		put(b, dtype, 9001, integer_pairs[i].b);
		kb_compare(&r, a, b, dtype, MANY, loose);
		check_int(r.mismatched, integer_pairs[i].mismatched);
		check_int(r.not_finite, 0);
		check_int(r.first_mismatch, r.mismatched ? 9001 : MANY);
		check(r.max_abs_error == integer_pairs[i].abs_error);
		check(r.max_rel_error == integer_pairs[i].rel_error);
	}
}

static void test_large_integers_that_share_a_double_differ(void)
{
	int64_t a[2] = { INT64_MAX, 5 }, b[2] = { INT64_MAX - 1, 5 };
	struct kb_compare_result r;

	kb_compare(&r, a, b, KB_INT64, 2, loose);
	check_int(r.mismatched, 1);
	check(r.max_abs_error == 1);
}

static struct kb_error_limits limits_of(const char *name, enum kb_dtype dtype,
					const struct kb_fp64_error_output *own)
{
	const struct kb_tolerance_policy *policy = NULL;

	check_int(kb_tolerance_policy_find(&policy, name, NULL), 0);
	check_str(kb_tolerance_policy_name(policy), name);
	return kb_error_limits_of(policy, &(struct kb_limited){
		.dtype = dtype, .input = dtype, .own = own });
}

static void test_policies_are_those_of_kernelbench(void)
{
	static const struct kb_fp64_error_output own = { true, 4, 3, 2, 1 };
	static const struct {
		const char *policy;
		enum kb_dtype dtype;
		double atol, rtol;
	} rows[] = {
		{ "kernelbench", KB_FLOAT64, 1e-4, 1e-4 },
		{ "kernelbench", KB_FLOAT32, 1e-4, 1e-4 },
		{ "kernelbench", KB_FLOAT16, 1e-2, 1e-2 },
		{ "kernelbench", KB_BFLOAT16, 1e-2, 1e-2 },
		{ "kernelbench", KB_FLOAT8_E4M3FN, 1e-2, 1e-2 },
		{ "kernelbench", KB_FLOAT8_E5M2, 1e-2, 1e-2 },
		{ "kernelbench", KB_INT64, 0, 0 },
		{ "kernelbench", KB_BOOL, 0, 0 },
		{ "paper", KB_FLOAT64, 1e-2, 1e-2 },
		{ "paper", KB_FLOAT32, 1e-2, 1e-2 },
		{ "paper", KB_FLOAT16, 1e-2, 1e-2 },
		{ "paper", KB_FLOAT8_E4M3FN, 1e-2, 1e-2 },
		{ "paper", KB_FLOAT8_E5M2, 1e-2, 1e-2 },
		{ "paper", KB_UINT8, 0, 0 },
		{ "v3", KB_FLOAT64, 0.05, 0.02 },
		{ "v3", KB_FLOAT32, 1e-3, 1e-3 },
		{ "v3", KB_FLOAT16, 1e-2, 1e-2 },
		{ "v3", KB_BFLOAT16, 1e-2, 1e-2 },
		{ "v3", KB_FLOAT8_E4M3FN, 0.1, 0.05 },
		{ "v3", KB_FLOAT8_E5M2, 0.1, 0.05 },
		{ "v3", KB_INT32, 0, 0 },
		{ "v3", KB_BOOL, 0, 0 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		struct kb_error_limits l = limits_of(rows[i].policy,
						     rows[i].dtype, &own);

		check(l.element.atol == rows[i].atol);
		check(l.element.rtol == rows[i].rtol);
		check(isinf(l.rms));
	}
}

static void test_precise_follows_the_reference(void)
{
	static const struct {
		enum kb_dtype dtype;
		struct kb_fp64_error_output own;
		double atol, rtol, rms;
	} rows[] = {
		/* its error, where that is more than one rounding */
		{ KB_FLOAT32, { true, 0.5, 0.25, 1, 1 }, 4, 0x1p-21, 2 },
		{ KB_FLOAT32, { true, 0.5, 0, 1, 1 }, 4, 0x1p-21,
		  0x1p-21 },
		/* else a rounding of what it computes */
		{ KB_FLOAT64, { true, 0, 0, 4, 2 }, 0x1p-48, 0x1p-50,
		  0x1p-49 },
		{ KB_FLOAT32, { true, 0, 0, 4, 2 }, 0x1p-19, 0x1p-21,
		  0x1p-20 },
		{ KB_FLOAT16, { true, 0, 0, 4, 2 }, 0x1p-6, 0x1p-8, 0x1p-7 },
		{ KB_BFLOAT16, { true, 0, 0, 4, 2 }, 0x1p-3, 0x1p-5, 0x1p-4 },
		{ KB_FLOAT8_E4M3FN, { true, 0, 0, 4, 2 }, 2, 0.5, 1 },
		{ KB_FLOAT8_E5M2, { true, 0, 0, 4, 2 }, 4, 1, 2 },
		/* which is nothing if that is zero */
		{ KB_FLOAT32, { true, 0, 0, 0, 0 }, 0, 0x1p-21, 0 },
		{ KB_INT32, { true, 4, 3, 2, 1 }, 0, 0, HUGE_VAL },
		{ KB_BOOL, { true, 4, 3, 2, 1 }, 0, 0, HUGE_VAL },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		struct kb_error_limits l = limits_of("precise", rows[i].dtype,
						     &rows[i].own);

		check(l.element.atol == rows[i].atol);
		check(l.element.rtol == rows[i].rtol);
		check(l.rms == rows[i].rms);
	}
}

static void test_precise_without_an_fp64_error_is_kernelbench(void)
{
	for (uint32_t dtype = 1; dtype < KB_DTYPE_COUNT; dtype++) {
		struct kb_error_limits a = limits_of("precise", dtype, NULL);
		struct kb_error_limits b = limits_of("kernelbench", dtype,
						     NULL);

		check(a.element.atol == b.element.atol);
		check(a.element.rtol == b.element.rtol);
		check(a.rms == b.rms && !a.of_tensor && !b.of_tensor);
	}
}

static void test_precise_draws_the_line_at_the_limit(void)
{
	static const struct kb_fp64_error_output own = {
		true, 0.25, 0.125, 16, 8,
	};
	const struct kb_error_limits l = limits_of("precise", KB_FLOAT32,
						   &own);
	float a[2] = { 0, 0 };
	const float b[2] = { 16, -16 };
	static const struct {
		float first, second;	/* errors */
		uint64_t mismatched;
		bool rms;
	} rows[] = {
		{ 0, 0, 0, false },
		{ 1, -1, 0, false },			/* just within */
		{ 1.4f, 0, 0, false },
		{ 1.5f, 0, 0, true },
		{ 2, 0, 0, true },
		{ 0, -0x1.00004p1f, 0, true },		/* and 8 roundings */
		{ 0, -0x1.00005p1f, 1, true },		/* just beyond */
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		struct kb_compare_result r;

		a[0] = b[0] + rows[i].first;
		a[1] = b[1] + rows[i].second;
		kb_compare(&r, a, b, KB_FLOAT32, 2, l.element);
		check_int(r.mismatched, rows[i].mismatched);
		check_int(r.rms_error > l.rms, rows[i].rms);
	}
}

static void test_the_reference_has_its_own_error_to_spare(void)
{
	static const struct {
		const char *policy;
		enum kb_dtype dtype;
		bool known;
		struct kb_fp64_error_output own;
		double atol, rtol;
	} rows[] = {
		/* not known */
		{ "kernelbench", KB_FLOAT32, false,
		  { true, 0x1p-10, 0, 1, 1 }, 1e-4, 1e-4 },
		/* less than the tolerance */
		{ "kernelbench", KB_FLOAT32, true,
		  { true, 0x1p-20, 0, 1, 1 },
		  1e-4, 1e-4 },
		/* more, by its error or by roundoff */
		{ "kernelbench", KB_FLOAT32, true,
		  { true, 0x1p-10, 0, 1, 1 },
		  0x1p-7, 1e-4 },
		{ "paper", KB_BFLOAT16, true,
		  { true, 0, 0, 4, 2 },
		  0x1p-3, 1e-2 },
		{ "v3", KB_FLOAT8_E4M3FN, true,
		  { true, 0.25, 0.125, 4, 2 },
		  2, 0.05 },
		{ "precise", KB_FLOAT32, true,
		  { true, 0.5, 0.25, 1, 1 }, 4, 0x1p-21 },
		{ "kernelbench", KB_INT64, true,
		  { false, 0, 0, 0, 0 }, 0, 0 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		const struct kb_tolerance_policy *policy = NULL;
		const struct kb_fp64_error_output *own =
			rows[i].known ? &rows[i].own : NULL;
		struct kb_error_limits l, candidates;

		check_int(kb_tolerance_policy_find(&policy, rows[i].policy,
						   NULL), 0);
		l = kb_reference_limits_of(policy, &(struct kb_limited){
			.dtype = rows[i].dtype, .input = rows[i].dtype,
			.own = own });
		candidates = limits_of(rows[i].policy, rows[i].dtype, own);
		check(l.element.atol == rows[i].atol);
		check(l.element.rtol == rows[i].rtol);
		check(l.rms == candidates.rms);
	}
}

/* By v3's code the precision has the name of the first input's type, and others
 * than those of its table have a tolerance of their own. */
static void test_v3_goes_by_the_first_input(void)
{
	static const struct {
		enum kb_dtype input, output;
		double atol, rtol;
	} rows[] = {
		{ KB_FLOAT32, KB_FLOAT16, 1e-3, 1e-3 },
		{ KB_FLOAT16, KB_FLOAT32, 1e-2, 1e-2 },
		{ KB_BFLOAT16, KB_BFLOAT16, 1e-2, 1e-2 },
		{ KB_FLOAT8_E4M3FN, KB_FLOAT32, 0.1, 0.05 },
		{ KB_FLOAT64, KB_FLOAT64, 0.05, 0.02 },
		{ KB_INT64, KB_FLOAT32, 0.05, 0.02 },
		{ KB_BOOL, KB_FLOAT32, 0.05, 0.02 },
		{ KB_FLOAT32, KB_INT64, 0, 0 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		const struct kb_tolerance_policy *policy = NULL;
		struct kb_error_limits l;

		check_int(kb_tolerance_policy_find(&policy, "v3", NULL), 0);
		l = kb_error_limits_of(policy, &(struct kb_limited){
			.dtype = rows[i].output, .input = rows[i].input });
		check(l.element.atol == rows[i].atol);
		check(l.element.rtol == rows[i].rtol);
		check_int(l.of_tensor, rows[i].output != KB_INT64);
	}
}

static void test_a_tensor_has_one_bound_which_is_not_met(void)
{
	const float b[] = { 1, -3, 2, NAN, INFINITY };
	struct kb_tolerance t;

	check(kb_compare_largest(b, KB_FLOAT32, 5) == 3);
	check(kb_compare_largest(b, KB_FLOAT32, 1) == 1);
	check(kb_compare_largest(b, KB_FLOAT32, 0) == 0);
	check(kb_compare_largest(b + 3, KB_FLOAT32, 2) == 0);
	t = kb_tolerance_of_tensor(loose, 2);
	check(t.atol < 1 && t.atol > 1 - 1e-15);
	check(t.rtol == 0);
	t = kb_tolerance_of_tensor(zero, 2);
	check(t.atol == 0 && t.rtol == 0);
}

static void test_the_largest_is_found_in_every_type(void)
{
	for (size_t d = 0; d < KB_ARRAY_LEN(float_types); d++) {
		const enum kb_dtype dtype = float_types[d];
		kb_auto(mem) void *b = kb_xcalloc(MANY, 8);

		put(b, dtype, 0, 0.5);
		put(b, dtype, MANY - 1, -1.5);
		put(b, dtype, 5000, 1);
		check(kb_compare_largest(b, dtype, MANY) == 1.5);
		check(kb_compare_largest(b, dtype, MANY - 1) == 1);
	}
}

static void test_a_suite_states_tolerances_or_does_not(void)
{
	struct kb_problem_facts facts = { .note = NULL };
	const struct kb_tolerance_policy *policy = NULL;
	struct kb_tolerance stated;
	struct kb_error_limits l;

	check(!kb_tolerance_stated(&stated, NULL, KB_FP32));
	check(!kb_tolerance_stated(&stated, &facts, KB_FP16));
	facts.tolerance[KB_FP16] = (struct kb_tolerance_facts){
		(char *)"0.5", (char *)"1e-1" };
	check(!kb_tolerance_stated(&stated, &facts, KB_FP32));
	check(kb_tolerance_stated(&stated, &facts, KB_FP16));
	check(stated.atol == 0.5 && stated.rtol == 0.1);

	check_int(kb_tolerance_policy_find(&policy, "suite", NULL), 0);
	l = kb_error_limits_of(policy, &(struct kb_limited){
		.dtype = KB_FLOAT32, .stated = &stated });
	check(l.element.atol == 0.5 && l.element.rtol == 0.1);
	l = kb_error_limits_of(policy, &(struct kb_limited){
		.dtype = KB_INT64, .stated = &stated });
	check(l.element.atol == 0 && l.element.rtol == 0);
	l = limits_of("suite", KB_FLOAT32, NULL);
	check(l.element.atol == 1e-4);
	check_int(kb_tolerance_policy_find(&policy, "kernelbench", NULL), 0);
	l = kb_error_limits_of(policy, &(struct kb_limited){
		.dtype = KB_FLOAT32, .stated = &stated });
	check(l.element.atol == 1e-4);
}

static void test_unknown_policy_is_refused(void)
{
	const struct kb_tolerance_policy *policy;
	struct kb_err err = KB_ERR_INIT;

	check_int(kb_tolerance_policy_find(&policy, "Paper", &err),
		  -KB_ERR_USAGE);
	check_str(err.msg, "unknown tolerance policy 'Paper', there are: "
		  "kernelbench, paper, v3, precise, suite");
}

TAP_MAIN(TAP(test_every_pair_is_judged_the_same_wherever_it_is),
	 TAP(test_nothing_compares_equal_to_nothing),
	 TAP(test_all_mismatches_are_counted),
	 TAP(test_rms_is_over_all_elements),
	 TAP(test_sums_are_kept_in_double),
	 TAP(test_errors_agree_with_a_simple_loop),
	 TAP(test_integers_are_exact),
	 TAP(test_large_integers_that_share_a_double_differ),
	 TAP(test_policies_are_those_of_kernelbench),
	 TAP(test_precise_follows_the_reference),
	 TAP(test_precise_without_an_fp64_error_is_kernelbench),
	 TAP(test_precise_draws_the_line_at_the_limit),
	 TAP(test_the_reference_has_its_own_error_to_spare),
	 TAP(test_v3_goes_by_the_first_input),
	 TAP(test_a_tensor_has_one_bound_which_is_not_met),
	 TAP(test_the_largest_is_found_in_every_type),
	 TAP(test_a_suite_states_tolerances_or_does_not),
	 TAP(test_unknown_policy_is_refused));
