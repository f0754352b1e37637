/* kb-generate ask: prompts, settings, and the requests that they make. */

#include "cmd/generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answers/settings.h"
#include "asking/work.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "cmd/cmd.h"
#include "import/open.h"
#include "json/json.h"
#include "manifest/baseline.h"
#include "manifest/generation.h"
#include "manifest/select.h"
#include "manifest/tool.h"
#include "prompts/ask.h"
#include "prompts/hardware.h"
#include "prompts/prompter.h"
#include "prompts/prompts.h"
#include "store/store.h"
#include "turns/feedback.h"

static const char *problems, *levels;
static const char *backend_name = "cuda";
static const char *prompts_file, *prompt_option, *precision;
static const char *baseline_name, *system_text;
static struct kb_prompt_choice choice;
static int64_t samples = 1, seed;
static bool without_seed;
static struct kb_sampling sampling = {
	.max_tokens = KB_UNKNOWN, .max_completion_tokens = KB_UNKNOWN,
};
static const char *currency = "USD";
static const char *price_input, *price_cached, *price_output;
static int64_t turns = KB_UNKNOWN, budget_tokens = KB_UNKNOWN;
static const char *goal, *feedback, *history, *budget_cost, *against;

const struct kb_option kb_generate_ask_options[] = {
	TEXT_OPTION("backend", "NAME", "language of the kernels",
		    backend_name, .group = KB_OPTION_MODEL),
	TEXT_OPTION("problems", "LIST",
		    "only these problems: 1/19,2/76, or sound", problems,
		    .group = KB_OPTION_PROBLEMS),
	TEXT_OPTION("levels", "LIST",
		    "only problems of these levels, such as 1,2", levels,
		    .group = KB_OPTION_PROBLEMS),
	INT_OPTION("samples", "N", "answers wanted for each problem",
		   samples, 1, KB_SAMPLE_ID_MAX + 1,
		    .group = KB_OPTION_PROBLEMS),
	INT_OPTION("seed", "N", "seed of sample 0, and N + i of sample i",
		   seed, 0, KB_JSON_INT_MAX - KB_SAMPLE_ID_MAX,
		    .group = KB_OPTION_MODEL),
	{ .name = "no-seed", .help = "send no seed",
	  .type = KB_OPTION_FLAG, .value = &without_seed,
	  .group = KB_OPTION_MODEL },
	TEXT_OPTION("temperature", "X", "sampling temperature",
		    sampling.temperature, .group = KB_OPTION_MODEL),
	TEXT_OPTION("top-p", "X", "nucleus sampling", sampling.top_p,
		    .group = KB_OPTION_MODEL),
	INT_OPTION("max-tokens", "N", "limit of an answer's length",
		   sampling.max_tokens, 1, KB_JSON_INT_MAX,
		    .group = KB_OPTION_MODEL),
	INT_OPTION("max-completion-tokens", "N",
		   "the same by its newer name",
		   sampling.max_completion_tokens, 1, KB_JSON_INT_MAX,
		    .group = KB_OPTION_MODEL),
	TEXT_OPTION("body", "JSON", "further members of a request's body",
		    sampling.body, .group = KB_OPTION_MODEL),
	TEXT_OPTION("system", "TEXT", "a system prompt", system_text,
		    .group = KB_OPTION_PROMPT),
	PLACE_OPTION("prompts", "FILE",
		     "whole prompts, a line of JSON for each problem",
		     prompts_file, .otherwise = "kb makes them",
		    .group = KB_OPTION_PROMPT),
	TEXT_OPTION("prompt", "NAME",
		    "zero_shot, one_shot or few_shot",
		    prompt_option, .otherwise = "one_shot",
		    .group = KB_OPTION_PROMPT),
	TEXT_OPTION("precision", "NAME", "fp32, fp16 or bf16",
		    precision, .otherwise = "fp32",
		    .group = KB_OPTION_PROMPT),
	PLACE_OPTION("baseline", "BUNDLE",
		     "describe the machine of this baseline",
		     baseline_name, .group = KB_OPTION_PROMPT),
	TEXT_OPTION("currency", "NAME", "currency of the prices", currency,
		    .group = KB_OPTION_MODEL),
	TEXT_OPTION("price-input", "X", "price of a million tokens of input",
		    price_input, .group = KB_OPTION_MODEL),
	TEXT_OPTION("price-cached", "X", "price of a million tokens of cached input",
		    price_cached, .group = KB_OPTION_MODEL),
	TEXT_OPTION("price-output", "X", "price of a million tokens of output", price_output,
		    .group = KB_OPTION_MODEL),
	INT_OPTION("turns", "N", "attempts at each sample, at most", turns,
		   1, KB_TURNS_MAX, .otherwise = "1", .group = KB_OPTION_TURNS),
	TEXT_OPTION("goal", "GOAL", "stop at: correct, a speedup like 1.5x, or 80%", goal,
		    .group = KB_OPTION_TURNS),
	TEXT_OPTION("feedback", "LIST",
		    "feedback: status, log, values, times", feedback,
		    .otherwise = "all of them", .group = KB_OPTION_TURNS),
	TEXT_OPTION("history", "NAME",
		    "attempts shown again: last, best or all",
		    history, .otherwise = "last", .group = KB_OPTION_TURNS),
	INT_OPTION("budget-tokens", "N", "stop once a sample has used so many tokens",
		   budget_tokens, 1, KB_JSON_INT_MAX, .group = KB_OPTION_TURNS),
	TEXT_OPTION("budget-cost", "X", "stop once a sample has cost so much",
		    budget_cost, .group = KB_OPTION_TURNS),
	PLACE_OPTION("against", "BUNDLE",
		     "compare times with this baseline",
		     against, .otherwise = "the reference next to the candidate",
		    .group = KB_OPTION_TURNS),
	KB_GENERATE_FILE_OPTIONS,
	DIR_OPTION,
	STORE_OPTION,
	KB_OPTION_END,
};

/* Facts of a machine that we measured on. `id` receives the baseline's. */
static int load_hardware(struct kb_hardware *h, char **id, struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(baseline) struct kb_baseline baseline = KB_BASELINE_INIT;
	char hex[KB_DIGEST_HEX_SIZE];
	int ret = kb_store_open(&b, kb_generate_place.store,
				baseline_name, err);

	if (ret < 0)
		return ret;
	ret = kb_baseline_load(&baseline, &b, err);
	if (ret < 0)
		return kb_err_wrap(err, "baseline '%s'", baseline_name);
	kb_hardware_of_environment(h, baseline.conditions.environment);
	kb_digest_format(&b.id, hex);
	*id = kb_xstrdup(hex);
	return 0;
}

static int set_budgets(struct kb_refinement *r, const struct kb_prices *p,
		       struct kb_err *err)
{
	r->budget_tokens = budget_tokens;
	r->budget_cost = kb_xstrdup(budget_cost);
	if (budget_cost && kb_decimal_micro(budget_cost) <= 0)
		return kb_err(err, KB_ERR_USAGE,
			      "'%s' is not an amount of money such as 0.15",
			      budget_cost);
	/* A budget without prices would never be used up, and nobody would
	 * notice. */
	if (budget_cost && !p->currency)
		return kb_err(err, KB_ERR_USAGE,
			      "--budget-cost needs prices, by --price-input and --price-output");
	return 0;
}

static int set_refinement(struct kb_asked *a, struct kb_err *err)
{
	struct kb_refinement *r = &a->refinement;
	struct kb_err why = KB_ERR_INIT;
	struct kb_goal unused;

	a->has_refinement = turns > 1;
	if (!a->has_refinement)
		return 0;
	r->turns = (int)turns;
	r->words = kb_words_ours();
	r->goal = kb_xstrdup(goal);
	if (kb_goal_parse(&unused, goal, &why) < 0 ||
	    kb_told_parse(&r->told, feedback ? feedback : KB_TOLD_DEFAULT,
			  &why) < 0 ||
	    kb_history_parse(&r->history, history ? history
						  : KB_HISTORY_DEFAULT,
			     &why) < 0)
		return kb_err(err, KB_ERR_USAGE, "%s", why.msg);
	return set_budgets(r, &a->prices, err);
}

static int find_against(struct kb_asked *a, struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(baseline) struct kb_baseline baseline = KB_BASELINE_INIT;
	int ret;

	if (!against)
		return 0;
	ret = kb_store_open(&b, kb_generate_place.store, against, err);
	if (ret == 0)
		ret = kb_baseline_load(&baseline, &b, err);
	if (ret < 0)
		return kb_err_wrap(err, "baseline '%s'", against);
	if (!kb_digest_equal(&baseline.suite, &a->suite))
		return kb_err(err, KB_ERR_INPUT,
			      "baseline '%s' is of another suite", against);
	a->has_baseline = true;
	a->baseline = b.id;
	return 0;
}

static int load_prompts(struct kb_prompts *p, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret = kb_file_read_named(&text, prompts_file, KB_PROMPTS_BYTES_MAX,
				     err);

	return ret < 0 ? ret : kb_prompts_parse(p, text.data, text.len,
						prompts_file, err);
}

static int take_prompts(struct kb_generation *g, const struct kb_suite *suite,
			const struct kb_bundle *b, struct kb_err *err)
{
	kb_auto(prompts) struct kb_prompts p = KB_PROMPTS_INIT;
	int ret = load_prompts(&p, err);

	if (ret < 0)
		return ret;
	g->asked.templates = p.digest;
	return kb_ask(g, suite, b, &(struct kb_prompt_source){
			.prompts = &p, .prompts_name = prompts_file }, err);
}

static int make_prompts(struct kb_generation *g, const struct kb_suite *suite,
			const struct kb_bundle *b, struct kb_err *err)
{
	kb_auto(hardware) struct kb_hardware h = KB_HARDWARE_INIT;
	kb_auto(prompter) struct kb_prompter p = KB_PROMPTER_INIT;
	int ret = 0;

	if (baseline_name)
		ret = load_hardware(&h, &g->asked.hardware, err);
	choice.backend = g->asked.backend;
	choice.hardware = baseline_name ? &h : NULL;
	if (ret == 0)
		ret = kb_prompter_init(&p, &choice, err);
	if (ret < 0)
		return ret;
	g->asked.templates = p.digest;
	return kb_ask(g, suite, b, &(struct kb_prompt_source){
			.prompter = &p, .system = system_text }, err);
}

static int set_prices(struct kb_prices *p, struct kb_err *err)
{
	struct kb_err why = KB_ERR_INIT;

	if (!price_input && !price_cached && !price_output)
		return 0;
	p->currency = kb_xstrdup(currency);
	p->input_per_million = kb_xstrdup(price_input);
	p->cached_per_million = kb_xstrdup(price_cached);
	p->output_per_million = kb_xstrdup(price_output);
	return kb_prices_check(p, &why) < 0 ?
		       kb_err(err, KB_ERR_USAGE, "%s", why.msg) : 0;
}

static int set_asked(struct kb_asked *a, const struct kb_suite *suite,
		     struct kb_err *err)
{
	int ret = kb_select(&a->problems, &a->problem_count, suite, problems,
			    levels, err);

	if (ret == 0)
		ret = kb_sampling_print(&a->sampling, &sampling, err);
	if (ret == 0)
		ret = set_prices(&a->prices, err);
	if (ret == 0)
		ret = set_refinement(a, err);
	if (ret == 0)
		ret = find_against(a, err);
	a->options = kb_options_to_json(kb_generate_ask_options);
	/* An operand, which the table of options does not have. */
	kb_json_set_string(a->options, "model", a->model);
	a->seed = without_seed ? KB_UNKNOWN : seed;
	a->samples = (int)samples;
	return ret;
}

static int make_generation(struct kb_generation *g, const char *suite_name,
			   struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(suite) struct kb_suite suite = KB_SUITE_INIT;
	int ret = kb_suite_open_or_pack(&b, &suite, kb_generate_place.store,
					suite_name, err);

	if (ret < 0)
		return ret;
	g->tool = kb_tool_json("kb-generate");
	g->asked.suite = b.id;
	ret = set_asked(&g->asked, &suite, err);
	if (ret == 0)
		ret = prompts_file ? take_prompts(g, &suite, &b, err)
				   : make_prompts(g, &suite, &b, err);
	if (ret == 0)
		kb_generation_sum(&g->totals, g);
	return ret;
}

/* Options that would have no effect are refused: who types --goal and forgets
 * --turns wants turns. */
static int check_ask_options(struct kb_generation *g, struct kb_err *err)
{
	static const struct {
		const char *const *left, *const *right;
		const char *names;
	} pairs[] = {
		{ &prompts_file, &prompt_option, "--prompts and --prompt" },
		{ &prompts_file, &precision, "--prompts and --precision" },
		{ &prompts_file, &baseline_name, "--prompts and --baseline" },
		{ &prompts_file, &system_text, "--prompts and --system" },
	};
	static const struct {
		const char *const *value;
		const char *name;
	} of_turns[] = {
		{ &goal, "--goal" }, { &feedback, "--feedback" },
		{ &history, "--history" }, { &budget_cost, "--budget-cost" },
		{ &against, "--against" },
	};
	struct kb_err why = KB_ERR_INIT;

	for (size_t i = 0; i < KB_ARRAY_LEN(pairs); i++)
		if (*pairs[i].left && *pairs[i].right)
			return kb_err(err, KB_ERR_USAGE,
				      "%s exclude each other",
				      pairs[i].names);
	for (size_t i = 0; turns <= 1 && i < KB_ARRAY_LEN(of_turns); i++)
		if (*of_turns[i].value)
			return kb_err(err, KB_ERR_USAGE,
				      "%s needs --turns, more than one",
				      of_turns[i].name);
	if (turns <= 1 && budget_tokens != KB_UNKNOWN)
		return kb_err(err, KB_ERR_USAGE,
			      "--budget-tokens needs --turns, more than one");
	if (kb_backend_parse(&g->asked.backend, backend_name, &why) < 0 ||
	    kb_prompt_kind_parse(&choice.kind, prompt_option, &why) < 0 ||
	    kb_prompt_precision_parse(&choice.precision, precision, &why) < 0)
		return kb_err(err, KB_ERR_USAGE, "%s", why.msg);
	/* The record tells which prompt was made, also by default. */
	if (!prompts_file && !prompt_option)
		prompt_option = "one_shot";
	return 0;
}

int kb_generate_ask(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(generation) struct kb_generation g = KB_GENERATION_INIT;
	kb_auto(work) struct kb_work w = KB_WORK_INIT;
	int ret;

	(void)argc;
	if (!*argv[1])
		return kb_err(err, KB_ERR_USAGE, "the name of the model is empty");
	g.asked.model = kb_xstrdup(argv[1]);
	ret = check_ask_options(&g, err);
	if (ret == 0)
		ret = make_generation(&g, argv[0], err);
	if (ret == 0)
		ret = kb_work_begin(&w, kb_generate_place.dir, &g, err);
	return ret < 0 ? ret : kb_generate_write_requests(&w, err);
}
