#include "verify/trials.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hex.h"
#include "json/json.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "measure/policy.h"
#include "measure/stopping.h"
#include "verify/checks.h"
#include "verify/plausible.h"
#include "verify/timed.h"

#define add(c, what, answer, ...)					\
	kb_checks_add(c, KB_LAYER_PLAUSIBILITY, what, answer, __VA_ARGS__)

/* --- samples ---------------------------------------------------------- */

static const struct kb_timing *timing_of(const struct kb_device_timing *d)
{
	return d ? d->timing : NULL;
}

static bool is_constant(const int64_t samples_ns[], size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (samples_ns[i] != samples_ns[0])
			return false;
	return true;
}

/* A clock of nanoseconds has noise. Where only one of the two sizes has none
 * that is odd, but a short batch may be near the clock's own step. */
static bool is_frozen(const struct kb_timing *t)
{
	return t->small_count >= KB_PLAUSIBLE_TRIALS_MIN &&
	       is_constant(t->small_ns, t->small_count) &&
	       is_constant(t->large_ns, t->large_count);
}

static bool one_call_is_frozen(const struct kb_timing *t)
{
	return t->one_call_count >= KB_PLAUSIBLE_TRIALS_MIN &&
	       is_constant(t->one_call_ns, t->one_call_count);
}

/* With what was subtracted of them, runs take no less than nothing. */
static bool has_below(const int64_t samples_ns[], size_t count,
		      int64_t copy_in_ns)
{
	const int64_t least_ns = copy_in_ns == KB_UNKNOWN ? 0 : -copy_in_ns;

	for (size_t i = 0; i < count; i++)
		if (samples_ns[i] < least_ns)
			return true;
	return false;
}

static bool has_impossible(const struct kb_timing *t)
{
	return has_below(t->small_ns, t->small_count, t->copy_in_small_ns) ||
	       has_below(t->large_ns, t->large_count, t->copy_in_large_ns) ||
	       has_below(t->one_call_ns, t->one_call_count,
			 t->copy_in_one_call_ns) ||
	       has_below(t->alone_ns, t->alone_count, t->copy_in_one_call_ns);
}

static void check_timing(struct kb_checks *c, const struct kb_timed *t,
			 const struct kb_timing *timing, const char *which)
{
	const bool frozen = is_frozen(timing);
	const bool frozen_calls = one_call_is_frozen(timing);
	const bool impossible = has_impossible(timing);
	char name[KB_TIMED_NAME_SIZE];

	if (!frozen && !frozen_calls && !impossible)
		return;
	kb_timed_name(name, t);
	if (frozen)
		add(c, "samples", KB_ANSWER_NO,
		    "%s: all %zu trials of %s took the same, to the nanosecond",
		    name, timing->small_count, which);
	if (frozen_calls)
		add(c, "samples", KB_ANSWER_NO,
		    "%s: all %zu runs of one call of %s took the same, to the "
		    "nanosecond", name, timing->one_call_count, which);
	if (impossible)
		add(c, "samples", KB_ANSWER_NO,
		    "%s: a run of %s took less than no time", name, which);
}

static bool are_same(const int64_t a[], size_t a_count, const int64_t b[],
		     size_t b_count)
{
	return a_count == b_count &&
	       (!a_count || !memcmp(a, b, a_count * sizeof(*a)));
}

/* Nobody takes what another takes, to the nanosecond, run by run. */
static void check_copied(struct kb_checks *c, const struct kb_timed *t,
			 const struct kb_timing *timing,
			 const struct kb_timing *beside, const char *which)
{
	char name[KB_TIMED_NAME_SIZE];

	if (!timing || !beside ||
	    timing->small_count + timing->large_count <
		    KB_PLAUSIBLE_TRIALS_MIN ||
	    !are_same(timing->small_ns, timing->small_count,
		      beside->small_ns, beside->small_count) ||
	    !are_same(timing->large_ns, timing->large_count,
		      beside->large_ns, beside->large_count))
		return;
	kb_timed_name(name, t);
	add(c, "samples", KB_ANSWER_NO,
	    "%s: all samples of %s are those of the reference beside it, to "
	    "the nanosecond", name, which);
}

static void check_samples(struct kb_checks *c, const struct kb_timed *t)
{
	check_copied(c, t, t->call, t->beside_call, "the call clock");
	check_copied(c, t, timing_of(t->device), timing_of(t->beside_device),
		     "the device clock");
	if (t->call)
		check_timing(c, t, t->call, "the call clock");
	if (timing_of(t->device))
		check_timing(c, t, t->device->timing, "the device clock");
}

/* --- seeds ------------------------------------------------------------ */

static void add_seed(struct kb_trial_lines *l, const char *seed)
{
	char beginning[2 * KB_SEED_BEGINNING_BYTES + 1];

	snprintf(beginning, sizeof(beginning), "%s", seed);
	l->seeds = kb_grow(l->seeds, l->seed_count, &l->seed_capacity,
			   sizeof(*l->seeds));
	if (!kb_hex_parse(l->seeds[l->seed_count++], KB_SEED_BEGINNING_BYTES,
			  beginning))
		KB_BUG("a seed is not hex");
}

static int compare_seeds(const void *a, const void *b)
{
	return memcmp(a, b, KB_SEED_BEGINNING_BYTES);
}

static void refuse_seed(struct kb_checks *c, const uint8_t *seed)
{
	char beginning[2 * KB_SEED_BEGINNING_BYTES + 1];

	kb_hex_format(beginning, seed, KB_SEED_BEGINNING_BYTES);
	add(c, "seeds", KB_ANSWER_NO, "seed '%s...' is there twice",
	    beginning);
}

/* They are drawn anew for every trial and every line, from 2^256. */
static void check_seeds(struct kb_trial_lines *l, struct kb_checks *c)
{
	const char *kind = kb_kind_name(l->kind);

	if (l->seed_count)
		qsort(l->seeds, l->seed_count, sizeof(*l->seeds),
		      compare_seeds);
	for (size_t i = 1; i < l->seed_count; i++)
		if (!compare_seeds(l->seeds[i - 1], l->seeds[i]))
			refuse_seed(c, l->seeds[i]);
	if (!l->seed_count)
		add(c, "seeds", KB_ANSWER_NOT_CHECKED, "the %s has none",
		    kind);
	else if (!kb_checks_count(c, "seeds", KB_ANSWER_NO))
		add(c, "seeds", KB_ANSWER_OK, "%zu of the %s, all different",
		    l->seed_count, kind);
}

/* --- how many --------------------------------------------------------- */

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

static const struct kb_timing *find_beside(const struct kb_timed *t,
					   enum kb_clock clock)
{
	return clock == KB_CLOCK_CALL ? t->beside_call
				      : timing_of(t->beside_device);
}

/* May it have ended as too slow? Where trials are of both sides at once, on the
 * CPU, those of the reference end with its candidate's. */
static bool fits_slow(const struct kb_trial_counts *k, const struct kb_timed *t,
		      const struct kb_timing *timing)
{
	const struct kb_timing *reference = find_beside(t, timing->clock);

	if (t->is_reference)
		return k->slow_factor && k->is_fixed && t->sample_id >= 0 &&
		       timing->small_count >= KB_SLOW_TRIALS;
	return kb_trials_are_slow(timing, reference, k->slow_factor, true) &&
	       (!k->is_fixed || reference->stop_reason == KB_STOP_SLOW);
}

/* Which numbers of trials end so. */
static bool fits(const struct kb_trial_counts *k, const struct kb_timed *t,
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

static void check_count(const struct kb_trial_counts *k, const struct kb_timed *t,
			const struct kb_timing *timing, const char *which)
{
	char name[KB_TIMED_NAME_SIZE];
	int64_t least;

	if (!timing)
		return;
	least = least_trials(k, t, timing);
	if (fits(k, t, timing, least))
		return;
	kb_timed_name(name, t);
	add(k->checks, "trials", KB_ANSWER_NO,
	    "%s: %zu trials of %s, ended by '%s'; the policy has %" PRId64
	    " to %" PRId64, name, timing->small_count, which,
	    kb_stop_reason_name(timing->stop_reason), least, k->most);
}

static const char *const clock_names[] = {
	[KB_CLOCK_CALL] = "the call clock",
	[KB_CLOCK_DEVICE] = "the device clock",
};

static void check_most(const struct kb_trial_counts *k, const struct kb_timed *t,
		       const struct kb_timing *timing)
{
	char name[KB_TIMED_NAME_SIZE];

	if (!timing || k->one_call_most == KB_UNKNOWN ||
	    (int64_t)timing->one_call_count <= k->one_call_most)
		return;
	kb_timed_name(name, t);
	add(k->checks, "trials", KB_ANSWER_NO,
	    "%s: %zu runs of one call of %s; the policy has %" PRId64
	    " at most", name, timing->one_call_count,
	    clock_names[timing->clock], k->one_call_most);
}

static void check_least(const struct kb_trial_counts *k, const struct kb_timed *t,
			size_t count, int64_t least, const char *what)
{
	char name[KB_TIMED_NAME_SIZE];

	if (least == KB_UNKNOWN || (int64_t)count >= least)
		return;
	kb_timed_name(name, t);
	add(k->checks, "trials", KB_ANSWER_NO,
	    "%s: %zu runs of one call of %s%s; the policy has %" PRId64
	    " at least", name, count,
	    clock_names[t->by_device ? KB_CLOCK_DEVICE : KB_CLOCK_CALL], what,
	    least);
}

/* What is not there cannot be held against a candidate: so it has to be
 * there, by the clock that counts. */
static void check_one_calls(const struct kb_trial_counts *k, const struct kb_timed *t)
{
	const struct kb_timing *own = t->by_device ? timing_of(t->device)
						   : t->call;
	const struct kb_timing *beside =
		t->by_device ? timing_of(t->beside_device) : t->beside_call;

	check_most(k, t, t->call);
	check_most(k, t, timing_of(t->device));
	if (t->is_reference || !own)
		return;
	if (own->stop_reason != KB_STOP_SLOW)
		check_least(k, t, own->one_call_count, k->one_call_least, "");
	check_least(k, t, beside ? beside->alone_count : 0, k->alone_least,
		    ", of the reference alone");
}

static void check_trials(const struct kb_trial_counts *k,
			 const struct kb_timed *t)
{
	check_count(k, t, t->call, clock_names[KB_CLOCK_CALL]);
	check_count(k, t, timing_of(t->device), clock_names[KB_CLOCK_DEVICE]);
	check_one_calls(k, t);
}

/* Whose policy has fewer runs of one call than decide anything, has none. */
static void check_policy(const struct kb_trial_counts *k)
{
	if (k->one_call_least == KB_UNKNOWN ||
	    (!k->is_fixed && k->alone_least == KB_UNKNOWN))
		add(k->checks, "trials", KB_ANSWER_NOT_CHECKED,
		    "the policy of the evaluation does not say how many runs "
		    "of one call");
	else if (k->one_call_least < KB_HOST_ONE_CALLS_MIN)
		add(k->checks, "trials", KB_ANSWER_NO,
		    "the policy has %" PRId64 " runs of one call, and below %d "
		    "nothing is decided by them", k->one_call_least,
		    KB_HOST_ONE_CALLS_MIN);
}

static void init_counts(struct kb_trial_counts *k, struct kb_checks *c,
			  const struct kb_json *policy)
{
	*k = (struct kb_trial_counts){
		.checks = c,
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

static void end_counts(struct kb_trial_lines *l, struct kb_checks *c)
{
	const char *kind = kb_kind_name(l->kind);

	if (l->counts.least == KB_UNKNOWN) {
		add(c, "trials", KB_ANSWER_NOT_CHECKED,
		    "the policy of the %s does not say how many", kind);
		return;
	}
	if (l->kind == KB_KIND_EVALUATION)
		check_policy(&l->counts);
	kb_checks_move(c, &l->of_counts);
	if (!kb_checks_count(c, "trials", KB_ANSWER_NO) &&
	    !kb_checks_count(c, "trials", KB_ANSWER_NOT_CHECKED))
		add(c, "trials", KB_ANSWER_OK,
		    "as many in the %s as its policy says", kind);
}

/* --- one line after the other ----------------------------------------- */

void kb_trial_lines_begin(struct kb_trial_lines *l, enum kb_kind kind,
			  const struct kb_json *policy)
{
	*l = (struct kb_trial_lines){ .kind = kind };
	init_counts(&l->counts, &l->of_counts, policy);
}

void kb_trial_lines_take(struct kb_trial_lines *l, const struct kb_timed *t)
{
	check_samples(&l->of_samples, t);
	if (l->counts.least != KB_UNKNOWN)
		check_trials(&l->counts, t);
}

void kb_trial_lines_take_seeds(struct kb_trial_lines *l,
			       const struct kb_outcome *o)
{
	for (size_t i = 0; i < o->trial_seeds.count; i++)
		add_seed(l, o->trial_seeds.items[i]);
}

void kb_trial_lines_end(struct kb_trial_lines *l, struct kb_checks *c)
{
	kb_checks_move(c, &l->of_samples);
	if (!kb_checks_count(c, "samples", KB_ANSWER_NO))
		add(c, "samples", KB_ANSWER_OK, "those of the %s have noise",
		    kb_kind_name(l->kind));
	check_seeds(l, c);
	end_counts(l, c);
	kb_trial_lines_release(l);
}

void kb_trial_lines_release(struct kb_trial_lines *l)
{
	kb_checks_release(&l->of_samples);
	kb_checks_release(&l->of_counts);
	free(l->seeds);
	*l = (struct kb_trial_lines){ .kind = KB_KIND_COUNT };
}
