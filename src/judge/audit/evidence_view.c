#include "audit/evidence_view.h"

#include <math.h>

#include "base/alloc.h"
#include "device/tolerance.h"

static bool is_counted(struct kb_tolerance t)
{
	/* Elements were counted with atol = rtol, as KernelBench has them. */
	if (t.atol != t.rtol)
		return false;
	for (int i = 0; i < KB_NEARNESS_COUNT; i++)
		if (kb_nearness_tolerance((enum kb_nearness)i) == t.atol)
			return true;
	return false;
}

static struct kb_tolerance fixed_limit(const struct kb_tolerance_policy *policy,
				       enum kb_dtype dtype)
{
	const struct kb_limited of = { .dtype = dtype };

	return kb_error_limits_of(policy, &of).element;
}

bool kb_evidence_view_can(const struct kb_tolerance_policy *policy)
{
	static const enum kb_dtype floats[] = {
		KB_FLOAT64, KB_FLOAT32, KB_FLOAT16, KB_BFLOAT16,
		KB_FLOAT8_E4M3FN, KB_FLOAT8_E5M2,
	};

	/* A tolerance that follows from more than the output's type is none
	 * of those, whatever stands in for it where nothing else is known. */
	if (!kb_tolerance_policy_is_fixed(policy))
		return false;
	for (size_t i = 0; i < KB_ARRAY_LEN(floats); i++)
		if (!is_counted(fixed_limit(policy, floats[i])))
			return false;
	return true;
}

static enum kb_nearness nearness_of(const struct kb_evidence_view *v,
				    const struct kb_output_evidence *o)
{
	const double tolerance =
		fixed_limit(v->policy, o->dtype).atol;

	if (tolerance > 0 && v->loose)
		return KB_NEAR_1E_2;
	for (int i = 0; i < KB_NEARNESS_COUNT; i++)
		if (kb_nearness_tolerance((enum kb_nearness)i) == tolerance)
			return (enum kb_nearness)i;
	KB_BUG("a policy has a tolerance that nothing was counted at");
}

static double tolerance_of(const struct kb_evidence_view *v,
			   const struct kb_output_evidence *o)
{
	return kb_nearness_tolerance(nearness_of(v, o));
}

/* A value within a tolerance is within a wider one, so the first that differs,
 * from the widest on, tells. */
bool kb_evidence_view_guess_is_midrange(const struct kb_output_evidence *o)
{
	for (int i = KB_NEARNESS_COUNT - 1; i >= 0; i--)
		if (o->midrange.counts[i] != o->average.counts[i])
			return o->midrange.counts[i] > o->average.counts[i];
	return true;
}

static const struct kb_difference *
difference_of(const struct kb_output_evidence *o, enum kb_offer offer)
{
	switch (offer) {
	case KB_OFFER_OTHER_INPUT:
		return &o->other_input;
	case KB_OFFER_REPEAT:
		return &o->repeat;
	case KB_OFFER_REDRAW:
		return &o->redraw;
	case KB_OFFER_ZEROS:
	case KB_OFFER_CONSTANT:
		break;
	}
	KB_BUG("constants have no difference");
}

static const struct kb_near *near_of(const struct kb_output_evidence *o,
				     enum kb_offer offer)
{
	if (offer == KB_OFFER_ZEROS)
		return &o->zero;
	if (offer == KB_OFFER_CONSTANT)
		return kb_evidence_view_guess_is_midrange(o) ? &o->midrange
						    : &o->average;
	return &difference_of(o, offer)->within;
}

int64_t kb_evidence_view_beyond(const struct kb_evidence_view *v, enum kb_offer offer)
{
	int64_t beyond = 0;

	for (size_t i = 0; i < v->d->output_count; i++) {
		const struct kb_output_evidence *o = &v->d->outputs[i];

		beyond += o->elements -
			  near_of(o, offer)->counts[nearness_of(v, o)];
	}
	return beyond;
}

bool kb_evidence_view_passes(const struct kb_evidence_view *v, enum kb_offer offer)
{
	const bool alike = offer == KB_OFFER_REPEAT ||
			   offer == KB_OFFER_REDRAW;

	return kb_evidence_view_beyond(v, offer) <=
	       (alike ? 0 : kb_evidence_view_elements(v) / KB_EVIDENCE_RARE);
}

double kb_evidence_view_max_abs(const struct kb_evidence_view *v, enum kb_offer offer)
{
	double max = 0;

	for (size_t i = 0; i < v->d->output_count; i++)
		max = fmax(max,
			   difference_of(&v->d->outputs[i], offer)->max_abs);
	return max;
}

double kb_evidence_view_max_rel(const struct kb_evidence_view *v, enum kb_offer offer)
{
	double max = 0;

	for (size_t i = 0; i < v->d->output_count; i++)
		max = fmax(max,
			   difference_of(&v->d->outputs[i], offer)->max_rel);
	return max;
}

int64_t kb_evidence_view_elements(const struct kb_evidence_view *v)
{
	int64_t n = 0;

	for (size_t i = 0; i < v->d->output_count; i++)
		n += v->d->outputs[i].elements;
	return n;
}

int64_t kb_evidence_view_not_finite(const struct kb_evidence_view *v)
{
	int64_t n = kb_evidence_view_elements(v);

	for (size_t i = 0; i < v->d->output_count; i++)
		n -= v->d->outputs[i].finite;
	return n;
}

double kb_evidence_view_tolerance(const struct kb_evidence_view *v)
{
	double widest = 0;

	for (size_t i = 0; i < v->d->output_count; i++)
		widest = fmax(widest, tolerance_of(v, &v->d->outputs[i]));
	return widest;
}

double kb_evidence_view_error(const struct kb_evidence_view *v)
{
	double max = 0;

	for (size_t i = 0; i < v->d->output_count; i++) {
		const struct kb_output_evidence *o = &v->d->outputs[i];

		if (o->error.max_scaled > 0)
			max = fmax(max, o->error.max_scaled /
					tolerance_of(v, o));
	}
	return max;
}

/* Generators change nothing. */
static bool is_determined(const struct kb_distribution *d)
{
	for (size_t i = 0; i < d->output_count; i++) {
		const struct kb_output_evidence *o = &d->outputs[i];

		if (o->redraw.within.counts[KB_NEAR_EQUAL] < o->elements)
			return false;
	}
	return true;
}

bool kb_evidence_view_knows_error(const struct kb_evidence_view *v)
{
	return is_determined(v->d) && !v->d->no_float64;
}

static bool is_out_of_proportion(const struct kb_output_evidence *o)
{
	const double expected = o->noise[KB_NOISE_SMALL].max_abs *
				KB_NOISE_RATIO;
	const double found = o->noise[KB_NOISE_LARGE].max_abs;

	return found > expected * KB_EVIDENCE_OUT_OF_PROPORTION ||
	       found < expected / KB_EVIDENCE_OUT_OF_PROPORTION;
}

const struct kb_output_evidence *
kb_evidence_view_chosen(const struct kb_evidence_view *v)
{
	if (!v->d->has_noise || v->d->no_noise || !is_determined(v->d))
		return NULL;
	for (size_t i = 0; i < v->d->output_count; i++) {
		const struct kb_output_evidence *o = &v->d->outputs[i];
		const double moved = fmax(o->noise[KB_NOISE_SMALL].max_scaled,
					  o->noise[KB_NOISE_LARGE].max_scaled);

		if (moved > tolerance_of(v, o) && is_out_of_proportion(o))
			return o;
	}
	return NULL;
}
