#ifndef KB_MEASURE_OUTPUT_ERRORS_H
#define KB_MEASURE_OUTPUT_ERRORS_H

#include <stdbool.h>

#include "device/compare.h"
#include "manifest/alternate_trials.h"
#include "manifest/result.h"
#include "worker/protocol.h"

struct kb_fault;

/* Add one comparison to what is known of an output: counts add up, errors
 * are the largest. */
void kb_output_error_add(struct kb_output_error *e,
			 const struct kb_compare_result *c);

/*
 * Did two runs on the same inputs give the same? `first` and `again` are their
 * errors, one an output, against the same expected values. What depends on
 * every element is the same if all elements are; where it is, that they are is
 * nearly certain. Returns 1; else 0, and `fault` says so of the candidate.
 */
int kb_output_errors_judge_repeat(const struct kb_output_error *first,
				  const struct kb_output_error *again,
				  uint32_t count, struct kb_fault *fault);

/*
 * The wrong values of a trial. Outputs are numbered [call][output]. Of the
 * first output that has an element beyond its limit it is the first such
 * element, as the two sides had it: what the candidate had may have been
 * written since it was compared, so that it is for people alone.
 */
struct kb_wrong {
	bool not_finite;
	bool element;			/* one is beyond its limit */
	bool rms;			/* an output is, as a whole */
	uint64_t element_output, element_index;
	uint8_t got[KB_DTYPE_SIZE_MAX], expected[KB_DTYPE_SIZE_MAX];
	uint64_t rms_output;		/* the first of those */
	double rms_error, rms_limit;
};

/* Add one comparison, made with limits->element, of output number `output`. True
 * if the first wrong element is in it: the caller sets `got` and `expected`. */
bool kb_wrong_add(struct kb_wrong *w, const struct kb_compare_result *c,
		  const struct kb_error_limits *limits, uint64_t output);

/* Returns 1 if nothing is wrong; else 0, and `fault` says what, of `side`.
 * `errors` is of the trial, one an output of `plan`. */
int kb_wrong_judge(const struct kb_wrong *w, const struct kb_plan *plan,
		   const struct kb_output_error *errors, enum kb_side side,
		   struct kb_fault *fault);

/* Add to what `fault` says which of `errors`, one an output of `plan`, are
 * wrong, and by how much; nothing if it is NULL. */
void kb_output_errors_blame(struct kb_fault *fault, const struct kb_plan *plan,
			    const struct kb_output_error *errors);

/*
 * Keep the worst of all trials: where `errors`, one an output, are worse,
 * they replace `worst`; all do of a trial whose `wrong` is in a mean, which
 * counts and maxima do not show.
 */
void kb_output_errors_keep(struct kb_output_error *worst,
			   const struct kb_output_error *errors,
			   uint32_t count, const struct kb_wrong *wrong);

/* The same where a run keeps them: in `*worst`, made if it is NULL; those of a
 * trial on alternate inputs apart, in `alternates`, which is NULL for the
 * others. */
void kb_output_errors_keep_trial(struct kb_output_error **worst,
				 struct kb_alternate_trials *alternates,
				 const struct kb_output_error *errors,
				 uint32_t count, const struct kb_wrong *wrong);

#endif
