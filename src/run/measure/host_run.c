#include "measure/host_run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/alloc.h"
#include "base/err.h"
#include "base/pause.h"
#include "device/compare.h"
#include "random/random.h"

/* A copy that is larger than this is not kept for the next run: a problem
 * whose tensors barely fit needs the memory. */
#define COPY_KEPT_BYTES ((uint64_t)1 << 30)

/* One side of a run. */
struct half {
	bool is_unsettled;		/* its last run has not been
					   acknowledged */
	struct kb_bench *bench;
	struct kb_host_run *run;
	struct kb_worker *worker;
	struct kb_slots *slots;		/* all of its own */

	/* of the run under way */
	bool is_warming;
	uint32_t first;
	struct kb_slots used;		/* from the first one on; borrowed */
	uint64_t guard_key;
};

static enum kb_side side_of(const struct half *h)
{
	return h->worker->side;
}

/* --- memory ----------------------------------------------------------- */

static void make_room(struct kb_host_copy *c, uint64_t bytes)
{
	if (c->bytes >= bytes)
		return;
	free(c->data);
	c->data = kb_xmalloc(bytes);
	c->bytes = bytes;
}

void kb_host_copy_release(struct kb_host_copy *c)
{
	free(c->data);
	*c = (struct kb_host_copy){ .data = NULL };
}

/* Others are kept, since memory that is new from the kernel costs a fault for
 * every page of it. */
static void drop_large(struct kb_host_copy *c)
{
	if (c->bytes > COPY_KEPT_BYTES)
		kb_host_copy_release(c);
}

/* Grow the side's slots to the number of calls, and send the new slots to its
 * worker. */
static int grow_slots(const struct half *h, struct kb_fault *fault,
		      struct kb_err *err)
{
	const uint32_t had = h->slots->count;
	int ret;

	h->slots->plan = &h->bench->plan;
	ret = kb_slots_grow(h->slots, h->run->runs->calls, err);
	if (ret < 0)
		return ret;
	return kb_slots_send(h->slots, had, h->worker, fault, err);
}

/* The slots from `first` on. */
static void choose_slots(struct half *h, uint32_t first, uint32_t count)
{
	h->first = first;
	h->used = (struct kb_slots){
		.plan = h->slots->plan,
		.count = count,
		.tensors = h->slots->tensors +
			   (size_t)first * kb_plan_tensors(h->slots->plan),
	};
}

/* --- a run ------------------------------------------------------------ */

static int queue_half(struct half *h, struct kb_fault *fault,
		      struct kb_err *err)
{
	const bool settles = h->is_unsettled;
	uint8_t seed[KB_SEED_BYTES];

	/* The runtime's own generator must not be told the seed of the inputs
	 * before they may be known, so it gets one made of it. */
	kb_random_derive(seed, h->run->seed, KB_SEED_RUN,
			 h->first + h->run->draws_anew +
			 (h->is_warming ? KB_HOST_ONE_CALLS_MAX : 0));
	h->is_unsettled = false;
	return (settles ? kb_worker_settle_and_queue : kb_worker_queue)(
		h->worker, h->first, h->used.count, seed, fault, err);
}

/* By the reference, in its own slots, from where they are taken at once. */
static int make_inputs(const struct half *h, struct kb_fault *fault,
		       struct kb_err *err)
{
	struct kb_host_copy *inputs = &h->bench->inputs;
	const uint32_t calls = h->run->runs->calls;
	struct kb_request request = {
		.op = KB_OP_GENERATE,
		.slot_count = calls,
		.alternate = h->run->runs->alternate,
	};
	int ret;

	memcpy(request.seed, h->run->seed, KB_SEED_BYTES);
	ret = kb_worker_ask(h->worker, &request, NULL, 0, fault, err);
	if (ret <= 0)
		return ret;
	make_room(inputs, kb_slots_inputs_bytes(h->slots, calls));
	kb_slots_take_inputs(h->slots, calls, inputs->data);
	return 1;
}

static uint8_t *inputs_of(const struct half *h)
{
	return h->bench->inputs.data +
	       kb_slots_inputs_bytes(&h->used, h->first);
}

/* The same for both, also for the reference, who has its inputs already: what
 * lies in the processor's caches when the clock starts is the same then. */
static int prepare_half(struct half *h, struct kb_err *err)
{
	if (getrandom(&h->guard_key, sizeof(h->guard_key), 0) !=
	    sizeof(h->guard_key))
		return kb_err_sys(err, "cannot draw random bytes");
	kb_slots_put_inputs(&h->used, h->used.count, inputs_of(h));
	kb_slots_poison(&h->used, h->used.count, h->guard_key);
	return 0;
}

static int inspect_guards(const struct half *h, struct kb_fault *fault)
{
	char name[KB_TENSOR_NAME_SIZE];
	uint32_t slot, tensor;

	if (kb_slots_guards_hold(&h->used, h->used.count, h->guard_key, &slot,
				 &tensor))
		return 1;
	kb_fault_set(fault, side_of(h), KB_STATUS_GUARD_DAMAGED, KB_PHASE_RUN,
		     "wrote beyond the ends of %s of call %u",
		     kb_plan_name_tensor(name, &h->bench->plan, tensor),
		     h->first + slot);
	return 0;
}

static int inspect_inputs(const struct half *h, struct kb_fault *fault)
{
	struct kb_bench *b = h->bench;

	if (kb_bench_may_modify(b, side_of(h)) ||
	    kb_slots_have_inputs(&h->used, h->used.count, inputs_of(h)))
		return 1;
	/* It works in place: then that is the problem's nature. That is learnt
	 * before there is a candidate, and of nobody else. */
	if (h->run->warms_up && side_of(h) == KB_SIDE_REFERENCE) {
		b->modifies_inputs = true;
		return 1;
	}
	kb_fault_set(fault, side_of(h), KB_STATUS_INPUTS_MODIFIED,
		     KB_PHASE_RUN,
		     "an input is not what it was before the run");
	return 0;
}

/* Check the slots after the run, apart from the outputs' values. */
static int inspect_half(const struct half *h, struct kb_fault *fault)
{
	int ret = inspect_guards(h, fault);

	return ret <= 0 ? ret : inspect_inputs(h, fault);
}

static void take_outputs(const struct half *h)
{
	kb_slots_take_outputs(&h->used, h->used.count, h->bench->outputs.data +
			      kb_slots_outputs_bytes(&h->used, h->first));
}

static bool is_last(const struct half *h)
{
	return h->first + h->used.count == h->run->runs->calls;
}

/*
 * To the gate, and from there on. All is looked at before the worker is let on
 * to say how it went: memory is quiet, and what there is is what was there when
 * the clock stopped. What it says itself comes first, because it explains the
 * rest. Of one of several runs in a row it says so on its way to the gate of
 * the next one, which spares a stop.
 */
static int run_half(struct half *h, int64_t *elapsed_ns, struct kb_fault *fault,
		    struct kb_err *err)
{
	struct kb_fault found;
	int clean, ret = queue_half(h, fault, err);

	if (ret > 0)
		ret = kb_err_or_1(prepare_half(h, err));
	if (ret > 0)
		ret = kb_worker_go(h->worker, elapsed_ns, fault, err);
	if (ret <= 0)
		return ret;
	if (side_of(h) == KB_SIDE_CANDIDATE)
		take_outputs(h);
	clean = inspect_half(h, &found);
	h->is_unsettled = clean && !is_last(h);
	if (h->is_unsettled)
		return 1;
	ret = kb_worker_settle(h->worker, fault, err);
	if (ret > 0 && !clean) {
		*fault = found;
		return 0;
	}
	return ret;
}

/*
 * One call that nobody times, right before one that counts, with random numbers of its
 * own. Without it a run of one call begins with the caches that the other side left,
 * except of a candidate that calls itself before it is let on. A candidate has the
 * inputs of an earlier run then. The reference, which made the new ones in its slots,
 * has those. Problems that work in place lack old inputs, and calls of which two fill
 * a batch are too long for caches to matter.
 */
static int warm_half(struct half *h, struct kb_fault *fault,
		     struct kb_err *err)
{
	const struct kb_host_runs *runs = h->run->runs;
	int64_t elapsed_ns;
	int ret;

	if (!runs->warms || kb_bench_may_modify(h->bench, KB_SIDE_CANDIDATE))
		return 1;
	h->is_warming = true;
	ret = queue_half(h, fault, err);
	h->is_warming = false;
	if (ret > 0)
		ret = kb_worker_go(h->worker, &elapsed_ns, fault, err);
	h->is_unsettled = ret > 0;
	return ret;
}

/* --- both ------------------------------------------------------------- */

static struct kb_tolerance element_limit(const struct kb_error_limits *limits,
					 const void *expected,
					 enum kb_dtype dtype, uint64_t count)
{
	if (!limits->of_tensor)
		return limits->element;
	return kb_tolerance_of_tensor(
		limits->element, kb_compare_largest(expected, dtype, count));
}

/* The one that is wrong first, of both. */
static void take_element(struct kb_wrong *w, const uint8_t *got,
			 const uint8_t *expected, enum kb_dtype dtype)
{
	const size_t bytes = kb_dtype_size_bytes(dtype);

	memcpy(w->got, got + w->element_index * bytes, bytes);
	memcpy(w->expected, expected + w->element_index * bytes, bytes);
}

static void compare_halves(const struct half *reference)
{
	const struct kb_bench *b = reference->bench;
	struct kb_host_run *r = reference->run;
	const uint8_t *got = b->outputs.data;

	r->errors = kb_xcalloc(b->plan.output_count, sizeof(*r->errors));
	for (uint32_t k = 0; k < r->runs->calls * b->plan.output_count; k++) {
		const uint32_t i = k % b->plan.output_count;
		const struct kb_slot_tensor *o = kb_slots_output(
			reference->slots, k / b->plan.output_count, i);
		const enum kb_dtype dtype = b->plan.outputs[i].dtype;
		const struct kb_error_limits limits = r->candidate ?
			kb_bench_limits(b, i, r->runs->alternate) :
			kb_bench_reference_limits(b, i, r->runs->alternate);
		const uint64_t count =
			o->data_bytes / kb_dtype_size_bytes(dtype);
		struct kb_compare_result c;

		kb_compare(&c, got, kb_slot_data(o), dtype, count,
			   element_limit(&limits, kb_slot_data(o), dtype,
					 count));
		kb_output_error_add(&r->errors[i], &c);
		if (kb_wrong_add(&r->wrong, &c, &limits, k))
			take_element(&r->wrong, got, kb_slot_data(o), dtype);
		got += kb_slot_copy_bytes(o);
	}
}

/* A run of `count` calls of one after the other: what is expected is there
 * before the candidate is let go. */
static int run_both(struct half *reference, struct half *candidate,
		    uint32_t first, uint32_t count, struct kb_fault *fault,
		    struct kb_err *err)
{
	struct kb_host_runs *runs = reference->run->runs;
	const uint32_t at = runs->one_by_one ? first : 0;
	int ret;

	choose_slots(reference, first, count);
	ret = warm_half(reference, fault, err);
	if (ret > 0)
		ret = run_half(reference,
			       &runs->elapsed_ns[KB_SIDE_REFERENCE][at], fault,
			       err);
	if (ret <= 0 || !candidate->worker)
		return ret;
	choose_slots(candidate, first, count);
	kb_bench_limit_run(reference->bench, candidate->worker,
			   count ? runs->elapsed_ns[KB_SIDE_REFERENCE][at] /
				   count : 0,
			   count);
	ret = warm_half(candidate, fault, err);
	return ret <= 0 ? ret :
	       run_half(candidate, &runs->elapsed_ns[KB_SIDE_CANDIDATE][at],
			fault, err);
}

/* A candidate has failed before the last run. The reference stays, for others:
 * it has to be heard, and had its run first. */
static int settle_reference(struct half *reference, struct kb_fault *fault,
			    struct kb_err *err)
{
	struct kb_fault own;
	int ret = kb_worker_settle(reference->worker, &own, err);

	reference->is_unsettled = false;
	if (!ret)
		*fault = own;
	return ret < 0 ? ret : 0;
}

static int make_runs(struct half *reference, struct half *candidate,
		     struct kb_fault *fault, struct kb_err *err)
{
	const struct kb_host_runs *runs = reference->run->runs;
	int ret = 1;

	if (!runs->one_by_one)
		return run_both(reference, candidate, 0, runs->calls, fault,
				err);
	for (uint32_t i = 0; i < runs->calls && ret > 0; i++)
		ret = run_both(reference, candidate, i, 1, fault, err);
	return !ret && reference->is_unsettled ?
		       settle_reference(reference, fault, err) : ret;
}

static int grow_all(struct half *reference, struct half *candidate,
		    struct kb_fault *fault, struct kb_err *err)
{
	int ret = grow_slots(reference, fault, err);

	if (ret <= 0 || !candidate->worker)
		return ret;
	ret = grow_slots(candidate, fault, err);
	make_room(&candidate->bench->outputs,
		  kb_slots_outputs_bytes(candidate->slots,
					 candidate->run->runs->calls));
	return ret;
}

/* Keep the outputs of the reference's last run, which lie in its slots. */
static void keep_outputs(const struct half *reference)
{
	struct kb_host_copy *outputs = &reference->bench->outputs;
	const uint32_t calls = reference->run->runs->calls;

	make_room(outputs, kb_slots_outputs_bytes(reference->slots, calls));
	kb_slots_take_outputs(reference->slots, calls, outputs->data);
}

int kb_host_run(struct kb_bench *b, struct kb_host_run *r,
		struct kb_fault *fault, struct kb_err *err)
{
	struct half reference = {
		.bench = b, .run = r, .worker = &b->reference.worker,
		.slots = &b->slots[KB_SIDE_REFERENCE],
	};
	struct half candidate = {
		.bench = b, .run = r, .worker = r->candidate,
		.slots = &b->slots[KB_SIDE_CANDIDATE],
	};
	const uint32_t pauses = kb_pause_count();
	const bool is_compared = r->candidate || r->repeats;
	int ret = r->repeats ? 1 : kb_err_or_1(kb_random_seed(r->seed, err));

	/* A SIGCONT that continued us may have continued the candidate. */
	if (ret > 0 && r->candidate)
		ret = kb_worker_halt(r->candidate, fault, err);
	if (ret > 0)
		ret = grow_all(&reference, &candidate, fault, err);
	if (ret > 0 && r->repeats && !r->candidate)
		keep_outputs(&reference);
	if (ret > 0)
		ret = make_inputs(&reference, fault, err);
	if (ret > 0)
		ret = make_runs(&reference, &candidate, fault, err);
	if (ret > 0 && is_compared)
		compare_halves(&reference);
	drop_large(&b->inputs);
	drop_large(&b->outputs);
	r->is_paused = kb_pause_count() != pauses;
	return ret;
}

void kb_host_run_release(struct kb_host_run *r)
{
	free(r->errors);
	*r = (struct kb_host_run)KB_HOST_RUN_INIT;
}
