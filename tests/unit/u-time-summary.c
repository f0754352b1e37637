#include "export/time_summary.h"

#include <math.h>

#include "base/alloc.h"
#include "base/err.h"
#include "lib/tap.h"
#include "manifest/device_timing.h"
#include "manifest/timing.h"
#include "measure/time_rule.h"

/* Trials of 1 and of 11 calls with these slopes. */
static struct kb_timing *slopes(enum kb_clock clock, const int64_t slopes_ns[],
				size_t count, int64_t time_ns)
{
	struct kb_timing *t = kb_timing_new(clock, 1, 11);

	for (size_t i = 0; i < count; i++) {
		kb_timing_add(t, KB_SERIES_SMALL, 50000);
		kb_timing_add(t, KB_SERIES_LARGE, 50000 + 10 * slopes_ns[i]);
	}
	t->time_ns = time_ns;
	return t;
}

static bool is_near(double a, double b)
{
	return fabs(a - b) <= 1e-12 * fabs(b);
}

static void check_summary(const struct kb_time_summary *t, double mean_ms,
			  double std_ms, double min_ms, double max_ms)
{
	if (!is_near(t->mean_ms, mean_ms) || !is_near(t->std_ms, std_ms) ||
	    !is_near(t->min_ms, min_ms) || !is_near(t->max_ms, max_ms))
		tap_fail("%.17g %.17g %.17g %.17g", t->mean_ms, t->std_ms,
			 t->min_ms, t->max_ms);
}

/* Two low slopes pull the mean below the median; of a candidate it does not
 * go there. */
static void test_summary_of_call_times(void)
{
	static const int64_t low[] = { -40000, 100000, 100000, 100000, 40000 };
	static const int64_t high[] = { 100000, 400000, 100000 };
	static const int64_t odd[] = { 100000, 104567, 100000 };
	static const struct {
		const int64_t *slopes_ns;
		size_t count;
		bool is_candidate;
		enum kb_statistic statistic;
		double mean_ms, std_ms, min_ms, max_ms;
	} cases[] = {
		{ low, 5, false, KB_STATISTIC_MEDIAN,
		  0.1, 0.055136195008360887, -0.04, 0.1 },
		{ low, 5, false, KB_STATISTIC_MEAN,
		  0.06, 0.055136195008360887, -0.04, 0.1 },
		{ low, 5, true, KB_STATISTIC_MEAN,
		  0.1, 0.055136195008360887, -0.04, 0.1 },
		{ high, 3, true, KB_STATISTIC_MEDIAN,
		  0.1, 0.14142135623730950, 0.1, 0.4 },
		{ high, 3, true, KB_STATISTIC_MEAN,
		  0.2, 0.14142135623730950, 0.1, 0.4 },
		{ high, 1, false, KB_STATISTIC_MEAN, 0.1, 0, 0.1, 0.1 },
		/* Three digits, as KernelBench stores. */
		{ odd, 3, true, KB_STATISTIC_MEAN,
		  0.102, 0.002152904446452642, 0.1, 0.104567 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_timing *t = slopes(KB_CLOCK_CALL, cases[i].slopes_ns,
					     cases[i].count, 100000);
		const struct kb_time_source source = {
			.is_candidate = cases[i].is_candidate, .call = t,
		};
		const struct kb_summary_choice choice = {
			.clock = KB_CLOCK_CALL,
			.statistic = cases[i].statistic,
		};
		struct kb_time_summary got;

		check_int(kb_time_summarise(&got, &source, &choice, NULL), 1);
		check_int(got.trials, cases[i].count);
		check_summary(&got, cases[i].mean_ms, cases[i].std_ms,
			      cases[i].min_ms, cases[i].max_ms);
		kb_timing_free(t);
	}
}

static void test_no_time_gives_no_summary(void)
{
	static const int64_t negative[] = { -10, -10, -10 };
	struct kb_timing *t = slopes(KB_CLOCK_CALL, negative, 3, KB_UNKNOWN);
	const struct kb_time_source nothing = { .call = NULL };
	const struct kb_time_source unknown = { .call = t };
	struct kb_summary_choice choice = { .clock = KB_CLOCK_CALL };
	struct kb_time_summary got;

	check_int(kb_time_summarise(&got, &nothing, &choice, NULL), 0);
	check_int(kb_time_summarise(&got, &unknown, &choice, NULL), 0);
	choice.clock = KB_CLOCK_DEVICE;
	check_int(kb_time_summarise(&got, &unknown, &choice, NULL), 0);
	kb_timing_free(t);
}

static void test_summary_refuses_what_it_cannot_stand_for(void)
{
	static const int64_t hiccup[] = { 100, 100, -1000 };
	struct kb_timing *t = slopes(KB_CLOCK_CALL, hiccup, 3, 100);
	const struct kb_time_source source = { .call = t };
	struct kb_summary_choice choice = { .statistic = KB_STATISTIC_MEAN };
	struct kb_err err = KB_ERR_INIT;
	struct kb_time_summary got;

	check_int(kb_time_summarise(&got, &source, &choice, &err),
		  -KB_ERR_INPUT);
	check_str(err.msg, "the mean of the samples is not above zero");
	choice.statistic = KB_STATISTIC_MEDIAN;
	check_int(kb_time_summarise(&got, &source, &choice, NULL), 1);
	t->time_ns = 99;
	check_int(kb_time_summarise(&got, &source, &choice, &err),
		  -KB_ERR_INPUT);
	check_str(err.msg, "the time does not follow from its samples");
	kb_timing_free(t);
}

/* Slopes of 50000 ns, and one call at a time 20000 ns below the reference's,
 * whose slope is 100000 ns; there is a slack on top. */
static void test_samples_are_those_that_decided(void)
{
	static const int64_t own[] = { 50000 }, reference[] = { 100000 };
	struct kb_device_timing device = KB_DEVICE_TIMING_INIT;
	struct kb_device_timing paired = KB_DEVICE_TIMING_INIT;
	const struct kb_time_source source = {
		.is_candidate = true, .device = &device,
		.paired_device = &paired,
	};
	const struct kb_summary_choice choice = { .clock = KB_CLOCK_DEVICE };
	struct kb_time_summary got;

	device.timing = slopes(KB_CLOCK_DEVICE, own, 1, KB_UNKNOWN);
	paired.timing = slopes(KB_CLOCK_DEVICE, reference, 1, 100000);
	device.timing->copy_in_small_ns = 700;
	for (int i = 0; i < 15; i++) {
		kb_timing_add(device.timing, KB_SERIES_ONE_CALL,
			      380000 + 10 * (i - 7));
		kb_timing_add(paired.timing, KB_SERIES_ONE_CALL, 400000);
	}
	kb_time_decide(device.timing, paired.timing);
	check_int(device.timing->basis, KB_BASIS_ONE_CALL);
	check_int(kb_time_summarise(&got, &source, &choice, NULL), 1);
	check_int(got.trials, 15);
	check_summary(&got, 0.0816, sqrt(280.0 * 100 / 15) / 1e6, 0.0816 - 70e-6,
		      0.0816 + 70e-6);
	kb_timing_free(device.timing);
	kb_timing_free(paired.timing);
}

TAP_MAIN(TAP(test_summary_of_call_times),
	 TAP(test_no_time_gives_no_summary),
	 TAP(test_summary_refuses_what_it_cannot_stand_for),
	 TAP(test_samples_are_those_that_decided));
