#include "worker/view.h"

#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "worker/launch.h"
#include "worker/python.h"
#include "worker/variables.h"

#define FILE_BYTES_MAX ((size_t)64 * 1024)

void kb_view_add_loader_paths(struct kb_root *r, const char *text)
{
	kb_auto(mem) char *copy = kb_xstrdup(text);
	char *save = NULL;

	for (char *line = strtok_r(copy, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save)) {
		line += strspn(line, " \t");
		line[strcspn(line, " \t#")] = '\0';
		kb_root_add(r, line);
	}
}

static void add_loader(struct kb_root *r)
{
	glob_t found = { .gl_pathc = 0 };

	(void)glob("/etc/ld.so.conf", 0, NULL, &found);
	(void)glob("/etc/ld.so.conf.d/*.conf", found.gl_pathc ? GLOB_APPEND : 0,
		   NULL, &found);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

		if (kb_file_read(&text, AT_FDCWD, found.gl_pathv[i],
				 FILE_BYTES_MAX, NULL) >= 0)
			kb_view_add_loader_paths(r, text.data);
	}
	globfree(&found);
}

static void add_programs(struct kb_root *r, const struct kb_launcher *l)
{
	if (l->cc)
		kb_root_add_program(r, l->cc);
	if (l->nvcc)
		kb_root_add_program(r, l->nvcc);
}

/* What it says of itself: the directories that it is installed in, one a line,
 * and after an empty line where modules are. */
static void add_python(struct kb_launcher *l)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	bool is_prefix = true;

	kb_root_add_program(&l->root, l->python);
	kb_python_paths(&text, l);
	for (char *line = text.data, *next; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (!*line)
			is_prefix = false;
		else if (is_prefix)
			kb_root_add_prefix(&l->root, line);
		else
			kb_root_add(&l->root, line);
	}
}

void kb_launcher_plan_root(struct kb_launcher *l, bool python)
{
	struct kb_root *r = &l->root;

	kb_root_release(r);
	l->root_is_planned = false;
	l->granted = 0;
	r->others = !l->other_user_why_not;
	kb_root_add_home(r, getenv("HOME"));
	kb_root_add_home(r, l->scratch.root);
	kb_root_add_system(r, l->cuda);
	add_loader(r);
	add_programs(r, l);
	kb_variables_show(r);
	kb_root_add_list(r, getenv("KB_READABLE"));
	kb_root_add(r, l->weights);
	if (python && l->python)
		add_python(l);
	if (l->cuda)
		kb_view_add_gpus(r, l->cuda_visible);
	kb_root_add_closed(r, getenv("HOME"));
	for (size_t i = 0; i < KB_CLOSED_MAX; i++)
		kb_root_add_closed(r, l->closed[i]);
	l->root_is_planned = true;
}
