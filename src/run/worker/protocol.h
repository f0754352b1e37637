#ifndef KB_WORKER_PROTOCOL_H
#define KB_WORKER_PROTOCOL_H

#include <stdint.h>

#include "base/dtype.h"
#include "cuda/kernel_counters.h"

/*
 * The messages between the supervisor and a worker.
 *
 * A worker is a program that runs one reference or one candidate. It is
 * started with the channel, a SOCK_SEQPACKET socket, as descriptor
 * KB_CHANNEL_FD, and learns everything else through it. The supervisor
 * sends struct kb_request, with descriptors attached where the operation
 * says so; the worker answers each with exactly one struct kb_ack. Both
 * are plain memory of fixed size, host byte order: the two ends are on one
 * machine and built together. An ack that does not carry the request's
 * nonce and operation, or is of any other size, is a protocol violation
 * and ends the worker.
 *
 * Tensors are never in messages, but in sealed memfds, each of one or more
 * slots, one after the other. A slot is one set of inputs and outputs for one
 * call, one after the other; each of them is KB_GUARD_BYTES, the elements in C
 * order, padding to a multiple of KB_GUARD_BYTES, KB_GUARD_BYTES.
 *
 * Life of a worker:
 *
 *	LOAD	   fds: control page, plan, state[, program]. Load the
 *		   code; a reference then fills in plan and state, a
 *		   candidate takes them as they are.
 *	SLOT	   fds: memory of `slot_count` slots from `first_slot` on. Map
 *		   it.
 *	GENERATE   (reference) draw new inputs for `slot_count` slots from
 *		   `first_slot` on, the i-th of them with stream `i` of `seed`;
 *		   if `alternate`, changed as its command line says.
 *	RUN	   make ready to run the slots; ack KB_ACK_OK ("queued");
 *		   wait until the control page's `go` equals `go`; run one
 *		   call a slot; store `go` in `done`; wait until `go`
 *		   changes again; then send a second ack: how it went.
 *		   A call that fails ends the run: `done` is stored at once.
 *	FP64_ERROR (reference) fds: report, a memory file of one struct
 *		   kb_fp64_error_report. Draw inputs for `slot_count` calls, the
 *		   i-th of them with stream `i` of `seed`, changed likewise
 *		   if `alternate`, make each call as it is written and once
 *		   more in float64, and write how far apart they are, or why
 *		   that cannot be said. Slots are not touched, nor anything
 *		   that a later call sees.
 *	TRY	   (in a screen) make one call on inputs drawn with stream 0 of
 *		   `seed`, none of them in a slot.
 *
 * In a screen, reference and candidate of the torch runtime are one worker, whose
 * word counts against the candidate only. It is asked to LOAD and to TRY by `side`:
 * as the reference, which fills in plan and state, and then as the candidate.
 *
 * `go` and `done` are on a page that both processes map. The second wait
 * lets the supervisor stop the clock and look at the outputs before the
 * worker does anything else. `done` is a futex. Who waits for `go` sleeps on
 * another, `wakes`, which the supervisor increments before it wakes: when
 * `go` has changed, and when a device is about to change it, which wakes
 * nobody. A worker that is stopped in its sleep goes back to it when it is
 * continued, unless the word that it sleeps on has changed since. `compiles` is
 * the worker's: not 0 while a compiler that is no process of its own is at work,
 * as far as the runtime sees. `seed` is the run's behind
 * KB_GATE_HOST, as a number, written before `go`: no call can draw from it before
 * the gate is open. The request has zeros in its place.
 *
 * On a CUDA device (the worker is told on its command line) tensors are
 * allocations of the supervisor that the worker imports, each of
 * kb_tensor_file_bytes() and up to the next multiple of KB_PAGE_BYTES, and
 * three things are different:
 *
 *	POOL	   fds: the output pool, a table. Sent once, after LOAD. The
 *		   pool is one allocation of `bytes`. What a call returns is
 *		   left where it is made, if that is in the pool; the table, a
 *		   memory file of KB_TABLE_BYTES, says where: word
 *		   [slot][output] is the output's offset in the pool, or
 *		   KB_IN_SLOT if it was written to the slot's own output
 *		   tensor. Outputs stay as they are until the next request
 *		   for the same slots. Word KB_TABLE_PEAK is the most bytes of
 *		   the pool that were ever taken at a time.
 *	SLOT	   of one slot. fds: its inputs; outputs too if the runtime is
 *		   native.
 *	RUN	   `gate` says where the gate is. KB_GATE_HOST: as above, but
 *		   `done` is written by the device when it gets there.
 *		   KB_GATE_STREAM: the device waits until `go` is that of the
 *		   request, all calls are queued behind that, and the device
 *		   writes `done`; then KB_ACK_OK ("queued"); when `go` changes
 *		   again, wait for the device and send the second ack.
 *		   KB_GATE_NONE: run the calls, wait for the device, send the
 *		   only ack.
 *	KERNELS	   fds: report, a memory file of one struct kb_kernels_report. Run
 *		   one call on slot `first_slot` behind KB_GATE_NONE while CUPTI
 *		   counts its kernels, and write what it counted, or why it
 *		   could not. The report is written by the code's process, so
 *		   it is what that says.
 *
 * With any gate, a first ack that is not KB_ACK_OK ends the run: there is
 * no second, and calls that were queued are the supervisor's to let go.
 *
 * A reference has a second set of slots, from KB_MASTER_SLOT on, which no
 * candidate ever sees.
 *
 * What `alternate` inputs are a reference has from its command line:
 *
 *	--alternate INPUT:SCALE:SHIFT[,...]
 *
 * Elements x of input number INPUT, from 0, become SCALE * x + SHIFT, which
 * are decimals. Candidates are not told that there is such a thing.
 */

/*
 * A group is the ranks of one problem or candidate, processes that call each other
 * through torch.distributed. The supervisor sees one worker. Its first process
 * leads: it starts the ranks and passes every request to each. It answers when
 * the last rank has answered or the first has failed.
 *
 *	- Descriptors are the ranks' shares in turn, after the control page of a
 *	  LOAD. So each rank has a plan, a state and slots.
 *	- Each rank draws its inputs from a seed derived by KB_SEED_RANK. All other
 *	  seeds are common.
 *	- Each rank has a word `done`. A rank that fails stores all of them.
 *	- When a rank ends, the leader ends in the same way.
 */
#define KB_RANKS_MAX 8

#define KB_CHANNEL_FD 3

/* Neither has to be a page, which has 64 KiB on some hosts: files are mapped from
 * their beginning, the kernel rounds a mapping up, and a guard is looked at and
 * not protected. */
#define KB_GUARD_BYTES 4096
#define KB_CONTROL_BYTES 4096

/* The page of device memory, and of exported device memory. */
#define KB_PAGE_BYTES ((uint64_t)2 << 20)

#define KB_MASTER_SLOT 1024		/* and so many slots at most */
#define KB_TABLE_PEAK ((uint64_t)2 * KB_MASTER_SLOT * KB_OUTPUTS_MAX)
#define KB_TABLE_BYTES ((KB_TABLE_PEAK + 1) * sizeof(uint64_t))
#define KB_IN_SLOT UINT64_MAX

/* Of a process; and of all ranks together, so many that their descriptors go into
 * one message, which has at most 253 (SCM_MAX_FD of Linux). */
#define KB_INPUTS_MAX 32
#define KB_OUTPUTS_MAX 32
#define KB_GROUP_INPUTS_MAX 64
#define KB_GROUP_OUTPUTS_MAX 64
#define KB_DIMS_MAX 8

/* Not a tensor but a Python number (or a C scalar): one element, ndim 0,
 * of type float64, int64 or bool. */
#define KB_TENSOR_IS_SCALAR 1u

struct kb_tensor_spec {
	uint32_t dtype;		/* enum kb_dtype */
	uint32_t ndim;
	uint32_t flags;
	uint32_t reserved;	/* 0 */
	uint64_t dims[KB_DIMS_MAX];
};

/* The shape of the problem's calls, written by the reference. */
struct kb_plan {
	uint32_t version;	/* KB_PLAN_VERSION */
	uint32_t input_count;
	uint32_t output_count;
	uint32_t ranks;		/* 0 in a file: one */
	struct kb_tensor_spec inputs[KB_GROUP_INPUTS_MAX];
	struct kb_tensor_spec outputs[KB_GROUP_OUTPUTS_MAX];
};

#define KB_PLAN_VERSION 1

/* Larger than any machine's memory, small enough to add without care. */
#define KB_TENSOR_BYTES_MAX (UINT64_C(1) << 46)

/* The bytes of all elements; UINT64_MAX for a spec that makes no sense or
 * exceeds KB_TENSOR_BYTES_MAX. */
static inline uint64_t kb_tensor_bytes(const struct kb_tensor_spec *spec)
{
	uint64_t bytes;

	if (!kb_dtype_is_valid(spec->dtype) || spec->ndim > KB_DIMS_MAX)
		return UINT64_MAX;
	bytes = kb_dtype_size_bytes((enum kb_dtype)spec->dtype);
	for (uint32_t i = 0; i < spec->ndim; i++)
		if (__builtin_mul_overflow(bytes, spec->dims[i], &bytes))
			return UINT64_MAX;
	return bytes <= KB_TENSOR_BYTES_MAX ? bytes : UINT64_MAX;
}

/* The bytes of a memfd that a tensor of `bytes` takes, guards included. */
static inline uint64_t kb_tensor_file_bytes(uint64_t bytes)
{
	const uint64_t guard = KB_GUARD_BYTES;

	return guard + (bytes + guard - 1) / guard * guard + guard;
}

/*
 * The module's parameters and buffers, in the reference's order. The
 * state memfd holds this header, `count` entries and the data. The
 * reference grows it as needed; the supervisor then seals it for good.
 *
 * An entry whose name starts with KB_STATE_NOTE is no parameter but a note
 * from a reference to candidates of the same runtime; others pass it over.
 * The torch runtime's note "#inputs" is JSON: how the flat list of inputs
 * nests in the call's arguments (see kb_torch_calls.py); "#strides" those of each
 * input, or null, where one is dense in another order than its dimensions'; and
 * "#kept" what is put back before each run (see kb_torch_state.py).
 */
#define KB_STATE_NOTE '#'
#define KB_STATE_MAGIC 0x7473626bu	/* "kbst" */
#define KB_STATE_NAME_BYTES 192		/* with the NUL */
#define KB_STATE_ALIGN_BYTES 64

struct kb_state_header {
	uint32_t magic;
	uint32_t count;
	uint64_t bytes;		/* of the whole state */
};

struct kb_state_entry {
	char name[KB_STATE_NAME_BYTES];
	struct kb_tensor_spec spec;
	uint64_t offset_bytes;	/* from the start of the state */
};

/*
 * How far an output of the reference is from what float64 gives, the worst of
 * all calls: the largest |b - o| and the root mean square of b - o, b being
 * the reference's and o float64's, and the same two of b. Elements that are
 * not finite in one of the two add nothing.
 */
struct kb_fp64_error_entry {
	uint32_t is_float;	/* 0: integers, and no more to say */
	uint32_t reserved;	/* 0 */
	double max_abs_error;
	double rms_error;
	double max_abs;
	double rms;
};

#define KB_FP64_ERROR_WHY_BYTES 192		/* with the NUL */

struct kb_fp64_error_report {
	uint32_t version;	/* KB_FP64_ERROR_VERSION */
	uint32_t output_count;	/* 0: unavailable */
	char why[KB_FP64_ERROR_WHY_BYTES];	/* if it is; else empty */
	struct kb_fp64_error_entry outputs[KB_OUTPUTS_MAX];
};

#define KB_FP64_ERROR_VERSION 1

/* A kernel of a call, by its name: what all of its launches come to. What was
 * not counted is KB_NOT_COUNTED. */
#define KB_KERNEL_NAME_BYTES 256		/* with the NUL; cut to that */
#define KB_NOT_COUNTED UINT64_MAX

struct kb_kernel_entry {
	char name[KB_KERNEL_NAME_BYTES];
	uint64_t launch_count;
	uint64_t counters[KB_KERNEL_COUNTER_COUNT];	/* sums; of shares the
							   mean over time */
};

#define KB_KERNELS_MAX 128
#define KB_KERNELS_WHY_BYTES 512		/* with the NUL */
#define KB_KERNELS_CHIP_BYTES 32		/* likewise */

struct kb_kernels_report {
	uint32_t version;	/* KB_KERNELS_VERSION */
	uint32_t cupti_version;	/* as cuptiGetVersion() has it */
	uint32_t pass_count;	/* in which each kernel was run */
	uint32_t kernel_count;	/* 0: none was launched, or `why` */
	uint64_t left_out_count;	/* launches that are in no entry */
	char chip[KB_KERNELS_CHIP_BYTES];
	char why[KB_KERNELS_WHY_BYTES];	/* nothing was counted; else empty */
	struct kb_kernel_entry kernels[KB_KERNELS_MAX];
};

#define KB_KERNELS_VERSION 1

struct kb_control {
	_Alignas(64) uint32_t go;
	_Alignas(64) uint32_t done;
	_Alignas(64) uint32_t wakes;
	_Alignas(64) uint32_t compiles;
	_Alignas(64) uint64_t seed;
	struct {
		_Alignas(64) uint32_t done;
	} further[KB_RANKS_MAX - 1];	/* of ranks 1 and up */
};

static inline uint32_t *kb_control_word(struct kb_control *c, uint32_t rank)
{
	return rank ? &c->further[rank - 1].done : &c->done;
}

enum kb_op {
	KB_OP_LOAD = 1,
	KB_OP_SLOT,
	KB_OP_GENERATE,
	KB_OP_RUN,
	KB_OP_POOL,
	KB_OP_FP64_ERROR,
	KB_OP_KERNELS,
	KB_OP_TRY,
};

enum kb_gate {
	KB_GATE_HOST = 0,
	KB_GATE_STREAM,
	KB_GATE_NONE,
};

/* Whose worker, run, time or fault something is. */
enum kb_side {
	KB_SIDE_REFERENCE,
	KB_SIDE_CANDIDATE,
	KB_SIDE_COUNT,			/* not a side */
};

#define KB_SEED_BYTES 32

struct kb_request {
	uint64_t nonce;
	uint32_t op;
	uint32_t side;			/* LOAD, TRY: enum kb_side */
	uint32_t first_slot;		/* SLOT, GENERATE, RUN, KERNELS */
	uint32_t slot_count;		/* SLOT, GENERATE, RUN, KERNELS;
					   FP64_ERROR: calls */
	uint32_t go;			/* RUN */
	uint32_t gate;			/* RUN, KERNELS: enum kb_gate */
	uint32_t alternate;		/* GENERATE, FP64_ERROR: 0 or 1 */
	uint32_t reserved;		/* 0 */
	uint64_t bytes;			/* POOL */
	uint8_t seed[KB_SEED_BYTES];	/* LOAD: weights; GENERATE, FP64_ERROR,
					   TRY: inputs; RUN, KERNELS: the runtime's
					   own generator */
};

/*
 * How it went, as the worker says. Anything but KB_ACK_OK counts against
 * the worker's own code, so it is believed.
 */
enum kb_ack_code {
	KB_ACK_OK = 0,
	KB_ACK_BUILD_FAILED,	/* LOAD, RUN: a compiler run by the code failed */
	KB_ACK_LOAD_FAILED,	/* LOAD: no ModelNew, an exception, ... */
	KB_ACK_RUN_FAILED,	/* GENERATE, RUN: it raised or returned an error */
	KB_ACK_WRONG_SHAPE,	/* GENERATE, RUN: number of tensors or a shape */
	KB_ACK_WRONG_DTYPE,	/* GENERATE, RUN */
	KB_ACK_NO_MEMORY,	/* any: an allocation failed */
	KB_ACK_UNSUPPORTED,	/* LOAD: the plan cannot be expressed */
	KB_ACK_NO_GATE,		/* RUN: not behind a gate on the stream; the
				   worker is as it was */
	KB_ACK_DIFFERS,		/* TRY: not the reference's outputs */
	KB_ACK_CODE_COUNT,	/* not a code */
};

struct kb_ack {
	uint64_t nonce;
	uint32_t op;
	uint32_t code;		/* enum kb_ack_code */
};

#endif
