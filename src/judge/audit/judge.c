#include "audit/judge.h"

#include <string.h>

#include "audit/evidence_view.h"
#include "audit/words.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "device/tolerance.h"
#include "json/json.h"
#include "manifest/audit.h"

static bool all_zero(const struct kb_distribution *d)
{
	for (size_t i = 0; i < d->output_count; i++)
		if (d->outputs[i].zero.counts[KB_NEAR_EQUAL] <
		    d->outputs[i].elements)
			return false;
	return true;
}

static bool all_identity(const struct kb_distribution *d)
{
	for (size_t i = 0; i < d->output_count; i++)
		if (d->outputs[i].identity == KB_UNKNOWN)
			return false;
	return true;
}

/* Each has elements that could differ. */
static bool all_many(const struct kb_distribution *d)
{
	for (size_t i = 0; i < d->output_count; i++)
		if (d->outputs[i].elements < 2)
			return false;
	return true;
}

/* min and max are over finite elements, so that all have to be. */
static bool all_constant(const struct kb_distribution *d)
{
	for (size_t i = 0; i < d->output_count; i++) {
		const struct kb_output_evidence *o = &d->outputs[i];

		if (o->finite < o->elements || o->min < o->max)
			return false;
	}
	return all_many(d);
}

static bool has_removable(const struct kb_distribution *d)
{
	for (size_t i = 0; i < d->removal_count; i++)
		if (d->removals[i].max_rel <= KB_AUDIT_SAME)
			return true;
	return false;
}

/* Only at 1e-2. */
static bool passes_loosely(const struct kb_evidence_view *v, enum kb_offer offer)
{
	const struct kb_evidence_view loose = { v->d, v->policy, true };

	return kb_evidence_view_passes(&loose, offer) && !kb_evidence_view_passes(v, offer);
}

/* The error is in tolerances: below 1 / KB_AUDIT_LOOSE the reference itself is
 * so much more exact that an answer can be wrong by many of its own errors and
 * pass. */
static bool is_tolerance_loose(const struct kb_evidence_view *v)
{
	return kb_evidence_view_knows_error(v) && kb_evidence_view_tolerance(v) > 0 &&
	       kb_evidence_view_error(v) < 1 / KB_AUDIT_LOOSE;
}

static bool finding_holds(enum kb_finding finding, const struct kb_evidence_view *v)
{
	switch (finding) {
	case KB_FINDING_INPUT_INDEPENDENT:
		return kb_evidence_view_max_rel(v, KB_OFFER_OTHER_INPUT) <=
		       KB_AUDIT_SAME;
	case KB_FINDING_ZERO_OUTPUT:
		return all_zero(v->d);
	case KB_FINDING_CONSTANT_OUTPUT:
		return all_constant(v->d);
	case KB_FINDING_ZEROS_PASS:
		return kb_evidence_view_passes(v, KB_OFFER_ZEROS);
	case KB_FINDING_ZEROS_PASS_LOOSE:
		return passes_loosely(v, KB_OFFER_ZEROS);
	case KB_FINDING_CONSTANT_PASSES:
		return all_many(v->d) && kb_evidence_view_passes(v, KB_OFFER_CONSTANT);
	case KB_FINDING_CONSTANT_PASSES_LOOSE:
		return all_many(v->d) && passes_loosely(v, KB_OFFER_CONSTANT);
	case KB_FINDING_OTHER_INPUT_PASSES:
		return kb_evidence_view_passes(v, KB_OFFER_OTHER_INPUT);
	case KB_FINDING_OTHER_INPUT_PASSES_LOOSE:
		return passes_loosely(v, KB_OFFER_OTHER_INPUT);
	case KB_FINDING_IDENTITY:
		return all_identity(v->d);
	case KB_FINDING_REMOVABLE:
		return has_removable(v->d);
	case KB_FINDING_NOT_REPRODUCIBLE:
		return !kb_evidence_view_passes(v, KB_OFFER_REPEAT);
	/* Chance is blamed only where a repeat with the same numbers gives the
	 * same: what differs even then is not reproducible. */
	case KB_FINDING_RANDOM:
		return kb_evidence_view_passes(v, KB_OFFER_REPEAT) &&
		       !kb_evidence_view_passes(v, KB_OFFER_REDRAW);
	case KB_FINDING_TOLERANCE_LOOSE:
		return is_tolerance_loose(v);
	/* By its rounding alone the reference is further from float64 than is
	 * allowed, so that an answer without error would be called wrong. */
	case KB_FINDING_TOLERANCE_TIGHT:
		return kb_evidence_view_knows_error(v) && kb_evidence_view_error(v) > 1;
	case KB_FINDING_ROUNDING_CHOOSES:
		return kb_evidence_view_chosen(v);
	case KB_FINDING_NOT_FINITE:
		return kb_evidence_view_not_finite(v) > 0;
	case KB_FINDING_COUNT:
		break;
	}
	KB_BUG("no such finding");
}

/* The words name each removable operation. */
static void say_of_signs(struct kb_buf *text, enum kb_finding finding,
			 const struct kb_evidence *e,
			 const struct kb_tolerance_policy *policy)
{
	const struct kb_evidence_view v = { &e->with_signs, policy, false };

	if (!e->with_signs.output_count || finding == KB_FINDING_REMOVABLE)
		return;
	kb_buf_addstr(text, finding_holds(finding, &v) ? "; so with signs"
					       : "; not with signs");
}

int kb_audit_policy_check(const struct kb_tolerance_policy *policy,
			  struct kb_err *err)
{
	if (kb_evidence_view_can(policy))
		return 0;
	return kb_err(err, KB_ERR_USAGE,
		      "tolerance policy '%s' cannot be audited: there are "
		      "kernelbench and paper",
		      kb_tolerance_policy_name(policy));
}

void kb_audit_judge(struct kb_findings *out, const struct kb_evidence *e,
		    const struct kb_tolerance_policy *policy)
{
	const struct kb_evidence_view v = { &e->stated, policy, false };

	for (int i = 0; i < KB_FINDING_COUNT; i++) {
		const enum kb_finding finding = (enum kb_finding)i;
		struct kb_buf text = KB_BUF_INIT;

		if (!finding_holds(finding, &v))
			continue;
		kb_audit_say(&text, finding, &v, e);
		say_of_signs(&text, finding, e, policy);
		out->evidence[i] = kb_buf_detach(&text);
	}
}

static int compare_findings(const struct kb_audit_line *l,
			    const struct kb_findings *again, struct kb_err *err)
{
	char key[KB_KEY_SIZE];

	kb_key_format(key, l->key);
	for (int i = 0; i < KB_FINDING_COUNT; i++) {
		const char *a = again->evidence[i];
		/* Words and not only which findings there are: they have the
		 * numbers that people read. */
		const char *b = l->findings.evidence[i];

		if ((a || b) && (!a || !b || strcmp(a, b)))
			return kb_err(err, KB_ERR_INPUT,
				      "%s: '%s' is not what the evidence gives",
				      key, kb_finding_name((enum kb_finding)i));
	}
	return 0;
}

static int policy_of(const struct kb_tolerance_policy **out,
		     const struct kb_audit *a, struct kb_err *err)
{
	const char *name;
	int ret = kb_json_read_string(&name, a->conditions.policy, "tolerance",
				      "policy", err);

	if (ret < 0)
		return ret;
	if (kb_tolerance_policy_find(out, name, NULL) < 0)
		return kb_err(err, KB_ERR_INPUT,
			      "no tolerance policy is called '%s'", name);
	if (kb_audit_policy_check(*out, NULL) < 0)
		return kb_err(err, KB_ERR_INPUT,
			      "nothing is audited by tolerance policy '%s'",
			      name);
	return 0;
}

int kb_audit_judge_anew(struct kb_audit *a, struct kb_err *err)
{
	const struct kb_tolerance_policy *tolerance;
	int ret = policy_of(&tolerance, a, err);

	for (size_t i = 0; i < a->line_count && ret >= 0; i++) {
		struct kb_audit_line *l = &a->lines[i];

		if (!l->evidence)
			continue;
		kb_findings_release(&l->findings);
		l->findings = (struct kb_findings)KB_FINDINGS_INIT;
		kb_audit_judge(&l->findings, l->evidence, tolerance);
	}
	return ret;
}

int kb_audit_judge_again(const struct kb_audit *a, struct kb_err *err)
{
	const struct kb_tolerance_policy *tolerance;
	int ret = policy_of(&tolerance, a, err);

	for (size_t i = 0; i < a->line_count && ret >= 0; i++) {
		kb_auto(findings) struct kb_findings again = KB_FINDINGS_INIT;

		if (a->lines[i].evidence)
			kb_audit_judge(&again, a->lines[i].evidence,
				       tolerance);
		ret = compare_findings(&a->lines[i], &again, err);
	}
	return ret;
}
