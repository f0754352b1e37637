#include "verify/bound.h"

#include "json/json.h"
#include "manifest/evaluation.h"
#include "manifest/suite.h"
#include "verify/floor.h"
#include "verify/peaks.h"

static const char *text_of(const struct kb_json *object, const char *name)
{
	const struct kb_json *v = object ? kb_json_find(object, name) : NULL;

	return v && kb_json_type(v) == KB_JSON_STRING ?
		       kb_json_string_value(v) : "";
}

int64_t kb_device_bound_ns(const void *context, struct kb_key key)
{
	const struct kb_bound *b = context;
	const struct kb_conditions *c = &b->evaluation->conditions;
	const struct kb_problem *p = kb_suite_find(b->suite, key);
	const struct kb_peak *peak = kb_peak_find(
		text_of(kb_json_find(c->environment, "gpu"), "name"));
	const enum kb_precision precision =
		kb_precision_find(text_of(c->policy, "precision"));
	struct kb_floor floor;

	if (!p || !p->facts || !peak || precision == KB_PRECISION_COUNT)
		return KB_UNKNOWN;
	kb_floor_of(&floor, p->facts, precision, peak);
	/* No time is below 0, so that such a bound would say nothing. */
	return floor.stated_ns > 0 ? floor.stated_ns : KB_UNKNOWN;
}
