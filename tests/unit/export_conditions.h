#ifndef KB_TESTS_UNIT_EXPORT_CONDITIONS_H
#define KB_TESTS_UNIT_EXPORT_CONDITIONS_H

#include <string.h>

#include "base/alloc.h"
#include "json/json.h"
#include "manifest/conditions.h"

static inline struct kb_json *parse(const char *text)
{
	struct kb_json *v;

	if (kb_json_parse(&v, text, strlen(text), KB_JSON_FOREIGN, "t",
			  NULL) < 0)
		KB_BUG("the test's own JSON");
	return v;
}

static inline void set_conditions(struct kb_conditions *c, const char *environment)
{
	c->tool = kb_json_object();
	c->options = kb_json_object();
	c->match_key = kb_json_object();
	c->policy = kb_json_object();
	c->environment = parse(environment);
}


#endif
