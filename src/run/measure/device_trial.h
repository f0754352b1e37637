#ifndef KB_MEASURE_DEVICE_TRIAL_H
#define KB_MEASURE_DEVICE_TRIAL_H

#include "manifest/device_timing.h"
#include "manifest/result.h"
#include "measure/device_run.h"

/*
 * The parts of a measurement on a CUDA device, of a candidate or of a reference
 * alone: slots, runs, which are repeated when they are void, and trials.
 * measure/device_measurement.h puts them in order.
 *
 * Functions that return an int return 1; 0 if a side failed, as `fault` of
 * the measurement says; or fail.
 */

/* One side of a measurement: how it is run, and its times. */
struct kb_measured {
	struct kb_device_side side;
	int64_t call_ns;		/* by the device clock, about; or 0 */
	struct kb_batches batches;	/* likewise */
	const char *not_queueable;	/* static text, or NULL */
	int64_t ungated_ns;		/* of a call, at most; for patience */
	uint32_t queued;		/* calls that have been queued at once,
					   at most; likewise */
	uint64_t pool_peak_bytes;	/* of a call, with what it returns */
	struct kb_device_timing *device;	/* owned until taken */
	struct kb_timing *call;		/* likewise */
};

/* The time of the chain of `n` calls alone. */
struct kb_chain_cost {
	uint32_t n;
	int64_t cost_ns;
};

#define KB_CHAIN_COSTS_MAX 16

struct kb_measurement {
	struct kb_bench *bench;
	struct kb_measured measured[KB_SIDE_COUNT];
	bool has_candidate;
	uint8_t seed[KB_SEED_BYTES];	/* that of run i derives from it */
	uint32_t runs;
	int paused_runs;		/* of these, that were made again */
	bool alternate;			/* what is under way is on alternate
					   inputs */
	struct kb_chain_cost costs[KB_CHAIN_COSTS_MAX];
	size_t cost_count;
	/* Runs of one call of the reference with no candidate alive, by
	 * clock; owned. */
	struct kb_timing *alone[KB_CLOCK_COUNT];
	struct kb_output_error *worst;	/* of the candidate; owned */
	struct kb_alternate_trials *alternates;	/* likewise; borrowed, or NULL */
	struct kb_fault fault;
};

/*
 * measure/device_attempt.c, which is all of it that touches the device:
 */

/* At least `count` slots, known to all that take part. */
int kb_measurement_need_slots(struct kb_measurement *m, uint32_t count,
			      struct kb_err *err);

/* How many calls a batch has at most, by the policy and because what compares them
 * must fit into one time slice; and how many for want of memory as well. At least
 * 1. */
uint32_t kb_bench_calls_max(const struct kb_bench *b);
uint32_t kb_measurement_calls_that_fit(const struct kb_measurement *m);

/* Two ungated runs of one call of the candidate on the same inputs: do they give
 * the same? */
int kb_measurement_repeat(struct kb_measurement *m, struct kb_err *err);

/*
 * One run of `n` calls, again if it was void or saw the device slow down.
 * `*elapsed_ns` receives its time, all of it, or KB_UNKNOWN if it has none,
 * and then `*why_not` a reason, static text.
 */
int kb_measurement_run(struct kb_measurement *m, enum kb_side side,
		       enum kb_run_clock clock, uint32_t n,
		       int64_t *elapsed_ns, const char **why_not,
		       struct kb_err *err);

/* The time of the chain of `n` calls alone, into `*cost_ns`: measured now, or
 * known from before. The slots must be there. Returns 1 or fails. */
int kb_measurement_chain_cost(struct kb_measurement *m, uint32_t n,
			      int64_t *cost_ns, struct kb_err *err);

/*
 * measure/device_trial.c:
 */

/* A timing without samples of one side, whose chains' costs are known. Returns
 * 1 or fails; the caller frees `*out`. */
int kb_measurement_new_timing(struct kb_measurement *m, enum kb_side side,
			      enum kb_clock clock, struct kb_batches n,
			      struct kb_timing **out, struct kb_err *err);

/*
 * A trial: a run of a small batch and one of a large one, both or none added
 * to `t`, less the costs of their chains. If the side cannot be queued after
 * all, its `not_queueable` is set.
 */
int kb_measurement_trial(struct kb_measurement *m, enum kb_side side,
			 struct kb_timing *t, struct kb_err *err);

/* A run of one call, or of none if the timing says so, added to series
 * `series` of `t`; likewise. */
int kb_measurement_one_call(struct kb_measurement *m, enum kb_side side,
			    enum kb_series series, struct kb_timing *t,
			    struct kb_err *err);

#endif
