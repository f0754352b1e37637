#include "measure/output_errors.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "worker/worker.h"

void kb_output_error_add(struct kb_output_error *e,
			 const struct kb_compare_result *c)
{
	e->elements += (int64_t)c->elements;
	e->mismatched += (int64_t)c->mismatched;
	e->nan += (int64_t)c->not_finite;
	e->max_abs_error = fmax(e->max_abs_error, c->max_abs_error);
	e->max_rel_error = fmax(e->max_rel_error, c->max_rel_error);
	e->rms_error = fmax(e->rms_error, c->rms_error);
}

bool kb_output_error_is_worse(const struct kb_output_error *a,
			      const struct kb_output_error *b)
{
	if (a->mismatched + a->nan != b->mismatched + b->nan)
		return a->mismatched + a->nan > b->mismatched + b->nan;
	return a->max_abs_error > b->max_abs_error || !b->elements;
}

static bool is_same(const struct kb_output_error *a,
		    const struct kb_output_error *b)
{
	return a->mismatched == b->mismatched && a->nan == b->nan &&
	       a->max_abs_error == b->max_abs_error &&
	       a->max_rel_error == b->max_rel_error &&
	       a->rms_error == b->rms_error;
}

int kb_output_errors_judge_repeat(const struct kb_output_error *first,
				  const struct kb_output_error *again,
				  uint32_t count, struct kb_fault *fault)
{
	for (uint32_t i = 0; i < count; i++) {
		if (is_same(&first[i], &again[i]))
			continue;
		kb_fault_set(fault, KB_SIDE_CANDIDATE, KB_STATUS_MISMATCH,
			     KB_PHASE_RUN,
			     "output %u differs between two runs on the same "
			     "inputs", i);
		return 0;
	}
	return 1;
}

void kb_wrong_add(struct kb_wrong *w, const struct kb_compare_result *c,
		  const struct kb_error_limits *limits)
{
	w->not_finite |= c->not_finite > 0;
	w->element |= c->mismatched > 0;
	w->rms |= c->rms_error > limits->rms;
}

int kb_wrong_judge(const struct kb_wrong *w, enum kb_side side,
		   struct kb_fault *fault)
{
	if (w->not_finite)
		kb_fault_set(fault, side, KB_STATUS_NOT_FINITE, KB_PHASE_RUN,
			     "NaN or Inf where the reference is finite");
	else if (w->element)
		kb_fault_set(fault, side, KB_STATUS_MISMATCH, KB_PHASE_RUN,
			     "values beyond the tolerance");
	else if (w->rms)
		kb_fault_set(fault, side, KB_STATUS_MISMATCH, KB_PHASE_RUN,
			     "root mean square error beyond the tolerance");
	else
		return 1;
	return 0;
}

void kb_output_errors_blame(struct kb_fault *fault,
			    const struct kb_output_error *errors,
			    uint32_t count)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	kb_buf_addstr(&text, fault->detail);
	for (uint32_t i = 0; errors && i < count; i++) {
		const struct kb_output_error *e = &errors[i];

		if (e->mismatched + e->nan)
			kb_buf_addf(&text, "; output %u: %" PRId64 " of %"
				    PRId64 " elements, by up to %.2e", i,
				    e->mismatched + e->nan, e->elements,
				    e->max_abs_error);
	}
	snprintf(fault->detail, sizeof(fault->detail), "%s", text.data);
}

void kb_output_errors_keep(struct kb_output_error *worst,
			   const struct kb_output_error *errors,
			   uint32_t count, const struct kb_wrong *wrong)
{
	for (uint32_t i = 0; i < count; i++)
		if (wrong->rms ||
		    kb_output_error_is_worse(&errors[i], &worst[i]))
			worst[i] = errors[i];
}

void kb_output_errors_keep_trial(struct kb_output_error **worst,
				 struct kb_alternate_trials *alternates,
				 const struct kb_output_error *errors,
				 uint32_t count, const struct kb_wrong *wrong)
{
	struct kb_output_error **kept = alternates ? &alternates->outputs : worst;

	if (!*kept)
		*kept = kb_xcalloc(count, sizeof(**kept));
	kb_output_errors_keep(*kept, errors, count, wrong);
	if (!alternates)
		return;
	alternates->output_count = count;
	alternates->trials++;
}
