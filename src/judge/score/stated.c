#include "score/stated.h"

#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "device/tolerance.h"
#include "json/json.h"
#include "manifest/problem_audit.h"
#include "score/metrics.h"

/* Both are sorted. */
static void state_selection(struct kb_stated *out,
			    const struct kb_evaluation *e,
			    const struct kb_suite *suite)
{
	size_t next = 0;

	out->selected = (int64_t)e->problem_count;
	if (!suite)
		return;
	out->suite_problems = (int64_t)suite->problem_count;
	out->derivation = kb_suite_derivation(suite);
	out->derived_from = suite->parent;
	out->left_out = kb_xcalloc(suite->problem_count,
				   sizeof(*out->left_out));
	for (size_t i = 0; i < suite->problem_count; i++) {
		const struct kb_key key = suite->problems[i].key;

		while (next < e->problem_count &&
		       kb_key_compare(e->problems[next], key) < 0)
			next++;
		if (next == e->problem_count ||
		    kb_key_compare(e->problems[next], key))
			out->left_out[out->left_out_count++] = key;
	}
}

/* The audit of all problems that count. Problems of the leaderboard without a
 * line have no audit either. */
static void state_audit(struct kb_stated *out, const struct kb_score *s,
			const struct kb_counted *counted,
			const struct kb_suite *suite)
{
	if (!suite)
		return;
	out->unsound = 0;
	out->not_audited = s->overall.problems - (int64_t)s->line_count;
	for (size_t i = 0; i < counted->count; i++) {
		const struct kb_problem_audit *audit =
			kb_suite_audit_of(suite, counted->keys[i]);

		if (!audit)
			out->not_audited++;
		else
			out->unsound += !kb_findings_sound(&audit->findings);
	}
}

static void state_limits(struct kb_stated *out, const char *name)
{
	static const struct {
		int bits;
		enum kb_dtype dtype;
	} of[KB_STATED_LIMITS] = {
		{ 32, KB_FLOAT32 }, { 16, KB_FLOAT16 },
		{ 8, KB_FLOAT8_E4M3FN },
	};
	const struct kb_tolerance_policy *policy;

	if (kb_tolerance_policy_find(&policy, name, NULL) < 0)
		return;
	for (size_t i = 0; i < KB_STATED_LIMITS; i++) {
		const struct kb_limited limited = {
			.dtype = of[i].dtype, .input = of[i].dtype,
		};
		const struct kb_tolerance t =
			kb_error_limits_of(policy, &limited).element;

		out->limits[out->limit_count++] = (struct kb_stated_limit){
			.bits = of[i].bits, .atol = t.atol, .rtol = t.rtol,
		};
	}
}

static void state_tolerance(struct kb_stated *out,
			    const struct kb_json *policy)
{
	const char *name = kb_json_text(policy, "tolerance");
	const struct kb_json *multiple = kb_json_find(policy,
						      "error_multiple");

	if (multiple && kb_json_type(multiple) == KB_JSON_INT &&
	    kb_json_int_value(multiple) > 0)
		out->error_multiple = kb_json_int_value(multiple);
	if (!name || !*name)
		return;
	out->tolerance = kb_xstrdup(name);
	out->of_tensor = kb_json_text_is(policy, "tolerance_of",
					 KB_TOLERANCE_OF_TENSOR);
	state_limits(out, out->tolerance);
}

void kb_score_state(struct kb_score *s, const struct kb_evaluation *e,
		    const struct kb_counted *counted,
		    const struct kb_suite *suite)
{
	state_selection(&s->stated, e, suite);
	state_audit(&s->stated, s, counted, suite);
	state_tolerance(&s->stated, e->conditions.policy);
	s->stated.has_drift = kb_has_drift(s);
	if (s->stated.has_drift)
		kb_drift_of(&s->stated.drift, s->lines, s->line_count);
}
