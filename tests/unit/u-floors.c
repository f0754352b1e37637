#include "verify/floor.h"

#include "base/cleanup.h"
#include "manifest/problem_audit.h"
#include "manifest/suite.h"
#include "unit/verify_world.h"
#include "verify/lineage.h"
#include "verify/peaks.h"
#include "verify/plausible.h"

static const struct {
	const char *name;
	int64_t memory_mb_per_s;	/* 0: it is not known */
} devices[] = {
	{ "", 0 },
	{ "NVIDIA ", 0 },
	{ "H200", 4800000 },
	{ "NVIDIA H200", 4800000 },
	{ "NVIDIA H20", 0 },
	{ "NVIDIA H200 MIG 1g.18gb", 0 },
	{ "NVIDIA H100 80GB HBM3", 3350000 },
	{ "NVIDIA H100 PCIe", 2000000 },
	{ "NVIDIA A100-SXM4-40GB", 1555000 },
	{ "NVIDIA A100-SXM4-80GB", 2039000 },
	{ "NVIDIA A100 80GB PCIe", 1935000 },
	{ "NVIDIA A10G", 600000 },
	{ "NVIDIA L4", 300000 },
	{ "NVIDIA L40S", 864000 },
	{ "NVIDIA B200", 8000000 },
	{ "Tesla T4", 320000 },
	{ "Tesla V100-SXM2-16GB", 900000 },
};

static void test_devices_are_known_by_their_whole_name(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(devices); i++) {
		const struct kb_peak *p = kb_peak_find(devices[i].name);

		if ((p ? p->memory_mb_per_s : 0) !=
		    devices[i].memory_mb_per_s)
			tap_fail("'%s' is %s", devices[i].name,
				 p ? p->name : "not known");
	}
}

/* Numbers that can be divided by hand: with the slack 1050 bytes and 1125
 * operations a nanosecond. */
static const struct kb_peak peak = { "a peak", 1000000, 1000, 1, 1 };

#define MIB (INT64_C(1) << 20)
#define NO_INPUT { .dim_count = 0 }
#define MATRIX(m, n) { KB_FLOAT32, { (m), (n) }, 2 }
#define VECTOR(n) { KB_FLOAT32, { (n) }, 1 }

static const struct {
	const char *what;
	struct kb_tensor_facts a, b, out;
	int inputs;
	int64_t flops, bytes_min;
	const char *tag;
	enum kb_precision precision;
	int64_t floor_ns, stated_ns;
} floors[] = {
	{ "nothing takes no time", NO_INPUT, NO_INPUT, VECTOR(0), 0, 0, 0,
	  "activation", KB_FP32, 0, 0 },
	{ "twice the L2 cache is free", NO_INPUT, NO_INPUT,
	  VECTOR(2 * MIB / 4), 0, 0, 2 * MIB, "activation", KB_FP32, 0, 0 },
	{ "what is beyond it is not", NO_INPUT, NO_INPUT,
	  VECTOR((2 * MIB + 1050 * 1000) / 4), 0, 0, 2 * MIB + 1050 * 1000,
	  "activation", KB_FP32, 1000, 1000 },
	{ "half an input may be known from the other",
	  VECTOR(8 * MIB / 4), NO_INPUT, VECTOR(2 * MIB / 4), 1, 0,
	  10 * MIB, "activation", KB_FP32,
	  4 * MIB / 1050, 8 * MIB / 1050 },
	{ "at 16 bits there is half as much",
	  VECTOR(8 * MIB / 4), NO_INPUT, VECTOR(4 * MIB / 4), 1, 0,
	  6 * MIB, "activation", KB_FP16,
	  2 * MIB / 1050, 4 * MIB / 1050 },
	{ "integers may select from the others",
	  { KB_INT64, { 9 }, 1 }, VECTOR(8 * MIB / 4), VECTOR(3 * MIB / 4), 2,
	  0, 11 * MIB, "reduction", KB_FP32, MIB / 1050, 9 * MIB / 1050 },
	{ "a matrix product, with Strassen twice",
	  MATRIX(64, 64), MATRIX(64, 64), MATRIX(64, 64), 2, 2 * 64 * 64 * 64,
	  3 * 64 * 64 * 4, "matmul", KB_FP32,
	  2 * 64 * 64 * 49 / 1125, 2 * 64 * 64 * 64 / 1125 },
	{ "a vector is a matrix, too",
	  MATRIX(64, 64), VECTOR(64), VECTOR(64), 2, 2 * 64 * 64,
	  0, "matmul", KB_FP32, 2 * 64 * 49 / 1125, 2 * 64 * 64 / 1125 },
	{ "a diagonal is none",
	  VECTOR(64), MATRIX(64, 64), MATRIX(64, 64), 2, 2 * 64 * 64 * 64,
	  0, "matmul", KB_FP32, 0, 2 * 64 * 64 * 64 / 1125 },
	{ "convolutions can be transformed",
	  MATRIX(64, 64), MATRIX(64, 64), MATRIX(64, 64), 2, 2 * 64 * 64 * 64,
	  0, "convolution", KB_FP32, 0, 2 * 64 * 64 * 64 / 1125 },
	{ "a product of one input has weights that can be folded",
	  MATRIX(64, 64), NO_INPUT, MATRIX(64, 64), 1, 2 * 64 * 64 * 64,
	  0, "matmul", KB_FP32, 0, 2 * 64 * 64 * 64 / 1125 },
	{ "as much as a record can hold",
	  NO_INPUT, NO_INPUT, VECTOR(KB_JSON_INT_MAX / 4), 0,
	  KB_JSON_INT_MAX, KB_JSON_INT_MAX, "activation", KB_FP32,
	  (KB_JSON_INT_MAX / 4 * 4 - 2 * MIB) / 1050,
	  (KB_JSON_INT_MAX - 2 * MIB) / 1050 },
};

static void test_floors(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(floors); i++) {
		char *tag = (char *)floors[i].tag;
		struct kb_input_facts inputs[] = {
			{ .tensor = floors[i].a }, { .tensor = floors[i].b },
		};
		struct kb_tensor_facts out = floors[i].out;
		const struct kb_problem_facts facts = {
			.inputs = inputs,
			.input_count = (size_t)floors[i].inputs,
			.outputs = &out, .output_count = 1,
			.flops = floors[i].flops,
			.bytes_min = { floors[i].bytes_min,
				       floors[i].bytes_min,
				       floors[i].bytes_min },
			.tags = { &tag, 1 },
		};
		struct kb_floor f;

		kb_floor_of(&f, &facts, floors[i].precision, &peak);
		if (f.floor_ns != floors[i].floor_ns ||
		    f.stated_ns != floors[i].stated_ns || f.binds)
			tap_fail("%s: %" PRId64 ", %" PRId64, floors[i].what,
				 f.floor_ns, f.stated_ns);
	}
}

/* One finding each; KB_FINDING_COUNT is none. */
static const struct {
	enum kb_finding finding;
	bool binds;
} excuses[] = {
	{ KB_FINDING_COUNT, true },
	{ KB_FINDING_INPUT_INDEPENDENT, false },
	{ KB_FINDING_ZERO_OUTPUT, false },
	{ KB_FINDING_CONSTANT_OUTPUT, false },
	{ KB_FINDING_ZEROS_PASS, false },
	{ KB_FINDING_ZEROS_PASS_LOOSE, true },
	{ KB_FINDING_IDENTITY, false },
	{ KB_FINDING_REMOVABLE, false },
	{ KB_FINDING_TOLERANCE_LOOSE, true },
	{ KB_FINDING_TOLERANCE_TIGHT, true },
	{ KB_FINDING_ROUNDING_CHOOSES, false },
};

static void test_a_floor_binds_if_an_audit_says_so(void)
{
	struct kb_tensor_facts out = VECTOR(1);
	char *tag = (char *)"activation", *told = (char *)"told";

	for (size_t i = 0; i < KB_ARRAY_LEN(excuses); i++) {
		struct kb_problem_audit audit = { .device = told };
		const struct kb_problem_facts facts = {
			.outputs = &out, .output_count = 1, .tags = { &tag, 1 },
			.audit = &audit,
		};
		struct kb_floor f;

		if (excuses[i].finding != KB_FINDING_COUNT)
			audit.findings.evidence[excuses[i].finding] = told;
		kb_floor_of(&f, &facts, KB_FP32, &peak);
		if (f.binds != excuses[i].binds)
			tap_fail("row %zu is %d", i, f.binds);
	}
}

/* --- floors in a record -------------------------------------------------- */

static struct kb_tensor_facts large = VECTOR(INT64_C(1) << 28);	/* 1 GiB */
static char *activation = (char *)"activation";

static void test_a_time_below_the_floor_is_refused_or_noted(void)
{
	static const struct {
		const char *environment, *policy;
		int64_t call_time_ns;
		bool audited;
		enum kb_answer answer;
	} rows[] = {
		{ "{\"device\":{\"kind\":\"cpu\"}}", "{\"trials\":5}", 1, true,
		  SKIP },
		{ "{\"gpu\":{\"name\":\"Fixture\"}}",
		  "{\"precision\":\"fp32\"}", 1, true, SKIP },
		{ "{\"gpu\":{\"name\":\"NVIDIA H200\"}}", "{}", 1, true,
		  SKIP },
		{ "{\"gpu\":{\"name\":\"NVIDIA H200\"}}",
		  "{\"precision\":\"fp8\"}", 1, true, SKIP },
		/* (2^30 - 120 MiB) / 5040 bytes a nanosecond */
		{ "{\"gpu\":{\"name\":\"NVIDIA H200\"}}",
		  "{\"precision\":\"fp32\"}", 188076, true, NO },
		{ "{\"gpu\":{\"name\":\"NVIDIA H200\"}}",
		  "{\"precision\":\"fp32\"}", 188076, false, NOTE },
		{ "{\"gpu\":{\"name\":\"NVIDIA H200\"}}",
		  "{\"precision\":\"fp32\"}", 188077, true, NOTE },
		{ "{\"gpu\":{\"name\":\"NVIDIA H200\"}}",
		  "{\"precision\":\"fp32\"}", 401120, true, NOTE },
		{ "{\"gpu\":{\"name\":\"NVIDIA H200\"}}",
		  "{\"precision\":\"fp32\"}", 401121, true, OK },
		{ "{\"gpu\":{\"name\":\"NVIDIA H200\"}}",
		  "{\"precision\":\"bf16\"}", 188077, true, OK },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
		struct kb_problem_audit audit = { .device = NULL };
		struct kb_problem_facts facts = {
			.outputs = &large, .output_count = 1,
			.bytes_min = { INT64_C(2) << 30, INT64_C(1) << 30,
				       INT64_C(1) << 30 },
			.tags = { &activation, 1 },
			.audit = rows[i].audited ? &audit : NULL,
		};
		struct kb_problem p = { .key = { 1, 1 }, .facts = &facts };
		struct kb_suite suite = {
			.problems = &p, .problem_count = 1,
		};
		struct world w;

		fill(&w, 5);
		w.b.result_count = 1;
		w.timings[0].time_ns = rows[i].call_time_ns;
		set(&w.b.conditions.environment, rows[i].environment);
		set(&w.b.conditions.policy, rows[i].policy);
		kb_plausible_check(&c, &(struct kb_lineage){
			.kind = KB_KIND_BASELINE, .baseline = &w.b,
			.suite = &suite });
		if (answer_of(&c, "floor") != rows[i].answer)
			tap_fail("row %zu: %s", i, words_of(&c, "floor"));
		drop(&w);
	}
}

static void test_without_a_suite_or_facts_there_is_no_floor(void)
{
	struct kb_problem p = { .key = { 1, 1 } };
	struct kb_suite suite = { .problems = &p, .problem_count = 1 };
	struct world w;

	fill(&w, 5);
	set(&w.b.conditions.environment,
	    "{\"gpu\":{\"name\":\"NVIDIA H200\"}}");
	set(&w.b.conditions.policy, "{\"precision\":\"fp32\"}");
	for (int i = 0; i < 2; i++) {
		kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;

		kb_plausible_check(&c, &(struct kb_lineage){
			.kind = KB_KIND_BASELINE, .baseline = &w.b,
			.suite = i ? &suite : NULL });
		check_int(answer_of(&c, "floor"), SKIP);
	}
	drop(&w);
}

TAP_MAIN(TAP(test_devices_are_known_by_their_whole_name),
	 TAP(test_floors),
	 TAP(test_a_floor_binds_if_an_audit_says_so),
	 TAP(test_a_time_below_the_floor_is_refused_or_noted),
	 TAP(test_without_a_suite_or_facts_there_is_no_floor));
