#include "verify/chain.h"

#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/text.h"
#include "device/division.h"
#include "json/json.h"
#include "manifest/audit.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/generation.h"
#include "manifest/score.h"
#include "manifest/select.h"
#include "manifest/submission.h"
#include "manifest/suite.h"
#include "source/code_backend.h"
#include "turns/submit.h"
#include "verify/checks.h"
#include "verify/line_checks.h"
#include "verify/lineage.h"
#include "verify/turns.h"

#define add(c, what, answer, ...)					\
	kb_checks_add(c, KB_LAYER_CHAIN, what, answer, __VA_ARGS__)

/* --- problems --------------------------------------------------------- */

static const char *option_of(const struct kb_json *options, const char *name)
{
	const struct kb_json *v = kb_json_find(options, name);

	return v ? kb_json_string_value(v) : NULL;
}

static bool has_key(const struct kb_key *keys, size_t count, struct kb_key key)
{
	return kb_key_find(keys, count, sizeof(key), key, NULL) != NULL;
}

/* The keys in `keys` that are not among `others`. */
static void refuse_others(struct kb_checks *c, const struct kb_key *keys,
			  size_t count, const struct kb_key *others,
			  size_t other_count, const char *why)
{
	char key[KB_KEY_SIZE];

	for (size_t i = 0; i < count; i++) {
		if (has_key(others, other_count, keys[i]))
			continue;
		kb_key_format(key, keys[i]);
		add(c, "problems", KB_ANSWER_NO, "problem '%s' %s", key, why);
	}
}

static void refuse_unknown(struct kb_checks *c, const struct kb_selection *s,
			   const struct kb_suite *suite)
{
	char key[KB_KEY_SIZE];

	for (size_t i = 0; i < s->count; i++) {
		if (kb_suite_find(suite, s->problems[i]))
			continue;
		kb_key_format(key, s->problems[i]);
		add(c, "problems", KB_ANSWER_NO,
		    "the suite has no problem '%s'", key);
	}
}

/* Select the problems again by the options. The record must have the same: none
 * was dropped, and none added. */
void kb_chain_check_problems(struct kb_checks *c, const struct kb_selection *s,
			     const struct kb_suite *suite)
{
	kb_auto(mem) struct kb_key *keys = NULL;
	struct kb_err why = KB_ERR_INIT;
	size_t count = 0;

	if (!suite)
		return;
	refuse_unknown(c, s, suite);
	if (kb_select(&keys, &count, suite, option_of(s->options, "problems"),
		      option_of(s->options, "levels"), &why) < 0) {
		add(c, "problems", KB_ANSWER_NO,
		    "the options select nothing: %s", why.msg);
		return;
	}
	refuse_others(c, keys, count, s->problems, s->count,
		      "of the suite is selected by the options, and left out");
	if (!kb_checks_count(c, "problems", KB_ANSWER_NO))
		refuse_others(c, s->problems, s->count, keys, count,
			      "is not among those that the options select");
	if (!kb_checks_count(c, "problems", KB_ANSWER_NO))
		add(c, "problems", KB_ANSWER_OK,
		    "%zu of the suite's %zu",
		    s->count, suite->problem_count);
}

/* --- ranks ---------------------------------------------------------------- */

/* Several ranks on GPUs are compared by the links of their GPUs. One rank has none.
 * Nothing is said of what is so. */
static void check_ranks(struct kb_checks *c, const struct kb_conditions *k,
			const struct kb_suite *suite)
{
	const struct kb_json *gpu = kb_json_find(k->environment, "gpu");
	const char *links = gpu ? kb_json_text(gpu, "links") : NULL;

	if (links && strcmp(links, "nvlink") && strcmp(links, "pcie"))
		add(c, "ranks", KB_ANSWER_NO, "'gpu.links' is neither 'nvlink' "
		    "nor 'pcie'");
	else if (suite && gpu && (suite->world > 1) !=
			 (kb_json_find(gpu, "links") != NULL))
		add(c, "ranks", KB_ANSWER_NO, "each problem has %d ranks, and "
		    "'gpu.links' is %s", suite->world,
		    suite->world > 1 ? "not there" : "there");
}

/* --- server --------------------------------------------------------------- */

/* kb-serve writes the submission of its evaluation itself, and answers from memory
 * only if it was asked to. */
static void check_served(struct kb_checks *c, const struct kb_evaluation *e,
			 const struct kb_submission *s)
{
	const char *memory = option_of(e->conditions.options, "memory");

	if (!e->served.asked)
		return;
	if (e->served.remembered && (!memory || strcmp(memory, "true")))
		add(c, "served", KB_ANSWER_NO, "requests were answered from "
		    "memory, and the option 'memory' is '%s'",
		    memory ? memory : "absent");
	if (s && s->source_format != KB_FORMAT_SERVED)
		add(c, "served", KB_ANSWER_NO, "a server evaluated it, and "
		    "did not write the submission");
}

/* --- mode ---------------------------------------------------------------- */

static bool has_word(const char *list, const char *word)
{
	const size_t len = strlen(word);

	for (const char *at = list; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (!strncmp(at, word, len) && (!at[len] || at[len] == ','))
			return true;
	}
	return false;
}

/* A baseline is of one of the modes that were asked for. Nothing is said of
 * one that is. */
void kb_chain_check_mode(struct kb_checks *c, const struct kb_baseline *b)
{
	const char *modes = option_of(b->conditions.options, "modes");
	const char *mode = kb_mode_name(b->mode);

	if (!modes)
		add(c, "mode", KB_ANSWER_NO, "there is no option 'modes'");
	else if (!has_word(modes, mode))
		add(c, "mode", KB_ANSWER_NO,
		    "it is '%s', and the option 'modes' is '%s'", mode, modes);
}

/* --- candidates ------------------------------------------------------- */

static void refuse_line(struct kb_checks *c, const struct kb_result *r,
			const char *why)
{
	char key[KB_KEY_SIZE];

	kb_key_format(key, r->key);
	add(c, "candidates", KB_ANSWER_NO, "sample %d of problem '%s' %s",
	    r->sample_id, key, why);
}

/* Lines from before there were backends have none. */
static void check_backend(struct kb_checks *c, const struct kb_result *r,
			  const struct kb_candidate *candidate,
			  const struct kb_bundle *bundle)
{
	kb_auto(buf) struct kb_buf code = KB_BUF_INIT;
	const char *backend;

	/* A damaged bundle has its own check. */
	if (!r->backend || !bundle ||
	    kb_bundle_read(&code, bundle, candidate->file,
			   KB_CANDIDATE_BYTES_MAX, NULL) < 0)
		return;
	backend = kb_code_backend(candidate->runtime, code.data, code.len);
	if (!strcmp(backend, r->backend))
		return;
	code.len = 0;
	kb_buf_addf(&code, "is called '%s', and by its code is '%s'",
		    r->backend, backend);
	refuse_line(c, r, code.data);
}

/* A line of a candidate that there is: of that file, and not "missing". */
static void check_line(struct kb_checks *c, const struct kb_result *r,
		       const struct kb_candidate *candidate,
		       const struct kb_bundle *bundle)
{
	if (r->outcome.status == KB_STATUS_MISSING)
		refuse_line(c, r, "is called missing, and was submitted");
	else if (!kb_digest_equal(&candidate->digest, &r->candidate))
		refuse_line(c, r, "is another file in the submission");
	else if (r->output_pool_bytes && candidate->runtime != KB_RUNTIME_TORCH)
		refuse_line(c, r, "has 'output_pool_bytes', and native code "
			    "leaves nothing in a pool");
	else
		check_backend(c, r, candidate, bundle);
}

/* Failures cannot be dropped: every candidate of a problem that was selected
 * has its line. */
static void check_dropped(struct kb_checks *c,
			  const struct kb_candidate *candidate,
			  const struct kb_evaluation *e)
{
	char key[KB_KEY_SIZE];

	if (!kb_key_find(e->problems, e->problem_count, sizeof(*e->problems),
			 candidate->key, NULL))
		return;
	kb_key_format(key, candidate->key);
	add(c, "candidates", KB_ANSWER_NO,
	    "sample %d of problem '%s' was submitted and has no line",
	    candidate->sample_id, key);
}

static int compare_keys(const struct kb_result *r, const struct kb_candidate *k)
{
	return kb_sample_compare(r->key, r->sample_id, k->key, k->sample_id);
}

void kb_candidate_lines_begin(struct kb_candidate_lines *l,
			      const struct kb_evaluation *e,
			      const struct kb_submission *s,
			      const struct kb_bundle *bundle)
{
	*l = (struct kb_candidate_lines){
		.evaluation = e, .submission = s, .bundle = bundle,
		.next = s ? s->candidates : NULL,
		.end = s ? s->candidates + s->candidate_count : NULL,
	};
}

/* Both are sorted, so that one pass sees what only one of them has. */
void kb_candidate_lines_take(struct kb_candidate_lines *l,
			     const struct kb_result *r)
{
	struct kb_checks *c = &l->of_candidates;

	l->lines++;
	if (!l->submission)
		return;
	while (l->next < l->end && compare_keys(r, l->next) > 0)
		check_dropped(c, l->next++, l->evaluation);
	if (l->next < l->end && compare_keys(r, l->next) == 0)
		check_line(c, r, l->next++, l->bundle);
	else if (r->outcome.status != KB_STATUS_MISSING)
		refuse_line(c, r, "was not submitted");
}

void kb_candidate_lines_end(struct kb_candidate_lines *l, struct kb_checks *c)
{
	if (!l->submission)
		return;
	while (l->next < l->end)
		check_dropped(&l->of_candidates, l->next++, l->evaluation);
	kb_checks_move(c, &l->of_candidates);
	if (!kb_checks_count(c, "candidates", KB_ANSWER_NO))
		add(c, "candidates", KB_ANSWER_OK,
		    "%zu lines, of the submission's %zu", l->lines,
		    l->submission->candidate_count);
}

void kb_candidate_lines_release(struct kb_candidate_lines *l)
{
	kb_checks_release(&l->of_candidates);
}

void kb_chain_check_candidates(struct kb_checks *c,
			       const struct kb_evaluation *e,
			       const struct kb_submission *s)
{
	struct kb_candidate_lines l;

	kb_candidate_lines_begin(&l, e, s, NULL);
	for (size_t i = 0; i < e->result_count; i++)
		kb_candidate_lines_take(&l, &e->results[i]);
	kb_candidate_lines_end(&l, c);
	kb_candidate_lines_release(&l);
}

/* --- a score's parents ------------------------------------------------ */

static bool is_allowed(const struct kb_score *s, const char *field)
{
	for (size_t i = 0; i < s->allowed.count; i++)
		if (!strcmp(s->allowed.items[i].field, field))
			return true;
	return false;
}

static const char *or_absent(const char *text)
{
	return text ? text : "(absent)";
}

/* A score that was made with its suite knew which problems need what. Where the
 * suite is not there now, nobody can say. */
static struct kb_division division_of(const struct kb_lineage *l)
{
	struct kb_division d = kb_division_of(l->evaluation, l->baseline,
					      l->suite);

	if (!l->suite && l->score->stated.suite_problems != KB_UNKNOWN)
		d.left.problem_count = 0;
	return d;
}

/* Compared again from the parents' records. A score that says that it allowed a
 * difference is honest about it, and is told so in a note; one that hides a
 * difference is refused. */
static void check_match_keys(struct kb_checks *c, const struct kb_lineage *l)
{
	const struct kb_division d = division_of(l);
	const struct kb_score *s = l->score;
	kb_auto(mismatches) struct kb_mismatches m = KB_MISMATCHES_INIT;

	kb_division_diff(&m, &d);
	for (size_t i = 0; i < m.count; i++) {
		if (is_allowed(s, m.items[i].field))
			continue;
		add(c, "match_keys", KB_ANSWER_NO,
		    "'%s' is '%s' of the evaluation and '%s' of the baseline",
		    m.items[i].field, or_absent(m.items[i].left),
		    or_absent(m.items[i].right));
	}
	if (kb_checks_count(c, "match_keys", KB_ANSWER_NO))
		return;
	if (m.count)
		add(c, "match_keys", KB_ANSWER_NOTE,
		    "the score allowed that they differ; fields: %zu",
		    m.count);
	else
		add(c, "match_keys", KB_ANSWER_OK, "they are the same");
}

/* Candidates may be evaluated on any suite with the same keys. Whoever reads that a
 * model solves its problems is told that it was asked other ones. */
static void note_asked(struct kb_checks *c, const struct kb_lineage *l)
{
	char hex[KB_DIGEST_HEX_SIZE];

	if (!l->generation || kb_digest_equal(&l->generation->asked.suite,
					      &l->evaluation->suite))
		return;
	kb_digest_format(&l->generation->asked.suite, hex);
	kb_checks_add(c, KB_LAYER_CHAIN, "asked", KB_ANSWER_NOTE,
		      "the model was asked the problems of another suite, %s",
		      hex);
}

static void check_score(struct kb_checks *c, const struct kb_lineage *l)
{
	if (!l->evaluation || !l->baseline)
		return;
	if (kb_digest_equal(&l->evaluation->suite, &l->baseline->suite))
		add(c, "same_suite", KB_ANSWER_OK,
		    "evaluation and baseline are of one suite");
	else
		add(c, "same_suite", KB_ANSWER_NO,
		    "evaluation and baseline are of two suites");
	check_match_keys(c, l);
	note_asked(c, l);
}

/* --- a submission's candidates ---------------------------------------- */

static bool same_candidate(const struct kb_candidate *a,
			   const struct kb_candidate *b)
{
	return !kb_key_compare(a->key, b->key) &&
	       a->sample_id == b->sample_id && a->runtime == b->runtime &&
	       kb_digest_equal(&a->digest, &b->digest);
}

/* The first in which they differ, or both are the same. */
static void compare_candidates(struct kb_checks *c,
			       const struct kb_submission *s,
			       const struct kb_submission *again)
{
	char key[KB_KEY_SIZE];

	if (s->candidate_count != again->candidate_count)
		add(c, "extracted", KB_ANSWER_NO,
		    "the answers give %zu candidates, and %zu are here",
		    again->candidate_count, s->candidate_count);
	for (size_t i = 0; i < s->candidate_count &&
			   !kb_checks_count(c, "extracted", KB_ANSWER_NO); i++) {
		if (same_candidate(&s->candidates[i], &again->candidates[i]))
			continue;
		kb_key_format(key, s->candidates[i].key);
		add(c, "extracted", KB_ANSWER_NO,
		    "sample %d of problem '%s' is not what the answers give",
		    s->candidates[i].sample_id, key);
	}
	if (!kb_checks_count(c, "extracted", KB_ANSWER_NO))
		add(c, "extracted", KB_ANSWER_OK,
		    "every candidate is what its answer gives: %zu",
		    s->candidate_count);
}

/* The submission repeats the generation's provenance. */
static void compare_provenance(struct kb_checks *c,
			       const struct kb_provenance *p,
			       const struct kb_provenance *again)
{
	const struct {
		const char *name;
		bool same;
	} members[] = {
		{ "model", kb_text_equal(p->model, again->model) },
		{ "temperature", kb_text_equal(p->temperature,
						again->temperature) },
		{ "top_p", kb_text_equal(p->top_p, again->top_p) },
		{ "max_tokens", p->max_tokens == again->max_tokens },
		{ "seed", p->seed == again->seed },
		{ "samples_per_problem", p->samples_per_problem ==
					 again->samples_per_problem },
		{ "prompt_sha256", kb_text_equal(p->prompt_sha256,
						  again->prompt_sha256) },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(members); i++)
		if (!members[i].same)
			add(c, "extracted", KB_ANSWER_NO,
			    "'%s' is not what the generation says",
			    members[i].name);
}

/* The answers are in the generation, so that what they give can be extracted
 * again: a candidate that was mended by hand is not the model's. */
static void check_extracted(struct kb_checks *c,
			    const struct kb_submission *s,
			    const struct kb_generation *g)
{
	kb_auto(submission) struct kb_submission again = KB_SUBMISSION_INIT;
	struct kb_err why = KB_ERR_INIT;

	if (!g)
		return;
	if (kb_submission_again(&again, g, &why) < 0) {
		add(c, "extracted", KB_ANSWER_NO, "%s", why.msg);
		return;
	}
	compare_provenance(c, &s->provenance, &again.provenance);
	compare_candidates(c, s, &again);
}

static void say_nothing_else(struct kb_checks *c)
{
	add(c, "chain", KB_ANSWER_OK, "it was made from nothing else");
}

/* A submitter could leave failures out and write down any model. No record that
 * kb made is older than this rule. */
static void check_claims(struct kb_checks *c, const struct kb_submission *s)
{
	struct kb_err why = KB_ERR_INIT;

	if (s && kb_submission_check_claims(s, &why) < 0)
		add(c, "claims", KB_ANSWER_NO, "of the submission: %s",
		    why.msg);
}

static void check_submission(struct kb_checks *c, const struct kb_lineage *l)
{
	check_claims(c, l->submission);
	add(c, "origin", KB_ANSWER_NOT_CHECKED,
	    "nobody can check which model wrote the candidates, or that none "
	    "was left out");
	if (l->submission->has_generation)
		check_extracted(c, l->submission, l->generation);
	else
		say_nothing_else(c);
}

/* Results on a derived suite are not results on its parent's problems. */
static void note_derivation(struct kb_checks *c, const struct kb_suite *suite)
{
	char hex[KB_DIGEST_HEX_SIZE];

	if (!suite || !kb_suite_is_derived(suite))
		return;
	kb_digest_format(&suite->parent, hex);
	if (suite->sizes.count)
		add(c, "sizes", KB_ANSWER_NOTE,
		    "the suite is derived by sizes from %s", hex);
	if (suite->backward.is_set)
		add(c, "backward", KB_ANSWER_NOTE,
		    "the suite is of gradients of %s", hex);
}

void kb_chain_check(struct kb_checks *c, const struct kb_lineage *l)
{
	if (l->kind != KB_KIND_SUITE)
		note_derivation(c, l->suite);
	switch (l->kind) {
	case KB_KIND_BASELINE:
		kb_chain_check_problems(c, &(struct kb_selection){
			l->baseline->problems, l->baseline->problem_count,
			l->baseline->conditions.options }, l->suite);
		kb_chain_check_mode(c, l->baseline);
		check_ranks(c, &l->baseline->conditions, l->suite);
		break;
	case KB_KIND_AUDIT:
		kb_chain_check_problems(c, &(struct kb_selection){
			l->audit->problems, l->audit->problem_count,
			l->audit->conditions.options }, l->suite);
		break;
	case KB_KIND_EVALUATION:
		kb_chain_check_problems(c, &(struct kb_selection){
			l->evaluation->problems, l->evaluation->problem_count,
			l->evaluation->conditions.options }, l->suite);
		kb_candidate_lines_end(&l->lines->candidates, c);
		check_ranks(c, &l->evaluation->conditions, l->suite);
		check_served(c, l->evaluation, l->submission);
		check_claims(c, l->submission);
		break;
	case KB_KIND_SCORE:
		check_score(c, l);
		break;
	case KB_KIND_GENERATION:
		kb_chain_check_problems(c, &(struct kb_selection){
			l->generation->asked.problems,
			l->generation->asked.problem_count,
			l->generation->asked.options }, l->suite);
		kb_turns_check(c, l);
		break;
	case KB_KIND_SUBMISSION:
		check_submission(c, l);
		break;
	case KB_KIND_SUITE:
		if (!kb_suite_is_derived(l->suite))
			say_nothing_else(c);
		break;
	case KB_KIND_REPORT:
	case KB_KIND_COUNT:
		say_nothing_else(c);
	}
}
