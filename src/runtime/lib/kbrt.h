#ifndef KB_RUNTIME_LIB_KBRT_H
#define KB_RUNTIME_LIB_KBRT_H

#include <stdbool.h>
#include <stdint.h>

#include "worker/protocol.h"

struct kb_err;

/*
 * A worker's side of worker/protocol.h, for every runtime: the native one
 * is linked with it, the torch one loads it with ctypes. So all functions
 * take and return numbers, pointers and strings, and numbers that the
 * protocol names can be asked for by that name.
 *
 * One struct kbrt is one worker. It owns every descriptor it receives and
 * every mapping it makes; pointers that it hands out are borrowed until
 * kbrt_free(), a tensor's data may be used directly. Functions are called
 * in the order in which the protocol asks for them, by one thread.
 *
 * Errors: KB_ERR_SYS with ENOMEM, ENOSPC, EFBIG or EAGAIN when there is not
 * enough memory, KB_ERR_INPUT when the code asks for what the protocol
 * cannot express, anything else when the supervisor and we disagree.
 * kbrt_code_of() turns the first two into acks; after the third there is
 * nothing to do but to say so and leave with KBRT_EXIT_LOST.
 */

#define KBRT_EXIT_LOST 4

struct kbrt;

/* Takes ownership of `channel_fd`. Out of memory aborts. */
struct kbrt *kbrt_new(int channel_fd);
void kbrt_free(struct kbrt *rt);

/* An error to pass as `err`, and its text, for callers without structs. */
struct kb_err *kbrt_err(struct kbrt *rt);
const char *kbrt_err_text(const struct kbrt *rt);

/* KB_ACK_NO_MEMORY, KB_ACK_UNSUPPORTED, or KB_ACK_CODE_COUNT for neither. */
uint32_t kbrt_code_of(const struct kb_err *err);

/* What "KB_ACK_OK", "KB_INT64", "KB_DRAW_NORMAL" and the like stand for;
 * -1 for a name that is not in the table. */
int64_t kbrt_number(const char *name);

/* --- requests ------------------------------------------------------- */

/*
 * Wait for the next request. Returns its operation, or 0 when the
 * supervisor has closed the channel. What came with the request before and
 * was not used is closed.
 */
int kbrt_receive(struct kbrt *rt, struct kb_err *err);

/* Fields of the current request. */
uint32_t kbrt_role(const struct kbrt *rt);
uint32_t kbrt_first_slot(const struct kbrt *rt);
uint32_t kbrt_slot_count(const struct kbrt *rt);

/* The seed as a number, for generators that take no more: its first 8
 * bytes, little-endian. */
uint64_t kbrt_seed_number(const struct kbrt *rt);

/* Answer the current request. */
int kbrt_ack(struct kbrt *rt, uint32_t code, struct kb_err *err);

/* --- load ----------------------------------------------------------- */

/* Take the descriptors of a LOAD, of which there must be `fd_count`. For a
 * candidate, read plan and state. */
int kbrt_load(struct kbrt *rt, uint32_t fd_count, struct kb_err *err);

/* The descriptor of the program, the fourth of a LOAD; -1 if there is none. */
int kbrt_program_fd(const struct kbrt *rt);

/*
 * What a reference does instead of reading: say what tensors there are,
 * kbrt_state_map() the state and fill it, kbrt_publish().
 */
int kbrt_input_add(struct kbrt *rt, const struct kb_tensor_spec *spec,
		   struct kb_err *err);
int kbrt_output_add(struct kbrt *rt, const struct kb_tensor_spec *spec,
		    struct kb_err *err);
int kbrt_state_add(struct kbrt *rt, const char *name,
		   const struct kb_tensor_spec *spec, struct kb_err *err);

/* Give the state its final size and map it: kbrt_state_data() is writable
 * from here to kbrt_publish(), and zero. */
int kbrt_state_map(struct kbrt *rt, struct kb_err *err);

/* Hand plan and state over. No mapping through which they could be written
 * is left, so that the supervisor can seal them. */
int kbrt_publish(struct kbrt *rt, struct kb_err *err);

uint32_t kbrt_input_count(const struct kbrt *rt);
uint32_t kbrt_output_count(const struct kbrt *rt);
const struct kb_tensor_spec *kbrt_input_spec(const struct kbrt *rt, uint32_t i);
const struct kb_tensor_spec *kbrt_output_spec(const struct kbrt *rt, uint32_t i);

uint32_t kbrt_state_count(const struct kbrt *rt);
const char *kbrt_state_name(const struct kbrt *rt, uint32_t i);
const struct kb_tensor_spec *kbrt_state_spec(const struct kbrt *rt, uint32_t i);

/* Aligned to KB_STATE_ALIGN_BYTES. Writing to it, but for kbrt_state_map(),
 * is a fault. */
void *kbrt_state_data(const struct kbrt *rt, uint32_t i);

/*
 * Does a state of `bytes` at `state` (aligned to 8) keep every promise of
 * the protocol? Pure. Fails with KB_ERR_CORRUPT.
 */
int kbrt_state_check(const void *state, uint64_t bytes, struct kb_err *err);

/* The same for a plan. */
int kbrt_plan_check(const struct kb_plan *plan, struct kb_err *err);

/* --- slots ---------------------------------------------------------- */

#define KBRT_SLOTS_MAX 65536

/* Map the tensors that came with a SLOT. A slot is mapped once. */
int kbrt_slot_map(struct kbrt *rt, struct kb_err *err);

/* Fails with KB_ERR_CORRUPT unless every slot of the request is mapped. */
int kbrt_slots_check(const struct kbrt *rt, struct kb_err *err);

/* The slot must be mapped. */
void *kbrt_input_data(const struct kbrt *rt, uint32_t slot, uint32_t i);
void *kbrt_output_data(const struct kbrt *rt, uint32_t slot, uint32_t i);

/* --- inputs --------------------------------------------------------- */

/*
 * Fill the tensor at `data` from the seed of the current request. `kind`
 * is an enum kb_draw_kind; base/random.h says what the numbers mean, and
 * that `slot` and `draw` select the stream. Fails with KB_ERR_INPUT if
 * such a tensor cannot be drawn like that.
 */
int kbrt_draw(const struct kbrt *rt, void *data,
	      const struct kb_tensor_spec *spec, uint32_t kind, double low,
	      double high, uint32_t slot, uint32_t draw, struct kb_err *err);

/* --- the gate ------------------------------------------------------- */

/* Sleep until the supervisor opens the gate for the current RUN. Fails with
 * KB_ERR_CORRUPT when it has closed the channel instead, as it does by
 * dying. */
int kbrt_gate_wait(struct kbrt *rt, struct kb_err *err);

/* The calls are done; all they stored is visible to who sees this. */
void kbrt_gate_done(struct kbrt *rt);

/* Sleep until the supervisor has looked and lets us go. Fails likewise. */
int kbrt_gate_wait_release(struct kbrt *rt, struct kb_err *err);

#endif
