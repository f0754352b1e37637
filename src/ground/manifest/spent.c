#include "manifest/spent.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "json/json.h"
#include "manifest/fields.h"
#include "manifest/generation.h"

void kb_spent_release(struct kb_spent *s)
{
	free(s->currency);
	*s = (struct kb_spent)KB_SPENT_INIT;
}

void kb_spent_copy(struct kb_spent *out, const struct kb_spent *s)
{
	*out = *s;
	if (s->currency)
		out->currency = kb_xstrdup(s->currency);
}

void kb_spent_of(struct kb_spent *out, const struct kb_generation *g,
		 const struct kb_digest *id)
{
	const struct kb_spent s = {
		.generation = *id, .usage = g->totals.usage,
		.without_usage = g->totals.without_usage,
		.currency = g->asked.prices.currency,
		.cost_nano = g->totals.cost_nano,
	};

	kb_spent_copy(out, &s);
	for (int i = 0; i < KB_REPLY_OUTCOME_COUNT; i++)
		out->requests += g->totals.outcomes[i];
}

bool kb_spent_equal(const struct kb_spent *a, const struct kb_spent *b)
{
	if (!kb_digest_equal(&a->generation, &b->generation) ||
	    a->requests != b->requests ||
	    a->without_usage != b->without_usage ||
	    a->cost_nano != b->cost_nano || !a->currency != !b->currency)
		return false;
	return kb_usage_equal(&a->usage, &b->usage) &&
	       (!a->currency || !strcmp(a->currency, b->currency));
}

struct kb_json *kb_spent_to_json(const struct kb_spent *s)
{
	struct kb_json *v = kb_json_object();

	kb_put_digest(v, "generation", &s->generation);
	kb_json_set_int(v, "requests", s->requests);
	kb_usage_to_json(v, &s->usage);
	kb_json_set_int(v, "without_usage", s->without_usage);
	kb_json_set_string(v, "currency", s->currency);
	kb_put_int(v, "cost_nano", s->cost_nano);
	return v;
}

void kb_spent_read(struct kb_spent *s, struct kb_fields *f, const char *key)
{
	struct kb_fields inner;

	if (!kb_fields_enter(&inner, f, key))
		return;
	s->generation = kb_fields_digest(&inner, "generation");
	s->requests = kb_fields_int(&inner, "requests", 1, KB_JSON_INT_MAX);
	kb_usage_read(&s->usage, &inner);
	s->without_usage = kb_fields_int(&inner, "without_usage", 0,
					 s->requests);
	s->currency = kb_fields_string_or_null(&inner, "currency");
	s->cost_nano = kb_fields_int_or_null(&inner, "cost_nano", 0,
					     KB_JSON_INT_MAX);
	if (!s->currency && s->cost_nano != KB_UNKNOWN)
		kb_fields_fail(&inner, "'cost_nano' does not go with 'currency'");
	f->ret = kb_fields_end(&inner);
}
