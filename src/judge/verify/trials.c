#include "verify/trials.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/hex.h"
#include "manifest/evaluation.h"
#include "measure/stats.h"
#include "verify/checks.h"
#include "verify/plausible.h"
#include "verify/timed.h"

#define add(c, what, answer, ...)					\
	kb_checks_add(c, KB_LAYER_PLAUSIBILITY, what, answer, __VA_ARGS__)

/* --- samples ---------------------------------------------------------- */

/* Are more than half of them one number? Which that is, one pass finds: it is
 * left over when each is struck out together with another one. */
static bool is_constant(const int64_t samples_ns[], size_t count)
{
	int64_t most = 0;
	size_t ahead = 0, same = 0;

	for (size_t i = 0; i < count; i++) {
		if (!ahead)
			most = samples_ns[i];
		if (samples_ns[i] == most)
			ahead++;
		else
			ahead--;
	}
	for (size_t i = 0; i < count; i++)
		same += samples_ns[i] == most;
	return 2 * same > count;
}

static bool are_all_alike(const int64_t samples_ns[], size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (samples_ns[i] != samples_ns[0])
			return false;
	return true;
}

/* A clock of nanoseconds has noise: of 7,000 timings none of whom ten trials or
 * more were made had more than 3 in 10 alike. Where only one of the two sizes
 * has none that is odd, but a short batch may be near the clock's own step. */
static bool is_frozen(const struct kb_timing *t)
{
	return t->small_count >= KB_PLAUSIBLE_TRIALS_MIN &&
	       is_constant(t->small_ns, t->small_count) &&
	       is_constant(t->large_ns, t->large_count);
}

static bool one_call_is_frozen(const struct kb_timing *t)
{
	return (t->one_call_count >= KB_PLAUSIBLE_TRIALS_MIN &&
		is_constant(t->one_call_ns, t->one_call_count)) ||
	       (t->alone_count >= KB_PLAUSIBLE_ALONE_MIN &&
		are_all_alike(t->alone_ns, t->alone_count));
}

/* Never shorter, or never longer, than the one before, and mostly another: what
 * grows warm or throttles does not do so for long without a step back. */
static bool is_in_order(const int64_t slopes_ns[], size_t count)
{
	size_t rising = 0, falling = 0;

	for (size_t i = 1; i < count; i++) {
		rising += slopes_ns[i] > slopes_ns[i - 1];
		falling += slopes_ns[i] < slopes_ns[i - 1];
	}
	return !rising != !falling && 2 * (rising + falling) > count;
}

static bool is_sorted(const struct kb_timing *t)
{
	kb_auto(mem) int64_t *slopes_ns = NULL;

	if (t->small_count < KB_PLAUSIBLE_ORDER_MIN ||
	    t->small_count != t->large_count || t->n_large <= t->n_small)
		return false;
	slopes_ns = kb_xcalloc(t->small_count, sizeof(*slopes_ns));
	kb_slopes_ns(slopes_ns, t->small_ns, t->large_ns, t->small_count,
		     t->n_small, t->n_large);
	return is_in_order(slopes_ns, t->small_count);
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
	const bool sorted = is_sorted(timing);
	char name[KB_TIMED_NAME_SIZE];

	if (!frozen && !frozen_calls && !impossible && !sorted)
		return;
	kb_timed_name(name, t);
	if (frozen)
		add(c, "samples", KB_ANSWER_NO,
		    "%s: most of %zu trials of %s took the same, to the "
		    "nanosecond", name, timing->small_count, which);
	if (frozen_calls)
		add(c, "samples", KB_ANSWER_NO,
		    "%s: most runs of one call of %s took the same, to the "
		    "nanosecond", name, which);
	if (sorted)
		add(c, "samples", KB_ANSWER_NO,
		    "%s: all %zu trials of %s are in the order of what they "
		    "took", name, timing->small_count, which);
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

struct paired {
	int64_t ns, paired_ns;
};

static int compare_paired(const void *pa, const void *pb)
{
	const struct paired *a = pa, *b = pb;

	if (a->paired_ns != b->paired_ns)
		return a->paired_ns < b->paired_ns ? -1 : 1;
	return (a->ns > b->ns) - (a->ns < b->ns);
}

static bool is_monotone(const int64_t ns[], size_t count)
{
	bool is_rising = true, is_falling = true;

	for (size_t i = 1; i < count; i++) {
		is_rising &= ns[i] >= ns[i - 1];
		is_falling &= ns[i] <= ns[i - 1];
	}
	return is_rising || is_falling;
}

/* Is run by run the one longer where the other is? Both have a noise of their
 * own, and there are count! orders: who computes the one from the other has the
 * same. A machine that gets slower all the time brings one order about, too. */
static bool are_in_one_order(const int64_t ns[], size_t count,
			     const int64_t paired_ns[], size_t paired_count)
{
	kb_auto(mem) struct paired *pairs = NULL;
	bool is_one = true;

	if (count != paired_count || count < KB_PLAUSIBLE_TRIALS_MIN ||
	    is_monotone(ns, count))
		return false;
	pairs = kb_xcalloc(count, sizeof(*pairs));
	for (size_t i = 0; i < count; i++)
		pairs[i] = (struct paired){ ns[i], paired_ns[i] };
	qsort(pairs, count, sizeof(*pairs), compare_paired);
	for (size_t i = 1; i < count; i++)
		is_one &= pairs[i].ns >= pairs[i - 1].ns;
	return is_one;
}

static void check_computed(struct kb_checks *c, const struct kb_timed *t,
			   const struct kb_timing *timing,
			   const struct kb_timing *paired, const char *which)
{
	char name[KB_TIMED_NAME_SIZE];

	if (!timing || !paired ||
	    !are_in_one_order(timing->small_ns, timing->small_count,
			      paired->small_ns, paired->small_count) ||
	    !are_in_one_order(timing->large_ns, timing->large_count,
			      paired->large_ns, paired->large_count))
		return;
	kb_timed_name(name, t);
	add(c, "samples", KB_ANSWER_NO,
	    "%s: run by run all samples of %s are longer where those of the "
	    "reference beside it are", name, which);
}

/* Nobody takes what another takes, to the nanosecond, run by run. */
static void check_copied(struct kb_checks *c, const struct kb_timed *t,
			 const struct kb_timing *timing,
			 const struct kb_timing *paired, const char *which)
{
	char name[KB_TIMED_NAME_SIZE];

	if (!timing || !paired ||
	    timing->small_count + timing->large_count <
		    KB_PLAUSIBLE_TRIALS_MIN ||
	    !are_same(timing->small_ns, timing->small_count,
		      paired->small_ns, paired->small_count) ||
	    !are_same(timing->large_ns, timing->large_count,
		      paired->large_ns, paired->large_count))
		return;
	kb_timed_name(name, t);
	add(c, "samples", KB_ANSWER_NO,
	    "%s: all samples of %s are those of the reference beside it, to "
	    "the nanosecond", name, which);
}

static void check_samples(struct kb_checks *c, const struct kb_timed *t)
{
	check_copied(c, t, t->call, t->paired_call, "the call clock");
	check_copied(c, t, kb_device_time(t->device),
		     kb_device_time(t->paired_device), "the device clock");
	check_computed(c, t, t->call, t->paired_call, "the call clock");
	check_computed(c, t, kb_device_time(t->device),
		       kb_device_time(t->paired_device), "the device clock");
	if (t->call)
		check_timing(c, t, t->call, "the call clock");
	if (kb_device_time(t->device))
		check_timing(c, t, t->device->timing, "the device clock");
}

/* --- samples of two timings ------------------------------------------- */

static uint64_t hash_of(uint64_t hash, const int64_t samples_ns[],
			size_t count)
{
	for (size_t i = 0; i < count; i++)
		hash = (hash ^ (uint64_t)samples_ns[i]) *
		       UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

static int64_t gcd(int64_t a, int64_t b)
{
	while (b) {
		const int64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a < 0 ? -a : a;
}

/* The greatest step of which `step_ns` and all samples are multiples; 0 is a
 * multiple of any. */
static int64_t step_of(int64_t step_ns, const int64_t samples_ns[],
		       size_t count)
{
	for (size_t i = 0; i < count && step_ns != 1; i++)
		step_ns = gcd(step_ns, samples_ns[i]);
	return step_ns;
}

/* A clock has one step. Times of CUDA's events had one of a microsecond once,
 * the host's clock has none of more than KB_PLAUSIBLE_STEP_NS. */
static void add_step(struct kb_trial_lines *l, struct kb_samples_seen *seen,
		     const struct kb_timing *timing)
{
	seen->step_ns = step_of(0, timing->small_ns, timing->small_count);
	seen->step_ns = step_of(seen->step_ns, timing->large_ns,
				timing->large_count);
	l->step_ns[seen->clock] = gcd(l->step_ns[seen->clock], seen->step_ns);
}

static void check_step(struct kb_trial_lines *l,
		       const struct kb_samples_seen *seen)
{
	const int64_t step_ns = seen->clock == KB_CLOCK_CALL ?
		1 : l->step_ns[seen->clock];
	const struct kb_timed timed = {
		.key = seen->key, .sample_id = seen->sample_id,
		.is_reference = seen->is_reference,
	};
	char name[KB_TIMED_NAME_SIZE];

	if (seen->step_ns / KB_PLAUSIBLE_STEP_NS < step_ns)
		return;
	kb_timed_name(name, &timed);
	add(&l->of_samples, "samples", KB_ANSWER_NO,
	    "%s: all samples of %s are multiples of %" PRId64 " ns, and a "
	    "clock's step is %" PRId64 " ns", name, kb_timed_clocks[seen->clock],
	    seen->step_ns, step_ns);
}

/* By a hash: who seeks two lists that have one finds two that differ. */
static void add_samples(struct kb_trial_lines *l, const struct kb_timed *t,
			const struct kb_timing *timing)
{
	struct kb_samples_seen *seen;

	if (!timing || timing->small_count < KB_PLAUSIBLE_SAME_MIN)
		return;
	l->samples = kb_grow(l->samples, l->sample_count, &l->sample_capacity,
			     sizeof(*l->samples));
	seen = &l->samples[l->sample_count++];
	*seen = (struct kb_samples_seen){ .key = t->key,
					  .sample_id = t->sample_id,
					  .is_reference = t->is_reference,
					  .clock = timing->clock };
	seen->hash = hash_of(timing->small_count, timing->small_ns,
			     timing->small_count);
	seen->hash = hash_of(seen->hash, timing->large_ns,
			     timing->large_count);
	add_step(l, seen, timing);
}

static int compare_seen(const void *pa, const void *pb)
{
	const struct kb_samples_seen *a = pa, *b = pb;

	return (a->hash > b->hash) - (a->hash < b->hash);
}

static void refuse_twice(struct kb_checks *c, const struct kb_samples_seen *a,
			 const struct kb_samples_seen *b)
{
	const struct kb_timed timed[] = {
		{ .key = a->key, .sample_id = a->sample_id,
		  .is_reference = a->is_reference },
		{ .key = b->key, .sample_id = b->sample_id,
		  .is_reference = b->is_reference },
	};
	char names[2][KB_TIMED_NAME_SIZE];

	kb_timed_name(names[0], &timed[0]);
	kb_timed_name(names[1], &timed[1]);
	add(c, "samples", KB_ANSWER_NO,
	    "%s and %s have the same samples, to the nanosecond", names[0],
	    names[1]);
}

static void check_steps(struct kb_trial_lines *l)
{
	for (size_t i = 0; i < l->sample_count; i++)
		check_step(l, &l->samples[i]);
}

static void check_twice(struct kb_trial_lines *l)
{
	if (l->sample_count)
		qsort(l->samples, l->sample_count, sizeof(*l->samples),
		      compare_seen);
	for (size_t i = 1; i < l->sample_count; i++)
		if (l->samples[i - 1].hash == l->samples[i].hash)
			refuse_twice(&l->of_samples, &l->samples[i - 1],
				     &l->samples[i]);
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

/* --- one line after the other ----------------------------------------- */

void kb_trial_lines_begin(struct kb_trial_lines *l, enum kb_kind kind,
			  const struct kb_json *policy)
{
	*l = (struct kb_trial_lines){ .kind = kind };
	kb_trial_counts_begin(&l->counts, policy);
}

void kb_trial_lines_take(struct kb_trial_lines *l, const struct kb_timed *t)
{
	check_samples(&l->of_samples, t);
	add_samples(l, t, t->call);
	add_samples(l, t, kb_device_time(t->device));
	kb_trial_counts_take(&l->counts, t);
}

void kb_trial_lines_take_seeds(struct kb_trial_lines *l,
			       const struct kb_outcome *o)
{
	for (size_t i = 0; i < o->trial_seeds.count; i++)
		add_seed(l, o->trial_seeds.items[i]);
}

/* Both are sorted. */
static void keep_marks(struct kb_trial_lines *l)
{
	for (size_t i = 0; i < l->seed_count && i < KB_MARKS_OF_EACH; i++)
		memcpy(&l->marks[l->mark_count++], l->seeds[i],
		       sizeof(*l->marks));
	for (size_t i = 0; i < l->sample_count && i < KB_MARKS_OF_EACH; i++)
		l->marks[l->mark_count++] = l->samples[i].hash;
}

void kb_trial_lines_end(struct kb_trial_lines *l, struct kb_checks *c)
{
	check_steps(l);
	check_twice(l);
	kb_checks_move(c, &l->of_samples);
	if (!kb_checks_count(c, "samples", KB_ANSWER_NO))
		add(c, "samples", KB_ANSWER_OK, "those of the %s have noise",
		    kb_kind_name(l->kind));
	check_seeds(l, c);
	keep_marks(l);
	kb_trial_counts_end(&l->counts, l->kind, c);
	kb_trial_lines_release(l);
}

void kb_trial_lines_release(struct kb_trial_lines *l)
{
	kb_checks_release(&l->of_samples);
	kb_checks_release(&l->counts.checks);
	free(l->seeds);
	free(l->samples);
	l->seeds = NULL;
	l->samples = NULL;
	l->seed_count = l->seed_capacity = 0;
	l->sample_count = l->sample_capacity = 0;
	l->kind = KB_KIND_COUNT;
}
