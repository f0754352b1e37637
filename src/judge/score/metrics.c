#include "score/metrics.h"

#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "manifest/baseline.h"
#include "measure/stats.h"
#include "score/speedup.h"

bool kb_speedup_known(const struct kb_score_line *line)
{
	return line->status == KB_STATUS_CORRECT &&
	       line->candidate_ns != KB_UNKNOWN &&
	       line->baseline_ns != KB_UNKNOWN;
}

static bool has_interval(const struct kb_interval *i)
{
	return i->low_ns != KB_UNKNOWN;
}

/* An end of the ratio's interval into the mean of such ends, which is lost
 * with the first end that is unknown or not positive. */
static void add_end(struct kb_geomean *g, int64_t baseline_ns,
		    int64_t candidate_ns)
{
	if (g->count < 0)
		return;
	if (baseline_ns > 0 && candidate_ns > 0)
		kb_geomean_add(g, baseline_ns, candidate_ns);
	else
		g->count = -1;
}

/* Low ends may be negative, and so is then their product with p. */
static void add_certainty(struct kb_tally *t, const struct kb_score_line *l)
{
	const struct kb_interval *b = &l->baseline, *c = &l->candidate;
	struct kb_certainty *out = &t->metrics.certainty;
	const bool known = has_interval(b) && has_interval(c);

	t->metrics.has_certainty = true;
	add_end(&t->low, known ? b->low_ns : 0, known ? c->high_ns : 0);
	add_end(&t->high, known ? b->high_ns : 0, known ? c->low_ns : 0);
	for (int i = 0; i < KB_FAST_COUNT; i++) {
		const int p = kb_fast_p_milli[i];

		if (!p || (known && kb_speedup_exceeds(b->low_ns, c->high_ns,
						       p)))
			out->certain[i]++;
		else if (!known ||
			 kb_speedup_exceeds(b->high_ns, c->low_ns, p))
			out->undecided[i]++;
	}
}

/* Counts are nested: what is fast is correct, and what is correct compiled. A
 * correct candidate without a speedup is in the counts and in no mean. */
void kb_tally_add(struct kb_tally *t, const struct kb_verdict *v)
{
	const struct kb_score_line *l = &v->line;
	struct kb_metrics *m = &t->metrics;

	m->problems++;
	m->status_counts[l->status]++;
	m->compiled += v->compiled;
	if (l->status != KB_STATUS_CORRECT || v->too_few_trials)
		return;
	m->correct++;
	if (!kb_speedup_known(l))
		return;

	kb_geomean_add(&t->speedups, l->baseline_ns, l->candidate_ns);
	for (int i = 0; i < KB_FAST_COUNT; i++)
		m->fast[i] += kb_speedup_exceeds(l->baseline_ns,
						 l->candidate_ns,
						 kb_fast_p_milli[i]);
	if (l->has_intervals)
		add_certainty(t, l);
}

static int64_t mean_of(const struct kb_geomean *g)
{
	return g->count > 0 ? kb_geomean_micro(g) : KB_UNKNOWN;
}

void kb_tally_end(struct kb_tally *t)
{
	t->metrics.geomean_speedup_micro = mean_of(&t->speedups);
	t->metrics.certainty.geomean_low_micro = mean_of(&t->low);
	t->metrics.certainty.geomean_high_micro = mean_of(&t->high);
}

void kb_metrics_of(struct kb_metrics *out, const struct kb_verdict verdicts[],
		   size_t count)
{
	struct kb_tally t = KB_TALLY_INIT;

	for (size_t i = 0; i < count; i++)
		kb_tally_add(&t, &verdicts[i]);
	kb_tally_end(&t);
	*out = t.metrics;
}

int64_t kb_drift_micro(const struct kb_score_line *line)
{
	if (line->reference_ns == KB_UNKNOWN || line->baseline_ns == KB_UNKNOWN)
		return KB_UNKNOWN;

	return kb_ratio_micro(line->reference_ns, line->baseline_ns);
}

bool kb_has_drift(const struct kb_score *s)
{
	return kb_json_text_is(s->definition, "baseline_mode",
			       kb_mode_name(KB_MODE_EAGER));
}

static void spread_of(struct kb_spread *out,
		      const struct kb_score_line lines[], size_t count,
		      int64_t (*ratio_micro)(const struct kb_score_line *line))
{
	kb_auto(mem) int64_t *micro = kb_xcalloc(count, sizeof(*micro));
	size_t n = 0;

	*out = (struct kb_spread)KB_SPREAD_INIT;
	for (size_t i = 0; i < count; i++) {
		micro[n] = ratio_micro(&lines[i]);
		n += micro[n] != KB_UNKNOWN;
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

void kb_drift_of(struct kb_spread *out, const struct kb_score_line lines[],
		 size_t count)
{
	spread_of(out, lines, count, kb_drift_micro);
}

static int64_t noise_micro(const struct kb_score_line *line)
{
	return line->noise_micro;
}

void kb_noise_of(struct kb_spread *out, const struct kb_score_line lines[],
		 size_t count)
{
	spread_of(out, lines, count, noise_micro);
}
