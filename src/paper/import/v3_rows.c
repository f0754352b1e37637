#include "import/v3_rows.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "import/claims.h"
#include "json/json.h"

/* A problem by the name that it has there. */
struct kb_v3_name {
	int level;
	char *problem;
};

void kb_v3_rows_release(struct kb_v3_rows *r)
{
	for (size_t i = 0; i < r->count; i++)
		free(r->names[i].problem);
	free(r->names);
	free(r->model);
	free(r->gpu);
}

static int same_text(char **first, const struct kb_json *v, const char *key,
		     const char *where, struct kb_err *err)
{
	const char *text;
	int ret = kb_json_read_string(&text, v, key, where, err);

	if (ret < 0)
		return ret;
	if (!*first)
		*first = kb_xstrdup(text);
	if (!strcmp(*first, text))
		return 0;
	return kb_err(err, KB_ERR_INPUT, "%s: '%s' is another than above",
		      where, key);
}

/* Beats the baseline or not is all that a quotient is asked: it stands for
 * two times of which one is 1. */
static int read_speedup(struct kb_upstream_result *says,
			const struct kb_json *v, const char *where,
			struct kb_err *err)
{
	const struct kb_json *speedup = kb_json_find(v, "speedup");
	int ret;

	says->runtime_ms = 1;
	if (speedup && kb_json_type(speedup) == KB_JSON_NULL)
		return 0;
	ret = kb_claim_number(&says->baseline_ms, v, "speedup", where, err);
	if (ret == 0 && says->baseline_ms <= 0)
		ret = kb_err(err, KB_ERR_INPUT, "%s: 'speedup' is not above 0",
			     where);
	return ret;
}

/* v3 has names and no numbers: a problem's number here is its row's, and means
 * nothing beyond this report. */
static int read_problem(struct kb_v3_rows *r, int64_t *level,
			const struct kb_json *v, const char *where,
			struct kb_err *err)
{
	const char *problem;
	int ret = kb_json_read_string(&problem, v, "problem", where, err);

	if (ret == 0)
		ret = kb_json_read_int(level, v, "level", 1, KB_LEVEL_MAX,
				       where, err);
	if (ret < 0)
		return ret;
	if (r->count == KB_PROBLEM_ID_MAX)
		return kb_err(err, KB_ERR_INPUT, "%s: is one too many",
			      where);
	r->names = kb_grow(r->names, r->count, &r->capacity,
			   sizeof(*r->names));
	r->names[r->count++] = (struct kb_v3_name){ (int)*level,
					      kb_xstrdup(problem) };
	return 0;
}

int kb_v3_rows_add(struct kb_v3_rows *r, const struct kb_json *v,
		   const char *where, struct kb_err *err)
{
	struct kb_claim c = { .key.level = 0 };
	int64_t level = 0;
	int ret = same_text(&r->model, v, "model", where, err);

	if (ret == 0)
		ret = same_text(&r->gpu, v, "gpu", where, err);
	if (ret == 0)
		ret = read_problem(r, &level, v, where, err);
	if (ret == 0)
		ret = kb_json_read_bool(&c.says.compiled, v, "compiled", where,
					err);
	if (ret == 0)
		ret = kb_json_read_bool(&c.says.correct, v, "correct", where,
					err);
	if (ret == 0)
		ret = read_speedup(&c.says, v, where, err);
	if (ret < 0)
		return ret;
	c.key = (struct kb_key){ (int)level, (int)r->count };
	kb_claims_add(r->out, &c);
	return 0;
}

static int order_names(const void *a, const void *b)
{
	const struct kb_v3_name *x = a, *y = b;

	return x->level != y->level ? x->level - y->level
				    : strcmp(x->problem, y->problem);
}

int kb_v3_rows_end(struct kb_v3_rows *r, const char *name, struct kb_err *err)
{
	if (r->count > 1)
		qsort(r->names, r->count, sizeof(*r->names), order_names);
	for (size_t i = 1; i < r->count; i++)
		if (!order_names(&r->names[i - 1], &r->names[i]))
			return kb_err(err, KB_ERR_INPUT,
				      "%s: has a problem of level %d twice",
				      name, r->names[i].level);
	return 0;
}

int kb_v3_rows_parse(struct kb_claims *out, const void *data, size_t len,
		     const char *name, struct kb_err *err)
{
	kb_auto(v3_rows) struct kb_v3_rows r = { .out = out };
	const char *at = data, *end = at + len;

	for (size_t number = 1; at < end; number++) {
		const char *feed = memchr(at, '\n', (size_t)(end - at));
		const size_t row = (size_t)((feed ? feed : end) - at);
		kb_auto(mem) char *where = kb_xasprintf("line %zu of %s",
							number, name);
		kb_auto(json) struct kb_json *v = NULL;
		int ret = kb_json_parse(&v, at, row, KB_JSON_FOREIGN, where,
					err);

		if (ret == 0)
			ret = kb_v3_rows_add(&r, v, where, err);
		if (ret < 0)
			return ret;
		at += row + (feed != NULL);
	}
	return kb_v3_rows_end(&r, name, err);
}
