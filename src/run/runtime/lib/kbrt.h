#ifndef KB_RUNTIME_LIB_KBRT_H
#define KB_RUNTIME_LIB_KBRT_H

#include <stdbool.h>
#include <stddef.h>
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
 * cannot express, KB_ERR_DEVICE when the device refuses, which it does to
 * everybody in a process whose code has broken it, anything else when the
 * supervisor and we disagree. kbrt_code_of() turns all but the last into
 * acks; after that there is nothing to do but to say so and leave with
 * KBRT_EXIT_LOST.
 */

#define KBRT_EXIT_LOST 4

struct kbrt;

/* Takes ownership of `channel_fd`. Out of memory aborts. */
struct kbrt *kbrt_new(int channel_fd);
void kbrt_free(struct kbrt *rt);

/* An error to pass as `err`, and its text, for callers without structs. */
struct kb_err *kbrt_err(struct kbrt *rt);
const char *kbrt_err_text(const struct kbrt *rt);

/* KB_ACK_NO_MEMORY, KB_ACK_UNSUPPORTED, KB_ACK_RUN_FAILED for a device, or
 * KB_ACK_CODE_COUNT for none of them. */
uint32_t kbrt_code_of(const struct kb_err *err);

/* The number of "KB_ACK_OK", "KB_INT64", "KB_DRAW_NORMAL" and the like; -1 for
 * a name that is not in the table. */
int64_t kbrt_number(const char *name);

/* --- requests ------------------------------------------------------- */

/*
 * Wait for the next request. Returns its operation, or 0 when the
 * supervisor has closed the channel. What came with the request before and
 * was not used is closed.
 */
int kbrt_receive(struct kbrt *rt, struct kb_err *err);

/* Fields of the current request. */
uint32_t kbrt_side(const struct kbrt *rt);
uint32_t kbrt_first_slot(const struct kbrt *rt);
uint32_t kbrt_slot_count(const struct kbrt *rt);
uint32_t kbrt_gate_of_request(const struct kbrt *rt);	/* enum kb_gate */
bool kbrt_alternate(const struct kbrt *rt);

/* The seed as a number, for generators that take no more: its first 8
 * bytes, little-endian. That of a run behind KB_GATE_HOST is there once the gate
 * is open, so that nothing can be drawn from it before. */
uint64_t kbrt_seed_number(const struct kbrt *rt);

/* Answer the current request, with one of enum kb_ack_code; nothing else is ever
 * sent. */
int kbrt_ack(struct kbrt *rt, uint32_t code, struct kb_err *err);

/* --- groups --------------------------------------------------------- */

/* Before the first request: this is rank `rank` of `count`. One of several may from
 * now on have half as many files open as before. */
void kbrt_set_rank(struct kbrt *rt, uint32_t rank, uint32_t count);

/*
 * Lead a group until the supervisor closes the channel. Rank `i` is process
 * `pids[i]`, at the other end of `fds[i]`. Returns 0, or fails, or returns
 * KBRT_RANK_ENDED * (1 + i) + its wait status if rank `i` has ended. The caller then
 * ends in the same way.
 */
#define KBRT_RANK_ENDED 0x10000

int kbrt_lead(struct kbrt *rt, const int fds[], const int pids[],
	      uint32_t count, struct kb_err *err);

/* --- load ----------------------------------------------------------- */

/* Take the descriptors of a LOAD, of which there must be `fd_count`. For a
 * candidate, read plan and state. */
int kbrt_load(struct kbrt *rt, uint32_t fd_count, struct kb_err *err);

/* The descriptor of the program, the fourth of a LOAD; -1 if there is none. */
int kbrt_program_fd(const struct kbrt *rt);

/*
 * A reference does not read, but states its tensors, kbrt_state_map() the state
 * and fill it, kbrt_publish().
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

/* Map what came with a SLOT: on the CPU memory of one or more slots; on a device
 * the tensors of one, only inputs if there are no more. A slot is mapped once. */
int kbrt_slot_map(struct kbrt *rt, struct kb_err *err);

/* Fails with KB_ERR_CORRUPT unless every slot of the request is mapped. */
int kbrt_slots_check(const struct kbrt *rt, struct kb_err *err);

/* The slot must be mapped. An output's is NULL if it goes to the pool. */
void *kbrt_input_data(const struct kbrt *rt, uint32_t slot, uint32_t i);
void *kbrt_output_data(const struct kbrt *rt, uint32_t slot, uint32_t i);

/* --- inputs --------------------------------------------------------- */

/* How a tensor is drawn; random/random.h says what the numbers mean. Python
 * has the same struct, kb_torch_library.py. */
struct kbrt_drawing {
	uint32_t kind;			/* enum kb_draw_kind */
	uint32_t slot, draw;		/* they select the stream */
	uint32_t reserved;		/* 0 */
	double low, high;
};

/*
 * Fill the tensor at `data` from the seed of the current request. Fails with
 * KB_ERR_INPUT if such a tensor cannot be drawn like that.
 */
int kbrt_draw(const struct kbrt *rt, void *data,
	      const struct kb_tensor_spec *spec,
	      const struct kbrt_drawing *how, struct kb_err *err);

/* --- the fp64 reference error --------------------------------------- */

/* Set the report of the current FP64_ERROR for output `i`, a floating one. The
 * others are integers. */
void kbrt_fp64_error_output(struct kbrt *rt, uint32_t i, double max_abs_error,
			    double rms_error, double max_abs, double rms);

/* Write the report: of the outputs, or, if `why` is not NULL, that there is
 * nothing to say and why. It is cut to KB_FP64_ERROR_WHY_BYTES. */
int kbrt_fp64_error_publish(struct kbrt *rt, const char *why,
			    struct kb_err *err);

/* --- a CUDA device -------------------------------------------------- */

/*
 * After kbrt_load(), for a worker that was told to use its device: from
 * here on tensors of slots are device memory. The primary context of the
 * only device is made current; everything below goes to its legacy default
 * stream, NULL. Fails also with KB_ERR_MISSING, without a driver, as does
 * kbrt_draw_on_device() in a program built without the CUDA toolkit.
 */
int kbrt_cuda_open(struct kbrt *rt, struct kb_err *err);
bool kbrt_has_device(const struct kbrt *rt);	/* was it asked for? */

/* kbrt_draw() for device memory; queued. */
int kbrt_draw_on_device(const struct kbrt *rt, void *data,
			const struct kb_tensor_spec *spec,
			const struct kbrt_drawing *how, struct kb_err *err);

/*
 * Inputs of several calls, recorded once and made many times. What is
 * queued on `stream`, which is the CUDA driver's and not NULL, from
 * kbrt_record_begin() on becomes a graph, and kbrt_draw_on_device() queues
 * there. Its slot is that of the call in the recording, from 0 on; the
 * bits of the seed do not matter. kbrt_record_input() takes what has become
 * of input `i` of such a call, all bytes in a row at `address`.
 *
 * kbrt_record_end() says for how many calls this is, and returns the
 * recording's number, or fails if something was asked for in between that
 * cannot be recorded; kbrt_record_drop() gives up. There are no more than
 * KBRT_RECORDINGS_MAX, none is ever forgotten, and the memory that they
 * read and write, which is not ours, must stay.
 */
#define KBRT_RECORDINGS_MAX 16

int kbrt_record_begin(struct kbrt *rt, uint64_t stream, struct kb_err *err);
int kbrt_record_input(struct kbrt *rt, uint32_t call, uint32_t i,
		      uint64_t address, struct kb_err *err);
int kbrt_record_end(struct kbrt *rt, uint32_t call_count, struct kb_err *err);
void kbrt_record_drop(struct kbrt *rt);

/*
 * Queue the generation of the request's inputs from its seed, in its mapped
 * slots. Each kbrt_replay() fills as many slots as the recording has calls, and
 * no more than there are. Repeat it until all slots are filled.
 */
int kbrt_replay_begin(struct kbrt *rt, struct kb_err *err);
int kbrt_replay(struct kbrt *rt, uint32_t recording, struct kb_err *err);

/* Copy the state to the device, after kbrt_load() or kbrt_publish();
 * kbrt_state_on_device() is where an entry's data is, aligned likewise. */
int kbrt_state_to_device(struct kbrt *rt, struct kb_err *err);
void *kbrt_state_on_device(const struct kbrt *rt, uint32_t i);

/* Map what came with a POOL. */
int kbrt_pool_map(struct kbrt *rt, struct kb_err *err);

/*
 * Parts of the mapped pool, which is the process's: NULL if there is none
 * or it has no such gap. The signatures are those that torch wants of an
 * allocator; sizes are known, device and stream do not matter. May be
 * called by any thread.
 */
void *kbrt_pool_alloc(size_t bytes, int device, void *stream);
void kbrt_pool_free(void *p, size_t bytes, int device, void *stream);

/*
 * Say in the table where output `i` of a slot of the request is: at an
 * address, which must be that of `bytes` in the pool, or in the slot's own
 * tensor. Without bytes any address will do. Returns whether it was said;
 * the second does nothing before kbrt_pool_map().
 */
bool kbrt_output_at(struct kbrt *rt, uint32_t slot, uint32_t i,
		    uint64_t address, uint64_t bytes);
void kbrt_output_in_slot(struct kbrt *rt, uint32_t slot, uint32_t i);

/* The gate of KB_GATE_STREAM, queued: what follows waits for the `go` of
 * the request; what came before is done. A reference that is asked for no
 * calls has one small kernel in between. */
int kbrt_stream_gate_wait(struct kbrt *rt, struct kb_err *err);
int kbrt_stream_gate_done(struct kbrt *rt, struct kb_err *err);

/* Wait until the device has done all that was asked of it; what code has
 * done wrong there shows here. */
int kbrt_device_sync(struct kbrt *rt, struct kb_err *err);

/*
 * The kernels of the request's call, counted by CUPTI. With 1 the call is to be
 * made and waited for, and then kbrt_kernels_end() writes the report. With 0 the
 * report is written already and says why nothing can be counted, which is no
 * failure. kbrt_kernels_drop() gives up, and is fine after the end.
 */
int kbrt_kernels_begin(struct kbrt *rt, struct kb_err *err);
int kbrt_kernels_end(struct kbrt *rt, struct kb_err *err);
void kbrt_kernels_drop(struct kbrt *rt);

/* --- the gate ------------------------------------------------------- */

/* Sleep until the supervisor opens the gate for the current RUN. Fails with
 * KB_ERR_CORRUPT when it has closed the channel instead, as it does by
 * dying. */
int kbrt_gate_wait(struct kbrt *rt, struct kb_err *err);

/* Say whether a compiler is at work in this process; for any thread. */
void kbrt_compiling(struct kbrt *rt, bool is_at_work);

/* The calls are done, and their stores visible. After a failed call the second
 * sets the words of all ranks. */
void kbrt_gate_done(struct kbrt *rt);
void kbrt_gate_failed(struct kbrt *rt);

/* Sleep until the supervisor has looked and lets us go. Fails likewise. */
int kbrt_gate_wait_release(struct kbrt *rt, struct kb_err *err);

#endif
