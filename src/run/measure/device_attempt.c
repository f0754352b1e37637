/* Runs on a device, repeated while they tell nothing. */

#include "measure/device_trial.h"

#include <time.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/numbers.h"
#include "cuda/patience.h"
#include "device/cuda.h"
#include "measure/output_errors.h"
#include "measure/stopping.h"
#include "random/random.h"

/* How often a run is repeated that saw the device slow down. One that stays
 * slow counts as it is; the reasons are in the record. */
#define REPEATS_MAX 5

/* How often one is that told nothing: outputs settle into their places within
 * a few runs, and a machine that cannot stop a process in time is busy. What
 * it is busy with may last for seconds, so that pauses become longer; more
 * runs would be more for a candidate to choose from, whose doing it may be. */
#define VOID_MAX 20
#define PAUSE_LEAST_NS (10 * KB_NS_PER_MS)
#define PAUSE_MOST_NS KB_NS_PER_S

/* Grace beyond the estimated time of the calls, before a run counts as late. */
#define PATIENCE_NS (500 * KB_NS_PER_MS)
#define PATIENCE_CALLS 4

/* The most bytes compared of a batch: 1 ms of reading, of a time slice of 2. */
#define COMPARED_BYTES_MAX (UINT64_C(4) << 30)

/* --- slots ------------------------------------------------------------ */

static bool in_slots(const struct kb_measurement *m, enum kb_side side)
{
	return (side == KB_SIDE_REFERENCE || m->has_candidate) &&
	       m->measured[side].side.outputs_in_slots;
}

static int grow_trials(struct kb_measurement *m, uint32_t count,
		       struct kb_err *err)
{
	struct kb_device_slots *s = &m->bench->device_slots;
	const bool reference_native = in_slots(m, KB_SIDE_REFERENCE);
	int ret = kb_device_slots_grow(s, count, err);

	if (ret >= 0 && (reference_native || in_slots(m, KB_SIDE_CANDIDATE)))
		ret = kb_device_slots_grow_outputs(s, s->count, false, err);
	if (ret >= 0 && reference_native)
		ret = kb_device_slots_grow_outputs(s, s->count, true, err);
	return ret;
}

/* Tell a worker the slots that it does not know yet. */
static int tell_side(struct kb_measurement *m, enum kb_side who,
		     struct kb_err *err)
{
	const struct kb_device_slots *s = &m->bench->device_slots;
	struct kb_device_side *side = &m->measured[who].side;
	uint32_t *sent = who == KB_SIDE_REFERENCE ? &m->bench->slots_sent
						  : &side->slots_sent;
	const bool outputs = side->outputs_in_slots;
	int ret = kb_device_slots_send(s, *sent, false, outputs, side->worker,
				       &m->fault, err);

	if (ret > 0 && who == KB_SIDE_REFERENCE)
		ret = kb_device_slots_send(s, *sent, true, outputs,
					   side->worker, &m->fault, err);
	if (ret > 0)
		*sent = s->count;
	return ret;
}

int kb_measurement_need_slots(struct kb_measurement *m, uint32_t count,
			      struct kb_err *err)
{
	int ret = grow_trials(m, count, err);

	if (ret < 0)
		return ret;
	ret = tell_side(m, KB_SIDE_REFERENCE, err);
	if (ret > 0 && m->has_candidate)
		ret = tell_side(m, KB_SIDE_CANDIDATE, err);
	return ret;
}

/* How many calls' outputs fit the pool of one. What the reference's masters
 * return stays in its pool, too. */
static uint64_t calls_in_pool(const struct kb_measurement *m,
			      enum kb_side side)
{
	const struct kb_measured *x = &m->measured[side];

	return kb_output_pool_calls(x->side.pool->memory.bytes,
				    x->pool_peak_bytes,
				    kb_device_output_bytes(&m->bench->plan),
				    side == KB_SIDE_REFERENCE ? 2 : 1);
}

/* Two sizes are worth a comparison that is somewhat long. */
static uint64_t calls_in_slice(const struct kb_bench *b)
{
	const uint64_t call = 2 * kb_device_output_bytes(&b->plan);

	return kb_max_u64(call ? COMPARED_BYTES_MAX / call : UINT64_MAX, 2);
}

uint32_t kb_bench_calls_max(const struct kb_bench *b)
{
	const uint64_t most = (uint64_t)b->policy->batch_calls_max;

	return (uint32_t)kb_max_u64(kb_min_u64(most, calls_in_slice(b)), 1);
}

/* Slots share one limit, and each side has a pool. With one call there is no
 * slope, and less that would show; that a candidate says that it needs so
 * much is not enough for that. */
uint32_t kb_measurement_calls_that_fit(const struct kb_measurement *m)
{
	const struct kb_bench *b = m->bench;
	uint64_t slot = kb_device_slot_bytes(&b->plan);
	uint64_t fit = kb_bench_calls_max(b);

	for (int side = 0; side < KB_SIDE_COUNT; side++) {
		if (in_slots(m, side))
			slot += 2 * kb_device_output_bytes(&b->plan);
		else if (m->measured[side].side.worker &&
			 calls_in_pool(m, side) < fit)
			fit = side == KB_SIDE_CANDIDATE && fit > 1 ?
				kb_max_u64(calls_in_pool(m, side), 2) :
				calls_in_pool(m, side);
	}
	if (slot && b->policy->tensor_bytes_max / slot < fit)
		fit = b->policy->tensor_bytes_max / slot;
	return fit ? (uint32_t)fit : 1;
}

/* --- runs ------------------------------------------------------------- */

static void add_extremes(int64_t *least, int64_t *most, int64_t value)
{
	if (value == KB_NVML_UNKNOWN)
		return;
	if (least && (*least == KB_UNKNOWN || value < *least))
		*least = value;
	if (*most == KB_UNKNOWN || value > *most)
		*most = value;
}

static void add_telemetry(struct kb_telemetry *t,
			  const struct kb_nvml_sample *s)
{
	t->samples++;
	add_extremes(&t->sm_clock_mhz_min, &t->sm_clock_mhz_max,
		     s->sm_clock_mhz);
	add_extremes(&t->memory_clock_mhz_min, &t->memory_clock_mhz_max,
		     s->memory_clock_mhz);
	add_extremes(NULL, &t->temperature_c_max, s->temperature_c);
	add_extremes(NULL, &t->power_mw_max, s->power_mw);
	if (s->reasons != KB_NVML_UNKNOWN)
		t->reasons = (t->reasons == KB_UNKNOWN ? 0 : t->reasons) |
			     s->reasons;
}

/* Values count for reference and candidate alike: a time is only had for
 * what is right. */
static int check_values(struct kb_measurement *m, enum kb_side side,
			const struct kb_device_run *r)
{
	const struct kb_plan *plan = &m->bench->plan;

	if (!r->errors)
		return 1;
	if (side == KB_SIDE_CANDIDATE)
		kb_output_errors_keep_trial(&m->worst,
					    r->alternate ? m->alternates : NULL,
					    r->errors, plan->output_count,
					    &r->wrong);
	if (kb_wrong_judge(&r->wrong, plan, r->errors, side, &m->fault))
		return 1;
	/* No other record has the errors of a reference. */
	if (side == KB_SIDE_REFERENCE && !r->alternate)
		kb_output_errors_blame(&m->fault, plan, r->errors);
	if (r->alternate)
		kb_alternate_blame(&m->fault, plan, r->errors);
	return 0;
}

/* Was the device slow, and is it worth another try? */
static bool saw_slowdown(struct kb_measurement *m, enum kb_side side,
			 const struct kb_device_run *r, int repeats)
{
	struct kb_device_timing *t = m->measured[side].device;

	if (!r->sampled || !t || r->clock == KB_RUN_UNGATED || r->alternate)
		return false;
	add_telemetry(&t->telemetry, &r->sample);
	if (!kb_nvml_is_slowdown(r->sample.reasons) || repeats == REPEATS_MAX)
		return false;
	t->repeated++;
	return true;
}

/* It never came to an end that tells something: nothing of it can be
 * believed. */
static int blame_void(struct kb_measurement *m, enum kb_side side,
		      int late_count)
{
	const char *why = !late_count ?
		"its outputs were in other memory each time" :
		late_count == VOID_MAX ?
		"it left work on the device, could not be stopped in time, or "
		"the machine is busy" :
		"its outputs were in other memory each time, it left work on "
		"the device, or it could not be stopped in time";

	kb_fault_set(&m->fault, side, KB_STATUS_PROTOCOL_VIOLATION,
		     KB_PHASE_RUN, "%s, %d times in a row", why, VOID_MAX);
	return 0;
}

static void pause_before_another(int late_count)
{
	int64_t ns = PAUSE_LEAST_NS;
	struct timespec pause;

	while (late_count-- > 1 && ns < PAUSE_MOST_NS)
		ns *= 2;
	ns = ns < PAUSE_MOST_NS ? ns : PAUSE_MOST_NS;
	pause.tv_sec = ns / KB_NS_PER_S;
	pause.tv_nsec = ns % KB_NS_PER_S;
	(void)nanosleep(&pause, NULL);
}

/* One run that is not void. */
static int run_once(struct kb_measurement *m, enum kb_side side,
		    struct kb_device_run *r, struct kb_err *err)
{
	int late_count = 0;

	for (int i = 0; i < VOID_MAX;) {
		int ret;

		kb_device_run_release(r);
		m->runs += !r->repeats;
		kb_random_derive(r->seed, m->seed, KB_SEED_INPUTS, m->runs - 1);
		ret = kb_device_run_make(m->bench, &m->measured[side].side, r,
					 &m->fault, err);
		if (ret > 0 && r->is_paused &&
		    m->paused_runs < KB_PAUSED_RUNS_MAX) {
			m->paused_runs++;
			continue;
		}
		if (ret > 0)
			ret = check_values(m, side, r);
		if (ret <= 0 || !r->is_void)
			return ret;
		i++;
		late_count += r->is_late;
		if (r->is_late && i < VOID_MAX)
			pause_before_another(late_count);
	}
	return blame_void(m, side, late_count);
}

/* Calls that have been queued before can be queued again: if it takes longer,
 * the host is slow. */
static int64_t queue_patience_ns(const struct kb_measured *x, uint32_t n)
{
	return n * x->ungated_ns +
	       (n <= x->queued ? PATIENCE_NS : kb_patience.queue_ns);
}

int kb_measurement_run(struct kb_measurement *m, enum kb_side side,
		       enum kb_run_clock clock, uint32_t n,
		       int64_t *elapsed_ns, const char **why_not,
		       struct kb_err *err)
{
	const int64_t calls_ns = (int64_t)n * m->measured[side].ungated_ns;
	kb_auto(device_run) struct kb_device_run r = {
		.clock = clock,
		.n = n,
		.alternate = m->alternate,
		.may_reuse = side == KB_SIDE_REFERENCE &&
			     !m->bench->masters.spent,
		.warm = clock == KB_RUN_CALL && n <= 1,
		.queue_patience_ns = queue_patience_ns(&m->measured[side], n),
		.patience_ns = PATIENCE_CALLS * calls_ns +
			       (clock == KB_RUN_CALL ? KB_LAUNCH_PATIENCE_NS
						     : PATIENCE_NS),
	};
	int repeats = 0;
	int ret;

	if (side == KB_SIDE_CANDIDATE)
		kb_bench_limit_run(m->bench, m->measured[side].side.worker,
				   m->bench->ungated_ns, n);
	do
		ret = run_once(m, side, &r, err);
	while (ret > 0 && saw_slowdown(m, side, &r, repeats++));
	if (ret > 0 && r.timed && clock == KB_RUN_DEVICE &&
	    n > m->measured[side].queued)
		m->measured[side].queued = n;
	*elapsed_ns = r.timed || clock == KB_RUN_UNGATED ? r.elapsed_ns
							 : KB_UNKNOWN;
	*why_not = r.why_not;
	return ret;
}

int kb_measurement_repeat(struct kb_measurement *m, struct kb_err *err)
{
	kb_auto(device_run) struct kb_device_run first = {
		.clock = KB_RUN_UNGATED, .n = 1,
	};
	kb_auto(device_run) struct kb_device_run again = {
		.clock = KB_RUN_UNGATED, .n = 1, .repeats = true,
	};
	int ret = run_once(m, KB_SIDE_CANDIDATE, &first, err);

	if (ret > 0)
		ret = run_once(m, KB_SIDE_CANDIDATE, &again, err);
	return ret <= 0 ? ret :
		kb_output_errors_judge_repeat(first.errors, again.errors,
					      m->bench->plan.output_count,
					      &m->fault);
}

/* --- costs ------------------------------------------------------------ */

/* One that writes where it does no harm. */
static int prepare_chain(struct kb_bench *b, uint32_t n, struct kb_err *err)
{
	const size_t count = (size_t)n * b->plan.output_count;
	kb_auto(mem) struct kb_cuda_span *spans = kb_xcalloc(count,
							     sizeof(*spans));

	for (size_t i = 0; i < count; i++)
		spans[i] = kb_cuda_scratch(b->gpu->cuda);
	return kb_device_slots_chain(&b->device_slots, n, spans, count, err);
}

int kb_measurement_chain_cost(struct kb_measurement *m, uint32_t n,
			      int64_t *cost_ns, struct kb_err *err)
{
	struct kb_bench *b = m->bench;
	int ret;

	for (size_t i = 0; i < m->cost_count; i++) {
		*cost_ns = m->costs[i].cost_ns;
		if (m->costs[i].n == n)
			return 1;
	}
	ret = prepare_chain(b, n, err);
	if (ret >= 0)
		ret = kb_cuda_chain_cost(b->gpu->cuda, cost_ns, err);
	if (ret < 0)
		return ret;
	/* Few sizes are ever used; beyond these one is measured each time. */
	if (m->cost_count < KB_CHAIN_COSTS_MAX)
		m->costs[m->cost_count++] = (struct kb_chain_cost){
			.n = n, .cost_ns = *cost_ns,
		};
	return 1;
}
