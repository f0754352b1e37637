#include "measure/stopping.h"

#include "manifest/record.h"
#include "measure/policy.h"
#include "measure/time_rule.h"

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
