#ifndef KB_EXPORT_KERNELBENCH_BASELINE_H
#define KB_EXPORT_KERNELBENCH_BASELINE_H

#include "export/time_summary.h"

struct kb_baseline;
struct kb_buf;
struct kb_conditions;
struct kb_err;
struct kb_foreign_json;
struct kb_suite;

/*
 * KernelBench's reference times, results/timing/<hardware>/<name>.json:
 *
 *	{"level1": {"19_ReLU.py": {"mean": ..., "std": ..., "min": ...,
 *				   "max": ..., "num_trials": ...,
 *				   "hardware": ..., "device": ...}, ...}, ...}
 *
 * in milliseconds, as export/time_summary.h makes them, with two members
 * that KernelBench passes over: "clock" and "statistic". A reference without
 * a time is null, as it is in files of KernelBench's own.
 */

/*
 * Append the file. `suite` is the baseline's parent; it has the names.
 *
 * Fails with KB_ERR_INPUT if the suite lacks a problem, if no reference has a
 * time by this clock, or as kb_time_summarise().
 */
int kb_kernelbench_baseline_print(struct kb_buf *out,
				  const struct kb_baseline *b,
				  const struct kb_suite *suite,
				  const struct kb_summary_choice *choice,
				  struct kb_err *err);

/* Where KernelBench looks for it, relative to its root; `hardware` names the
 * folder, or is NULL for the device's own name. The caller frees. */
char *kb_kernelbench_baseline_path(const struct kb_baseline *b,
				   const char *hardware);

/* The seven members and our two, of an object that is open. */
void kb_kernelbench_stats_print(struct kb_foreign_json *j,
				const struct kb_time_summary *t,
				const struct kb_conditions *conditions,
				const struct kb_summary_choice *choice);

#endif
