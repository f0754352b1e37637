#include "worker/server.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "source/code_imports.h"
#include "source/code_words.h"
#include "worker/build.h"
#include "worker/launch.h"

/* --- which modules? ----------------------------------------------------- */

static const char *const module_names[KB_MODULE_COUNT] = {
	[KB_MODULE_TRITON] = "triton",
	[KB_MODULE_INDUCTOR] = "torch._inductor.compile_fx",
};

static bool has_words(const struct kb_code_words *w, size_t at,
		      const char *const words[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (at + i >= w->count || w->items[at + i].in_string ||
		    !kb_code_word_is(&w->items[at + i], words[i]))
			return false;
	return true;
}

uint32_t kb_modules_of(const char *code, size_t len)
{
	static const char *const compile[] = { "torch", ".", "compile" };
	kb_auto(code_words) struct kb_code_words w = KB_CODE_WORDS_INIT;
	uint32_t modules = 0;

	kb_code_words_read(&w, code, len);
	if (kb_code_imports(&w, "triton", NULL))
		modules |= 1u << KB_MODULE_TRITON;
	for (size_t i = 0; i < w.count; i++)
		if (has_words(&w, i, compile, KB_ARRAY_LEN(compile)))
			modules |= 1u << KB_MODULE_INDUCTOR;
	return modules;
}

/* --- may it run unconfined? -------------------------------------------- */

/* As many as the kernel follows (path_resolution(7)). */
#define LINKS_MAX 40

/* Nobody but the owner can put something else in its place, or anything where
 * there is nothing. */
static bool is_own(const char *path, uid_t uid, struct stat *st, bool *is_there)
{
	*is_there = !lstat(path, st);
	if (!*is_there)
		return errno == ENOENT;
	return st->st_uid == uid &&
	       (S_ISLNK(st->st_mode) || !(st->st_mode & (S_IWGRP | S_IWOTH)));
}

/* Into `rest`, before what is left of it. */
static bool follow_link(const char *link, char **at, char **rest)
{
	char target[PATH_MAX];
	const ssize_t len = readlink(link, target, sizeof(target) - 1);
	char *whole;

	if (len < 0)
		return false;
	target[len] = '\0';
	whole = kb_xasprintf("%s/%s", target, *rest);
	free(*rest);
	*rest = whole;
	if (target[0] == '/')
		**at = '\0';
	return true;
}

/* Nor of any directory or link on the way to it. `at` is where the way has got to,
 * which has no links, `rest` what is to come. */
static bool is_own_place(const char *path, uid_t uid)
{
	kb_auto(mem) char *at = kb_xstrdup("");
	kb_auto(mem) char *rest = kb_xstrdup(path);
	bool own = path[0] == '/', is_there = true;
	int links = 0;

	while (own && is_there && *rest) {
		const size_t len = strcspn(rest, "/");
		const size_t step = len + strspn(rest + len, "/");
		kb_auto(mem) char *next = kb_xasprintf("%s/%.*s", at, (int)len,
						       rest);
		struct stat st = { .st_mode = 0 };

		memmove(rest, rest + step, strlen(rest + step) + 1);
		own = is_own(next, uid, &st, &is_there);
		if (own && is_there && S_ISLNK(st.st_mode)) {
			own = ++links <= LINKS_MAX &&
			      follow_link(next, &at, &rest);
			continue;
		}
		free(at);
		at = kb_steal(next);
	}
	return own;
}

static bool are_own_places(const char *list, uid_t uid)
{
	kb_auto(mem) char *copy = kb_xstrdup(list);
	char *rest = copy, *path;

	while ((path = strsep(&rest, ":")))
		if (*path && !is_own_place(path, uid))
			return false;
	return true;
}

/*
 * A worker that is executed is confined before its interpreter begins; a server
 * is not. An ordinary user's interpreter gets nothing by that which it has not
 * whenever it is used; root's may be in other hands, or be told of a place that
 * is.
 */
static bool is_trusted(const char *python, char **env)
{
	static const char *const places[] = {
		"PYTHONPATH=", "PYTHONUSERBASE=", "EBPYTHONPREFIXES=",
		"VIRTUAL_ENV=", "LD_LIBRARY_PATH=",
	};

	if (geteuid() != 0)
		return true;
	for (char **e = env; *e; e++)
		for (size_t i = 0; i < KB_ARRAY_LEN(places); i++)
			if (!strncmp(*e, places[i], strlen(places[i])) &&
			    !are_own_places(*e + strlen(places[i]), 0))
				return false;
	return is_own_place(python, 0);
}

/* --- one of them ------------------------------------------------------- */

void kb_launcher_end_server(struct kb_launcher *l)
{
	struct kb_server *s = &l->server;

	kb_fork_server_end(&s->fork);
	kb_env_free(s->env);
	free(s->python);
	*s = (struct kb_server)KB_SERVER_INIT;
}

/* Takes `env`. That it cannot be had is found out by who asks it. */
static void begin_server(struct kb_launcher *l, char **env, uint32_t modules)
{
	struct kb_server *s = &l->server;
	kb_auto(mem) char *script = kb_xasprintf("%s/kb_torch_server.py",
						 l->libexec);
	kb_auto(mem) char *library = kb_xasprintf("%s/libkbfork.so", l->libexec);
	const char *argv[6 + KB_MODULE_COUNT + 1] = {
		l->python, "-B", script, library, "torch", "kb_torch_worker",
	};
	size_t n = 6;

	for (int i = 0; i < KB_MODULE_COUNT; i++)
		if (modules & 1u << i)
			argv[n++] = module_names[i];
	kb_launcher_end_server(l);
	s->owner = getpid();
	s->python = kb_xstrdup(l->python);
	s->env = env;
	s->modules = modules;
	if (!access(script, R_OK) && !access(library, R_OK) &&
	    is_trusted(l->python, env))
		(void)kb_fork_server_start(&s->fork, argv,
					   (const char *const *)env,
					   l->load_timeout_ns, NULL);
}

static bool are_equal(char **a, char **b)
{
	size_t i;

	for (i = 0; a[i] && b[i]; i++)
		if (strcmp(a[i], b[i]))
			return false;
	return a[i] == b[i];
}

/* A process that was forked since has none yet. */
static bool is_begun(const struct kb_launcher *l, char **env)
{
	const struct kb_server *s = &l->server;

	return s->owner == getpid() && !strcmp(s->python, l->python) &&
	       are_equal(s->env, env);
}

static bool is_for_torch(const struct kb_launcher *l, const char *const argv[])
{
	return l->python && !strcmp(argv[0], l->python) && argv[1] &&
	       !strcmp(argv[1], "-B") && argv[2] && argv[2][0] == '/';
}

/* Imports read nothing of what a compiler is told, which differs from build to build.
 * A program has an environment of its own. */
static char **env_of_imports(const struct kb_launcher *l)
{
	struct kb_launcher x = *l;

	x.max_jobs = 0;
	x.cuda = false;
	/* A server leaves no files, and all of them have their names from there. */
	return kb_env_of(&x, l->scratch.root);
}

void kb_launcher_begin_server(struct kb_launcher *l)
{
	struct kb_server *s = &l->server;
	kb_auto(env) char **env = NULL;

	if (!l->python)
		return;
	env = env_of_imports(l);
	if (!is_begun(l, env))
		begin_server(l, kb_steal(env), l->modules);
	else if (s->modules && !kb_fork_server_is_there(&s->fork))
		begin_server(l, kb_steal(env), 0);
}

struct kb_fork_server *kb_launcher_server(struct kb_launcher *l,
					  const char *const argv[])
{
	if (!is_for_torch(l, argv))
		return NULL;
	kb_launcher_begin_server(l);
	return kb_fork_server_is_there(&l->server.fork) ? &l->server.fork : NULL;
}
