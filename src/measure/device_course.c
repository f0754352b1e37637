#include "measure/device_course.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/hex.h"
#include "base/random.h"
#include "measure/device_pair.h"
#include "measure/time_rule.h"

/* Plain calls before anything is timed. The first may build; libraries have
 * been seen to choose another kernel at the second. */
#define WARM_UPS 3

#define PILOT_PAIRS 3
#define LOOK_PAIRS 5

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
		free(c->worst);
}

static struct kb_timing *new_timing(enum kb_clock clock,
				    struct kb_batches n)
{
	struct kb_timing *t = kb_timing_new(clock, (int)n.small,
					    (int)n.large);

	t->copy_in_small_ns = t->copy_in_large_ns = 0;
	return t;
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
	*call_ns = kb_slope_ns(t);
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
	*time_ns = kb_slope_ns(t);
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
		    !kb_time_is_precise(timings[i],
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
		       enum kb_stop_reason *reason, struct kb_err *err)
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
	*reason = KB_STOP_TRIALS;
	for (uint32_t i = 0; counted < policy->trials_max && ret > 0; i++) {
		if (counted >= policy->trials &&
		    is_precise(c, clock, timings)) {
			*reason = KB_STOP_INTERVAL;
			break;
		}
		if (counted >= policy->trials && kb_clock_ns() >= end_ns) {
			*reason = KB_STOP_BUDGET;
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
	enum kb_stop_reason reason;
	int ret;

	for (int i = 0; i < KB_SIDE_COUNT; i++)
		if (c->lanes[i].device && !c->lanes[i].no_gate)
			timings[i] = c->lanes[i].device->timing =
				new_timing(KB_CLOCK_DEVICE,
					   c->lanes[i].batches);
	ret = take_rounds(c, KB_TURN_DEVICE, c->bench->policy->budget_ns,
			  timings, &reason, err);
	for (int i = 0; i < KB_SIDE_COUNT; i++)
		if (timings[i])
			timings[i]->stop_reason = reason;
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
	enum kb_stop_reason reason;
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
				  &reason, err);
	for (int i = 0; i < KB_SIDE_COUNT && ret > 0; i++)
		if (timings[i])
			timings[i]->stop_reason = reason;
	return ret;
}

/* Without any samples it goes. */
static void drop_empty(struct kb_timing **t)
{
	if (!*t || (*t)->small_count)
		return;
	kb_timing_free(*t);
	*t = NULL;
}

/* What was measured before it turned out that there is no gate is none of
 * the same subject's batches. */
static void give_up_gate(struct kb_lane *lane)
{
	struct kb_device_timing *t = lane->device;

	t->not_queueable = kb_xstrdup(lane->no_gate);
	kb_timing_free(t->timing);
	t->timing = NULL;
}

static void decide(struct kb_course *c)
{
	struct kb_lane *reference = &c->lanes[KB_SIDE_REFERENCE];

	for (int i = 0; i < KB_SIDE_COUNT; i++) {
		struct kb_lane *lane = &c->lanes[i];
		const bool beside = i == KB_SIDE_CANDIDATE;

		if (!lane->device)
			continue;
		if (lane->no_gate)
			give_up_gate(lane);
		drop_empty(&lane->device->timing);
		if (lane->device->timing)
			kb_time_decide(lane->device->timing, beside ?
				       reference->device->timing : NULL);
		kb_time_decide(lane->call, beside ? reference->call : NULL);
	}
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
		ret = measure_calls(c, err);
	if (ret > 0)
		decide(c);
	return ret;
}
