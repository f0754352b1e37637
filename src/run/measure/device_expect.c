/* How a run begins: inputs, what is expected of them, and the request. */

#include "measure/device_run_state.h"

#include <string.h>

#include "base/alloc.h"
#include "random/random.h"
#include "source/runtime.h"

static int make_inputs(const struct kb_run_state *x, struct kb_fault *fault,
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
int kb_run_ungated(const struct kb_run_state *x, struct kb_worker *w,
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
static int find_outputs(const struct kb_run_state *x, uint64_t *addresses,
			const struct kb_output_pool *pool, bool in_slots,
			uint32_t first_slot, enum kb_side side,
			struct kb_fault *fault)
{
	const uint32_t outputs = x->b->plan.output_count;

	for (uint32_t k = 0; k < kb_run_outputs(x); k++) {
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

/* The reference's process has nothing of a candidate's. */
int kb_run_find_outputs(const struct kb_run_state *x, struct kb_fault *fault)
{
	const uint32_t outputs = x->b->plan.output_count;
	const size_t count = kb_run_outputs(x);
	size_t shared;

	if (!find_outputs(x, x->outputs, x->s->pool, x->s->outputs_in_slots,
			  0, x->s->worker->side, fault))
		return 0;
	shared = kb_run_is_reference(x) ? count :
		kb_output_shared(x->outputs, count, &x->b->plan);
	if (shared == count)
		return 1;
	kb_fault_set(fault, x->s->worker->side, KB_STATUS_PROTOCOL_VIOLATION,
		     KB_PHASE_RUN,
		     "output %zu of call %zu is said to be where another is",
		     shared % outputs, shared / outputs);
	return 0;
}

/* A problem that works in place has spoilt its masters by that; whether one
 * does is learnt in warm-ups. */
static bool may_spoil(const struct kb_run_state *x)
{
	return x->b->modifies_inputs || x->r->clock == KB_RUN_UNGATED;
}

int kb_run_expect(const struct kb_run_state *x, struct kb_fault *fault,
		  struct kb_err *err)
{
	struct kb_bench *b = x->b;
	int ret = kb_run_ungated(x, &b->reference.worker, KB_MASTER_SLOT,
				 x->r->n, fault, err);

	if (ret > 0)
		ret = find_outputs(x, b->masters.expected, &b->pool,
				   b->problem.runtime != KB_RUNTIME_TORCH,
				   KB_MASTER_SLOT, KB_SIDE_REFERENCE, fault);
	return ret <= 0 || !may_spoil(x) ? ret : make_inputs(x, fault, err);
}

/*
 * Calls before the gate opens must see inputs as they were made, which who
 * works in place has overwritten. They are of an earlier run: of this one's
 * nothing may be known yet.
 */
static int renew_inputs(const struct kb_run_state *x, struct kb_err *err)
{
	if (x->r->clock == KB_RUN_UNGATED ||
	    !kb_bench_may_modify(x->b, x->s->worker->side))
		return 0;
	return kb_device_slots_copy_in(&x->b->device_slots, x->r->n, err);
}

static bool can_reuse(const struct kb_run_state *x)
{
	const struct kb_masters *m = &x->b->masters;

	return x->r->may_reuse && m->n >= x->r->n &&
	       m->alternate == x->r->alternate;
}

/* Inputs, or the seed of those that are there. Those of the run before are
 * taken first, while they are there. */
int kb_run_begin(struct kb_run_state *x, struct kb_fault *fault,
		 struct kb_err *err)
{
	struct kb_masters *m = &x->b->masters;
	const size_t count = kb_run_outputs(x);
	int ret = renew_inputs(x, err);

	if (ret < 0)
		return ret;
	x->reuses = can_reuse(x);
	if (x->reuses)
		memcpy(x->r->seed, m->seed, KB_SEED_BYTES);
	kb_random_derive(x->run_seed, x->r->seed, KB_SEED_RUN,
			 x->r->repeats);
	if (x->reuses)
		return 1;
	m->n = 0;
	m->expected = kb_xreallocarray(m->expected, count,
				       sizeof(*m->expected));
	return make_inputs(x, fault, err);
}

/* Expected outputs can serve again. */
static void keep_masters(const struct kb_run_state *x)
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
int kb_run_queue(const struct kb_run_state *x, enum kb_queued *how,
		 struct kb_fault *fault, struct kb_err *err)
{
	const enum kb_gate gate = x->r->clock == KB_RUN_CALL ? KB_GATE_HOST
							     : KB_GATE_STREAM;
	struct kb_worker *w = x->s->worker;
	int ret = 1;

	if (x->r->warm)
		ret = kb_run_ungated(x, w, 0, 1, fault, err);
	if (ret > 0 && kb_run_is_reference(x) && !x->reuses)
		ret = kb_run_expect(x, fault, err);
	if (ret > 0)
		ret = kb_worker_queue_begin(w, x->r->n, gate, x->run_seed,
					    fault, err);
	if (ret > 0 && !kb_run_is_reference(x) && !x->reuses)
		ret = kb_run_expect(x, fault, err);
	if (ret > 0)
		ret = kb_worker_queue_finish(w, x->r->queue_patience_ns,
					     how, fault, err);
	if (ret > 0)
		keep_masters(x);
	return ret;
}
