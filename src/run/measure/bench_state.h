#ifndef KB_MEASURE_BENCH_STATE_H
#define KB_MEASURE_BENCH_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "manifest/outcome.h"
#include "measure/policy.h"
#include "measure/alternate.h"
#include "worker/launch.h"
#include "worker/output_pool.h"
#include "worker/slots.h"

struct kb_cuda;
struct kb_device_profile;
struct kb_err;
struct kb_nvml;
struct kb_xids;

/*
 * The state of a bench, and what follows from it alone: what the way of the
 * CPU (measure/host_bench.h) and that of a CUDA device
 * (measure/device_bench.h) have in common. measure/bench.h says what a bench
 * is.
 */

/* Runs of one measurement that are made again because there was a pause: so many,
 * and then they count as they are. A candidate cannot bring one about that we know
 * of, and could choose among no more. */
#define KB_PAUSED_RUNS_MAX 20

/* The CUDA device that a bench is on. */
struct kb_gpu {
	struct kb_cuda *cuda;
	struct kb_nvml *nvml;		/* NULL: clocks and temperatures
					   are not known */
	struct kb_xids *xids;		/* NULL: no errors are reported */
};

/* The inputs in the master slots, which the reference and the supervisor alone
 * have mapped, and the outputs that are expected of them. */
struct kb_masters {
	uint32_t n;			/* calls; 0: nothing that can be used */
	bool alternate;
	bool spent;			/* not for another trial of the
					   reference: it has had one on them,
					   or they are of an older seed */
	uint8_t seed[KB_SEED_BYTES];
	uint64_t *expected;		/* addresses, [slot][output]; owned */
};

/* A copy of tensors, in memory that no worker maps. */
struct kb_host_copy {
	uint8_t *data;			/* owned */
	uint64_t bytes;			/* that there is room for */
};

struct kb_bench {
	struct kb_launcher *launcher;		/* borrowed */
	const struct kb_policy *policy;		/* borrowed */
	const struct kb_gpu *gpu;		/* borrowed; NULL: the CPU */
	struct kb_source problem;		/* borrowed */
	struct kb_launched reference;
	int of_ranks[2 * KB_RANKS_MAX];	/* each rank's plan and state */
	uint32_t of_ranks_count;
	struct kb_plan plan;			/* of all ranks together */
	uint8_t weights_seed[KB_SEED_BYTES];
	int64_t load_ns;		/* that the reference took to load */
	bool modifies_inputs;		/* the reference does it, in the runs
					   that warm it up: so may all */
	struct kb_fp64_error *fp64_error;	/* owned; NULL: no floats */
	bool has_omitted;		/* that error, which a quick policy
					   does not ask for */
	struct kb_fp64_error *alternate_fp64_error;	/* the same on alternate
						   inputs, if that decides,
						   or NULL */

	/* on the CPU */
	struct kb_slots slots[KB_SIDE_COUNT];	/* the candidate's, while
						   there is one */
	struct kb_host_copy inputs;	/* of both, of the run under way */
	struct kb_host_copy outputs;	/* the candidate's */

	/* on a CUDA device */
	struct kb_device_slots device_slots;
	struct kb_output_pool pool;		/* the reference's */
	uint32_t slots_sent;		/* to the reference */
	int64_t ungated_ns;		/* the reference's longest ungated
					   call */
	uint64_t pool_peak_bytes;	/* of a call of the reference */
	uint64_t pool_bytes[KB_SIDE_COUNT];	/* that the next pool is to
						   have; 0: measure/device_pools.h
						   knows */
	struct kb_masters masters;
	int64_t next_sample_ns;		/* not before then by NVML */
	bool batches_known;		/* the next three are: */
	int64_t call_ns;		/* estimate of the reference's device
					   time */
	struct kb_batches batches;	/* the reference's */
	const char *not_queueable;	/* why it has no batches, or NULL */
	struct kb_device_profile *profile;	/* of a candidate that is not
						   timed, or NULL; borrowed */
};

#define KB_BENCH_INIT { .reference = KB_LAUNCHED_INIT, \
			.device_slots = KB_DEVICE_SLOTS_INIT, \
			.pool = KB_OUTPUT_POOL_INIT }

/* How far a candidate's output may be from the reference's, on the problem's
 * own inputs or on alternate inputs. */
struct kb_error_limits kb_bench_limits(const struct kb_bench *b,
				       uint32_t output, bool alternate);

/* How far one run of the reference may be from another, when it is timed. */
struct kb_error_limits kb_bench_reference_limits(const struct kb_bench *b,
						 uint32_t output,
						 bool alternate);

/* Give a candidate, which has been started, its limits for loading and for all
 * that it will be asked (measure/stopping.h); and for a run of `n` calls, of which
 * its reference takes `reference_call_ns` for each; in a screen with less time for a
 * compiler at work, once it is loaded. */
void kb_bench_limit_candidate(const struct kb_bench *b, struct kb_worker *w,
			      enum kb_runtime runtime);
void kb_bench_limit_run(const struct kb_bench *b, struct kb_worker *w,
			int64_t reference_call_ns, uint32_t n);

/* May this side overwrite its inputs? Both may where the reference does, and
 * candidates where the policy accepts it. */
bool kb_bench_may_modify(const struct kb_bench *b, enum kb_side side);

/* Are candidates to be tried on alternate inputs? */
bool kb_bench_has_alternates(const struct kb_bench *b);

/* Choose which trials by one clock use alternate inputs. A reference that is
 * measured alone has none. Fails with KB_ERR_SYS. */
int kb_bench_draw_rounds(const struct kb_bench *b, bool has_candidate,
			 struct kb_alternate_rounds *rounds, struct kb_err *err);

#endif
