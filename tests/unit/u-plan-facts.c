#include "base/cleanup.h"
#include "base/err.h"
#include "lib/records.h"
#include "lib/tap.h"
#include "manifest/problem_facts.h"
#include "measure/plan_facts.h"

#define ZERO "{\"bf16\":0,\"fp16\":0,\"fp32\":0}"
#define SOME "{\"bf16\":96,\"fp16\":96,\"fp32\":96}"
#define FACTS(inputs, outputs)						\
	"{\"audit\":null,\"bytes_min\":" SOME ",\"flops\":0,\"inputs\":["	\
	inputs "],\"note\":null,\"outputs\":[" outputs "],"		\
	"\"parameters\":{\"bytes\":" ZERO ",\"count\":0},"		\
	"\"remedy\":null,\"requires\":{\"compute_capability\":null,"	\
	"\"device_bytes\":96,\"packages\":[]},\"tags\":[],"		\
	"\"tolerance\":null}"
#define X "{\"dtype\":\"float32\",\"name\":\"x\",\"shape\":[2,3]}"
#define Y "{\"dtype\":\"float32\",\"name\":\"y\",\"shape\":[2,3]}"
#define S ",{\"name\":\"s\",\"value\":\"2\"}"
#define OUT(type, shape) "{\"dtype\":\"" type "\",\"shape\":[" shape "]}"
#define WHOSE "the suite's facts of problem '1/19' are not its own: "

/* x of 2 by 3 and a number in, 2 by 3 and a number of them out. */
static const struct kb_plan plan = {
	.input_count = 2, .output_count = 2,
	.inputs = {
		{ .dtype = KB_FLOAT32, .ndim = 2, .dims = { 2, 3 } },
		{ .dtype = KB_FLOAT64, .flags = KB_TENSOR_IS_SCALAR },
	},
	.outputs = {
		{ .dtype = KB_FLOAT32, .ndim = 2, .dims = { 2, 3 } },
		{ .dtype = KB_INT64 },
	},
};

static const struct {
	const char *facts;
	enum kb_precision precision;
	const char *msg;		/* "" if they are its own */
} cases[] = {
	{ FACTS(X S, OUT("float32", "2,3") "," OUT("int64", "")), KB_FP32, "" },
	{ FACTS("{\"name\":\"s\",\"value\":\"2\"}," X,
		OUT("float32", "2,3") "," OUT("int64", "")), KB_FP32, "" },
	{ FACTS(X, OUT("float32", "2,3") "," OUT("int64", "")), KB_FP32,
	  WHOSE "they have 1 inputs, and the problem 2" },
	{ FACTS(X "," Y, OUT("float32", "2,3") "," OUT("int64", "")), KB_FP32,
	  WHOSE "their inputs have 12 elements, and the problem's 7" },
	{ FACTS(X S, OUT("float32", "2,3")), KB_FP32,
	  WHOSE "they have 1 outputs, and the problem 2" },
	{ FACTS(X S, OUT("float32", "3,2") "," OUT("int64", "")), KB_FP32,
	  WHOSE "their output 0 is float32 [3, 2], and the problem's float32 [2, 3]" },
	{ FACTS(X S, OUT("float32", "2,3") "," OUT("int64", "1")), KB_FP16,
	  WHOSE "their output 1 is int64 [1], and the problem's int64 []" },
	{ FACTS(X S, OUT("float32", "2,3") "," OUT("int32", "")), KB_FP32,
	  WHOSE "their output 1 is int32 [], and the problem's int64 []" },
	{ FACTS(X S, OUT("float16", "2,3") "," OUT("int64", "")), KB_BF16, "" },
};

static void test_facts_are_those_of_the_plan(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_problem p = { .key = { 1, 19 } };
		kb_auto(json) struct kb_json *v = record_parse(cases[i].facts);
		struct kb_err err = KB_ERR_INIT;

		check_int(kb_problem_facts_from_json(&p.facts, v, p.key, "t",
						     &err), 0);
		check_int(kb_plan_check_facts(&plan, &p, cases[i].precision,
					      &err),
			  *cases[i].msg ? -KB_ERR_INPUT : 0);
		check_str(err.msg, cases[i].msg);
		kb_problem_facts_free(p.facts);
	}
}

static void test_no_facts_are_anybodys(void)
{
	const struct kb_problem p = { .key = { 1, 19 } };
	struct kb_err err = KB_ERR_INIT;

	check_int(kb_plan_check_facts(&plan, &p, KB_FP32, &err), 0);
	check_str(err.msg, "");
}

TAP_MAIN(TAP(test_facts_are_those_of_the_plan),
	 TAP(test_no_facts_are_anybodys));
