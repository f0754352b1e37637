#include <stdlib.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "lib/records.h"
#include "lib/tap.h"
#include "manifest/fields.h"
#include "manifest/problem_audit.h"
#include "manifest/problem_facts.h"

#define HEX40 "0011223344556677889900112233445566778899"

#define BYTES(fp32, fp16)						\
	"{\"bf16\":" fp16 ",\"fp16\":" fp16 ",\"fp32\":" fp32 "}"

/* As much as there can be, and as little. */
static const char full_text[] =
	"{\"audit\":{\"device\":\"NVIDIA H200\",\"findings\":["
	"{\"evidence\":\"all below 1e-4\",\"finding\":\"zeros_pass\"},"
	"{\"evidence\":\"add of y\",\"finding\":\"removable\"}],"
	"\"sound\":false,\"tool_commit\":\"" HEX40 "\"},"
	"\"bytes_min\":" BYTES("300", "180") ",\"flops\":1234,"
	"\"inputs\":["
	"{\"dtype\":\"float32\",\"name\":\"x\",\"shape\":[2,3,4]},"
	"{\"name\":\"s\",\"value\":\"-3.5\"},"
	"{\"dtype\":\"int64\",\"name\":\"index\",\"shape\":[2]},"
	"{\"dtype\":\"bfloat16\",\"name\":\"y\",\"shape\":[0,9007199254740]}],"
	"\"note\":\"smaller than upstream's\","
	"\"outputs\":[{\"dtype\":\"float32\",\"shape\":[2,3]},"
	"{\"dtype\":\"bool\",\"shape\":[]}],"
	"\"parameters\":{\"bytes\":" BYTES("40", "20") ",\"count\":10},"
	"\"remedy\":[{\"input\":\"x\",\"scale\":\"4\",\"shift\":\"-2\"},"
	"{\"input\":\"y\",\"scale\":\"1e-3\",\"shift\":\"0\"}],"
	"\"requires\":{\"compute_capability\":\"8.9\","
	"\"device_bytes\":177,\"packages\":[\"fla\",\"transformers\"]},"
	"\"tags\":[\"elementwise\",\"matmul\"],"
	"\"tolerance\":{\"bf16\":{\"atol\":\"1e-2\",\"rtol\":\"0.010\"},"
	"\"fp32\":{\"atol\":\"0\",\"rtol\":\"1e-3\"}}}";

static const char least_text[] =
	"{\"audit\":null,\"bytes_min\":" BYTES("0", "0") ",\"flops\":0,"
	"\"inputs\":[],\"note\":null,"
	"\"outputs\":[{\"dtype\":\"uint8\",\"shape\":[0]}],"
	"\"parameters\":{\"bytes\":" BYTES("0", "0") ",\"count\":0},"
	"\"remedy\":null,\"requires\":{\"compute_capability\":null,"
	"\"device_bytes\":0,\"packages\":[]},\"tags\":[],"
	"\"tolerance\":null}";

static int read_facts(struct kb_problem_facts **out, const char *text,
		      struct kb_err *err)
{
	kb_auto(json) struct kb_json *v = record_parse(text);

	return kb_problem_facts_from_json(out, v, (struct kb_key){ 1, 19 }, "t",
					  err);
}

static void test_facts_print_as_they_were_read(void)
{
	static const char *const texts[] = { least_text, full_text };

	for (size_t i = 0; i < KB_ARRAY_LEN(texts); i++) {
		struct kb_problem_facts *p = NULL;
		kb_auto(json) struct kb_json *again = NULL;
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
		struct kb_err err = KB_ERR_INIT;

		check_int(read_facts(&p, texts[i], &err), 0);
		check_str(err.msg, "");
		again = kb_problem_facts_to_json(p);
		kb_json_print(&out, again);
		check_str(out.data, texts[i]);
		kb_problem_facts_free(p);
	}
}

static void test_no_facts_are_null(void)
{
	kb_auto(json) struct kb_json *v = kb_problem_facts_to_json(NULL);
	kb_auto(json) struct kb_json *audit = kb_problem_audit_to_json(NULL);

	check_int(kb_json_type(v), KB_JSON_NULL);
	check_int(kb_json_type(audit), KB_JSON_NULL);
	kb_problem_facts_free(NULL);
	kb_problem_audit_free(NULL);
}

static void test_facts_are_typed(void)
{
	struct kb_problem_facts *p = NULL;

	check_int(read_facts(&p, full_text, NULL), 0);
	if (!p)
		return;
	check_int(p->input_count, 4);
	check_str(p->inputs[0].name, "x");
	check(!p->inputs[0].value);
	check_int(p->inputs[0].tensor.dtype, KB_FLOAT32);
	check_int(p->inputs[0].tensor.dim_count, 3);
	check_int(p->inputs[0].tensor.shape[2], 4);
	check_str(p->inputs[1].value, "-3.5");
	check_int(p->output_count, 2);
	check_int(p->outputs[1].dim_count, 0);
	check_int(p->parameter_count, 10);
	check_int(p->parameter_bytes[KB_FP32], 40);
	check_int(p->bytes_min[KB_BF16], 180);
	check_int(p->flops, 1234);
	check_int(p->device_bytes, 177);
	check_str(p->compute_capability, "8.9");
	check_int(p->packages.count, 2);
	check_str(p->tags.items[1], "matmul");
	check_str(p->tolerance[KB_FP32].rtol, "1e-3");
	check(!p->tolerance[KB_FP16].atol);
	check_str(p->tolerance[KB_BF16].rtol, "0.010");
	check_int(p->remedies.count, 2);
	check_str(p->remedies.items[1].scale, "1e-3");
	check_int(p->remedies.items[1].argument, 3);
	check_str(p->audit->findings.evidence[KB_FINDING_REMOVABLE],
		  "add of y");
	check(!p->audit->findings.evidence[KB_FINDING_RANDOM]);
	kb_problem_facts_free(p);
}

static void test_sizes_follow_the_precision(void)
{
	static const struct {
		struct kb_tensor_facts tensor;
		int64_t fp32, fp16;
	} cases[] = {
		{ { .dtype = KB_FLOAT32 }, 4, 2 },
		{ { KB_FLOAT32, { 0, 7 }, 2 }, 0, 0 },
		{ { KB_FLOAT64, { 3 }, 1 }, 24, 6 },
		{ { KB_FLOAT16, { 3 }, 1 }, 6, 6 },
		{ { KB_BFLOAT16, { 3 }, 1 }, 6, 6 },
		{ { KB_FLOAT8_E5M2, { 3 }, 1 }, 3, 3 },
		{ { KB_INT64, { 3, 2 }, 2 }, 48, 48 },
		{ { KB_BOOL, { 3 }, 1 }, 3, 3 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		const struct kb_tensor_facts *t = &cases[i].tensor;

		check_int(kb_tensor_facts_bytes(t, KB_FP32), cases[i].fp32);
		check_int(kb_tensor_facts_bytes(t, KB_FP16), cases[i].fp16);
		check_int(kb_tensor_facts_bytes(t, KB_BF16), cases[i].fp16);
	}
}

static void check_refused(const struct kb_json *facts)
{
	struct kb_problem_facts *p = NULL;
	struct kb_err err = KB_ERR_INIT;

	check_int(kb_problem_facts_from_json(&p, facts, (struct kb_key){ 1, 19 },
					     "t", &err), -KB_ERR_INPUT);
	check(!p);
	check(!strncmp(err.msg, "t: facts of 1/19: ", 18));
}

/* `v` once more, with what is at `at` in it left out, or with one member
 * more in the object there. */
static struct kb_json *bend(const struct kb_json *v, const struct kb_json *at,
			    bool leave_out)
{
	struct kb_json *copy;

	if (kb_json_type(v) == KB_JSON_OBJECT) {
		copy = kb_json_object();
		for (const struct kb_json *m = kb_json_first(v); m;
		     m = kb_json_next(m))
			if (m != at || !leave_out)
				kb_json_set(copy, kb_json_key(m),
					    bend(m, at, leave_out));
		if (v == at && !leave_out)
			kb_json_set_int(copy, "surprise", 1);
		return copy;
	}
	if (kb_json_type(v) != KB_JSON_ARRAY)
		return kb_json_copy(v);
	copy = kb_json_array();
	for (const struct kb_json *m = kb_json_first(v); m;
	     m = kb_json_next(m))
		kb_json_append(copy, bend(m, at, leave_out));
	return copy;
}

/* The one member that may be missing: a precision's tolerance. */
static bool is_optional(const struct kb_json *in, const struct kb_json *whole)
{
	return in == kb_json_find(whole, "tolerance");
}

static int bend_everywhere(const struct kb_json *v, const struct kb_json *whole)
{
	bool object = kb_json_type(v) == KB_JSON_OBJECT;
	int count = 0;

	if (object) {
		kb_auto(json) struct kb_json *more = bend(whole, v, false);

		check_refused(more);
		count++;
	}
	for (const struct kb_json *m = kb_json_first(v); m;
	     m = kb_json_next(m)) {
		if (object && !is_optional(v, whole)) {
			kb_auto(json) struct kb_json *less =
				bend(whole, m, true);

			check_refused(less);
			count++;
		}
		count += bend_everywhere(m, whole);
	}
	return count;
}

static void test_missing_and_unknown_members_are_refused_at_any_depth(void)
{
	kb_auto(json) struct kb_json *whole = record_parse(full_text);

	/* 19 objects, and 55 members that must be in them. */
	check_int(bend_everywhere(whole, whole), 19 + 55);
}

static const struct {
	const char *from, *to;		/* the first of these in full_text */
	const char *msg;		/* after "t: facts of 1/19: " */
} bad[] = {
	{ "{\"dtype\":\"float32\",\"name\":\"x\"", "{\"dtype\":\"float\",\"name\":\"x\"",
	  "inputs[0]: 'dtype' is 'float', which is not known" },
	{ "\"dtype\":\"bool\"", "\"dtype\":\"Bool\"",
	  "outputs[1]: 'dtype' is 'Bool', which is not known" },
	{ "[2,3,4]", "[2,-3,4]",
	  "inputs[0]: 'shape' has an element that is no size" },
	{ "[2,3,4]", "[2,\"3\",4]",
	  "inputs[0]: 'shape' has an element that is no size" },
	{ "[2,3,4]", "[1,1,1,1,1,1,1,1,1]",
	  "inputs[0]: 'shape' has 9 dimensions, want at most 8" },
	{ "[2,3,4]", "[1125899906842624]",
	  "inputs[0]: 'shape' has too many elements" },
	{ "[2,3,4]", "[0,1073741824,1073741824]",
	  "inputs[0]: 'shape' has too many elements" },
	{ "\"name\":\"x\"", "\"name\":\"\"", "inputs[0]: 'name' is empty" },
	{ "\"name\":\"index\"", "\"name\":\"x\"",
	  "inputs[2]: 'name' is 'x' once more" },
	{ "\"value\":\"-3.5\"", "\"value\":\"three\"",
	  "inputs[1]: 'value' is not a decimal" },
	{ "\"value\":\"-3.5\"", "\"value\":3",
	  "inputs[1]: 'value' is an integer, want a string" },
	{ "\"value\":\"-3.5\"", "\"dtype\":\"bool\",\"value\":\"3\"",
	  "inputs[1]: 'dtype' is not a known member" },
	{ "[{\"dtype\":\"float32\",\"shape\":[2,3]},"
	  "{\"dtype\":\"bool\",\"shape\":[]}]", "[]",
	  "'outputs' has 0 elements, want 1 to 32" },
	{ "\"count\":10", "\"count\":41",
	  "parameters: 'bytes' does not go with 'count'" },
	{ "\"count\":10", "\"count\":2",
	  "parameters: 'bytes' does not go with 'count'" },
	{ "\"count\":10", "\"count\":-1",
	  "parameters: 'count' is -1, want 0 to 1125899906842623" },
	{ "\"bf16\":20", "\"bf16\":21",
	  "parameters: bytes: 'fp16' and 'bf16' differ" },
	{ BYTES("40", "20"), BYTES("40", "42"),
	  "parameters: bytes: 'fp16' is above 'fp32'" },
	{ "\"flops\":1234", "\"flops\":-1",
	  "'flops' is -1, want 0 to 9007199254740991" },
	{ "\"flops\":1234", "\"flops\":\"1234\"",
	  "'flops' is a string, want an integer" },
	{ BYTES("300", "180"), BYTES("24", "13"),
	  "'bytes_min' at fp32 is less than the outputs" },
	{ BYTES("300", "180"), BYTES("25", "12"),
	  "'bytes_min' at fp16 is less than the outputs" },
	{ "\"device_bytes\":177", "\"device_bytes\":176",
	  "'device_bytes' is less than inputs, parameters and outputs" },
	{ "\"compute_capability\":\"8.9\"", "\"compute_capability\":\"sm_89\"",
	  "requires: 'compute_capability' is not of the form '8.9'" },
	{ "\"compute_capability\":\"8.9\"", "\"compute_capability\":\"8.90\"",
	  "requires: 'compute_capability' is not of the form '8.9'" },
	{ "\"compute_capability\":\"8.9\"", "\"compute_capability\":\"08.9\"",
	  "requires: 'compute_capability' is not of the form '8.9'" },
	{ "\"compute_capability\":\"8.9\"", "\"compute_capability\":\"\"",
	  "requires: 'compute_capability' is empty" },
	{ "\"fla\"", "\"fla>=0.4\"",
	  "requires: 'packages' has an element that is no word" },
	{ "\"fla\"", "\"zlib\"",
	  "requires: 'packages' is not sorted, or has one twice" },
	{ "\"matmul\"]", "\"Matmul\"]", "'tags' has an element that is no word" },
	{ "\"matmul\"]", "\"\"]", "'tags' has an element that is no word" },
	{ "\"matmul\"]", "1]", "'tags' has an element that is no word" },
	{ "\"matmul\"]", "\"elementwise\"]",
	  "'tags' is not sorted, or has one twice" },
	{ "\"note\":\"smaller than upstream's\"", "\"note\":\"\"",
	  "'note' is empty" },
	{ "\"bf16\":{\"atol\":\"1e-2\"", "\"bf16\":{\"atol\":\"-1e-2\"",
	  "tolerance: bf16: 'atol' is not a decimal of 0 or more" },
	{ "\"bf16\":{\"atol\":\"1e-2\"", "\"bf16\":{\"atol\":\"inf\"",
	  "tolerance: bf16: 'atol' is not a decimal of 0 or more" },
	{ "\"bf16\":{\"atol\"", "\"fp64\":{\"atol\"",
	  "tolerance: 'fp64' is not a known member" },
	{ "\"tolerance\":{\"bf16\":{\"atol\":\"1e-2\",\"rtol\":\"0.010\"},"
	  "\"fp32\":{\"atol\":\"0\",\"rtol\":\"1e-3\"}}", "\"tolerance\":{}",
	  "tolerance: is of no precision" },
	{ "[{\"input\":\"x\",\"scale\":\"4\",\"shift\":\"-2\"},"
	  "{\"input\":\"y\",\"scale\":\"1e-3\",\"shift\":\"0\"}]", "[]",
	  "'remedy' has 0 elements, want 1 to 32" },
	{ "{\"input\":\"x\"", "{\"input\":\"z\"",
	  "remedy[0]: 'input' is 'z', which is no floating-point tensor" },
	{ "{\"input\":\"x\"", "{\"input\":\"s\"",
	  "remedy[0]: 'input' is 's', which is no floating-point tensor" },
	{ "{\"input\":\"x\"", "{\"input\":\"index\"",
	  "remedy[0]: 'input' is 'index', which is no floating-point tensor" },
	{ "{\"input\":\"y\"", "{\"input\":\"x\"",
	  "remedy[1]: 'input' is 'x' once more" },
	{ "\"scale\":\"4\"", "\"scale\":\"4.\"",
	  "remedy[0]: 'scale' is not a decimal" },
	{ "\"sound\":false", "\"sound\":true",
	  "audit: 'sound' does not go with 'findings'" },
	{ "\"finding\":\"zeros_pass\"", "\"finding\":\"random_pass\"",
	  "audit: 'finding' is 'random_pass', which is not known" },
	{ "\"finding\":\"zeros_pass\"", "\"finding\":\"zeros_pass_loose\"",
	  "audit: 'sound' does not go with 'findings'" },
	{ "\"evidence\":\"add of y\"", "\"evidence\":\"\"",
	  "audit: 'evidence' is empty" },
	{ "\"tool_commit\":\"00", "\"tool_commit\":\"0x",
	  "audit: 'tool_commit' is not 40 lower-case hex digits" },
};

static void test_bad_facts_are_refused_with_a_reason(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(bad); i++) {
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
		kb_auto(buf) struct kb_buf msg = KB_BUF_INIT;
		struct kb_problem_facts *p = NULL;
		struct kb_err err = KB_ERR_INIT;

		record_change(&text, full_text, bad[i].from, bad[i].to);
		check_int(read_facts(&p, text.data, &err), -KB_ERR_INPUT);
		kb_buf_addf(&msg, "t: facts of 1/19: %s", bad[i].msg);
		check_str(err.msg, msg.data);
	}
}

static void test_facts_that_are_no_object_are_refused(void)
{
	struct kb_problem_facts *p = NULL;
	struct kb_err err = KB_ERR_INIT;

	check_int(read_facts(&p, "null", &err), -KB_ERR_INPUT);
	check_str(err.msg, "t: facts of 1/19: is null, want an object");
}

static void test_numbers_are_json_numbers(void)
{
	static const struct {
		const char *text;
		bool valid;
	} cases[] = {
		{ "", false },		{ "0", true },
		{ "-0", true },		{ "10", true },
		{ "0.70", true },	{ "-2.5", true },
		{ "1e-3", true },	{ "1E+3", true },
		{ "00", false },	{ "01", false },
		{ ".5", false },	{ "5.", false },
		{ "1e", false },	{ "1e+", false },
		{ "+1", false },	{ "-", false },
		{ " 1", false },	{ "1 ", false },
		{ "0x1", false },	{ "1,5", false },
		{ "nan", false },	{ "inf", false },
		{ "12345678901234567890123456789012", true },
		{ "123456789012345678901234567890123", false },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++)
		if (kb_number_valid(cases[i].text) != cases[i].valid)
			tap_fail("'%s' is %svalid", cases[i].text,
				 cases[i].valid ? "in" : "");
}

/* The reader of the record asks for the facts of each problem. */
static void test_a_suite_keeps_the_facts_of_its_problems(void)
{
	static const char before[] =
		"{\"kind\":\"suite\",\"name\":\"demo\",\"parents\":[],"
		"\"problems\":[{\"facts\":";
	static const char after[] =
		",\"file\":\"data/problems/level1/19_ReLU.py\",\"key\":\"1/19\","
		"\"level\":1,\"name\":\"19_ReLU\",\"problem_id\":19,"
		"\"runtime\":\"torch\",\"sha256\":\"" HEX40
		"001122334455667788990011\",\"size_bytes\":5}],"
		"\"schema_version\":1,\"upstream_commit\":null,"
		"\"version\":null}";
	static const struct {
		const char *facts, *msg;
	} cases[] = {
		{ "null", "" },
		{ full_text, "" },
		{ "0", "suite: 'facts' is an integer, want an object" },
		{ "{}", "suite: facts of 1/19: 'inputs' is missing" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
		kb_auto(json) struct kb_json *v = NULL;
		struct kb_err err = KB_ERR_INIT;
		int ret;

		kb_buf_addf(&text, "%s%s%s", before, cases[i].facts, after);
		v = record_parse(text.data);
		ret = suite_again(&out, v, &err);
		check_int(ret, *cases[i].msg ? -KB_ERR_INPUT : 0);
		check_str(err.msg, cases[i].msg);
		if (ret == 0)
			check_str(out.data, text.data);
	}
}

TAP_MAIN(TAP(test_facts_print_as_they_were_read),
	 TAP(test_no_facts_are_null),
	 TAP(test_facts_are_typed),
	 TAP(test_sizes_follow_the_precision),
	 TAP(test_missing_and_unknown_members_are_refused_at_any_depth),
	 TAP(test_bad_facts_are_refused_with_a_reason),
	 TAP(test_facts_that_are_no_object_are_refused),
	 TAP(test_numbers_are_json_numbers),
	 TAP(test_a_suite_keeps_the_facts_of_its_problems));
