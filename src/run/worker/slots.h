#ifndef KB_WORKER_SLOTS_H
#define KB_WORKER_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "worker/worker.h"

struct kb_err;

/*
 * The tensors of a problem's calls, in memory that the supervisor and its
 * workers share: one sealed memfd for all slots that are added at a time, laid
 * out as worker/protocol.h says. The supervisor maps them all; a worker maps
 * what it is sent. Each worker has slots of its own, so that no page of one is
 * ever in another; what goes from one to the other, the supervisor copies.
 *
 * A plan of several ranks has the inputs of rank 0, then of rank 1, and so on, the
 * same number for each. Outputs follow in the same order. Each rank has a memfd
 * for its tensors.
 */

struct kb_slot_tensor {
	uint8_t *base;		/* the front guard */
	uint64_t data_bytes;
	uint64_t file_bytes;	/* with guards and padding */
};

/* The memory of the slots from `first` on, one after the other. */
struct kb_slot_memory {
	int fd;
	uint8_t *base;
	uint64_t bytes;
	uint32_t first, count;
	uint32_t rank;
};

struct kb_slots {
	const struct kb_plan *plan;	/* borrowed */
	uint32_t count;
	struct kb_slot_tensor *tensors;	/* slot by slot: inputs, outputs */
	struct kb_slot_memory *memory;	/* owned, as are these */
	uint32_t memory_count;
};

#define KB_SLOTS_INIT { .tensors = NULL }

/*
 * Refuses a plan that makes no sense: counts, dimensions and types out of
 * range, no outputs. Fails with KB_ERR_INPUT.
 */
int kb_plan_check(const struct kb_plan *plan, struct kb_err *err);

/* The number of ranks, and the rank of an output. */
static inline uint32_t kb_plan_ranks(const struct kb_plan *plan)
{
	return plan->ranks ? plan->ranks : 1;
}

static inline uint32_t kb_plan_rank_of_output(const struct kb_plan *plan,
					      uint32_t i)
{
	return i / (plan->output_count / kb_plan_ranks(plan));
}

/* Of tensor `i` of a slot, inputs before outputs: "input 2", "rank 1, output 3". Inputs
 * are numbered over all ranks, and outputs. Returns `out`. */
#define KB_TENSOR_NAME_SIZE 40
const char *kb_plan_name_tensor(char out[KB_TENSOR_NAME_SIZE],
				const struct kb_plan *plan, uint32_t i);

/* Make the plan of all ranks from each rank's, which have been checked. Fails with
 * KB_ERR_INPUT if ranks have different numbers of tensors, or together too many. */
int kb_plan_join(struct kb_plan *plan, const struct kb_plan of_ranks[],
		 uint32_t ranks, struct kb_err *err);

/* Memory that one slot takes, guards included. The plan has been checked. */
uint64_t kb_plan_slot_bytes(const struct kb_plan *plan);

/* The bytes of a tensor's copy among others: its elements, then up to the next
 * multiple of 64. */
static inline uint64_t kb_slot_copy_bytes(const struct kb_slot_tensor *t)
{
	return (t->data_bytes + 63) / 64 * 64;
}

static inline uint32_t kb_plan_tensors(const struct kb_plan *plan)
{
	return plan->input_count + plan->output_count;
}

/* The type of the first input that is no plain number; KB_FLOAT32 if there is
 * none. */
static inline enum kb_dtype kb_plan_first_tensor(const struct kb_plan *plan)
{
	for (uint32_t i = 0; i < plan->input_count; i++)
		if (!(plan->inputs[i].flags & KB_TENSOR_IS_SCALAR))
			return plan->inputs[i].dtype;
	return KB_FLOAT32;
}

/* Add slots until there are `count`. Fails with KB_ERR_SYS. */
int kb_slots_grow(struct kb_slots *s, uint32_t count, struct kb_err *err);
void kb_slots_release(struct kb_slots *s);

const struct kb_slot_tensor *kb_slots_input(const struct kb_slots *s,
					    uint32_t slot, uint32_t i);
const struct kb_slot_tensor *kb_slots_output(const struct kb_slots *s,
					     uint32_t slot, uint32_t i);

/* Where the elements are. */
static inline uint8_t *kb_slot_data(const struct kb_slot_tensor *t)
{
	return t->base + KB_GUARD_BYTES;
}

/* Hand slots `first` up to the last to a worker; `first` is what there were
 * before one was added, or 0. As kb_worker_ask(). */
int kb_slots_send(const struct kb_slots *s, uint32_t first,
		  struct kb_worker *w, struct kb_fault *fault,
		  struct kb_err *err);

/*
 * Before a run of the first `count` slots: outputs become a pattern that
 * no computation gives, and the guards on both sides of every tensor, and
 * the padding, another. Both are made from `key`, which the worker does
 * not know.
 */
void kb_slots_poison(const struct kb_slots *s, uint32_t count, uint64_t key);

/*
 * After it: do the guards still hold what kb_slots_poison() put there? If
 * not, `slot`, `tensor` (inputs first) tell where.
 */
bool kb_slots_guards_hold(const struct kb_slots *s, uint32_t count,
			  uint64_t key, uint32_t *slot, uint32_t *tensor);

/*
 * Copies of the elements of all inputs, or all outputs, of the first `count`
 * slots, one tensor after the other, kb_slot_copy_bytes() each: how many bytes
 * that is in all, take them, put inputs back, compare inputs.
 */
uint64_t kb_slots_inputs_bytes(const struct kb_slots *s, uint32_t count);
uint64_t kb_slots_outputs_bytes(const struct kb_slots *s, uint32_t count);
void kb_slots_take_inputs(const struct kb_slots *s, uint32_t count,
			  uint8_t *to);
void kb_slots_take_outputs(const struct kb_slots *s, uint32_t count,
			   uint8_t *to);
void kb_slots_put_inputs(const struct kb_slots *s, uint32_t count,
			 const uint8_t *from);
bool kb_slots_have_inputs(const struct kb_slots *s, uint32_t count,
			  const uint8_t *from);

#endif
