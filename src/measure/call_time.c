#include "measure/call_time.h"

#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "manifest/record.h"
#include "manifest/timing.h"
#include "measure/stats.h"

#define PPM 1000000

/* Medians that a time by the floor is made of: the candidate's calls and large
 * batches, the reference's calls and small batches. */
#define FLOOR_PARTS 4

static bool has_sizes(const struct kb_timing *t)
{
	if (t->method != KB_METHOD_SLOPE)
		return t->n_small > 0;
	return t->n_small >= 0 && t->n_large > t->n_small &&
	       t->large_count == t->small_count;
}

int64_t *kb_call_times_ns(const struct kb_timing *t, size_t *count)
{
	kb_auto(mem) int64_t *zeros_ns = NULL;
	int64_t *times_ns;

	*count = 0;
	if (!t->small_count || !has_sizes(t))
		return NULL;

	*count = t->small_count;
	times_ns = kb_xcalloc(*count, sizeof(*times_ns));
	if (t->method == KB_METHOD_SLOPE) {
		kb_slopes_ns(times_ns, t->small_ns, t->large_ns, *count,
			     t->n_small, t->n_large);
	} else {
		/* A slope from the origin: no calls take no time. */
		zeros_ns = kb_xcalloc(*count, sizeof(*zeros_ns));
		kb_slopes_ns(times_ns, zeros_ns, t->small_ns, *count, 0,
			     t->n_small);
	}
	kb_sort_ns(times_ns, *count);
	return times_ns;
}

int64_t kb_call_time_of(const struct kb_timing *t)
{
	size_t count;
	kb_auto(mem) int64_t *times_ns = kb_call_times_ns(t, &count);
	int64_t time_ns = kb_call_time_ns(times_ns, count);

	return time_ns == KB_NO_TIME ? KB_UNKNOWN : time_ns;
}

static int64_t *sorted(const int64_t samples_ns[], size_t count)
{
	int64_t *sorted_ns = kb_xcalloc(count, sizeof(*sorted_ns));

	memcpy(sorted_ns, samples_ns, count * sizeof(*sorted_ns));
	kb_sort_ns(sorted_ns, count);
	return sorted_ns;
}

static int64_t median_of(const int64_t samples_ns[], size_t count)
{
	kb_auto(mem) int64_t *sorted_ns = sorted(samples_ns, count);

	return kb_median_ns(sorted_ns, count);
}

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* What `n` calls of `call_ns` leave of a batch; a slope may be negative, a
 * call not. */
static int64_t gate_of(int64_t batch_ns, int64_t call_ns, int64_t n)
{
	int64_t calls_ns;

	/* A record may say anything: then nothing is granted for the gate. */
	if (__builtin_mul_overflow(larger(call_ns, 0), n, &calls_ns))
		calls_ns = KB_STAT_NS_MAX;
	return batch_ns > calls_ns ? batch_ns - calls_ns : 0;
}

int64_t kb_call_time_floor(const struct kb_timing *t,
			   const struct kb_timing *reference,
			   int64_t slack_ns)
{
	int64_t reference_ns, gate_ns;

	if (t->method != KB_METHOD_SLOPE || !t->large_count ||
	    !reference || reference->method != KB_METHOD_SLOPE)
		return KB_UNKNOWN;
	reference_ns = kb_call_time_of(reference);
	if (reference_ns == KB_UNKNOWN)
		return KB_UNKNOWN;
	gate_ns = gate_of(median_of(reference->small_ns,
				    reference->small_count),
			  reference_ns, reference->n_small);
	return (median_of(t->large_ns, t->large_count) - gate_ns - slack_ns) /
	       t->n_large;
}

int64_t kb_call_time_beside(const struct kb_timing *t,
			    const struct kb_timing *reference)
{
	const int64_t time_ns = kb_call_time_of(t);
	int64_t floor_ns;

	if (time_ns == KB_UNKNOWN)
		return KB_UNKNOWN;
	floor_ns = kb_call_time_floor(t, reference, KB_GATE_SLACK_NS);
	return floor_ns > time_ns ? floor_ns : time_ns;
}

bool kb_call_time_follows(const struct kb_timing *t,
			  const struct kb_timing *reference)
{
	return t->call_time_ns == KB_UNKNOWN ||
	       t->call_time_ns == kb_call_time_beside(t, reference);
}

bool kb_call_time_interval(int64_t *low_ns, int64_t *high_ns,
			   const struct kb_timing *t,
			   const struct kb_timing *reference,
			   int confidence_ppm)
{
	size_t count;
	kb_auto(mem) int64_t *times_ns = kb_call_times_ns(t, &count);
	const int64_t time_ns = kb_call_time_ns(times_ns, count);

	/* The interval of a median is none of a floor. */
	if (time_ns == KB_NO_TIME ||
	    kb_call_time_floor(t, reference, KB_GATE_SLACK_NS) > time_ns)
		return false;
	return kb_median_interval_ns(low_ns, high_ns, times_ns, count,
				     confidence_ppm);
}

struct span {
	int64_t low_ns, high_ns;
};

static bool span_of_times(struct span *out, const struct kb_timing *t,
			  int confidence_ppm)
{
	size_t count;
	kb_auto(mem) int64_t *times_ns = kb_call_times_ns(t, &count);

	return kb_median_interval_ns(&out->low_ns, &out->high_ns, times_ns,
				     count, confidence_ppm);
}

static bool span_of(struct span *out, const int64_t samples_ns[],
		    size_t count, int confidence_ppm)
{
	kb_auto(mem) int64_t *sorted_ns = sorted(samples_ns, count);

	return kb_median_interval_ns(&out->low_ns, &out->high_ns, sorted_ns,
				     count, confidence_ppm);
}

/* The floor grows with the large batches and the reference's calls, and
 * falls as its small batches grow. */
bool kb_call_time_floor_interval(int64_t *low_ns, int64_t *high_ns,
				 const struct kb_timing *t,
				 const struct kb_timing *reference,
				 int64_t slack_ns, int confidence_ppm)
{
	const int part_ppm = PPM - (PPM - confidence_ppm) / FLOOR_PARTS;
	struct span own, large, call, small;

	if (kb_call_time_floor(t, reference, slack_ns) == KB_UNKNOWN ||
	    !span_of_times(&own, t, part_ppm) ||
	    !span_of(&large, t->large_ns, t->large_count, part_ppm) ||
	    !span_of_times(&call, reference, part_ppm) ||
	    !span_of(&small, reference->small_ns, reference->small_count,
		     part_ppm))
		return false;
	*low_ns = larger(own.low_ns,
			 (large.low_ns - slack_ns -
			  gate_of(small.high_ns, call.low_ns,
				  reference->n_small)) / t->n_large);
	*high_ns = larger(own.high_ns,
			  (large.high_ns - slack_ns -
			   gate_of(small.low_ns, call.high_ns,
				   reference->n_small)) / t->n_large);
	return true;
}
