#include "device/division.h"

#include "base/alloc.h"
#include "base/cleanup.h"
#include "device/match_fields.h"
#include "json/json.h"
#include "manifest/conditions.h"
#include "manifest/evaluation.h"
#include "manifest/suite.h"

static bool is_compiled(const struct kb_division *d,
			const struct kb_json *environment)
{
	(void)environment;
	return kb_mode_compiles(d->mode);
}

static bool is_needed(const struct kb_suite *suite, struct kb_key key)
{
	const struct kb_problem *p = suite ? kb_suite_find(suite, key) : NULL;

	return !suite || (p && p->needs_transformers);
}

static bool needs_transformers(const struct kb_division *d,
			       const struct kb_json *environment)
{
	const struct kb_division_side *l = &d->left, *r = &d->right;

	(void)environment;
	for (size_t i = 0; i < l->problem_count; i++)
		if (kb_key_find(r->problems, r->problem_count,
				sizeof(*r->problems), l->problems[i], NULL) &&
		    is_needed(d->suite, l->problems[i]))
			return true;
	return false;
}

/* Records that do not tell are older, and of x86, where all pages have 4096. */
static bool has_other_pages(const struct kb_json *environment)
{
	const struct kb_json *v = kb_json_find(kb_json_find(environment, "os"),
					       "page_bytes");

	return v && kb_json_type(v) == KB_JSON_INT &&
	       kb_json_int_value(v) != 4096;
}

static bool is_of_other_pages(const struct kb_division_side *side)
{
	return side->conditions && has_other_pages(side->conditions->environment);
}

static bool have_other_pages(const struct kb_division *d,
			     const struct kb_json *environment)
{
	return has_other_pages(environment) || is_of_other_pages(&d->left) ||
	       is_of_other_pages(&d->right);
}

/* The extra facts, and when they are compared: `environment` is the side's
 * whose facts are asked for. */
static const struct {
	struct kb_match_field field;
	bool (*is_compared)(const struct kb_division *d,
			    const struct kb_json *environment);
} extras[] = {
	{ { "os", "page_bytes" }, have_other_pages },
	{ { "torch", "triton_version" }, is_compiled },
	{ { "torch", "transformers_version" }, needs_transformers },
};

struct kb_division kb_division_of(const struct kb_evaluation *e,
				  const struct kb_baseline *b,
				  const struct kb_suite *suite)
{
	return (struct kb_division){
		.left = { &e->conditions, e->problems, e->problem_count },
		.right = { &b->conditions, b->problems, b->problem_count },
		.mode = b->mode,
		.suite = suite,
	};
}

/* Add members; those that are there already stay. */
static void put_members(struct kb_json *all, const struct kb_json *more)
{
	for (const struct kb_json *v = kb_json_first(more); v;
	     v = kb_json_next(v))
		if (!kb_json_find(all, kb_json_key(v)))
			kb_json_set(all, kb_json_key(v), kb_json_copy(v));
}

struct kb_json *kb_division_extras(const struct kb_division *d,
				   const struct kb_json *environment)
{
	struct kb_json *all = kb_json_object();

	for (size_t i = 0; i < KB_ARRAY_LEN(extras); i++) {
		kb_auto(json) struct kb_json *one =
			kb_match_fields(environment, &extras[i].field, 1);

		if (extras[i].is_compared(d, environment))
			put_members(all, one);
	}
	return all;
}

/* The match key and the extra facts; the caller frees. A record may come from
 * anywhere, and its match key may have a field that is an extra fact. Other
 * checks refuse that. */
static struct kb_json *compared_fields(const struct kb_division *d,
				       const struct kb_conditions *c)
{
	kb_auto(json) struct kb_json *more =
		kb_division_extras(d, c->environment);
	struct kb_json *all = kb_json_copy(c->match_key);

	put_members(all, more);
	return all;
}

void kb_division_diff(struct kb_mismatches *out, const struct kb_division *d)
{
	kb_auto(json) struct kb_json *left = compared_fields(d, d->left.conditions);
	kb_auto(json) struct kb_json *right = compared_fields(d, d->right.conditions);

	kb_match_key_diff(out, left, right);
}

static bool is_extra(const char *name)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(extras); i++) {
		kb_auto(json) struct kb_json *one =
			kb_match_fields(NULL, &extras[i].field, 1);

		if (kb_json_find(one, name))
			return true;
	}
	return false;
}

bool kb_division_knows(const struct kb_division *d, const char *field)
{
	return kb_json_find(d->left.conditions->match_key, field) ||
	       kb_json_find(d->right.conditions->match_key, field) ||
	       is_extra(field);
}
