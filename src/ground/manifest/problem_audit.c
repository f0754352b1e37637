#include "manifest/problem_audit.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "manifest/fields.h"

#define COMMIT_DIGITS 40

KB_DEFINE_CLEANUP(audit, struct kb_problem_audit *, kb_problem_audit_free);

void kb_problem_audit_free(struct kb_problem_audit *a)
{
	if (!a)
		return;
	kb_findings_release(&a->findings);
	free(a->device);
	free(a->tool_commit);
	free(a);
}

struct kb_json *kb_problem_audit_to_json(const struct kb_problem_audit *a)
{
	struct kb_json *v;

	if (!a)
		return kb_json_null();
	v = kb_json_object();
	kb_json_set_bool(v, "sound", kb_findings_sound(&a->findings));
	kb_json_set(v, "findings", kb_findings_to_json(&a->findings));
	kb_json_set_string(v, "device", a->device);
	kb_json_set_string(v, "tool_commit", a->tool_commit);
	return v;
}

struct kb_problem_audit *kb_problem_audit_read(struct kb_fields *f,
					       const char *key)
{
	kb_auto(audit) struct kb_problem_audit *a = NULL;
	kb_auto(mem) char *where = NULL;
	struct kb_fields inner;
	bool sound;

	if (kb_fields_null(f, key) ||
	    !kb_fields_enter_at(&inner, &where, f, key))
		return NULL;
	a = kb_xcalloc(1, sizeof(*a));
	sound = kb_fields_bool(&inner, "sound");
	kb_findings_read(&a->findings, &inner, "findings");
	a->device = kb_fields_string(&inner, "device");
	a->tool_commit = kb_fields_hex_or_null(&inner, "tool_commit",
					       COMMIT_DIGITS);
	if (!inner.ret && sound != kb_findings_sound(&a->findings))
		kb_fields_fail(&inner, "'sound' does not go with 'findings'");
	f->ret = kb_fields_end(&inner);
	return f->ret < 0 ? NULL : kb_steal(a);
}
