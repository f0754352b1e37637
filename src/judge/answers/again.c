#include "answers/again.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers/answer.h"
#include "answers/request.h"
#include "answers/settings.h"
#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/text.h"
#include "json/json.h"
#include "manifest/fields.h"

/* --- options ---------------------------------------------------------- */

static const char *option_text(const struct kb_generation *g, const char *name)
{
	const struct kb_json *v = kb_json_find(g->asked.options, name);

	return v ? kb_json_string_value(v) : NULL;
}

static bool says_int(const struct kb_generation *g, const char *name,
		     int64_t want)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, want);
	return kb_text_equal(option_text(g, name), text);
}

static bool seed_follows(const struct kb_generation *g)
{
	const int64_t seed = g->asked.seed;

	if (seed == KB_UNKNOWN)
		return kb_text_equal(option_text(g, "no-seed"), "true");
	return kb_text_equal(option_text(g, "no-seed"), "false") &&
	       says_int(g, "seed", seed);
}

static int64_t count_of(const struct kb_generation *g, const char *name)
{
	const char *text = option_text(g, name);

	return text ? strtoll(text, NULL, 10) : KB_UNKNOWN;
}

static bool sampling_follows(const struct kb_generation *g)
{
	kb_auto(mem) char *text = NULL;
	const struct kb_sampling s = {
		.temperature = option_text(g, "temperature"),
		.top_p = option_text(g, "top-p"),
		.max_tokens = count_of(g, "max-tokens"),
		.max_completion_tokens = count_of(g, "max-completion-tokens"),
		.body = option_text(g, "body"),
	};

	return kb_sampling_print(&text, &s, NULL) == 0 &&
	       !strcmp(text, g->asked.sampling);
}

static bool prices_follow(const struct kb_generation *g)
{
	const struct kb_prices *p = &g->asked.prices;

	return (!p->currency || kb_text_equal(option_text(g, "currency"),
					      p->currency)) &&
	       kb_text_equal(option_text(g, "price-input"), p->input_per_million) &&
	       kb_text_equal(option_text(g, "price-cached"), p->cached_per_million) &&
	       kb_text_equal(option_text(g, "price-output"), p->output_per_million);
}

/* The messages before the prompt: none, or the system's. */
static bool system_follows(const struct kb_generation *g)
{
	const char *text = option_text(g, "system");

	for (size_t i = 0; i < g->prompt_count; i++) {
		const struct kb_json *first =
			kb_json_first(g->prompts[i].messages);
		const bool is_system = !strcmp("system", kb_json_string_value(
			kb_json_find(first, "role")));

		if (is_system != !!text ||
		    (text && strcmp(text, kb_json_string_value(
				kb_json_find(first, "content")))))
			return false;
	}
	return true;
}

/* A GPU of KernelBench's that was chosen, or a baseline by its id. */
static bool hardware_follows(const struct kb_generation *g)
{
	const char *gpu = option_text(g, "gpu"), *hardware = g->asked.hardware;

	if (gpu)
		return kb_text_equal(gpu, hardware);
	return !hardware || kb_hex_valid(hardware, KB_DIGEST_HEX_SIZE - 1);
}

static bool told_follows(const struct kb_generation *g)
{
	const char *list = option_text(g, "feedback"), *name = option_text(g, "history");
	enum kb_history history;
	unsigned int told;

	return kb_told_parse(&told, list ? list : KB_TOLD_DEFAULT, NULL) == 0 &&
	       told == g->asked.refinement.told &&
	       kb_history_parse(&history, name ? name : KB_HISTORY_DEFAULT,
				NULL) == 0 &&
	       history == g->asked.refinement.history;
}

static bool refinement_follows(const struct kb_generation *g)
{
	const struct kb_refinement *r = &g->asked.refinement;

	if (!g->asked.has_refinement)
		return count_of(g, "turns") <= 1;
	return says_int(g, "turns", r->turns) && told_follows(g) &&
	       kb_text_equal(option_text(g, "goal"), r->goal) &&
	       count_of(g, "budget-tokens") == r->budget_tokens &&
	       kb_text_equal(option_text(g, "budget-cost"), r->budget_cost);
}

static const char *const options[] = {
	"model", "backend", "problems", "levels", "samples", "seed", "no-seed",
	"temperature", "top-p", "max-tokens", "max-completion-tokens", "body",
	"system", "prompt", "precision", "custom-prompt", "gpu", "currency",
	"price-input", "price-cached", "price-output", "turns", "goal",
	"feedback", "history", "budget-tokens", "budget-cost", NULL,
};

int kb_generation_options_again(const struct kb_generation *g,
				struct kb_err *err)
{
	const struct kb_asked *a = &g->asked;
	const struct {
		const char *what;
		bool follows;
	} members[] = {
		{ "model", kb_text_equal(option_text(g, "model"), a->model) },
		{ "backend", kb_text_equal(option_text(g, "backend"),
					   kb_backend_name(a->backend)) },
		{ "samples_per_problem", says_int(g, "samples", a->samples) },
		{ "seed", seed_follows(g) },
		{ "sampling", sampling_follows(g) },
		{ "prices", prices_follow(g) },
		{ "messages", system_follows(g) },
		{ "hardware", hardware_follows(g) },
		{ "refinement", refinement_follows(g) },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(members); i++)
		if (!members[i].follows)
			return kb_err(err, KB_ERR_INPUT,
				      "'%s' is not what the options say",
				      members[i].what);
	return kb_json_only(a->options, options, "options", err);
}

/* --- requests --------------------------------------------------------- */

static int request_again(const struct kb_generation *g,
			 const struct kb_generated *l, struct kb_err *err)
{
	struct kb_generated again = {
		.key = l->key, .sample_id = l->sample_id, .turn = l->turn,
	};
	const struct kb_prompt *p = kb_generation_prompt(g, &l->prompt);

	if (!p)
		return kb_generated_refuse(l, "its prompt is not there", err);
	kb_request_name(&again, &g->asked, p);
	if (again.seed != l->seed)
		return kb_generated_refuse(l, "the seed is another one", err);
	if (!kb_digest_equal(&again.request, &l->request))
		return kb_generated_refuse(l, "the request is another one",
					   err);
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

/* --- answers ---------------------------------------------------------- */

static int reply_again(const struct kb_generation *g,
		       const struct kb_generated *l, struct kb_err *err)
{
	kb_auto(answer) struct kb_answer a = KB_ANSWER_INIT;
	char id[KB_CUSTOM_ID_SIZE];
	struct kb_err why = KB_ERR_INIT;

	/* Nothing came, and nothing follows from it. */
	if (!l->answer)
		return kb_reply_equal(&a.reply, &l->reply) ? 0 :
		       kb_generated_refuse(
			       l, "there is no answer, and it gives something",
			       err);
	if (kb_answer_parse(&a, l->answer, strlen(l->answer),
			    kb_generation_extraction(g), "its answer",
			    &why) < 0)
		return kb_generated_refuse(l, why.msg, err);
	kb_custom_id_format(id, l);
	if (strcmp(a.custom_id, id))
		return kb_generated_refuse(
			l, "the answer is to another request", err);
	if (!kb_reply_equal(&a.reply, &l->reply))
		return kb_generated_refuse(
			l, "the answer gives something else", err);
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

/* --- sums -------------------------------------------------------------- */

static bool same_totals(const struct kb_generation_totals *a,
			const struct kb_generation_totals *b)
{
	for (int i = 0; i < KB_REPLY_OUTCOME_COUNT; i++)
		if (a->outcomes[i] != b->outcomes[i])
			return false;
	return kb_usage_equal(&a->usage, &b->usage) &&
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
