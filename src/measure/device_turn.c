#include "measure/device_turn.h"

#include <math.h>
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
#include "measure/output_errors.h"

#define SETTLE_NS (KB_NS_PER_MS / 2)

/* Each of KB_CUDA_PROBE_WORDS. */
#define PROBE_SPANS 64u

#define NEEDS_HOST "queueing one call waits for another, or for the host"

/* What a turn keeps to itself. */
struct state {
	struct kb_bench *b;
	const struct kb_subject *s;
	struct kb_turn *t;
	uint8_t run_seed[KB_SEED_BYTES];
	uint64_t pattern_key, probe_seed;
	uint64_t *outputs;		/* addresses, [slot][output]; owned */
};

static enum kb_side side_of(const struct state *x)
{
	return x->s->worker->side;
}

static uint32_t outputs_of(const struct state *x)
{
	return x->t->n * x->b->plan.output_count;
}

static int make_inputs(const struct state *x, struct kb_fault *fault,
		       struct kb_err *err)
{
	struct kb_request request = {
		.op = KB_OP_GENERATE,
		.first_slot = KB_MASTER_SLOT,
		.slot_count = x->t->n,
		.remedied = x->t->remedied,
	};

	memcpy(request.seed, x->t->seed, KB_SEED_BYTES);
	return kb_worker_ask(&x->b->reference.worker, &request, NULL, 0, fault,
			     err);
}

/* Calls without a gate, on slots from `first` on. */
static int run_plainly(const struct state *x, struct kb_worker *w,
		       uint32_t first, struct kb_fault *fault,
		       struct kb_err *err)
{
	struct kb_request request = {
		.op = KB_OP_RUN,
		.first_slot = first,
		.slot_count = x->t->n,
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
			const struct kb_heap *heap, bool in_slots,
			uint32_t first_slot, struct kb_fault *fault)
{
	const uint32_t outputs = x->b->plan.output_count;
	const enum kb_side side = first_slot < KB_MASTER_SLOT ?
		side_of(x) : KB_SIDE_REFERENCE;

	for (uint32_t k = 0; k < outputs_of(x); k++) {
		if (kb_heap_find(&addresses[k], heap, &x->b->device_slots,
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

/* The output that the `i`-th span of the probe is in: the last ones, which
 * are done last, then any. */
static uint32_t probed_output(const struct state *x, uint32_t i)
{
	const uint32_t count = outputs_of(x);

	if (i < PROBE_SPANS / 2)
		return count - 1 - i % count;
	return (uint32_t)(kb_pattern_key(x->probe_seed, i) % count);
}

/* What the probe costs must not depend on how many calls there are: it is
 * within the interval, and a slope would take it for the calls' own. */
static int set_probe(const struct state *x, struct kb_err *err)
{
	const uint32_t outputs = x->b->plan.output_count;
	struct kb_cuda_span spans[PROBE_SPANS];

	for (uint32_t i = 0; i < PROBE_SPANS; i++) {
		const uint32_t k = probed_output(x, i);
		const struct kb_tensor_spec *spec =
			&x->b->plan.outputs[k % outputs];
		const uint64_t up = (x->outputs[k] + 3) / 4 * 4;
		const uint64_t end = x->outputs[k] + kb_tensor_bytes(spec);

		spans[i] = (struct kb_cuda_span){
			.address = up, .bytes = end > up ? end - up : 0,
		};
	}
	return kb_cuda_probe_set(x->b->gpu->cuda, spans, PROBE_SPANS,
				 x->probe_seed, err);
}

/* Step 3 up to the clock, but for publishing. */
static int prepare(struct state *x, struct kb_err *err)
{
	struct kb_bench *b = x->b;

	if (getrandom(&x->pattern_key, sizeof(x->pattern_key), 0) !=
		    sizeof(x->pattern_key) ||
	    getrandom(&x->probe_seed, sizeof(x->probe_seed), 0) !=
		    sizeof(x->probe_seed))
		return kb_err_sys(err, "cannot draw random bytes");
	return kb_device_slots_poison(&b->device_slots, x->t->n,
				      x->s->outputs_in_slots, x->pattern_key,
				      err);
}

static int publish(const struct state *x, struct kb_err *err)
{
	int ret = kb_device_slots_publish(&x->b->device_slots, x->t->n, err);

	return ret < 0 ? ret : kb_cuda_evict(x->b->gpu->cuda, err);
}

/* The device does not get there by itself. It is found out what is wrong
 * when the subject waits for it: a fault of its own, or nothing. */
static int not_done(struct state *x)
{
	x->t->timed = false;
	x->t->why_not = NEEDS_HOST;
	return 1;
}

/*
 * Contexts take turns on a device. Ours has just worked; before the clock
 * is started the subject's has its turn and waits at the gate, so that the
 * switch is not in the interval.
 */
static void settle(void)
{
	const int64_t end_ns = kb_clock_ns() + SETTLE_NS;

	while (kb_clock_ns() < end_ns)
		;
}

/* Steps 2 and 3, with the gate on the device. */
static int run_gated(struct state *x, struct kb_fault *fault,
		     struct kb_err *err)
{
	struct kb_turn *t = x->t;
	struct kb_worker *w = x->s->worker;
	const bool early_clock = t->clock == KB_TURN_PUBLISHING;
	enum kb_queued how;
	int64_t start_ns;
	int ret = kb_worker_queue_gated(w, t->n, x->run_seed, t->patience_ns,
					&how, fault, err);

	if (ret <= 0)
		return ret;
	if (how == KB_QUEUE_REFUSED) {
		t->why_not = "its calls need numbers before the gate opens";
		return 1;
	}
	if (how == KB_QUEUED_LATE) {
		(void)kb_worker_await_done(w, t->patience_ns);
		t->why_not = NEEDS_HOST;
		return kb_worker_settle(w, fault, err);
	}
	ret = find_outputs(x, x->outputs, x->s->heap, x->s->outputs_in_slots,
			   0, fault);
	if (ret > 0)
		ret = kb_err_or_1(prepare(x, err));
	if (ret > 0)
		ret = kb_err_or_1(set_probe(x, err));
	if (ret > 0 && !early_clock)
		ret = kb_err_or_1(publish(x, err));
	if (ret <= 0)
		return ret;

	if (!early_clock)
		settle();
	start_ns = kb_clock_ns();
	if (early_clock)
		ret = kb_err_or_1(publish(x, err));
	if (ret < 0)
		return ret;
	if (early_clock)
		settle();
	kb_worker_open_gate(w);
	t->timed = kb_worker_await_done(w, t->patience_ns);
	if (t->timed)
		ret = kb_err_or_1(kb_cuda_probe(x->b->gpu->cuda, err));
	t->elapsed_ns = kb_clock_ns() - start_ns;
	if (ret < 0)
		return ret;

	if (kb_interrupted())
		return kb_err(err, KB_ERR_INTERRUPTED, "interrupted");
	if (!t->timed)
		ret = not_done(x);
	return ret <= 0 ? ret : kb_worker_settle(w, fault, err);
}

/* Steps 2 and 3, with the gate in the subject's thread. Where its outputs
 * are is known only when it is done: the probe that ends the interval reads
 * nothing, and the one that reads them follows. */
static int run_called(struct state *x, struct kb_fault *fault,
		      struct kb_err *err)
{
	struct kb_turn *t = x->t;
	struct kb_worker *w = x->s->worker;
	struct kb_cuda *cuda = x->b->gpu->cuda;
	int64_t start_ns;
	int ret = kb_worker_queue(w, 0, t->n, x->run_seed, fault, err);

	if (ret <= 0)
		return ret;
	ret = kb_worker_let_go(w, fault, err);
	if (ret > 0)
		ret = kb_err_or_1(prepare(x, err));
	if (ret > 0)
		ret = kb_err_or_1(kb_cuda_probe_set(cuda, NULL, 0, 0, err));
	if (ret > 0)
		ret = kb_err_or_1(publish(x, err));
	if (ret <= 0)
		return ret;

	settle();
	start_ns = kb_clock_ns();
	kb_worker_open_gate(w);
	t->timed = kb_worker_await_done(w, t->patience_ns);
	if (t->timed)
		ret = kb_err_or_1(kb_cuda_probe(cuda, err));
	t->elapsed_ns = kb_clock_ns() - start_ns;
	if (ret < 0)
		return ret;

	ret = kb_worker_halt(w, fault, err);
	if (ret > 0 && t->timed)
		ret = find_outputs(x, x->outputs, x->s->heap,
				   x->s->outputs_in_slots, 0, fault);
	if (ret > 0 && t->timed)
		ret = kb_err_or_1(set_probe(x, err));
	if (ret > 0 && t->timed)
		ret = kb_err_or_1(kb_cuda_probe(cuda, err));
	if (ret < 0)
		return ret;
	if (kb_interrupted())
		return kb_err(err, KB_ERR_INTERRUPTED, "interrupted");
	if (ret > 0 && !t->timed)
		ret = not_done(x);
	return ret <= 0 ? ret : kb_worker_settle(w, fault, err);
}

static int run_warm_up(struct state *x, struct kb_fault *fault,
		       struct kb_err *err)
{
	int64_t start_ns;
	int ret = prepare(x, err);

	if (ret >= 0)
		ret = publish(x, err);
	if (ret < 0)
		return ret;
	start_ns = kb_clock_ns();
	ret = run_plainly(x, x->s->worker, 0, fault, err);
	x->t->elapsed_ns = kb_clock_ns() - start_ns;
	if (ret > 0)
		ret = find_outputs(x, x->outputs, x->s->heap,
				   x->s->outputs_in_slots, 0, fault);
	return ret;
}

static int inspect_inputs(const struct state *x, struct kb_fault *fault,
			  struct kb_err *err)
{
	struct kb_bench *b = x->b;
	int ret = kb_device_slots_agree(&b->device_slots, x->t->n, err);

	if (ret || b->modifies_inputs)
		return ret < 0 ? ret : 1;
	/* It works in place: then that is the problem's nature. That shows in
	 * its warm-ups, before there is a candidate whose kernels could do it
	 * for the reference. */
	if (side_of(x) == KB_SIDE_REFERENCE && x->t->clock == KB_TURN_PLAIN) {
		b->modifies_inputs = true;
		return 1;
	}
	kb_fault_set(fault, side_of(x), KB_STATUS_INPUTS_MODIFIED,
		     KB_PHASE_RUN,
		     "an input is not what it was before the run");
	return 0;
}

/* Step 5. */
static int inspect(const struct state *x, struct kb_fault *fault,
		   struct kb_err *err)
{
	struct kb_bench *b = x->b;
	uint32_t slot, tensor;
	uint64_t changed = 0;
	int ret = 0;

	if (x->t->clock != KB_TURN_PLAIN)
		ret = kb_cuda_probe_check(b->gpu->cuda, &changed, err);
	if (ret < 0)
		return ret;
	if (changed) {
		kb_fault_set(fault, side_of(x), KB_STATUS_PROTOCOL_VIOLATION,
		     KB_PHASE_RUN,
			     "outputs changed after it had said it was done");
		return 0;
	}
	ret = kb_device_slots_guards_hold(&b->device_slots, x->t->n,
					  x->s->outputs_in_slots,
					  x->pattern_key, &slot, &tensor, err);
	if (!ret) {
		bool input = tensor < b->plan.input_count;

		kb_fault_set(fault, side_of(x), KB_STATUS_GUARD_DAMAGED,
		     KB_PHASE_RUN,
			     "wrote beyond the ends of %s %u of call %u",
			     input ? "input" : "output",
			     input ? tensor : tensor - b->plan.input_count,
			     slot);
	}
	return ret <= 0 ? ret : inspect_inputs(x, fault, err);
}

static struct kb_error_limits limits_of(const struct state *x,
					uint32_t output)
{
	return side_of(x) == KB_SIDE_REFERENCE ?
		kb_bench_reference_limits(x->b, output, x->t->remedied) :
		kb_bench_limits(x->b, output, x->t->remedied);
}

static int compare(const struct state *x, const uint64_t *expected,
		   struct kb_err *err)
{
	const struct kb_bench *b = x->b;
	const uint32_t outputs = b->plan.output_count;
	kb_auto(mem) struct kb_cuda_comparison *list =
		kb_xcalloc(outputs_of(x), sizeof(*list));
	kb_auto(mem) struct kb_compare_result *results =
		kb_xcalloc(outputs_of(x), sizeof(*results));
	int ret;

	for (uint32_t k = 0; k < outputs_of(x); k++) {
		const struct kb_tensor_spec *spec =
			&b->plan.outputs[k % outputs];
		const enum kb_dtype dtype = spec->dtype;

		list[k] = (struct kb_cuda_comparison){
			.candidate = x->outputs[k],
			.expected = expected[k],
			.dtype = dtype,
			.count = kb_tensor_bytes(spec) /
				 kb_dtype_size_bytes(dtype),
			.tolerance = limits_of(x, k % outputs).element,
		};
	}
	ret = kb_cuda_compare(b->gpu->cuda, list, outputs_of(x), results, err);
	if (ret < 0)
		return ret;
	x->t->errors = kb_xcalloc(outputs, sizeof(*x->t->errors));
	for (uint32_t k = 0; k < outputs_of(x); k++) {
		const struct kb_error_limits limits = limits_of(x, k % outputs);

		kb_output_error_add(&x->t->errors[k % outputs], &results[k]);
		kb_wrong_add(&x->t->wrong, &results[k], &limits);
	}
	return 1;
}

/* Step 6. */
static int verify(const struct state *x, struct kb_fault *fault,
		  struct kb_err *err)
{
	struct kb_bench *b = x->b;
	kb_auto(mem) uint64_t *expected = kb_xcalloc(outputs_of(x),
						     sizeof(*expected));
	int ret = run_plainly(x, &b->reference.worker, KB_MASTER_SLOT, fault,
			      err);

	if (ret > 0)
		ret = find_outputs(x, expected, &b->heap,
				   b->problem.runtime != KB_RUNTIME_TORCH,
				   KB_MASTER_SLOT, fault);
	return ret <= 0 ? ret : compare(x, expected, err);
}

static int run_subject(struct state *x, struct kb_fault *fault,
		       struct kb_err *err)
{
	switch (x->t->clock) {
	case KB_TURN_CALL:
		return run_called(x, fault, err);
	case KB_TURN_PLAIN:
		return run_warm_up(x, fault, err);
	default:
		return run_gated(x, fault, err);
	}
}

int kb_turn_run(struct kb_bench *b, const struct kb_subject *s,
		struct kb_turn *t, struct kb_fault *fault,
		struct kb_err *err)
{
	struct state x = { .b = b, .s = s, .t = t };
	kb_auto(mem) uint64_t *outputs = NULL;
	int ret;

	outputs = x.outputs = kb_xcalloc(outputs_of(&x), sizeof(*outputs));
	kb_random_derive(x.run_seed, t->seed, KB_SEED_RUN, 0);
	t->timed = false;

	ret = make_inputs(&x, fault, err);
	if (ret <= 0)
		return ret;
	ret = run_subject(&x, fault, err);
	if (ret > 0 && b->gpu->nvml)
		kb_nvml_sample(b->gpu->nvml, &t->sample);
	if (ret <= 0 || (!t->timed && t->clock != KB_TURN_PLAIN))
		return ret;
	ret = inspect(&x, fault, err);
	if (ret <= 0)
		return ret;
	return verify(&x, fault, err);
}

void kb_turn_release(struct kb_turn *t)
{
	free(t->errors);
	t->errors = NULL;
}
