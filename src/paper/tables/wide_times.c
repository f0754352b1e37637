#include "tables/wide_times.h"

#include "base/buf.h"
#include "manifest/baseline.h"
#include "manifest/device_timing.h"
#include "manifest/evaluation.h"
#include "manifest/timing.h"

static void add_time(struct kb_wide_times *w, const struct kb_timing *t)
{
	const int limit_ppm = w->is_by_calls ? KB_WIDE_CALLS_PPM
					     : KB_WIDE_TIMES_PPM;

	if (!t || t->time_ns == KB_UNKNOWN || t->low_ns == KB_UNKNOWN)
		return;
	w->count++;
	/* Ends of an interval are any numbers that a record can hold. */
	if ((double)t->high_ns - (double)t->low_ns >
	    (double)t->time_ns * (limit_ppm / 1e6))
		w->wide++;
}

static void add_either(struct kb_wide_times *w, const struct kb_timing *call,
		       const struct kb_device_timing *device)
{
	add_time(w, w->is_by_calls ? call : device ? device->timing : NULL);
}

void kb_wide_times_of_baseline(struct kb_wide_times *out,
			       const struct kb_baseline *b)
{
	*out = (struct kb_wide_times)KB_WIDE_TIMES_INIT;
	out->is_by_calls = true;
	for (size_t i = 0; i < b->result_count; i++)
		if (b->results[i].device_timing)
			out->is_by_calls = false;
	for (size_t i = 0; i < b->result_count; i++)
		add_either(out, b->results[i].timing,
			   b->results[i].device_timing);
}

void kb_wide_times_of_evaluation(struct kb_wide_times *out,
				 const struct kb_evaluation *e)
{
	*out = (struct kb_wide_times)KB_WIDE_TIMES_INIT;
	out->is_by_calls = true;
	for (size_t i = 0; i < e->result_count; i++)
		if (e->results[i].device_timing ||
		    e->results[i].reference_device_timing)
			out->is_by_calls = false;
	for (size_t i = 0; i < e->result_count; i++) {
		const struct kb_result *r = &e->results[i];

		add_either(out, r->timing, r->device_timing);
		add_either(out, r->reference_timing,
			   r->reference_device_timing);
	}
}

void kb_wide_times_print(struct kb_buf *out, const struct kb_wide_times *w)
{
	if (w->is_by_calls && 2 * w->wide > w->count)
		kb_buf_addf(out, "note: %zu of %zu times have an interval wider "
			    "than %d %% of the time: too noisy to rank; repeat "
			    "on an idle machine\n", w->wide, w->count,
			    KB_WIDE_CALLS_PPM / 10000);
	else if (!w->is_by_calls && w->wide)
		kb_buf_addf(out, "note: %zu of %zu times by the device's clock "
			    "have an interval wider than %d %% of the time: "
			    "was the machine busy?\n", w->wide, w->count,
			    KB_WIDE_TIMES_PPM / 10000);
}
