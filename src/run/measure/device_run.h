#ifndef KB_MEASURE_DEVICE_RUN_H
#define KB_MEASURE_DEVICE_RUN_H

#include "device/nvml.h"
#include "measure/bench_state.h"
#include "measure/output_errors.h"
#include "measure/spans.h"

/*
 * One run on a CUDA device: n calls of the reference or of the candidate,
 * timed as a whole and verified in full.
 *
 *	1. A seed is derived. The reference makes the inputs of all calls in
 *	   the master slots, and computes from these what is expected, in
 *	   memory of its own. No candidate's process maps either. A run of the
 *	   reference may use those of the candidate's run before it.
 *	2. The side queues its calls: by the device clock behind a stream gate,
 *	   a wait of the stream for a word of the control page; by the call
 *	   clock its thread stands before the first call and watches the same
 *	   word. Then it is stopped, or, by the call clock, does nothing else.
 *	3. All memory in which outputs can lie is filled with a pattern.
 *	4. The first chain is submitted to one stream of the supervisor: empty
 *	   the L2 cache, record an event, fill words at random places of the
 *	   outputs anew, copy the inputs in, empty the cache again, write the
 *	   gate word. Contexts of different processes take turns on a device,
 *	   in time slices; so nothing of the candidate computes between its
 *	   first sight of an input and the gate.
 *	5. The second chain is submitted at once, and the device holds it back
 *	   for a word: the mark, an event, and behind them, in the same time
 *	   slice, the comparison of every element with what is expected, in an
 *	   order that is drawn anew. When the device has written `done` that
 *	   word is set. Nothing is left to submit then, so who says `done`
 *	   before it is so gains nothing by that.
 *	6. Guards and inputs are checked. Only then the side's process goes on.
 *
 * The time of a run is that between the two events, which are the
 * supervisor's. So it begins before the inputs are where a candidate can see
 * them, and ends with what is compared. It holds the first chain, whose own
 * cost is taken off (kb_cuda_chain_cost()), and two switches of context, which
 * cancel in slopes and in differences between two sides. It does not hold how
 * long the device takes to get to the first chain: calls of several streams
 * that wait for each other behind the gate keep it until their time slice is
 * over (2 ms on an H200), and there is nothing yet that they could work on.
 */

enum kb_run_clock {
	KB_RUN_DEVICE,			/* the gate is on the stream */
	KB_RUN_CALL,			/* it is in the side's thread: queueing
					   counts */
	KB_RUN_UNGATED,			/* no gate and no chain: a warm-up */
};

/* One of the two sides, ready to run. */
struct kb_device_side {
	struct kb_worker *worker;
	const struct kb_output_pool *pool;	/* its output pool */
	bool outputs_in_slots;		/* native code */
	uint64_t gate_word;		/* of its control page, as the device
					   sees it */
	uint32_t slots_sent;		/* that it knows */
	struct kb_spans filled;		/* of its output pool, before a run by
					   the call clock */
};

struct kb_device_run {
	/* asked */
	enum kb_run_clock clock;
	uint32_t n;
	bool alternate;			/* on alternate inputs? */
	bool may_reuse;			/* inputs that were made before, if
					   there are as many: their seed then
					   replaces that below */
	bool repeats;			/* the seed is that of an earlier run, and
					   the runtime's own generator gets
					   another */
	bool warm;			/* one ungated run before, so that its
					   thread has just launched something */
	uint8_t seed[KB_SEED_BYTES];
	int64_t queue_patience_ns;	/* for queueing behind the stream gate */
	int64_t patience_ns;		/* for being done */

	/* answered */
	bool timed;			/* false: it cannot be queued */
	const char *why_not;		/* static text, if it is not */
	bool is_void;			/* tells nothing: do it again */
	bool is_paused;			/* so, since we were paused */
	bool is_late;			/* so, since the comparison could not
					   be enqueued in time */
	int64_t elapsed_ns;		/* of the whole batch, if it is timed;
					   of an ungated run, asking included */
	bool sampled;			/* was the device asked how it is? */
	struct kb_nvml_sample sample;	/* right after the clock, if it was */
	struct kb_output_error *errors;	/* one an output; owned */
	struct kb_wrong wrong;
};

void kb_device_run_release(struct kb_device_run *r);

/*
 * Returns 1 if the side did as asked and nothing but its values may be wrong,
 * which has been looked at only if the run is `timed` or ungated; 0 if one of
 * the two failed, as `fault` says; or fails. The slots must be there.
 */
int kb_device_run_make(struct kb_bench *b, struct kb_device_side *s,
		       struct kb_device_run *r, struct kb_fault *fault,
		       struct kb_err *err);

static inline void kb_cleanup_device_run(struct kb_device_run *r)
{
	kb_device_run_release(r);
}

#endif
