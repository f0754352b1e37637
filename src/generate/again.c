#include "generate/again.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "generate/answer.h"
#include "generate/request.h"
#include "json/json.h"

static int refuse(const struct kb_generated *l, const char *why,
		  struct kb_err *err)
{
	char key[KB_KEY_SIZE];

	kb_key_format(key, l->key);
	return kb_err(err, KB_ERR_INPUT,
		      "sample %d of problem '%s', turn %d: %s", l->sample_id,
		      key, l->turn, why);
}

static int request_again(const struct kb_generation *g,
			 const struct kb_generated *l, struct kb_err *err)
{
	struct kb_generated again = {
		.key = l->key, .sample_id = l->sample_id, .turn = l->turn,
	};
	const struct kb_prompt *p = kb_generation_prompt(g, &l->prompt);

	if (!p)
		return refuse(l, "its prompt is not there", err);
	kb_request_name(&again, &g->asked, p);
	if (again.seed != l->seed)
		return refuse(l, "the seed is another one", err);
	if (!kb_digest_equal(&again.request, &l->request))
		return refuse(l, "the request is another one", err);
	return 0;
}

int kb_generation_requests_again(const struct kb_generation *g,
				 struct kb_err *err)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < g->line_count; i++)
		ret = request_again(g, &g->lines[i], err);
	return ret;
}

static int reply_again(const struct kb_generation *g,
		       const struct kb_generated *l, struct kb_err *err)
{
	kb_auto(answer) struct kb_answer a = KB_ANSWER_INIT;
	char id[KB_CUSTOM_ID_SIZE];
	struct kb_err why = KB_ERR_INIT;

	/* Nothing came, and nothing follows from it. */
	if (!l->answer)
		return kb_reply_equal(&a.reply, &l->reply) ? 0 :
		       refuse(l, "there is no answer, and it gives something",
			      err);
	if (kb_answer_parse(&a, l->answer, strlen(l->answer),
			    g->asked.backend, "its answer", &why) < 0)
		return refuse(l, why.msg, err);
	kb_custom_id_format(id, l);
	if (strcmp(a.custom_id, id))
		return refuse(l, "the answer is to another request", err);
	if (!kb_reply_equal(&a.reply, &l->reply))
		return refuse(l, "the answer gives something else", err);
	return 0;
}

int kb_generation_replies_again(const struct kb_generation *g,
				struct kb_err *err)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < g->line_count; i++)
		ret = reply_again(g, &g->lines[i], err);
	return ret;
}

static bool same_usage(const struct kb_usage *a, const struct kb_usage *b)
{
	return a->input_tokens == b->input_tokens &&
	       a->cached_tokens == b->cached_tokens &&
	       a->output_tokens == b->output_tokens &&
	       a->reasoning_tokens == b->reasoning_tokens;
}

static bool same_totals(const struct kb_generation_totals *a,
			const struct kb_generation_totals *b)
{
	for (int i = 0; i < KB_REPLY_OUTCOME_COUNT; i++)
		if (a->outcomes[i] != b->outcomes[i])
			return false;
	return same_usage(&a->usage, &b->usage) &&
	       a->without_usage == b->without_usage &&
	       a->latency_ns == b->latency_ns && a->cost_nano == b->cost_nano;
}

int kb_generation_totals_again(const struct kb_generation *g,
			       struct kb_err *err)
{
	struct kb_generation_totals again;

	kb_generation_sum(&again, g);
	if (!same_totals(&again, &g->totals))
		return kb_err(err, KB_ERR_INPUT,
			      "the totals are not the sums of the lines");
	return 0;
}
