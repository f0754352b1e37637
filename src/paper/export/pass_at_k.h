#ifndef KB_EXPORT_PASS_AT_K_H
#define KB_EXPORT_PASS_AT_K_H

#include <stdbool.h>
#include <stddef.h>

#include "score/at_k.h"

struct kb_buf;
struct kb_evaluation;
struct kb_foreign_json;

/*
 * KernelBench's pass@k of one level, runs/<run>/pass_at_k_results.json:
 *
 *	{"averages": {"avg_pass@<k>": ...},
 *	 "metadata": {"total_problems": ..., "problems_with_samples": ...,
 *		      "total_evaluated_samples": ...,
 *		      "total_correct_samples": ..., "pass@<k>_count": ...},
 *	 "problems": {"<problem_id>": {"total_samples": ...,
 *				       "correct_samples": ...,
 *				       "pass@<k>": ...}, ...}}
 *
 * Problems are those with a sample, as there: one that was never tried is in
 * no average. k is of score/at_k.h, as far as every problem has so many
 * samples; KernelBench itself goes on, and then averages can fall with k.
 */
struct kb_pass_at_k {
	int *problem_ids;
	struct kb_tries *tries;		/* of each */
	size_t count;
	struct kb_at_k at_k[KB_AT_K_COUNT];
	size_t at_k_count;
};

#define KB_PASS_AT_K_INIT { .tries = NULL }

/* The caller releases `out`. */
void kb_pass_at_k_of(struct kb_pass_at_k *out, const struct kb_evaluation *e,
		     int level);
void kb_pass_at_k_release(struct kb_pass_at_k *p);

/* Some problem has several samples: KernelBench has no such file else. */
bool kb_pass_at_k_is_told(const struct kb_pass_at_k *p);

/* Append the file. */
void kb_pass_at_k_print(struct kb_buf *out, const struct kb_pass_at_k *p);

/* The members "averages" and "metadata" of an object that is open. */
void kb_pass_at_k_print_summary(struct kb_foreign_json *j,
				const struct kb_pass_at_k *p);

static inline void kb_cleanup_pass_at_k(struct kb_pass_at_k *p)
{
	kb_pass_at_k_release(p);
}

#endif
