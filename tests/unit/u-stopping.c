#include "measure/stopping.h"

#include "base/alloc.h"
#include "lib/tap.h"
#include "manifest/record.h"
#include "measure/policy.h"
#include "measure/stats.h"
#include "measure/time_rule.h"

#define NONE KB_UNKNOWN
#define TRIALS 15
#define MS KB_NS_PER_MS

/* At least 10 trials, at most 20, and 1000 ns for them. */
static const struct {
	const char *what;
	int64_t counted, elapsed_ns;
	bool precise, enough;
	enum kb_stop_reason reason;
} trials[] = {
	{ "nothing yet", 0, 0, false, false, 0 },
	{ "not before the least: precise", 9, 0, true, false, 0 },
	{ "not before the least: time is up", 9, 1000, false, false, 0 },
	{ "the least, and nothing else", 10, 999, false, false, 0 },
	{ "precise", 10, 0, true, true, KB_STOP_INTERVAL },
	{ "time is up", 10, 1000, false, true, KB_STOP_BUDGET },
	{ "time has long been up", 11, INT64_MAX, false, true, KB_STOP_BUDGET },
	{ "not quite as many as there may be", 19, 999, false, false, 0 },
	{ "as many as there may be", 20, 999, false, true, KB_STOP_TRIALS },
	{ "more than that", 21, 999, false, true, KB_STOP_TRIALS },
	{ "precise comes first", 20, 1000, true, true, KB_STOP_INTERVAL },
	{ "and then time", 20, 1000, false, true, KB_STOP_BUDGET },
};

static void test_when_trials_end(void)
{
	const struct kb_policy policy = { .trials_max = 20 };

	for (size_t i = 0; i < KB_ARRAY_LEN(trials); i++) {
		const struct kb_progress_of_trials p = {
			.least = 10, .counted = trials[i].counted,
			.elapsed_ns = trials[i].elapsed_ns, .budget_ns = 1000,
			.precise = trials[i].precise,
		};
		enum kb_stop_reason reason = KB_STOP_COUNT;
		const bool enough = kb_trials_are_enough(&policy, &p, &reason);

		if (enough != trials[i].enough ||
		    reason != (enough ? trials[i].reason : KB_STOP_COUNT))
			tap_fail("%s: %d, %d", trials[i].what, enough, reason);
	}
}

/* Calls of `call_ns`, and runs of one call, `pairs` of them, that are `step_ns`
 * apart: of each five two are below the median, two above. */
static struct kb_timing *make(int64_t call_ns, int64_t one_ns, int64_t step_ns,
			      size_t pairs)
{
	struct kb_timing *t = kb_timing_new(KB_CLOCK_DEVICE, 4, 12);

	t->copy_in_small_ns = t->copy_in_large_ns = 700;
	for (size_t i = 0; i < TRIALS; i++) {
		kb_timing_add(t, KB_SERIES_SMALL, 15000 + 4 * call_ns);
		kb_timing_add(t, KB_SERIES_LARGE, 15000 + 12 * call_ns);
	}
	for (size_t i = 0; i < pairs; i++)
		kb_timing_add(t, KB_SERIES_ONE_CALL, one_ns +
			      ((int64_t)(i % 5) - 2) * step_ns);
	return t;
}

/*
 * Beside a reference of 12000 whose runs of one call take 358000: one of 356000
 * gives a bound of 10000. Its slack is 1500, of which three quarters are 1125.
 */
static const struct {
	const char *what;
	int64_t slope_ns, one_ns, step_ns;
	size_t pairs;
	bool enough;
} one_calls[] = {
	{ "none yet", 10000, 356000, 10, 0, false },
	{ "one less than the least", 10000, 356000, 10, 11, false },
	{ "the least, and the bound is the slope", 10000, 356000, 10, 12,
	  true },
	{ "it is clearly below the slope", 90000, 356000, 10, 12, true },
	{ "three quarters of the slack above it", 8875, 356000, 0, 12, true },
	{ "and a nanosecond", 8874, 356000, 0, 12, false },
	{ "so until the most: one less", 8874, 356000, 0, 47, false },
	{ "the most", 8874, 356000, 0, 48, true },
	{ "the bound is the time, and to be known well", 5000, 356000, 10, 23,
	  false },
	{ "which it is", 5000, 356000, 10, 24, true },
	{ "not where it scatters too much to be one", 5000, 356000, 6000, 24,
	  false },
	{ "but in the end", 5000, 356000, 6000, 48, true },
	{ "calls without a time", 0, 356000, 10, 12, false },
	{ "with a bound, in the end", 0, 356000, 10, 24, true },
};

static void test_when_runs_of_one_call_end(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(one_calls); i++) {
		struct kb_timing *t =
			make(one_calls[i].slope_ns, one_calls[i].one_ns,
			     one_calls[i].step_ns, one_calls[i].pairs);
		struct kb_timing *reference =
			make(12000, 358000, 0, one_calls[i].pairs);

		if (kb_one_calls_are_enough(t, reference) !=
		    one_calls[i].enough)
			tap_fail("%s", one_calls[i].what);
		kb_timing_free(t);
		kb_timing_free(reference);
	}
}

/* Where there is no bound nothing is learnt. */
static void test_without_a_bound_the_least_is_enough(void)
{
	for (size_t pairs = 11; pairs <= 13; pairs++) {
		struct kb_timing *t = make(5000, 356000, 10, pairs);
		struct kb_timing *reference = make(0, 358000, 0, pairs);

		check(kb_bound_ns(t, reference) == NONE);
		check_int(kb_one_calls_are_enough(t, reference), pairs >= 12);
		kb_timing_free(t);
		kb_timing_free(reference);
	}
}

static const struct {
	const char *what;
	int64_t before_ns, after_ns, elapsed_ns;
	bool settled;
} controls[] = {
	{ "as before", 10000, 10000, 0, true },
	{ "shorter", 10000, 5000, 0, true },
	{ "within the slack", 10000, 11000, 0, true },
	{ "beyond it", 10000, 11001, 0, false },
	{ "within 2 %", 1000000, 1020000, 0, true },
	{ "beyond 2 %", 1000000, 1020001, 0, false },
	{ "long after", 10000, 20000, KB_SETTLING_NS - 1, false },
	{ "for good", 10000, 20000, KB_SETTLING_NS, true },
	{ "nothing to compare with", NONE, 20000, 0, true },
	{ "nothing to compare", 10000, NONE, 0, true },
};

/* A reference of `reference_ns` a call in 20 ns a run, and `count` trials of its
 * candidate: all of 100 ms a call but for the last one. */
static const struct {
	const char *what;
	int64_t factor, reference_ns, last_ns;
	size_t count, reference_count;
	bool slow, slow_in_record;
} slow[] = {
	{ "ten times as slow", 10, MS * 10, MS * 100, 2, 2, true, true },
	{ "the reference's runs count whole", 10, MS * 10 + 2, MS * 100, 2, 2,
	  false, true },
	{ "within a tenth of that", 10, MS * 11, MS * 100, 2, 2, false, true },
	{ "beyond it", 10, MS * 112 / 10, MS * 100, 2, 2, false, false },
	{ "one trial that was not", 10, MS * 9, MS * 80, 2, 2, false, false },
	{ "one trial", 10, MS, MS * 100, 1, 2, false, false },
	{ "one of the reference", 10, MS, MS * 100, 2, 1, false, false },
	{ "no reference", 10, MS, MS * 100, 2, 0, false, false },
	{ "by a rule without a factor", 0, MS, MS * 100, 2, 2, false, false },
	{ "a reference without a time", 10, -2, MS * 100, 2, 2, false, false },
	{ "by another factor", 50, MS * 2, MS * 100, 2, 2, true, true },
};

static struct kb_timing *make_trials(int64_t call_ns, int64_t last_ns,
				     size_t count)
{
	struct kb_timing *t =
		count ? kb_timing_new(KB_CLOCK_CALL, 1, 2) : NULL;

	for (size_t i = 0; i < count; i++) {
		const int64_t ns = i == count - 1 ? last_ns : call_ns;

		kb_timing_add(t, KB_SERIES_SMALL, 20 + ns);
		kb_timing_add(t, KB_SERIES_LARGE, 20 + 2 * ns);
	}
	return t;
}

static void test_who_is_too_slow(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(slow); i++) {
		const int64_t reference_ns = slow[i].reference_ns;
		struct kb_timing *t = make_trials(MS * 100, slow[i].last_ns,
						  slow[i].count);
		struct kb_timing *reference =
			make_trials(reference_ns - 10, reference_ns - 10,
				    slow[i].reference_count);

		if (kb_trials_are_slow(t, reference, slow[i].factor, false) !=
			    slow[i].slow ||
		    kb_trials_are_slow(t, reference, slow[i].factor, true) !=
			    slow[i].slow_in_record)
			tap_fail("%s", slow[i].what);
		kb_timing_free(t);
		kb_timing_free(reference);
	}
}

/* Three runs a trial of `call_ns`: below a quarter of a second they go on. */
static void test_short_trials_go_on(void)
{
	static const struct {
		int64_t call_ns;
		size_t count;
		bool slow, slow_in_record;
	} all[] = {
		{ MS * 42, 2, true, true }, { MS * 41, 2, false, true },
		{ MS * 38, 2, false, true }, { MS * 37, 2, false, false },
		{ MS, 83, false, true }, { MS, 84, true, true },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(all); i++) {
		const int64_t call_ns = all[i].call_ns;
		struct kb_timing *t = make_trials(call_ns, call_ns,
						  all[i].count);
		struct kb_timing *reference = make_trials(1000, 1000, 2);

		if (kb_trials_are_slow(t, reference, 10, false) != all[i].slow ||
		    kb_trials_are_slow(t, reference, 10, true) !=
			    all[i].slow_in_record)
			tap_fail("case %zu", i);
		kb_timing_free(t);
		kb_timing_free(reference);
	}
}

static void test_where_a_time_is_that_ended_as_slow(void)
{
	static const struct {
		enum kb_stop_reason reason;
		int64_t time_ns, low_ns, high_ns;
	} all[] = {
		{ KB_STOP_SLOW, 1000, 500, 2000 },
		{ KB_STOP_SLOW, KB_STAT_NS_MAX, KB_STAT_NS_MAX / 2,
		  KB_STAT_NS_MAX },
		{ KB_STOP_SLOW, NONE, -1, -1 },
		{ KB_STOP_BUDGET, 1000, -1, -1 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(all); i++) {
		const struct kb_timing t = { .stop_reason = all[i].reason,
					     .time_ns = all[i].time_ns };
		int64_t low_ns = -1, high_ns = -1;

		kb_slow_range(&low_ns, &high_ns, &t);
		check_int(low_ns, all[i].low_ns);
		check_int(high_ns, all[i].high_ns);
	}
}

static void test_who_is_slow_needs_no_runs_of_one_call(void)
{
	struct kb_timing *t = make(10000, 356000, 10, 0);
	struct kb_timing *reference = make(12000, 358000, 0, 0);

	check(!kb_one_calls_are_enough(t, reference));
	t->stop_reason = KB_STOP_SLOW;
	check(kb_one_calls_are_enough(t, reference));
	kb_timing_free(t);
	kb_timing_free(reference);
}

/* With a time-out of a minute, and ten seconds for a call. */
static const struct {
	const char *what;
	int64_t factor, reference_ns;
	uint32_t n;
	int64_t limit_ns;
} limits[] = {
	{ "a short reference", 10, MS, 1, 10 * KB_NS_PER_S },
	{ "none that is known", 10, NONE, 1, 10 * KB_NS_PER_S },
	{ "a second", 10, KB_NS_PER_S, 1, 10 * KB_NS_PER_S },
	{ "two", 10, 2 * KB_NS_PER_S, 1, 20 * KB_NS_PER_S },
	{ "two, in two calls", 10, 2 * KB_NS_PER_S, 2, 40 * KB_NS_PER_S },
	{ "never more than the time-out", 10, 7 * KB_NS_PER_S, 1,
	  60 * KB_NS_PER_S },
	{ "whatever the reference takes", 1000000, INT64_MAX, 1000000000,
	  60 * KB_NS_PER_S },
	{ "no calls", 10, KB_NS_PER_S, 0, 10 * KB_NS_PER_S },
	{ "by the first rule", 0, MS, 1, 60 * KB_NS_PER_S },
};

static void test_how_long_a_run_may_last(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(limits); i++) {
		const struct kb_policy policy = {
			.slow_factor = limits[i].factor,
			.slow_call_ns = 10 * KB_NS_PER_S,
		};
		const int64_t ns =
			kb_run_limit_ns(&policy, 60 * KB_NS_PER_S,
					limits[i].reference_ns, limits[i].n);

		if (ns != limits[i].limit_ns)
			tap_fail("%s: %" PRId64, limits[i].what, ns);
	}
}

static void test_when_a_control_timing_has_settled(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(controls); i++)
		if (kb_control_has_settled(controls[i].before_ns,
					   controls[i].after_ns,
					   controls[i].elapsed_ns) !=
		    controls[i].settled)
			tap_fail("%s", controls[i].what);
}

TAP_MAIN(
	TAP(test_when_trials_end),
	TAP(test_when_runs_of_one_call_end),
	TAP(test_without_a_bound_the_least_is_enough),
	TAP(test_who_is_too_slow),
	TAP(test_short_trials_go_on),
	TAP(test_where_a_time_is_that_ended_as_slow),
	TAP(test_who_is_slow_needs_no_runs_of_one_call),
	TAP(test_how_long_a_run_may_last),
	TAP(test_when_a_control_timing_has_settled)
);
