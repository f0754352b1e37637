#include "measure/time_rule.h"

#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/numbers.h"
#include "manifest/record.h"
#include "manifest/timing.h"
#include "measure/stats.h"

/* How sure we are that calls did not take what they seem to before we say
 * so. */
#define SURE_PPM 999000

/* Sorted numbers and their median, which may be zero or below. */
struct estimate {
	int64_t *sorted_ns;		/* owned */
	size_t count;			/* 0: there is no median */
	int64_t median_ns;
};

static void kb_cleanup_estimate(struct estimate *e)
{
	kb_cleanup_mem(&e->sorted_ns);
}

/* Within what a record can hold. */
static int64_t clamp_ns(int64_t ns)
{
	if (ns < -KB_STAT_NS_MAX)
		return -KB_STAT_NS_MAX;
	return ns > KB_STAT_NS_MAX ? KB_STAT_NS_MAX : ns;
}

/* Takes `samples_ns`, each below 2^60. */
static struct estimate estimate_time(int64_t *samples_ns, size_t count)
{
	struct estimate e = { .sorted_ns = samples_ns, .count = count };

	if (!count)
		return e;
	for (size_t i = 0; i < count; i++)
		samples_ns[i] = clamp_ns(samples_ns[i]);
	kb_sort_ns(e.sorted_ns, count);
	e.median_ns = kb_median_ns(e.sorted_ns, count);
	return e;
}

static struct estimate estimate_of(const int64_t samples_ns[], size_t count)
{
	int64_t *copy_ns = kb_xcalloc(count, sizeof(*copy_ns));

	if (count)
		memcpy(copy_ns, samples_ns, count * sizeof(*copy_ns));
	return estimate_time(copy_ns, count);
}

/* --- the slope -------------------------------------------------------- */

static bool has_sizes(const struct kb_timing *t)
{
	return t->n_small >= 0 && t->n_large > t->n_small &&
	       t->large_count == t->small_count;
}

static struct estimate slope_of(const struct kb_timing *t)
{
	const size_t count = t->small_count;
	int64_t *slopes_ns;

	if (!has_sizes(t))
		return (struct estimate){ .count = 0 };
	slopes_ns = kb_xcalloc(count, sizeof(*slopes_ns));
	kb_slopes_ns(slopes_ns, t->small_ns, t->large_ns, count, t->n_small,
		     t->n_large);
	return estimate_time(slopes_ns, count);
}

int64_t kb_slope_ns(const struct kb_timing *t)
{
	kb_auto(estimate) struct estimate e = slope_of(t);

	return e.count && e.median_ns > 0 ? e.median_ns : KB_UNKNOWN;
}

const char *kb_time_why_none(const struct kb_timing *t)
{
	if (!t || !t->small_count)
		return "no trials";
	return t->time_ns == KB_UNKNOWN ? "slope not above zero" : NULL;
}

static bool is_precise(const int64_t sorted_ns[], size_t count,
		       int64_t interval_ppm)
{
	const int64_t median_ns = count ? kb_median_ns(sorted_ns, count) : 0;
	int64_t low_ns, high_ns;

	/* A record's times are below 2^53; a million times as much is more than
	 * an int64_t holds. */
	return median_ns > 0 &&
	       kb_median_interval_ns(&low_ns, &high_ns, sorted_ns, count,
				     KB_STAT_CONFIDENCE_PPM) &&
	       (__int128)(high_ns - low_ns) * KB_PPM <=
	       (__int128)median_ns * interval_ppm;
}

bool kb_time_is_precise(const struct kb_timing *t, int64_t interval_ppm)
{
	kb_auto(estimate) struct estimate e =
		t ? slope_of(t) : (struct estimate){ .count = 0 };

	return is_precise(e.sorted_ns, e.count, interval_ppm);
}

/* Into its place among `count` that are sorted. */
static void insert_sorted(int64_t sorted_ns[], size_t count, int64_t ns)
{
	size_t to = count;

	for (; to > 0 && sorted_ns[to - 1] > ns; to--)
		sorted_ns[to] = sorted_ns[to - 1];
	sorted_ns[to] = ns;
}

size_t kb_time_precise_after(const struct kb_timing *t, int64_t least,
			     int64_t interval_ppm)
{
	const size_t most = has_sizes(t) && t->small_count < KB_PREFIX_MAX ?
		t->small_count : has_sizes(t) ? KB_PREFIX_MAX : 0;
	kb_auto(mem) int64_t *slopes_ns = kb_xcalloc(2 * most,
						     sizeof(*slopes_ns));
	int64_t *sorted_ns = slopes_ns + most;

	if (most)
		kb_slopes_ns(slopes_ns, t->small_ns, t->large_ns, most,
			     t->n_small, t->n_large);
	for (size_t i = 0; i < most; i++) {
		insert_sorted(sorted_ns, i, clamp_ns(slopes_ns[i]));
		if ((int64_t)i + 1 >= least &&
		    is_precise(sorted_ns, i + 1, interval_ppm))
			return i + 1;
	}
	return t->small_count;
}

/* --- the bound -------------------------------------------------------- */

/* The part of the reference's calls in its runs of one call. */
static int64_t calls_ns(const struct kb_timing *reference,
			int64_t reference_ns)
{
	return reference->n_one_call ? reference_ns : 0;
}

/* A run of one call of the reference counts as it is up to `most_ns`; one that
 * is dearer counts as `instead_ns`. */
struct limit {
	int64_t most_ns, instead_ns;
};

static struct limit limit_of(const struct kb_timing *reference,
			     int64_t reference_ns)
{
	kb_auto(estimate) struct estimate alone =
		estimate_of(reference->alone_ns, reference->alone_count);
	const int64_t drift_ns =
		kb_max_i64(calls_ns(reference, reference_ns) /
				   (KB_PPM / KB_ONE_CALL_DRIFT_PPM),
			   KB_ONE_CALL_DRIFT_NS);

	if (!alone.count)
		return (struct limit){ KB_STAT_NS_MAX, KB_STAT_NS_MAX };
	if (reference->clock != KB_CLOCK_DEVICE)
		return (struct limit){ alone.median_ns + drift_ns,
				       alone.median_ns + drift_ns };
	return (struct limit){
		alone.sorted_ns[(alone.count - 1) / 4] + drift_ns,
		alone.sorted_ns[0],
	};
}

static void move_estimate(struct estimate *e, int64_t by_ns)
{
	for (size_t i = 0; i < e->count; i++)
		e->sorted_ns[i] = clamp_ns(e->sorted_ns[i] + by_ns);
	e->median_ns = clamp_ns(e->median_ns + by_ns);
}

static struct estimate bound_of(const struct kb_timing *t,
				const struct kb_timing *reference)
{
	const int64_t reference_ns = reference ? kb_slope_ns(reference)
					       : KB_UNKNOWN;
	const size_t count = t->one_call_count;
	struct limit limit;
	int64_t *bounds_ns;

	if (reference_ns == KB_UNKNOWN || !count ||
	    count != reference->one_call_count)
		return (struct estimate){ .count = 0 };
	/* Samples are below 2^53: no sum here comes near 2^63. */
	limit = limit_of(reference, reference_ns);
	bounds_ns = kb_xcalloc(count, sizeof(*bounds_ns));
	for (size_t i = 0; i < count; i++) {
		const int64_t paired_ns = reference->one_call_ns[i];

		bounds_ns[i] = calls_ns(reference, reference_ns) +
			       t->one_call_ns[i] -
			       (paired_ns <= limit.most_ns ? paired_ns :
							     limit.instead_ns);
	}
	return estimate_time(bounds_ns, count);
}

static int64_t least_slack_ns(const struct kb_timing *t)
{
	if (t->copy_in_small_ns == KB_UNKNOWN)
		return KB_ONE_CALL_HOST_SLACK_NS;
	if (t->one_call_slack_ns)
		return t->one_call_slack_ns;
	return t->clock == KB_CLOCK_CALL ? KB_ONE_CALL_LAUNCH_SLACK_NS
					 : KB_ONE_CALL_SLACK_NS;
}

static int64_t slack_of(const struct kb_timing *t, const struct estimate *bound)
{
	return kb_max_i64(bound->median_ns / (KB_PPM / KB_ONE_CALL_SLACK_PPM),
			  least_slack_ns(t));
}

int64_t kb_bound_ns(const struct kb_timing *t,
		    const struct kb_timing *reference)
{
	kb_auto(estimate) struct estimate bound = bound_of(t, reference);

	return bound.count ? bound.median_ns : KB_UNKNOWN;
}

int64_t kb_bound_slack_ns(const struct kb_timing *t,
			  const struct kb_timing *reference)
{
	kb_auto(estimate) struct estimate bound = bound_of(t, reference);

	return bound.count ? slack_of(t, &bound) : KB_UNKNOWN;
}

/* By how much the slope of the reference may be below its median. On a GPU it
 * is known better than the differences are. */
static int64_t doubt_ns(const struct kb_timing *t,
			const struct kb_timing *reference)
{
	kb_auto(estimate) struct estimate slope = slope_of(reference);
	int64_t low_ns = slope.sorted_ns[0], high_ns;

	if (t->copy_in_small_ns != KB_UNKNOWN)
		return 0;
	kb_median_interval_ns(&low_ns, &high_ns, slope.sorted_ns, slope.count,
			      SURE_PPM);
	return slope.median_ns - low_ns;
}

static bool bound_decides(const struct kb_timing *t,
			  const struct kb_timing *reference,
			  const struct estimate *slope,
			  const struct estimate *bound)
{
	int64_t low_ns, high_ns;

	if (!bound->count)
		return false;
	return slope->count &&
	       kb_median_interval_ns(&low_ns, &high_ns, bound->sorted_ns,
				     bound->count, SURE_PPM) &&
	       slope->median_ns + slack_of(t, bound) <
		       low_ns - doubt_ns(t, reference);
}

/* --- the time --------------------------------------------------------- */

/* The bound as a time: with what it cannot tell. */
static struct estimate time_by_bound(const struct kb_timing *t,
				     const struct kb_timing *reference)
{
	struct estimate bound = bound_of(t, reference);

	move_estimate(&bound, slack_of(t, &bound));
	return bound;
}

/* The estimate from samples that decides, into `e`, which the caller
 * releases. */
static enum kb_basis find_basis(struct estimate *e, const struct kb_timing *t,
				const struct kb_timing *reference)
{
	kb_auto(estimate) struct estimate slope = slope_of(t);
	kb_auto(estimate) struct estimate bound = bound_of(t, reference);

	if (bound_decides(t, reference, &slope, &bound)) {
		*e = time_by_bound(t, reference);
		return KB_BASIS_ONE_CALL;
	}
	*e = slope;
	slope = (struct estimate){ .count = 0 };
	return KB_BASIS_SLOPE;
}

int64_t kb_control_most_ns(int64_t control_ns)
{
	return control_ns +
	       kb_max_i64(control_ns / (KB_PPM / KB_CONTROL_SLACK_PPM),
			  KB_CONTROL_SLACK_NS);
}

static bool control_decides(const struct kb_timing *t)
{
	return t->control_ns != KB_UNKNOWN &&
	       t->time_ns > kb_control_most_ns(t->control_ns);
}

static bool device_decides(const struct kb_timing *t)
{
	return t->clock == KB_CLOCK_CALL && t->device_ns > t->time_ns;
}

/* No samples of its own were what decided. */
static bool is_moved(const struct kb_timing *t)
{
	return t->basis == KB_BASIS_DEVICE || t->basis == KB_BASIS_CONTROL;
}

void kb_time_decide(struct kb_timing *t, const struct kb_timing *reference)
{
	kb_auto(estimate) struct estimate e = { .count = 0 };
	const enum kb_basis basis = find_basis(&e, t, reference);

	t->time_ns = t->low_ns = t->high_ns = KB_UNKNOWN;
	t->basis = KB_BASIS_SLOPE;
	if (!e.count || e.median_ns <= 0)
		return;
	t->time_ns = e.median_ns;
	t->basis = basis;
	if (device_decides(t)) {
		t->time_ns = t->device_ns;
		t->basis = KB_BASIS_DEVICE;
		return;
	}
	if (control_decides(t)) {
		t->time_ns = kb_control_most_ns(t->control_ns);
		t->basis = KB_BASIS_CONTROL;
		return;
	}
	kb_median_interval_ns(&t->low_ns, &t->high_ns, e.sorted_ns, e.count,
			      KB_STAT_CONFIDENCE_PPM);
}

bool kb_time_follows(const struct kb_timing *t,
		     const struct kb_timing *reference)
{
	struct kb_timing again = *t;	/* its samples are borrowed */

	kb_time_decide(&again, reference);
	return again.time_ns == t->time_ns && again.basis == t->basis &&
	       again.low_ns == t->low_ns && again.high_ns == t->high_ns;
}

int64_t *kb_time_samples_ns(const struct kb_timing *t,
			    const struct kb_timing *reference, size_t *count)
{
	kb_auto(estimate) struct estimate e = { .count = 0 };

	*count = 0;
	if (t->time_ns == KB_UNKNOWN)
		return NULL;
	e = t->basis == KB_BASIS_ONE_CALL ? time_by_bound(t, reference)
					  : slope_of(t);
	if (is_moved(t))
		move_estimate(&e, t->time_ns - e.median_ns);
	*count = e.count;
	return kb_steal(e.sorted_ns);
}

bool kb_time_interval(int64_t *low_ns, int64_t *high_ns,
		      const struct kb_timing *t,
		      const struct kb_timing *reference, int confidence_ppm)
{
	size_t count;
	kb_auto(mem) int64_t *samples_ns =
		kb_time_samples_ns(t, reference, &count);

	return samples_ns && !is_moved(t) &&
	       kb_median_interval_ns(low_ns, high_ns, samples_ns, count,
				     confidence_ppm);
}
