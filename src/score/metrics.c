#include "score/metrics.h"

#include "base/alloc.h"
#include "base/cleanup.h"
#include "measure/stats.h"
#include "score/speedup.h"

bool kb_speedup_known(const struct kb_score_line *line)
{
	return line->status == KB_STATUS_CORRECT &&
	       line->candidate_ns != KB_UNKNOWN &&
	       line->baseline_ns != KB_UNKNOWN;
}

void kb_metrics_of(struct kb_metrics *out, const struct kb_verdict verdicts[],
		   size_t count)
{
	struct kb_geomean geomean = { 0 };

	*out = (struct kb_metrics)KB_METRICS_INIT;
	out->problems = (int64_t)count;

	for (size_t i = 0; i < count; i++) {
		const struct kb_score_line *l = &verdicts[i].line;

		out->status_counts[l->status]++;
		out->compiled += verdicts[i].compiled;
		out->correct += l->status == KB_STATUS_CORRECT;
		if (!kb_speedup_known(l))
			continue;

		kb_geomean_add(&geomean, l->baseline_ns, l->candidate_ns);
		for (int p = 0; p < KB_FAST_COUNT; p++)
			out->fast[p] += kb_speedup_exceeds(l->baseline_ns,
							   l->candidate_ns,
							   kb_fast_p_milli[p]);
	}
	if (geomean.count)
		out->geomean_speedup_micro = kb_geomean_micro(&geomean);
}

int64_t kb_drift_micro(const struct kb_score_line *line)
{
	if (line->reference_ns == KB_UNKNOWN || line->baseline_ns == KB_UNKNOWN)
		return KB_UNKNOWN;

	return kb_ratio_micro(line->reference_ns, line->baseline_ns);
}

void kb_drift_of(struct kb_drift *out, const struct kb_score_line lines[],
		 size_t count)
{
	kb_auto(mem) int64_t *micro = kb_xcalloc(count, sizeof(*micro));
	size_t n = 0;

	*out = (struct kb_drift){ .median_micro = KB_UNKNOWN,
				  .min_micro = KB_UNKNOWN,
				  .max_micro = KB_UNKNOWN };

	for (size_t i = 0; i < count; i++) {
		int64_t drift_micro = kb_drift_micro(&lines[i]);

		if (drift_micro != KB_UNKNOWN)
			micro[n++] = drift_micro;
	}
	if (!n)
		return;

	/* The order statistics ask for integers, not for a unit. */
	kb_sort_ns(micro, n);
	out->problems = n;
	out->median_micro = kb_median_ns(micro, n);
	out->min_micro = micro[0];
	out->max_micro = micro[n - 1];
}
