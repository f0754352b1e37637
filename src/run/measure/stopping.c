#include "measure/stopping.h"

#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/numbers.h"
#include "manifest/record.h"
#include "measure/policy.h"
#include "measure/stats.h"
#include "measure/time_rule.h"

static int64_t least_slope_ns(const struct kb_timing *t)
{
	kb_auto(mem) int64_t *slopes_ns =
		kb_xcalloc(t->small_count, sizeof(*slopes_ns));

	kb_slopes_ns(slopes_ns, t->small_ns, t->large_ns, t->small_count,
		     t->n_small, t->n_large);
	kb_sort_ns(slopes_ns, t->small_count);
	return slopes_ns[0];
}

/* The time of a call by the large runs, with the cost of a run: short batches
 * that were made for a slow candidate may have no slope. */
static int64_t call_at_most_ns(const struct kb_timing *t)
{
	kb_auto(mem) int64_t *runs_ns =
		kb_xcalloc(t->large_count, sizeof(*runs_ns));

	memcpy(runs_ns, t->large_ns, t->large_count * sizeof(*runs_ns));
	kb_sort_ns(runs_ns, t->large_count);
	return kb_median_ns(runs_ns, t->large_count) / t->n_large;
}

static bool have_lasted(const struct kb_timing *t, int64_t ns)
{
	for (size_t i = 0; i < t->small_count && ns > 0; i++)
		ns -= kb_max_i64(t->small_ns[i], 0) +
		      kb_max_i64(t->large_ns[i], 0);
	return ns <= 0;
}

static bool has_trials(const struct kb_timing *t)
{
	return t && t->small_count >= KB_SLOW_TRIALS &&
	       t->large_count == t->small_count;
}

/* Less what is granted. */
static int64_t grant_tenth(int64_t value, bool is_recorded)
{
	return is_recorded ? value - value / 10 : value;
}

bool kb_trials_are_slow(const struct kb_timing *t,
			const struct kb_timing *reference, int64_t slow_factor,
			bool is_recorded)
{
	int64_t reference_ns;

	if (!slow_factor || !has_trials(t) || !has_trials(reference) ||
	    !have_lasted(t, grant_tenth(KB_SLOW_NS, is_recorded)))
		return false;
	reference_ns = call_at_most_ns(reference);
	return reference_ns > 0 &&
	       least_slope_ns(t) / grant_tenth(slow_factor, is_recorded) >=
		       reference_ns;
}

void kb_slow_range(int64_t *low_ns, int64_t *high_ns,
		   const struct kb_timing *t)
{
	if (t->stop_reason != KB_STOP_SLOW || t->time_ns == KB_UNKNOWN)
		return;
	*low_ns = t->time_ns / 2;
	*high_ns = kb_min_i64(2 * t->time_ns, KB_STAT_NS_MAX);
}

int64_t kb_run_limit_ns(const struct kb_policy *policy, int64_t timeout_ns,
			int64_t reference_call_ns, uint32_t n)
{
	const int64_t call_ns = kb_max_i64(reference_call_ns, 0);
	int64_t times, limit_ns = policy->slow_call_ns;

	if (!policy->slow_factor)
		return timeout_ns;
	times = policy->slow_factor * kb_max_i64(n, 1);
	if (call_ns > timeout_ns / times)
		return timeout_ns;
	limit_ns = kb_max_i64(limit_ns, times * call_ns);
	return kb_min_i64(limit_ns, timeout_ns);
}

int64_t kb_total_limit_ns(const struct kb_policy *policy, int64_t timeout_ns)
{
	return policy->slow_factor ? 10 * timeout_ns : 0;
}

bool kb_trials_are_enough(const struct kb_policy *policy,
			  const struct kb_progress_of_trials *p,
			  enum kb_stop_reason *reason)
{
	if (p->counted < p->least)
		return false;
	if (p->precise)
		*reason = KB_STOP_INTERVAL;
	else if (p->elapsed_ns >= p->budget_ns)
		*reason = KB_STOP_BUDGET;
	else if (p->counted >= policy->trials_max)
		*reason = KB_STOP_TRIALS;
	else
		return false;
	return true;
}

/* Does the bound leave the slope alone, as far as can be told? */
static bool is_clear(const struct kb_timing *t,
		     const struct kb_timing *reference)
{
	const int64_t bound_ns = kb_bound_ns(t, reference);
	const int64_t slope_ns = kb_slope_ns(t);

	if (bound_ns == KB_UNKNOWN)
		return true;
	return slope_ns != KB_UNKNOWN &&
	       bound_ns - slope_ns <=
		       kb_bound_slack_ns(t, reference) / 4 * 3;
}

static bool is_decided(const struct kb_timing *t,
		       const struct kb_timing *reference)
{
	struct kb_timing again = *t;	/* its samples are borrowed */

	kb_time_decide(&again, reference);
	return again.basis == KB_BASIS_ONE_CALL;
}

bool kb_one_calls_are_enough(const struct kb_timing *t,
			     const struct kb_timing *reference)
{
	const size_t pairs = t->one_call_count;

	if (t->stop_reason == KB_STOP_SLOW)
		return true;
	if (pairs < KB_ONE_CALL_PAIRS_MIN)
		return false;
	return pairs >= KB_ONE_CALL_PAIRS_MAX || is_clear(t, reference) ||
	       (pairs >= KB_ONE_CALL_PAIRS_DECIDED &&
		is_decided(t, reference));
}

bool kb_control_has_settled(int64_t before_ns, int64_t after_ns,
			    int64_t elapsed_ns)
{
	return before_ns == KB_UNKNOWN || after_ns == KB_UNKNOWN ||
	       after_ns <= kb_control_most_ns(before_ns) ||
	       elapsed_ns >= KB_SETTLING_NS;
}
