#ifndef KB_VERIFY_RUNS_H
#define KB_VERIFY_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kb_err;
struct kb_json;
struct kb_timed;
struct kb_timing;

/* By what a policy has a stage measure; KB_UNKNOWN where it does not say. */
struct kb_run_rules {
	bool is_cuda;
	int64_t trials;
	int64_t interval_ppm;
	int64_t batch_calls_max;
};

void kb_run_rules_init(struct kb_run_rules *rules, const struct kb_json *policy,
		       bool is_cuda);

/*
 * Could a stage have stopped with these runs? By the rules with which it
 * measures, which are pure functions of samples (measure/stopping.h,
 * measure/policy.h):
 *
 *	batches		none and one, one and two, or a power of two and three
 *			times that, within the policy's most
 *	stopping	on a CUDA device: trials ended by "interval" if and only
 *			if the interval is narrow enough, and at no number of
 *			trials before. What copying in takes is measured again
 *			when all samples are there, and moves the slopes, so that
 *			the limit has a slack of KB_STOPPING_SLACK_PPM
 *	alone		runs of the reference alone are at most as many as are
 *			made
 *	one call	a reference's runs of one call are no dearer than its
 *			batches say, but for what both vary by
 *	controls	a reference beside a candidate that was timed by the
 *			device's clock was timed alone before and after
 *
 * The last two are asked of a reference whose slope is known well, which ended by
 * "interval": where a device is so noisy that it is not, neither need hold.
 *
 * Fails with KB_ERR_INPUT and what is wrong, without the name of `t`.
 */
#define KB_STOPPING_SLACK_PPM 100000

int kb_runs_check(const struct kb_run_rules *rules, const struct kb_timed *t,
		  struct kb_err *err);

/*
 * The time of copying in is a function of how many calls' inputs were copied,
 * the same for all of the timings of a line, of which there may be NULL: above
 * 0, and within a factor of KB_COPIES_TIMES_MAX on a line. It is measured once
 * for each number of calls. Where a time of the line is known to no better than
 * KB_COPIES_PRECISE_PPM the device was too busy for that, and it is not asked.
 * Fails as kb_runs_check().
 */
#define KB_COPIES_TIMES_MAX 2
#define KB_COPIES_PRECISE_PPM 50000

int kb_copies_check(const struct kb_timing *const timings[], size_t count,
		    struct kb_err *err);

#endif
