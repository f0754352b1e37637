#include <float.h>
#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "device/compare.h"
#include "gpu/u-on-gpu.h"
#include "lib/tap.h"

/* The kernels of device/compare.cuh against device/compare.h. */

static const struct kb_tolerance tolerances[] = {
	{ 1e-4, 1e-4 }, { 1e-2, 1e-2 }, { 0, 0 }, { 0.5, 0.25 }, { 0, 1e-3 },
	{ 1e-3, 0 }, { 1e300, 0 }, { 0, 1e300 }, { 1e-310, 1e-310 },
	{ 4.0 / 3, 1.0 / 3 },
};

/* The first and last of everything: zeros, subnormals, largest, infinities,
 * NaNs, of either sign, whatever the type makes of them. */
static uint64_t special_bits(size_t size)
{
	static const uint64_t bits[] = {
		0, 1, 2, 3, 0x3c, 0x3f800000, 0x3ff0000000000000,
		0x7ff0000000000000, 0x7ff0000000000001, 0x7fefffffffffffff,
		0x7ff8000000000000, 0x7f800000, 0x7f800001, 0x7f7fffff,
		0x7fc00000, 0x800000, 0x7fffff, 0x7c00, 0x7c01, 0x7bff, 0x400,
		0x3ff, 0x7f80, 0x7f7f, 0x7f81, 0x80, 0x7f, 0x7e, 0x7c, 0x7b,
		0x10000000000000, 0xfffffffffffff, 0xff, 0xffff,
	};
	uint64_t x = bits[gpu_random_below(KB_ARRAY_LEN(bits))];

	return x ^ (gpu_random_below(2) ? (uint64_t)1 << (8 * size - 1) : 0);
}

enum mode {
	RANDOM,		/* all bits, so some NaNs and infinities */
	EQUAL,		/* but for a few */
	NEAR,		/* neighbours, and neighbours' neighbours */
	SAME_ERROR,	/* all by one unit in the last place */
	SPECIAL,
	MIXED,		/* neighbours, with something special between */
	FAR,
	MODES,
};

static uint64_t expected_bits(enum mode mode, size_t size)
{
	if (mode == SPECIAL || (mode == MIXED && !gpu_random_below(9)))
		return special_bits(size);
	return mode == RANDOM ? gpu_random() : gpu_ordinary_bits(size);
}

static uint64_t candidate_bits(enum mode mode, size_t size, uint64_t b)
{
	switch (mode) {
	case RANDOM:
		return gpu_random_below(4) ? gpu_random() : b;
	case EQUAL:
		return gpu_random_below(200) ? b : b + 1;
	case NEAR:
		return b + gpu_random_below(7) - 3;
	case SAME_ERROR:
		return b + 1;
	case SPECIAL:
		return gpu_random_below(2) ? special_bits(size) : b;
	case MIXED:
		return gpu_random_below(9) ? b + gpu_random_below(2) :
			special_bits(size);
	default:
		return gpu_ordinary_bits(size);
	}
}

static void check_real(const char *what, double got, double want, double part)
{
	if (got != want && !(fabs(got - want) <= part * fabs(want)))
		tap_fail("%s is %.17g, want %.17g", what, got, want);
}

static void check_results(const struct kb_compare_result *got,
			  const struct kb_compare_result *want,
			  enum kb_dtype dtype)
{
	/* Types with errors to six digits only. */
	bool narrow = dtype == KB_FLOAT32 || dtype == KB_FLOAT8_E4M3FN ||
		dtype == KB_FLOAT8_E5M2;

	check_int((intmax_t)got->elements, (intmax_t)want->elements);
	check_int((intmax_t)got->mismatched, (intmax_t)want->mismatched);
	check_int((intmax_t)got->not_finite, (intmax_t)want->not_finite);
	check_int((intmax_t)got->first_mismatch,
		  (intmax_t)want->first_mismatch);
	check_real("max_abs_error", got->max_abs_error, want->max_abs_error,
		   narrow ? 1e-6 : 0);
	check_real("max_rel_error", got->max_rel_error, want->max_rel_error,
		   narrow ? 1e-6 : 1e-15);
	check_real("rms_error", got->rms_error, want->rms_error,
		   narrow ? 1e-6 : 1e-10);
}

struct setup {
	enum kb_dtype dtype;
	enum mode mode;
	size_t count;
	size_t offset, shift;		/* elements before either, the second */
	struct kb_tolerance tolerance;
	bool of_tensor;
};

static void check_compare(const struct setup *s)
{
	const size_t size = kb_dtype_size_bytes(s->dtype);
	const struct kb_cuda_comparison c = {
		.candidate = one.address + s->offset * size,
		.expected = other.address + (s->offset + s->shift) * size,
		.dtype = s->dtype,
		.count = s->count,
		.tolerance = s->tolerance,
		.of_tensor = s->of_tensor,
	};
	struct kb_tolerance tolerance = s->tolerance;
	kb_auto(mem) uint8_t *a = kb_xmalloc(s->count * size + 8);
	kb_auto(mem) uint8_t *b = kb_xmalloc(s->count * size + 8);
	struct kb_compare_result got = { 0 }, want;
	int failed = tap_failed;

	for (size_t i = 0; i < s->count; i++) {
		gpu_set_bits(b, size, i, expected_bits(s->mode, size));
		gpu_set_bits(a, size, i, candidate_bits(s->mode, size,
						    gpu_bits_at(b, size, i)));
	}
	gpu_write(c.candidate, a, s->count * size);
	gpu_write(c.expected, b, s->count * size);
	must(kb_cuda_compare(gpu, &c, 1, &got, &err), &err);
	if (s->of_tensor && kb_dtype_class(s->dtype) == KB_CLASS_FLOAT)
		tolerance = kb_tolerance_of_tensor(tolerance, kb_compare_largest(
			b, s->dtype, s->count));
	kb_compare(&want, a, b, s->dtype, s->count, tolerance);
	tap_failed = 0;
	check_results(&got, &want, s->dtype);
	if (tap_failed)
		printf("# %s, mode %d, %zu elements, from %zu + %zu, "
		       "atol %g, rtol %g\n", kb_dtype_name(s->dtype),
		       s->mode, s->count, s->offset, s->shift,
		       s->tolerance.atol, s->tolerance.rtol);
	tap_failed |= failed;
}

static void test_comparisons_find_what_they_find_on_the_cpu(void)
{
	if (!have_gpu())
		return;
	for (uint32_t d = 0; d < DTYPES; d++)
		for (enum mode mode = 0; mode < MODES; mode++)
			for (size_t i = 0; i < KB_ARRAY_LEN(sizes); i++) {
				struct setup s = {
					.dtype = dtype_number(d),
					.mode = mode,
					.count = sizes[i],
					.tolerance = tolerances[(i + mode) %
						KB_ARRAY_LEN(tolerances)],
				};

				check_compare(&s);
				s.offset = 1 + i % 3;
				s.shift = i % 2;
				check_compare(&s);
			}
}

static void test_every_tolerance_has_the_same_edge_as_on_the_cpu(void)
{
	if (!have_gpu())
		return;
	for (uint32_t d = 0; d < DTYPES; d++)
		for (size_t i = 0; i < KB_ARRAY_LEN(tolerances); i++)
			for (enum mode mode = 0; mode < MODES; mode++) {
				struct setup s = {
					.dtype = dtype_number(d),
					.mode = mode,
					.count = 3001,
					.tolerance = tolerances[i],
				};

				check_compare(&s);
				s.of_tensor = true;
				check_compare(&s);
			}
}

/* Candidates at b + bound and its neighbours, in the type itself. */
static void test_a_value_at_the_bound_is_a_match(void)
{
	enum { COUNT = 4099 };
	const struct kb_tolerance t = { 0.5, 0.25 };
	kb_auto(mem) float *a = kb_xcalloc(COUNT, sizeof(*a));
	kb_auto(mem) float *b = kb_xcalloc(COUNT, sizeof(*b));
	struct kb_cuda_comparison c;
	struct kb_compare_result got, want;

	if (!have_gpu())
		return;
	for (size_t i = 0; i < COUNT; i++) {
		b[i] = (float)gpu_random_below(1 << 20) / 64;
		a[i] = b[i] + (0.5f + 0.25f * b[i]);
		if (i % 3)
			a[i] = nextafterf(a[i], i % 3 == 1 ? 0 : 1e30f);
	}
	c = (struct kb_cuda_comparison){
		.candidate = one.address, .expected = other.address,
		.dtype = KB_FLOAT32, .count = COUNT, .tolerance = t,
	};
	gpu_write(c.candidate, a, sizeof(*a) * COUNT);
	gpu_write(c.expected, b, sizeof(*b) * COUNT);
	must(kb_cuda_compare(gpu, &c, 1, &got, &err), &err);
	kb_compare(&want, a, b, KB_FLOAT32, COUNT, t);
	check(want.mismatched > COUNT / 4 && want.mismatched < COUNT / 2);
	check_results(&got, &want, KB_FLOAT32);
}

/* 2 to a power of `lowest` or more, and under `range` more; or 0. */
static double random_scale(int lowest, unsigned range)
{
	double x = 1 + (double)(gpu_random() >> 11) * 0x1p-53;

	return gpu_random_below(8) ?
		ldexp(x, lowest + (int)gpu_random_below(range)) : 0;
}

/* A float of any size, some of them special, and one near its bound. */
static void random_border(float *a, float *b, struct kb_tolerance t)
{
	const float towards = gpu_random_below(2) ? HUGE_VALF : -HUGE_VALF;
	uint32_t bits = (uint32_t)gpu_random();

	if (!gpu_random_below(4))
		bits = (uint32_t)special_bits(4);
	if (!gpu_random_below(4))
		bits &= 0x80ffffff;		/* subnormal, or nearly */
	memcpy(b, &bits, sizeof(bits));
	*a = (float)((double)*b + copysign(t.atol + t.rtol * fabs((double)*b),
					   (double)towards));
	for (uint64_t n = gpu_random_below(4); n; n--)
		*a = nextafterf(*a, *a < *b ? -towards : towards);
	if (!gpu_random_below(16))
		*a = -*a;
}

static struct kb_tolerance random_tolerance(void)
{
	return (struct kb_tolerance){
		random_scale(-160, 290), random_scale(-60, 64),
	};
}

/* Short comparisons, so that the errors of every pair are seen. */
static void test_float32_has_errors_wherever_float64_has(void)
{
	enum { MANY = 2000, EACH = 4 };
	kb_auto(mem) struct kb_cuda_comparison *c = kb_xcalloc(MANY,
							       sizeof(*c));
	kb_auto(mem) struct kb_compare_result *got = kb_xcalloc(MANY,
								sizeof(*got));
	kb_auto(mem) float *a = kb_xcalloc(MANY * EACH, sizeof(*a));
	kb_auto(mem) float *b = kb_xcalloc(MANY * EACH, sizeof(*b));

	if (!have_gpu())
		return;
	for (size_t i = 0; i < MANY; i++) {
		const struct kb_tolerance t = random_tolerance();
		const size_t at = i * EACH, pairs = 1 + i % EACH;

		c[i] = (struct kb_cuda_comparison){
			.candidate = one.address + at * sizeof(*a),
			.expected = other.address + at * sizeof(*b),
			.dtype = KB_FLOAT32, .count = EACH, .tolerance = t,
		};
		for (size_t k = 0; k < pairs; k++)
			random_border(&a[at + k], &b[at + k], t);
	}
	gpu_write(one.address, a, sizeof(*a) * MANY * EACH);
	gpu_write(other.address, b, sizeof(*b) * MANY * EACH);
	must(kb_cuda_compare(gpu, c, MANY, got, &err), &err);
	for (size_t i = 0; i < MANY; i++) {
		struct kb_compare_result want;

		kb_compare(&want, a + i * EACH, b + i * EACH, KB_FLOAT32,
			   EACH, c[i].tolerance);
		check_results(&got[i], &want, KB_FLOAT32);
	}
}

/* Once the worst there can be has been seen, only the tolerance is a reason
 * to look again. */
static void test_float32_has_the_edge_of_every_tolerance(void)
{
	enum { COUNT = 8192 };
	kb_auto(mem) float *a = kb_xcalloc(COUNT, sizeof(*a));
	kb_auto(mem) float *b = kb_xcalloc(COUNT, sizeof(*b));
	uint64_t mismatched = 0;

	if (!have_gpu())
		return;
	for (unsigned n = 0; n < 100; n++) {
		const struct kb_cuda_comparison c = {
			.candidate = one.address, .expected = other.address,
			.dtype = KB_FLOAT32, .count = COUNT,
			.tolerance = random_tolerance(),
		};
		struct kb_compare_result got, want;

		for (size_t i = 0; i < COUNT; i++)
			random_border(&a[i], &b[i], c.tolerance);
		for (size_t i = 0; i < COUNT; i += COUNT / 16)
			a[i] = FLT_MAX, b[i] = FLT_TRUE_MIN;
		gpu_write(one.address, a, sizeof(*a) * COUNT);
		gpu_write(other.address, b, sizeof(*b) * COUNT);
		must(kb_cuda_compare(gpu, &c, 1, &got, &err), &err);
		kb_compare(&want, a, b, KB_FLOAT32, COUNT, c.tolerance);
		check_results(&got, &want, KB_FLOAT32);
		mismatched += want.mismatched;
	}
	check(mismatched > 100 * COUNT / 8);
	check(mismatched < 100 * COUNT - 100 * COUNT / 8);
}

/* All pairs of two numbers of 8 bits, in an order that mixes them. */
static void test_all_pairs_of_bytes_are_judged_alike(void)
{
	enum { COUNT = 65536 };
	kb_auto(mem) uint8_t *a = kb_xmalloc(COUNT);
	kb_auto(mem) uint8_t *b = kb_xmalloc(COUNT);
	struct kb_compare_result got, want;

	if (!have_gpu())
		return;
	for (size_t i = 0; i < COUNT; i++) {
		a[i] = (uint8_t)(i * 40503);
		b[i] = (uint8_t)(i * 40503 >> 8);
	}
	gpu_write(one.address, a, COUNT);
	gpu_write(other.address, b, COUNT);
	for (uint32_t d = 0; d < DTYPES; d++)
		for (size_t i = 0; i < KB_ARRAY_LEN(tolerances); i++) {
			struct kb_cuda_comparison c = {
				.candidate = one.address,
				.expected = other.address,
				.dtype = dtype_number(d),
				.count = COUNT,
				.tolerance = tolerances[i],
			};

			c.count /= kb_dtype_size_bytes(c.dtype);
			must(kb_cuda_compare(gpu, &c, 1, &got, &err), &err);
			kb_compare(&want, a, b, c.dtype, c.count,
				   c.tolerance);
			check_results(&got, &want, c.dtype);
		}
}

static void test_large_arrays_are_compared_to_the_end(void)
{
	if (!have_gpu())
		return;
	for (uint32_t d = 0; d < DTYPES; d++)
		for (enum mode mode = EQUAL; mode <= MIXED; mode++) {
			const enum kb_dtype dtype = dtype_number(d);
			struct setup s = {
				.dtype = dtype,
				.mode = mode,
				.count = (ROOM - 4096) /
					kb_dtype_size_bytes(dtype) - d,
				.tolerance = { 1e-2, 1e-2 },
			};

			check_compare(&s);
		}
}

/* Many at once, of all types and sizes, from one pool of bits. */
static void test_many_comparisons_keep_their_results_apart(void)
{
	enum { MANY = 2100 };
	kb_auto(mem) struct kb_cuda_comparison *c = kb_xcalloc(MANY,
							       sizeof(*c));
	kb_auto(mem) struct kb_compare_result *got = kb_xcalloc(MANY,
								sizeof(*got));
	kb_auto(mem) uint8_t *a = kb_xmalloc(ROOM);
	kb_auto(mem) uint8_t *b = kb_xmalloc(ROOM);

	if (!have_gpu())
		return;
	for (size_t i = 0; i < ROOM / 2; i++) {
		gpu_set_bits(b, 2, i, gpu_ordinary_bits(2));
		gpu_set_bits(a, 2, i, candidate_bits(EQUAL, 2, gpu_bits_at(b, 2, i)));
	}
	gpu_write(one.address, a, ROOM);
	gpu_write(other.address, b, ROOM);
	for (size_t i = 0; i < MANY; i++) {
		const uint64_t at = i * 1024;

		c[i] = (struct kb_cuda_comparison){
			.candidate = one.address + at,
			.expected = other.address + at,
			.dtype = dtype_number(i / 3 % DTYPES),
			.tolerance = tolerances[i % 4],
		};
		c[i].count = (i % 100 ? i % 1024 : ROOM - at) /
			kb_dtype_size_bytes(c[i].dtype);
	}
	must(kb_cuda_compare(gpu, c, MANY, got, &err), &err);
	for (size_t i = 0; i < MANY; i++) {
		struct kb_compare_result want;

		kb_compare(&want, a + i * 1024, b + i * 1024, c[i].dtype,
			   c[i].count, c[i].tolerance);
		check_results(&got[i], &want, c[i].dtype);
	}
}

/* The order of summation is fixed, whoever is the first to see an error. */
static void test_a_comparison_gives_the_same_bits_again(void)
{
	const size_t count = ROOM / 4;
	kb_auto(mem) float *a = kb_xcalloc(count, sizeof(*a));
	struct kb_cuda_comparison c;
	struct kb_compare_result first, again;

	if (!have_gpu())
		return;
	for (size_t i = 0; i < count; i++)
		a[i] = (float)(int64_t)gpu_random() * 0x1p-63f;
	gpu_write(one.address, a, ROOM);
	for (size_t i = 0; i < count; i++)
		a[i] += (float)(int64_t)gpu_random() * 0x1p-75f;
	gpu_write(other.address, a, ROOM);
	c = (struct kb_cuda_comparison){
		.candidate = one.address, .expected = other.address,
		.dtype = KB_FLOAT32, .count = count,
		.tolerance = { 1e-4, 1e-4 },
	};
	must(kb_cuda_compare(gpu, &c, 1, &first, &err), &err);
	check(first.rms_error > 0);
	for (int i = 0; i < 10; i++) {
		must(kb_cuda_compare(gpu, &c, 1, &again, &err), &err);
		check(!memcmp(&first.rms_error, &again.rms_error,
			      sizeof(double)));
		check(!memcmp(&first.max_abs_error, &again.max_abs_error,
			      sizeof(double)));
		check(!memcmp(&first.max_rel_error, &again.max_rel_error,
			      sizeof(double)));
	}
}

TAP_MAIN(
	TAP(test_comparisons_find_what_they_find_on_the_cpu),
	TAP(test_every_tolerance_has_the_same_edge_as_on_the_cpu),
	TAP(test_a_value_at_the_bound_is_a_match),
	TAP(test_float32_has_errors_wherever_float64_has),
	TAP(test_float32_has_the_edge_of_every_tolerance),
	TAP(test_all_pairs_of_bytes_are_judged_alike),
	TAP(test_large_arrays_are_compared_to_the_end),
	TAP(test_many_comparisons_keep_their_results_apart),
	TAP(test_a_comparison_gives_the_same_bits_again)
);
