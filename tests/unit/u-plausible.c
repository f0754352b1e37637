#include "verify/plausible.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "manifest/evaluation.h"
#include "unit/verify_world.h"
#include "verify/clocks.h"
#include "verify/lineage.h"
#include "verify/timed.h"
#include "verify/trials.h"

static void take_trials(void *into, const struct kb_timed *t)
{
	kb_trial_lines_take(into, t);
}

static void take_clocks(void *into, const struct kb_timed *t)
{
	kb_clock_lines_take(into, t);
}

static void check_baseline_trials(struct kb_checks *c,
				  const struct kb_baseline *b)
{
	struct kb_trial_lines l;

	kb_trial_lines_begin(&l, KB_KIND_BASELINE, b->conditions.policy);
	kb_timed_each(b, take_trials, &l);
	for (size_t i = 0; i < b->result_count; i++)
		kb_trial_lines_take_seeds(&l, &b->results[i].outcome);
	kb_trial_lines_end(&l, c);
}

static void check_baseline_clocks(struct kb_checks *c,
				  const struct kb_baseline *b)
{
	struct kb_clock_lines l;

	kb_clock_lines_begin(&l, KB_KIND_BASELINE, b->conditions.environment);
	kb_timed_each(b, take_clocks, &l);
	kb_clock_lines_end(&l, c);
}

/* Of evaluations with one result. */
static void check_result_trials(struct kb_checks *c,
				const struct kb_evaluation *e)
{
	struct kb_trial_lines l;

	kb_trial_lines_begin(&l, KB_KIND_EVALUATION, e->conditions.policy);
	kb_timed_result(e->results, take_trials, &l);
	kb_trial_lines_end(&l, c);
}

static void check_result_clocks(struct kb_checks *c,
				const struct kb_evaluation *e)
{
	struct kb_clock_lines l;

	kb_clock_lines_begin(&l, KB_KIND_EVALUATION,
			     e->conditions.environment);
	kb_timed_result(e->results, take_clocks, &l);
	kb_clock_lines_end(&l, c);
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
		w.small_ns[1][0]++;	/* no round number */
		for (size_t k = 1; k < frozen[i].samples; k++) {
			if (frozen[i].constant_small)
				w.small_ns[1][k] = w.small_ns[1][0];
			if (frozen[i].constant_large)
				w.large_ns[1][k] = w.large_ns[1][0];
		}
		check_baseline_trials(&c, &w.b);
		if (answer_of(&c, "samples") != frozen[i].answer)
			tap_fail("row %zu: %s", i, words_of(&c, "samples"));
		drop(&w);
	}
}

/* Of 64 digits, of which the last of a beginning, and the first behind it,
 * differ. */
#define BEGUN "0123456789abcde"
#define REST "0123456789abcdef0123456789abcdef0123456789abcde"
#define A BEGUN "a1" REST
#define B BEGUN "b1" REST
#define C BEGUN "c2" REST

static const struct {
	const char *seeds[2][3];
	enum kb_answer answer;
	const char *words;
} seeded[] = {
	{ { { NULL }, { NULL } }, SKIP, "the baseline has none" },
	{ { { A }, { NULL } }, OK, "1 of the baseline, all different" },
	{ { { A, B }, { C } }, OK, "3 of the baseline, all different" },
	{ { { A, B, A }, { C } }, NO, "seed '" BEGUN "a...' is there twice" },
	{ { { A, B }, { B } }, NO, "seed '" BEGUN "b...' is there twice" },
};

static void test_a_seed_is_there_once(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(seeded); i++) {
		kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
		struct world w;

		fill(&w, 5);
		for (int k = 0; k < 6; k++)
			if (seeded[i].seeds[k / 3][k % 3])
				kb_trial_seeds_add(
					&w.results[k / 3].outcome.trial_seeds,
					seeded[i].seeds[k / 3][k % 3]);
		check_baseline_trials(&c, &w.b);
		check_said(&c, "seeds", seeded[i].answer, seeded[i].words);
		for (int k = 0; k < 2; k++)
			kb_trial_seeds_release(
				&w.results[k].outcome.trial_seeds);
		drop(&w);
	}
}

/* Of two timings by one clock; multiples of these. */
static const struct {
	enum kb_clock clock;
	int64_t steps_ns[2];
	enum kb_answer answer;
	const char *words;
} stepped[] = {
	{ KB_CLOCK_CALL, { 1, 1 }, OK, "those of the baseline have noise" },
	{ KB_CLOCK_CALL, { 99, 99 }, OK, "those of the baseline have noise" },
	{ KB_CLOCK_CALL, { 100, 1 }, NO,
	  "1/1: all samples of the call clock are multiples of 100 ns, and a "
	  "clock's step is 1 ns" },
	{ KB_CLOCK_DEVICE, { 1024, 1024 }, OK,
	  "those of the baseline have noise" },
	{ KB_CLOCK_DEVICE, { 32, 3200 }, NO,
	  "1/2: all samples of the device clock are multiples of 3200 ns, and "
	  "a clock's step is 32 ns" },
};

static void test_a_clock_has_one_step(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(stepped); i++) {
		kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
		struct world w;

		fill(&w, 6);
		for (int k = 0; k < 2; k++)
			for (int n = 0; n < 6; n++) {
				w.small_ns[k][n] = stepped[i].steps_ns[k] *
						   (100 + n * n + k);
				w.large_ns[k][n] = stepped[i].steps_ns[k] *
						   (307 + 7 * n * n + k);
				w.timings[k].clock = stepped[i].clock;
			}
		check_baseline_trials(&c, &w.b);
		check_said(&c, "samples", stepped[i].answer, stepped[i].words);
		drop(&w);
	}
}

#define RANGE "{\"trials\":5,\"trials_max\":9}"

static const struct {
	const char *policy;
	bool on_device;
	enum kb_stop_reason reason;
	size_t samples;
	enum kb_answer answer;
} counted[] = {
	{ "{}", false, KB_STOP_TRIALS, 3, SKIP },
	{ "{\"trials\":\"5\"}", false, KB_STOP_TRIALS, 5, SKIP },
	{ "{\"trials\":5}", false, KB_STOP_TRIALS, 4, NO },
	{ "{\"trials\":5}", false, KB_STOP_TRIALS, 5, OK },
	{ "{\"trials\":5}", false, KB_STOP_TRIALS, 6, NO },
	{ "{\"trials\":5}", false, KB_STOP_BUDGET, 5, NO },
	{ "{\"trials\":5}", false, KB_STOP_INTERVAL, 5, NO },
	{ RANGE, false, KB_STOP_INTERVAL, 7, OK },
	{ RANGE, true, KB_STOP_INTERVAL, 4, NO },
	{ RANGE, true, KB_STOP_INTERVAL, 5, OK },
	{ RANGE, true, KB_STOP_INTERVAL, 10, NO },
	{ RANGE, true, KB_STOP_BUDGET, 4, NO },
	{ RANGE, true, KB_STOP_BUDGET, 7, OK },
	{ RANGE, true, KB_STOP_TRIALS, 8, NO },
	{ RANGE, true, KB_STOP_TRIALS, 9, OK },
};

static void test_there_are_as_many_trials_as_the_policy_says(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(counted); i++) {
		kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
		struct world w;

		fill(&w, counted[i].samples);
		set(&w.b.conditions.policy, counted[i].policy);
		for (int k = 0; k < 2; k++) {
			w.timings[k].stop_reason = counted[i].reason;
			if (!counted[i].on_device)
				continue;
			w.devices[k].timing = &w.timings[k];
			w.results[k].device_timing = &w.devices[k];
		}
		check_baseline_trials(&c, &w.b);
		if (answer_of(&c, "trials") != counted[i].answer)
			tap_fail("row %zu: %s", i, words_of(&c, "trials"));
		drop(&w);
	}
}

static void test_runs_of_one_call_are_within_the_policy(void)
{
	for (size_t most = 2; most <= 4; most++) {
		kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
		char policy[64];
		struct world w;

		snprintf(policy, sizeof(policy),
			 "{\"trials\":5,\"one_call_pairs_max\":%zu}", most);
		fill(&w, 5);
		set(&w.b.conditions.policy, policy);
		w.timings[1].one_call_ns = w.small_ns[1];
		w.timings[1].one_call_count = 3;
		check_baseline_trials(&c, &w.b);
		check_said(&c, "trials", most < 3 ? NO : OK, most < 3 ?
			   "1/2: 3 runs of one call of the call clock; the "
			   "policy has 2 at most" :
			   "as many in the baseline as its policy says");
		drop(&w);
	}
}

/* Beside the device's clock six trials by calls will do. */
static void test_fewer_trials_by_calls_beside_the_device(void)
{
	static const struct {
		size_t calls, device;	/* trials; 0: it is not queued */
		enum kb_answer answer;
	} numbers[] = {
		{ 6, 10, OK }, { 5, 10, NO }, { 6, 9, NO }, { 6, 0, NO },
		{ 10, 0, OK },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(numbers); i++) {
		kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
		struct world w;

		fill(&w, numbers[i].calls);
		w.timings[0].stop_reason = KB_STOP_INTERVAL;
		w.b.result_count = 1;
		set(&w.b.conditions.policy,
		    "{\"trials\":10,\"trials_max\":20}");
		w.results[0].device_timing = &w.devices[0];
		if (numbers[i].device) {
			fill_timing(&w, 1, numbers[i].device);
			w.timings[1].clock = KB_CLOCK_DEVICE;
			w.timings[1].stop_reason = KB_STOP_INTERVAL;
			w.devices[0].timing = &w.timings[1];
		}
		check_baseline_trials(&c, &w.b);
		if (answer_of(&c, "trials") != numbers[i].answer)
			tap_fail("row %zu: %s", i, words_of(&c, "trials"));
		drop(&w);
	}
}

#define ON_CPU "\"trials\":5,\"one_call_pairs\":11"
#define ON_GPU "\"trials\":5,\"trials_max\":5,\"one_call_pairs\":12"
#define SAID "as many in the evaluation as its policy says"
#define UNSAID "the policy of the evaluation does not say how many runs of " \
	       "one call"

/* A candidate beside its reference: runs of one call by the call clock and by
 * the device's, and of the reference alone by the clock that counts. */
static const struct {
	const char *policy;
	bool queued, paired_queued;	/* by the device; or is there none? */
	size_t calls, device, alone;
	enum kb_answer answer;
	const char *words;
} evaluated[] = {
	{ ON_CPU, false, false, 11, 0, 0, OK, SAID },
	{ ON_CPU, false, false, 10, 0, 0, NO,
	  "1/1 sample 0: 10 runs of one call of the call clock; the policy has "
	  "11 at least" },
	{ ON_CPU, false, false, 0, 0, 0, NO,
	  "1/1 sample 0: 0 runs of one call of the call clock; the policy has "
	  "11 at least" },
	{ ON_GPU ",\"alone_runs\":8", true, true, 0, 12, 8, OK, SAID },
	{ ON_GPU ",\"alone_runs\":8", true, true, 12, 11, 8, NO,
	  "1/1 sample 0: 11 runs of one call of the device clock; the policy "
	  "has 12 at least" },
	{ ON_GPU ",\"alone_runs\":8", true, true, 0, 12, 7, NO,
	  "1/1 sample 0: 7 runs of one call of the device clock, of the "
	  "reference alone; the policy has 8 at least" },
	{ ON_GPU ",\"alone_runs\":8", false, true, 12, 0, 8, OK, SAID },
	{ ON_GPU ",\"alone_runs\":8", true, false, 12, 0, 8, OK, SAID },
	{ ON_GPU ",\"alone_runs\":8", false, false, 12, 0, 8, OK, SAID },
	{ ON_GPU ",\"alone_runs\":8", false, true, 11, 0, 8, NO,
	  "1/1 sample 0: 11 runs of one call of the call clock; the policy has "
	  "12 at least" },
	{ ON_GPU ",\"alone_runs\":8", true, false, 0, 0, 8, NO,
	  "1/1 sample 0: 0 runs of one call of the call clock; the policy has "
	  "12 at least" },
	{ ON_GPU ",\"alone_runs\":8", false, true, 12, 0, 0, NO,
	  "1/1 sample 0: 0 runs of one call of the call clock, of the reference "
	  "alone; the policy has 8 at least" },
	/* What a policy has to say. */
	{ ON_GPU, true, true, 0, 12, 8, SKIP, UNSAID },
	{ "\"trials\":5", false, false, 11, 0, 0, SKIP, UNSAID },
	{ "\"trials\":5,\"one_call_pairs\":10", false, false, 11, 0, 0, NO,
	  "the policy has 10 runs of one call, and below 11 nothing is decided "
	  "by them" },
};

/* Of five trials, by this clock. */
static struct kb_timing *timed(enum kb_clock clock, size_t one_calls,
			       size_t alone)
{
	struct kb_timing *t = kb_timing_new(clock, 1, 2);

	for (int i = 0; i < 5; i++) {
		kb_timing_add(t, KB_SERIES_SMALL, 5000 + i);
		kb_timing_add(t, KB_SERIES_LARGE, 6000 + i);
	}
	for (size_t i = 0; i < one_calls; i++)
		kb_timing_add(t, KB_SERIES_ONE_CALL, 5000 + (int)i);
	for (size_t i = 0; i < alone; i++)
		kb_timing_add(t, KB_SERIES_ALONE, 5000 + (int)i);
	t->stop_reason = KB_STOP_TRIALS;
	return t;
}

static struct kb_device_timing *device_timed(bool queued, size_t one_calls,
					     size_t alone)
{
	struct kb_device_timing *d = kb_device_timing_new();

	if (queued)
		d->timing = timed(KB_CLOCK_DEVICE, one_calls, alone);
	return d;
}

/* `count` trials of calls of `call_ns`. */
static struct kb_timing *slow_timed(enum kb_clock clock, size_t count,
				    int64_t call_ns, enum kb_stop_reason reason)
{
	struct kb_timing *t = kb_timing_new(clock, 1, 2);

	for (size_t i = 0; i < count; i++) {
		kb_timing_add(t, KB_SERIES_SMALL, call_ns + (int)i);
		kb_timing_add(t, KB_SERIES_LARGE, 2 * call_ns + (int)i);
	}
	t->stop_reason = reason;
	return t;
}

#define BY_RULE_2 ",\"stopping_rule\":2,\"slow_factor\":10," \
		  "\"slow_call_ns\":10000000000"
#define SLOW_NS 100000000
#define OF_CALLS(count)							\
	"1/1 sample 0: " count " trials of the call clock, ended by "	\
	"'slow'; the policy has 5 to 5"

/* A candidate of 0.1 s a call that ended as too slow. */
static const struct {
	const char *policy;
	bool on_device;
	size_t count, reference_count;
	int64_t reference_ns;
	enum kb_stop_reason reference_reason;
	enum kb_answer answer;
	const char *words;
} too_slow[] = {
	{ ON_CPU BY_RULE_2, false, 2, 2, SLOW_NS / 50, KB_STOP_SLOW, OK, SAID },
	{ ON_CPU BY_RULE_2, false, 5, 5, SLOW_NS / 50, KB_STOP_SLOW, OK, SAID },
	{ ON_CPU, false, 2, 2, SLOW_NS / 50, KB_STOP_SLOW, NO, NULL },
	{ ON_CPU BY_RULE_2, false, 6, 6, SLOW_NS / 50, KB_STOP_SLOW, NO, NULL },
	{ ON_CPU BY_RULE_2, false, 1, 1, SLOW_NS / 50, KB_STOP_SLOW, NO, NULL },
	{ ON_CPU BY_RULE_2, false, 2, 2, SLOW_NS / 5, KB_STOP_SLOW, NO,
	  OF_CALLS("2") },
	{ ON_CPU BY_RULE_2, false, 2, 5, SLOW_NS / 50, KB_STOP_TRIALS, NO,
	  OF_CALLS("2") },
	{ ON_GPU ",\"alone_runs\":8" BY_RULE_2, true, 2, 5, SLOW_NS / 50,
	  KB_STOP_TRIALS, OK, SAID },
	{ ON_GPU ",\"alone_runs\":8" BY_RULE_2, true, 2, 5, SLOW_NS / 50,
	  KB_STOP_SLOW, NO,
	  "1/1 sample 0, reference: 5 trials of the device clock, ended by "
	  "'slow'; the policy has 5 to 5" },
	{ ON_GPU ",\"alone_runs\":8", true, 2, 5, SLOW_NS / 50,
	  KB_STOP_TRIALS, NO,
	  "1/1 sample 0: 2 trials of the device clock, ended by 'slow'; the "
	  "policy has 5 to 5" },
};

static void give_slow(struct kb_result *r, size_t i)
{
	const enum kb_clock clock = too_slow[i].on_device ? KB_CLOCK_DEVICE
							  : KB_CLOCK_CALL;
	struct kb_timing *own = slow_timed(clock, too_slow[i].count, SLOW_NS,
					   KB_STOP_SLOW);
	struct kb_timing *paired =
		slow_timed(clock, too_slow[i].reference_count,
			   too_slow[i].reference_ns,
			   too_slow[i].reference_reason);

	r->key = (struct kb_key){ 1, 1 };
	for (int k = 0; k < 8; k++)
		kb_timing_add(paired, KB_SERIES_ALONE, 5000 + k);
	if (!too_slow[i].on_device) {
		r->timing = own;
		r->reference_timing = paired;
		return;
	}
	r->device_timing = kb_device_timing_new();
	r->device_timing->timing = own;
	r->reference_device_timing = kb_device_timing_new();
	r->reference_device_timing->timing = paired;
}

static void test_who_is_too_slow_has_few_trials(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(too_slow); i++) {
		kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
		kb_auto(mem) char *policy = kb_xasprintf("{%s}",
							 too_slow[i].policy);
		struct kb_result r = KB_RESULT_INIT;
		struct kb_evaluation e = KB_EVALUATION_INIT;

		give_slow(&r, i);
		e.results = &r;
		e.result_count = 1;
		e.conditions.policy = parse(policy);
		check_result_trials(&c, &e);
		if (answer_of(&c, "trials") != too_slow[i].answer)
			tap_fail("row %zu: %s", i, words_of(&c, "trials"));
		if (too_slow[i].words)
			check_said(&c, "trials", too_slow[i].answer,
				   too_slow[i].words);
		kb_conditions_release(&e.conditions);
		kb_result_release(&r);
	}
}

static void test_a_candidate_has_runs_of_one_call(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(evaluated); i++) {
		kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
		const bool by_device = evaluated[i].queued &&
				       evaluated[i].paired_queued;
		const size_t alone = evaluated[i].alone;
		kb_auto(mem) char *policy = kb_xasprintf("{%s}",
							 evaluated[i].policy);
		struct kb_result r = KB_RESULT_INIT;
		struct kb_evaluation e = KB_EVALUATION_INIT;

		r.key = (struct kb_key){ 1, 1 };
		r.timing = timed(KB_CLOCK_CALL, evaluated[i].calls, 0);
		r.reference_timing = timed(KB_CLOCK_CALL, evaluated[i].calls,
					   by_device ? 0 : alone);
		if (strstr(policy, "trials_max")) {
			r.device_timing =
				device_timed(evaluated[i].queued,
					     evaluated[i].device, 0);
			r.reference_device_timing =
				device_timed(evaluated[i].paired_queued,
					     evaluated[i].device,
					     by_device ? alone : 0);
		}
		e.results = &r;
		e.result_count = 1;
		e.conditions.policy = parse(policy);
		check_result_trials(&c, &e);
		check_said(&c, "trials", evaluated[i].answer,
			   evaluated[i].words);
		kb_conditions_release(&e.conditions);
		kb_result_release(&r);
	}
}

/* What was subtracted is all that a run can be below zero. */
static void test_no_run_takes_less_than_no_time(void)
{
	static const struct {
		int64_t run_ns, copy_in_ns;
		enum kb_answer answer;
	} runs[] = {
		{ 0, KB_UNKNOWN, OK },
		{ -1, KB_UNKNOWN, NO },
		{ -700, 700, OK },
		{ -701, 700, NO },
		{ -KB_JSON_INT_MAX, KB_JSON_INT_MAX, OK },
	};

	for (size_t i = 0; i < 4 * KB_ARRAY_LEN(runs); i++) {
		kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
		int64_t one_ns = runs[i / 4].run_ns;
		struct world w;
		struct kb_timing *t = &w.timings[0];

		fill(&w, 5);
		t->copy_in_small_ns = runs[i / 4].copy_in_ns;
		t->copy_in_large_ns = t->copy_in_one_call_ns =
			t->copy_in_small_ns;
		if (i % 4 == 0)
			t->small_ns[2] = one_ns;
		else if (i % 4 == 1)
			t->large_ns[2] = one_ns;
		t->one_call_ns = t->alone_ns = &one_ns;
		t->one_call_count = i % 4 == 2;
		t->alone_count = i % 4 == 3;
		check_baseline_trials(&c, &w.b);
		if (answer_of(&c, "samples") != runs[i / 4].answer)
			tap_fail("row %zu: %s", i, words_of(&c, "samples"));
		drop(&w);
	}
}

/* --- clocks and drift --------------------------------------------------- */

#define GPU "{\"gpu\":{\"max_sm_clock_mhz\":1980,"			\
	    "\"max_memory_clock_mhz\":3201,\"power_limit_mw\":700000}}"
#define H200 "{\"gpu\":{\"name\":\"NVIDIA H200\""

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
	{ GPU, { 9, 300, 1980, 3201, 3201, 50, 1000, 0x04 }, 0, OK },
	{ GPU, { 9, 300, 1980, 3201, 3201, 50, 1000, 0x08 }, 0, NOTE },
	{ GPU, { 9, 300, 1980, 3201, 3201, 50, 1000, 0x08 }, 1, NOTE },
	{ GPU, { 9, 300, 1980, 3201, 3201, 50, 1000, 0x04 }, 1, NO },
	{ GPU, { 9, 300, 1980, 3201, 3201, 50, 1000, KB_UNKNOWN }, 1, NO },
	{ GPU, { 51, 300, 1980, 3201, 3201, 50, 1000, 0 }, 0, OK },
	{ GPU, { 52, 300, 1980, 3201, 3201, 50, 1000, 0 }, 0, NO },
	{ GPU, { 9, 100, 100, 100, 100, 1, 1000, 0x08 }, 0, NOTE },
	{ GPU, { 9, 300, 660, 3201, 3201, 50, 1000, 0 }, 0, OK },
	{ GPU, { 9, 300, 659, 3201, 3201, 50, 1000, 0 }, 0, NO },
	{ GPU, { 9, 300, 659, 3201, 3201, 50, 350000, 0x04 }, 0, OK },
	{ GPU, { 9, 300, 659, 3201, 3201, 50, 349999, 0x04 }, 0, NO },
	{ GPU, { 9, 300, 659, 3201, 3201, 50, 1000, KB_UNKNOWN }, 0, NOTE },
	{ GPU, { 9, 99, 99, 3201, 3201, 50, 1000, 0 }, 0, NO },
	{ GPU, { 9, 300, 1980, 99, 99, 50, 1000, 0 }, 0, NO },
	{ GPU, { 9, 300, 1980, 3201, 3201, 0, 1000, 0 }, 0, NO },
	{ GPU, { 9, 300, 1980, 3201, 3201, 50, 999, 0 }, 0, NO },
	{ GPU, { 9, 300, 1980, 3201, 3201, 50, 1000, KB_UNKNOWN }, 0, NOTE },
	{ H200 "}}", { 9, 300, 1980, 3201, 3201, 50, 1000, 0 }, 0, OK },
	{ H200 "}}", { 9, 300, 1980, 3201, 3201, 50, 1000, KB_UNKNOWN }, 0,
	  NO },
	{ H200 "}}", { 9, KB_UNKNOWN, KB_UNKNOWN, 3201, 3201, 50, 1000, 0 }, 0,
	  NO },
	{ H200 "}}", KB_TELEMETRY_INIT, 0, SKIP },
	{ H200 ",\"max_sm_clock_mhz\":1980}}", KB_TELEMETRY_INIT, 0, NO },
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

		fill(&w, KB_PLAUSIBLE_TRIALS_MIN);
		set(&w.b.conditions.environment, readings[i].environment);
		w.devices[1].telemetry = readings[i].telemetry;
		w.devices[1].repeated = readings[i].repeated;
		w.results[1].device_timing = &w.devices[1];
		w.devices[1].timing = &w.timings[1];
		check_baseline_clocks(&c, &w.b);
		if (answer_of(&c, "clocks") != readings[i].answer)
			tap_fail("row %zu: %s", i, words_of(&c, "clocks"));
		check_int(answer_of(&c, "drift"), KB_ANSWER_COUNT);
		drop(&w);
	}
}

/* It may be over before the device is to be asked again. */
static void test_a_timing_of_few_trials_may_have_no_reading(void)
{
	kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
	struct world w;

	fill(&w, KB_PLAUSIBLE_TRIALS_MIN - 1);
	set(&w.b.conditions.environment, H200 ",\"max_sm_clock_mhz\":1980}}");
	w.results[1].device_timing = &w.devices[1];
	w.devices[1].timing = &w.timings[1];
	check_baseline_clocks(&c, &w.b);
	check_int(answer_of(&c, "clocks"), SKIP);
	drop(&w);
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
		int64_t none_ns = 0, call_ns = drifted[i].time_ns;
		const size_t trials = call_ns != KB_UNKNOWN;
		struct kb_timing timing = {
			.clock = KB_CLOCK_DEVICE,
			.n_large = 1,
			.small_ns = &none_ns,
			.large_ns = &call_ns,
			.small_count = trials,
			.large_count = trials,
		};
		struct kb_result r = KB_RESULT_INIT;
		struct kb_evaluation e = KB_EVALUATION_INIT;

		d.timing = &timing;
		d.control_before_ns = drifted[i].before_ns;
		d.control_after_ns = drifted[i].after_ns;
		r.reference_device_timing = &d;
		e.results = &r;
		e.result_count = 1;
		e.conditions.environment = parse("{}");
		check_result_clocks(&c, &e);
		if (answer_of(&c, "drift") != drifted[i].answer)
			tap_fail("row %zu: %s", i, words_of(&c, "drift"));
		kb_conditions_release(&e.conditions);
	}
}

TAP_MAIN(TAP(test_samples_without_noise_are_refused),
	 TAP(test_a_clock_has_one_step),
	 TAP(test_a_seed_is_there_once),
	 TAP(test_there_are_as_many_trials_as_the_policy_says),
	 TAP(test_runs_of_one_call_are_within_the_policy),
	 TAP(test_fewer_trials_by_calls_beside_the_device),
	 TAP(test_who_is_too_slow_has_few_trials),
	 TAP(test_a_candidate_has_runs_of_one_call),
	 TAP(test_no_run_takes_less_than_no_time),
	 TAP(test_readings_are_within_what_a_device_can_do),
	 TAP(test_a_timing_of_few_trials_may_have_no_reading),
	 TAP(test_drift_in_a_session_is_noted));
