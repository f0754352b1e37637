#ifndef KB_WORKER_DEVICE_SLOTS_H
#define KB_WORKER_DEVICE_SLOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "device/cuda.h"
#include "worker/worker.h"

struct kb_err;

/*
 * The tensors of a problem's calls on a CUDA device; worker/slots.h is the
 * same on the CPU. There are two sets of inputs. The reference makes them in
 * the master slots, which only it and the supervisor have; from there they
 * are copied in, to the slots on which reference and candidates are timed.
 * Outputs of native code lie in slots as well, those of torch in an output
 * pool.
 */

struct kb_device_slots {
	struct kb_cuda *cuda;			/* borrowed */
	const struct kb_plan *plan;		/* borrowed */
	uint32_t count;				/* of slots */
	uint32_t output_slots;			/* that have output tensors */
	uint32_t master_output_slots;
	struct kb_cuda_memory *masters;		/* [slot][input] */
	struct kb_cuda_memory *inputs;		/* [slot][input] */
	struct kb_cuda_memory *outputs;		/* [slot][output] */
	struct kb_cuda_memory *master_outputs;	/* [slot][output] */
};

#define KB_DEVICE_SLOTS_INIT { .cuda = NULL }

/* The bytes of one slot's inputs, master and copy together, and of its output
 * tensors. The plan has been checked. */
uint64_t kb_device_slot_bytes(const struct kb_plan *plan);
uint64_t kb_device_output_bytes(const struct kb_plan *plan);

/* Add slots until there are `count`, with slot 0's inputs, and output tensors until
 * that many slots, or master slots, have them. Fail with KB_ERR_SYS, KB_ERR_DEVICE. */
int kb_device_slots_grow(struct kb_device_slots *s, uint32_t count,
			 struct kb_err *err);
int kb_device_slots_grow_outputs(struct kb_device_slots *s, uint32_t count,
				 bool masters, struct kb_err *err);
void kb_device_slots_release(struct kb_device_slots *s);

/* The bytes of all slots, masters and outputs included; also of none, without a
 * plan. */
uint64_t kb_device_slots_bytes(const struct kb_device_slots *s);

/* Where the elements of an output are. */
uint64_t kb_device_output(const struct kb_device_slots *s, uint32_t slot,
			  uint32_t i);

/* Hand slots `first` up to the last to a worker, with output tensors or
 * without; or the master slots, to a reference. As kb_worker_ask(). */
int kb_device_slots_send(const struct kb_device_slots *s, uint32_t first,
			 bool masters, bool outputs, struct kb_worker *w,
			 struct kb_fault *fault, struct kb_err *err);

/* Copy the inputs of the first `count` slots in from the masters: now, or
 * with the next chain of device/cuda.h, which writes to `spans` before. */
int kb_device_slots_copy_in(const struct kb_device_slots *s, uint32_t count,
			    struct kb_err *err);
int kb_device_slots_chain(const struct kb_device_slots *s, uint32_t count,
			  const struct kb_cuda_span spans[], size_t span_count,
			  struct kb_err *err);

/* Are the slots' inputs still what the masters are? 1, 0, or fails. */
int kb_device_slots_agree(const struct kb_device_slots *s, uint32_t count,
			  struct kb_err *err);

/* Patterns from `key`, as kb_slots_poison() sets them: around the inputs of the
 * first `count` slots and, if `outputs`, around and in their outputs. */
struct kb_device_guards {
	uint32_t count;
	bool outputs;
	uint64_t key;
};

/* A tensor of a slot; inputs are numbered first. */
struct kb_guarded_tensor {
	uint32_t slot, tensor;
};

/* Set the patterns. Fails with KB_ERR_DEVICE. */
int kb_device_slots_poison(const struct kb_device_slots *s,
			   const struct kb_device_guards *g,
			   struct kb_err *err);

/* Do the guards hold? Returns 1; 0 with the first that does not, `damaged`; or
 * fails with KB_ERR_DEVICE. */
int kb_device_slots_guards_hold(const struct kb_device_slots *s,
				const struct kb_device_guards *g,
				struct kb_guarded_tensor *damaged,
				struct kb_err *err);

#endif
