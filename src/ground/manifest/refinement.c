#include "manifest/refinement.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/text.h"
#include "json/json.h"
#include "manifest/fields.h"
#include "manifest/usage.h"

const char *const kb_histories[KB_HISTORY_COUNT] = {
	[KB_HISTORY_LAST] = "last",
	[KB_HISTORY_BEST] = "best",
	[KB_HISTORY_ALL] = "all",
};

/* In the order of their bits, which is that of what is told. */
static const char *const parts[KB_TOLD_PARTS] = {
	"status", "log", "values", "times",
};

void kb_refinement_release(struct kb_refinement *r)
{
	free(r->goal);
	free(r->budget_cost);
	kb_json_free(r->words);
	*r = (struct kb_refinement)KB_REFINEMENT_INIT;
}

/* A speedup and a part of the bound are kept in millionths: goals are compared
 * with integers, and two machines must agree on whether one was reached. */
int kb_goal_parse(struct kb_goal *out, const char *text, struct kb_err *err)
{
	const size_t len = text ? strlen(text) : 0;
	kb_auto(mem) char *number = NULL;

	*out = (struct kb_goal){ .kind = KB_GOAL_NONE };
	if (!text)
		return 0;
	if (!strcmp(text, "correct")) {
		out->kind = KB_GOAL_CORRECT;
		return 0;
	}
	if (len && (text[len - 1] == 'x' || text[len - 1] == '%')) {
		number = kb_xstrndup(text, len - 1);
		out->kind = text[len - 1] == 'x' ? KB_GOAL_SPEEDUP
						 : KB_GOAL_BOUND;
		out->micro = kb_decimal_micro(number);
	}
	if (out->micro <= 0)
		return kb_err(err, KB_ERR_INPUT,
			      "a goal is 'correct', a speedup as '1.5x' or a part of the bound as '80%%', not '%.40s'",
			      text);
	return 0;
}

static int find_part(const char *word, size_t len)
{
	for (int i = 0; i < KB_TOLD_PARTS; i++)
		if (strlen(parts[i]) == len && !memcmp(parts[i], word, len))
			return i;
	return -1;
}

int kb_told_parse(unsigned int *out, const char *list, struct kb_err *err)
{
	*out = 0;
	for (const char *p = list;; p++) {
		const size_t len = strcspn(p, ",");
		const int i = find_part(p, len);

		/* kb-verify must be able to repeat what a model was told. */
		if (len == strlen("profile") && !memcmp(p, "profile", len))
			return kb_err(err, KB_ERR_INPUT,
				      "a profile cannot be told: it lies beside an evaluation, and no record has it");
		if (i < 0 || *out & 1u << i)
			return kb_err(err, KB_ERR_INPUT,
				      "feedback is of status, log, values and times, each once, not '%.40s'",
				      list);
		*out |= 1u << i;
		p += len;
		if (!*p)
			return 0;
	}
}

int kb_history_parse(enum kb_history *out, const char *name,
		     struct kb_err *err)
{
	for (int i = 0; i < KB_HISTORY_COUNT; i++)
		if (!strcmp(name, kb_histories[i])) {
			*out = (enum kb_history)i;
			return 0;
		}
	return kb_err(err, KB_ERR_INPUT,
		      "a history is 'last', 'best' or 'all', not '%.40s'",
		      name);
}

static void print_told(struct kb_buf *out, unsigned int told)
{
	for (int i = 0; i < KB_TOLD_PARTS; i++)
		if (told & 1u << i)
			kb_buf_addf(out, "%s%s", out->len ? "," : "",
				    parts[i]);
}

struct kb_json *kb_refinement_to_json(const struct kb_refinement *r)
{
	kb_auto(buf) struct kb_buf told = KB_BUF_INIT;
	struct kb_json *v = kb_json_object();

	print_told(&told, r->told);
	kb_json_set_int(v, "turns", r->turns);
	kb_json_set_string(v, "goal", r->goal);
	kb_json_set_string(v, "feedback", told.data);
	kb_json_set_string(v, "history", kb_histories[r->history]);
	kb_put_int(v, "budget_tokens", r->budget_tokens);
	kb_json_set_string(v, "budget_cost", r->budget_cost);
	kb_json_set(v, "words", kb_json_copy(r->words));
	return v;
}

/* In no other spelling than it is written in. */
static void read_told(struct kb_refinement *r, struct kb_fields *f)
{
	const char *list = kb_fields_text(f, "feedback");
	kb_auto(buf) struct kb_buf again = KB_BUF_INIT;

	if (!list)
		return;
	if (kb_told_parse(&r->told, list, NULL) == 0)
		print_told(&again, r->told);
	if (strcmp(again.data, list))
		kb_fields_fail(f, "'feedback' is '%.40s', which is not known",
			       list);
}

void kb_refinement_read(struct kb_refinement *r, struct kb_fields *f,
			const char *key)
{
	struct kb_fields inner;
	struct kb_goal goal;

	if (!kb_fields_enter(&inner, f, key))
		return;
	r->turns = (int)kb_fields_int(&inner, "turns", 2, KB_TURNS_MAX);
	r->goal = kb_fields_string_or_null(&inner, "goal");
	read_told(r, &inner);
	r->history = (enum kb_history)
		kb_fields_word(&inner, "history", kb_histories,
			       KB_HISTORY_COUNT);
	r->budget_tokens = kb_fields_int_or_null(&inner, "budget_tokens", 1,
						 KB_JSON_INT_MAX);
	r->budget_cost = kb_fields_string_or_null(&inner, "budget_cost");
	r->words = kb_fields_strings(&inner, "words");
	if (inner.ret == 0 && kb_goal_parse(&goal, r->goal, NULL) < 0)
		kb_fields_fail(&inner, "'goal' is '%.40s', which is none",
			       r->goal);
	if (inner.ret == 0 && r->budget_cost &&
	    kb_decimal_micro(r->budget_cost) <= 0)
		kb_fields_fail(&inner, "'budget_cost' is no amount: '%.40s'",
			       r->budget_cost);
	f->ret = kb_fields_end(&inner);
}

/* --- an attempt -------------------------------------------------------- */

void kb_judged_free(struct kb_judged *j)
{
	if (j)
		free(j->told);
	free(j);
}

bool kb_judged_equal(const struct kb_judged *a, const struct kb_judged *b)
{
	return a->status == b->status && a->compiled == b->compiled &&
	       a->time_ns == b->time_ns && a->baseline_ns == b->baseline_ns &&
	       a->bound_ns == b->bound_ns &&
	       kb_text_equal(a->told, b->told);
}

struct kb_json *kb_judged_to_json(const struct kb_judged *j)
{
	struct kb_json *v;

	if (!j)
		return kb_json_null();
	v = kb_json_object();
	kb_json_set_string(v, "status", kb_status_name(j->status));
	kb_json_set_bool(v, "compiled", j->compiled);
	kb_put_int(v, "time_ns", j->time_ns);
	kb_put_int(v, "baseline_ns", j->baseline_ns);
	kb_put_int(v, "bound_ns", j->bound_ns);
	kb_json_set_string(v, "told", j->told);
	return v;
}

struct kb_judged *kb_judged_read(struct kb_fields *f, const char *key)
{
	struct kb_fields inner;
	struct kb_judged *j;

	if (kb_fields_null(f, key) || !kb_fields_enter(&inner, f, key))
		return NULL;
	j = kb_xcalloc(1, sizeof(*j));
	j->status = kb_fields_status(&inner, "status");
	j->compiled = kb_fields_bool(&inner, "compiled");
	j->time_ns = kb_fields_int_or_null(&inner, "time_ns", 1,
					   KB_JSON_INT_MAX);
	j->baseline_ns = kb_fields_int_or_null(&inner, "baseline_ns", 1,
					       KB_JSON_INT_MAX);
	j->bound_ns = kb_fields_int_or_null(&inner, "bound_ns", 1,
					    KB_JSON_INT_MAX);
	j->told = kb_fields_string_or_null(&inner, "told");
	if (inner.ret == 0 && !kb_status_of_candidate(j->status))
		kb_fields_fail(&inner, "no candidate ends as '%s'",
			       kb_status_name(j->status));
	f->ret = kb_fields_end(&inner);
	return j;
}
