#include "verify/plausible.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "manifest/evaluation.h"
#include "unit/verify_world.h"
#include "verify/clocks.h"
#include "verify/lineage.h"
#include "verify/trials.h"

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

			o->trial_seeds.items = seeds[k];
			while (o->trial_seeds.count < 3 &&
			       seeded[i].seeds[k][o->trial_seeds.count]) {
				seeds[k][o->trial_seeds.count] = (char *)
					seeded[i].seeds[k][o->trial_seeds.count];
				o->trial_seeds.count++;
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

TAP_MAIN(TAP(test_samples_without_noise_are_refused),
	 TAP(test_a_seed_is_there_once),
	 TAP(test_there_are_as_many_trials_as_the_policy_says),
	 TAP(test_readings_are_within_what_a_device_can_do),
	 TAP(test_drift_in_a_session_is_noted));
