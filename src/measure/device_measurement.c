#include "measure/device_measurement.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/hex.h"
#include "base/random.h"
#include "device/cuda.h"
#include "measure/policy.h"
#include "measure/stopping.h"
#include "measure/time_rule.h"

/* Ungated runs before anything is timed. The first may build; libraries have
 * been seen to choose another kernel at the second. */
#define WARM_UPS 3

#define CALIBRATION_TRIALS 3
/* Control timing: at least, at most, and what ends it between the two. */
#define CONTROL_TRIALS_MIN 3
#define CONTROL_TRIALS_MAX 5
#define CONTROL_BUDGET_NS (50 * KB_NS_PER_MS)

/* What the call clock may spend of the budget where it is not the one that
 * counts. What Python does between launches is seldom within the interval. */
#define CALLS_BUDGET_PART 10

KB_DEFINE_CLEANUP(timing, struct kb_timing *, kb_timing_free);

static int show_control_page(struct kb_measurement *m, enum kb_side side,
			     struct kb_err *err)
{
	struct kb_device_side *s = &m->measured[side].side;
	uint64_t page;
	int ret = kb_cuda_page_register(m->bench->gpu->cuda,
					s->worker->control, KB_CONTROL_BYTES,
					&page, err);

	if (ret >= 0)
		s->gate_word = page + offsetof(struct kb_control, go);
	return ret;
}

int kb_measurement_begin(struct kb_measurement *m, struct kb_bench *b,
			 struct kb_outcome *outcome, struct kb_err *err)
{
	char hex[2 * KB_SEED_BYTES + 1];
	int ret = kb_random_seed(m->seed, err);

	if (ret < 0)
		return ret;
	kb_hex_format(hex, m->seed, KB_SEED_BYTES);
	kb_trial_seeds_add(&outcome->trial_seeds, hex);
	m->bench = b;
	m->measured[KB_SIDE_REFERENCE] = (struct kb_measured){
		.side = {
			.worker = &b->reference.worker,
			.pool = &b->pool,
			.outputs_in_slots =
				b->problem.runtime != KB_RUNTIME_TORCH,
		},
		.call_ns = b->call_ns,
		.batches = b->batches,
		.not_queueable = b->not_queueable,
		.ungated_ns = b->ungated_ns,
		.pool_peak_bytes = b->pool_peak_bytes,
	};
	return show_control_page(m, KB_SIDE_REFERENCE, err);
}

int kb_measurement_add_candidate(struct kb_measurement *m, struct kb_worker *w,
				 const struct kb_output_pool *pool,
				 bool in_slots, struct kb_err *err)
{
	m->has_candidate = true;
	m->measured[KB_SIDE_CANDIDATE].side = (struct kb_device_side){
		.worker = w,
		.pool = pool,
		.outputs_in_slots = in_slots,
	};
	return show_control_page(m, KB_SIDE_CANDIDATE, err);
}

static void hide_control_page(struct kb_measurement *m, enum kb_side side)
{
	struct kb_device_side *s = &m->measured[side].side;

	if (s->gate_word)
		kb_cuda_page_unregister(m->bench->gpu->cuda,
					s->worker->control);
	s->gate_word = 0;
	kb_spans_release(&s->filled);
}

void kb_measurement_drop_candidate(struct kb_measurement *m)
{
	hide_control_page(m, KB_SIDE_CANDIDATE);
	m->has_candidate = false;
}

void kb_measurement_release(struct kb_measurement *m)
{
	for (int i = 0; i < KB_SIDE_COUNT; i++) {
		hide_control_page(m, i);
		kb_device_timing_free(m->measured[i].device);
		kb_timing_free(m->measured[i].call);
	}
	for (int i = 0; i < KB_CLOCK_COUNT; i++)
		kb_timing_free(m->alone[i]);
	free(m->worst);
}

static bool takes_part(const struct kb_measurement *m, enum kb_side side)
{
	return side == KB_SIDE_REFERENCE || m->has_candidate;
}

/* --- warm-ups and calibration ----------------------------------------- */

int kb_measurement_warm_up(struct kb_measurement *m, enum kb_side side,
			   struct kb_err *err)
{
	struct kb_measured *x = &m->measured[side];
	int ret = kb_measurement_need_slots(m, 1, err);

	for (int i = 0; i < WARM_UPS && ret > 0; i++) {
		const char *why_not;

		x->side.worker->first_run = i == 0;
		ret = kb_measurement_run(m, side, KB_RUN_UNGATED, 1,
					 &x->ungated_ns, &why_not, err);
	}
	x->side.worker->first_run = false;
	x->pool_peak_bytes = kb_output_pool_peak_bytes(x->side.pool);
	return ret;
}

/* The time of a call from a few trials, at least 1; the batches are small. */
static int calibrate(struct kb_measurement *m, enum kb_side side,
		     enum kb_clock clock, struct kb_batches n,
		     int64_t *call_ns, struct kb_err *err)
{
	kb_auto(timing) struct kb_timing *t = NULL;
	int ret = kb_measurement_new_timing(m, side, clock, n, &t, err);

	for (int i = 0; i < CALIBRATION_TRIALS && ret > 0; i++) {
		if (clock == KB_CLOCK_DEVICE && m->measured[side].not_queueable)
			break;
		ret = kb_measurement_trial(m, side, t, err);
	}
	*call_ns = t ? kb_slope_ns(t) : KB_UNKNOWN;
	if (*call_ns == KB_UNKNOWN)
		*call_ns = 1;
	return ret;
}

static struct kb_batches batches_for(const struct kb_measurement *m,
				     int64_t call_ns, uint32_t most)
{
	struct kb_policy policy = *m->bench->policy;

	policy.batch_calls_max = most;
	return kb_policy_batches(&policy, call_ns, 0);
}

/*
 * The largest batches up to `most` calls that can be queued: what does not
 * fit the device's queue at once blocks while it is queued.
 */
static int find_batches(struct kb_measurement *m, enum kb_side side,
			int64_t call_ns, uint32_t most, struct kb_err *err)
{
	struct kb_measured *x = &m->measured[side];
	int ret = 1;

	for (;;) {
		int64_t elapsed_ns = KB_UNKNOWN;

		x->call_ns = call_ns;
		x->batches = batches_for(m, call_ns, most);
		ret = kb_measurement_need_slots(m, x->batches.large, err);
		if (ret > 0)
			ret = kb_measurement_run(m, side, KB_RUN_DEVICE,
						 x->batches.large, &elapsed_ns,
						 &x->not_queueable, err);
		if (ret <= 0 || elapsed_ns != KB_UNKNOWN ||
		    x->batches.large <= 1)
			return ret;
		most = x->batches.large / 2;
		x->not_queueable = NULL;
	}
}

static struct kb_batches small_batches(uint32_t most)
{
	if (most >= 3)
		return (struct kb_batches){ 1, 3 };
	return (struct kb_batches){ 1, most };
}

static int calibrate_by_device(struct kb_measurement *m, enum kb_side side,
			       struct kb_err *err)
{
	static const struct kb_batches one = { 1, 1 };
	struct kb_measured *x = &m->measured[side];
	const uint32_t most = kb_measurement_calls_that_fit(m);
	const struct kb_batches few = small_batches(most);
	int64_t call_ns = 1;
	int ret = kb_measurement_need_slots(m, few.large, err);

	if (ret > 0)
		ret = calibrate(m, side, KB_CLOCK_DEVICE, few, &call_ns, err);
	if (ret <= 0)
		return ret;
	if (!x->not_queueable)
		return find_batches(m, side, call_ns, most, err);
	if (few.large == 1)
		return 1;
	/* Perhaps fewer calls go in. */
	x->not_queueable = NULL;
	ret = calibrate(m, side, KB_CLOCK_DEVICE, one, &call_ns, err);
	return ret <= 0 || x->not_queueable ? ret :
		find_batches(m, side, call_ns, 2, err);
}

int kb_measurement_calibrate(struct kb_measurement *m, enum kb_side side,
			     struct kb_err *err)
{
	const struct kb_measured *x = &m->measured[side];
	struct kb_bench *b = m->bench;
	int ret;

	if (side == KB_SIDE_REFERENCE && b->batches_known)
		return kb_measurement_need_slots(m, x->batches.large, err);
	ret = calibrate_by_device(m, side, err);
	if (ret > 0 && side == KB_SIDE_REFERENCE) {
		b->batches_known = true;
		b->call_ns = x->call_ns;
		b->batches = x->batches;
		b->not_queueable = x->not_queueable;
	}
	return ret;
}

/* --- control timing --------------------------------------------------- */

static int take_alone(struct kb_measurement *m, enum kb_clock clock,
		      struct kb_err *err)
{
	static const struct kb_batches one = { 1, 1 };
	const int64_t end_ns = kb_clock_ns() + CONTROL_BUDGET_NS;
	struct kb_timing **alone = &m->alone[clock];
	int ret = *alone ? 1 :
		kb_measurement_new_timing(m, KB_SIDE_REFERENCE, clock, one,
					  alone, err);

	for (int i = 0; i < KB_CONTROL_ONE_CALLS_MAX && ret > 0; i++) {
		if (i >= KB_CONTROL_ONE_CALLS_MIN && kb_clock_ns() >= end_ns)
			break;
		ret = kb_measurement_one_call(m, KB_SIDE_REFERENCE,
					      KB_SERIES_ALONE, *alone, err);
	}
	return ret;
}

/* The slope of the reference from a few trials. */
static int take_control_trials(struct kb_measurement *m, int64_t *time_ns,
			       struct kb_err *err)
{
	const struct kb_measured *x = &m->measured[KB_SIDE_REFERENCE];
	const int64_t end_ns = kb_clock_ns() + CONTROL_BUDGET_NS;
	kb_auto(timing) struct kb_timing *t = NULL;
	int ret = kb_measurement_new_timing(m, KB_SIDE_REFERENCE,
					    KB_CLOCK_DEVICE, x->batches, &t,
					    err);

	for (int i = 0; i < CONTROL_TRIALS_MAX && ret > 0; i++) {
		if (x->not_queueable ||
		    (i >= CONTROL_TRIALS_MIN && kb_clock_ns() >= end_ns))
			break;
		ret = kb_measurement_trial(m, KB_SIDE_REFERENCE, t, err);
	}
	if (t)
		*time_ns = kb_slope_ns(t);
	return ret;
}

int kb_measurement_control(struct kb_measurement *m, int64_t *time_ns,
			   struct kb_err *err)
{
	int ret = take_alone(m, KB_CLOCK_CALL, err);

	*time_ns = KB_UNKNOWN;
	if (ret <= 0 || m->measured[KB_SIDE_REFERENCE].not_queueable)
		return ret;
	ret = take_alone(m, KB_CLOCK_DEVICE, err);
	return ret <= 0 ? ret : take_control_trials(m, time_ns, err);
}

/* --- what counts ------------------------------------------------------ */

static bool can_run(const struct kb_measurement *m, enum kb_side side,
		    const struct kb_timing *t)
{
	return t && !(t->clock == KB_CLOCK_DEVICE &&
		      m->measured[side].not_queueable);
}

/* Is nothing more to be learnt of this one? */
static bool is_done(const struct kb_measurement *m, const struct kb_timing *t,
		    int64_t least)
{
	return (int64_t)t->small_count >= least &&
	       kb_time_is_precise(t, m->bench->policy->interval_ppm);
}

/* A trial of each side that takes part and is not done: the candidate's, for
 * which inputs are always new, and then the reference's. */
static int take_round(struct kb_measurement *m, int64_t least,
		      struct kb_timing *timings[KB_SIDE_COUNT],
		      struct kb_err *err)
{
	int ret = 1;

	for (int i = KB_SIDE_COUNT; i > 0 && ret > 0; i--) {
		const enum kb_side side = i - 1;

		if (can_run(m, side, timings[side]) &&
		    !is_done(m, timings[side], least))
			ret = kb_measurement_trial(m, side, timings[side], err);
	}
	return ret;
}

/* A round like any other, but on alternate inputs and for nothing that
 * counts. */
static int take_alternate_round(struct kb_measurement *m,
				struct kb_timing *like[KB_SIDE_COUNT],
				struct kb_err *err)
{
	struct kb_timing *dropped[KB_SIDE_COUNT] = { NULL };
	int ret;

	for (int i = 0; i < KB_SIDE_COUNT; i++)
		if (like[i])
			dropped[i] = kb_timing_new(like[i]->clock,
						   like[i]->n_small,
						   like[i]->n_large);
	m->alternate = true;
	for (int i = 0; i < KB_SIDE_COUNT; i++) {
		if (!dropped[i])
			continue;
		dropped[i]->copy_in_small_ns = 0;
		dropped[i]->copy_in_large_ns = 0;
	}
	ret = take_round(m, 1, dropped, err);
	m->alternate = false;
	for (int i = 0; i < KB_SIDE_COUNT; i++)
		kb_timing_free(dropped[i]);
	return ret;
}

static bool are_done(const struct kb_measurement *m, int64_t least,
		     struct kb_timing *timings[KB_SIDE_COUNT])
{
	for (int i = 0; i < KB_SIDE_COUNT; i++)
		if (can_run(m, i, timings[i]) && !is_done(m, timings[i], least))
			return false;
	return true;
}

/* Each side's own reason. */
static void note_stop(const struct kb_measurement *m, int64_t least,
		      enum kb_stop_reason reason,
		      struct kb_timing *timings[KB_SIDE_COUNT])
{
	for (int i = 0; i < KB_SIDE_COUNT; i++)
		if (timings[i])
			timings[i]->stop_reason = is_done(m, timings[i], least) ?
				KB_STOP_INTERVAL : reason;
}

static int take_trials(struct kb_measurement *m, int64_t least,
		       int64_t budget_ns,
		       struct kb_timing *timings[KB_SIDE_COUNT],
		       struct kb_err *err)
{
	const int64_t start_ns = kb_clock_ns();
	struct kb_progress_of_trials p = { .least = least,
					   .budget_ns = budget_ns };
	enum kb_stop_reason reason = KB_STOP_TRIALS;
	struct kb_remedy_rounds rounds;
	int ret = kb_bench_draw_rounds(m->bench, m->has_candidate, &rounds,
				       err);

	ret = kb_err_or_1(ret);
	for (uint32_t i = 0; ret > 0; i++) {
		p.elapsed_ns = kb_clock_ns() - start_ns;
		p.precise = are_done(m, least, timings);
		if (kb_trials_are_enough(m->bench->policy, &p, &reason))
			break;
		if (kb_remedy_rounds_has(&rounds, i)) {
			ret = take_alternate_round(m, timings, err);
			continue;
		}
		ret = take_round(m, least, timings, err);
		p.counted++;
	}
	note_stop(m, least, reason, timings);
	return ret;
}

/* Neither side's counts without the other's. */
static int take_one_calls(struct kb_measurement *m,
			  struct kb_timing *timings[KB_SIDE_COUNT],
			  struct kb_err *err)
{
	int ret = 1;

	while (ret > 0) {
		for (int i = KB_SIDE_COUNT; i > 0 && ret > 0; i--) {
			const enum kb_side side = i - 1;

			if (!can_run(m, side, timings[side]))
				return 1;
			ret = kb_measurement_one_call(
				m, side, KB_SERIES_ONE_CALL, timings[side],
				err);
		}
		if (ret > 0 &&
		    kb_one_calls_are_enough(timings[KB_SIDE_CANDIDATE],
					    timings[KB_SIDE_REFERENCE]))
			break;
	}
	return ret;
}

/* What is known of the reference alone: that of after the candidate comes
 * when times are decided. */
static void add_alone(struct kb_timing *t, const struct kb_timing *alone)
{
	for (size_t i = t->alone_count; i < alone->alone_count; i++)
		kb_timing_add(t, KB_SERIES_ALONE, alone->alone_ns[i]);
}

/* Those that were made are none. */
static void begin_anew_by_calls(struct kb_measurement *m,
				struct kb_timing *timings[KB_SIDE_COUNT])
{
	for (int i = 0; i < KB_SIDE_COUNT; i++) {
		kb_timing_drop(timings[i], KB_SERIES_ONE_CALL);
		kb_timing_drop(timings[i], KB_SERIES_ALONE);
		timings[i]->one_call_clock = KB_CLOCK_CALL;
		kb_spans_release(&m->measured[i].side.filled);
	}
	add_alone(timings[KB_SIDE_REFERENCE], m->alone[KB_CLOCK_CALL]);
}

static int take_device_one_calls(struct kb_measurement *m,
				 struct kb_timing *timings[KB_SIDE_COUNT],
				 struct kb_err *err)
{
	int ret = take_one_calls(m, timings, err);

	if (ret <= 0 || !timings[KB_SIDE_REFERENCE] ||
	    !timings[KB_SIDE_CANDIDATE] ||
	    !kb_one_calls_want_call_clock(timings[KB_SIDE_CANDIDATE],
					  timings[KB_SIDE_REFERENCE]))
		return ret;
	begin_anew_by_calls(m, timings);
	return take_one_calls(m, timings, err);
}

static int measure_by_device(struct kb_measurement *m, struct kb_err *err)
{
	struct kb_timing *timings[KB_SIDE_COUNT] = { NULL };
	int ret = 1;

	for (int i = 0; i < KB_SIDE_COUNT && ret > 0; i++) {
		struct kb_measured *x = &m->measured[i];

		if (!takes_part(m, i))
			continue;
		x->device = kb_device_timing_new();
		if (x->not_queueable)
			continue;
		ret = kb_measurement_new_timing(m, i, KB_CLOCK_DEVICE,
						x->batches, &x->device->timing,
						err);
		timings[i] = x->device->timing;
		if (ret > 0 && m->has_candidate && i == KB_SIDE_REFERENCE)
			add_alone(timings[i], m->alone[KB_CLOCK_DEVICE]);
	}
	if (ret > 0)
		ret = take_trials(m, m->bench->policy->trials,
				  m->bench->policy->budget_ns, timings, err);
	return ret <= 0 || !m->has_candidate ? ret :
		take_device_one_calls(m, timings, err);
}

/* Is the call clock the one that counts? */
static bool calls_count(const struct kb_measurement *m)
{
	for (int i = 0; i < KB_SIDE_COUNT; i++)
		if (takes_part(m, i) && m->measured[i].not_queueable)
			return true;
	return false;
}

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* A call takes no less than its work. */
static int64_t device_ns(const struct kb_measured *x)
{
	return x->device && x->device->timing ? kb_slope_ns(x->device->timing)
					      : KB_UNKNOWN;
}

/* Of one side: how many calls, and a timing for them. */
static int begin_calls(struct kb_measurement *m, enum kb_side side,
		       uint32_t most, struct kb_err *err)
{
	const struct kb_batches few = small_batches(most);
	struct kb_batches n;
	int64_t call_ns = device_ns(&m->measured[side]);
	int ret = 1;

	/* Launches add little to calls that are long. */
	if (call_ns < m->bench->policy->batch_min_ns)
		ret = calibrate(m, side, KB_CLOCK_CALL, few, &call_ns, err);
	if (ret <= 0)
		return ret;
	n = batches_for(m, larger(call_ns, device_ns(&m->measured[side])),
			most);
	ret = kb_measurement_need_slots(m, n.large, err);
	if (ret > 0)
		ret = kb_measurement_new_timing(m, side, KB_CLOCK_CALL, n,
						&m->measured[side].call, err);
	if (ret > 0 && m->has_candidate && side == KB_SIDE_REFERENCE)
		add_alone(m->measured[side].call, m->alone[KB_CLOCK_CALL]);
	return ret;
}

static int take_call_trials(struct kb_measurement *m,
			    struct kb_timing *timings[KB_SIDE_COUNT],
			    struct kb_err *err)
{
	const struct kb_policy *policy = m->bench->policy;

	if (calls_count(m))
		return take_trials(m, policy->trials, policy->budget_ns,
				   timings, err);
	return take_trials(m, policy->trials < KB_TRIALS_BESIDE ?
			   policy->trials : KB_TRIALS_BESIDE,
			   policy->budget_ns / CALLS_BUDGET_PART, timings,
			   err);
}

static int measure_by_calls(struct kb_measurement *m, struct kb_err *err)
{
	const uint32_t most = kb_measurement_calls_that_fit(m);
	struct kb_timing *timings[KB_SIDE_COUNT] = { NULL };
	int ret = kb_measurement_need_slots(m, small_batches(most).large, err);

	for (int i = 0; i < KB_SIDE_COUNT && ret > 0; i++) {
		if (!takes_part(m, i))
			continue;
		kb_spans_release(&m->measured[i].side.filled);
		ret = begin_calls(m, i, most, err);
		timings[i] = m->measured[i].call;
	}
	if (ret > 0)
		ret = take_call_trials(m, timings, err);
	/* Where the device has timed both, its times bound those of calls. */
	return ret <= 0 || !m->has_candidate || !calls_count(m) ? ret :
		take_one_calls(m, timings, err);
}

int kb_measurement_take(struct kb_measurement *m, struct kb_err *err)
{
	int ret = measure_by_device(m, err);

	return ret <= 0 ? ret : measure_by_calls(m, err);
}

/* --- times ------------------------------------------------------------ */

static void shift(int64_t *samples_ns, size_t count, int64_t by_ns)
{
	for (size_t i = 0; i < count; i++)
		samples_ns[i] += by_ns;
}

static int correct(struct kb_measurement *m, struct kb_timing *t,
		   struct kb_err *err)
{
	int64_t small_ns, large_ns, one_ns;
	int ret;

	if (!t)
		return 1;
	ret = kb_measurement_chain_cost(m, (uint32_t)t->n_small, &small_ns,
					err);
	if (ret > 0)
		ret = kb_measurement_chain_cost(m, (uint32_t)t->n_large,
						&large_ns, err);
	if (ret > 0)
		ret = kb_measurement_chain_cost(m, (uint32_t)t->n_one_call,
						&one_ns, err);
	if (ret <= 0)
		return ret;
	shift(t->small_ns, t->small_count, t->copy_in_small_ns - small_ns);
	shift(t->large_ns, t->large_count, t->copy_in_large_ns - large_ns);
	shift(t->one_call_ns, t->one_call_count,
	      t->copy_in_one_call_ns - one_ns);
	shift(t->alone_ns, t->alone_count, t->copy_in_one_call_ns - one_ns);
	t->copy_in_small_ns = small_ns;
	t->copy_in_large_ns = large_ns;
	t->copy_in_one_call_ns = one_ns;
	return 1;
}

/* What was measured before it turned out that a side cannot be queued is
 * nothing to go by. */
static void settle_device(struct kb_measured *x)
{
	struct kb_device_timing *d = x->device;

	if (!d || !x->not_queueable)
		return;
	d->not_queueable = kb_xstrdup(x->not_queueable);
	kb_timing_free(d->timing);
	d->timing = NULL;
}

static struct kb_timing *timing_of(const struct kb_measured *x,
				   enum kb_clock clock)
{
	if (clock == KB_CLOCK_CALL)
		return x->call;
	return x->device ? x->device->timing : NULL;
}

static int decide(struct kb_measurement *m, enum kb_clock clock,
		  struct kb_err *err)
{
	struct kb_timing *reference =
		timing_of(&m->measured[KB_SIDE_REFERENCE], clock);
	struct kb_timing *candidate =
		timing_of(&m->measured[KB_SIDE_CANDIDATE], clock);
	int ret;

	if (reference && candidate)
		add_alone(reference, m->alone[reference->one_call_clock]);
	ret = correct(m, reference, err);
	if (ret > 0)
		ret = correct(m, candidate, err);
	if (ret <= 0)
		return ret;
	/* Runs of one call that have no counterpart are none. */
	if (reference && !candidate)
		kb_timing_drop(reference, KB_SERIES_ONE_CALL);
	if (candidate && !reference)
		kb_timing_drop(candidate, KB_SERIES_ONE_CALL);
	if (reference)
		kb_time_decide(reference, NULL);
	if (candidate)
		kb_time_decide(candidate, reference);
	return 1;
}

static void note_device_time(struct kb_measured *x)
{
	if (x->call && x->device && x->device->timing)
		x->call->device_ns = x->device->timing->time_ns;
}

int kb_measurement_decide(struct kb_measurement *m, struct kb_err *err)
{
	int ret;

	m->cost_count = 0;
	for (int i = 0; i < KB_SIDE_COUNT; i++)
		settle_device(&m->measured[i]);
	ret = decide(m, KB_CLOCK_DEVICE, err);
	for (int i = 0; i < KB_SIDE_COUNT; i++)
		note_device_time(&m->measured[i]);
	return ret <= 0 ? ret : decide(m, KB_CLOCK_CALL, err);
}
