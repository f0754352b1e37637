#include "tables/wide_times.h"

#include "base/buf.h"
#include "manifest/baseline.h"
#include "manifest/device_timing.h"
#include "manifest/evaluation.h"
#include "manifest/timing.h"

static void add(struct kb_wide_times *w, const struct kb_device_timing *d)
{
	const struct kb_timing *t = d ? d->timing : NULL;

	if (!t || t->time_ns == KB_UNKNOWN || t->low_ns == KB_UNKNOWN)
		return;
	w->count++;
	/* Ends of an interval are any numbers that a record can hold. */
	if ((double)t->high_ns - (double)t->low_ns >
	    (double)t->time_ns * (KB_WIDE_TIMES_PPM / 1e6))
		w->wide++;
}

void kb_wide_times_of_baseline(struct kb_wide_times *out,
			       const struct kb_baseline *b)
{
	*out = (struct kb_wide_times)KB_WIDE_TIMES_INIT;
	for (size_t i = 0; i < b->result_count; i++)
		add(out, b->results[i].device_timing);
}

void kb_wide_times_of_evaluation(struct kb_wide_times *out,
				 const struct kb_evaluation *e)
{
	*out = (struct kb_wide_times)KB_WIDE_TIMES_INIT;
	for (size_t i = 0; i < e->result_count; i++) {
		add(out, e->results[i].device_timing);
		add(out, e->results[i].reference_device_timing);
	}
}

void kb_wide_times_print(struct kb_buf *out, const struct kb_wide_times *w)
{
	if (w->wide)
		kb_buf_addf(out, "note: %zu of %zu times by the device's clock "
			    "have an interval wider than %d %% of the time: "
			    "was the machine busy?\n", w->wide, w->count,
			    KB_WIDE_TIMES_PPM / 10000);
}
