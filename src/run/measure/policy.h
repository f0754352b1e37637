#ifndef KB_MEASURE_POLICY_H
#define KB_MEASURE_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "device/tolerance.h"
#include "manifest/seeds.h"

struct kb_json;

/*
 * How one problem is measured; recorded with every result. The sizes of
 * batches are chosen so that the calls in which a large batch exceeds a
 * small one take at least `batch_min_ns`, as far as the limits allow.
 */
struct kb_policy {
	const struct kb_tolerance_policy *tolerance;
	int64_t trials;			/* of each batch size */
	int64_t alternate_trials;	/* at least; on alternate inputs, and
					   not counted */
	bool accepts_in_place;		/* a candidate may overwrite its inputs,
					   also where the reference does not */
	bool keeps_own_weights;		/* a torch candidate is not given the
					   reference's */
	int64_t weights_seed;		/* modules are built under it */
	struct kb_seeds seeds;		/* of weights, under each of which a
					   candidate must be correct; the first
					   is weights_seed. Empty: that alone */
	int64_t batch_min_ns;
	int64_t batch_calls_max;	/* calls in a large batch, at most */
	uint64_t tensor_bytes_max;	/* of slots and snapshots together */

	/* Of candidates, see measure/stopping.h: so many times as slow as its
	 * reference is too slow to be known well, and such a call that takes
	 * longer than slow_call_ns is ended. The first 0: by the rules before
	 * there were these, and so is the second. */
	int64_t slow_factor;
	int64_t slow_call_ns;

	/* On a CUDA device; elsewhere all 0. `trials` are then the fewest of
	 * each clock. */
	int64_t trials_max;
	int64_t interval_ppm;		/* stop when the 95 % interval of the
					   slope is no wider */
	int64_t budget_ns;		/* for the trials of one result by the
					   clock that counts; the call clock
					   beside it has a tenth */
	uint64_t pool_bytes;		/* of each of two pools */
	bool by_device_alone;		/* no times by calls, but of who has none
					   by the device */

	bool is_quick;			/* by kb_policy_quicken(); not recorded,
					   as the next */
	uint32_t others;		/* candidates on the same device that are
					   screened at the same time */
};

/* How long batches are and how many calls they have, which no option changes.
 * On the CPU what a run costs without calls, and how much that changes, is small
 * beside it. On a GPU short calls need many to make a batch that is long beside
 * the clock's few microseconds of noise. */
#define KB_HOST_BATCH_MIN_NS INT64_C(8000000)
#define KB_HOST_BATCH_CALLS_MAX 96
#define KB_BATCH_MIN_NS INT64_C(2000000)
#define KB_BATCH_CALLS_MAX 384

/*
 * Runs of one call of a candidate, and as many of the reference beside it: the
 * fewest and the most, on the CPU and on a GPU. Below 11 their median has no
 * interval at 99.9 %, and nothing is decided by them.
 */
#define KB_HOST_ONE_CALLS_MIN 11
#define KB_HOST_ONE_CALLS_MAX 31
#define KB_ONE_CALL_PAIRS_MIN 12
#define KB_ONE_CALL_PAIRS_MAX 48

/* On a GPU, runs of one call of the reference with no candidate alive: before
 * there is one, and as many when it is gone. */
#define KB_CONTROL_ONE_CALLS_MIN 4
#define KB_CONTROL_ONE_CALLS_MAX 8

/* Calls in the two batches. Where no two calls fit a batch of one is compared
 * with one of none. */
struct kb_batches {
	uint32_t small;
	uint32_t large;
};

/*
 * Choose from what one call takes (`call_ns`, an estimate that includes
 * the cost of the gate) and what one slot takes (`slot_bytes`, snapshot
 * included). One slot is always allowed.
 */
struct kb_batches kb_policy_batches(const struct kb_policy *policy,
				    int64_t call_ns, uint64_t slot_bytes);

/*
 * For whoever wants a verdict that is as sure and a time that is less so: fewer
 * trials, a wider interval to stop at, and on a GPU its own clock alone. The
 * reference's error against float64 is taken only if the tolerance is a multiple of
 * it. What a candidate has to do to be correct is the same. `p` is `asked`, or was made
 * from that before; without `quick` it becomes that again.
 */
#define KB_QUICK_TRIALS 7			/* the fewest with an interval at 97.5 % */
#define KB_QUICK_INTERVAL_PPM 20000

void kb_policy_quicken(struct kb_policy *p, const struct kb_policy *asked,
		       bool quick);

/* As recorded: flat, integers and strings. */
struct kb_json *kb_policy_to_json(const struct kb_policy *policy);

#endif
