#include "confine/cgroups.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "confine/cgroup_base.h"
#include "confine/cgroup_files.h"

#define RUN_PREFIX "kb-run-"
#define ATTEMPTS 8

/* --- the run's group --------------------------------------------------- */

/* Best effort: what cannot be swept is somebody else's or still in use. */
static void sweep_groups(int base_fd)
{
	const int copy = kb_cgroup_at(base_fd, ".");
	kb_auto(dir) DIR *d = copy < 0 ? NULL : fdopendir(copy);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		kb_auto(fd) int fd = -1;

		if (strncmp(e->d_name, RUN_PREFIX, strlen(RUN_PREFIX)))
			continue;
		fd = kb_cgroup_at(base_fd, e->d_name);
		/* A lock of flock(2) ends with its holder, however that ended:
		 * what can be locked has no owner. */
		if (fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB))
			(void)kb_cgroup_destroy(base_fd, e->d_name);
	}
}

static bool has_controller(int fd, const char *name)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	kb_cgroup_read(&text, fd, "cgroup.controllers");
	return kb_cgroup_has_word(text.data, text.len, name);
}

/* Made and locked. Between the two a sweep may take it for an abandoned one;
 * then nothing can be made in it. */
static bool make_run(struct kb_cgroups *g)
{
	for (int i = 0; i < ATTEMPTS; i++) {
		free(g->run);
		g->run = kb_xasprintf(RUN_PREFIX "%d-%u", (int)getpid(),
				      g->next++);
		if (mkdirat(g->base_fd, g->run, 0755) < 0) {
			if (errno == EEXIST)
				continue;
			return false;
		}
		g->run_fd = kb_cgroup_at(g->base_fd, g->run);
		if (g->run_fd >= 0 && !flock(g->run_fd, LOCK_EX) &&
		    !faccessat(g->base_fd, g->run, F_OK, 0))
			return true;
		if (g->run_fd >= 0)
			close(g->run_fd);
		g->run_fd = -1;
	}
	return false;
}

/* Whether what we are about to rely on works here: 0 or an errno value. */
static int try_group(struct kb_cgroups *g)
{
	struct kb_cgroup c = KB_CGROUP_INIT;
	struct kb_err why = KB_ERR_INIT;
	int error = 0;
	pid_t pid;

	if (kb_cgroup_make(&c, g, 0, 16, &why) < 0)
		return why.sys_errno;
	/* Kernels before 5.7 do not know the flag, and containers may refuse
	 * clone3(2) altogether: only trying tells. */
	pid = kb_cgroup_fork(c.fd);
	if (!pid)
		_exit(0);
	if (pid < 0)
		error = errno;
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	kb_cgroup_remove(&c);
	return error;
}

static void note_controllers(struct kb_cgroups *g)
{
	g->has_memory = has_controller(g->run_fd, "memory") &&
		kb_cgroup_write(g->run_fd, "cgroup.subtree_control", "+memory");
	g->has_pids = has_controller(g->run_fd, "pids") &&
		kb_cgroup_write(g->run_fd, "cgroup.subtree_control", "+pids");
}

void kb_cgroups_open(struct kb_cgroups *g)
{
	int error;

	*g = (struct kb_cgroups)KB_CGROUPS_INIT;
	g->owner = getpid();
	g->base_fd = kb_cgroup_base_open(&g->is_gathered, &g->why_not);
	if (g->base_fd < 0)
		return;
	sweep_groups(g->base_fd);
	if (make_run(g)) {
		note_controllers(g);
		error = try_group(g);
	} else {
		error = errno;
	}
	if (!error)
		return;
	kb_cgroups_release(g);
	g->why_not = kb_xasprintf("cannot start a process in a control group: "
				  "%s", strerror(error));
}

void kb_cgroups_release(struct kb_cgroups *g)
{
	const bool is_ours = g->owner == getpid();

	if (is_ours && g->run_fd >= 0)
		(void)kb_cgroup_destroy(g->base_fd, g->run);
	if (is_ours && g->is_gathered)
		kb_cgroup_base_scatter(g->base_fd);
	if (g->run_fd >= 0)
		close(g->run_fd);
	if (g->base_fd >= 0)
		close(g->base_fd);
	free(g->run);
	free(g->why_not);
	*g = (struct kb_cgroups)KB_CGROUPS_INIT;
}

/* --- a worker's -------------------------------------------------------- */

static bool set_number(int fd, const char *name, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	return kb_cgroup_write(fd, name, text);
}

static bool set_limits(int fd, const struct kb_cgroups *g,
		       uint64_t memory_bytes, uint64_t processes)
{
	if (g->has_memory && memory_bytes) {
		/* A kernel may be built without swap, or be told to have no
		 * account of it. */
		(void)kb_cgroup_write(fd, "memory.swap.max", "0");
		/* Without oom.group the kernel kills one process of the group,
		 * and the rest may wait for that one for ever. */
		if (!kb_cgroup_write(fd, "memory.oom.group", "1") ||
		    !set_number(fd, "memory.max", memory_bytes))
			return false;
	}
	return !g->has_pids || !processes ||
	       set_number(fd, "pids.max", processes);
}

int kb_cgroup_make(struct kb_cgroup *c, struct kb_cgroups *g,
		   uint64_t memory_bytes, uint64_t processes,
		   struct kb_err *err)
{
	*c = (struct kb_cgroup)KB_CGROUP_INIT;
	if (!g || g->run_fd < 0)
		return 0;
	c->run_fd = g->run_fd;
	/* Processes that a run was forked into have the same struct. */
	snprintf(c->name, sizeof(c->name), "%d-%u", (int)getpid(), g->next++);
	if (mkdirat(g->run_fd, c->name, 0755) < 0)
		return kb_err_sys(err, "cannot make control group '%s/%s'",
				  g->run, c->name);
	c->fd = kb_cgroup_at(g->run_fd, c->name);
	if (c->fd >= 0 && set_limits(c->fd, g, memory_bytes, processes))
		return 0;
	kb_err_sys(err, "cannot limit control group '%s/%s'", g->run, c->name);
	kb_cgroup_remove(c);
	return -KB_ERR_SYS;
}

enum kb_cgroup_kills kb_cgroup_kills(const struct kb_cgroup *c)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	if (c->fd < 0)
		return KB_CGROUP_NO_KILLS;
	/* "oom_kill" counts processes of this group whoever ran out of memory,
	 * "oom" how often the group came to its own limit (cgroup-v2.rst in
	 * Linux). */
	kb_cgroup_read(&text, c->fd, "memory.events");
	if (!kb_cgroup_count(text.data, text.len, "oom_kill"))
		return KB_CGROUP_NO_KILLS;
	return kb_cgroup_count(text.data, text.len, "oom")
		? KB_CGROUP_KILLS_BY_LIMIT : KB_CGROUP_KILLS;
}

void kb_cgroup_remove(struct kb_cgroup *c)
{
	const int saved = errno;

	if (c->name[0])
		(void)kb_cgroup_destroy(c->run_fd, c->name);
	if (c->fd >= 0)
		close(c->fd);
	*c = (struct kb_cgroup)KB_CGROUP_INIT;
	errno = saved;
}
