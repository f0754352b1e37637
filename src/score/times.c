#include "score/times.h"

#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "manifest/device_timing.h"
#include "measure/call_time.h"
#include "measure/device_time.h"
#include "measure/mean_time.h"
#include "score/speedup.h"

const struct kb_times kb_no_times;

struct kb_times kb_times_by(enum kb_clock clock, const struct kb_timing *call,
			    const struct kb_device_timing *device)
{
	return clock == KB_CLOCK_DEVICE ?
		       (struct kb_times){ .device = device } :
		       (struct kb_times){ .call = call };
}

bool kb_times_follow(const struct kb_times *t, const struct kb_times *beside)
{
	if (t->call)
		return kb_call_time_follows(t->call, beside->call);
	if (t->device)
		return kb_device_time_follows(t->device, beside->device);
	return true;
}

int64_t kb_times_median_ns(const struct kb_times *t)
{
	if (t->call)
		return t->call->call_time_ns;
	return t->device ? t->device->time_ns : KB_UNKNOWN;
}

int64_t kb_times_mean_ns(const struct kb_times *t,
			 const struct kb_times *beside)
{
	if (kb_times_median_ns(t) == KB_UNKNOWN)
		return KB_UNKNOWN;
	return t->call ? kb_mean_call_time(t->call, beside->call) :
			 kb_mean_device_time(t->device);
}

int64_t kb_times_candidate_mean_ns(const struct kb_times *t,
				   const struct kb_times *beside)
{
	const int64_t mean_ns = kb_times_mean_ns(t, beside);
	const int64_t median_ns = kb_times_median_ns(t);
	int64_t least_ns;

	if (median_ns == KB_UNKNOWN)
		return KB_UNKNOWN;
	least_ns = kb_three_digits(median_ns, 1);
	/* An unknown mean is less than any. */
	return mean_ns > least_ns ? mean_ns : least_ns;
}

static void median_interval(struct kb_interval *out, const struct kb_times *t,
			    const struct kb_times *beside, int confidence_ppm)
{
	*out = (struct kb_interval)KB_INTERVAL_INIT;
	if (kb_times_median_ns(t) == KB_UNKNOWN)
		return;
	if (t->call)
		kb_call_time_interval(&out->low_ns, &out->high_ns, t->call,
				      beside->call, confidence_ppm);
	else
		kb_device_time_interval(&out->low_ns, &out->high_ns,
					t->device, confidence_ppm);
}

void kb_times_interval(struct kb_interval *out, const struct kb_times *t,
		       const struct kb_times *beside)
{
	median_interval(out, t, beside, KB_INTERVAL_PPM);
}

/* The rule of measure/call_time.h, or that of measure/device_time.h. */
static bool is_by_floor(const struct kb_times *t)
{
	if (t->call)
		return t->call->call_time_ns != kb_call_time_of(t->call);
	return t->device && t->device->decider == KB_DECIDER_FLOOR;
}

void kb_times_interval_at(struct kb_interval *out, const struct kb_times *t,
			  const struct kb_times *beside, int confidence_ppm)
{
	median_interval(out, t, beside, confidence_ppm);
	if (kb_times_median_ns(t) == KB_UNKNOWN || !is_by_floor(t))
		return;
	if (t->call)
		kb_call_time_floor_interval(&out->low_ns, &out->high_ns,
					    t->call, beside->call,
					    KB_GATE_SLACK_NS, confidence_ppm);
	else if (beside->device)
		kb_call_time_floor_interval(&out->low_ns, &out->high_ns,
					    t->device->batches,
					    beside->device->batches,
					    KB_DEVICE_GATE_SLACK_NS,
					    confidence_ppm);
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
	return kb_call_time_of(&half);
}

int64_t kb_times_noise_micro(const struct kb_times *t)
{
	const struct kb_timing *samples =
		t->call ? t->call : t->device ? t->device->batches : NULL;
	int64_t odd_ns, even_ns;

	if (!samples || samples->small_count < 4)
		return KB_UNKNOWN;
	odd_ns = time_of_half(samples, 0);
	even_ns = time_of_half(samples, 1);
	if (odd_ns == KB_UNKNOWN || even_ns == KB_UNKNOWN)
		return KB_UNKNOWN;
	return kb_ratio_micro(odd_ns, even_ns);
}
