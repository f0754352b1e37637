/* What tokens cost, how requests are named, and a folder that is gone on in. */

#include "asking/work.h"

#include <stdlib.h>

#include "answers/request.h"
#include "base/err.h"
#include "json/json.h"
#include "lib/scratch.h"
#include "lib/tap.h"
#include "manifest/tool.h"

#define U KB_UNKNOWN

static const struct {
	const char *input, *cached, *output;
	struct kb_usage usage;
	int64_t cost_nano;
} costs[] = {
	{ "0", NULL, "0", { U, U, U, U }, 0 },
	{ "1", NULL, "1", { U, U, U, U }, 0 },
	{ "1", NULL, "10", { 1, U, 1, U }, 11000 },
	{ "2.5", "0.25", "10", { 1000, 400, 10, 10 },
	  600 * 2500 + 400 * 250 + 10 * 10000 },
	{ "2.5", NULL, "10", { 1000, 400, 10, U },
	  1000 * 2500 + 10 * 10000 },
	{ "0.000001", NULL, "0", { 999, U, U, U }, 0 },
	{ "0.000001", NULL, "0", { 1000, U, U, U }, 1 },
	{ "999999999", NULL, "0", { KB_JSON_INT_MAX, 0, 0, 0 }, U },
};

static void test_tokens_cost_what_their_prices_say(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(costs); i++) {
		char currency[] = "USD";
		const struct kb_prices p = {
			.currency = currency,
			.input_per_million = (char *)costs[i].input,
			.cached_per_million = (char *)costs[i].cached,
			.output_per_million = (char *)costs[i].output,
		};
		struct kb_err err = KB_ERR_INIT;

		check_int(kb_prices_check(&p, &err), 0);
		check_int(kb_prices_cost_nano(&p, &costs[i].usage),
			  costs[i].cost_nano);
	}
	check_int(kb_prices_cost_nano(&(struct kb_prices)KB_PRICES_INIT,
				      &costs[2].usage), U);
}

/* Two samples of one problem, none of which is answered. */
static void make_generation(struct kb_generation *g)
{
	struct kb_json *message = kb_json_object();
	const struct kb_key key = { 1, 19 };

	*g = (struct kb_generation)KB_GENERATION_INIT;
	g->tool = kb_tool_json("kb-generate");
	g->asked.options = kb_json_object();
	g->asked.model = kb_xstrdup("m");
	g->asked.sampling = kb_xstrdup(" { \"top_k\" : 1 } ");
	g->asked.seed = 5;
	g->asked.samples = 2;
	g->asked.problems = kb_xcalloc(1, sizeof(key));
	g->asked.problems[g->asked.problem_count++] = key;
	g->prompts = kb_xcalloc(1, sizeof(*g->prompts));
	g->lines = kb_xcalloc(2, sizeof(*g->lines));
	g->prompts[0].messages = kb_json_array();
	kb_json_set_string(message, "content", "\"x\"\n");
	kb_json_set_string(message, "role", "user");
	kb_json_append(g->prompts[0].messages, message);
	kb_prompt_digest(&g->prompts[0].digest, g->prompts[0].messages);
	g->prompt_count = 1;
	for (int i = 0; i < 2; i++) {
		struct kb_generated *l = &g->lines[g->line_count++];

		*l = (struct kb_generated)KB_GENERATED_INIT;
		l->key = key;
		l->sample_id = i;
		l->turn = 1;
		kb_request_name(l, &g->asked, g->prompts);
	}
	kb_generation_sum(&g->totals, g);
}

static void test_a_request_is_what_was_set(void)
{
	kb_auto(generation) struct kb_generation g = KB_GENERATION_INIT;
	kb_auto(buf) struct kb_buf body = KB_BUF_INIT;

	make_generation(&g);
	kb_request_body(&body, &g.asked, &g.lines[1], g.prompts[0].messages);
	check_str(body.data, "{\"model\":\"m\",\"messages\":[{\"content\":"
		  "\"\\\"x\\\"\\n\",\"role\":\"user\"}],\"seed\":6,"
		  "\"top_k\" : 1}");
	free(g.asked.sampling);
	g.asked.sampling = kb_xstrdup("{ }");
	g.lines[1].seed = KB_UNKNOWN;
	kb_buf_clear(&body);
	kb_request_body(&body, &g.asked, &g.lines[1], g.prompts[0].messages);
	check_str(body.data, "{\"model\":\"m\",\"messages\":[{\"content\":"
		  "\"\\\"x\\\"\\n\",\"role\":\"user\"}]}");
}

static void test_ids_are_found_or_refused(void)
{
	static const char *const strange[] = {
		"", "l", "l1-p19-s0-t1", "l1-p19-s0-t1-", "l1-p19-s2-t1-",
		"l1-p19-s0-t2-", "l999999999999-p19-s0-t1-", "\xff",
		"l1-p19-s0-t1-0000000000000000", "L1-p19-s0-t1-",
	};
	kb_auto(generation) struct kb_generation g = KB_GENERATION_INIT;
	struct kb_generated *found = NULL;
	char id[KB_CUSTOM_ID_SIZE];

	make_generation(&g);
	for (int i = 0; i < 2; i++) {
		kb_custom_id_format(id, &g.lines[i]);
		check_int(kb_custom_id_find(&found, &g, id, NULL), 0);
		check(found == &g.lines[i]);
	}
	for (size_t i = 0; i < KB_ARRAY_LEN(strange); i++)
		check_int(kb_custom_id_find(&found, &g, strange[i], NULL),
			  -KB_ERR_INPUT);
	/* Of the other sample, which is another request. */
	id[strlen("l1-p19-s")] = '0';
	check_int(kb_custom_id_find(&found, &g, id, NULL), -KB_ERR_INPUT);
}

static char *answer(const struct kb_generated *line, const char *response)
{
	char id[KB_CUSTOM_ID_SIZE];

	kb_custom_id_format(id, line);
	return kb_xasprintf("{\"custom_id\":\"%s\",%s}", id, response);
}

#define SAYS "\"response\":{\"choices\":[{\"message\":{\"content\":\"x\"}}]}"
#define ELSE "\"response\":{\"choices\":[{\"message\":{\"content\":\"y\"}}]}"
#define FAILED "\"error\":\"late\""

static void check_taken(struct kb_work *w, size_t line, const char *response,
			enum kb_taken want)
{
	kb_auto(mem) char *text = answer(&w->g.lines[line], response);

	check_int(kb_work_take(w, &(struct kb_raw_answer){
				       .text = text, .len = strlen(text),
				       .latency_ns = 7, .name = "a" },
			       NULL, NULL), want);
}

static void test_an_answer_replaces_a_failure_alone(void)
{
	kb_auto(work) struct kb_work w = KB_WORK_INIT;
	struct kb_generation g;

	scratch_enter();
	make_generation(&g);
	check_int(kb_work_begin(&w, "work", &g, NULL), 0);
	check_int((intmax_t)kb_work_open_count(&w), 2);
	check_taken(&w, 0, FAILED, KB_TAKEN);
	check_taken(&w, 0, FAILED, KB_TAKEN_BEFORE);
	check_taken(&w, 0, FAILED ",\"id\":1", KB_TAKEN_ANOTHER);
	check_int((intmax_t)kb_work_open_count(&w), 2);
	check_taken(&w, 0, SAYS, KB_TAKEN);
	check_taken(&w, 0, SAYS, KB_TAKEN_BEFORE);
	check_taken(&w, 0, ELSE, KB_TAKEN_ANOTHER);
	check_taken(&w, 0, FAILED, KB_TAKEN_ANOTHER);
	check_int((intmax_t)kb_work_open_count(&w), 1);
	scratch_leave();
}

/* The journal's only file, cut to so many bytes. */
static void cut_journal(long bytes_less)
{
	kb_auto(mem) char *command = kb_xasprintf(
		"truncate -s -%ld work/.journal-*", bytes_less);

	if (system(command) != 0)
		KB_BUG("cannot cut a file");
}

static void test_what_was_taken_is_there_again(void)
{
	struct kb_work w = KB_WORK_INIT;
	struct kb_generation g;
	struct kb_err err = KB_ERR_INIT;

	scratch_enter();
	check_int(kb_work_open(&w, "work", &err), -KB_ERR_MISSING);
	check_str(err.msg, "no generation was begun in 'work': 'kb-generate ask' begins one");
	make_generation(&g);
	check_int(kb_work_begin(&w, "work", &g, NULL), 0);
	check_taken(&w, 0, SAYS, KB_TAKEN);
	check_taken(&w, 1, ELSE, KB_TAKEN);
	kb_work_release(&w);

	check_int(kb_work_open(&w, "work", NULL), 0);
	check_int((intmax_t)kb_work_open_count(&w), 0);
	check_int(w.g.lines[1].latency_ns, 7);
	kb_work_release(&w);

	/* A line that was torn is as if it had not been written. */
	cut_journal(1);
	make_generation(&g);
	check_int(kb_work_begin(&w, "work", &g, NULL), 0);
	check_int((intmax_t)kb_work_open_count(&w), 1);
	check_taken(&w, 1, ELSE, KB_TAKEN);
	check_int(kb_work_open(&(struct kb_work)KB_WORK_INIT, "work", NULL),
		  -KB_ERR_TIMEOUT);
	kb_work_release(&w);

	make_generation(&g);
	g.asked.seed = 6;
	check_int(kb_work_begin(&w, "work", &g, &err), -KB_ERR_USAGE);
	check_str(err.msg, "a generation with other settings was begun in 'work': choose another --dir, or delete it");
	scratch_leave();
}

TAP_MAIN(TAP(test_tokens_cost_what_their_prices_say),
	 TAP(test_a_request_is_what_was_set),
	 TAP(test_ids_are_found_or_refused),
	 TAP(test_an_answer_replaces_a_failure_alone),
	 TAP(test_what_was_taken_is_there_again));
