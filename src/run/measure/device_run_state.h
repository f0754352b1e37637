#ifndef KB_MEASURE_DEVICE_RUN_STATE_H
#define KB_MEASURE_DEVICE_RUN_STATE_H

#include "device/tolerance.h"
#include "measure/device_run.h"

/*
 * The state of one run on a CUDA device, and its steps: those around the two
 * chains of measure/device_run.h. Functions that return an int return 1; 0 if a
 * side failed, as `fault` says; or fail; but for those that have no fault,
 * which return 0 or fail.
 */

struct kb_run_state {
	struct kb_bench *b;
	struct kb_device_side *s;
	struct kb_device_run *r;
	uint8_t run_seed[KB_SEED_BYTES];
	struct kb_device_guards guards;
	bool reuses;			/* masters, and what is expected */
	uint64_t *outputs;		/* addresses, [slot][output]; owned */
	struct kb_compare_result *results;	/* likewise */
};

static inline bool kb_run_is_reference(const struct kb_run_state *x)
{
	return x->s->worker->side == KB_SIDE_REFERENCE;
}

static inline uint32_t kb_run_outputs(const struct kb_run_state *x)
{
	return x->r->n * x->b->plan.output_count;
}

static inline uint64_t kb_run_output_bytes(const struct kb_run_state *x,
					   uint32_t k)
{
	return kb_tensor_bytes(
		&x->b->plan.outputs[k % x->b->plan.output_count]);
}

/* measure/device_expect.c: make inputs, or take those that are there; compute
 * what is expected of them; queue the side's calls, which does that beside. */
int kb_run_begin(struct kb_run_state *x, struct kb_fault *fault,
		 struct kb_err *err);
int kb_run_expect(const struct kb_run_state *x, struct kb_fault *fault,
		  struct kb_err *err);
int kb_run_queue(const struct kb_run_state *x, enum kb_queued *how,
		 struct kb_fault *fault, struct kb_err *err);

/* Calls without a gate, on slots from `first` on. */
int kb_run_ungated(const struct kb_run_state *x, struct kb_worker *w,
		   uint32_t first, uint32_t n, struct kb_fault *fault,
		   struct kb_err *err);

/* Where the side has left its outputs, into `outputs`. */
int kb_run_find_outputs(const struct kb_run_state *x, struct kb_fault *fault);

/* measure/device_fill.c: fill memory in which outputs can lie; say where the
 * chain writes; after a run by the call clock, is it void? */
int kb_run_fill(struct kb_run_state *x, struct kb_err *err);
int kb_run_prepare_chain(const struct kb_run_state *x, struct kb_err *err);
void kb_run_note_places(struct kb_run_state *x);

#endif
