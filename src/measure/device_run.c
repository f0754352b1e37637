#include "measure/device_run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/interrupt.h"
#include "base/random.h"
#include "device/cuda.h"
#include "device/pattern.h"

/* Asking the device how it is takes about as long as a short run. */
#define SAMPLE_EVERY_NS (20 * KB_NS_PER_MS)

/* What it takes at most to enqueue a comparison. */
#define MARGIN_NS (KB_NS_PER_MS / 10)

#define NEEDS_HOST "queueing one call waits for another, or for the host"

/* What a run keeps to itself. */
struct state {
	struct kb_bench *b;
	struct kb_device_side *s;
	struct kb_device_run *r;
	uint8_t run_seed[KB_SEED_BYTES];
	uint64_t pattern_key;
	bool reuses;			/* masters, and what is expected */
	uint64_t *outputs;		/* addresses, [slot][output]; owned */
	struct kb_compare_result *results;	/* likewise */
};

static bool is_reference(const struct state *x)
{
	return x->s->worker->side == KB_SIDE_REFERENCE;
}

static uint32_t outputs_of(const struct state *x)
{
	return x->r->n * x->b->plan.output_count;
}

/* --- inputs, and what is expected ------------------------------------- */

static int make_inputs(const struct state *x, struct kb_fault *fault,
		       struct kb_err *err)
{
	struct kb_request request = {
		.op = KB_OP_GENERATE,
		.first_slot = KB_MASTER_SLOT,
		.slot_count = x->r->n,
		.alternate = x->r->alternate,
	};

	memcpy(request.seed, x->r->seed, KB_SEED_BYTES);
	return kb_worker_ask(&x->b->reference.worker, &request, NULL, 0, fault,
			     err);
}

/* Calls without a gate, on slots from `first` on. */
static int run_ungated(const struct state *x, struct kb_worker *w,
		       uint32_t first, uint32_t n, struct kb_fault *fault,
		       struct kb_err *err)
{
	struct kb_request request = {
		.op = KB_OP_RUN,
		.first_slot = first,
		.slot_count = n,
		.gate = KB_GATE_NONE,
	};

	memcpy(request.seed, x->run_seed, KB_SEED_BYTES);
	return kb_worker_ask(w, &request, NULL, 0, fault, err);
}

/*
 * Where a worker has left its outputs, read once: the table is in its
 * hands.
 */
static int find_outputs(const struct state *x, uint64_t *addresses,
			const struct kb_output_pool *pool, bool in_slots,
			uint32_t first_slot, enum kb_side side,
			struct kb_fault *fault)
{
	const uint32_t outputs = x->b->plan.output_count;

	for (uint32_t k = 0; k < outputs_of(x); k++) {
		if (kb_output_pool_find(&addresses[k], pool, &x->b->device_slots,
					in_slots, first_slot + k / outputs,
					k % outputs))
			continue;
		kb_fault_set(fault, side, KB_STATUS_PROTOCOL_VIOLATION,
			     KB_PHASE_RUN,
			     "output %u of call %u is not where one can be",
			     k % outputs, k / outputs);
		return 0;
	}
	return 1;
}

static int find_own_outputs(const struct state *x, struct kb_fault *fault)
{
	return find_outputs(x, x->outputs, x->s->pool, x->s->outputs_in_slots,
			    0, x->s->worker->side, fault);
}

/* A problem that works in place has spoilt its masters by that; whether one
 * does is learnt in warm-ups. */
static bool may_spoil(const struct state *x)
{
	return x->b->modifies_inputs || x->r->clock == KB_RUN_UNGATED;
}

static int expect(const struct state *x, struct kb_fault *fault,
		  struct kb_err *err)
{
	struct kb_bench *b = x->b;
	int ret = run_ungated(x, &b->reference.worker, KB_MASTER_SLOT,
			      x->r->n, fault, err);

	if (ret > 0)
		ret = find_outputs(x, b->masters.expected, &b->pool,
				   b->problem.runtime != KB_RUNTIME_TORCH,
				   KB_MASTER_SLOT, KB_SIDE_REFERENCE, fault);
	return ret <= 0 || !may_spoil(x) ? ret : make_inputs(x, fault, err);
}

static bool can_reuse(const struct state *x)
{
	const struct kb_masters *m = &x->b->masters;

	return x->r->may_reuse && m->n >= x->r->n &&
	       m->alternate == x->r->alternate;
}

/* Inputs, or the seed of those that are there. */
static int begin(struct state *x, struct kb_fault *fault, struct kb_err *err)
{
	struct kb_masters *m = &x->b->masters;
	const size_t count = outputs_of(x);

	x->reuses = can_reuse(x);
	if (x->reuses)
		memcpy(x->r->seed, m->seed, KB_SEED_BYTES);
	kb_random_derive(x->run_seed, x->r->seed, KB_SEED_RUN, 0);
	if (x->reuses)
		return 1;
	m->n = 0;
	m->expected = kb_xreallocarray(m->expected, count,
				       sizeof(*m->expected));
	return make_inputs(x, fault, err);
}

/* What was expected can be so again. */
static void keep_masters(const struct state *x)
{
	struct kb_masters *m = &x->b->masters;

	if (x->reuses)
		return;
	m->n = x->r->n;
	m->spent = false;
	m->alternate = x->r->alternate;
	memcpy(m->seed, x->r->seed, KB_SEED_BYTES);
}

/* A candidate queues in its process while the reference computes in its own;
 * the reference can do only one of the two at a time. */
static int queue_and_expect(const struct state *x, enum kb_queued *how,
			    struct kb_fault *fault, struct kb_err *err)
{
	const enum kb_gate gate = x->r->clock == KB_RUN_CALL ? KB_GATE_HOST
							     : KB_GATE_STREAM;
	struct kb_worker *w = x->s->worker;
	int ret = 1;

	if (x->r->warm)
		ret = run_ungated(x, w, 0, 1, fault, err);
	if (ret > 0 && is_reference(x) && !x->reuses)
		ret = expect(x, fault, err);
	if (ret > 0)
		ret = kb_worker_queue_begin(w, x->r->n, gate, x->run_seed,
					    fault, err);
	if (ret > 0 && !is_reference(x) && !x->reuses)
		ret = expect(x, fault, err);
	if (ret > 0)
		ret = kb_worker_queue_finish(w, x->r->queue_patience_ns,
					     how, fault, err);
	if (ret > 0)
		keep_masters(x);
	return ret;
}

/* --- memory in which outputs can lie ---------------------------------- */

static bool is_in_pool(const struct state *x, uint64_t address)
{
	const struct kb_cuda_memory *m = &x->s->pool->memory;

	return address >= m->address && address - m->address < m->bytes;
}

static uint64_t bytes_of(const struct state *x, uint32_t k)
{
	return kb_tensor_bytes(
		&x->b->plan.outputs[k % x->b->plan.output_count]);
}

/* Where output `k` is before it is there. */
static uint64_t place_of(const struct state *x, uint32_t k)
{
	const uint32_t outputs = x->b->plan.output_count;

	return x->r->clock == KB_RUN_DEVICE ? x->outputs[k] :
		kb_device_output(&x->b->device_slots, k / outputs,
				 k % outputs);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Patterns are of whole words; their ends are not. */
static struct kb_cuda_pattern pattern_at(uint64_t address, uint64_t bytes,
					 uint64_t key)
{
	const uint64_t base = address / 8 * 8;

	return (struct kb_cuda_pattern){
		.base = base, .first = address - base,
		.end = address - base + bytes, .key = key,
	};
}

static int fill_found(const struct state *x, struct kb_err *err)
{
	kb_auto(mem) struct kb_cuda_pattern *list =
		kb_xcalloc(outputs_of(x) + (size_t)1, sizeof(*list));
	size_t count = 0;

	for (uint32_t k = 0; k < outputs_of(x); k++)
		if (is_in_pool(x, x->outputs[k]))
			list[count++] = pattern_at(x->outputs[k],
						   bytes_of(x, k),
						   x->pattern_key + k);
	return kb_cuda_pattern_fill(x->b->gpu->cuda, list, count, err);
}

static int fill_spans(const struct state *x, struct kb_err *err)
{
	const struct kb_spans *s = &x->s->filled;
	kb_auto(mem) struct kb_cuda_pattern *list =
		kb_xcalloc(s->count + 1, sizeof(*list));

	for (size_t i = 0; i < s->count; i++)
		list[i] = pattern_at(s->items[i].start,
				     s->items[i].end - s->items[i].start,
				     x->pattern_key + i);
	return kb_cuda_pattern_fill(x->b->gpu->cuda, list, s->count, err);
}

/*
 * By the device clock it is known where outputs will be: the calls are
 * queued. By the call clock it is not, and what else lies in the pool is the
 * candidate's to keep: there, those places are filled that outputs have had
 * before, which are free again when a run begins.
 */
static int fill(struct state *x, struct kb_err *err)
{
	int ret;

	if (getrandom(&x->pattern_key, sizeof(x->pattern_key), 0) !=
	    sizeof(x->pattern_key))
		return kb_err_sys(err, "cannot draw random bytes");
	ret = kb_device_slots_poison(&x->b->device_slots, x->r->n,
				     x->s->outputs_in_slots, x->pattern_key,
				     err);
	/* The reference's pool holds what is expected as well; and nobody
	 * doubts that it writes its outputs. */
	if (ret < 0 || x->r->clock == KB_RUN_UNGATED || is_reference(x))
		return ret;
	return x->r->clock == KB_RUN_CALL ? fill_spans(x, err)
					  : fill_found(x, err);
}

/* Of what was filled, in parts as large as an output. */
static size_t parts_of_spans(const struct state *x, struct kb_cuda_span *parts,
			     size_t room)
{
	const struct kb_spans *s = &x->s->filled;
	const uint64_t most = larger(kb_device_output_bytes(&x->b->plan), 1);
	size_t count = 0;

	for (size_t i = 0; i < s->count; i++)
		for (uint64_t at = s->items[i].start;
		     at < s->items[i].end && count < room; at += most)
			parts[count++] = (struct kb_cuda_span){
				at, smaller(most, s->items[i].end - at),
			};
	return count;
}

/* Where the chain writes, as many spans as there are outputs; somewhere if it
 * is not known where these will be. */
static int prepare_chain(const struct state *x, struct kb_err *err)
{
	const uint32_t room = outputs_of(x);
	kb_auto(mem) struct kb_cuda_span *spans = kb_xcalloc(room,
							     sizeof(*spans));
	const bool is_known = x->r->clock == KB_RUN_DEVICE ||
			      x->s->outputs_in_slots;
	size_t count = 0;

	if (!is_known && !is_reference(x))
		count = parts_of_spans(x, spans, room);
	for (; count < room; count++)
		spans[count] = !is_known ? kb_cuda_scratch(x->b->gpu->cuda) :
			(struct kb_cuda_span){
				place_of(x, (uint32_t)count),
				bytes_of(x, (uint32_t)count),
			};
	return kb_device_slots_chain(&x->b->device_slots, x->r->n, spans, room,
				     err);
}

/* An output in a place that was not filled may be older than this run: such a
 * run is void, but its places will be filled in the next. */
static void note_places(struct state *x)
{
	struct kb_spans *filled = &x->s->filled;

	if (is_reference(x))
		return;
	for (uint32_t k = 0; k < outputs_of(x); k++)
		if (is_in_pool(x, x->outputs[k]) &&
		    !kb_spans_have(filled, x->outputs[k], bytes_of(x, k)))
			x->r->is_void = true;
	for (uint32_t k = 0; k < outputs_of(x) && x->r->is_void; k++)
		if (is_in_pool(x, x->outputs[k]))
			kb_spans_add(filled, x->outputs[k], bytes_of(x, k));
}

/* --- comparison ------------------------------------------------------- */

static struct kb_error_limits limits_of(const struct state *x,
					uint32_t output)
{
	return is_reference(x) ?
		kb_bench_reference_limits(x->b, output, x->r->alternate) :
		kb_bench_limits(x->b, output, x->r->alternate);
}

static int prepare_comparison(const struct state *x, struct kb_err *err)
{
	const struct kb_plan *plan = &x->b->plan;
	kb_auto(mem) struct kb_cuda_comparison *list =
		kb_xcalloc(outputs_of(x), sizeof(*list));

	for (uint32_t k = 0; k < outputs_of(x); k++) {
		const uint32_t output = k % plan->output_count;
		const enum kb_dtype dtype = plan->outputs[output].dtype;

		list[k] = (struct kb_cuda_comparison){
			.candidate = x->outputs[k],
			.expected = x->b->masters.expected[k],
			.dtype = dtype,
			.count = bytes_of(x, k) / kb_dtype_size_bytes(dtype),
			.tolerance = limits_of(x, output).element,
		};
	}
	return kb_cuda_compare_prepare(x->b->gpu->cuda, list, outputs_of(x),
				       err);
}

static int finish_comparison(const struct state *x, struct kb_err *err)
{
	const uint32_t outputs = x->b->plan.output_count;
	int ret = kb_cuda_compare_finish(x->b->gpu->cuda, x->results, err);

	if (ret < 0)
		return ret;
	x->r->errors = kb_xcalloc(outputs, sizeof(*x->r->errors));
	for (uint32_t k = 0; k < outputs_of(x); k++) {
		const struct kb_error_limits limits = limits_of(x, k % outputs);

		kb_output_error_add(&x->r->errors[k % outputs],
				    &x->results[k]);
		kb_wrong_add(&x->r->wrong, &x->results[k], &limits);
	}
	return 1;
}

static int compare_now(const struct state *x, struct kb_err *err)
{
	int ret = prepare_comparison(x, err);

	if (ret >= 0)
		ret = kb_cuda_compare_submit(x->b->gpu->cuda, err);
	return ret < 0 ? ret : finish_comparison(x, err);
}

/* --- guards and inputs ------------------------------------------------ */

static int inspect_inputs(const struct state *x, struct kb_fault *fault,
			  struct kb_err *err)
{
	struct kb_bench *b = x->b;
	int ret = kb_device_slots_agree(&b->device_slots, x->r->n, err);

	if (ret || b->modifies_inputs)
		return kb_err_or_1(ret);
	/* It works in place: then that is the problem's nature. That shows in
	 * its warm-ups, before there is a candidate whose kernels could do it
	 * for the reference. */
	if (is_reference(x) && x->r->clock == KB_RUN_UNGATED) {
		b->modifies_inputs = true;
		return 1;
	}
	kb_fault_set(fault, x->s->worker->side, KB_STATUS_INPUTS_MODIFIED,
		     KB_PHASE_RUN,
		     "an input is not what it was before the run");
	return 0;
}

static int inspect(const struct state *x, struct kb_fault *fault,
		   struct kb_err *err)
{
	struct kb_bench *b = x->b;
	uint32_t slot, tensor;
	int ret = kb_device_slots_guards_hold(&b->device_slots, x->r->n,
					      x->s->outputs_in_slots,
					      x->pattern_key, &slot, &tensor,
					      err);

	if (!ret) {
		bool input = tensor < b->plan.input_count;

		kb_fault_set(fault, x->s->worker->side,
			     KB_STATUS_GUARD_DAMAGED, KB_PHASE_RUN,
			     "wrote beyond the ends of %s %u of call %u",
			     input ? "input" : "output",
			     input ? tensor : tensor - b->plan.input_count,
			     slot);
	}
	return ret <= 0 ? ret : inspect_inputs(x, fault, err);
}

/* --- the two chains --------------------------------------------------- */

static void sample(const struct state *x)
{
	struct kb_bench *b = x->b;

	if (!b->gpu->nvml || kb_clock_ns() < b->next_sample_ns)
		return;
	kb_nvml_sample(b->gpu->nvml, &x->r->sample);
	x->r->sampled = true;
	b->next_sample_ns = kb_clock_ns() + SAMPLE_EVERY_NS;
}

/* From the clock to the mark. What the device does not get to by itself is
 * found out when the side waits for it: a fault of its own, or nothing. */
static int time_chains(const struct state *x, bool holds, struct kb_err *err)
{
	struct kb_device_run *r = x->r;
	struct kb_cuda *cuda = x->b->gpu->cuda;
	struct kb_worker *w = x->s->worker;
	const int64_t start_ns = kb_clock_ns();
	int ret = kb_cuda_chain_submit(cuda, x->s->gate_word,
				       kb_worker_gate_value(w), err);

	if (ret < 0)
		return ret;
	r->timed = kb_worker_await_done(w, r->patience_ns);
	if (!r->timed) {
		r->why_not = NEEDS_HOST;
		return 1;
	}
	ret = kb_cuda_mark_submit(cuda, holds, err);
	if (ret >= 0 && !holds)
		ret = kb_cuda_compare_submit(cuda, err);
	if (ret >= 0)
		ret = kb_cuda_mark_await(cuda, err);
	r->elapsed_ns = kb_clock_ns() - start_ns;
	if (ret >= 0 && kb_interrupted())
		return kb_err(err, KB_ERR_INTERRUPTED, "interrupted");
	return kb_err_or_1(ret);
}

/* The gate had to be opened for calls that wait for each other. */
static int let_late_calls_go(const struct state *x, struct kb_fault *fault,
			     struct kb_err *err)
{
	(void)kb_worker_await_done(x->s->worker, x->r->patience_ns);
	x->r->why_not = NEEDS_HOST;
	return kb_worker_settle(x->s->worker, fault, err);
}

static int run_by_device(struct state *x, struct kb_fault *fault,
			 struct kb_err *err)
{
	enum kb_queued how;
	int ret = queue_and_expect(x, &how, fault, err);

	if (ret <= 0)
		return ret;
	if (how == KB_QUEUE_REFUSED) {
		x->r->why_not = "its calls need numbers before the gate opens";
		return 1;
	}
	if (how == KB_QUEUED_LATE)
		return let_late_calls_go(x, fault, err);
	ret = find_own_outputs(x, fault);
	if (ret > 0)
		ret = kb_err_or_1(fill(x, err));
	if (ret > 0)
		ret = kb_err_or_1(prepare_comparison(x, err));
	if (ret > 0)
		ret = kb_err_or_1(prepare_chain(x, err));
	if (ret > 0)
		ret = time_chains(x, false, err);
	if (ret > 0 && x->r->timed)
		ret = finish_comparison(x, err);
	if (ret > 0)
		sample(x);
	if (ret > 0 && x->r->timed)
		ret = inspect(x, fault, err);
	return ret <= 0 ? ret : kb_worker_settle(x->s->worker, fault, err);
}

/* The device is ours and held. Only now it is known where outputs are. */
static int compare_while_held(struct state *x, struct kb_fault *fault,
			      struct kb_err *err)
{
	const int64_t end_ns = kb_clock_ns() + KB_CUDA_HOLD_NS - MARGIN_NS;
	struct kb_cuda *cuda = x->b->gpu->cuda;
	int ret = kb_worker_halt(x->s->worker, fault, err);

	if (ret > 0)
		ret = find_own_outputs(x, fault);
	if (ret > 0)
		note_places(x);
	if (ret > 0)
		ret = kb_err_or_1(prepare_comparison(x, err));
	if (kb_clock_ns() >= end_ns)
		x->r->is_void = true;
	if (ret > 0)
		ret = kb_err_or_1(kb_cuda_compare_submit(cuda, err));
	kb_cuda_mark_release(cuda);
	return ret <= 0 ? ret : finish_comparison(x, err);
}

static int run_by_calls(struct state *x, struct kb_fault *fault,
			struct kb_err *err)
{
	struct kb_worker *w = x->s->worker;
	enum kb_queued how;
	int ret = queue_and_expect(x, &how, fault, err);

	if (ret > 0)
		ret = kb_err_or_1(fill(x, err));
	if (ret > 0)
		ret = kb_err_or_1(prepare_chain(x, err));
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
		sample(x);
	if (ret > 0 && x->r->timed)
		ret = inspect(x, fault, err);
	return ret <= 0 ? ret : kb_worker_settle(w, fault, err);
}

static int warm_up(struct state *x, struct kb_fault *fault,
		   struct kb_err *err)
{
	int64_t start_ns;
	int ret = expect(x, fault, err);

	if (ret > 0)
		ret = kb_err_or_1(fill(x, err));
	if (ret > 0)
		ret = kb_err_or_1(kb_device_slots_copy_in(&x->b->device_slots,
							  x->r->n, err));
	if (ret <= 0)
		return ret;
	start_ns = kb_clock_ns();
	ret = run_ungated(x, x->s->worker, 0, x->r->n, fault, err);
	x->r->elapsed_ns = kb_clock_ns() - start_ns;
	if (ret > 0)
		ret = find_own_outputs(x, fault);
	if (ret > 0)
		ret = compare_now(x, err);
	return ret <= 0 ? ret : inspect(x, fault, err);
}

static int run(struct state *x, struct kb_fault *fault, struct kb_err *err)
{
	int ret = begin(x, fault, err);

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
	struct state x = { .b = b, .s = s, .r = r };
	int ret;

	x.outputs = kb_xcalloc(outputs_of(&x), sizeof(*x.outputs));
	x.results = kb_xcalloc(outputs_of(&x), sizeof(*x.results));
	r->timed = r->is_void = r->sampled = false;
	ret = run(&x, fault, err);
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
