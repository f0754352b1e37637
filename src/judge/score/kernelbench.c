#include "score/kernelbench.h"

#include "manifest/record.h"

bool kb_upstream_compiled(enum kb_status status, bool compiled)
{
	switch (status) {
	case KB_STATUS_TIMED_OUT:
	case KB_STATUS_CRASHED:
	case KB_STATUS_EXITED:
		return false;
	default:
		return compiled;
	}
}

/* A correct result without a runtime has -1 ms upstream, whose speedup is
 * negative: it is in the mean, as there, with its sign counted apart. */
void kb_upstream_add(struct kb_upstream *u, const struct kb_upstream_result *r)
{
	const bool has_baseline = r->baseline_ms > 0;
	double speedup;

	u->problems++;
	u->compiled += r->compiled;
	u->correct += r->correct;
	u->with_baseline += has_baseline;
	if (!r->correct || !has_baseline)
		return;

	speedup = r->baseline_ms / r->runtime_ms;
	for (int i = 0; i < KB_FAST_COUNT; i++) {
		/* Correctly rounded: the double nearest to p. */
		double p = kb_fast_p_milli[i] / 1000.0;

		u->fast[i] += speedup > p;
	}
	u->negative += speedup < 0;
	kb_geomean_add_ratio(&u->speedups, speedup < 0 ? -speedup : speedup);
}

/* An odd number of negative factors: no real number has such a power. */
static bool has_mean(const struct kb_upstream *u)
{
	return u->speedups.count && u->negative % 2 == 0;
}

int64_t kb_upstream_geomean(const struct kb_upstream *u, int64_t scale)
{
	if (!u->speedups.count)
		return 0;
	return has_mean(u) ? kb_geomean_scaled(&u->speedups, scale) :
			     KB_UNKNOWN;
}

int64_t kb_upstream_mean_of_levels(const struct kb_upstream levels[],
				   int count, int64_t scale)
{
	struct kb_geomean all = { 0 };

	for (int i = 0; i < count; i++) {
		const struct kb_upstream *u = &levels[i];

		if (!has_mean(u))
			continue;
		/* The two counts differ by correct ones without a baseline. */
		all.log2_sum += u->speedups.log2_sum * u->correct /
				u->speedups.count;
		all.count += u->correct;
	}
	return all.count ? kb_geomean_scaled(&all, scale) : 0;
}
