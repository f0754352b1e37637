#ifndef KB_VERIFY_CEILING_H
#define KB_VERIFY_CEILING_H

#include <stdint.h>

#include "manifest/tensor_facts.h"

struct kb_conditions;
struct kb_peak;
struct kb_problem_facts;

/*
 * How near a time is to the best that the device could have done, at the clock
 * that the device had meanwhile.
 *
 * The bound of a time is what the device needs at least for the problem as its
 * suite states it, the longer of two:
 *
 *	arithmetic	flops of the facts, by what all SMs do in a cycle (the
 *			type that is fastest, verify/peaks.h) and the SM clock.
 *			SMs do so much a cycle and no more, so that the rate
 *			follows their clock, which the driver moves all the time
 *	memory		bytes_min of the facts, by the data sheet's bandwidth,
 *			with what verify/floor.h grants. DRAM has a clock of its
 *			own, and under load only that one: the rate does not
 *			follow the SMs'
 *
 * The SM clock is the highest that NVML told while the time was taken. Between
 * two samples it may have been lower, so that the share of the bound is, if
 * anything, too low. Without a sample, or if the record does not count the SMs,
 * it is the data sheet's: then the bound is `stated_ns` of verify/floor.h.
 *
 * It is advice, and no charge: no verdict rests on it.
 */
struct kb_ceiling {
	const struct kb_peak *peak;	/* NULL: it is not known */
	enum kb_precision precision;	/* KB_PRECISION_COUNT: the same */
	int64_t multiprocessors;	/* as is KB_UNKNOWN here and below */
	int64_t fp32_per_cycle;		/* kb_fp32_per_cycle() */
};

void kb_ceiling_of(struct kb_ceiling *out, const struct kb_conditions *c);

/* Operations of fp32 outside tensor cores that an SM does in a cycle, a fused
 * one being two: by compute capability, "9.0" (CUDA programming guide,
 * arithmetic instructions). KB_UNKNOWN of others. */
int64_t kb_fp32_per_cycle(const char *compute_capability);

/* 10^9 operations a second at such a clock, or at the data sheet's if it is
 * KB_UNKNOWN: of the fastest type; and of fp32 outside tensor cores, which the
 * table of sheets does not have: KB_UNKNOWN without a clock. */
int64_t kb_ceiling_gop_per_s(const struct kb_ceiling *c, int64_t sm_clock_mhz);
int64_t kb_ceiling_fp32_gop_per_s(const struct kb_ceiling *c,
				  int64_t sm_clock_mhz);

struct kb_clocked_bound {
	int64_t bound_ns;		/* above 0, or KB_UNKNOWN */
	int64_t sm_clock_mhz;		/* KB_UNKNOWN: the data sheet's */
};

#define KB_CLOCKED_BOUND_INIT { KB_UNKNOWN, KB_UNKNOWN }

/* `facts` may be NULL. */
struct kb_clocked_bound kb_ceiling_bound(const struct kb_ceiling *c,
					 const struct kb_problem_facts *facts,
					 int64_t sm_clock_mhz);

/* How much of `time_ns` the bound is, in millionths; KB_UNKNOWN. */
int64_t kb_share_of_bound_micro(int64_t bound_ns, int64_t time_ns);

/*
 * SOL-ExecBench's score with that bound: 1 / (1 + (time - bound) / (baseline -
 * bound)), in millionths, or KB_UNKNOWN. A time at the baseline gives a half, a
 * time at the bound gives 1. Where the baseline is at its bound there is
 * nothing to be gained but to be there too.
 */
int64_t kb_sol_score_micro(int64_t bound_ns, int64_t time_ns,
			   int64_t baseline_ns);

#endif
