#include "audit/words.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "audit/judge.h"
#include "audit/evidence_view.h"
#include "base/alloc.h"
#include "base/buf.h"

/* Removable operations that are named; the others are counted. */
#define OPERATIONS_NAMED 8

/* The range of the outputs, to compare the tolerance with. */
static void add_range(struct kb_buf *text, const struct kb_evidence_view *v)
{
	double low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < v->d->output_count; i++) {
		const struct kb_output_evidence *o = &v->d->outputs[i];

		if (!o->finite)
			continue;
		low = fmin(low, o->min);
		high = fmax(high, o->max);
	}
	if (low <= high)
		kb_buf_addf(text, ", range %.3g to %.3g", low, high);
}

static void add_all(struct kb_buf *text, const struct kb_evidence_view *v,
		    enum kb_offer offer)
{
	const int64_t beyond = kb_evidence_view_beyond(v, offer);

	if (beyond)
		kb_buf_addf(text, "all but %" PRId64 " of %" PRId64 " elements",
			    beyond, kb_evidence_view_elements(v));
	else
		kb_buf_addf(text, "all %" PRId64 " elements",
			    kb_evidence_view_elements(v));
}

static void say_passes(struct kb_buf *text, const struct kb_evidence_view *v,
		       enum kb_offer offer, const char *what)
{
	kb_buf_addf(text, "%s within %g of ", what, kb_evidence_view_tolerance(v));
	add_all(text, v, offer);
	add_range(text, v);
}

static void say_zeros_pass(struct kb_buf *text, const struct kb_evidence_view *v)
{
	say_passes(text, v, KB_OFFER_ZEROS, "zero is");
}

static void say_constant_passes(struct kb_buf *text, const struct kb_evidence_view *v)
{
	say_passes(text, v, KB_OFFER_CONSTANT,
		   kb_evidence_view_guess_is_midrange(v->d->outputs) ?
			   "the midrange is" : "the mean is");
}

static void say_constant(struct kb_buf *text, const struct kb_evidence_view *v)
{
	for (size_t i = 0; i < v->d->output_count; i++)
		kb_buf_addf(text, "%sall %" PRId64 " elements are %.3g",
			    i ? ", " : "", v->d->outputs[i].elements,
			    v->d->outputs[i].min);
}

static void say_other_input(struct kb_buf *text, const struct kb_evidence_view *v)
{
	kb_buf_addf(text, "largest change for another input %.2g",
		    kb_evidence_view_max_abs(v, KB_OFFER_OTHER_INPUT));
	add_range(text, v);
}

static void say_other_input_passes(struct kb_buf *text,
				   const struct kb_evidence_view *v)
{
	const int64_t beyond = kb_evidence_view_beyond(v, KB_OFFER_OTHER_INPUT);

	say_other_input(text, v);
	if (beyond)
		kb_buf_addf(text, ", beyond %g in %" PRId64 " of %" PRId64
			    " elements", kb_evidence_view_tolerance(v), beyond,
			    kb_evidence_view_elements(v));
}

static void say_differs(struct kb_buf *text, const struct kb_evidence_view *v,
			enum kb_offer offer, const char *how)
{
	kb_buf_addf(text, "%" PRId64 " of %" PRId64 " elements differ beyond "
		    "%g %s, by up to %.2g", kb_evidence_view_beyond(v, offer),
		    kb_evidence_view_elements(v), kb_evidence_view_tolerance(v), how,
		    kb_evidence_view_max_abs(v, offer));
	add_range(text, v);
}

static void say_loose(struct kb_buf *text, const struct kb_evidence_view *v)
{
	const double error = kb_evidence_view_error(v);

	if (error > 0)
		kb_buf_addf(text, "the tolerance %g is %.2g times the largest "
			    "error against float64", kb_evidence_view_tolerance(v),
			    1 / error);
	else
		kb_buf_addf(text, "the tolerance is %g, float64 gives the same",
			    kb_evidence_view_tolerance(v));
}

static void say_tight(struct kb_buf *text, const struct kb_evidence_view *v)
{
	double max_abs = 0;

	for (size_t i = 0; i < v->d->output_count; i++)
		max_abs = fmax(max_abs, v->d->outputs[i].error.max_abs);
	kb_buf_addf(text, "the largest error against float64 is %.2g and %.2g "
		    "times the tolerance %g", max_abs, kb_evidence_view_error(v),
		    kb_evidence_view_tolerance(v));
	add_range(text, v);
}

static void say_rounding_chooses(struct kb_buf *text,
				 const struct kb_evidence_view *v)
{
	const struct kb_output_evidence *o = kb_evidence_view_chosen(v);

	kb_buf_addf(text, "noise of 2^-18 in results changes %.2g, noise of "
		    "2^-11 %.2g", o->noise[KB_NOISE_SMALL].max_abs,
		    o->noise[KB_NOISE_LARGE].max_abs);
	add_range(text, v);
}

static void say_identity(struct kb_buf *text, const struct kb_evidence_view *v)
{
	for (size_t i = 0; i < v->d->output_count; i++)
		kb_buf_addf(text, "%soutput %zu is input %" PRId64,
			    i ? ", " : "", i, v->d->outputs[i].identity);
	kb_buf_addstr(text, ", bit by bit");
}

/* The same operation on other inputs, or NULL. */
static const struct kb_removal *find_alike(const struct kb_distribution *d,
					   const struct kb_removal *r)
{
	for (size_t i = 0; i < d->removal_count; i++)
		if (d->removals[i].call == r->call &&
		    !strcmp(d->removals[i].name, r->name))
			return &d->removals[i];
	return NULL;
}

/* "torch.nn.functional.relu" is known as "relu". */
static const char *short_name(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && dot[1] ? dot + 1 : name;
}

static void say_operation(struct kb_buf *text, const struct kb_removal *r,
			  const struct kb_distribution *with_signs)
{
	const struct kb_removal *alike = find_alike(with_signs, r);

	kb_buf_addf(text, "%s (call %" PRId64, short_name(r->name), r->call);
	if (*r->module)
		kb_buf_addf(text, " in %s", r->module);
	kb_buf_addf(text, ") changes %.2g", r->max_rel);
	if (alike)
		kb_buf_addf(text, ", with signs %.2g", alike->max_rel);
}

static void say_removable(struct kb_buf *text, const struct kb_evidence *e)
{
	const struct kb_distribution *d = &e->stated;
	size_t found = 0;

	for (size_t i = 0; i < d->removal_count; i++) {
		if (d->removals[i].max_rel > KB_AUDIT_SAME)
			continue;
		if (found++ >= OPERATIONS_NAMED)
			continue;
		kb_buf_addstr(text, found > 1 ? "; " : "");
		say_operation(text, &d->removals[i], &e->with_signs);
	}
	if (found > OPERATIONS_NAMED)
		kb_buf_addf(text, "; and %zu more", found - OPERATIONS_NAMED);
	if (d->untried)
		kb_buf_addf(text, "; %" PRId64 " not tried", d->untried);
}

void kb_audit_say(struct kb_buf *text, enum kb_finding finding,
		  const struct kb_evidence_view *v, const struct kb_evidence *e)
{
	const struct kb_evidence_view loose = { v->d, v->policy, true };

	switch (finding) {
	case KB_FINDING_INPUT_INDEPENDENT:
		say_other_input(text, v);
		break;
	case KB_FINDING_OTHER_INPUT_PASSES:
		say_other_input_passes(text, v);
		break;
	case KB_FINDING_OTHER_INPUT_PASSES_LOOSE:
		say_other_input_passes(text, &loose);
		break;
	case KB_FINDING_ZERO_OUTPUT:
		kb_buf_addf(text, "all %" PRId64 " elements are zero",
			    kb_evidence_view_elements(v));
		break;
	case KB_FINDING_CONSTANT_OUTPUT:
		say_constant(text, v);
		break;
	case KB_FINDING_ZEROS_PASS:
		say_zeros_pass(text, v);
		break;
	case KB_FINDING_ZEROS_PASS_LOOSE:
		say_zeros_pass(text, &loose);
		break;
	case KB_FINDING_CONSTANT_PASSES:
		say_constant_passes(text, v);
		break;
	case KB_FINDING_CONSTANT_PASSES_LOOSE:
		say_constant_passes(text, &loose);
		break;
	case KB_FINDING_IDENTITY:
		say_identity(text, v);
		break;
	case KB_FINDING_REMOVABLE:
		say_removable(text, e);
		break;
	case KB_FINDING_NOT_REPRODUCIBLE:
		say_differs(text, v, KB_OFFER_REPEAT, "in a second call");
		break;
	case KB_FINDING_RANDOM:
		say_differs(text, v, KB_OFFER_REDRAW, "by chance");
		break;
	case KB_FINDING_TOLERANCE_LOOSE:
		say_loose(text, v);
		break;
	case KB_FINDING_TOLERANCE_TIGHT:
		say_tight(text, v);
		break;
	case KB_FINDING_ROUNDING_CHOOSES:
		say_rounding_chooses(text, v);
		break;
	case KB_FINDING_NOT_FINITE:
		kb_buf_addf(text, "%" PRId64 " of %" PRId64 " elements are NaN "
			    "or infinite", kb_evidence_view_not_finite(v),
			    kb_evidence_view_elements(v));
		break;
	case KB_FINDING_COUNT:
		KB_BUG("no such finding");
	}
}
