#ifndef KB_MEASURE_BENCH_H
#define KB_MEASURE_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "measure/policy.h"
#include "measure/remedy.h"
#include "worker/device_slots.h"
#include "worker/launch.h"
#include "worker/slots.h"

struct kb_cuda;
struct kb_err;
struct kb_nvml;

/*
 * One problem on the bench: its reference, running, and the slots in
 * which reference and candidates take turns.
 *
 * A trial is one timed request of n calls, and is verified in full. Its
 * order is what makes it worth something:
 *
 *	1. the candidate is asked to run n slots and stands at the gate,
 *	   stopped;
 *	2. only now a seed is drawn and the reference makes the inputs;
 *	3. outputs are poisoned, guards set, inputs hashed;
 *	4. clock; the gate opens and the candidate runs; when it says that
 *	   it is done everything of it is stopped; clock;
 *	5. the outputs are copied away; the candidate says how it went and
 *	   is stopped; guards and inputs are checked;
 *	6. only now the reference computes what they should have been, in
 *	   the same slots, timed in the same way;
 *	7. copy and slots are compared, every element, and the slots'
 *	   outputs overwritten.
 *
 * Trials on remedy inputs are the same but for step 2, where the reference
 * is asked for those, and their times, which nobody keeps; measure/remedy.h
 * says when they are.
 *
 * So the candidate never runs while there are inputs that it is not being
 * timed on, or outputs that it is not being judged by.
 *
 * On a CUDA device a stopped process does not stop its kernels. There, what
 * candidates must not see or touch is in memory that they do not have, and
 * the order is that of measure/device_turn.h.
 */

/* The CUDA device that a bench is on. */
struct kb_gpu {
	struct kb_cuda *cuda;
	struct kb_nvml *nvml;		/* NULL: nobody says how it feels */
};

struct kb_bench {
	struct kb_launcher *launcher;		/* borrowed */
	const struct kb_policy *policy;		/* borrowed */
	const struct kb_gpu *gpu;		/* borrowed; NULL: the CPU */
	struct kb_source problem;		/* borrowed */
	struct kb_launched reference;
	int plan_fd;
	int state_fd;
	struct kb_plan plan;
	struct kb_slots slots;
	uint8_t *snapshot;		/* outputs of a batch, slot by slot */
	uint64_t snapshot_bytes;
	uint8_t weights_seed[KB_SEED_BYTES];
	bool modifies_inputs;		/* the reference does it, so may all */
	struct kb_oracle *oracle;	/* owned; NULL: no output is of floats */
	struct kb_oracle *remedy_oracle;	/* the same on remedy inputs,
						   if that decides, or NULL */

	/* on a CUDA device, instead of slots and snapshot */
	struct kb_device_slots device_slots;
	struct kb_heap heap;		/* the reference's */
	uint32_t slots_sent;		/* to the reference */
	int64_t plain_ns;		/* a call of it, at most */
	uint64_t heap_peak_bytes;	/* likewise; see device_course.h */
	bool gate_known;		/* the next two are: */
	struct kb_batches batches;	/* of it, behind a gate */
	const char *no_gate;		/* why there can be none, or NULL */
};

#define KB_BENCH_INIT { .reference = KB_LAUNCHED_INIT, .plan_fd = -1, \
			.state_fd = -1, .slots = KB_SLOTS_INIT, \
			.device_slots = KB_DEVICE_SLOTS_INIT, \
			.heap = KB_HEAP_INIT }

/*
 * Start the reference, learn the problem's shape from it and how far it is
 * from float64; `gpu` is NULL for the CPU. Returns 1; 0 if the reference
 * cannot be loaded (then `outcome` says how and the bench may be closed); or
 * fails with KB_ERR_SYS, KB_ERR_MISSING, KB_ERR_INTERRUPTED.
 */
int kb_bench_open(struct kb_bench *b, struct kb_launcher *launcher,
		  const struct kb_policy *policy, const struct kb_gpu *gpu,
		  const struct kb_source *problem, struct kb_outcome *outcome,
		  struct kb_err *err);
void kb_bench_close(struct kb_bench *b);

/* How far a candidate's output may be from the reference's, on the problem's
 * own inputs or on remedy inputs. */
struct kb_error_limits kb_bench_limits(const struct kb_bench *b,
				       uint32_t output, bool remedied);

/* The same of the reference, when it is timed. */
struct kb_error_limits kb_bench_reference_limits(const struct kb_bench *b,
						 uint32_t output,
						 bool remedied);

/* Are candidates to be tried on remedy inputs? */
bool kb_bench_has_remedy(const struct kb_bench *b);

/* Which rounds of one clock are on remedy inputs; none of a reference alone.
 * Fails with KB_ERR_SYS. */
int kb_bench_draw_rounds(const struct kb_bench *b, bool has_candidate,
			 struct kb_remedy_rounds *rounds, struct kb_err *err);

/*
 * Judge and time one candidate: everything of `r` but key, sample_id and
 * digest. Returns 1; 0 if the reference failed, after which the bench must
 * be closed (`r` then has KB_STATUS_REFERENCE_FAILED); or fails as above,
 * then `r` is to be dropped.
 */
int kb_bench_candidate(struct kb_bench *b, const struct kb_source *candidate,
		       struct kb_result *r, struct kb_err *err);

/* The same of whether it is correct alone: its trials are the verified ones
 * that warm it up, and neither it nor the reference gets a time. */
int kb_bench_verify(struct kb_bench *b, const struct kb_source *candidate,
		    struct kb_result *r, struct kb_err *err);

/* Time the reference itself: everything of `r` but key and mode. Returns
 * and fails as above. */
int kb_bench_reference(struct kb_bench *b, struct kb_reference_result *r,
		       struct kb_err *err);

static inline void kb_cleanup_bench(struct kb_bench *b)
{
	kb_bench_close(b);
}

#endif
