#include "verify/runs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/numbers.h"
#include "json/json.h"
#include "manifest/device_timing.h"
#include "manifest/record.h"
#include "manifest/timing.h"
#include "measure/policy.h"
#include "measure/stats.h"
#include "measure/stopping.h"
#include "measure/time_rule.h"
#include "verify/timed.h"

#define no(err, ...) kb_err(err, KB_ERR_INPUT, __VA_ARGS__)

void kb_run_rules_init(struct kb_run_rules *rules, const struct kb_json *policy,
		       bool is_cuda)
{
	*rules = (struct kb_run_rules){
		.is_cuda = is_cuda,
		.trials = kb_json_int_or(policy, "trials", KB_UNKNOWN),
		.interval_ppm =
			kb_json_int_or(policy, "interval_ppm", KB_UNKNOWN),
		.batch_calls_max =
			kb_json_int_or(policy, "batch_calls_max", KB_UNKNOWN),
	};
}

static int64_t median_of(const int64_t samples_ns[], size_t count)
{
	kb_auto(mem) int64_t *sorted_ns = kb_xcalloc(count, sizeof(*sorted_ns));

	memcpy(sorted_ns, samples_ns, count * sizeof(*sorted_ns));
	kb_sort_ns(sorted_ns, count);
	return kb_median_ns(sorted_ns, count);
}

/* --- batches ---------------------------------------------------------- */

static bool are_batches(int64_t small, int64_t large)
{
	if (small < 2)
		return large == small + 1 || (small == 1 && large == 3);
	return (small & (small - 1)) == 0 && large % 3 == 0 &&
	       large / 3 == small;
}

static int check_batches(const struct kb_run_rules *rules,
			 const struct kb_timing *t, struct kb_err *err)
{
	if (!are_batches(t->n_small, t->n_large))
		return no(err, "batches of %d and %d calls are never made", t->n_small, t->n_large);
	if (rules->batch_calls_max != KB_UNKNOWN &&
	    t->n_large > rules->batch_calls_max)
		return no(err, "a batch has %d calls, and by the policy at most "
			  "%" PRId64, t->n_large,
			  rules->batch_calls_max);
	return 0;
}

/* --- stopping --------------------------------------------------------- */

/* Of which less than half is a millionth. */
static int64_t with_slack(int64_t ppm, int64_t by_ppm)
{
	return ppm + ppm / KB_PPM * by_ppm + ppm % KB_PPM * by_ppm / KB_PPM;
}

/* The fewest, by the clock that counts or beside it. */
static int64_t least_of(const struct kb_run_rules *rules,
			const struct kb_timed *t,
			const struct kb_timing *timing)
{
	return timing->clock == KB_CLOCK_CALL && t->by_device &&
	       rules->trials > KB_TRIALS_BESIDE ? KB_TRIALS_BESIDE
						: rules->trials;
}

/* The time of copying in is measured again when the candidate is gone, and then
 * subtracted from all samples: slopes move, by more than the slack where
 * copying is most of what was timed. */
static bool is_mostly_copying(const struct kb_timing *t)
{
	const int64_t calls = t->n_large - t->n_small;
	const int64_t slope_ns = kb_slope_ns(t);

	return t->copy_in_small_ns != KB_UNKNOWN && slope_ns != KB_UNKNOWN &&
	       t->copy_in_large_ns - t->copy_in_small_ns > slope_ns * calls;
}

static int check_stopping(const struct kb_run_rules *rules,
			  const struct kb_timed *t,
			  const struct kb_timing *timing, struct kb_err *err)
{
	const int64_t ppm = rules->interval_ppm;
	const int64_t wide_ppm = with_slack(ppm, KB_STOPPING_SLACK_PPM);
	const int64_t narrow_ppm = with_slack(ppm, -KB_STOPPING_SLACK_PPM);
	const bool is_interval = timing->stop_reason == KB_STOP_INTERVAL;
	size_t early;

	if (is_interval && !kb_time_is_precise(timing, wide_ppm))
		return no(err, "it ended by 'interval', and the interval is "
			  "wider than %" PRId64 " millionths", ppm);
	if (!is_interval && kb_time_is_precise(timing, narrow_ppm))
		return no(err, "it ended by '%s', and the interval is narrow "
			  "enough", kb_stop_reason_name(timing->stop_reason));
	early = kb_time_precise_after(timing, least_of(rules, t, timing),
				      narrow_ppm);
	if (early < timing->small_count)
		return no(err, "it went on for %zu trials, and its interval "
			  "was narrow enough after %zu", timing->small_count,
			  early);
	return 0;
}

/* --- one call ---------------------------------------------------------- */

/* A reference's run of one call costs what a batch does without the others.
 * Who makes them dear, and those alone as well, makes the bound of the
 * candidate beside it low. Of 360 on an H100 and an H200 none was dearer than
 * 0.9 % of a call by the device's clock and 23 % by the call clock, or than 5 us
 * and 80 us where that is more. */
static int check_one_call(const struct kb_timed *t,
			  const struct kb_timing *timing, struct kb_err *err)
{
	const int64_t slope_ns = timing ? kb_slope_ns(timing) : KB_UNKNOWN;
	int64_t one_ns, small_ns, most_ns;

	if (!t->is_reference || !timing || !timing->one_call_count ||
	    timing->stop_reason != KB_STOP_INTERVAL ||
	    slope_ns == KB_UNKNOWN || timing->copy_in_small_ns == KB_UNKNOWN)
		return 0;
	one_ns = median_of(timing->one_call_ns, timing->one_call_count);
	small_ns = median_of(timing->small_ns, timing->small_count);
	most_ns = timing->clock == KB_CLOCK_DEVICE ?
		KB_NS_PER_MS / 20 + slope_ns / 20 :
		KB_NS_PER_MS + slope_ns / 2;
	if ((__int128)one_ns <= (__int128)small_ns + most_ns -
		    (__int128)(timing->n_small - timing->n_one_call) * slope_ns)
		return 0;
	return no(err, "the reference's runs of one call take %" PRId64 " ns, "
		  "and by its batches %" PRId64 " ns less", one_ns,
		  (int64_t)(one_ns - (small_ns - (__int128)(timing->n_small -
					timing->n_one_call) * slope_ns)));
}

/* --- a timing ----------------------------------------------------------- */

static int check_timing(const struct kb_run_rules *rules,
			const struct kb_timed *t,
			const struct kb_timing *timing, struct kb_err *err)
{
	int ret;

	if (!timing)
		return 0;
	ret = check_batches(rules, timing, err);
	if (ret < 0)
		return ret;
	if (timing->alone_count > 2 * KB_CONTROL_ONE_CALLS_MAX)
		return no(err, "the reference ran %zu times alone, and %d is "
			  "the most", timing->alone_count,
			  2 * KB_CONTROL_ONE_CALLS_MAX);
	ret = check_one_call(t, timing, err);
	if (ret < 0)
		return ret;
	/* verify/trial_counts.h checks results that were too slow. */
	if (!rules->is_cuda || rules->interval_ppm == KB_UNKNOWN ||
	    rules->trials == KB_UNKNOWN ||
	    timing->stop_reason == KB_STOP_SLOW || is_mostly_copying(timing))
		return 0;
	return check_stopping(rules, t, timing, err);
}

/* --- controls --------------------------------------------------------- */

static int check_controls(const struct kb_timed *t, struct kb_err *err)
{
	const struct kb_device_timing *d = t->device;

	if (!t->is_reference || t->sample_id < 0 || !d || !d->timing ||
	    d->timing->stop_reason != KB_STOP_INTERVAL)
		return 0;
	if (d->control_before_ns == KB_UNKNOWN ||
	    d->control_after_ns == KB_UNKNOWN)
		return no(err, "the reference was timed by the device's clock, "
			  "and not alone before and after");
	return 0;
}

int kb_runs_check(const struct kb_run_rules *rules, const struct kb_timed *t,
		  struct kb_err *err)
{
	int ret = check_timing(rules, t, t->call, err);

	if (ret == 0 && t->device)
		ret = check_timing(rules, t, t->device->timing, err);
	return ret < 0 ? ret : check_controls(t, err);
}

/* --- copies ----------------------------------------------------------- */

struct point {
	int64_t calls, ns;
};

static int compare_points(const void *pa, const void *pb)
{
	const struct point *a = pa, *b = pb;

	return (a->calls > b->calls) - (a->calls < b->calls);
}

static size_t add_points(struct point *to, const struct kb_timing *t)
{
	size_t count = 0;

	if (!t || t->copy_in_small_ns == KB_UNKNOWN)
		return 0;
	to[count++] = (struct point){ t->n_small, t->copy_in_small_ns };
	to[count++] = (struct point){ t->n_large, t->copy_in_large_ns };
	if (t->copy_in_one_call_ns != KB_UNKNOWN)
		to[count++] = (struct point){ t->n_one_call,
					      t->copy_in_one_call_ns };
	return count;
}

static int check_step(const struct point *a, const struct point *b,
		      struct kb_err *err)
{
	if (a->calls == b->calls && a->ns != b->ns)
		return no(err, "copying in takes %" PRId64 " ns and %" PRId64
			  " ns, of %" PRId64 " calls both", a->ns, b->ns,
			  a->calls);
	return 0;
}

/* Is `p` where the line from `a` to `b` has it? */
static int check_line(const struct point *a, const struct point *p,
		      const struct point *b, struct kb_err *err)
{
	const double on_line = (double)a->ns + (double)(b->ns - a->ns) *
		(double)(p->calls - a->calls) / (double)(b->calls - a->calls);

	if ((double)p->ns <= KB_COPIES_TIMES_MAX * on_line &&
	    on_line <= (double)(KB_COPIES_TIMES_MAX * p->ns))
		return 0;
	return no(err, "copying in takes %" PRId64 " ns of %" PRId64 " calls, "
		  "and by the other numbers %.0f ns", p->ns, p->calls, on_line);
}

/* Where times are noisy, so is what copying takes. */
static bool are_precise(const struct kb_timing *const timings[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (timings[i] && !kb_time_is_precise(timings[i],
						      KB_COPIES_PRECISE_PPM))
			return false;
	return true;
}

int kb_copies_check(const struct kb_timing *const timings[], size_t count,
		    struct kb_err *err)
{
	kb_auto(mem) struct point *points = kb_xcalloc(3 * count,
						       sizeof(*points));
	size_t n = 0;
	int ret = 0;

	for (size_t i = 0; i < count; i++)
		n += add_points(&points[n], timings[i]);
	qsort(points, n, sizeof(*points), compare_points);
	if (n && points[0].ns <= 0)
		return no(err, "copying in takes no time");
	if (!are_precise(timings, count))
		return 0;
	for (size_t i = 1; ret == 0 && i < n; i++)
		ret = check_step(&points[i - 1], &points[i], err);
	for (size_t i = 1; ret == 0 && i < n; i++)
		if (points[n - 1].calls > points[0].calls)
			ret = check_line(&points[0], &points[i],
					 &points[n - 1], err);
	if (ret == 0 && n && points[n - 1].ns * KB_COPIES_TIMES_MAX <
			    points[0].ns)
		return no(err, "copying in takes %" PRId64 " ns of %" PRId64
			  " calls, and %" PRId64 " ns of %" PRId64,
			  points[0].ns, points[0].calls, points[n - 1].ns,
			  points[n - 1].calls);
	return ret;
}
