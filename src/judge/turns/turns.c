#include "turns/turns.h"

#include <stdlib.h>
#include <string.h>

#include "answers/answer.h"
#include "answers/messages.h"
#include "answers/request.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "device/division.h"
#include "json/json.h"
#include "manifest/evaluation.h"
#include "turns/feedback.h"
#include "turns/trajectory.h"

/* --- where it stands --------------------------------------------------- */

int kb_turn_in_hand(const struct kb_generation *g)
{
	int turn = 1;

	for (size_t i = 0; i < g->line_count; i++)
		if (g->lines[i].turn > turn)
			turn = g->lines[i].turn;
	return turn;
}

static bool is_judged(const struct kb_generation *g, int turn)
{
	for (size_t i = 0; i < g->line_count; i++)
		if (g->lines[i].turn == turn && g->lines[i].judged)
			return true;
	return false;
}

bool kb_turns_are_over(const struct kb_generation *g)
{
	return is_judged(g, kb_turn_in_hand(g));
}

size_t kb_turn_code_count(const struct kb_generation *g, int turn)
{
	size_t count = 0;

	for (size_t i = 0; i < g->line_count; i++)
		count += g->lines[i].turn == turn &&
			 g->lines[i].reply.outcome == KB_REPLY_CODE;
	return count;
}

/* --- judging ----------------------------------------------------------- */

int kb_turn_judge_check(const struct kb_turn_judge *j,
			const struct kb_generation *g, struct kb_err *err)
{
	kb_auto(mismatches) struct kb_mismatches m = KB_MISMATCHES_INIT;
	struct kb_division d;

	if (!j->evaluation)
		return 0;
	if (!kb_digest_equal(&j->evaluation->suite, &g->asked.suite))
		return kb_err(err, KB_ERR_INPUT,
			      "the evaluation is of another suite");
	if (!j->baseline)
		return 0;
	d = kb_division_of(j->evaluation, j->baseline, j->suite);
	kb_division_diff(&m, &d);
	if (m.count)
		return kb_err(err, KB_ERR_INPUT,
			      "the baseline was made under other conditions than the evaluation: '%s' differs",
			      m.items[0].field);
	return 0;
}

/* By the digest of the code as well as by its number: an evaluation of an
 * earlier turn has the same samples, and its verdicts would be told of code
 * that they are not about. */
static const struct kb_result *find_result(const struct kb_evaluation *e,
					   const struct kb_generated *l)
{
	size_t count = 0;
	const struct kb_result *r = e ? kb_evaluation_find(e, l->key, &count)
				      : NULL;

	for (size_t i = 0; r && i < count; i++)
		if (r[i].sample_id == l->sample_id &&
		    r[i].outcome.status != KB_STATUS_MISSING &&
		    kb_digest_equal(&r[i].candidate, &l->reply.code))
			return &r[i];
	return NULL;
}

/* The end of a trajectory is decided first. Nobody is told of the last attempt,
 * and a text that was made for no prompt could not be verified. */
static int tell_attempt(struct kb_judged *judged, const struct kb_generation *g,
			const struct kb_attempt *a, struct kb_err *err)
{
	struct kb_trajectory t = { .count = (size_t)a->line->turn };
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret;

	t.lines = a->line - (a->line->turn - 1);
	if (kb_trajectory_ending(&t, judged, &g->asked) != KB_GOES_ON)
		return 0;
	ret = kb_attempt_tell(&text, a, judged, &g->asked.refinement, err);
	if (ret == 0)
		judged->told = kb_buf_detach(&text);
	return ret;
}

static int judge_attempt(struct kb_judged *out, const struct kb_generation *g,
			 const struct kb_attempt *a, struct kb_err *err)
{
	int ret = kb_attempt_judge(out, a, err);

	return ret < 0 ? ret : tell_attempt(out, g, a, err);
}

int kb_turn_judge_line(struct kb_judged **out, const struct kb_generation *g,
		       size_t i, const struct kb_turn_judge *j,
		       struct kb_err *err)
{
	const struct kb_generated *l = &g->lines[i];
	kb_auto(judged) struct kb_judged *judged = NULL;
	struct kb_attempt a = {
		.line = l, .baseline = j->baseline, .bound_ns = KB_UNKNOWN,
	};
	char key[KB_KEY_SIZE];
	int ret;

	*out = NULL;
	if (!kb_reply_is_answer(&l->reply))
		return 0;
	kb_key_format(key, l->key);
	/* An answer without code has no result, and is judged all the same:
	 * the model is told what is wrong with it, and has its next turn. */
	if (l->reply.outcome == KB_REPLY_CODE) {
		a.result = find_result(j->evaluation, l);
		a.bound_ns = j->bound_ns(j->context, l->key);
		if (!a.result)
			return kb_err(err, KB_ERR_INPUT,
				      "the evaluation does not judge what was answered for sample %d of problem '%s' in turn %d",
				      l->sample_id, key, l->turn);
	}
	judged = kb_xcalloc(1, sizeof(*judged));
	ret = judge_attempt(judged, g, &a, err);
	if (ret < 0)
		return kb_err_wrap(err, "sample %d of problem '%s', turn %d",
				   l->sample_id, key, l->turn);
	*out = kb_steal(judged);
	return 0;
}

/* --- the next turn ----------------------------------------------------- */

/* An attempt, and what is told of it. */
static bool add_attempt(struct kb_json *messages, const struct kb_generation *g,
			const struct kb_generated *l)
{
	kb_auto(answer) struct kb_answer a = KB_ANSWER_INIT;

	if (!l->answer || !l->judged || !l->judged->told ||
	    kb_answer_parse(&a, l->answer, strlen(l->answer),
			    kb_generation_extraction(g), "an answer", NULL) < 0)
		return false;
	kb_message_add(messages, "assistant", a.text ? a.text : "(no text)");
	kb_message_add(messages, "user", l->judged->told);
	return true;
}

/* The last attempt is always shown, since the verdict at the end of the prompt
 * is on it. */
static bool is_shown(const struct kb_trajectory *t, size_t i,
		     enum kb_history history)
{
	return history == KB_HISTORY_ALL || i + 1 == t->count ||
	       (history == KB_HISTORY_BEST &&
		kb_trajectory_best(t) == &t->lines[i]);
}

struct kb_json *kb_turn_messages(const struct kb_generation *g, size_t first,
				 int turn)
{
	const struct kb_trajectory t = {
		.lines = &g->lines[first], .count = (size_t)turn,
	};
	const struct kb_prompt *p = kb_generation_prompt(g,
							 &t.lines[0].prompt);
	kb_auto(json) struct kb_json *messages = p ? kb_json_copy(p->messages)
						   : NULL;

	for (size_t i = 0; messages && i < t.count; i++)
		if (is_shown(&t, i, g->asked.refinement.history) &&
		    !add_attempt(messages, g, &t.lines[i]))
			return NULL;
	return kb_steal(messages);
}

/* A second sample may have come to the same prompt, and prompts are stored
 * once. */
static void add_prompt(struct kb_generation *g, struct kb_prompt *p)
{
	for (size_t i = 0; i < g->prompt_count; i++)
		if (kb_digest_equal(&g->prompts[i].digest, &p->digest)) {
			kb_prompt_release(p);
			return;
		}
	g->prompts = kb_xreallocarray(g->prompts, g->prompt_count + 1,
				      sizeof(*g->prompts));
	g->prompts[g->prompt_count++] = *p;
}

/* `messages` is moved. */
static void add_line(struct kb_generation *g, const struct kb_generated *last,
		     struct kb_json *messages)
{
	struct kb_prompt p = { .messages = messages };
	struct kb_generated next = KB_GENERATED_INIT;

	kb_prompt_digest(&p.digest, messages);
	next.key = last->key;
	next.sample_id = last->sample_id;
	next.turn = last->turn + 1;
	next.is_refined = true;
	kb_request_name(&next, &g->asked, &p);
	add_prompt(g, &p);
	g->lines = kb_xreallocarray(g->lines, g->line_count + 1,
				    sizeof(*g->lines));
	g->lines[g->line_count++] = next;
}

void kb_turn_begin(struct kb_generation *g)
{
	const int turn = kb_turn_in_hand(g);
	const size_t count = g->line_count, prompts = g->prompt_count;
	struct kb_json **messages = kb_xcalloc(count, sizeof(*messages));

	/* All of them before the first is added, which moves what is there. */
	for (size_t i = 0; i < count; i++) {
		const struct kb_generated *l = &g->lines[i];

		if (l->turn == turn && l->judged && l->judged->told)
			messages[i] = kb_turn_messages(
				g, i - (size_t)(turn - 1), turn);
	}
	for (size_t i = 0; i < count; i++)
		if (messages[i])
			add_line(g, &(struct kb_generated){
				.key = g->lines[i].key,
				.sample_id = g->lines[i].sample_id,
				.turn = turn }, messages[i]);
	free(messages);
	if (g->line_count > count || g->prompt_count > prompts)
		kb_generation_sort(g);
}
