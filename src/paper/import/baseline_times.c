/* KernelBench's files of reference times, as claims. */

#include "import/claims.h"

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "store/quote.h"

#define LEVEL_PREFIX "level"

/* "level<L>"; 0 if it is none. */
static int level_of(const char *key)
{
	const size_t prefix = strlen(LEVEL_PREFIX);
	int level;

	if (strncmp(key, LEVEL_PREFIX, prefix))
		return 0;
	level = kb_claim_problem_id(key + prefix, strlen(key + prefix));
	return level <= KB_LEVEL_MAX ? level : 0;
}

/* A reference that failed is null, and has no time. */
static int add_time(struct kb_claims *out, int level, const struct kb_json *v,
		    const char *name, struct kb_err *err)
{
	const char *file = kb_json_key(v);
	struct kb_claim c = { .key.level = level };
	kb_auto(mem) char *where = kb_xasprintf("%s: '%s'", name,
						kb_quote_str(file).text);
	int ret;

	c.key.problem_id = kb_claim_problem_id(file, strcspn(file, "_"));
	if (!c.key.problem_id)
		return kb_err(err, KB_ERR_INPUT,
			      "%s: does not begin with a problem's number",
			      where);
	if (kb_json_type(v) != KB_JSON_NULL) {
		ret = kb_json_want_object(v, where, err);
		if (ret < 0)
			return ret;
		ret = kb_claim_number(&c.says.baseline_ms, v, "mean", where,
				      err);
		if (ret < 0)
			return ret;
		if (c.says.baseline_ms <= 0)
			return kb_err(err, KB_ERR_INPUT,
				      "%s: 'mean' is not above 0", where);
	}
	c.file = kb_xstrdup(file);
	kb_claims_add(out, &c);
	return 0;
}

static int add_level(struct kb_claims *out, const struct kb_json *v,
		     const char *name, struct kb_err *err)
{
	const int level = level_of(kb_json_key(v));
	int ret = 0;

	if (!level)
		return kb_err(err, KB_ERR_INPUT,
			      "%s: '%s' is not a level's name, such as "
			      "'level1'", name,
			      kb_quote_str(kb_json_key(v)).text);
	if (kb_json_type(v) != KB_JSON_OBJECT)
		return kb_err(err, KB_ERR_INPUT,
			      "%s: 'level%d' is %s, want an object of problems",
			      name, level,
			      kb_json_type_name(kb_json_type(v)));
	for (v = kb_json_first(v); v && ret == 0; v = kb_json_next(v))
		ret = add_time(out, level, v, name, err);
	return ret;
}

int kb_baseline_times_parse(struct kb_claims *out, const void *data,
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
		ret = add_level(out, v, name, err);
	return ret;
}
