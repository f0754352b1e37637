#ifndef KB_EXCHANGE_KERNELBENCH_EVAL_H
#define KB_EXCHANGE_KERNELBENCH_EVAL_H

#include "exchange/time_summary.h"

struct kb_buf;
struct kb_err;
struct kb_evaluation;

/*
 * What KernelBench makes of a run of one level, runs/<run>/eval_results.json:
 *
 *	{"<problem_id>": [{"sample_id": ..., "compiled": ...,
 *			   "correctness": ..., "metadata": {...},
 *			   "runtime": ..., "runtime_stats": {...}}, ...], ...}
 *
 * Times are in milliseconds, as exchange/time_summary.h makes them;
 * "runtime" is the mean, or -1.0 where there is no time. Problems without a
 * candidate are left out: KernelBench counts them as failed by itself.
 *
 * "compiled" is ours (manifest/status.h): what ran out of time or crashed
 * while running did compile. "metadata" has hardware, device and, under
 * KernelBench's names for failures, what our outcome says.
 */

/*
 * There is something to export: fails with KB_ERR_INPUT if there are correct
 * candidates and none of them has a time by this clock.
 */
int kb_kernelbench_eval_check(const struct kb_evaluation *e,
			      const struct kb_summary_choice *choice,
			      struct kb_err *err);

/* Append the file of `level`. Fails as kb_time_summarise(). */
int kb_kernelbench_eval_print(struct kb_buf *out, const struct kb_evaluation *e,
			      int level, const struct kb_summary_choice *choice,
			      struct kb_err *err);

/*
 * Where KernelBench looks for it, relative to its root: a run is of one
 * level, so "<run>_level<L>", as its leaderboard has it, unless `run` ends
 * so already. The caller frees.
 */
char *kb_kernelbench_eval_path(const char *run, int level);

#endif
