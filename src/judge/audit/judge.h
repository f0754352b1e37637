#ifndef KB_AUDIT_JUDGE_H
#define KB_AUDIT_JUDGE_H

#include "manifest/finding.h"

struct kb_audit;
struct kb_err;
struct kb_evidence;
struct kb_tolerance_policy;

/*
 * From evidence to findings: a pure function of both arguments. What is
 * found is found on the inputs as the problem states them; where they were
 * given signs as well, the words say whether it is so on those too.
 *
 *	input_independent	the outputs for another input are the same,
 *				to KB_AUDIT_SAME of the largest magnitude
 *	zero_output		every element is zero
 *	constant_output		every element of an output is the same (*)
 *	zeros_pass		zeros are within the tolerance everywhere (**)
 *	constant_passes		so is the midrange, or the mean (*) (**)
 *	other_input_passes	so are the outputs for another input (**)
 *	identity		every output is an input, bit by bit
 *	removable		an operation can be left out, to KB_AUDIT_SAME
 *	not_reproducible	a second call alike is beyond the tolerance
 *	random			so is, if not that, one with generators seeded
 *				differently
 *	tolerance_loose		the tolerance is more than KB_AUDIT_LOOSE times
 *				the largest error against float64
 *	tolerance_tight		an error against float64 is beyond it
 *	rounding_chooses	noise in what is rounded moves an output beyond
 *				the tolerance, and more than 4 times further,
 *				or less far, than in proportion to its size
 *	not_finite		a NaN or an infinity
 *
 * (*) Outputs of one element are constant by nature: with one of them there
 * is no such finding. What they are worth is told by another input.
 *
 * (**) Or beyond it in one element of KB_EVIDENCE_RARE (audit/evidence_view.h) at most.
 *
 * "_loose" is the same at 1e-2, where it is not so at the policy's own
 * tolerance. Integers and booleans have no tolerance. Errors against float64
 * say nothing where generators change the outputs, nor does noise.
 */
#define KB_AUDIT_SAME 1e-6
#define KB_AUDIT_LOOSE 1000.0

/* Whether an audit can be by this policy. Fails with KB_ERR_USAGE. */
int kb_audit_policy_check(const struct kb_tolerance_policy *policy,
			  struct kb_err *err);

/* `out` is KB_FINDINGS_INIT; the caller releases it. */
void kb_audit_judge(struct kb_findings *out, const struct kb_evidence *e,
		    const struct kb_tolerance_policy *policy);

/* Judge the evidence of every line anew, in place, at the tolerance that the
 * record's policy names. Fails with KB_ERR_INPUT. */
int kb_audit_judge_anew(struct kb_audit *a, struct kb_err *err);

/* The findings of every line are what its evidence gives at the tolerance
 * that the record's policy names. Fails with KB_ERR_INPUT. */
int kb_audit_judge_again(const struct kb_audit *a, struct kb_err *err);

#endif
