#include "random/draw.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/err.h"
#include "base/float_bits.h"
#include "base/half.h"

/* kb_gauss_pairs() reaches 8.6 = sqrt(-2 ln 2^-53). */
#define NORMAL_REACH 9

/* The largest finite values: (2 - 2^-10) 2^15 of IEEE 754 binary16, and
 * (2 - 2^-7) 2^127 of bfloat16, which has float32's exponents and seven bits
 * behind the point. */
static double float_max(enum kb_dtype dtype)
{
	switch (dtype) {
	case KB_FLOAT64:
		return DBL_MAX;
	case KB_FLOAT32:
		return FLT_MAX;
	case KB_FLOAT16:
		return 65504;
	case KB_BFLOAT16:
		return 0x1.fep127;
	default:
		KB_BUG("not a float type");
	}
}

/*
 * An ordinal numbers the values of a float type in their order, with 0 for
 * zero: it is the bits without the sign, negated if there was one.
 */
static int64_t ordinal_near(double x, enum kb_dtype dtype)
{
	double magnitude = fabs(x);
	int64_t bits;

	switch (dtype) {
	case KB_FLOAT64:
		bits = (int64_t)kb_double_bits(magnitude);
		break;
	case KB_FLOAT32:
		bits = kb_float_bits((float)magnitude);
		break;
	case KB_FLOAT16:
		bits = kb_float16_from_float((float)magnitude);
		break;
	case KB_BFLOAT16:
		bits = kb_bfloat16_from_float((float)magnitude);
		break;
	default:
		KB_BUG("not a float type");
	}
	return x < 0 ? -bits : bits;
}

static double ordinal_value(int64_t ordinal, enum kb_dtype dtype)
{
	int64_t bits = ordinal < 0 ? -ordinal : ordinal;
	double x;

	switch (dtype) {
	case KB_FLOAT64:
		x = kb_double_from_bits((uint64_t)bits);
		break;
	case KB_FLOAT32:
		x = (double)kb_float_from_bits((uint32_t)bits);
		break;
	case KB_FLOAT16:
		x = (double)kb_float_from_float16((uint16_t)bits);
		break;
	case KB_BFLOAT16:
		x = (double)kb_float_from_bfloat16((uint16_t)bits);
		break;
	default:
		KB_BUG("not a float type");
	}
	return ordinal < 0 ? -x : x;
}

struct kb_draw_range kb_draw_range(double low, double high,
				   enum kb_dtype dtype)
{
	int64_t min = ordinal_near(low, dtype);
	int64_t max = ordinal_near(high, dtype);

	/* Rounding went to a neighbour at most. */
	if (ordinal_value(min, dtype) < low)
		min++;
	if (ordinal_value(max, dtype) >= high)
		max--;
	return (struct kb_draw_range){
		.min = ordinal_value(min, dtype),
		.max = ordinal_value(max, dtype),
	};
}

static const char *float_fault(enum kb_dtype dtype)
{
	if (kb_dtype_class(dtype) != KB_CLASS_FLOAT)
		return "the type is not a float type";
	if (kb_dtype_size_bytes(dtype) == 1)
		return "8-bit floats are not drawn, but rounded from wider ones";
	return NULL;
}

static const char *uniform_fault(const struct kb_draw *draw,
				 enum kb_dtype dtype)
{
	const char *fault = float_fault(dtype);
	struct kb_draw_range range;
	double max, span;

	if (fault)
		return fault;
	if (!isfinite(draw->low) || !isfinite(draw->high))
		return "a bound is not finite";
	if (draw->low >= draw->high)
		return "low is not below high";
	max = float_max(dtype);
	if (fabs(draw->low) > max || fabs(draw->high) > max)
		return "the type does not reach that far";
	/* As kb_random_fill() computes it. */
	span = dtype == KB_FLOAT64 ? draw->high - draw->low :
		(double)((float)draw->high - (float)draw->low);
	if (!isfinite(span))
		return "high - low is not finite";
	range = kb_draw_range(draw->low, draw->high, dtype);
	if (range.min > range.max)
		return "no value of the type lies between";
	return NULL;
}

static const char *normal_fault(const struct kb_draw *draw,
				enum kb_dtype dtype)
{
	const char *fault = float_fault(dtype);

	if (fault)
		return fault;
	if (!isfinite(draw->low) || !isfinite(draw->high))
		return "a parameter is not finite";
	if (draw->high < 0)
		return "the standard deviation is negative";
	/* None that is drawn may round to infinity. */
	if (fabs(draw->low) + NORMAL_REACH * draw->high > float_max(dtype))
		return "the type does not reach that far";
	return NULL;
}

/* Values of an integer type are in [-half, half), or [0, 2 half). */
static const char *integers_fault(const struct kb_draw *draw,
				  enum kb_dtype dtype)
{
	/* As a double, which holds 2^63 exactly; int64_t ends below it. */
	double half = ldexp(1, 8 * (int)kb_dtype_size_bytes(dtype) - 1);
	double min = -half, end = half;

	if (kb_dtype_class(dtype) == KB_CLASS_FLOAT)
		return "the type is not an integer type";
	if (dtype == KB_UINT8 || dtype == KB_BOOL)
		min = 0;
	if (dtype == KB_UINT8)
		end = 2 * half;
	if (dtype == KB_BOOL)
		end = 2;

	if (rint(draw->low) != draw->low || rint(draw->high) != draw->high)
		return "a bound is not an integer";
	if (draw->low >= draw->high)
		return "low is not below high";
	if (draw->low < min || draw->high > end)
		return "the type does not reach that far";
	return NULL;
}

static const char *zeros_fault(const struct kb_draw *draw, enum kb_dtype dtype)
{
	(void)draw;
	(void)dtype;
	return NULL;
}

static const struct kind {
	const char *name;
	const char *(*fault)(const struct kb_draw *, enum kb_dtype);
} kinds[KB_DRAW_KIND_COUNT] = {
	[KB_DRAW_ZEROS] = { "zeros", zeros_fault },
	[KB_DRAW_UNIFORM] = { "uniform numbers", uniform_fault },
	[KB_DRAW_NORMAL] = { "normal numbers", normal_fault },
	[KB_DRAW_INTEGERS] = { "integers", integers_fault },
};

int kb_draw_check(const struct kb_draw *draw, enum kb_dtype dtype,
		  struct kb_err *err)
{
	const char *fault;

	if ((unsigned int)draw->kind >= KB_DRAW_KIND_COUNT)
		return kb_err(err, KB_ERR_INPUT, "unknown kind of draw %u",
			      (unsigned int)draw->kind);

	fault = kinds[draw->kind].fault(draw, dtype);
	if (fault)
		return kb_err(err, KB_ERR_INPUT,
			      "cannot draw %s of dtype '%s' with low %g and high %g: %s",
			      kinds[draw->kind].name, kb_dtype_name(dtype),
			      draw->low, draw->high, fault);
	return 0;
}
