#ifndef KB_EXPORT_ANALYSIS_H
#define KB_EXPORT_ANALYSIS_H

#include <stddef.h>

struct kb_buf;
struct kb_evaluation;
struct kb_foreign_json;
struct kb_score;

/*
 * The output of KernelBench's analysis, benchmark_eval_analysis.py, for a
 * level:
 *
 *	{"run_name": ..., "level": ..., "hardware": ..., "total_count": ...,
 *	 "total_eval": ..., "compiled_count": ..., "correct_count": ...,
 *	 "compilation_rate": ..., "correctness_rate": ...,
 *	 "geo_mean_speedup": ..., "fast_p": {"0.0": ..., ...},
 *	 "pass_at_k": {"averages": {...}, "metadata": {...}},
 *	 "warnings": [...]}
 *
 * from a score by one of the presets that are upstream's, whose numbers they
 * are. "geo_mean_speedup" is null where upstream's is not a number.
 * "total_eval" counts problems with a candidate; "pass_at_k" is there if a
 * problem has several, as export/pass_at_k.h has it. "warnings" are ours, and
 * there if the score has any (sheet/notes.h).
 */
struct kb_analysis {
	const struct kb_score *score;		/* all borrowed */
	const struct kb_evaluation *evaluation;	/* its parent */
	const char *run;			/* without "_level<L>" */
	const char *hardware;			/* KernelBench's name */
};

/* Append the file of the score's i-th level. */
void kb_analysis_print(struct kb_buf *out, const struct kb_analysis *a,
		       size_t i);

/* The same as a value of an array or object that is open. */
void kb_analysis_print_value(struct kb_foreign_json *j, const char *key,
			     const struct kb_analysis *a, size_t i);

#endif
