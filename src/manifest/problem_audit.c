#include "manifest/problem_audit.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/fields.h"

#define COMMIT_DIGITS 40

static const struct {
	const char *name;
	bool unsound;
} findings[KB_FINDING_COUNT] = {
	[KB_FINDING_INPUT_INDEPENDENT] = { "input_independent", true },
	[KB_FINDING_ZERO_OUTPUT] = { "zero_output", true },
	[KB_FINDING_CONSTANT_OUTPUT] = { "constant_output", true },
	[KB_FINDING_ZEROS_PASS] = { "zeros_pass", true },
	[KB_FINDING_ZEROS_PASS_LOOSE] = { "zeros_pass_loose", false },
	[KB_FINDING_CONSTANT_PASSES] = { "constant_passes", true },
	[KB_FINDING_CONSTANT_PASSES_LOOSE] = { "constant_passes_loose", false },
	[KB_FINDING_OTHER_INPUT_PASSES] = { "other_input_passes", true },
	[KB_FINDING_OTHER_INPUT_PASSES_LOOSE] = { "other_input_passes_loose", false },
	[KB_FINDING_IDENTITY] = { "identity", true },
	[KB_FINDING_REMOVABLE] = { "removable", false },
	[KB_FINDING_NOT_REPRODUCIBLE] = { "not_reproducible", true },
	[KB_FINDING_RANDOM] = { "random", true },
	[KB_FINDING_TOLERANCE_LOOSE] = { "tolerance_loose", false },
	[KB_FINDING_TOLERANCE_TIGHT] = { "tolerance_tight", false },
	[KB_FINDING_NOT_FINITE] = { "not_finite", true },
};

const char *kb_finding_name(enum kb_finding finding)
{
	return findings[finding].name;
}

int kb_finding_parse(enum kb_finding *out, const char *name,
		     struct kb_err *err)
{
	for (int i = 0; i < KB_FINDING_COUNT; i++) {
		if (!strcmp(findings[i].name, name)) {
			*out = (enum kb_finding)i;
			return 0;
		}
	}
	return kb_err(err, KB_ERR_INPUT, "no finding is called '%s'", name);
}

bool kb_finding_unsound(enum kb_finding finding)
{
	return findings[finding].unsound;
}

bool kb_problem_audit_sound(const struct kb_problem_audit *a)
{
	for (size_t i = 0; i < a->finding_count; i++)
		if (kb_finding_unsound(a->findings[i].finding))
			return false;
	return true;
}

KB_DEFINE_CLEANUP(audit, struct kb_problem_audit *, kb_problem_audit_free);

void kb_problem_audit_free(struct kb_problem_audit *a)
{
	if (!a)
		return;
	for (size_t i = 0; i < a->finding_count; i++)
		free(a->findings[i].evidence);
	free(a->findings);
	free(a->device);
	free(a->tool_commit);
	free(a);
}

struct kb_json *kb_problem_audit_to_json(const struct kb_problem_audit *a)
{
	struct kb_json *v, *array;

	if (!a)
		return kb_json_null();
	array = kb_json_array();
	for (size_t i = 0; i < a->finding_count; i++) {
		struct kb_json *one = kb_json_object();

		kb_json_set_string(one, "finding",
				   kb_finding_name(a->findings[i].finding));
		kb_json_set_string(one, "evidence", a->findings[i].evidence);
		kb_json_append(array, one);
	}
	v = kb_json_object();
	kb_json_set_bool(v, "sound", kb_problem_audit_sound(a));
	kb_json_set(v, "findings", array);
	kb_json_set_string(v, "device", a->device);
	kb_json_set_string(v, "tool_commit", a->tool_commit);
	return v;
}

static enum kb_finding read_finding(struct kb_fields *f)
{
	const char *text = kb_fields_text(f, "finding");
	enum kb_finding finding = KB_FINDING_NOT_FINITE;

	if (text && kb_finding_parse(&finding, text, NULL) < 0)
		kb_fields_fail(f, "'finding' is '%s', which is not known",
			       text);
	return finding;
}

static void read_findings(struct kb_problem_audit *a, struct kb_fields *f)
{
	const struct kb_json *array = kb_fields_array(f, "findings");

	if (!array)
		return;
	a->findings = kb_xcalloc(kb_json_count(array), sizeof(*a->findings));
	for (const struct kb_json *v = kb_json_first(array); v && !f->ret;
	     v = kb_json_next(v)) {
		struct kb_fields inner;
		size_t i = a->finding_count++;

		kb_fields_begin(&inner, v, f->where, f->err);
		a->findings[i].finding = read_finding(&inner);
		a->findings[i].evidence = kb_fields_string(&inner, "evidence");
		f->ret = kb_fields_end(&inner);
	}
}

struct kb_problem_audit *kb_problem_audit_read(struct kb_fields *f,
					       const char *key)
{
	const struct kb_json *v = kb_fields_null(f, key)
					  ? NULL
					  : kb_fields_object(f, key);
	kb_auto(audit) struct kb_problem_audit *a = NULL;
	kb_auto(mem) char *where = NULL;
	struct kb_fields inner;
	bool sound;

	if (!v)
		return NULL;
	a = kb_xcalloc(1, sizeof(*a));
	where = kb_xasprintf("%s: %s", f->where, key);
	kb_fields_begin(&inner, v, where, f->err);
	sound = kb_fields_bool(&inner, "sound");
	read_findings(a, &inner);
	a->device = kb_fields_string(&inner, "device");
	a->tool_commit = kb_fields_hex_or_null(&inner, "tool_commit",
					       COMMIT_DIGITS);
	if (!inner.ret && sound != kb_problem_audit_sound(a))
		kb_fields_fail(&inner, "'sound' does not go with 'findings'");
	f->ret = kb_fields_end(&inner);
	return f->ret < 0 ? NULL : kb_steal(a);
}
