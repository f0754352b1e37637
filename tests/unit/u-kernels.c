/* The candidates in kernels/: each answers a problem, in the backend of its folder. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "lib/tap.h"
#include "source/code_backend.h"

#define CANDIDATES_MIN 40		/* that were promised */
#define BACKENDS_MIN 4
#define LEVELS 4

static int candidates, backends;

static const char *root(void)
{
	return getenv("KB_SRC") ? getenv("KB_SRC") : ".";
}

static const char *backend_of(const char *path)
{
	kb_auto(buf) struct kb_buf code = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	const size_t len = strlen(path);

	if (kb_file_read(&code, AT_FDCWD, path, 1 << 20, &err) < 0)
		KB_BUG(err.msg);
	return kb_code_backend(!strcmp(path + len - 3, ".cu") ?
			       KB_RUNTIME_CUDA : KB_RUNTIME_TORCH,
			       code.data, code.len);
}

/* A candidate has the name of its problem, but for the ending. */
static void check_problem(int level, const char *file)
{
	const char *dot = strrchr(file, '.');
	kb_auto(mem) char *path =
		kb_xasprintf("%s/problems/kernelbench/level%d/%.*s.py", root(),
			     level, (int)(dot ? dot - file : 0), file);

	if (access(path, R_OK))
		tap_fail("'%s' is no problem of level %d", file, level);
}

static void check_level(const char *backend, int level)
{
	kb_auto(mem) char *dir = kb_xasprintf("%s/kernels/%s/level%d", root(),
					      backend, level);
	DIR *const d = opendir(dir);

	for (struct dirent *e; d && (e = readdir(d));) {
		kb_auto(mem) char *path = kb_xasprintf("%s/%s", dir, e->d_name);

		if (e->d_name[0] == '.' || e->d_name[0] == '_')
			continue;
		check_problem(level, e->d_name);
		if (strcmp(backend_of(path), backend))
			tap_fail("'%s' is '%s' by its code", path,
				 backend_of(path));
		candidates++;
	}
	if (d)
		closedir(d);
}

static void test_candidates_are_what_their_folders_say(void)
{
	kb_auto(mem) char *dir = kb_xasprintf("%s/kernels", root());
	DIR *const d = opendir(dir);

	if (!d)
		KB_BUG("no kernels/");
	for (struct dirent *e; (e = readdir(d));) {
		const int before = candidates;

		if (e->d_name[0] == '.' || strchr(e->d_name, '.'))
			continue;
		for (int level = 1; level <= LEVELS; level++)
			check_level(e->d_name, level);
		check(candidates > before);
		backends++;
	}
	closedir(d);
}

static void test_there_are_as_many_as_we_say(void)
{
	check(candidates >= CANDIDATES_MIN);
	check(backends >= BACKENDS_MIN);
}

TAP_MAIN(TAP(test_candidates_are_what_their_folders_say),
	 TAP(test_there_are_as_many_as_we_say));
