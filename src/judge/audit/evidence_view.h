#ifndef KB_AUDIT_EVIDENCE_VIEW_H
#define KB_AUDIT_EVIDENCE_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "manifest/evidence.h"

struct kb_tolerance_policy;

/*
 * The evidence on one distribution of inputs, as seen at the tolerances that
 * a policy has for its outputs: sums, extremes and yes or no over all of
 * them. Pure functions.
 */
struct kb_evidence_view {
	const struct kb_distribution *d;
	const struct kb_tolerance_policy *policy;
	bool loose;			/* at 1e-2 in place of the policy's own */
};

/* Elements are counted at two tolerances: are the policy's among them? */
bool kb_evidence_view_can(const struct kb_tolerance_policy *policy);

/* Trivial answers in place of the outputs. */
enum kb_offer {
	KB_OFFER_ZEROS,
	KB_OFFER_CONSTANT,		/* of each output, the better guess */
	KB_OFFER_OTHER_INPUT,		/* the outputs for it */
	KB_OFFER_REPEAT,		/* those of a second call alike */
	KB_OFFER_REDRAW,		/* those with other numbers drawn */
};

/* Elements that it is not within the tolerance of. */
int64_t kb_evidence_view_beyond(const struct kb_evidence_view *v, enum kb_offer offer);

/* None is, but for one in KB_EVIDENCE_RARE where what is offered is an answer to
 * something else: a problem of which so little is not trivial measures
 * nothing, although who compares every element would see it. */
#define KB_EVIDENCE_RARE 1000000
bool kb_evidence_view_passes(const struct kb_evidence_view *v, enum kb_offer offer);

/* How much it differs, where that is most; not of constants. The second
 * relative to the output's largest magnitude. */
double kb_evidence_view_max_abs(const struct kb_evidence_view *v, enum kb_offer offer);
double kb_evidence_view_max_rel(const struct kb_evidence_view *v, enum kb_offer offer);

/* The better guess for an output is its midrange, not its mean. */
bool kb_evidence_view_guess_is_midrange(const struct kb_output_evidence *o);

int64_t kb_evidence_view_elements(const struct kb_evidence_view *v);
int64_t kb_evidence_view_not_finite(const struct kb_evidence_view *v);

/* The widest of the outputs' tolerances; 0 if all have to be exact. */
double kb_evidence_view_tolerance(const struct kb_evidence_view *v);

/*
 * The largest error against float64 in units of the tolerance. That is
 * KernelBench's, atol = rtol, so one scaled error serves for all of them.
 * Of what has to be exact every error is infinite, and none is 0.
 */
double kb_evidence_view_error(const struct kb_evidence_view *v);

/* The first output that noise moved beyond its tolerance and out of
 * proportion: more than that many times further, or less far, than the ratio
 * of both noises would have it. NULL if there is none, or if that is not known. */
#define KB_EVIDENCE_OUT_OF_PROPORTION 4.0
const struct kb_output_evidence *
kb_evidence_view_chosen(const struct kb_evidence_view *v);

/* There is such an error to speak of: a float64 run, and nothing that was
 * drawn, which would not be the same in it. */
bool kb_evidence_view_knows_error(const struct kb_evidence_view *v);

#endif
