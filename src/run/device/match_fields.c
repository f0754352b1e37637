#include "device/match_fields.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "json/json.h"

/* The caller frees it. */
static char *fact_text(const struct kb_json *fact)
{
	switch (kb_json_type(fact)) {
	case KB_JSON_STRING:
		return kb_xstrdup(kb_json_string_value(fact));
	case KB_JSON_INT:
		return kb_xasprintf("%" PRId64, kb_json_int_value(fact));
	case KB_JSON_BOOL:
		return kb_xstrdup(kb_json_bool_value(fact) ? "true" : "false");
	default:
		return kb_xstrdup("unavailable");
	}
}

static char *recorded_text(const struct kb_json *environment,
			   const char *section_name, const char *fact_name)
{
	const struct kb_json *section = kb_json_find(environment, section_name);
	const struct kb_json *fact;

	if (!section)
		return kb_xstrdup("not recorded");
	if (kb_json_find(section, "unavailable"))
		return kb_xstrdup("unavailable");
	fact = kb_json_find(section, fact_name);
	return fact ? fact_text(fact) : kb_xstrdup("not recorded");
}

struct kb_json *kb_match_fields(const struct kb_json *environment,
				const struct kb_match_field fields[],
				size_t count)
{
	struct kb_json *v = kb_json_object();

	for (size_t i = 0; i < count; i++) {
		kb_auto(mem) char *field =
			kb_xasprintf("%s.%s", fields[i].section,
				     fields[i].fact);
		kb_auto(mem) char *text =
			recorded_text(environment, fields[i].section,
				      fields[i].fact);

		kb_json_set_string(v, field, text);
	}
	return v;
}
