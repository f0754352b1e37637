#include "score/times.h"

#include "base/alloc.h"
#include "base/cleanup.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/device_timing.h"
#include "manifest/result.h"
#include "measure/mean_time.h"
#include "measure/stopping.h"
#include "measure/time_rule.h"
#include "score/speedup.h"

const struct kb_timing *kb_timing_by(enum kb_clock clock,
				     const struct kb_timing *call,
				     const struct kb_device_timing *device)
{
	if (clock == KB_CLOCK_CALL)
		return call;
	return kb_device_time(device);
}

static bool has_time(const struct kb_timing *call,
		     const struct kb_device_timing *device, enum kb_clock clock)
{
	return kb_times_median_ns(kb_timing_by(clock, call, device)) !=
	       KB_UNKNOWN;
}

bool kb_result_has_time(const struct kb_result *r)
{
	const struct kb_timing *device = kb_device_time(r->device_timing);

	return kb_times_median_ns(r->timing) != KB_UNKNOWN ||
	       kb_times_median_ns(device) != KB_UNKNOWN;
}

enum kb_clock kb_usual_clock(const struct kb_baseline *b)
{
	for (size_t i = 0; i < b->result_count; i++)
		if (has_time(NULL, b->results[i].device_timing,
			     KB_CLOCK_DEVICE))
			return KB_CLOCK_DEVICE;
	return KB_CLOCK_CALL;
}

enum kb_clock kb_evaluation_clock(const struct kb_evaluation *e)
{
	for (size_t i = 0; i < e->result_count; i++)
		if (e->results[i].device_timing &&
		    e->results[i].device_timing->timing)
			return KB_CLOCK_DEVICE;
	return KB_CLOCK_CALL;
}

/* A problem whose reference cannot be queued has no time by the device's clock,
 * and is judged by calls, both sides of it, instead of not at all. */
enum kb_clock kb_problem_clock(enum kb_clock clock,
			       const struct kb_timing *call,
			       const struct kb_device_timing *device)
{
	return has_time(call, device, KB_CLOCK_CALL) &&
	       !has_time(call, device, KB_CLOCK_DEVICE) ? KB_CLOCK_CALL
							: clock;
}

struct kb_session_times kb_session_times_of(const struct kb_result *r,
					    enum kb_clock clock)
{
	const enum kb_clock own =
		has_time(r->timing, r->device_timing, clock) ? clock
							     : KB_CLOCK_CALL;

	return (struct kb_session_times){
		.reference = kb_timing_by(clock, r->reference_timing,
					  r->reference_device_timing),
		.candidate = kb_timing_by(own, r->timing, r->device_timing),
		.paired = kb_timing_by(own, r->reference_timing,
				       r->reference_device_timing),
		.candidate_clock = own,
	};
}

bool kb_times_follow(const struct kb_timing *t,
		     const struct kb_timing *paired)
{
	return !t || kb_time_follows(t, paired);
}

int64_t kb_times_median_ns(const struct kb_timing *t)
{
	return t ? t->time_ns : KB_UNKNOWN;
}

int64_t kb_times_mean_ns(const struct kb_timing *t,
			 const struct kb_timing *paired)
{
	return t ? kb_mean_time(t, paired) : KB_UNKNOWN;
}

int64_t kb_times_candidate_mean_ns(const struct kb_timing *t,
				   const struct kb_timing *paired)
{
	const int64_t mean_ns = kb_times_mean_ns(t, paired);
	const int64_t median_ns = kb_times_median_ns(t);
	int64_t least_ns;

	if (median_ns == KB_UNKNOWN)
		return KB_UNKNOWN;
	least_ns = kb_three_digits(median_ns, 1);
	/* An unknown mean is less than any. */
	return mean_ns > least_ns ? mean_ns : least_ns;
}

void kb_times_interval(struct kb_interval *out, const struct kb_timing *t,
		       const struct kb_timing *paired, int confidence_ppm)
{
	*out = (struct kb_interval)KB_INTERVAL_INIT;
	if (t && !kb_time_interval(&out->low_ns, &out->high_ns, t, paired,
				   confidence_ppm))
		kb_slow_range(&out->low_ns, &out->high_ns, t);
}

/* The least quotient of two intervals is the low end by the high end, and the
 * most the other way round. An end at or below zero bounds nothing. */
int64_t kb_interval_least_micro(struct kb_interval over,
				struct kb_interval under)
{
	return over.low_ns > 0 && under.high_ns > 0 ?
		kb_ratio_micro(over.low_ns, under.high_ns) : 0;
}

int64_t kb_interval_most_micro(struct kb_interval over,
			       struct kb_interval under)
{
	return over.high_ns > 0 && under.low_ns > 0 ?
		kb_ratio_micro(over.high_ns, under.low_ns) : INT64_MAX;
}

/* Every other of `count` samples, from the first or from the second. */
static size_t take_half(int64_t out[], const int64_t samples_ns[],
			size_t count, size_t first)
{
	size_t n = 0;

	for (size_t i = first; i < count; i += 2)
		out[n++] = samples_ns[i];
	return n;
}

static int64_t time_of_half(const struct kb_timing *t, size_t first)
{
	kb_auto(mem) int64_t *small_ns =
		kb_xcalloc(t->small_count, sizeof(*small_ns));
	kb_auto(mem) int64_t *large_ns =
		kb_xcalloc(t->large_count, sizeof(*large_ns));
	struct kb_timing half = *t;

	half.small_ns = small_ns;
	half.large_ns = large_ns;
	half.small_count = take_half(small_ns, t->small_ns, t->small_count,
				     first);
	half.large_count = take_half(large_ns, t->large_ns, t->large_count,
				     first);
	return kb_slope_ns(&half);
}

/* Odd trials by even ones: both halves saw the same machine in the same
 * minutes, so that what is between them is what repetition alone makes. */
int64_t kb_times_noise_micro(const struct kb_timing *t)
{
	int64_t odd_ns, even_ns;

	if (!t || t->small_count < 4)
		return KB_UNKNOWN;
	odd_ns = time_of_half(t, 0);
	even_ns = time_of_half(t, 1);
	if (odd_ns == KB_UNKNOWN || even_ns == KB_UNKNOWN)
		return KB_UNKNOWN;
	return kb_ratio_micro(odd_ns, even_ns);
}
