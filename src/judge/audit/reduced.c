#include "audit/reduced.h"

#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/key.h"

static int check_entry(const struct kb_json *v, const char *name,
		       struct kb_err *err)
{
	struct kb_key key;

	if (kb_key_parse(&key, kb_json_key(v), NULL) < 0)
		return kb_err(err, KB_ERR_INPUT,
			      "'%s': '%s' is no problem: want '1/12'", name,
			      kb_json_key(v));
	if (kb_json_type(v) != KB_JSON_OBJECT)
		return kb_err(err, KB_ERR_INPUT,
			      "'%s': '%s' is %s, want an object", name,
			      kb_json_key(v),
			      kb_json_type_name(kb_json_type(v)));
	return 0;
}

int kb_reduced_check(const void *data, size_t len, const char *name,
		     struct kb_err *err)
{
	kb_auto(json) struct kb_json *root = NULL;
	int ret = kb_json_parse(&root, data, len, KB_JSON_FOREIGN, name, err);

	if (ret < 0)
		return ret;
	if (kb_json_type(root) != KB_JSON_OBJECT)
		return kb_err(err, KB_ERR_INPUT, "'%s': is %s, want an object",
			      name, kb_json_type_name(kb_json_type(root)));
	for (const struct kb_json *v = kb_json_first(root); v && ret >= 0;
	     v = kb_json_next(v))
		ret = check_entry(v, name, err);
	return ret;
}
