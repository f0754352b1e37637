#ifndef KB_MANIFEST_TOOL_H
#define KB_MANIFEST_TOOL_H

struct kb_fields;
struct kb_json;

/*
 * Which program made a record: {"name", "version", "git_commit",
 * "git_dirty"}; the last two are null in a build that does not know its
 * commit. The facts come from version.h, which the Makefile generates:
 *
 *	KB_VERSION	"0.2.0"
 *	KB_GIT_COMMIT	40 hex digits, or ""
 *	KB_GIT_DIRTY	1, 0, or -1 if there is no commit to differ from
 */

/* `name` is the program's, as "kb-eval". The caller owns the result. */
struct kb_json *kb_tool_json(const char *name);

/* The member "tool", checked and copied; NULL if `f` has failed. */
struct kb_json *kb_tool_read(struct kb_fields *f);

#endif
