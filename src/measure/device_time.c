#include "measure/device_time.h"

#include "base/cleanup.h"
#include "manifest/device_timing.h"
#include "measure/call_time.h"
#include "measure/stats.h"

/* How sure we are that a candidate had help before we say so. */
#define SURE_PPM 999000
#define PPM 1000000

/* What the slopes of one timing say of a call, less what is no part of it. */
struct estimate {
	int64_t median_ns;
	bool has_interval, is_sure;	/* at 95 %, at 99.9 % */
	int64_t low_ns, high_ns;
	int64_t sure_low_ns;
};

/* Within what a record can hold. */
static int64_t less(int64_t a, int64_t b)
{
	int64_t difference;

	if (__builtin_sub_overflow(a, b, &difference) ||
	    difference < -KB_STAT_NS_MAX)
		return -KB_STAT_NS_MAX;
	return difference > KB_STAT_NS_MAX ? KB_STAT_NS_MAX : difference;
}

static bool estimate(struct estimate *out, const struct kb_timing *t,
		     int64_t beside_ns)
{
	size_t count = 0;
	kb_auto(mem) int64_t *times_ns = t ? kb_call_times_ns(t, &count) : NULL;
	int64_t sure_high_ns;

	*out = (struct estimate){ .has_interval = false };
	if (!count)
		return false;
	out->has_interval =
		kb_median_interval_ns(&out->low_ns, &out->high_ns, times_ns,
				      count, KB_STAT_CONFIDENCE_PPM);
	out->is_sure = kb_median_interval_ns(&out->sure_low_ns, &sure_high_ns,
					     times_ns, count, SURE_PPM);
	out->median_ns = less(kb_median_ns(times_ns, count), beside_ns);
	out->low_ns = less(out->low_ns, beside_ns);
	out->high_ns = less(out->high_ns, beside_ns);
	out->sure_low_ns = less(out->sure_low_ns, beside_ns);
	return true;
}

static void decide(struct kb_device_timing *t, enum kb_decider decider,
		   int64_t time_ns, const struct estimate *e)
{
	if (t->time_ns != KB_UNKNOWN && time_ns <= t->time_ns)
		return;
	t->time_ns = time_ns;
	t->decider = decider;
	t->low_ns = e && e->has_interval ? e->low_ns : KB_UNKNOWN;
	t->high_ns = e && e->has_interval ? e->high_ns : KB_UNKNOWN;
}

/* A single size has no gaps between few calls that it could have saved. */
static bool has_slopes(const struct kb_timing *t)
{
	return t && t->method == KB_METHOD_SLOPE;
}

static void ask_few_calls(struct kb_device_timing *t, int64_t batches_ns)
{
	struct estimate few;

	if (has_slopes(t->few_calls) && estimate(&few, t->few_calls, 0) &&
	    few.is_sure &&
	    batches_ns < less(few.sure_low_ns, KB_FEW_CALLS_SLACK_NS))
		decide(t, KB_DECIDER_FEW_CALLS, few.high_ns, &few);
}

static void ask_publishing(struct kb_device_timing *t, int64_t batches_ns)
{
	struct estimate late;

	/* Single calls hold what a batch pays once; slopes do not. */
	if (!t->publishing || t->publishing->method != t->batches->method ||
	    t->publish_ns == KB_UNKNOWN)
		return;
	if (estimate(&late, t->publishing, t->publish_ns) && late.is_sure &&
	    (__int128)batches_ns * PPM <
	    (__int128)late.sure_low_ns * (PPM - KB_PUBLISH_SLACK_PPM))
		decide(t, KB_DECIDER_PUBLISHING, late.median_ns, &late);
}

static void ask_floor(struct kb_device_timing *t,
		      const struct kb_device_timing *reference)
{
	int64_t floor_ns;

	if (!reference || reference->no_gate || !reference->batches)
		return;
	floor_ns = kb_call_time_floor(t->batches, reference->batches,
				      KB_DEVICE_GATE_SLACK_NS);
	if (floor_ns != KB_UNKNOWN)
		decide(t, KB_DECIDER_FLOOR, floor_ns, NULL);
}

void kb_device_time_decide(struct kb_device_timing *t,
			   const struct kb_device_timing *reference)
{
	struct estimate batches;

	t->time_ns = t->low_ns = t->high_ns = KB_UNKNOWN;
	t->decider = KB_DECIDER_BATCHES;
	if (t->no_gate || !estimate(&batches, t->batches, 0) ||
	    batches.median_ns <= 0)
		return;

	decide(t, KB_DECIDER_BATCHES, batches.median_ns, &batches);
	if (has_slopes(t->batches))
		ask_few_calls(t, batches.median_ns);
	ask_publishing(t, batches.median_ns);
	if (has_slopes(t->batches))
		ask_floor(t, reference);
}

static bool own_time_follows(const struct kb_timing *t)
{
	return !t || kb_call_time_follows(t, NULL);
}

bool kb_device_time_follows(const struct kb_device_timing *t,
			    const struct kb_device_timing *reference)
{
	struct kb_device_timing again = *t;	/* its timings are borrowed */

	if (t->time_ns == KB_UNKNOWN)
		return true;
	kb_device_time_decide(&again, reference);
	return again.time_ns == t->time_ns && again.decider == t->decider &&
	       again.low_ns == t->low_ns && again.high_ns == t->high_ns &&
	       own_time_follows(t->batches) && own_time_follows(t->few_calls) &&
	       own_time_follows(t->publishing);
}

bool kb_device_time_is_precise(const struct kb_timing *batches,
			       int64_t interval_ppm)
{
	struct estimate e;

	return estimate(&e, batches, 0) && e.has_interval && e.median_ns > 0 &&
	       (__int128)(e.high_ns - e.low_ns) * PPM <=
	       (__int128)e.median_ns * interval_ppm;
}

bool kb_device_time_interval(int64_t *low_ns, int64_t *high_ns,
			     const struct kb_device_timing *t,
			     int confidence_ppm)
{
	const struct kb_timing *const from[KB_DECIDER_COUNT] = {
		[KB_DECIDER_BATCHES] = t->batches,
		[KB_DECIDER_FEW_CALLS] = t->few_calls,
		[KB_DECIDER_PUBLISHING] = t->publishing,
	};
	const struct kb_timing *decider = from[t->decider];
	kb_auto(mem) int64_t *times_ns = NULL;
	size_t count = 0;

	if (t->time_ns == KB_UNKNOWN || !decider)
		return false;
	times_ns = kb_call_times_ns(decider, &count);
	if (!kb_median_interval_ns(low_ns, high_ns, times_ns, count,
				   confidence_ppm))
		return false;
	if (t->decider == KB_DECIDER_PUBLISHING) {
		*low_ns = less(*low_ns, t->publish_ns);
		*high_ns = less(*high_ns, t->publish_ns);
	}
	return true;
}
