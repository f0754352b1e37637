#include "device/compare.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clones.h"
#include "base/float8.h"
#include "base/half.h"

/*
 * Elements go block by block. Most blocks hold the expected bits, or are
 * near them: for those there are a memcmp() and a loop that can be
 * vectorised, which gets the errors right as long as all elements are
 * finite. A block in which one is not is gone through again, one element
 * after the other.
 */
#define BLOCK_ELEMENTS 4096

/*
 * Maxima and sums are kept in so many lanes, element i in lane i % LANES:
 * an order that is fixed here and not by the width of a vector register.
 */
#define LANES 64

struct lanes {
	double excess[LANES];		/* |a - b| beyond the tolerance */
	double abs_error[LANES];
	double rel_error[LANES];
	double square[LANES];
};

struct compare {
	const uint8_t *candidate;
	const uint8_t *expected;
	enum kb_dtype dtype;
	struct kb_tolerance tolerance;
	struct kb_compare_result *result;
	double square_sum;
};

/* Positive if a is not near b. Both are finite. */
static inline double excess_of(double a, double b, struct kb_tolerance t)
{
	return fabs(a - b) - (t.atol + t.rtol * fabs(b));
}

/* A NaN as `x` gives `y`: what has been found so far goes second, and never
 * becomes a NaN. */
static inline double larger_of(double x, double y)
{
	return x > y ? x : y;
}

/*
 * One pair in the quick loops. If a or b is not finite, or the square
 * overflows, `square` is not finite after it.
 */
static inline void add_pair(struct lanes *s, size_t l, double a, double b,
			    struct kb_tolerance t)
{
	double error = fabs(a - b), size = fabs(b);

	s->excess[l] = larger_of(excess_of(a, b, t), s->excess[l]);
	s->abs_error[l] = larger_of(error, s->abs_error[l]);
	s->rel_error[l] = larger_of(error / (size > 0 ? size : HUGE_VAL),
				    s->rel_error[l]);
	s->square[l] += error * error;
}

/* `n` is a multiple of LANES. */
KB_CLONES static void quick_floats(struct lanes *restrict s,
				   const float *restrict a,
				   const float *restrict b, size_t n,
				   struct kb_tolerance t)
{
	for (size_t i = 0; i < n; i += LANES)
		for (size_t l = 0; l < LANES; l++)
			add_pair(s, l, (double)a[i + l], (double)b[i + l], t);
}

KB_CLONES static void quick_doubles(struct lanes *restrict s,
				    const double *restrict a,
				    const double *restrict b, size_t n,
				    struct kb_tolerance t)
{
	for (size_t i = 0; i < n; i += LANES)
		for (size_t l = 0; l < LANES; l++)
			add_pair(s, l, a[i + l], b[i + l], t);
}

KB_CLONES static void widen_float16(float *restrict out,
				    const uint16_t *restrict in, size_t n)
{
	for (size_t i = 0; i < n; i++)
		out[i] = kb_float_from_float16(in[i]);
}

KB_CLONES static void widen_bfloat16(float *restrict out,
				     const uint16_t *restrict in, size_t n)
{
	for (size_t i = 0; i < n; i++)
		out[i] = kb_float_from_bfloat16(in[i]);
}

KB_CLONES static void widen_float8_e4m3fn(float *restrict out,
					  const uint8_t *restrict in, size_t n)
{
	for (size_t i = 0; i < n; i++)
		out[i] = kb_float_from_float8_e4m3fn(in[i]);
}

KB_CLONES static void widen_float8_e5m2(float *restrict out,
					const uint8_t *restrict in, size_t n)
{
	for (size_t i = 0; i < n; i++)
		out[i] = kb_float_from_float8_e5m2(in[i]);
}

static double max_of(const double lanes[LANES])
{
	double most = 0;

	for (size_t l = 0; l < LANES; l++)
		most = larger_of(lanes[l], most);
	return most;
}

static double sum_of(const double lanes[LANES])
{
	double sum = 0;

	for (size_t l = 0; l < LANES; l++)
		sum += lanes[l];
	return sum;
}

static void add_errors(struct compare *c, double abs_error, double rel_error,
		       double square_sum)
{
	struct kb_compare_result *r = c->result;

	r->max_abs_error = larger_of(abs_error, r->max_abs_error);
	r->max_rel_error = larger_of(rel_error, r->max_rel_error);
	c->square_sum += square_sum;
}

static void add_mismatch(struct compare *c, uint64_t index)
{
	if (!c->result->mismatched)
		c->result->first_mismatch = index;
	c->result->mismatched++;
}

/* One pair, with all the cases of the header. */
static void look_at_pair(struct compare *c, uint64_t index, double a, double b)
{
	double error = fabs(a - b), size = fabs(b);

	if (isfinite(a) && isfinite(b)) {
		add_errors(c, error, size > 0 ? error / size : 0,
			   error * error);
		if (excess_of(a, b, c->tolerance) > 0)
			add_mismatch(c, index);
	} else if (isfinite(b)) {
		c->result->not_finite++;
		add_mismatch(c, index);
	} else if (a != b && !(isnan(a) && isnan(b))) {
		add_mismatch(c, index);
	}
}

/* The block in a type that the quick loops work in; `room` if need be. */
static const void *block_load(float room[BLOCK_ELEMENTS], const uint8_t *data,
			      enum kb_dtype dtype, size_t n)
{
	switch (dtype) {
	case KB_FLOAT16:
		widen_float16(room, (const void *)data, n);
		return room;
	case KB_BFLOAT16:
		widen_bfloat16(room, (const void *)data, n);
		return room;
	case KB_FLOAT8_E4M3FN:
		widen_float8_e4m3fn(room, data, n);
		return room;
	case KB_FLOAT8_E5M2:
		widen_float8_e5m2(room, data, n);
		return room;
	default:
		return data;
	}
}

static double block_value(const void *block, enum kb_dtype dtype, size_t i)
{
	return dtype == KB_FLOAT64 ? ((const double *)block)[i] :
		(double)((const float *)block)[i];
}

/*
 * Elements 0 to n - 1 of a block, `n` a multiple of LANES. Returns false,
 * having done nothing, if not all are finite.
 */
static bool look_quickly(struct compare *c, uint64_t first, const void *a,
			 const void *b, size_t n)
{
	struct lanes s = { .excess = { 0 } };

	if (c->dtype == KB_FLOAT64)
		quick_doubles(&s, a, b, n, c->tolerance);
	else
		quick_floats(&s, a, b, n, c->tolerance);
	if (!isfinite(sum_of(s.square)))
		return false;

	add_errors(c, max_of(s.abs_error), max_of(s.rel_error),
		   sum_of(s.square));
	if (max_of(s.excess) > 0)
		for (size_t i = 0; i < n; i++)
			if (excess_of(block_value(a, c->dtype, i),
				      block_value(b, c->dtype, i),
				      c->tolerance) > 0)
				add_mismatch(c, first + i);
	return true;
}

static void compare_float_block(struct compare *c, uint64_t first, size_t n)
{
	size_t size_bytes = kb_dtype_size_bytes(c->dtype);
	float room_a[BLOCK_ELEMENTS], room_b[BLOCK_ELEMENTS];
	const void *a = block_load(room_a, c->candidate + first * size_bytes,
				   c->dtype, n);
	const void *b = block_load(room_b, c->expected + first * size_bytes,
				   c->dtype, n);
	size_t done = n / LANES * LANES;

	if (!look_quickly(c, first, a, b, done))
		done = 0;
	for (size_t i = done; i < n; i++)
		look_at_pair(c, first + i, block_value(a, c->dtype, i),
			     block_value(b, c->dtype, i));
}

static int64_t integer_at(const uint8_t *data, enum kb_dtype dtype, uint64_t i)
{
	switch (dtype) {
	case KB_INT64:
		return ((const int64_t *)(const void *)data)[i];
	case KB_INT32:
		return ((const int32_t *)(const void *)data)[i];
	case KB_INT16:
		return ((const int16_t *)(const void *)data)[i];
	case KB_INT8:
		return ((const int8_t *)data)[i];
	case KB_UINT8:
	case KB_BOOL:
		return data[i];
	default:
		KB_BUG("not an integer type");
	}
}

static void compare_integer_block(struct compare *c, uint64_t first, size_t n)
{
	for (uint64_t i = first; i < first + n; i++) {
		int64_t a = integer_at(c->candidate, c->dtype, i);
		int64_t b = integer_at(c->expected, c->dtype, i);
		/* Two int64_t may be further apart than one can say. */
		double error = fabs((double)((__int128)a - b));

		add_errors(c, error, b ? error / fabs((double)b) : 0,
			   error * error);
		if (a != b)
			add_mismatch(c, i);
	}
}

static void compare_block(struct compare *c, uint64_t first, size_t n)
{
	size_t size_bytes = kb_dtype_size_bytes(c->dtype);

	if (!memcmp(c->candidate + first * size_bytes,
		    c->expected + first * size_bytes, n * size_bytes))
		return;
	if (kb_dtype_class(c->dtype) == KB_CLASS_FLOAT)
		compare_float_block(c, first, n);
	else
		compare_integer_block(c, first, n);
}

double kb_compare_largest(const void *expected, enum kb_dtype dtype,
			  uint64_t count)
{
	const size_t size_bytes = kb_dtype_size_bytes(dtype);
	const uint8_t *data = expected;
	float room[BLOCK_ELEMENTS];
	double largest = 0;

	for (uint64_t first = 0; first < count; first += BLOCK_ELEMENTS) {
		const size_t n = count - first < BLOCK_ELEMENTS ?
			count - first : BLOCK_ELEMENTS;
		const void *block = block_load(room, data + first * size_bytes,
					       dtype, n);

		for (size_t i = 0; i < n; i++) {
			const double size = fabs(block_value(block, dtype, i));

			if (size > largest && isfinite(size))
				largest = size;
		}
	}
	return largest;
}

void kb_compare(struct kb_compare_result *out, const void *candidate,
		const void *expected, enum kb_dtype dtype, uint64_t count,
		struct kb_tolerance tolerance)
{
	struct compare c = {
		.candidate = candidate,
		.expected = expected,
		.dtype = dtype,
		.tolerance = tolerance,
		.result = out,
	};

	*out = (struct kb_compare_result){ .elements = count,
					   .first_mismatch = count };
	for (uint64_t first = 0; first < count; first += BLOCK_ELEMENTS)
		compare_block(&c, first, count - first < BLOCK_ELEMENTS ?
			      count - first : BLOCK_ELEMENTS);
	if (count)
		out->rms_error = sqrt(c.square_sum / (double)count);
}
