#include "measure/device_course.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/hex.h"
#include "base/random.h"
#include "measure/call_time.h"
#include "measure/device_pair.h"
#include "measure/device_time.h"

/* Plain calls before anything is timed. The first may build; libraries have
 * been seen to choose another kernel at the second. */
#define WARM_UPS 3

#define PILOT_PAIRS 3
#define LOOK_PAIRS 5
#define FEW_CALLS_PAIRS 40
#define PUBLISHING_PAIRS 12

/* With fewer calls in sight nobody can save more than their gaps, about a
 * microsecond each: above this it is not worth looking. */
#define FEW_CALLS_BELOW_NS 250000

/* What the call clock may spend of the budget where it is not the one that
 * counts. What Python does between launches is seldom within the interval. */
#define CALLS_BUDGET_SHARE 10

int kb_course_begin(struct kb_course *c, struct kb_bench *b,
		    struct kb_outcome *outcome, struct kb_err *err)
{
	char hex[2 * KB_SEED_BYTES + 1];
	int ret = kb_random_seed(c->seed, err);

	if (ret < 0)
		return ret;
	kb_hex_format(hex, c->seed, KB_SEED_BYTES);
	kb_trial_seeds_add(&outcome->trial_seeds, hex);
	c->bench = b;
	c->lanes[KB_SIDE_REFERENCE] = (struct kb_lane){
		.subject = {
			.worker = &b->reference.worker,
			.heap = &b->heap,
			.outputs_in_slots =
				b->problem.runtime != KB_RUNTIME_TORCH,
		},
		.batches = b->batches,
		.no_gate = b->no_gate,
		.plain_ns = b->plain_ns,
		.heap_peak_bytes = b->heap_peak_bytes,
	};
	return 0;
}

void kb_course_release(struct kb_course *c)
{
	for (int i = 0; i < KB_SIDE_COUNT; i++) {
		kb_device_timing_free(c->lanes[i].device);
		kb_timing_free(c->lanes[i].call);
	}
	kb_timing_free(c->single);
	free(c->worst);
}

static struct kb_timing *new_timing(enum kb_clock clock,
				    struct kb_batches n)
{
	return kb_timing_new(clock, (int)n.small, (int)n.large);
}

KB_DEFINE_CLEANUP(timing, struct kb_timing *, kb_timing_free);

/* --- warm-up and pilot ------------------------------------------------ */

int kb_course_warm_up(struct kb_course *c, enum kb_side who,
		      struct kb_err *err)
{
	struct kb_lane *lane = &c->lanes[who];
	int ret = kb_course_need_slots(c, 1, err);

	for (int i = 0; i < WARM_UPS && ret > 0; i++) {
		const char *why_not;

		lane->subject.worker->first_run = i == 0;
		ret = kb_course_take_turn(c, who, KB_TURN_PLAIN, 1,
					  &lane->plain_ns, &why_not, err);
	}
	lane->subject.worker->first_run = false;
	lane->heap_peak_bytes = kb_heap_peak_bytes(lane->subject.heap);
	return ret;
}

/* The time of a call from a few pairs, at least 1; the pairs are small. */
static int pilot_pairs(struct kb_course *c, enum kb_side who,
		       enum kb_turn_clock clock, struct kb_batches n,
		       int64_t *call_ns, struct kb_err *err)
{
	kb_auto(timing) struct kb_timing *t =
		new_timing(clock == KB_TURN_CALL ? KB_CLOCK_CALL
						 : KB_CLOCK_DEVICE, n);
	int ret = 1;

	for (int i = 0; i < PILOT_PAIRS && ret > 0; i++) {
		if (clock != KB_TURN_CALL && c->lanes[who].no_gate)
			break;
		ret = kb_course_take_pair(c, who, clock, t, err);
	}
	*call_ns = kb_call_time_of(t);
	if (*call_ns == KB_UNKNOWN)
		*call_ns = 1;
	return ret;
}

static struct kb_batches batches_for(const struct kb_course *c,
				     int64_t call_ns, uint32_t most)
{
	struct kb_policy policy = *c->bench->policy;

	policy.batch_calls_max = most;
	return kb_policy_batches(&policy, call_ns, 0);
}

/*
 * The largest batches up to `most` calls that stay behind the gate: what
 * does not fit the device's queue at once blocks while it is queued.
 */
static int settle_batches(struct kb_course *c, enum kb_side who,
			  int64_t call_ns, uint32_t most, struct kb_err *err)
{
	struct kb_lane *lane = &c->lanes[who];
	int ret = 1;

	for (;;) {
		const char *why_not = NULL;
		int64_t elapsed_ns;

		lane->batches = batches_for(c, call_ns, most);
		ret = kb_course_need_slots(c, lane->batches.large, err);
		if (ret > 0)
			ret = kb_course_take_turn(c, who, KB_TURN_DEVICE,
						  lane->batches.large,
						  &elapsed_ns, &why_not, err);
		if (ret <= 0 || elapsed_ns != KB_UNKNOWN)
			return ret;
		lane->no_gate = why_not;
		if (lane->batches.large <= 1)
			return 1;
		most = lane->batches.large / 2;
		lane->no_gate = NULL;
	}
}

int kb_course_pilot(struct kb_course *c, enum kb_side who,
		    struct kb_err *err)
{
	struct kb_lane *lane = &c->lanes[who];
	struct kb_bench *b = c->bench;
	const uint32_t most = kb_course_calls_that_fit(c);
	struct kb_batches few = most >= 3 ? (struct kb_batches){ 1, 3 } :
		most == 2 ? (struct kb_batches){ 1, 2 } :
			    (struct kb_batches){ 1, 1 };
	int64_t call_ns = 1;
	int ret;

	if (who == KB_SIDE_REFERENCE && b->gate_known)
		return kb_course_need_slots(c, lane->batches.large, err);
	ret = kb_course_need_slots(c, few.large, err);
	if (ret > 0)
		ret = pilot_pairs(c, who, KB_TURN_DEVICE, few, &call_ns, err);
	if (ret > 0 && lane->no_gate && few.large > 1) {
		/* Perhaps fewer calls go in. */
		lane->no_gate = NULL;
		few = (struct kb_batches){ 1, 1 };
		ret = pilot_pairs(c, who, KB_TURN_DEVICE, few, &call_ns, err);
		if (ret > 0 && !lane->no_gate)
			ret = settle_batches(c, who, call_ns, 2, err);
	} else if (ret > 0 && !lane->no_gate) {
		ret = settle_batches(c, who, call_ns, most, err);
	}
	if (ret > 0 && who == KB_SIDE_REFERENCE) {
		b->gate_known = true;
		b->batches = lane->batches;
		b->no_gate = lane->no_gate;
	}
	return ret;
}

int kb_course_look(struct kb_course *c, int64_t *time_ns, struct kb_err *err)
{
	struct kb_lane *lane = &c->lanes[KB_SIDE_REFERENCE];
	kb_auto(timing) struct kb_timing *t = NULL;
	int ret = 1;

	*time_ns = KB_UNKNOWN;
	if (lane->no_gate)
		return 1;
	t = new_timing(KB_CLOCK_DEVICE, lane->batches);
	for (int i = 0; i < LOOK_PAIRS && ret > 0 && !lane->no_gate; i++)
		ret = kb_course_take_pair(c, KB_SIDE_REFERENCE,
					  KB_TURN_DEVICE, t, err);
	*time_ns = kb_call_time_of(t);
	return ret;
}

/* --- what counts ------------------------------------------------------ */

/* One pair of each that takes part, the first one changing. */
static int take_round(struct kb_course *c, int64_t round,
		      enum kb_turn_clock clock,
		      struct kb_timing *timings[KB_SIDE_COUNT],
		      struct kb_err *err)
{
	int ret = 1;

	for (int i = 0; i < KB_SIDE_COUNT && ret > 0; i++) {
		const enum kb_side who = (round + i) % KB_SIDE_COUNT;
		const bool gated = clock != KB_TURN_CALL;

		if (timings[who] && !(gated && c->lanes[who].no_gate))
			ret = kb_course_take_pair(c, who, clock, timings[who],
						  err);
	}
	return ret;
}

/* Are all that can be timed by this clock timed well enough? */
static bool is_precise(const struct kb_course *c, enum kb_turn_clock clock,
		       struct kb_timing *timings[KB_SIDE_COUNT])
{
	const bool gated = clock != KB_TURN_CALL;

	for (int i = 0; i < KB_SIDE_COUNT; i++)
		if (timings[i] && !(gated && c->lanes[i].no_gate) &&
		    !kb_device_time_is_precise(timings[i],
					       c->bench->policy->interval_ppm))
			return false;
	return true;
}

/* A round like any other, but on remedy inputs and for nothing that counts. */
static int take_remedied_round(struct kb_course *c, int64_t round,
			       enum kb_turn_clock clock,
			       struct kb_timing *like[KB_SIDE_COUNT],
			       struct kb_err *err)
{
	struct kb_timing *dropped[KB_SIDE_COUNT] = { NULL };
	int ret;

	for (int i = 0; i < KB_SIDE_COUNT; i++)
		if (like[i])
			dropped[i] = kb_timing_new(like[i]->clock,
						   (int)like[i]->n_small,
						   (int)like[i]->n_large);
	c->remedied = true;
	ret = take_round(c, round, clock, dropped, err);
	c->remedied = false;
	for (int i = 0; i < KB_SIDE_COUNT; i++)
		kb_timing_free(dropped[i]);
	return ret;
}

/* As many rounds as it takes, from the policy's least to its most. */
static int take_rounds(struct kb_course *c, enum kb_turn_clock clock,
		       int64_t budget_ns,
		       struct kb_timing *timings[KB_SIDE_COUNT],
		       enum kb_ending *ending, struct kb_err *err)
{
	const struct kb_policy *policy = c->bench->policy;
	const int64_t end_ns = kb_clock_ns() + budget_ns;
	struct kb_remedy_rounds rounds;
	int64_t counted = 0;
	int ret = kb_bench_draw_rounds(c->bench, c->has_candidate, &rounds,
				       err);

	if (ret < 0)
		return ret;
	ret = 1;
	*ending = KB_ENDING_TRIALS;
	for (uint32_t i = 0; counted < policy->trials_max && ret > 0; i++) {
		if (counted >= policy->trials &&
		    is_precise(c, clock, timings)) {
			*ending = KB_ENDING_INTERVAL;
			break;
		}
		if (counted >= policy->trials && kb_clock_ns() >= end_ns) {
			*ending = KB_ENDING_BUDGET;
			break;
		}
		if (kb_remedy_rounds_has(&rounds, i)) {
			ret = take_remedied_round(c, i, clock, timings, err);
			continue;
		}
		ret = take_round(c, i, clock, timings, err);
		counted++;
	}
	return ret;
}

static int measure_batches(struct kb_course *c, struct kb_err *err)
{
	struct kb_timing *timings[KB_SIDE_COUNT] = { NULL };
	enum kb_ending ending;
	int ret;

	for (int i = 0; i < KB_SIDE_COUNT; i++)
		if (c->lanes[i].device && !c->lanes[i].no_gate)
			timings[i] = c->lanes[i].device->batches =
				new_timing(KB_CLOCK_DEVICE,
					   c->lanes[i].batches);
	ret = take_rounds(c, KB_TURN_DEVICE, c->bench->policy->budget_ns,
			  timings, &ending, err);
	for (int i = 0; i < KB_SIDE_COUNT; i++)
		if (c->lanes[i].device)
			c->lanes[i].device->ending = ending;
	return ret;
}

/* A candidate beside the reference, both behind the gate? */
static bool have_gates(const struct kb_course *c)
{
	return c->has_candidate && !c->lanes[KB_SIDE_REFERENCE].no_gate &&
	       !c->lanes[KB_SIDE_CANDIDATE].no_gate;
}

static bool has_slope(const struct kb_course *c, enum kb_side who)
{
	return c->lanes[who].device->batches->method == KB_METHOD_SLOPE;
}

/* And have the batches of both a slope? */
static bool have_slopes(const struct kb_course *c)
{
	return have_gates(c) && has_slope(c, KB_SIDE_REFERENCE) &&
	       has_slope(c, KB_SIDE_CANDIDATE);
}

/* One call, and three: see measure/device_time.h. */
static int measure_few_calls(struct kb_course *c, struct kb_err *err)
{
	struct kb_timing *timings[KB_SIDE_COUNT] = { NULL };
	int ret;

	if (!have_slopes(c) ||
	    kb_call_time_of(c->lanes[KB_SIDE_CANDIDATE].device->batches) >=
		    FEW_CALLS_BELOW_NS)
		return 1;
	ret = kb_course_need_slots(c, 3, err);
	for (int i = 0; i < KB_SIDE_COUNT; i++)
		timings[i] = c->lanes[i].device->few_calls =
			new_timing(KB_CLOCK_DEVICE,
				   (struct kb_batches){ 1, 3 });
	for (int i = 0; i < FEW_CALLS_PAIRS && ret > 0; i++)
		ret = take_round(c, i, KB_TURN_DEVICE, timings, err);
	return ret;
}

/* The clock started before publishing, for both: what the reference's then
 * exceeds its time by is what publishing takes. A candidate that gets along
 * with single calls only is held against single calls of the reference. */
static int measure_publishing(struct kb_course *c, struct kb_err *err)
{
	static const struct kb_batches one = { 1, 1 };
	struct kb_timing *timings[KB_SIDE_COUNT] = { NULL };
	const bool slopes = have_slopes(c);
	int ret = 1;

	if (!slopes && (!have_gates(c) || has_slope(c, KB_SIDE_CANDIDATE)))
		return 1;
	for (int i = 0; i < KB_SIDE_COUNT; i++)
		timings[i] = c->lanes[i].device->publishing =
			new_timing(KB_CLOCK_DEVICE,
				   slopes ? c->lanes[i].batches : one);
	if (!slopes)
		c->single = new_timing(KB_CLOCK_DEVICE, one);
	for (int i = 0; i < PUBLISHING_PAIRS && ret > 0; i++) {
		ret = take_round(c, i, KB_TURN_PUBLISHING, timings, err);
		if (ret > 0 && c->single)
			ret = kb_course_take_pair(c, KB_SIDE_REFERENCE,
						  KB_TURN_DEVICE, c->single,
						  err);
	}
	return ret;
}

static int64_t calls_budget_ns(const struct kb_course *c)
{
	const int64_t budget_ns = c->bench->policy->budget_ns;

	for (int i = 0; i < KB_SIDE_COUNT; i++)
		if (c->lanes[i].device && c->lanes[i].no_gate)
			return budget_ns;
	return budget_ns / CALLS_BUDGET_SHARE;
}

static int measure_calls(struct kb_course *c, struct kb_err *err)
{
	const uint32_t most = kb_course_calls_that_fit(c);
	struct kb_timing *timings[KB_SIDE_COUNT] = { NULL };
	enum kb_ending ending;
	int ret = kb_course_need_slots(c, most < 4 ? most : 4, err);

	for (int i = 0; i < KB_SIDE_COUNT && ret > 0; i++) {
		struct kb_batches n = most >= 4 ? (struct kb_batches){ 1, 4 } :
			(struct kb_batches){ 1, most };
		int64_t call_ns;

		if (i == KB_SIDE_CANDIDATE && !c->has_candidate)
			continue;
		ret = pilot_pairs(c, i, KB_TURN_CALL, n, &call_ns, err);
		n = batches_for(c, call_ns, most);
		timings[i] = c->lanes[i].call = new_timing(KB_CLOCK_CALL, n);
		if (ret > 0)
			ret = kb_course_need_slots(c, n.large, err);
	}
	if (ret > 0)
		ret = take_rounds(c, KB_TURN_CALL, calls_budget_ns(c), timings,
				  &ending, err);
	for (int i = 0; i < KB_SIDE_COUNT && ret > 0; i++)
		if (c->lanes[i].device)
			c->lanes[i].device->call_ending = ending;
	return ret;
}

/* What publishing the inputs of one call takes, by the reference. */
static int64_t publish_ns(const struct kb_course *c)
{
	const struct kb_device_timing *reference =
		c->lanes[KB_SIDE_REFERENCE].device;
	const struct kb_timing *without = c->single ? c->single
						    : reference->batches;
	int64_t with_ns, without_ns;

	if (!reference->publishing || !without)
		return KB_UNKNOWN;
	with_ns = kb_call_time_of(reference->publishing);
	without_ns = kb_call_time_of(without);
	if (with_ns == KB_UNKNOWN || without_ns == KB_UNKNOWN)
		return KB_UNKNOWN;
	return with_ns > without_ns ? with_ns - without_ns : 0;
}

/* Give it the time that follows from its samples; without any it goes. */
static void finish(struct kb_timing **t)
{
	if (*t && !(*t)->small_count) {
		kb_timing_free(*t);
		*t = NULL;
	}
	if (*t)
		(*t)->call_time_ns = kb_call_time_of(*t);
}

/* What was measured before it turned out that there is no gate is none of
 * the same subject's batches. */
static void give_up_gate(struct kb_lane *lane)
{
	struct kb_device_timing *t = lane->device;

	t->no_gate = kb_xstrdup(lane->no_gate);
	kb_timing_free(t->batches);
	kb_timing_free(t->few_calls);
	kb_timing_free(t->publishing);
	t->batches = t->few_calls = t->publishing = NULL;
}

static void decide(struct kb_course *c)
{
	struct kb_lane *reference = &c->lanes[KB_SIDE_REFERENCE];
	const int64_t cost_ns = publish_ns(c);

	for (int i = 0; i < KB_SIDE_COUNT; i++) {
		struct kb_lane *lane = &c->lanes[i];

		if (!lane->device)
			continue;
		if (lane->no_gate)
			give_up_gate(lane);
		finish(&lane->device->batches);
		finish(&lane->device->few_calls);
		finish(&lane->device->publishing);
		lane->device->publish_ns = cost_ns;
		if (cost_ns == KB_UNKNOWN) {
			kb_timing_free(lane->device->publishing);
			lane->device->publishing = NULL;
		}
	}
	kb_device_time_decide(reference->device, NULL);
	reference->call->call_time_ns = kb_call_time_of(reference->call);
	if (!c->has_candidate)
		return;
	kb_device_time_decide(c->lanes[KB_SIDE_CANDIDATE].device,
			      reference->device);
	c->lanes[KB_SIDE_CANDIDATE].call->call_time_ns = kb_call_time_beside(
		c->lanes[KB_SIDE_CANDIDATE].call, reference->call);
}

int kb_course_measure(struct kb_course *c, struct kb_err *err)
{
	int ret;

	for (int i = 0; i < KB_SIDE_COUNT; i++)
		if ((i == KB_SIDE_REFERENCE || c->has_candidate) &&
		    !c->lanes[i].device)
			c->lanes[i].device = kb_device_timing_new();
	ret = measure_batches(c, err);
	if (ret > 0)
		ret = measure_few_calls(c, err);
	if (ret > 0)
		ret = measure_publishing(c, err);
	if (ret > 0)
		ret = measure_calls(c, err);
	if (ret > 0)
		decide(c);
	return ret;
}
