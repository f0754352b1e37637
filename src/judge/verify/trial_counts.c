#include "verify/trial_counts.h"

#include <inttypes.h>

#include "json/json.h"
#include "manifest/device_timing.h"
#include "measure/policy.h"
#include "measure/stopping.h"
#include "verify/timed.h"

#define add(c, what, answer, ...)					\
	kb_checks_add(c, KB_LAYER_PLAUSIBILITY, what, answer, __VA_ARGS__)

static int64_t policy_int(const struct kb_json *policy, const char *name)
{
	const struct kb_json *v = kb_json_find(policy, name);

	return v && kb_json_type(v) == KB_JSON_INT ? kb_json_int_value(v)
						   : KB_UNKNOWN;
}

/* By the call clock fewer will do where it is not the one that counts. */
static int64_t least_trials(const struct kb_trial_counts *k, const struct kb_timed *t,
			    const struct kb_timing *timing)
{
	return timing->clock == KB_CLOCK_CALL && t->by_device &&
	       k->least > KB_TRIALS_BESIDE ? KB_TRIALS_BESIDE : k->least;
}

static const struct kb_timing *find_paired(const struct kb_timed *t,
					   enum kb_clock clock)
{
	return clock == KB_CLOCK_CALL ? t->paired_call
				      : kb_device_time(t->paired_device);
}

/* May it have ended as too slow? Where trials are of both sides at once, on the
 * CPU, those of the reference end with its candidate's. */
static bool fits_slow(const struct kb_trial_counts *k, const struct kb_timed *t,
		      const struct kb_timing *timing)
{
	const struct kb_timing *reference = find_paired(t, timing->clock);

	if (t->is_reference)
		return k->slow_factor && k->is_fixed && t->sample_id >= 0 &&
		       timing->small_count >= KB_SLOW_TRIALS;
	return kb_trials_are_slow(timing, reference, k->slow_factor, true) &&
	       (!k->is_fixed || reference->stop_reason == KB_STOP_SLOW);
}

/* Can a timing that stopped for its reason have so many trials? */
static bool fits_counts(const struct kb_trial_counts *k,
			const struct kb_timed *t,
			const struct kb_timing *timing, int64_t least)
{
	const enum kb_stop_reason reason = timing->stop_reason;
	const int64_t count = (int64_t)timing->small_count;

	if (reason == KB_STOP_SLOW)
		return count <= k->most && fits_slow(k, t, timing);
	if (reason == KB_STOP_TRIALS || k->is_fixed)
		return reason == KB_STOP_TRIALS && count == k->most;
	return count >= least && count <= k->most;
}

static void check_count(struct kb_trial_counts *k, const struct kb_timed *t,
			const struct kb_timing *timing, const char *which)
{
	char name[KB_TIMED_NAME_SIZE];
	int64_t least;

	if (!timing)
		return;
	least = least_trials(k, t, timing);
	if (fits_counts(k, t, timing, least))
		return;
	kb_timed_name(name, t);
	add(&k->checks, "trials", KB_ANSWER_NO,
	    "%s: %zu trials of %s, ended by '%s'; the policy has %" PRId64
	    " to %" PRId64, name, timing->small_count, which,
	    kb_stop_reason_name(timing->stop_reason), least, k->most);
}

static void check_most(struct kb_trial_counts *k, const struct kb_timed *t,
		       const struct kb_timing *timing)
{
	char name[KB_TIMED_NAME_SIZE];

	if (!timing || k->one_call_most == KB_UNKNOWN ||
	    (int64_t)timing->one_call_count <= k->one_call_most)
		return;
	kb_timed_name(name, t);
	add(&k->checks, "trials", KB_ANSWER_NO,
	    "%s: %zu runs of one call of %s; the policy has %" PRId64
	    " at most", name, timing->one_call_count,
	    kb_timed_clocks[timing->clock], k->one_call_most);
}

static void check_least(struct kb_trial_counts *k, const struct kb_timed *t,
			size_t count, int64_t least, const char *what)
{
	char name[KB_TIMED_NAME_SIZE];

	if (least == KB_UNKNOWN || (int64_t)count >= least)
		return;
	kb_timed_name(name, t);
	add(&k->checks, "trials", KB_ANSWER_NO,
	    "%s: %zu runs of one call of %s%s; the policy has %" PRId64
	    " at least", name, count,
	    kb_timed_clocks[t->by_device ? KB_CLOCK_DEVICE : KB_CLOCK_CALL], what,
	    least);
}

/* Absent runs could not count against a candidate. So they must be there, by
 * the clock that counts. */
static void check_one_calls(struct kb_trial_counts *k, const struct kb_timed *t)
{
	const struct kb_timing *own = t->by_device ? kb_device_time(t->device)
						   : t->call;
	const struct kb_timing *paired =
		t->by_device ? kb_device_time(t->paired_device) : t->paired_call;

	check_most(k, t, t->call);
	check_most(k, t, kb_device_time(t->device));
	if (t->is_reference || !own)
		return;
	if (own->stop_reason != KB_STOP_SLOW)
		check_least(k, t, own->one_call_count, k->one_call_least, "");
	check_least(k, t, paired ? paired->alone_count : 0, k->alone_least,
		    ", of the reference alone");
}

/* A policy with too few runs of one call decides nothing by them. */
static void check_policy(struct kb_trial_counts *k)
{
	if (k->one_call_least == KB_UNKNOWN ||
	    (!k->is_fixed && k->alone_least == KB_UNKNOWN))
		add(&k->checks, "trials", KB_ANSWER_NOT_CHECKED,
		    "the policy of the evaluation does not say how many runs "
		    "of one call");
	else if (k->one_call_least < KB_HOST_ONE_CALLS_MIN)
		add(&k->checks, "trials", KB_ANSWER_NO,
		    "the policy has %" PRId64 " runs of one call, and below %d "
		    "nothing is decided by them", k->one_call_least,
		    KB_HOST_ONE_CALLS_MIN);
}

void kb_trial_counts_begin(struct kb_trial_counts *k,
			   const struct kb_json *policy)
{
	*k = (struct kb_trial_counts){
		.least = policy_int(policy, "trials"),
		.most = policy_int(policy, "trials_max"),
		.one_call_least = policy_int(policy, "one_call_pairs"),
		.one_call_most = policy_int(policy, "one_call_pairs_max"),
		.alone_least = policy_int(policy, "alone_runs"),
		.slow_factor = policy_int(policy, "slow_factor"),
	};
	if (k->slow_factor == KB_UNKNOWN)
		k->slow_factor = 0;
	k->is_fixed = k->most == KB_UNKNOWN;
	if (k->is_fixed)
		k->most = k->least;
}

void kb_trial_counts_take(struct kb_trial_counts *k, const struct kb_timed *t)
{
	if (k->least == KB_UNKNOWN)
		return;
	check_count(k, t, t->call, kb_timed_clocks[KB_CLOCK_CALL]);
	check_count(k, t, kb_device_time(t->device),
		    kb_timed_clocks[KB_CLOCK_DEVICE]);
	check_one_calls(k, t);
}

void kb_trial_counts_end(struct kb_trial_counts *k, enum kb_kind kind,
			 struct kb_checks *c)
{
	if (k->least == KB_UNKNOWN) {
		add(c, "trials", KB_ANSWER_NOT_CHECKED,
		    "the policy of the %s does not say how many",
		    kb_kind_name(kind));
		return;
	}
	if (kind == KB_KIND_EVALUATION)
		check_policy(k);
	kb_checks_move(c, &k->checks);
	if (!kb_checks_count(c, "trials", KB_ANSWER_NO) &&
	    !kb_checks_count(c, "trials", KB_ANSWER_NOT_CHECKED))
		add(c, "trials", KB_ANSWER_OK,
		    "as many in the %s as its policy says", kb_kind_name(kind));
}
