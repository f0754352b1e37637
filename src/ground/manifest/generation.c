#include "manifest/generation.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/fields.h"
#include "manifest/lines.h"
#include "manifest/load.h"
#include "manifest/tool.h"
#include "store/bundle.h"

const char *const kb_extraction_rules[KB_EXTRACTION_RULE_COUNT] = {
	[KB_EXTRACTION_BLOCKS_1] = "blocks-1",
	[KB_EXTRACTION_BLOCKS_2] = "blocks-2",
};

/* --- prompts ---------------------------------------------------------- */

/* Prompts are stored once each, by digest, and lines refer to them: all samples
 * of a problem share the prompt of their first turn. */
static int compare_prompts(const void *pa, const void *pb)
{
	const struct kb_prompt *a = pa, *b = pb;

	return memcmp(a->digest.bytes, b->digest.bytes, KB_DIGEST_SIZE);
}

const struct kb_prompt *kb_generation_prompt(const struct kb_generation *g,
					     const struct kb_digest *digest)
{
	const struct kb_prompt key = { .digest = *digest };

	if (!g->prompt_count)
		return NULL;
	return bsearch(&key, g->prompts, g->prompt_count, sizeof(key),
		       compare_prompts);
}

/* --- sums ------------------------------------------------------------- */

/* A sum is known if any part of it is. How many answers had no usage is counted
 * beside it, so that a sum over half of the answers is not taken for one over
 * all. */
static void add_known(int64_t *sum, int64_t n)
{
	if (n == KB_UNKNOWN)
		return;
	if (*sum == KB_UNKNOWN)
		*sum = 0;
	/* Beyond what a record can hold is not known. */
	*sum = n > KB_JSON_INT_MAX - *sum ? KB_JSON_INT_MAX : *sum + n;
}

static void add_usage(struct kb_usage *sum, const struct kb_usage *u)
{
	add_known(&sum->input_tokens, u->input_tokens);
	add_known(&sum->cached_tokens, u->cached_tokens);
	add_known(&sum->output_tokens, u->output_tokens);
	add_known(&sum->reasoning_tokens, u->reasoning_tokens);
}

void kb_generation_sum(struct kb_generation_totals *out,
		       const struct kb_generation *g)
{
	*out = (struct kb_generation_totals){
		.usage = KB_USAGE_INIT, .latency_ns = KB_UNKNOWN,
	};
	for (size_t i = 0; i < g->line_count; i++) {
		const struct kb_generated *l = &g->lines[i];

		out->outcomes[l->reply.outcome]++;
		add_usage(&out->usage, &l->reply.usage);
		add_known(&out->latency_ns, l->latency_ns);
		/* A failure used no tokens that anybody says. */
		out->without_usage += kb_reply_is_answer(&l->reply) &&
			l->reply.usage.output_tokens == KB_UNKNOWN;
	}
	out->cost_nano = kb_prices_cost_nano(&g->asked.prices, &out->usage);
}

static struct kb_json *totals_to_json(const struct kb_generation_totals *t)
{
	struct kb_json *v = kb_json_object(), *counts = kb_json_object();

	for (int i = 0; i < KB_REPLY_OUTCOME_COUNT; i++)
		if (t->outcomes[i])
			kb_json_set_int(counts, kb_reply_outcomes[i],
					t->outcomes[i]);
	kb_json_set(v, "outcomes", counts);
	kb_usage_to_json(v, &t->usage);
	kb_json_set_int(v, "without_usage", t->without_usage);
	kb_put_int(v, "latency_ns", t->latency_ns);
	kb_put_int(v, "cost_nano", t->cost_nano);
	return v;
}

static void read_outcomes(struct kb_generation_totals *t, struct kb_fields *f)
{
	struct kb_fields inner;

	if (!kb_fields_enter(&inner, f, "outcomes"))
		return;
	for (int i = 0; i < KB_REPLY_OUTCOME_COUNT; i++)
		if (kb_fields_has(&inner, kb_reply_outcomes[i]))
			t->outcomes[i] = kb_fields_int(
				&inner, kb_reply_outcomes[i], 1,
				KB_JSON_INT_MAX);
	f->ret = kb_fields_end(&inner);
}

static void read_totals(struct kb_generation_totals *t, struct kb_fields *f)
{
	struct kb_fields inner;

	if (!kb_fields_enter(&inner, f, "totals"))
		return;
	read_outcomes(t, &inner);
	kb_usage_read(&t->usage, &inner);
	t->without_usage = kb_fields_int(&inner, "without_usage", 0,
					 KB_JSON_INT_MAX);
	t->latency_ns = kb_fields_int_or_null(&inner, "latency_ns", 0,
					      KB_JSON_INT_MAX);
	t->cost_nano = kb_fields_int_or_null(&inner, "cost_nano", 0,
					     KB_JSON_INT_MAX);
	f->ret = kb_fields_end(&inner);
}

/* --- the record ------------------------------------------------------- */

void kb_generation_release(struct kb_generation *g)
{
	for (size_t i = 0; i < g->prompt_count; i++)
		kb_prompt_release(&g->prompts[i]);
	for (size_t i = 0; i < g->line_count; i++)
		kb_generated_release(&g->lines[i]);
	free(g->prompts);
	free(g->lines);
	free(g->server_models);
	kb_json_free(g->tool);
	kb_asked_release(&g->asked);
	*g = (struct kb_generation)KB_GENERATION_INIT;
}

static size_t parents_of(struct kb_parent out[KB_PARENTS_MAX],
			 const struct kb_generation *g)
{
	size_t count = 0;

	out[count++] = (struct kb_parent){ KB_KIND_SUITE, g->asked.suite };
	if (g->asked.has_baseline)
		out[count++] = (struct kb_parent){
			KB_KIND_BASELINE, g->asked.baseline,
		};
	for (size_t i = 0; i < g->evaluation_count; i++)
		out[count++] = (struct kb_parent){
			KB_KIND_EVALUATION, g->evaluations[i],
		};
	return count;
}

/* There is room for a baseline among KB_PARENTS_MAX, and a record without one could
 * have an evaluation in its place. */
static void take_evaluation(struct kb_generation *g,
			    const struct kb_digest *id, struct kb_fields *f)
{
	if (g->evaluation_count == KB_TURNS_MAX)
		kb_fields_fail(f, "has more than %d evaluations",
			       KB_TURNS_MAX);
	else
		g->evaluations[g->evaluation_count++] = *id;
}

/* After the suite. */
static void read_parents(struct kb_generation *g, struct kb_fields *f)
{
	struct kb_parent parents[KB_PARENTS_MAX];
	enum kb_kind kind;
	size_t count;

	if (f->ret < 0)
		return;
	f->ret = kb_record_head(f->object, &kind, parents, &count, f->where,
				f->err);
	if (f->ret < 0)
		return;
	for (size_t i = 1; i < count; i++) {
		if (parents[i].kind == KB_KIND_EVALUATION) {
			take_evaluation(g, &parents[i].id, f);
			continue;
		}
		g->asked.has_baseline = true;
		g->asked.baseline = parents[i].id;
	}
	if (count > 1 && !g->asked.has_refinement)
		kb_fields_fail(f, "has %zu parents, want 1 without turns",
			       count);
}

struct kb_json *kb_generation_to_json(const struct kb_generation *g)
{
	struct kb_parent parents[KB_PARENTS_MAX];
	struct kb_json *record = kb_record_new_of(KB_KIND_GENERATION, parents,
						  parents_of(parents, g));

	kb_json_set(record, "tool", kb_json_copy(g->tool));
	kb_asked_to_json(record, &g->asked);
	kb_json_set_string(record, "server_models", g->server_models);
	kb_json_set_string(record, "extraction",
			   kb_extraction_rules[g->extraction]);
	kb_json_set(record, "totals", totals_to_json(&g->totals));
	return record;
}

int kb_generation_from_json(struct kb_generation *g,
			    const struct kb_json *record, const char *where,
			    struct kb_err *err)
{
	struct kb_fields f;
	int ret;

	*g = (struct kb_generation)KB_GENERATION_INIT;
	kb_record_begin(&f, record, KB_KIND_GENERATION, &g->asked.suite,
			where, err);
	g->tool = kb_tool_read(&f);
	kb_asked_read(&g->asked, &f);
	read_parents(g, &f);
	g->server_models = kb_fields_string_or_null(&f, "server_models");
	g->extraction = (enum kb_extraction_rule)kb_fields_word(
		&f, "extraction", kb_extraction_rules,
		KB_EXTRACTION_RULE_COUNT);
	read_totals(&g->totals, &f);
	ret = kb_fields_end(&f);
	if (ret < 0)
		kb_generation_release(g);
	return ret;
}

KB_DEFINE_LOAD_RECORD(generation)

/* --- its lines -------------------------------------------------------- */

struct loader {
	struct kb_generation *g;
	size_t prompts_capacity, lines_capacity;
	bool *used;			/* of each prompt */
};

static int take_prompt(void *into, const struct kb_json *line,
		       const char *where, struct kb_err *err)
{
	struct loader *l = into;
	struct kb_generation *g = l->g;
	int ret;

	g->prompts = kb_grow(g->prompts, g->prompt_count,
			     &l->prompts_capacity, sizeof(*g->prompts));
	ret = kb_prompt_from_json(&g->prompts[g->prompt_count], line, where,
				  err);
	if (ret < 0)
		return ret;
	g->prompt_count++;
	if (g->prompt_count > 1 &&
	    compare_prompts(&g->prompts[g->prompt_count - 2],
			    &g->prompts[g->prompt_count - 1]) >= 0)
		return kb_err(err, KB_ERR_INPUT,
			      "%s: is not sorted, or there twice", where);
	return 0;
}

/* A request without its prompt could not be verified, and a prompt that nobody
 * used, which check_all_used() refuses, would be text that nothing accounts
 * for. */
static int use_prompt(struct loader *l, const struct kb_generated *line,
		      const char *where, struct kb_err *err)
{
	const struct kb_prompt *p = kb_generation_prompt(l->g, &line->prompt);

	if (!p)
		return kb_err(err, KB_ERR_INPUT,
			      "%s: its prompt is not in '%s'", where,
			      KB_PROMPTS_MEMBER);
	l->used[p - l->g->prompts] = true;
	return 0;
}

/* The turn that a line is of, by the one before it; 1 of the first. */
static int turn_of(const struct kb_generation *g,
		   const struct kb_generated *line)
{
	const struct kb_generated *last = g->line_count > 1 ? line - 1 : NULL;

	return last && !kb_sample_compare(last->key, last->sample_id,
					  line->key, line->sample_id) ?
		       last->turn + 1 : 1;
}

/* Turns of a sample follow each other from 1 without a gap, since each prompt
 * was made from the verdict on the turn before. */
static int check_turn(const struct kb_generation *g,
		      const struct kb_generated *line, const char *where,
		      struct kb_err *err)
{
	const struct kb_asked *a = &g->asked;

	if (line->is_refined != a->has_refinement)
		return kb_err(err, KB_ERR_INPUT,
			      "%s: 'judged' does not go with the record",
			      where);
	if (line->turn != turn_of(g, line))
		return kb_err(err, KB_ERR_INPUT, "%s: is turn %d, want %d",
			      where, line->turn, turn_of(g, line));
	if (line->turn > (a->has_refinement ? a->refinement.turns : 1))
		return kb_err(err, KB_ERR_INPUT,
			      "%s: is turn %d, beyond the last", where,
			      line->turn);
	return 0;
}

static int check_line(const struct kb_generation *g,
		      const struct kb_generated *line, const char *where,
		      struct kb_err *err)
{
	const struct kb_asked *a = &g->asked;

	if (!kb_key_find(a->problems, a->problem_count, sizeof(*a->problems),
			 line->key, NULL) || line->sample_id >= a->samples)
		return kb_err(err, KB_ERR_INPUT,
			      "%s: is of a sample that the record does not list",
			      where);
	if (g->line_count > 1 && kb_generated_compare(line - 1, line) >= 0)
		return kb_err(err, KB_ERR_INPUT,
			      "%s: is not sorted, or there twice", where);
	return check_turn(g, line, where, err);
}

static int take_generated(void *into, const struct kb_json *line,
			  const char *where, struct kb_err *err)
{
	struct loader *l = into;
	struct kb_generation *g = l->g;
	struct kb_generated *next;
	int ret;

	g->lines = kb_grow(g->lines, g->line_count, &l->lines_capacity,
			   sizeof(*g->lines));
	next = &g->lines[g->line_count];
	ret = kb_generated_from_json(next, line, where, err);
	if (ret < 0)
		return ret;
	g->line_count++;
	ret = check_line(g, next, where, err);
	return ret < 0 ? ret : use_prompt(l, next, where, err);
}

static int check_all_used(const struct loader *l, struct kb_err *err)
{
	for (size_t i = 0; i < l->g->prompt_count; i++)
		if (!l->used[i])
			return kb_err(err, KB_ERR_INPUT,
				      "line %zu of %s: no request has this prompt",
				      i + 1, KB_PROMPTS_MEMBER);
	return 0;
}

/* Every sample of every problem was asked for at least once. */
static int check_samples(const struct kb_generation *g, struct kb_err *err)
{
	size_t samples = 0;

	for (size_t i = 0; i < g->line_count; i++)
		samples += g->lines[i].turn == 1;
	if (samples != g->asked.problem_count * (size_t)g->asked.samples)
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' has %zu samples, want %zu",
			      KB_RESULTS_MEMBER, samples,
			      g->asked.problem_count *
			      (size_t)g->asked.samples);
	return 0;
}

static void begin_results(struct loader *l)
{
	l->used = kb_xcalloc(l->g->prompt_count + 1, sizeof(*l->used));
}

static int end_results(const struct loader *l, struct kb_err *err)
{
	int ret = check_all_used(l, err);

	return ret < 0 ? ret : check_samples(l->g, err);
}

int kb_generation_parse_lines(struct kb_generation *g, const void *prompts,
			      size_t prompts_len, const void *results,
			      size_t results_len, struct kb_err *err)
{
	struct loader l = { .g = g };
	int ret = kb_lines_parse(prompts, prompts_len, KB_PROMPTS_MEMBER,
				 take_prompt, &l, err);

	if (ret < 0)
		return ret;
	begin_results(&l);
	ret = kb_lines_parse(results, results_len, KB_RESULTS_MEMBER,
			     take_generated, &l, err);
	if (ret == 0)
		ret = end_results(&l, err);
	free(l.used);
	return ret;
}

static int load_lines(struct kb_generation *g, const struct kb_bundle *b,
		      struct kb_err *err)
{
	struct loader l = { .g = g };
	int ret = kb_lines_load(b, KB_PROMPTS_MEMBER, take_prompt, &l, err);

	if (ret < 0)
		return ret;
	begin_results(&l);
	ret = kb_lines_load(b, KB_RESULTS_MEMBER, take_generated, &l, err);
	if (ret == 0)
		ret = end_results(&l, err);
	free(l.used);
	return ret < 0 ? ret : kb_record_members(b, 3, err);
}

KB_DEFINE_LOAD(generation, load_lines)

static int compare_lines(const void *a, const void *b)
{
	return kb_generated_compare(a, b);
}

void kb_generation_sort(struct kb_generation *g)
{
	if (g->prompt_count)
		qsort(g->prompts, g->prompt_count, sizeof(*g->prompts),
		      compare_prompts);
	if (g->line_count)
		qsort(g->lines, g->line_count, sizeof(*g->lines),
		      compare_lines);
}

int kb_generation_write(struct kb_bundle_writer *w, struct kb_generation *g,
			struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret;

	kb_generation_sort(g);
	/* Sums are made when the record is written and not as answers come, so
	 * that a run that was resumed has the same as one that was not. */
	kb_generation_sum(&g->totals, g);
	for (size_t i = 0; i < g->prompt_count; i++)
		kb_lines_add(&text, kb_prompt_to_json(&g->prompts[i]));
	ret = kb_bundle_writer_add(w, KB_PROMPTS_MEMBER, text.data, text.len,
				   err);
	kb_buf_clear(&text);
	for (size_t i = 0; ret == 0 && i < g->line_count; i++)
		kb_lines_add(&text, kb_generated_to_json(&g->lines[i]));
	if (ret == 0)
		ret = kb_bundle_writer_add(w, KB_RESULTS_MEMBER, text.data,
					   text.len, err);
	return ret < 0 ? ret : kb_record_write(w, kb_generation_to_json(g),
					       err);
}
