#include "audit/verdicts.h"

#include "json/json.h"
#include "manifest/audit.h"

/* A fact that is text, or NULL. */
static const char *fact_text(const struct kb_json *environment, const char *section,
			     const char *name)
{
	return kb_json_text(kb_json_find(environment, section), name);
}

static const char *device_of(const struct kb_audit *a)
{
	const struct kb_json *environment = a->conditions.environment;
	const char *name = fact_text(environment, "gpu", "name");

	if (!name)
		name = fact_text(environment, "cpu", "model");
	return name ? name : fact_text(environment, "device", "kind");
}

struct kb_json *kb_audit_verdicts(const struct kb_audit *a)
{
	const struct kb_json *commit = kb_json_find(a->conditions.tool,
						    "git_commit");
	struct kb_json *verdicts = kb_json_object();

	for (size_t i = 0; i < a->line_count; i++) {
		const struct kb_audit_line *l = &a->lines[i];
		struct kb_json *v;
		char key[KB_KEY_SIZE];

		/* A problem that could not be audited is neither sound nor
		 * unsound, and a suite says nothing of it. */
		if (!l->evidence)
			continue;
		v = kb_json_object();
		kb_json_set_bool(v, "sound", kb_findings_sound(&l->findings));
		kb_json_set(v, "findings", kb_findings_to_json(&l->findings));
		kb_json_set_string(v, "device", device_of(a));
		kb_json_set(v, "tool_commit", kb_json_copy(commit));
		kb_key_format(key, l->key);
		kb_json_set(verdicts, key, v);
	}
	return verdicts;
}
