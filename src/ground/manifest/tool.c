#include "manifest/tool.h"

#include "json/json.h"
#include "manifest/fields.h"
#include "version.h"

struct kb_json *kb_tool_json(const char *name)
{
	const char *commit = KB_GIT_COMMIT;
	struct kb_json *tool = kb_json_object();

	kb_json_set_string(tool, "name", name);
	kb_json_set_string(tool, "version", KB_VERSION);
	kb_json_set_string(tool, "git_commit", *commit ? commit : NULL);
	/* A negative KB_GIT_DIRTY: nobody could tell. */
	if (KB_GIT_DIRTY < 0)
		kb_json_set(tool, "git_dirty", kb_json_null());
	else
		kb_json_set_bool(tool, "git_dirty", KB_GIT_DIRTY);
	return tool;
}

struct kb_json *kb_tool_read(struct kb_fields *f)
{
	const struct kb_json *tool = kb_fields_object(f, "tool");
	const char *name, *version;
	struct kb_fields inner;

	if (!tool)
		return NULL;
	kb_fields_begin(&inner, tool, f->where, f->err);
	name = kb_fields_text(&inner, "name");
	version = kb_fields_text(&inner, "version");
	if ((name && !*name) || (version && !*version))
		kb_fields_fail(&inner, "'tool' has no name or no version");
	if (!kb_fields_null(&inner, "git_commit"))
		kb_fields_text(&inner, "git_commit");
	if (!kb_fields_null(&inner, "git_dirty"))
		kb_fields_bool(&inner, "git_dirty");
	f->ret = kb_fields_end(&inner);
	return f->ret < 0 ? NULL : kb_json_copy(tool);
}
