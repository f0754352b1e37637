#include "measure/device_measurement.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/hex.h"
#include "base/numbers.h"
#include "device/cuda.h"
#include "measure/device_calibration.h"
#include "measure/device_times.h"
#include "measure/policy.h"
#include "measure/stopping.h"
#include "measure/time_rule.h"
#include "random/random.h"
#include "source/runtime.h"

/* The share of the budget for the call clock, where the other clock counts. The
 * work that Python does between launches is seldom within the interval. */
#define CALLS_BUDGET_PART 10

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
	/* Inputs are of this seed from now on. */
	b->masters.spent = true;
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

/* --- what counts ------------------------------------------------------ */

static bool can_run(const struct kb_measurement *m, enum kb_side side,
		    const struct kb_timing *t)
{
	return t && !(t->clock == KB_CLOCK_DEVICE &&
		      m->measured[side].not_queueable);
}

static bool is_precise(const struct kb_measurement *m,
		       const struct kb_timing *t, int64_t least)
{
	return (int64_t)t->small_count >= least &&
	       kb_time_is_precise(t, m->bench->policy->interval_ppm);
}

static bool is_slow(const struct kb_measurement *m, enum kb_side side,
		    struct kb_timing *timings[KB_SIDE_COUNT])
{
	return side == KB_SIDE_CANDIDATE &&
	       kb_trials_are_slow(timings[side], timings[KB_SIDE_REFERENCE],
				  m->bench->policy->slow_factor, false);
}

/* Does this side need no further trials? */
static bool is_done(const struct kb_measurement *m, enum kb_side side,
		    int64_t least, struct kb_timing *timings[KB_SIDE_COUNT])
{
	return is_precise(m, timings[side], least) ||
	       is_slow(m, side, timings);
}

/* Trials of whoever needs more and has had the fewest. */
static int64_t count_trials(const struct kb_measurement *m, int64_t least,
			    struct kb_timing *timings[KB_SIDE_COUNT])
{
	int64_t fewest = INT64_MAX;

	for (int i = 0; i < KB_SIDE_COUNT; i++)
		if (can_run(m, i, timings[i]) &&
		    !is_done(m, i, least, timings))
			fewest = kb_min_i64(fewest,
					    (int64_t)timings[i]->small_count);
	return fewest;
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
		    (int64_t)timings[side]->small_count <
			    m->bench->policy->trials_max &&
		    !is_done(m, side, least, timings))
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

	for (int i = 0; i < KB_SIDE_COUNT; i++) {
		if (!like[i])
			continue;
		dropped[i] = kb_timing_new(like[i]->clock, like[i]->n_small,
					   like[i]->n_large);
		dropped[i]->copy_in_small_ns = 0;
		dropped[i]->copy_in_large_ns = 0;
	}
	m->alternate = true;
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
		if (can_run(m, i, timings[i]) && !is_done(m, i, least, timings))
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
			timings[i]->stop_reason =
				is_precise(m, timings[i], least) ?
					KB_STOP_INTERVAL :
				is_slow(m, i, timings) ? KB_STOP_SLOW : reason;
}

/* Are trials on alternate inputs all that it still has to have? */
static bool wants_alternates(const struct kb_measurement *m,
			     struct kb_timing *timings[KB_SIDE_COUNT])
{
	return m->alternates &&
	       m->alternates->trials < m->bench->policy->alternate_trials &&
	       can_run(m, KB_SIDE_CANDIDATE, timings[KB_SIDE_CANDIDATE]) &&
	       is_slow(m, KB_SIDE_CANDIDATE, timings);
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
	struct kb_alternate_rounds rounds;
	int ret = kb_bench_draw_rounds(m->bench, m->has_candidate, &rounds,
				       err);

	ret = kb_err_or_1(ret);
	for (uint32_t i = 0; ret > 0; i++) {
		const bool wanted = wants_alternates(m, timings);

		p.elapsed_ns = kb_clock_ns() - start_ns;
		p.counted = count_trials(m, least, timings);
		p.precise = are_done(m, least, timings);
		if (!wanted &&
		    kb_trials_are_enough(m->bench->policy, &p, &reason))
			break;
		if (wanted || kb_alternate_rounds_has(&rounds, i)) {
			ret = take_alternate_round(m, timings, err);
			continue;
		}
		ret = take_round(m, least, timings, err);
	}
	note_stop(m, least, reason, timings);
	return ret;
}

static bool can_both_run(const struct kb_measurement *m,
			 struct kb_timing *timings[KB_SIDE_COUNT])
{
	return can_run(m, KB_SIDE_CANDIDATE, timings[KB_SIDE_CANDIDATE]) &&
	       can_run(m, KB_SIDE_REFERENCE, timings[KB_SIDE_REFERENCE]);
}

/* Neither side's counts without the other's. */
static int take_one_calls(struct kb_measurement *m,
			  struct kb_timing *timings[KB_SIDE_COUNT],
			  struct kb_err *err)
{
	int ret = 1;

	while (ret > 0 && can_both_run(m, timings) &&
	       !kb_one_calls_are_enough(timings[KB_SIDE_CANDIDATE],
					timings[KB_SIDE_REFERENCE]))
		for (int i = KB_SIDE_COUNT; i > 0 && ret > 0; i--) {
			const enum kb_side side = i - 1;

			if (!can_run(m, side, timings[side]))
				return 1;
			ret = kb_measurement_one_call(
				m, side, KB_SERIES_ONE_CALL, timings[side],
				err);
		}
	return ret;
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
			kb_measurement_add_alone(timings[i],
						 m->alone[KB_CLOCK_DEVICE]);
	}
	if (ret > 0)
		ret = take_trials(m, m->bench->policy->trials,
				  m->bench->policy->budget_ns, timings, err);
	return ret <= 0 || !m->has_candidate ? ret :
		take_one_calls(m, timings, err);
}

/* Is the call clock the one that counts? */
static bool calls_count(const struct kb_measurement *m)
{
	for (int i = 0; i < KB_SIDE_COUNT; i++)
		if (takes_part(m, i) && m->measured[i].not_queueable)
			return true;
	return false;
}

/* A call takes no less than its work. */
static int64_t device_ns(const struct kb_measured *x)
{
	return x->device && x->device->timing ? kb_slope_ns(x->device->timing)
					      : KB_UNKNOWN;
}

/* Choose the calls of one side, and begin a timing for them. */
static int begin_calls(struct kb_measurement *m, enum kb_side side,
		       struct kb_err *err)
{
	struct kb_timing **call = &m->measured[side].call;
	struct kb_batches n;
	int ret = kb_measurement_calibrate_calls(
		m, side, device_ns(&m->measured[side]), &n, err);

	if (ret > 0)
		ret = kb_measurement_need_slots(m, n.large, err);
	if (ret > 0)
		ret = kb_measurement_new_timing(m, side, KB_CLOCK_CALL, n,
						call, err);
	if (ret > 0 && m->has_candidate && side == KB_SIDE_REFERENCE)
		kb_measurement_add_alone(*call, m->alone[KB_CLOCK_CALL]);
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
	struct kb_timing *timings[KB_SIDE_COUNT] = { NULL };
	int ret = 1;

	for (int i = 0; i < KB_SIDE_COUNT && ret > 0; i++) {
		if (!takes_part(m, i))
			continue;
		kb_spans_release(&m->measured[i].side.filled);
		ret = begin_calls(m, i, err);
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

	if (ret <= 0 || (m->bench->policy->by_device_alone && !calls_count(m)))
		return ret;
	return measure_by_calls(m, err);
}
