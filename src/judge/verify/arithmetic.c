#include "verify/arithmetic.h"

#include <stdbool.h>
#include <string.h>

#include "answers/again.h"
#include "audit/judge.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/text.h"
#include "json/json.h"
#include "manifest/audit.h"
#include "manifest/evaluation.h"
#include "manifest/generation.h"
#include "manifest/lines.h"
#include "manifest/problem_audit.h"
#include "manifest/report.h"
#include "manifest/score.h"
#include "manifest/submission.h"
#include "manifest/suite.h"
#include "score/preset.h"
#include "store/bundle.h"
#include "turns/turns_again.h"
#include "verify/checks.h"
#include "verify/conditions.h"
#include "verify/derived.h"
#include "verify/line_checks.h"
#include "verify/lineage.h"

#define add(c, what, answer, ...)					\
	kb_checks_add(c, KB_LAYER_ARITHMETIC, what, answer, __VA_ARGS__)

/* --- what is judged --------------------------------------------------- */

static void check_findings(struct kb_checks *c, const struct kb_audit *a)
{
	struct kb_err why = KB_ERR_INIT;

	if (kb_audit_judge_again(a, &why) < 0)
		add(c, "findings", KB_ANSWER_NO, "%s", why.msg);
	else
		add(c, "findings", KB_ANSWER_OK,
		    "identical when judged again");
}

/* Fails with KB_ERR_INPUT unless the member holds exactly `want`. By bytes: a
 * score is a function of its parents, and there is one spelling of a record, so
 * that nothing has to be compared member by member, and nothing can be
 * forgotten. */
static int compare_member(const struct kb_bundle *b, const char *member,
			  const struct kb_buf *want, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf got = KB_BUF_INIT;
	int ret = kb_bundle_read(&got, b, member, KB_LINES_BYTES_MAX, err);

	if (ret < 0)
		return ret;
	if (got.len != want->len || memcmp(got.data, want->data, want->len))
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' is not what its parents give", member);
	return 0;
}

static int compare_score(const struct kb_bundle *b, const struct kb_score *s,
			 struct kb_err *err)
{
	kb_auto(json) struct kb_json *record = kb_score_to_json(s);
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret;

	kb_json_print(&text, record);
	ret = compare_member(b, KB_BUNDLE_RECORD, &text, err);
	if (ret < 0)
		return ret;

	kb_buf_clear(&text);
	for (size_t i = 0; i < s->line_count; i++)
		kb_lines_add(&text, kb_score_line_to_json(&s->lines[i]));
	return compare_member(b, KB_SCORES_MEMBER, &text, err);
}

static int judge_again(const struct kb_lineage *l, const struct kb_bundle *b,
		       struct kb_err *err)
{
	kb_auto(score) struct kb_score again = KB_SCORE_INIT;
	int ret = kb_line_checks_judge(l->lines, &again, err);

	if (ret < 0)
		return ret;
	/* Not judged, and asked of the submission by check_model(). */
	if (l->score->has_model)
		kb_score_name_model(&again, l->score->model);
	if (l->score->has_spent)
		kb_score_name_spent(&again, &l->score->spent);
	return compare_score(b, &again, err);
}

static const char *or_not_stated(const char *model)
{
	return model ? model : "not stated";
}

/* A score may have been made where the submission was not. Where it is here,
 * and names a model, nobody can tell such a score from one of which the name was
 * taken out: who has both makes the score again. */
static void check_no_model(struct kb_checks *c,
			   const struct kb_submission *submission)
{
	if (submission && submission->provenance.model)
		add(c, "model", KB_ANSWER_NO,
		    "the score does not say it, and the submission does: %s; "
		    "kb-score makes one that does",
		    submission->provenance.model);
	else if (submission)
		add(c, "model", KB_ANSWER_NOTE,
		    "the score does not say that none is stated, and the "
		    "submission is here");
}

static void check_model(struct kb_checks *c, const struct kb_score *s,
			const struct kb_submission *submission)
{
	const char *claimed = or_not_stated(s->model);

	if (!s->has_model) {
		check_no_model(c, submission);
		return;
	}
	if (!submission)
		add(c, "model", KB_ANSWER_NOT_CHECKED,
		    "the submission is absent, which says it: %s", claimed);
	else if (kb_text_equal(s->model, submission->provenance.model))
		add(c, "model", KB_ANSWER_OK, "as the submission says: %s",
		    claimed);
	else
		add(c, "model", KB_ANSWER_NO,
		    "it is '%s', and the submission says '%s'", claimed,
		    or_not_stated(submission->provenance.model));
}

/* The same of what the candidates cost, which their generation says. */
static void check_spent(struct kb_checks *c, const struct kb_lineage *l)
{
	kb_auto(spent) struct kb_spent again = KB_SPENT_INIT;
	const struct kb_score *s = l->score;
	const bool is_here = l->submission && l->submission->has_generation &&
			     l->generation;

	if (is_here)
		kb_spent_of(&again, l->generation, &l->submission->generation);
	if (!s->has_spent && is_here)
		add(c, "spent", KB_ANSWER_NOTE,
		    "the score does not say it, and the generation is here");
	else if (s->has_spent && is_here && kb_spent_equal(&s->spent, &again))
		add(c, "spent", KB_ANSWER_OK, "as the generation says");
	else if (s->has_spent && l->submission && !is_here &&
		 !l->submission->has_generation)
		add(c, "spent", KB_ANSWER_NO,
		    "the submission was made of no generation");
	else if (s->has_spent && is_here)
		add(c, "spent", KB_ANSWER_NO,
		    "it is not what the generation says");
	else if (s->has_spent)
		add(c, "spent", KB_ANSWER_NOT_CHECKED,
		    "the generation is absent, which says it");
}

/* The same of the suite, and of what it says of the problems. */
static void note_sound(struct kb_checks *c, const struct kb_score *s,
		       const struct kb_suite *suite)
{
	size_t unsound = 0, unknown = 0;

	for (size_t i = 0; i < s->line_count; i++) {
		const struct kb_problem_audit *a =
			kb_suite_audit_of(suite, s->lines[i].key);

		if (!a)
			unknown++;
		else
			unsound += !kb_findings_sound(&a->findings);
	}
	add(c, "sound", KB_ANSWER_NOTE,
	    "the score was made without the suite, which is here: of its %zu "
	    "problems %zu are not sound, and of %zu it is not known",
	    s->line_count, unsound, unknown);
}

/* By which definition is the score's own to say, but of those that there
 * are. */
static void check_definition(struct kb_checks *c, const struct kb_lineage *l)
{
	const struct kb_score *s = l->score;
	const char *tool = kb_json_string_value(kb_json_find(s->tool, "name"));
	struct kb_choice choice;

	if (strcmp(tool, "kb-score"))
		add(c, "definition", KB_ANSWER_NO,
		    "the tool is '%s', and only 'kb-score' makes scores", tool);
	if (kb_preset_read(&choice, s->definition, NULL) < 0)
		return;			/* judging again says so */
	if (choice.preset == KB_PRESET_FIRST)
		add(c, "definition", KB_ANSWER_NO,
		    "it has no preset, and every score of this version has "
		    "one");
	else if (kb_choice_tells_sound(&choice) && !s->has_sound)
		add(c, "definition", KB_ANSWER_NO,
		    "it does not say what is sound, and by its preset every "
		    "score does");
	else if (s->has_sound && l->suite &&
		 s->sound.verdicts == KB_VERDICTS_SUITE_ABSENT)
		note_sound(c, s, l->suite);
}

/* Is there a parent of that kind, and not what it should be? */
static bool is_damaged(const struct kb_checks *c, enum kb_kind kind)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->items[i].layer == KB_LAYER_CHAIN &&
		    c->items[i].answer == KB_ANSWER_NO &&
		    !strcmp(c->items[i].what, kb_kind_name(kind)))
			return true;
	return false;
}

static int check_score(struct kb_checks *c, const struct kb_lineage *l,
		       const struct kb_bundle *b, struct kb_err *err)
{
	struct kb_err why = KB_ERR_INIT;
	int ret;

	if (!l->evaluation || !l->baseline) {
		const enum kb_kind lacking = l->evaluation ? KB_KIND_BASELINE :
							     KB_KIND_EVALUATION;

		add(c, "score", KB_ANSWER_NO,
		    "cannot be judged again without its %s%s",
		    kb_kind_name(lacking), is_damaged(c, lacking) ? "" :
		    ", which is not in the store: repeat --store for further stores");
		return 0;
	}
	if (!l->suite && l->score->stated.suite_problems != KB_UNKNOWN) {
		add(c, "score", KB_ANSWER_NO,
		    "cannot be judged again without the suite, which says "
		    "what is sound");
		return 0;
	}
	check_definition(c, l);
	ret = judge_again(l, b, &why);
	if (ret < 0 && !kb_is_answer(ret))
		return kb_err_take(err, &why);
	if (ret < 0)
		add(c, "score", KB_ANSWER_NO, "%s", why.msg);
	else
		add(c, "score", KB_ANSWER_OK, "identical when judged again");
	kb_baseline_lines_end_errors(&l->lines->baseline_lines, c);
	check_model(c, l->score, l->submission);
	check_spent(c, l);
	return 0;
}

/* Each kind is made by one program, and another name would send who asks for
 * its source to the wrong one. */
static void check_packer(struct kb_checks *c, const struct kb_report *r)
{
	const char *tool = kb_json_string_value(kb_json_find(r->tool, "name"));

	if (strcmp(tool, "kb-pack"))
		add(c, "report", KB_ANSWER_NO,
		    "the tool is '%s', and only 'kb-pack' makes reports", tool);
}

/* --- generations ------------------------------------------------------ */

static void check_again(struct kb_checks *c, const char *what, int ret,
			const struct kb_err *why, const char *ok)
{
	if (ret < 0)
		add(c, what, KB_ANSWER_NO, "%s", why->msg);
	else
		add(c, what, KB_ANSWER_OK, "%s", ok);
}

static void check_generation(struct kb_checks *c,
			     const struct kb_generation *g)
{
	const char *tool = kb_json_string_value(kb_json_find(g->tool, "name"));
	struct kb_err why = KB_ERR_INIT;

	if (strcmp(tool, "kb-generate"))
		add(c, "requests", KB_ANSWER_NO,
		    "the tool is '%s', and only 'kb-generate' makes generations",
		    tool);
	check_again(c, "options", kb_generation_options_again(g, &why), &why,
		    "settings and prices are what they say");
	check_again(c, "requests", kb_generation_requests_again(g, &why), &why,
		    "each is what its prompt and the settings make");
	check_again(c, "answers", kb_generation_replies_again(g, &why), &why,
		    "each gives the same when read again");
	if (g->asked.has_refinement)
		check_again(c, "turns", kb_generation_turns_again(g, &why),
			    &why, "each sample went on until something ended it");
	check_again(c, "totals", kb_generation_totals_again(g, &why), &why,
		    "they are the sums of the lines");
}

int kb_arithmetic_check(struct kb_checks *c, const struct kb_lineage *l,
			const struct kb_bundle *b, struct kb_err *err)
{
	switch (l->kind) {
	case KB_KIND_BASELINE:
		kb_derived_check_baseline(c, l->baseline, l->suite);
		kb_conditions_verify(c, &l->baseline->conditions, l->kind);
		break;
	case KB_KIND_EVALUATION:
		kb_derived_lines_end(&l->lines->derived, c);
		kb_conditions_verify(c, &l->evaluation->conditions, l->kind);
		break;
	case KB_KIND_AUDIT:
		check_findings(c, l->audit);
		kb_conditions_verify(c, &l->audit->conditions, l->kind);
		break;
	case KB_KIND_SCORE:
		return check_score(c, l, b, err);
	case KB_KIND_REPORT:		/* its files are not ours to read */
		check_packer(c, l->report);
		break;
	case KB_KIND_GENERATION:
		check_generation(c, l->generation);
		break;
	case KB_KIND_SUITE:
	case KB_KIND_SUBMISSION:
	case KB_KIND_COUNT:
		add(c, "arithmetic", KB_ANSWER_OK, "nothing is derived");
	}
	return 0;
}
