#include "measure/trial.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/alloc.h"
#include "base/err.h"
#include "base/random.h"
#include "device/compare.h"

#define SNAPSHOT_KEPT_BYTES ((uint64_t)1 << 30)

struct turn {
	struct kb_worker *worker;
	uint32_t n;
	uint8_t run_seed[KB_SEED_BYTES];
	uint64_t guard_key;
	uint64_t hash_key;
	uint64_t input_hash;
};

static int draw_key(uint64_t *key, struct kb_err *err)
{
	if (getrandom(key, sizeof(*key), 0) != sizeof(*key))
		return kb_err_sys(err, "cannot draw random bytes");
	return 0;
}

/* Steps 2 and 3; also before the reference's turn, without new inputs. */
static int prepare(struct kb_bench *b, struct turn *t, struct kb_err *err)
{
	int ret = draw_key(&t->guard_key, err);

	if (ret >= 0)
		ret = draw_key(&t->hash_key, err);
	if (ret < 0)
		return ret;
	t->input_hash = kb_slots_hash_inputs(&b->slots, t->n, t->hash_key);
	kb_slots_poison(&b->slots, t->n, t->guard_key);
	return 0;
}

static int make_inputs(struct kb_bench *b, const struct turn *t,
		       const struct kb_trial *trial, struct kb_fault *fault,
		       struct kb_err *err)
{
	struct kb_request request = {
		.op = KB_OP_GENERATE,
		.slot_count = t->n,
		.remedied = trial->remedied,
	};

	memcpy(request.seed, trial->seed, KB_SEED_BYTES);
	return kb_worker_ask(&b->reference.worker, &request, NULL, 0, fault,
			     err);
}

/* What the run left in the slots, apart from the outputs' values. */
static int inspect(struct kb_bench *b, const struct turn *t,
		   struct kb_fault *fault)
{
	uint32_t slot, tensor;

	if (!kb_slots_guards_hold(&b->slots, t->n, t->guard_key, &slot,
				  &tensor)) {
		bool input = tensor < b->plan.input_count;

		kb_fault_set(fault, t->worker->side,
			     KB_STATUS_GUARD_DAMAGED, KB_PHASE_RUN,
			     "wrote beyond the ends of %s %u of call %u",
			     input ? "input" : "output",
			     input ? tensor : tensor - b->plan.input_count,
			     slot);
		return 0;
	}
	if (!b->modifies_inputs &&
	    kb_slots_hash_inputs(&b->slots, t->n, t->hash_key) !=
		    t->input_hash) {
		kb_fault_set(fault, t->worker->side,
			     KB_STATUS_INPUTS_MODIFIED, KB_PHASE_RUN,
			     "an input is not what it was before the run");
		return 0;
	}
	return 1;
}

static void take_snapshot(struct kb_bench *b, uint32_t n)
{
	uint64_t need = 0;
	uint8_t *to;

	for (uint32_t i = 0; i < b->plan.output_count; i++)
		need += n * kb_slot_copy_bytes(kb_slots_output(&b->slots, 0, i));
	if (b->snapshot_bytes < need) {
		free(b->snapshot);
		b->snapshot = kb_xmalloc(need);
		b->snapshot_bytes = need;
	}
	to = b->snapshot;
	for (uint32_t slot = 0; slot < n; slot++) {
		for (uint32_t i = 0; i < b->plan.output_count; i++) {
			const struct kb_slot_tensor *o =
				kb_slots_output(&b->slots, slot, i);

			memcpy(to, kb_slot_data(o), o->data_bytes);
			to += kb_slot_copy_bytes(o);
		}
	}
}

/*
 * Steps 4 and 5. The copy is made before the worker is let on to say how it
 * went, the checks after that: whatever it did to the inputs until it was
 * stopped for good, the reference must not be given them. What it says
 * itself comes first, because it explains the rest.
 */
static int run_and_inspect(struct kb_bench *b, struct turn *t,
			   bool snapshot, int64_t *elapsed_ns,
			   struct kb_fault *fault, struct kb_err *err)
{
	int ret = kb_worker_go(t->worker, elapsed_ns, fault, err);

	if (ret <= 0)
		return ret;
	if (snapshot)
		take_snapshot(b, t->n);
	ret = kb_worker_settle(t->worker, fault, err);
	return ret <= 0 ? ret : inspect(b, t, fault);
}

static int candidate_turn(struct kb_bench *b, struct turn *t,
			  struct kb_trial *trial, struct kb_fault *fault,
			  struct kb_err *err)
{
	int ret = kb_worker_queue(t->worker, 0, t->n, t->run_seed, fault, err);

	if (ret > 0)
		ret = make_inputs(b, t, trial, fault, err);
	if (ret > 0)
		ret = kb_err_or_1(prepare(b, t, err));
	if (ret <= 0)
		return ret;
	return run_and_inspect(b, t, true, &trial->candidate_ns, fault, err);
}

static int reference_turn(struct kb_bench *b, struct turn *t,
			  struct kb_trial *trial, bool fresh_inputs,
			  struct kb_fault *fault, struct kb_err *err)
{
	int ret = 1;

	if (fresh_inputs)
		ret = make_inputs(b, t, trial, fault, err);
	if (ret > 0)
		ret = kb_worker_queue(t->worker, 0, t->n, t->run_seed, fault,
				      err);
	if (ret > 0)
		ret = kb_err_or_1(prepare(b, t, err));
	if (ret <= 0)
		return ret;

	ret = run_and_inspect(b, t, false, &trial->reference_ns, fault, err);
	if (!ret && fault->status == KB_STATUS_INPUTS_MODIFIED) {
		/* It works in place: then that is the problem's nature. */
		b->modifies_inputs = true;
		return 1;
	}
	return ret;
}

/* Step 7. */
static void compare(struct kb_bench *b, uint32_t n, struct kb_trial *t)
{
	const uint8_t *got = b->snapshot;

	t->errors = kb_xcalloc(b->plan.output_count, sizeof(*t->errors));
	for (uint32_t slot = 0; slot < n; slot++) {
		for (uint32_t i = 0; i < b->plan.output_count; i++) {
			const struct kb_slot_tensor *o =
				kb_slots_output(&b->slots, slot, i);
			const enum kb_dtype dtype = b->plan.outputs[i].dtype;
			const struct kb_error_limits limits =
				kb_bench_limits(b, i, t->remedied);
			struct kb_compare_result c;

			kb_compare(&c, got, kb_slot_data(o), dtype,
				   o->data_bytes / kb_dtype_size_bytes(dtype),
				   limits.element);
			kb_output_error_add(&t->errors[i], &c);
			kb_wrong_add(&t->wrong, &c, &limits);
			got += kb_slot_copy_bytes(o);
		}
	}
}

/* The candidate is about to be let in again: what was expected of it must
 * not lie there. */
static int hide_expected(struct kb_bench *b, uint32_t n, struct kb_err *err)
{
	uint64_t key;
	int ret = draw_key(&key, err);

	if (ret >= 0)
		kb_slots_poison(&b->slots, n, key);
	return ret;
}

/* A problem whose tensors barely fit needs the memory for its inputs. */
static void drop_large_snapshot(struct kb_bench *b)
{
	if (b->snapshot_bytes <= SNAPSHOT_KEPT_BYTES)
		return;
	free(b->snapshot);
	b->snapshot = NULL;
	b->snapshot_bytes = 0;
}

int kb_trial_run(struct kb_bench *b, struct kb_worker *candidate, uint32_t n,
		 struct kb_trial *t, struct kb_fault *fault,
		 struct kb_err *err)
{
	struct turn turn = { .worker = candidate, .n = n };
	int ret = kb_random_seed(t->seed, err);

	if (ret < 0)
		return ret;
	/* The runtime's own generator must not be told the trial's seed
	 * before the inputs may be known, so it gets one made of it. */
	kb_random_derive(turn.run_seed, t->seed, KB_SEED_RUN, 0);

	if (candidate) {
		ret = candidate_turn(b, &turn, t, fault, err);
		if (ret <= 0)
			return ret;
	}
	turn.worker = &b->reference.worker;
	ret = reference_turn(b, &turn, t, !candidate || b->modifies_inputs,
			     fault, err);
	if (ret > 0 && candidate) {
		compare(b, n, t);
		ret = kb_err_or_1(hide_expected(b, n, err));
	}
	drop_large_snapshot(b);
	return ret;
}

void kb_trial_release(struct kb_trial *t)
{
	free(t->errors);
	*t = (struct kb_trial)KB_TRIAL_INIT;
}
