#include "worker/python.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/variable.h"
#include "confine/process.h"
#include "worker/build.h"
#include "worker/launch.h"
#include "worker/query.h"

#define CANDIDATES_MAX 4

struct candidates {
	char *paths[CANDIDATES_MAX];	/* owned */
	size_t count;
};

static void kb_cleanup_candidates(struct candidates *c)
{
	for (size_t i = 0; i < c->count; i++)
		free(c->paths[i]);
}

/* `path` may be NULL: there is no such program. */
static void add_candidate(struct candidates *c, char *path)
{
	for (size_t i = 0; i < c->count && path; i++) {
		if (strcmp(c->paths[i], path))
			continue;
		free(path);
		return;
	}
	if (path)
		c->paths[c->count++] = path;
}

static void add_environment(struct candidates *c, const char *variable)
{
	const char *prefix = kb_variable(variable);
	kb_auto(mem) char *path = kb_xasprintf("%s/bin/python3",
					       prefix ? prefix : "");

	if (prefix)
		add_candidate(c, kb_find_program(path));
}

/* It is not loaded, which takes seconds: it is there, or it is not. */
static int has_torch(struct kb_launcher *l, struct kb_err *err)
{
	static const char script[] =
		"import importlib.util, sys\n"
		"sys.exit(importlib.util.find_spec('torch') is None)";
	const char *const argv[] = { l->python, "-B", "-c", script, NULL };
	kb_auto(scratch_dir) struct kb_scratch_dir dir = { .work = NULL };
	kb_auto(buf) struct kb_buf said = KB_BUF_INIT;
	int ret = kb_scratch_make(&l->scratch, &dir, !l->other_user_why_not,
				  err);

	return ret < 0 ? ret : kb_query(&said, l, &dir, argv, err);
}

/* Packages that are installed to be edited are found by modules that have a
 * table of them. */
static const char paths_script[] =
	"import importlib.util, sys\n"
	"print(sys.prefix, sys.exec_prefix, sys.base_prefix,\n"
	"      sys.base_exec_prefix, '', *filter(None, sys.path), sep='\\n')\n"
	"for m in list(sys.modules.values()):\n"
	"    table = getattr(m, 'MAPPING', None)\n"
	"    if type(table) is dict:\n"
	"        print(*table.values(), sep='\\n')\n"
	"for name in 'torch', 'triton':\n"
	"    spec = importlib.util.find_spec(name)\n"
	"    if spec:\n"
	"        print(*spec.submodule_search_locations or [], sep='\\n')\n";

void kb_python_paths(struct kb_buf *out, struct kb_launcher *l)
{
	const char *const argv[] = { l->python, "-B", "-c", paths_script, NULL };
	kb_auto(scratch_dir) struct kb_scratch_dir dir = { .work = NULL };
	kb_auto(buf) struct kb_buf said = KB_BUF_INIT;

	if (kb_scratch_make(&l->scratch, &dir, !l->other_user_why_not,
			    NULL) >= 0 &&
	    kb_query(&said, l, &dir, argv, NULL) > 0)
		kb_buf_add(out, said.data, said.len);
}

static void take_python(struct kb_launcher *l, const char *path)
{
	free(l->python);
	l->python = kb_xstrdup(path);
	kb_launcher_choose_user(l, true, true);
}

static char *list_of(const struct candidates *c)
{
	struct kb_buf list = KB_BUF_INIT;

	for (size_t i = 0; i < c->count; i++)
		kb_buf_addf(&list, "%s'%s'", i ? ", " : "", c->paths[i]);
	return kb_buf_detach(&list);
}

int kb_launcher_find_torch(struct kb_launcher *l, struct kb_err *err)
{
	kb_auto(candidates) struct candidates c = { .count = 0 };

	if (l->python_is_settled)
		return 0;
	l->python_is_settled = true;
	add_candidate(&c, kb_find_program("python3"));
	add_environment(&c, "VIRTUAL_ENV");
	add_environment(&c, "CONDA_PREFIX");
	add_candidate(&c, kb_find_program("/usr/bin/python3"));
	for (size_t i = 0; i < c.count; i++) {
		int ret;

		take_python(l, c.paths[i]);
		ret = has_torch(l, err);
		if (ret)
			return ret;
	}
	if (c.count)
		take_python(l, c.paths[0]);
	l->python_tried = list_of(&c);
	return 0;
}
