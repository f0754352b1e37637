#ifndef KB_MEASURE_DEVICE_TURN_H
#define KB_MEASURE_DEVICE_TURN_H

#include "device/nvml.h"
#include "manifest/output_error.h"
#include "measure/bench_state.h"
#include "measure/output_errors.h"
#include "worker/device_slots.h"

/*
 * Inside the bench, on a CUDA device: one timed request, verified in full.
 * Its order:
 *
 *	1. a seed is derived and the reference makes inputs in the master
 *	   slots;
 *	2. the subject queues n calls behind a closed gate, and is stopped:
 *	   from here to step 4 no code of it runs but on the device;
 *	3. guards and outputs get a pattern, the inputs are published, the L2
 *	   cache is emptied; clock; the gate opens; the device says that it
 *	   is done; our probe reads the outputs here and there; clock;
 *	4. the subject waits for the device and says how it went, and is
 *	   stopped for good;
 *	5. what the probe read is read again, guards are checked, and the
 *	   published inputs compared with the masters;
 *	6. only now the reference computes what is expected, from the
 *	   masters, and every element is compared.
 *
 * Masters and what is expected are in memory that no candidate's process
 * has ever mapped.
 */

/* Whose turn it is. */
struct kb_subject {
	struct kb_worker *worker;
	const struct kb_heap *heap;
	bool outputs_in_slots;		/* native code */
	uint32_t slots_sent;		/* to a candidate; see kb_bench */
};

enum kb_turn_clock {
	KB_TURN_DEVICE,			/* as above */
	KB_TURN_PUBLISHING,		/* started before the inputs are there */
	KB_TURN_CALL,			/* the gate is in the subject's thread:
					   queueing counts */
	KB_TURN_PLAIN,			/* no gate and no time: a warm-up */
};

struct kb_turn {
	/* asked */
	enum kb_turn_clock clock;
	uint32_t n;
	bool remedied;			/* on remedy inputs? */
	uint8_t seed[KB_SEED_BYTES];
	int64_t patience_ns;		/* for queueing, and for being done */

	/* answered */
	bool timed;			/* false: it cannot stay behind a gate */
	const char *why_not;		/* static text, if it is not */
	int64_t elapsed_ns;		/* of the whole batch, if it is; of a
					   plain turn, asking included */
	struct kb_nvml_sample sample;	/* taken right after the clock */
	struct kb_output_error *errors;	/* one an output; owned */
	struct kb_wrong wrong;
};

void kb_turn_release(struct kb_turn *t);

/*
 * Returns 1 if the subject did as asked and nothing but its values may be
 * wrong, which has been looked at only if it is `timed` or the turn plain;
 * 0 if one failed, as `fault` says; or fails. The slots must
 * be there.
 */
int kb_turn_run(struct kb_bench *b, const struct kb_subject *s,
		struct kb_turn *t, struct kb_fault *fault,
		struct kb_err *err);

static inline void kb_cleanup_turn(struct kb_turn *t)
{
	kb_turn_release(t);
}

#endif
