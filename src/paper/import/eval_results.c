/* KernelBench's eval_results.json, as claims. */

#include "import/claims.h"

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "store/quote.h"

static int read_result(struct kb_upstream_result *out, const struct kb_json *v,
		       const char *where, struct kb_err *err)
{
	int ret;

	*out = (struct kb_upstream_result){
		.runtime_ms = KB_UPSTREAM_UNTIMED_MS,
	};
	ret = kb_json_read_bool(&out->compiled, v, "compiled", where, err);
	if (ret == 0)
		ret = kb_json_read_bool(&out->correct, v, "correctness", where,
					err);
	if (ret == 0 && out->correct)
		ret = kb_claim_number(&out->runtime_ms, v, "runtime", where,
				      err);
	return ret;
}

static int add_sample(struct kb_claims *out, struct kb_key key,
		      const struct kb_json *v, const char *where,
		      struct kb_err *err)
{
	struct kb_claim c = { .key = key };
	int64_t sample_id;
	int ret = kb_json_read_int(&sample_id, v, "sample_id", 0,
				   KB_SAMPLE_ID_MAX, where, err);

	if (ret == 0)
		ret = read_result(&c.says, v, where, err);
	if (ret == 0 && sample_id == 0)
		kb_claims_add(out, &c);
	return ret;
}

/* Version 0 had one sample, and did not always number it. */
static int add_only_sample(struct kb_claims *out, struct kb_key key,
			   const struct kb_json *v, const char *where,
			   struct kb_err *err)
{
	struct kb_claim c = { .key = key };
	int ret;

	if (kb_json_type(v) != KB_JSON_OBJECT || kb_json_find(v, "sample_id"))
		return add_sample(out, key, v, where, err);
	ret = read_result(&c.says, v, where, err);
	if (ret == 0)
		kb_claims_add(out, &c);
	return ret;
}

static int add_problem(struct kb_claims *out, int level,
		       const struct kb_json *v, const char *name,
		       struct kb_err *err)
{
	const char *id = kb_json_key(v);
	const struct kb_key key = { level, kb_claim_problem_id(id, strlen(id)) };
	kb_auto(mem) char *where = kb_xasprintf("%s: problem '%s'", name,
						kb_quote_str(id).text);
	int ret = 0;

	if (!key.problem_id)
		return kb_err(err, KB_ERR_INPUT, "%s: is not a number of one",
			      where);
	if (kb_json_type(v) != KB_JSON_ARRAY)
		return add_only_sample(out, key, v, where, err);
	for (v = kb_json_first(v); v && ret == 0; v = kb_json_next(v))
		ret = add_sample(out, key, v, where, err);
	return ret;
}

int kb_eval_results_parse(struct kb_claims *out, int level, const void *data,
			  size_t len, const char *name, struct kb_err *err)
{
	kb_auto(json) struct kb_json *root = NULL;
	int ret = kb_json_parse(&root, data, len, KB_JSON_FOREIGN, name, err);

	if (ret == 0)
		ret = kb_json_want_object(root, name, err);
	if (ret < 0)
		return ret;
	for (const struct kb_json *v = kb_json_first(root); v && ret == 0;
	     v = kb_json_next(v))
		ret = add_problem(out, level, v, name, err);
	return ret;
}
