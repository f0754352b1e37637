#include "verify/checks.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "lib/tap.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/problem_audit.h"
#include "manifest/score.h"
#include "manifest/submission.h"
#include "manifest/suite.h"
#include "verify/arithmetic.h"
#include "verify/chain.h"
#include "verify/clocks.h"
#include "verify/floor.h"
#include "verify/lineage.h"
#include "verify/peaks.h"
#include "verify/plausible.h"
#include "verify/trials.h"

/* --- checks ----------------------------------------------------------- */

#define OK KB_ANSWER_OK
#define NOTE KB_ANSWER_NOTE
#define SKIP KB_ANSWER_NOT_CHECKED
#define NO KB_ANSWER_NO

static const struct {
	enum kb_answer answers[4];
	size_t count;
	enum kb_answer layer;
} answered[] = {
	{ { 0 }, 0, SKIP },			/* nobody asked */
	{ { OK }, 1, OK },
	{ { NOTE }, 1, NOTE },
	{ { OK, NOTE, OK }, 3, NOTE },
	{ { OK, SKIP, NOTE }, 3, SKIP },
	{ { SKIP, NO, OK, OK }, 4, NO },
	{ { NO }, 1, NO },
};

static void test_the_worst_answer_is_the_layers(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(answered); i++) {
		kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;

		for (size_t k = 0; k < answered[i].count; k++)
			kb_checks_add(&c, KB_LAYER_CHAIN, "suite",
				      answered[i].answers[k], "x");
		check_int(kb_checks_layer(&c, KB_LAYER_CHAIN),
			  answered[i].layer);
		check_int(kb_checks_layer(&c, KB_LAYER_BYTES), SKIP);
		/* The other layers have not been asked. */
		check_int(kb_checks_answer(&c),
			  answered[i].layer == NO ? NO : SKIP);
	}
}

static void test_a_bundle_is_ok_if_every_layer_is(void)
{
	kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;

	for (int i = 0; i < KB_LAYER_COUNT; i++)
		kb_checks_add(&c, (enum kb_layer)i, "x", OK, "%s", "");
	check_int(kb_checks_answer(&c), OK);
	check_str(kb_answer_verdict(OK), "ok");
	check_str(kb_answer_verdict(NOTE), "ok");
	check_str(kb_answer_verdict(SKIP), "not_checked");
	check_str(kb_answer_verdict(NO), "no");
}

static void test_lines_are_grouped_cut_and_harmless(void)
{
	kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_checks_print(&out, "b", &c);
	check_str(out.data, "");
	kb_checks_add(&c, KB_LAYER_BYTES, "bag", OK, "%s", "");
	kb_checks_add(&c, KB_LAYER_BYTES, "record", NO, "a\nb\x1b");
	for (int i = 0; i < KB_CHECKS_LINES_MAX + 2; i++)
		kb_checks_add(&c, KB_LAYER_CHAIN, "suite", NOTE, "%d", i);
	kb_checks_add(&c, KB_LAYER_CHAIN, "suite", OK, "six");
	kb_checks_add(&c, KB_LAYER_SIGNATURE, "signature", SKIP, "no key");
	kb_checks_print(&out, "b", &c);
	check_str(out.data,
		  "b: bytes: bag: ok\n"
		  "b: bytes: record: no: a?b?\n"
		  "b: chain: suite: note: 0\n"
		  "b: chain: suite: note: 1\n"
		  "b: chain: suite: note: 2\n"
		  "b: chain: suite: note: 3\n"
		  "b: chain: suite: note: and 2 more\n"
		  "b: chain: suite: ok, six\n"
		  "b: signature: not checked: no key\n");
	check_int(kb_checks_count(&c, "suite", NOTE), KB_CHECKS_LINES_MAX + 2);
}

static void test_json_has_every_layer_and_every_check(void)
{
	kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
	kb_auto(json) struct kb_json *v = NULL;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_checks_add(&c, KB_LAYER_BYTES, "bag", OK, "%s", "");
	kb_checks_add(&c, KB_LAYER_CHAIN, "suite", NOTE, "odd");
	v = kb_checks_to_json(&c);
	kb_json_print(&out, v);
	check_str(out.data,
		  "{\"arithmetic\":{\"checks\":[],\"verdict\":\"not_checked\"},"
		  "\"bytes\":{\"checks\":[{\"check\":\"bag\",\"detail\":null,"
		  "\"verdict\":\"ok\"}],\"verdict\":\"ok\"},"
		  "\"chain\":{\"checks\":[{\"check\":\"suite\",\"detail\":"
		  "\"odd\",\"verdict\":\"note\"}],\"verdict\":\"ok\"},"
		  "\"plausibility\":{\"checks\":[],\"verdict\":"
		  "\"not_checked\"},"
		  "\"signature\":{\"checks\":[],\"verdict\":\"not_checked\"}}");
}

/* --- peaks and floors ------------------------------------------------- */

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
static const struct kb_peak peak = { "a peak", 1000000, 1000, 1 };

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

/* --- records to check -------------------------------------------------- */

#define SAMPLES_MAX 16

/* A baseline of two problems with one timing each, that may be bent. */
struct world {
	struct kb_baseline b;
	struct kb_reference_result results[2];
	struct kb_key keys[2];
	struct kb_timing timings[2];
	struct kb_device_timing devices[2];
	int64_t small_ns[2][SAMPLES_MAX], large_ns[2][SAMPLES_MAX];
};

static struct kb_json *parse(const char *text)
{
	struct kb_json *v = NULL;

	if (kb_json_parse(&v, text, strlen(text), KB_JSON_OURS, "test", NULL))
		KB_BUG(text);
	return v;
}

static void fill_timing(struct world *w, int i, size_t count)
{
	w->timings[i] = (struct kb_timing){
		.method = KB_METHOD_SLOPE, .n_small = 1, .n_large = 2,
		.small_ns = w->small_ns[i], .large_ns = w->large_ns[i],
		.small_count = count, .large_count = count,
		.call_time_ns = count ? 1000 : KB_UNKNOWN,
	};
	for (size_t k = 0; k < count; k++) {
		w->small_ns[i][k] = 5000 + (int64_t)k;
		w->large_ns[i][k] = w->small_ns[i][k] + 1000;
	}
}

static void fill(struct world *w, size_t samples)
{
	*w = (struct world){ .keys = { { 1, 1 }, { 1, 2 } } };
	for (int i = 0; i < 2; i++) {
		fill_timing(w, i, samples);
		w->devices[i] = (struct kb_device_timing)
			KB_DEVICE_TIMING_INIT;
		w->results[i] = (struct kb_reference_result)
			KB_REFERENCE_RESULT_INIT;
		w->results[i].key = w->keys[i];
		w->results[i].timing = &w->timings[i];
	}
	w->b.problems = w->keys;
	w->b.results = w->results;
	w->b.problem_count = w->b.result_count = 2;
	w->b.conditions.options = parse("{}");
	w->b.conditions.policy = parse("{\"trials\":5}");
	w->b.conditions.environment = parse("{}");
	w->b.conditions.match_key = parse("{}");
}

/* Its arrays are its own: only what parse() made is freed. */
static void drop(struct world *w)
{
	kb_conditions_release(&w->b.conditions);
}

static void set(struct kb_json **member, const char *text)
{
	kb_json_free(*member);
	*member = parse(text);
}

/* The words of the first check that is called so; "" if there are none. */
static const char *words_of(const struct kb_checks *c, const char *what)
{
	for (size_t i = 0; i < c->count; i++)
		if (!strcmp(c->items[i].what, what))
			return c->items[i].words ? c->items[i].words : "";
	return "(no such check)";
}

static enum kb_answer answer_of(const struct kb_checks *c, const char *what)
{
	for (size_t i = 0; i < c->count; i++)
		if (!strcmp(c->items[i].what, what))
			return c->items[i].answer;
	return KB_ANSWER_COUNT;
}

static void check_said(const struct kb_checks *c, const char *what,
		       enum kb_answer answer, const char *words)
{
	check_int(answer_of(c, what), answer);
	check_str(words_of(c, what), words);
}

/* --- trials ------------------------------------------------------------ */

static const struct {
	size_t samples, constant_small, constant_large;	/* how many differ: 0 */
	enum kb_answer answer;
} frozen[] = {
	{ 1, 1, 1, OK },
	{ KB_PLAUSIBLE_TRIALS_MIN - 1, 1, 1, OK },
	{ KB_PLAUSIBLE_TRIALS_MIN, 0, 0, OK },
	{ KB_PLAUSIBLE_TRIALS_MIN, 1, 0, OK },
	{ KB_PLAUSIBLE_TRIALS_MIN, 0, 1, OK },
	{ KB_PLAUSIBLE_TRIALS_MIN, 1, 1, NO },
	{ SAMPLES_MAX, 1, 1, NO },
};

static void test_samples_without_noise_are_refused(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(frozen); i++) {
		kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
		struct world w;

		fill(&w, frozen[i].samples);
		for (size_t k = 1; k < frozen[i].samples; k++) {
			if (frozen[i].constant_small)
				w.small_ns[1][k] = w.small_ns[1][0];
			if (frozen[i].constant_large)
				w.large_ns[1][k] = w.large_ns[1][0];
		}
		kb_trials_check(&c, &w.b, NULL);
		if (answer_of(&c, "samples") != frozen[i].answer)
			tap_fail("row %zu: %s", i, words_of(&c, "samples"));
		drop(&w);
	}
}

static const struct {
	const char *seeds[2][3];
	enum kb_answer answer;
} seeded[] = {
	{ { { NULL }, { NULL } }, SKIP },
	{ { { "a" }, { NULL } }, OK },
	{ { { "a", "b" }, { "c" } }, OK },
	{ { { "a", "b", "a" }, { "c" } }, NO },
	{ { { "a", "b" }, { "b" } }, NO },
};

static void test_a_seed_is_there_once(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(seeded); i++) {
		kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
		char *seeds[2][3];
		struct world w;

		fill(&w, 5);
		for (int k = 0; k < 2; k++) {
			struct kb_outcome *o = &w.results[k].outcome;

			o->trial_seeds = seeds[k];
			while (o->trial_count < 3 &&
			       seeded[i].seeds[k][o->trial_count]) {
				seeds[k][o->trial_count] = (char *)
					seeded[i].seeds[k][o->trial_count];
				o->trial_count++;
			}
		}
		kb_trials_check(&c, &w.b, NULL);
		if (answer_of(&c, "seeds") != seeded[i].answer)
			tap_fail("row %zu: %s", i, words_of(&c, "seeds"));
		drop(&w);
	}
}

static const struct {
	const char *policy;
	bool on_device;
	enum kb_ending ending;
	size_t samples;
	enum kb_answer answer;
} counted[] = {
	{ "{}", false, 0, 3, SKIP },
	{ "{\"trials\":\"5\"}", false, 0, 5, SKIP },
	{ "{\"trials\":5}", false, 0, 4, NO },
	{ "{\"trials\":5}", false, 0, 5, OK },
	{ "{\"trials\":5}", false, 0, 6, NO },
	{ "{\"trials\":5,\"trials_max\":9}", true, KB_ENDING_INTERVAL, 4, NO },
	{ "{\"trials\":5,\"trials_max\":9}", true, KB_ENDING_INTERVAL, 5, OK },
	{ "{\"trials\":5,\"trials_max\":9}", true, KB_ENDING_INTERVAL, 10, NO },
	{ "{\"trials\":5,\"trials_max\":9}", true, KB_ENDING_BUDGET, 4, NO },
	{ "{\"trials\":5,\"trials_max\":9}", true, KB_ENDING_BUDGET, 7, OK },
	{ "{\"trials\":5,\"trials_max\":9}", true, KB_ENDING_TRIALS, 8, NO },
	{ "{\"trials\":5,\"trials_max\":9}", true, KB_ENDING_TRIALS, 9, OK },
};

static void test_there_are_as_many_trials_as_the_policy_says(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(counted); i++) {
		kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
		struct world w;

		fill(&w, counted[i].samples);
		set(&w.b.conditions.policy, counted[i].policy);
		for (int k = 0; k < 2 && counted[i].on_device; k++) {
			w.devices[k].batches = &w.timings[k];
			w.devices[k].ending = counted[i].ending;
			w.devices[k].call_ending = counted[i].ending;
			w.results[k].device_timing = &w.devices[k];
		}
		kb_trials_check(&c, &w.b, NULL);
		if (answer_of(&c, "trials") != counted[i].answer)
			tap_fail("row %zu: %s", i, words_of(&c, "trials"));
		drop(&w);
	}
}

/* --- clocks and drift --------------------------------------------------- */

#define GPU "{\"gpu\":{\"max_sm_clock_mhz\":1980,"			\
	    "\"max_memory_clock_mhz\":3201,\"power_limit_mw\":700000}}"

static const struct {
	const char *environment;
	struct kb_telemetry telemetry;
	int64_t repeated;
	enum kb_answer answer;
} readings[] = {
	{ GPU, KB_TELEMETRY_INIT, 0, SKIP },
	{ GPU, { 9, 300, 1980, 3201, 3201, 150, 1400000, 0 }, 0, OK },
	{ GPU, { 9, 300, 1981, 3201, 3201, 150, 1400000, 0 }, 0, NO },
	{ GPU, { 9, 300, 1980, 3201, 3202, 150, 1400000, 0 }, 0, NO },
	{ GPU, { 9, 300, 1980, 3201, 3201, 151, 1400000, 0 }, 0, NO },
	{ GPU, { 9, 300, 1980, 3201, 3201, 150, 1400001, 0 }, 0, NO },
	{ GPU, { 9, 300, 1980, 3201, 3201, 50, 7, 0x04 }, 0, OK },
	{ GPU, { 9, 300, 1980, 3201, 3201, 50, 7, 0x08 }, 0, NOTE },
	{ GPU, { 9, 300, 1980, 3201, 3201, 50, 7, 0 }, 1, NOTE },
	/* A record that does not say what is the most. */
	{ "{}", { 9, 300, 9999, 3201, 9999, 50, 9999999, 0 }, 0, OK },
	{ "{\"gpu\":{\"max_sm_clock_mhz\":{\"unavailable\":\"x\"}}}",
	  { 9, 300, 9999, 3201, 9999, 50, 9999999, 0 }, 0, OK },
};

static void test_readings_are_within_what_a_device_can_do(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(readings); i++) {
		kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
		struct world w;

		fill(&w, 5);
		set(&w.b.conditions.environment, readings[i].environment);
		w.devices[1].telemetry = readings[i].telemetry;
		w.devices[1].repeated = readings[i].repeated;
		w.results[1].device_timing = &w.devices[1];
		kb_clocks_check(&c, &w.b, NULL);
		if (answer_of(&c, "clocks") != readings[i].answer)
			tap_fail("row %zu: %s", i, words_of(&c, "clocks"));
		check_int(answer_of(&c, "drift"), KB_ANSWER_COUNT);
		drop(&w);
	}
}

static const struct {
	int64_t time_ns, before_ns, after_ns;
	enum kb_answer answer;
} drifted[] = {
	{ KB_UNKNOWN, KB_UNKNOWN, KB_UNKNOWN, SKIP },
	{ 100000, KB_UNKNOWN, KB_UNKNOWN, SKIP },
	{ 100000, 103000, 97000, OK },
	{ 100000, 103001, 97000, NOTE },
	{ 100000, 103000, 96999, NOTE },
	{ 100000, 1, KB_JSON_INT_MAX, NOTE },
};

static void test_drift_in_a_session_is_noted(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(drifted); i++) {
		kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
		struct kb_device_timing d = KB_DEVICE_TIMING_INIT;
		struct kb_result r = KB_RESULT_INIT;
		struct kb_evaluation e = KB_EVALUATION_INIT;

		d.time_ns = drifted[i].time_ns;
		d.before_ns = drifted[i].before_ns;
		d.after_ns = drifted[i].after_ns;
		r.reference_device_timing = &d;
		e.results = &r;
		e.result_count = 1;
		e.conditions.environment = parse("{}");
		kb_clocks_check(&c, NULL, &e);
		if (answer_of(&c, "drift") != drifted[i].answer)
			tap_fail("row %zu: %s", i, words_of(&c, "drift"));
		kb_conditions_release(&e.conditions);
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
		w.timings[0].call_time_ns = rows[i].call_time_ns;
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

/* --- arithmetic ---------------------------------------------------------- */

static const struct {
	const char *what;
	int64_t samples, claimed_ns;
	enum kb_answer answer;
} claims[] = {
	{ "what the samples give", 5, 1000, OK },
	{ "a nanosecond less", 5, 999, NO },
	{ "a time withheld", 5, KB_UNKNOWN, NO },
	{ "a time without samples", 0, 1000, NO },
	{ "no time without samples", 0, KB_UNKNOWN, OK },
};

static void test_times_follow_from_samples_both_ways(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(claims); i++) {
		kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
		struct kb_lineage l = { .kind = KB_KIND_BASELINE };
		struct world w;

		fill(&w, (size_t)claims[i].samples);
		w.timings[0].call_time_ns = claims[i].claimed_ns;
		l.baseline = &w.b;
		check_int(kb_arithmetic_check(&c, &l, NULL, NULL), 0);
		if (answer_of(&c, "times") != claims[i].answer)
			tap_fail("%s: %s", claims[i].what,
				 words_of(&c, "times"));
		drop(&w);
	}
}

static const struct {
	const char *environment, *match_key;
	enum kb_answer answer;
} keyed[] = {
	{ "{}", "{}", OK },
	{ "{\"cpu\":{\"model\":\"A\",\"cores\":4,\"smt\":true,"
	  "\"boost\":{\"unavailable\":\"x\"}}}",
	  "{\"cpu.model\":\"A\",\"cpu.cores\":\"4\",\"cpu.smt\":\"true\","
	  "\"cpu.boost\":\"unavailable\",\"cpu.clock\":\"not recorded\","
	  "\"policy.trials\":\"5\"}", OK },
	{ "{\"cpu\":{\"model\":\"A\"}}", "{\"cpu.model\":\"B\"}", NO },
	{ "{\"cpu\":{\"model\":\"A\"}}", "{\"cpu.clock\":\"9\"}", NO },
	{ "{\"cpu\":{\"smt\":false}}", "{\"cpu.smt\":\"true\"}", NO },
	{ "{}", "{\"policy.trials\":\"6\"}", NO },
	{ "{\"cpu\":{\"unavailable\":\"x\"}}",
	  "{\"cpu.model\":\"unavailable\"}", OK },
	{ "{\"cpu\":{\"unavailable\":\"x\"}}", "{\"cpu.model\":\"A\"}", NOTE },
	{ "{}", "{\"cpu.model\":\"A\",\"torch\":\"2\"}", NOTE },
};

static void test_match_keys_follow_from_the_environment(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(keyed); i++) {
		kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
		struct kb_lineage l = { .kind = KB_KIND_BASELINE };
		struct world w;

		fill(&w, 5);
		set(&w.b.conditions.environment, keyed[i].environment);
		set(&w.b.conditions.match_key, keyed[i].match_key);
		l.baseline = &w.b;
		check_int(kb_arithmetic_check(&c, &l, NULL, NULL), 0);
		if (answer_of(&c, "match_key") != keyed[i].answer)
			tap_fail("row %zu: %s", i, words_of(&c, "match_key"));
		drop(&w);
	}
}

static void test_a_score_without_a_parent_is_refused(void)
{
	struct kb_score score = KB_SCORE_INIT;
	struct kb_evaluation e = KB_EVALUATION_INIT;
	struct kb_lineage l = { .kind = KB_KIND_SCORE, .score = &score };
	kb_auto(checks) struct kb_checks none = KB_CHECKS_INIT;
	kb_auto(checks) struct kb_checks one = KB_CHECKS_INIT;

	check_int(kb_arithmetic_check(&none, &l, NULL, NULL), 0);
	check_said(&none, "score", NO,
		   "cannot be judged again without its evaluation");
	l.evaluation = &e;
	check_int(kb_arithmetic_check(&one, &l, NULL, NULL), 0);
	check_said(&one, "score", NO,
		   "cannot be judged again without its baseline");
}

/* --- chain --------------------------------------------------------------- */

static const struct {
	const char *options;
	struct kb_key suite[3];
	size_t count;
	enum kb_answer answer;
	const char *words;
} selections[] = {
	{ "{}", { { 1, 1 }, { 1, 2 } }, 2, OK, "2 of the suite's 2" },
	{ "{}", { { 1, 1 }, { 1, 2 }, { 2, 1 } }, 3, NO,
	  "problem '2/1' of the suite is left out, and no option says so" },
	{ "{\"levels\":\"1\"}", { { 1, 1 }, { 1, 2 }, { 2, 1 } }, 3, OK,
	  "2 of the suite's 3" },
	{ "{\"problems\":\"1/1,1/2\"}", { { 1, 1 }, { 1, 2 }, { 2, 1 } }, 3, OK,
	  "2 of the suite's 3" },
	{ "{\"levels\":\"1\"}", { { 1, 2 } }, 1, NO,
	  "the suite has no problem '1/1'" },
};

static void test_problems_are_those_of_the_suite(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(selections); i++) {
		kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
		struct kb_problem problems[3] = { { .facts = NULL } };
		struct kb_suite suite = {
			.problems = problems,
			.problem_count = selections[i].count,
		};
		struct world w;

		fill(&w, 5);
		for (size_t k = 0; k < selections[i].count; k++)
			problems[k].key = selections[i].suite[k];
		set(&w.b.conditions.options, selections[i].options);
		kb_chain_check(&c, &(struct kb_lineage){
			.kind = KB_KIND_BASELINE, .baseline = &w.b,
			.suite = &suite });
		check_said(&c, "problems", selections[i].answer,
			   selections[i].words);
		drop(&w);
	}
}

#define CORRECT KB_STATUS_CORRECT
#define CRASHED KB_STATUS_CRASHED
#define MISSING KB_STATUS_MISSING

/* An evaluation of problems 1/1 and 1/2 against a submission; `file` is the
 * first byte of a digest. */
static const struct {
	struct { int problem, sample, file; } submitted[3];
	size_t submitted_count;
	struct { int problem, sample, file; enum kb_status status; } lines[3];
	size_t line_count;
	enum kb_answer answer;
	const char *words;
} runs[] = {
	{ { { 0 } }, 0, { { 1, 0, 0, MISSING }, { 2, 0, 0, MISSING } }, 2, OK,
	  "2 lines, of the submission's 0" },
	{ { { 1, 0, 7 } }, 1, { { 1, 0, 7, CRASHED }, { 2, 0, 0, MISSING } },
	  2, OK, "2 lines, of the submission's 1" },
	{ { { 1, 0, 7 }, { 1, 1, 8 } }, 2,
	  { { 1, 0, 7, CORRECT }, { 2, 0, 0, MISSING } }, 2, NO,
	  "sample 1 of problem '1/1' was submitted and has no line" },
	{ { { 1, 0, 7 } }, 1,
	  { { 1, 0, 7, CORRECT }, { 1, 1, 7, CORRECT }, { 2, 0, 0, MISSING } },
	  3, NO, "sample 1 of problem '1/1' was not submitted" },
	{ { { 1, 0, 7 } }, 1, { { 1, 0, 8, CORRECT }, { 2, 0, 0, MISSING } },
	  2, NO, "sample 0 of problem '1/1' is another file in the submission" },
	{ { { 1, 0, 7 } }, 1, { { 1, 0, 0, MISSING }, { 2, 0, 0, MISSING } },
	  2, NO, "sample 0 of problem '1/1' is called missing, and was "
	  "submitted" },
	/* A problem that was not selected: its candidates have no lines. */
	{ { { 1, 0, 7 }, { 3, 0, 9 } }, 2,
	  { { 1, 0, 7, CORRECT }, { 2, 0, 0, MISSING } }, 2, OK,
	  "2 lines, of the submission's 2" },
};

static void test_every_candidate_has_its_line(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(runs); i++) {
		kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
		struct kb_candidate candidates[3] = { { .file = NULL } };
		struct kb_result lines[3];
		struct kb_submission s = {
			.candidates = candidates,
			.candidate_count = runs[i].submitted_count,
		};
		struct kb_key selected[] = { { 1, 1 }, { 1, 2 } };
		struct kb_evaluation e = {
			.problems = selected, .problem_count = 2,
			.results = lines, .result_count = runs[i].line_count,
		};

		for (size_t k = 0; k < s.candidate_count; k++) {
			candidates[k].key = (struct kb_key){
				1, runs[i].submitted[k].problem };
			candidates[k].sample_id = runs[i].submitted[k].sample;
			candidates[k].digest.bytes[0] =
				(uint8_t)runs[i].submitted[k].file;
		}
		for (size_t k = 0; k < e.result_count; k++) {
			lines[k] = (struct kb_result)KB_RESULT_INIT;
			lines[k].key = (struct kb_key){
				1, runs[i].lines[k].problem };
			lines[k].sample_id = runs[i].lines[k].sample;
			lines[k].outcome.status = runs[i].lines[k].status;
			lines[k].candidate.bytes[0] =
				(uint8_t)runs[i].lines[k].file;
		}
		kb_chain_check(&c, &(struct kb_lineage){
			.kind = KB_KIND_EVALUATION, .evaluation = &e,
			.submission = &s });
		check_said(&c, "candidates", runs[i].answer, runs[i].words);
	}
}

static const struct {
	const char *evaluation, *baseline;
	const char *allowed;		/* one field, or NULL */
	enum kb_answer answer;
	const char *words;
} pairs[] = {
	{ "{}", "{}", NULL, OK, "they are the same" },
	{ "{\"a\":\"1\"}", "{\"a\":\"1\"}", NULL, OK, "they are the same" },
	{ "{\"a\":\"1\"}", "{\"a\":\"2\"}", NULL, NO,
	  "'a' is '1' of the evaluation and '2' of the baseline" },
	{ "{\"a\":\"1\"}", "{}", NULL, NO,
	  "'a' is '1' of the evaluation and '(absent)' of the baseline" },
	{ "{\"a\":\"1\"}", "{\"a\":\"2\"}", "a", NOTE,
	  "the score allowed that they differ; fields: 1" },
	{ "{\"a\":\"1\",\"b\":\"1\"}", "{\"a\":\"2\",\"b\":\"2\"}", "a", NO,
	  "'b' is '1' of the evaluation and '2' of the baseline" },
};

static void test_match_keys_of_a_score_agree(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(pairs); i++) {
		kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
		struct kb_mismatch allowed = {
			.field = (char *)pairs[i].allowed };
		struct kb_score score = {
			.allowed = { &allowed, pairs[i].allowed != NULL } };
		struct kb_evaluation e = KB_EVALUATION_INIT;
		struct kb_baseline b = KB_BASELINE_INIT;
		struct kb_lineage l = {
			.kind = KB_KIND_SCORE, .score = &score,
			.evaluation = &e, .baseline = &b,
		};

		e.conditions.match_key = parse(pairs[i].evaluation);
		b.conditions.match_key = parse(pairs[i].baseline);
		b.suite.bytes[0] = (uint8_t)i;
		kb_chain_check(&c, &l);
		check_said(&c, "match_keys", pairs[i].answer, pairs[i].words);
		check_int(answer_of(&c, "same_suite"), i ? NO : OK);
		kb_conditions_release(&e.conditions);
		kb_conditions_release(&b.conditions);
	}
}

TAP_MAIN(TAP(test_the_worst_answer_is_the_layers),
	 TAP(test_a_bundle_is_ok_if_every_layer_is),
	 TAP(test_lines_are_grouped_cut_and_harmless),
	 TAP(test_json_has_every_layer_and_every_check),
	 TAP(test_devices_are_known_by_their_whole_name),
	 TAP(test_floors),
	 TAP(test_a_floor_binds_if_an_audit_says_so),
	 TAP(test_samples_without_noise_are_refused),
	 TAP(test_a_seed_is_there_once),
	 TAP(test_there_are_as_many_trials_as_the_policy_says),
	 TAP(test_readings_are_within_what_a_device_can_do),
	 TAP(test_drift_in_a_session_is_noted),
	 TAP(test_a_time_below_the_floor_is_refused_or_noted),
	 TAP(test_without_a_suite_or_facts_there_is_no_floor),
	 TAP(test_times_follow_from_samples_both_ways),
	 TAP(test_match_keys_follow_from_the_environment),
	 TAP(test_a_score_without_a_parent_is_refused),
	 TAP(test_problems_are_those_of_the_suite),
	 TAP(test_every_candidate_has_its_line),
	 TAP(test_match_keys_of_a_score_agree));
