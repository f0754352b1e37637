#include "base/dtype.h"

#include <math.h>

#include "base/alloc.h"
#include "base/err.h"
#include "base/float8.h"
#include "base/half.h"
#include "lib/tap.h"
#include "runtime/native/kb_native.h"

static const struct {
	enum kb_dtype dtype;
	int native;
	const char *name;
	size_t size_bytes;
	enum kb_dtype_class class;
} known[] = {
	{ KB_FLOAT64, KB_NATIVE_FLOAT64, "float64", 8, KB_CLASS_FLOAT },
	{ KB_FLOAT32, KB_NATIVE_FLOAT32, "float32", 4, KB_CLASS_FLOAT },
	{ KB_FLOAT16, KB_NATIVE_FLOAT16, "float16", 2, KB_CLASS_FLOAT },
	{ KB_BFLOAT16, KB_NATIVE_BFLOAT16, "bfloat16", 2, KB_CLASS_FLOAT },
	{ KB_INT64, KB_NATIVE_INT64, "int64", 8, KB_CLASS_INT },
	{ KB_INT32, KB_NATIVE_INT32, "int32", 4, KB_CLASS_INT },
	{ KB_INT16, KB_NATIVE_INT16, "int16", 2, KB_CLASS_INT },
	{ KB_INT8, KB_NATIVE_INT8, "int8", 1, KB_CLASS_INT },
	{ KB_UINT8, KB_NATIVE_UINT8, "uint8", 1, KB_CLASS_INT },
	{ KB_BOOL, KB_NATIVE_BOOL, "bool", 1, KB_CLASS_BOOL },
	{ KB_FLOAT8_E4M3FN, KB_NATIVE_FLOAT8_E4M3FN, "float8_e4m3fn", 1,
	  KB_CLASS_FLOAT },
	{ KB_FLOAT8_E5M2, KB_NATIVE_FLOAT8_E5M2, "float8_e5m2", 1,
	  KB_CLASS_FLOAT },
};

static void test_table_is_complete(void)
{
	check_int(KB_ARRAY_LEN(known), KB_DTYPE_COUNT - 1);
	check(!kb_dtype_is_valid(0));
	check(!kb_dtype_is_valid(KB_DTYPE_COUNT));
	check(!kb_dtype_is_valid(UINT32_MAX));
}

static void test_each_type_is_as_it_should(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(known); i++) {
		enum kb_dtype parsed = 0, dtype = known[i].dtype;

		check(kb_dtype_is_valid(dtype));
		check_int(dtype, known[i].native);
		check_str(kb_dtype_name(dtype), known[i].name);
		check_int(kb_dtype_size_bytes(dtype), known[i].size_bytes);
		check_int(kb_dtype_class(dtype), known[i].class);
		check_int(kb_dtype_parse(&parsed, known[i].name, NULL), 0);
		check_int(parsed, dtype);
	}
}

static void test_parse_refuses_other_names(void)
{
	static const char *const names[] = {
		"", "float", "Float32", "float32 ", "torch.float32", "uint16",
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(names); i++) {
		enum kb_dtype parsed;
		struct kb_err err = KB_ERR_INIT;
		char want[64];

		check_int(kb_dtype_parse(&parsed, names[i], &err),
			  -KB_ERR_INPUT);
		snprintf(want, sizeof(want), "unknown dtype '%s'", names[i]);
		check_str(err.msg, want);
	}
}

static void test_every_half_survives_a_round_trip(void)
{
	for (uint32_t h = 0; h <= UINT16_MAX; h++) {
		float f16 = kb_float_from_float16((uint16_t)h);
		float bf16 = kb_float_from_bfloat16((uint16_t)h);
		uint16_t nan = (uint16_t)(h & 0x8000);

		check_int(kb_float16_from_float(f16),
			  isnan(f16) ? nan | 0x7e00 : (int)h);
		check_int(kb_bfloat16_from_float(bf16),
			  isnan(bf16) ? nan | 0x7fc0 : (int)h);
	}
}

static void test_float16_has_the_values_of_ieee_754(void)
{
	static const struct {
		uint16_t bits;
		float value;
	} values[] = {
		{ 0x0000, 0 }, { 0x0001, 0x1p-24f }, { 0x03ff, 0x1.ff8p-15f },
		{ 0x0400, 0x1p-14f }, { 0x3555, 0x1.554p-2f }, { 0x3c00, 1 },
		{ 0x7bff, 65504 }, { 0x7c00, INFINITY }, { 0xc000, -2 },
		{ 0xfc00, -INFINITY },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(values); i++)
		check(kb_float_from_float16(values[i].bits) == values[i].value);
	check(isnan(kb_float_from_float16(0x7c01)));
	check(isnan(kb_float_from_float16(0xffff)));
}

static const struct {
	float in;
	uint16_t float16, bfloat16;
} rounded[] = {
	{ 0x1p-25f, 0x0000, 0x3300 },		/* tie to zero */
	{ 0x1.000002p-25f, 0x0001, 0x3300 },
	{ 0x1.8p-24f, 0x0002, 0x33c0 },		/* tie to even */
	{ 0x1.ffep-15f, 0x0400, 0x3880 },	/* carry into normal */
	{ 0x1.002p0f, 0x3c00, 0x3f80 },		/* tie to even, down */
	{ 0x1.006p0f, 0x3c02, 0x3f80 },		/* tie to even, up */
	{ 0x1.01p0f, 0x3c04, 0x3f80 },
	{ 0x1.03p0f, 0x3c0c, 0x3f82 },
	{ 65519, 0x7bff, 0x4780 },
	{ 65520, 0x7c00, 0x4780 },		/* tie to infinity */
	{ -65520, 0xfc00, 0xc780 },
	{ 0x1.fffffep127f, 0x7c00, 0x7f80 },
	{ -0.0f, 0x8000, 0x8000 },
};

static void test_narrowing_rounds_to_nearest_even(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(rounded); i++) {
		check_int(kb_float16_from_float(rounded[i].in),
			  rounded[i].float16);
		check_int(kb_bfloat16_from_float(rounded[i].in),
			  rounded[i].bfloat16);
	}
}

/* By the definition: a fraction, an exponent, a bias. */
static double float8_value(int code, int fraction_bits, int bias)
{
	int fraction = code & ((1 << fraction_bits) - 1);
	int exponent = (code & 0x7f) >> fraction_bits;
	double magnitude;

	if (exponent)
		magnitude = ldexp((1 << fraction_bits) + fraction,
				  exponent - bias - fraction_bits);
	else
		magnitude = ldexp(fraction, 1 - bias - fraction_bits);
	return code & 0x80 ? -magnitude : magnitude;
}

static void check_float8(const char *type, int code, float got, double want)
{
	if (isnan(want) ? !isnan(got) :
	    (double)got != want || !signbit(got) != !signbit(want))
		tap_fail("%s 0x%02x is %g, not %g", type, code, (double)got,
			 want);
}

static void test_every_float8_has_its_value(void)
{
	for (int code = 0; code < 256; code++) {
		double e4m3 = float8_value(code, 3, 7);
		double e5m2 = float8_value(code, 2, 15);
		int magnitude = code & 0x7f;

		if (magnitude == 0x7f)
			e4m3 = NAN;
		if (magnitude == 0x7c)
			e5m2 = code & 0x80 ? -INFINITY : INFINITY;
		else if (magnitude > 0x7c)
			e5m2 = NAN;
		check_float8("float8_e4m3fn", code,
			     kb_float_from_float8_e4m3fn((uint8_t)code), e4m3);
		check_float8("float8_e5m2", code,
			     kb_float_from_float8_e5m2((uint8_t)code), e5m2);
	}
}

/* Those that the OCP's specification names. */
static void test_float8_has_the_values_of_the_specification(void)
{
	check(kb_float_from_float8_e4m3fn(0x7e) == 448);
	check(kb_float_from_float8_e4m3fn(0x78) == 256);
	check(kb_float_from_float8_e4m3fn(0x08) == 0x1p-6f);
	check(kb_float_from_float8_e4m3fn(0x07) == 0x1.cp-7f);
	check(kb_float_from_float8_e4m3fn(0x01) == 0x1p-9f);
	check(kb_float_from_float8_e5m2(0x7b) == 57344);
	check(kb_float_from_float8_e5m2(0x04) == 0x1p-14f);
	check(kb_float_from_float8_e5m2(0x03) == 0x1.8p-15f);
	check(kb_float_from_float8_e5m2(0x01) == 0x1p-16f);
}

TAP_MAIN(TAP(test_table_is_complete),
	 TAP(test_each_type_is_as_it_should),
	 TAP(test_parse_refuses_other_names),
	 TAP(test_every_half_survives_a_round_trip),
	 TAP(test_float16_has_the_values_of_ieee_754),
	 TAP(test_narrowing_rounds_to_nearest_even),
	 TAP(test_every_float8_has_its_value),
	 TAP(test_float8_has_the_values_of_the_specification));
