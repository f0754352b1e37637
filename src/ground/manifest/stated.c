#include "manifest/stated.h"

#include <stdlib.h>

#include "json/json.h"
#include "manifest/fields.h"

/* By sizes unless it is said: they came first. */
static const char *const derivations[KB_DERIVATION_COUNT] = {
	[KB_DERIVATION_NONE] = "", [KB_DERIVATION_SIZES] = "",
	[KB_DERIVATION_BACKWARD] = "backward",
	[KB_DERIVATION_BOTH] = "backward_and_sizes",
};

/* Absent: each element. That form came first. */
static const char *const tolerance_of[] = { "tensor" };

void kb_stated_release(struct kb_stated *s)
{
	free(s->left_out);
	free(s->tolerance);
	*s = (struct kb_stated)KB_STATED_INIT;
}

static struct kb_json *drift_to_json(const struct kb_stated *s)
{
	struct kb_json *v;

	if (!s->has_drift)
		return kb_json_null();
	v = kb_json_object();
	kb_json_set_int(v, "problems", (int64_t)s->drift.problems);
	kb_put_int(v, "median_micro", s->drift.median_micro);
	kb_put_int(v, "min_micro", s->drift.min_micro);
	kb_put_int(v, "max_micro", s->drift.max_micro);
	return v;
}

static struct kb_json *limits_to_json(const struct kb_stated *s)
{
	struct kb_json *array = kb_json_array();

	for (size_t i = 0; i < s->limit_count; i++) {
		struct kb_json *v = kb_json_object();

		kb_json_set_int(v, "bits", s->limits[i].bits);
		kb_put_decimal(v, "atol", s->limits[i].atol);
		kb_put_decimal(v, "rtol", s->limits[i].rtol);
		kb_json_append(array, v);
	}
	return array;
}

struct kb_json *kb_stated_to_json(const struct kb_stated *s)
{
	struct kb_json *v = kb_json_object();

	kb_json_set_int(v, "selected", s->selected);
	kb_put_int(v, "suite_problems", s->suite_problems);
	if (s->suite_problems == KB_UNKNOWN)
		kb_json_set(v, "left_out", kb_json_null());
	else
		kb_put_keys(v, "left_out", s->left_out, s->left_out_count);
	if (s->derivation != KB_DERIVATION_NONE)
		kb_put_digest(v, "derived_from", &s->derived_from);
	if (*derivations[s->derivation])
		kb_json_set_string(v, "derived_by",
				   derivations[s->derivation]);
	kb_put_int(v, "unsound", s->unsound);
	kb_put_int(v, "not_audited", s->not_audited);
	kb_json_set_string(v, "tolerance", s->tolerance);
	kb_put_int(v, "error_multiple", s->error_multiple);
	if (s->of_tensor)
		kb_json_set_string(v, "tolerance_of", tolerance_of[0]);
	kb_json_set(v, "limits", limits_to_json(s));
	kb_json_set(v, "drift", drift_to_json(s));
	if (s->attempts)
		kb_json_set_int(v, "attempts", s->attempts);
	return v;
}

/* Problems that the run left out can only be named if the suite was there to
 * compare with; otherwise null says that nobody knows, which an empty list
 * would not. */
static void read_left_out(struct kb_stated *s, struct kb_fields *f)
{
	const bool is_null = kb_fields_null(f, "left_out");
	const bool has_suite = s->suite_problems != KB_UNKNOWN;

	if (!is_null)
		s->left_out = kb_fields_keys(f, "left_out",
					     &s->left_out_count);
	if (has_suite == is_null)
		kb_fields_fail(f, "'left_out' does not go with 'suite_problems'");
	else if (has_suite &&
		 s->left_out_count > (uint64_t)s->suite_problems)
		kb_fields_fail(f, "'left_out' has more problems than the suite");
}

static enum kb_derivation read_derivation(struct kb_fields *f)
{
	const int first = KB_DERIVATION_BACKWARD;

	return first + kb_fields_word(f, "derived_by", derivations + first,
				      KB_DERIVATION_COUNT - first);
}

static void read_derived(struct kb_stated *s, struct kb_fields *f)
{
	if (!kb_fields_has(f, "derived_from"))
		return;
	s->derivation = KB_DERIVATION_SIZES;
	s->derived_from = kb_fields_digest(f, "derived_from");
	if (kb_fields_has(f, "derived_by"))
		s->derivation = read_derivation(f);
	if (s->suite_problems == KB_UNKNOWN)
		kb_fields_fail(f, "'derived_from' does not go with "
				  "'suite_problems'");
}

/* Counts of problems: a quarter of what an integer holds leaves room for their
 * sums. */
static void read_audit(struct kb_stated *s, struct kb_fields *f)
{
	const int64_t max = KB_JSON_INT_MAX / 4;
	const bool has_suite = s->suite_problems != KB_UNKNOWN;

	s->unsound = kb_fields_int_or_null(f, "unsound", 0, max);
	s->not_audited = kb_fields_int_or_null(f, "not_audited", 0, max);
	if ((s->unsound != KB_UNKNOWN) != has_suite ||
	    (s->not_audited != KB_UNKNOWN) != has_suite)
		kb_fields_fail(f, "'unsound' and 'not_audited' do not go with "
				  "'suite_problems'");
}

static int limit_from_json(struct kb_stated_limit *l, const struct kb_json *v,
			   int bits, const char *where, struct kb_err *err)
{
	struct kb_fields f;

	kb_fields_begin(&f, v, where, err);
	l->bits = (int)kb_fields_int(&f, "bits", bits, bits);
	l->atol = kb_fields_decimal(&f, "atol");
	l->rtol = kb_fields_decimal(&f, "rtol");
	return kb_fields_end(&f);
}

static void read_limits(struct kb_stated *s, struct kb_fields *f)
{
	const struct kb_json *array = kb_fields_array(f, "limits"), *v;

	if (!array || !kb_json_count(array))
		return;
	if (kb_json_count(array) != KB_STATED_LIMITS) {
		kb_fields_fail(f, "'limits' has %zu elements, want none or %d",
			       kb_json_count(array), KB_STATED_LIMITS);
		return;
	}
	for (v = kb_json_first(array); v && !f->ret; v = kb_json_next(v)) {
		f->ret = limit_from_json(&s->limits[s->limit_count], v,
					 32 >> s->limit_count, f->where,
					 f->err);
		s->limit_count++;
	}
}

static void read_drift(struct kb_stated *s, struct kb_fields *f)
{
	const int64_t max = KB_JSON_INT_MAX;
	const struct kb_json *v;
	struct kb_fields inner;

	s->has_drift = !kb_fields_null(f, "drift");
	v = s->has_drift ? kb_fields_object(f, "drift") : NULL;
	if (!v)
		return;
	kb_fields_begin(&inner, v, f->where, f->err);
	s->drift.problems = (size_t)kb_fields_int(&inner, "problems", 0, max);
	s->drift.median_micro = kb_fields_int_or_null(&inner, "median_micro",
						      0, max);
	s->drift.min_micro = kb_fields_int_or_null(&inner, "min_micro", 0,
						   max);
	s->drift.max_micro = kb_fields_int_or_null(&inner, "max_micro", 0,
						   max);
	f->ret = kb_fields_end(&inner);
	if ((s->drift.median_micro != KB_UNKNOWN) != !!s->drift.problems ||
	    (s->drift.min_micro != KB_UNKNOWN) != !!s->drift.problems ||
	    (s->drift.max_micro != KB_UNKNOWN) != !!s->drift.problems)
		kb_fields_fail(f, "'drift' does not go with its 'problems'");
}

void kb_stated_read(struct kb_stated *s, struct kb_fields *f, const char *key)
{
	const int64_t max = KB_JSON_INT_MAX;
	struct kb_fields inner;

	if (!kb_fields_enter(&inner, f, key))
		return;
	s->selected = kb_fields_int(&inner, "selected", 0, max);
	s->suite_problems = kb_fields_int_or_null(&inner, "suite_problems", 0,
						  max);
	read_left_out(s, &inner);
	read_derived(s, &inner);
	read_audit(s, &inner);
	s->tolerance = kb_fields_string_or_null(&inner, "tolerance");
	s->of_tensor = kb_fields_has(&inner, "tolerance_of");
	if (s->of_tensor)
		kb_fields_word(&inner, "tolerance_of", tolerance_of, 1);
	s->error_multiple = kb_fields_int_or_null(&inner, "error_multiple", 1,
						  max);
	read_limits(s, &inner);
	read_drift(s, &inner);
	if (kb_fields_has(&inner, "attempts"))
		s->attempts = kb_fields_int(&inner, "attempts", 1,
					    KB_SAMPLE_ID_MAX + 1);
	f->ret = kb_fields_end(&inner);
}
