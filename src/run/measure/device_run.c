/* One run on a device, from its inputs to the comparison of its outputs. */

#include "measure/device_run_state.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/interrupt.h"
#include "base/pause.h"
#include "cuda/patience.h"
#include "device/cuda.h"

/* The longest time to enqueue a comparison. */
#define MARGIN_NS (KB_NS_PER_MS / 10)

#define NEEDS_HOST "queueing one call waits for another, or for the host"

/* --- comparison ------------------------------------------------------- */

static struct kb_error_limits limits_of(const struct kb_run_state *x,
					uint32_t output)
{
	return kb_run_is_reference(x) ?
		kb_bench_reference_limits(x->b, output, x->r->alternate) :
		kb_bench_limits(x->b, output, x->r->alternate);
}

static int prepare_comparison(const struct kb_run_state *x, struct kb_err *err)
{
	const struct kb_plan *plan = &x->b->plan;
	kb_auto(mem) struct kb_cuda_comparison *list =
		kb_xcalloc(kb_run_outputs(x), sizeof(*list));

	for (uint32_t k = 0; k < kb_run_outputs(x); k++) {
		const uint32_t output = k % plan->output_count;
		const enum kb_dtype dtype = plan->outputs[output].dtype;
		const struct kb_error_limits limits = limits_of(x, output);

		list[k] = (struct kb_cuda_comparison){
			.candidate = x->outputs[k],
			.expected = x->b->masters.expected[k],
			.dtype = dtype,
			.count = kb_run_output_bytes(x, k) /
				 kb_dtype_size_bytes(dtype),
			.tolerance = limits.element,
			.of_tensor = limits.of_tensor,
		};
	}
	return kb_cuda_compare_prepare(x->b->gpu->cuda, list, kb_run_outputs(x),
				       err);
}

/* The one that is wrong first, of both, in output number `k`. */
static int take_element(const struct kb_run_state *x, uint32_t k,
			struct kb_err *err)
{
	struct kb_cuda *cuda = x->b->gpu->cuda;
	struct kb_wrong *w = &x->r->wrong;
	const size_t bytes = kb_dtype_size_bytes(
		x->b->plan.outputs[k % x->b->plan.output_count].dtype);
	const uint64_t at = w->element_index * bytes;
	int ret = kb_cuda_read(cuda, w->got, x->outputs[k] + at, bytes, err);

	return ret < 0 ? ret :
		kb_cuda_read(cuda, w->expected,
			     x->b->masters.expected[k] + at, bytes, err);
}

static int finish_comparison(const struct kb_run_state *x, struct kb_err *err)
{
	const uint32_t outputs = x->b->plan.output_count;
	int ret = kb_cuda_compare_finish(x->b->gpu->cuda, x->results, err);

	if (ret < 0)
		return ret;
	x->r->errors = kb_xcalloc(outputs, sizeof(*x->r->errors));
	for (uint32_t k = 0; k < kb_run_outputs(x); k++) {
		const struct kb_error_limits limits = limits_of(x, k % outputs);

		kb_output_error_add(&x->r->errors[k % outputs],
				    &x->results[k]);
		if (kb_wrong_add(&x->r->wrong, &x->results[k], &limits, k))
			ret = take_element(x, k, err);
	}
	return ret < 0 ? ret : 1;
}

/* End a timed run, whose comparison is under way. */
static int end_run(const struct kb_run_state *x, struct kb_err *err)
{
	int ret = finish_comparison(x, err);

	return ret < 0 ? ret :
		kb_err_or_1(kb_cuda_mark_time(x->b->gpu->cuda,
					      &x->r->elapsed_ns, err));
}

static int compare_now(const struct kb_run_state *x, struct kb_err *err)
{
	int ret = prepare_comparison(x, err);

	if (ret >= 0)
		ret = kb_cuda_compare_submit(x->b->gpu->cuda, err);
	return ret < 0 ? ret : finish_comparison(x, err);
}

/* --- guards and inputs ------------------------------------------------ */

static int inspect_inputs(const struct kb_run_state *x, struct kb_fault *fault,
			  struct kb_err *err)
{
	struct kb_bench *b = x->b;
	int ret;

	if (kb_bench_may_modify(b, x->s->worker->side))
		return 1;
	ret = kb_device_slots_agree(&b->device_slots, x->r->n, err);
	if (ret)
		return kb_err_or_1(ret);
	/* It works in place: then that is the problem's nature. That shows in
	 * its warm-ups, before there is a candidate whose kernels could do it
	 * for the reference. */
	if (kb_run_is_reference(x) && x->r->clock == KB_RUN_UNGATED) {
		b->modifies_inputs = true;
		return 1;
	}
	kb_fault_set(fault, x->s->worker->side, KB_STATUS_INPUTS_MODIFIED,
		     KB_PHASE_RUN,
		     "an input is not what it was before the run");
	return 0;
}

static int inspect_outputs(const struct kb_run_state *x, struct kb_fault *fault,
			   struct kb_err *err)
{
	struct kb_bench *b = x->b;
	struct kb_guarded_tensor damaged;
	char name[KB_TENSOR_NAME_SIZE];
	int ret = kb_device_slots_guards_hold(&b->device_slots, &x->guards,
					      &damaged, err);

	if (!ret)
		kb_fault_set(fault, x->s->worker->side,
			     KB_STATUS_GUARD_DAMAGED, KB_PHASE_RUN,
			     "wrote beyond the ends of %s of call %u",
			     kb_plan_name_tensor(name, &b->plan,
						 damaged.tensor),
			     damaged.slot);
	return ret <= 0 ? ret : inspect_inputs(x, fault, err);
}

/* --- the two chains --------------------------------------------------- */

static void sample_counters(const struct kb_run_state *x)
{
	struct kb_bench *b = x->b;

	if (!b->gpu->nvml || kb_clock_ns() < b->next_sample_ns)
		return;
	kb_nvml_sample(b->gpu->nvml, &x->r->sample);
	x->r->sampled = true;
	b->next_sample_ns = kb_clock_ns() + KB_TELEMETRY_NS;
}

/* The write that opens the gate comes last. The device reads and writes words
 * of 32 bits, the lower half of the seed first, as this processor does. */
static int submit_chain(const struct kb_run_state *x, struct kb_err *err)
{
	struct kb_worker *w = x->s->worker;
	const uint64_t page = x->s->gate_word - offsetof(struct kb_control, go);
	const uint64_t word = page + offsetof(struct kb_control, seed);
	const uint64_t seed = kb_worker_gate_seed(w);
	const struct kb_cuda_write writes[] = {
		{ word, (uint32_t)seed },
		{ word + sizeof(uint32_t), (uint32_t)(seed >> 32) },
		{ x->s->gate_word, kb_worker_gate_value(w) },
	};
	const size_t first = x->r->clock == KB_RUN_CALL ? 0 : 2;

	return kb_cuda_chain_submit(x->b->gpu->cuda, writes + first,
				    KB_ARRAY_LEN(writes) - first, err);
}

/* From the first chain to the mark. What the device does not get to by itself
 * is found out when the side waits for it: a fault of its own, or nothing. */
static int time_chains(const struct kb_run_state *x, bool holds,
		       struct kb_err *err)
{
	struct kb_device_run *r = x->r;
	struct kb_cuda *cuda = x->b->gpu->cuda;
	struct kb_worker *w = x->s->worker;
	int ret;

	kb_pause_begin();
	ret = submit_chain(x, err);
	if (ret >= 0)
		ret = kb_cuda_mark_submit(cuda, holds, err);
	if (ret >= 0 && !holds)
		ret = kb_cuda_compare_submit(cuda, err);
	if (ret < 0)
		return ret;
	r->timed = kb_worker_await_done(w, r->patience_ns);
	/* In any case: what is behind it has to leave the stream. */
	kb_cuda_mark_begin(cuda);
	/* The device went on with its queue during a pause. */
	kb_pause_look();
	if (!r->timed) {
		r->why_not = NEEDS_HOST;
		kb_cuda_mark_end(cuda);
		/* The compared memory may be unmapped next. */
		return kb_err_or_1(kb_cuda_wait(cuda, err));
	}
	ret = kb_cuda_mark_await(cuda, err);
	if (ret >= 0 && kb_interrupted())
		return kb_err(err, KB_ERR_INTERRUPTED, "interrupted");
	return kb_err_or_1(ret);
}

/* The gate had to be opened for calls that wait for each other. */
static int let_late_calls_go(const struct kb_run_state *x,
			     struct kb_fault *fault, struct kb_err *err)
{
	kb_pause_begin();
	(void)kb_worker_await_done(x->s->worker, x->r->patience_ns);
	x->r->why_not = NEEDS_HOST;
	return kb_worker_settle(x->s->worker, fault, err);
}

static int run_by_device(struct kb_run_state *x, struct kb_fault *fault,
			 struct kb_err *err)
{
	enum kb_queued how;
	int ret = kb_run_queue(x, &how, fault, err);

	if (ret <= 0)
		return ret;
	if (how == KB_QUEUE_REFUSED) {
		x->r->why_not = "its calls need numbers before the gate opens";
		return 1;
	}
	if (how == KB_QUEUED_LATE)
		return let_late_calls_go(x, fault, err);
	ret = kb_run_find_outputs(x, fault);
	if (ret > 0)
		ret = kb_err_or_1(kb_run_fill(x, err));
	if (ret > 0)
		ret = kb_err_or_1(prepare_comparison(x, err));
	if (ret > 0)
		ret = kb_err_or_1(kb_run_prepare_chain(x, err));
	if (ret > 0)
		ret = time_chains(x, false, err);
	if (ret > 0 && x->r->timed)
		ret = end_run(x, err);
	if (ret > 0)
		sample_counters(x);
	if (ret > 0 && x->r->timed)
		ret = inspect_outputs(x, fault, err);
	return ret <= 0 ? ret : kb_worker_settle(x->s->worker, fault, err);
}

/* The device is ours and held. Only now it is known where outputs are. */
static int compare_while_held(struct kb_run_state *x, struct kb_fault *fault,
			      struct kb_err *err)
{
	const int64_t end_ns = kb_clock_ns() + kb_patience.hold_ns - MARGIN_NS;
	struct kb_cuda *cuda = x->b->gpu->cuda;
	int ret = kb_worker_halt(x->s->worker, fault, err);

	if (ret > 0)
		ret = kb_run_find_outputs(x, fault);
	if (ret > 0)
		kb_run_note_places(x);
	if (ret > 0)
		ret = kb_err_or_1(prepare_comparison(x, err));
	if (kb_clock_ns() >= end_ns)
		x->r->is_void = x->r->is_late = true;
	if (ret > 0)
		ret = kb_err_or_1(kb_cuda_compare_submit(cuda, err));
	kb_cuda_mark_release(cuda);
	return ret <= 0 ? ret : end_run(x, err);
}

static int run_by_calls(struct kb_run_state *x, struct kb_fault *fault,
			struct kb_err *err)
{
	struct kb_worker *w = x->s->worker;
	enum kb_queued how;
	int ret = kb_run_queue(x, &how, fault, err);

	if (ret > 0)
		ret = kb_err_or_1(kb_run_fill(x, err));
	if (ret > 0)
		ret = kb_err_or_1(kb_run_prepare_chain(x, err));
	if (ret > 0)
		ret = kb_worker_let_go(w, fault, err);
	if (ret > 0)
		ret = time_chains(x, true, err);
	if (ret <= 0)
		return ret;
	if (!x->r->timed)
		ret = kb_worker_halt(w, fault, err);
	else
		ret = compare_while_held(x, fault, err);
	if (ret > 0)
		sample_counters(x);
	if (ret > 0 && x->r->timed)
		ret = inspect_outputs(x, fault, err);
	return ret <= 0 ? ret : kb_worker_settle(w, fault, err);
}

static int warm_up(struct kb_run_state *x, struct kb_fault *fault,
		   struct kb_err *err)
{
	int64_t start_ns;
	int ret = kb_run_expect(x, fault, err);

	if (ret > 0)
		ret = kb_err_or_1(kb_run_fill(x, err));
	if (ret > 0)
		ret = kb_err_or_1(kb_device_slots_copy_in(&x->b->device_slots,
							  x->r->n, err));
	if (ret <= 0)
		return ret;
	start_ns = kb_clock_ns();
	ret = kb_run_ungated(x, x->s->worker, 0, x->r->n, fault, err);
	x->r->elapsed_ns = kb_clock_ns() - start_ns;
	if (ret > 0)
		ret = kb_run_find_outputs(x, fault);
	if (ret > 0)
		ret = compare_now(x, err);
	return ret <= 0 ? ret : inspect_outputs(x, fault, err);
}

static int run_batch(struct kb_run_state *x, struct kb_fault *fault,
		     struct kb_err *err)
{
	int ret = kb_run_begin(x, fault, err);

	if (ret <= 0)
		return ret;
	switch (x->r->clock) {
	case KB_RUN_DEVICE:
		return run_by_device(x, fault, err);
	case KB_RUN_CALL:
		return run_by_calls(x, fault, err);
	default:
		return warm_up(x, fault, err);
	}
}

int kb_device_run_make(struct kb_bench *b, struct kb_device_side *s,
		       struct kb_device_run *r, struct kb_fault *fault,
		       struct kb_err *err)
{
	struct kb_run_state x = { .b = b, .s = s, .r = r };
	const uint32_t pauses = kb_pause_count();
	int ret;

	x.outputs = kb_xcalloc(kb_run_outputs(&x), sizeof(*x.outputs));
	x.results = kb_xcalloc(kb_run_outputs(&x), sizeof(*x.results));
	r->timed = r->is_void = r->is_late = r->sampled = false;
	/* A SIGCONT that continued us may have continued the worker. */
	ret = kb_worker_halt(s->worker, fault, err);
	if (ret > 0)
		ret = run_batch(&x, fault, err);
	r->is_paused = kb_pause_count() != pauses;
	free(x.outputs);
	free(x.results);
	return ret;
}

void kb_device_run_release(struct kb_device_run *r)
{
	free(r->errors);
	r->errors = NULL;
	r->wrong = (struct kb_wrong){ .rms = false };
}
