#ifndef KB_EXPORT_KERNELBENCH_EVAL_H
#define KB_EXPORT_KERNELBENCH_EVAL_H

#include "export/time_summary.h"

struct kb_buf;
struct kb_err;
struct kb_evaluation;

/*
 * KernelBench's file for a run of one level, runs/<run>/eval_results.json:
 *
 *	{"<problem_id>": [{"sample_id": ..., "compiled": ...,
 *			   "correctness": ..., "metadata": {...},
 *			   "runtime": ..., "runtime_stats": {...}}, ...], ...}
 *
 * Times are in milliseconds, as export/time_summary.h makes them;
 * "runtime" is the mean, or -1.0 where there is no time. Problems without a
 * candidate are left out: KernelBench counts them as failed by itself.
 *
 * "compiled" is ours (manifest/status.h): what ran out of time or crashed
 * while running did compile. With the mean, for which somebody asks who wants
 * KernelBench's numbers, it is KernelBench's (score/kernelbench.h).
 * "metadata" has hardware, device and, under KernelBench's names for
 * failures, what our outcome says.
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
 * A run's folder, relative to KernelBench's root, and a file in it. A run is of
 * one level there, so "runs/<run>_level<L>", as its leaderboard has it, unless
 * `run` ends so already. kb_kernelbench_run_folder() is its last part. The
 * caller frees.
 */
#define KB_RUN_EVAL_RESULTS "eval_results.json"
#define KB_RUN_PASS_AT_K "pass_at_k_results.json"
#define KB_RUN_ANALYSIS "analysis.json"		/* a name of ours */
char *kb_kernelbench_run_folder(const char *run, int level);
char *kb_kernelbench_run_path(const char *run, int level, const char *file);

#endif
