#include "manifest/conditions.h"

#include <string.h>

#include "base/alloc.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/fields.h"
#include "manifest/tool.h"

void kb_conditions_release(struct kb_conditions *c)
{
	kb_json_free(c->tool);
	kb_json_free(c->options);
	kb_json_free(c->environment);
	kb_json_free(c->match_key);
	kb_json_free(c->policy);
	*c = (struct kb_conditions)KB_CONDITIONS_INIT;
}

void kb_conditions_to_json(struct kb_json *record,
			   const struct kb_conditions *c)
{
	kb_json_set(record, "tool", kb_json_copy(c->tool));
	kb_json_set(record, "options", kb_json_copy(c->options));
	kb_json_set(record, "environment", kb_json_copy(c->environment));
	kb_json_set(record, "match_key", kb_json_copy(c->match_key));
	kb_json_set(record, "policy", kb_json_copy(c->policy));
}

void kb_conditions_read(struct kb_conditions *c, struct kb_fields *f)
{
	const struct kb_json *environment;

	c->tool = kb_tool_read(f);
	c->options = kb_fields_strings(f, "options");
	environment = kb_fields_object(f, "environment");
	if (environment) {
		f->ret = kb_environment_check(environment, f->where, f->err);
		c->environment = kb_json_copy(environment);
	}
	c->match_key = kb_fields_strings(f, "match_key");
	c->policy = kb_fields_scalars(f, "policy");
}

const char *kb_conditions_board(const struct kb_conditions *c)
{
	return kb_json_text(kb_json_find(c->environment, "gpu"),
			   "board_part_number");
}

bool kb_conditions_differ_in_board(const struct kb_conditions *left,
				   const struct kb_conditions *right)
{
	const char *a = kb_conditions_board(left);
	const char *b = kb_conditions_board(right);

	return a && b && strcmp(a, b);
}

struct kb_json *kb_unavailable(const char *reason)
{
	struct kb_json *v = kb_json_object();

	kb_json_set_string(v, "unavailable", reason);
	return v;
}

bool kb_is_unavailable(const struct kb_json *v)
{
	return kb_json_type(v) == KB_JSON_OBJECT && kb_json_count(v) == 1 &&
	       kb_json_text(v, "unavailable");
}

static bool is_strings(const struct kb_json *array)
{
	for (const struct kb_json *v = kb_json_first(array); v;
	     v = kb_json_next(v))
		if (kb_json_type(v) != KB_JSON_STRING)
			return false;
	return true;
}

/* Flat facts, which can be compared field by field. A structure would need
 * rules for when two of them are alike. */
static bool is_fact(const struct kb_json *v)
{
	switch (kb_json_type(v)) {
	case KB_JSON_STRING:
	case KB_JSON_INT:
	case KB_JSON_BOOL:
		return true;
	case KB_JSON_ARRAY:
		return is_strings(v);
	case KB_JSON_OBJECT:
		return kb_is_unavailable(v);
	case KB_JSON_NULL:
	case KB_JSON_FLOAT:
		return false;
	}
	return false;
}

static void check_section(struct kb_fields *f, const char *name)
{
	const struct kb_json *section = kb_fields_object(f, name);

	if (!section || kb_is_unavailable(section))
		return;
	for (const struct kb_json *v = kb_json_first(section); v;
	     v = kb_json_next(v))
		if (!is_fact(v))
			kb_fields_fail(f, "'environment.%s.%s' is %s, not a fact",
				       name, kb_json_key(v),
				       kb_json_type_name(kb_json_type(v)));
}

/* "" if there is none, which has then failed. */
static const char *device_kind(struct kb_fields *f)
{
	const char *kind;

	if (f->ret < 0)
		return "";
	kind = kb_json_text(kb_json_find(f->object, "device"), "kind");
	if (kind)
		return kind;
	kb_fields_fail(f, "'environment.device.kind' is not a string");
	return "";
}

int kb_environment_check(const struct kb_json *environment, const char *where,
			 struct kb_err *err)
{
	static const char *const sections[] = {
		"device", "cpu", "os", "python", "torch", "compiler",
		"isolation",
	};
	/* Since there are such. */
	static const char variables[] = "variables";
	static const char *const of_cuda[] = { "gpu", "driver", "cuda" };
	struct kb_fields f;

	kb_fields_begin(&f, environment, where, err);
	for (size_t i = 0; i < KB_ARRAY_LEN(sections); i++)
		check_section(&f, sections[i]);
	if (kb_fields_has(&f, variables))
		check_section(&f, variables);
	/* Sections of a GPU are wanted where there is one and refused where
	 * there is none, so that a record of a CPU cannot carry half of a GPU's
	 * facts. */
	if (!strcmp(device_kind(&f), "cuda"))
		for (size_t i = 0; i < KB_ARRAY_LEN(of_cuda); i++)
			check_section(&f, of_cuda[i]);
	return kb_fields_end(&f);
}

enum kb_precision kb_conditions_precision(const struct kb_conditions *c)
{
	const char *name = kb_json_text(c->policy, "precision");

	return name ? kb_precision_find(name) : KB_FP32;
}
