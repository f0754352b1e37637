#include "exchange/time_summary.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "manifest/device_timing.h"
#include "measure/call_time.h"
#include "measure/device_time.h"
#include "measure/stats.h"

#define NS_PER_MS 1e6

static const char *const names[] = {
	[KB_STATISTIC_MEDIAN] = "median",
	[KB_STATISTIC_MEAN] = "mean",
};

const char *kb_statistic_name(enum kb_statistic statistic)
{
	return names[statistic];
}

int kb_statistic_parse(enum kb_statistic *out, const char *name,
		       struct kb_err *err)
{
	for (int i = 0; i < KB_STATISTIC_COUNT; i++) {
		if (strcmp(names[i], name))
			continue;
		*out = (enum kb_statistic)i;
		return 0;
	}
	return kb_err(err, KB_ERR_USAGE,
		      "no statistic is called '%s', there are: median, mean",
		      name);
}

/* A time, and the timing whose samples it is from. */
struct decided {
	const struct kb_timing *timing;
	int64_t time_ns;
	bool follows;
};

static const struct kb_timing *decider_of(const struct kb_device_timing *t)
{
	switch (t->decider) {
	case KB_DECIDER_FEW_CALLS:
		return t->few_calls;
	case KB_DECIDER_PUBLISHING:
		return t->publishing;
	default:
		return t->batches;
	}
}

/* False if there is no time by this clock. */
static bool decided_of(struct decided *out, const struct kb_time_source *s,
		       enum kb_clock clock)
{
	if (clock == KB_CLOCK_DEVICE) {
		if (!s->device || s->device->time_ns == KB_UNKNOWN)
			return false;
		out->timing = decider_of(s->device);
		out->time_ns = s->device->time_ns;
		out->follows = kb_device_time_follows(s->device,
						      s->device_beside);
	} else {
		if (!s->call || s->call->call_time_ns == KB_UNKNOWN)
			return false;
		out->timing = s->call;
		out->time_ns = s->call->call_time_ns;
		out->follows = kb_call_time_follows(s->call, s->call_beside);
	}
	return true;
}

static double mean_of(const int64_t samples_ns[], size_t count)
{
	__int128 sum_ns = 0;

	for (size_t i = 0; i < count; i++)
		sum_ns += samples_ns[i];
	return (double)sum_ns / (double)count;
}

static double deviation_of(const int64_t samples_ns[], size_t count,
			   double mean_ns)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++) {
		double off_ns = (double)samples_ns[i] - mean_ns;

		sum += off_ns * off_ns;
	}
	return sqrt(sum / (double)count);
}

static void move_median(int64_t sorted_ns[], size_t count, int64_t to_ns)
{
	int64_t by_ns = to_ns - kb_median_ns(sorted_ns, count);

	for (size_t i = 0; i < count; i++)
		sorted_ns[i] += by_ns;
}

int kb_time_summarise(struct kb_time_summary *out,
		      const struct kb_time_source *source,
		      const struct kb_summary_choice *choice,
		      struct kb_err *err)
{
	kb_auto(mem) int64_t *samples_ns = NULL;
	struct decided d;
	double mean_ns, said_ns;
	size_t count;

	if (!decided_of(&d, source, choice->clock))
		return 0;
	if (!d.follows)
		return kb_err(err, KB_ERR_INPUT,
			      "the time does not follow from its samples");

	samples_ns = kb_call_times_ns(d.timing, &count);
	move_median(samples_ns, count, d.time_ns);
	mean_ns = mean_of(samples_ns, count);
	said_ns = (double)d.time_ns;
	if (choice->statistic == KB_STATISTIC_MEAN &&
	    !(source->is_candidate && mean_ns < said_ns))
		said_ns = mean_ns;
	if (said_ns <= 0)
		return kb_err(err, KB_ERR_INPUT,
			      "the mean of the samples is not above zero");

	*out = (struct kb_time_summary){
		.mean_ms = said_ns / NS_PER_MS,
		.std_ms = deviation_of(samples_ns, count, mean_ns) / NS_PER_MS,
		.min_ms = (double)samples_ns[0] / NS_PER_MS,
		.max_ms = (double)samples_ns[count - 1] / NS_PER_MS,
		.trials = count,
	};
	return 1;
}
