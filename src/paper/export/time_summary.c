#include "export/time_summary.h"

#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "measure/time_rule.h"
#include "score/times.h"

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

/* The time under the name "mean", or KB_UNKNOWN. KernelBench says mean where kb
 * has a median. Which number goes under that name is the user's choice, and is
 * in the file. */
static int64_t said_ns(const struct kb_time_source *source,
		       const struct kb_timing *t,
		       const struct kb_timing *paired,
		       enum kb_statistic statistic)
{
	if (statistic == KB_STATISTIC_MEDIAN)
		return kb_times_median_ns(t);
	return source->is_candidate ? kb_times_candidate_mean_ns(t, paired)
				    : kb_times_mean_ns(t, paired);
}

static double mean_of(const int64_t samples_ns[], size_t count)
{
	__int128 sum_ns = 0;

	for (size_t i = 0; i < count; i++)
		sum_ns += samples_ns[i];
	return (double)sum_ns / (double)count;
}

/* About their own mean, whatever is said. */
static double deviation_of(const int64_t samples_ns[], size_t count)
{
	const double mean_ns = mean_of(samples_ns, count);
	double sum = 0;

	for (size_t i = 0; i < count; i++) {
		double off_ns = (double)samples_ns[i] - mean_ns;

		sum += off_ns * off_ns;
	}
	return sqrt(sum / (double)count);
}

int kb_time_summarise(struct kb_time_summary *out,
		      const struct kb_time_source *source,
		      const struct kb_summary_choice *choice,
		      struct kb_err *err)
{
	const struct kb_timing *t = kb_timing_by(choice->clock, source->call,
						 source->device);
	const struct kb_timing *paired = kb_timing_by(
		choice->clock, source->paired_call, source->paired_device);
	kb_auto(mem) int64_t *samples_ns = NULL;
	int64_t mean_ns;
	size_t count;

	if (kb_times_median_ns(t) == KB_UNKNOWN)
		return 0;
	/* Files of others cannot be verified any more, so that a time which is
	 * not that of its samples is refused on the way out. */
	if (!kb_times_follow(t, paired))
		return kb_err(err, KB_ERR_INPUT,
			      "the time does not follow from its samples");
	mean_ns = said_ns(source, t, paired, choice->statistic);
	if (mean_ns == KB_UNKNOWN)
		return kb_err(err, KB_ERR_INPUT,
			      "the mean of the samples is not above zero");

	samples_ns = kb_time_samples_ns(t, paired, &count);
	*out = (struct kb_time_summary){
		.mean_ms = (double)mean_ns / NS_PER_MS,
		.std_ms = deviation_of(samples_ns, count) / NS_PER_MS,
		.min_ms = (double)samples_ns[0] / NS_PER_MS,
		.max_ms = (double)samples_ns[count - 1] / NS_PER_MS,
		.trials = count,
	};
	return 1;
}
