#ifndef KB_TESTS_UNIT_FORK_SERVER_RIG_H
#define KB_TESTS_UNIT_FORK_SERVER_RIG_H

#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "confine/confine.h"
#include "confine/private_tmp.h"
#include "lib/programs.h"
#include "lib/scratch.h"
#include "lib/tap.h"
#include "worker/build.h"
#include "worker/server.h"
#include "worker/view.h"

#define PATIENCE_NS (60 * KB_NS_PER_S)

/* How a program is to be started; by default as a worker is. */
struct way {
	bool unconfined, shares_root, is_build;
};

struct rig {
	struct kb_launcher launcher;
	struct kb_fork_server server;
	struct kb_scratch_dir dir;
	const char *module;		/* that the server has imported */
	bool has_namespaces;
	struct kb_err err;
};

/* Read before another user, who may not reach them, is to have them. */
static struct file {
	const char *folder, *name;
	struct kb_buf bytes;
} files[] = {
	{ "libexec/kb", "kb_torch_server.py", KB_BUF_INIT },
	{ "libexec/kb", "libkbfork.so", KB_BUF_INIT },
	{ "tests/confinement", "tell.py", KB_BUF_INIT },
	{ "tests/confinement", "reach.py", KB_BUF_INIT },
};
static bool has_torch;

/* Whatever confinement takes away is there: groups, and mounts of which others
 * are told. Control groups are mounted where kb looks for them. */
static inline void have_what_is_taken_away(void)
{
	static const gid_t groups[] = { 65531, 65532 };
	static const char control[] = "/sys/fs/cgroup";

	if (geteuid() != 0)
		return;
	check_int(setgroups(KB_ARRAY_LEN(groups), groups), 0);
	if (unshare(CLONE_NEWNS) < 0)
		return;
	check_int(mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL), 0);
	if (access("/sys/fs/cgroup/cgroup.controllers", F_OK) < 0)
		(void)!mount("none", control, "cgroup2", 0, NULL);
	check_int(mount(NULL, "/", NULL, MS_REC | MS_SHARED, NULL), 0);
}

static inline void read_files(void)
{
	const char *python = getenv("KB_PYTHON"), *libexec = getenv("KB_LIBEXEC");
	kb_auto(mem) char *command = kb_xasprintf(
		"tests/lib/has-torch '%s'", python ? python : "python3");

	for (size_t i = 0; i < KB_ARRAY_LEN(files); i++) {
		struct file *f = &files[i];
		const char *folder = strncmp(f->folder, "libexec", 7) ? f->folder
			: libexec ? libexec : "build/libexec/kb";
		kb_auto(mem) char *path = kb_xasprintf("%s/%s", folder, f->name);

		check(kb_file_read(&f->bytes, AT_FDCWD, path, 64 << 20,
				   NULL) >= 0);
	}
	has_torch = !system(command);
}

/* A directory that other users reach, whoever may enter the one that this was
 * built in. */
static inline void enter(void)
{
	scratch_enter();
	check_int(chmod(scratch_path, 0755), 0);
	for (size_t i = 0; i < KB_ARRAY_LEN(files); i++) {
		scratch_write(files[i].name, files[i].bytes.data,
			      files[i].bytes.len);
		check_int(chmod(files[i].name, 0444), 0);
	}
}

/* Where none can be had that limits anything, one that does not: a program begins
 * in it all the same. */
static inline void have_control_group(struct kb_cgroups *g)
{
	if (g->run_fd >= 0 || geteuid() != 0 ||
	    access("/sys/fs/cgroup/cgroup.controllers", F_OK) < 0)
		return;
	g->base_fd = open("/sys/fs/cgroup", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	g->run = kb_xasprintf("kb-test-%d", (int)getpid());
	if (!mkdirat(g->base_fd, g->run, 0755))
		g->run_fd = openat(g->base_fd, g->run,
				   O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static inline void open_launcher(struct rig *r, const struct way *w)
{
	struct kb_launcher *l = &r->launcher;
	const char *python = getenv("KB_PYTHON");

	*l = (struct kb_launcher)KB_LAUNCHER_INIT;
	l->memory_bytes = (uint64_t)1 << 33;
	l->log_limit_bytes = 1 << 20;
	l->load_timeout_ns = PATIENCE_NS;
	l->threads = 3;
	l->unconfined = w->unconfined;
	check_int(kb_scratch_open(&l->scratch, &r->err), 0);
	kb_cgroups_open(&l->groups);
	have_control_group(&l->groups);
	l->libexec = kb_xstrdup(scratch_path);
	l->python = kb_find_program(python ? python : "python3");
	kb_launcher_choose_user(l, true, false);
	if (!w->shares_root)
		kb_launcher_plan_root(l, true);
	check_int(kb_scratch_make(&l->scratch, &r->dir, !l->other_user_why_not,
				  &r->err), 0);
	check_int(kb_scratch_copy(&r->dir, scratch_path, "tell.py", &r->err), 0);
	check_int(kb_scratch_copy(&r->dir, scratch_path, "reach.py", &r->err), 0);
}

static inline void start_server(struct rig *r)
{
	kb_auto(mem) char *script = kb_xasprintf("%s/kb_torch_server.py",
						 scratch_path);
	kb_auto(mem) char *library = kb_xasprintf("%s/libkbfork.so",
						  scratch_path);
	kb_auto(env) char **env = kb_env_of(&r->launcher, scratch_path);
	const char *const argv[] = {
		r->launcher.python, "-B", script, library, r->module, NULL,
	};

	check_int(kb_fork_server_start(&r->server, argv,
				       (const char *const *)env, PATIENCE_NS,
				       &r->err), 0);
}

static inline void rig_open(struct rig *r, const struct way *w, const char *module)
{
	*r = (struct rig){ .server = KB_FORK_SERVER_INIT, .module = module };
	open_launcher(r, w);
	start_server(r);
	check_str(r->err.msg, "");
}

static inline void rig_close(struct rig *r)
{
	kb_fork_server_end(&r->server);
	kb_scratch_remove(&r->dir);
	kb_launcher_release(&r->launcher);
}

static const struct way ways[] = {
	{ .unconfined = false },
	{ .shares_root = true },
	{ .is_build = true },
	{ .unconfined = true },
};

/* What the links of /proc/self/ns say, by their names. */
static inline size_t add_links(const char *argv[], char text[][64])
{
	static const char *const names[] = {
		"cgroup", "ipc", "mnt", "net", "pid", "pid_for_children",
		"time", "time_for_children", "user", "uts",
	};
	size_t i;

	for (i = 0; i < KB_ARRAY_LEN(names); i++) {
		kb_auto(mem) char *path = kb_xasprintf("/proc/self/ns/%s",
						       names[i]);
		ssize_t len = readlink(path, text[i], 63);

		text[i][len < 0 ? 0 : len] = '\0';
		argv[i] = text[i];
	}
	return i;
}

static inline void read_all(struct kb_buf *out, int fd)
{
	char *data = kb_buf_reserve(out, 1 << 20);
	ssize_t len = pread(fd, data, 1 << 20, 0);

	check(len >= 0);
	out->len += len > 0 ? (size_t)len : 0;
	out->data[out->len] = '\0';
}

static inline int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* A line for each descriptor of a monitor behind the standard ones, whatever its
 * number. Of one that a server forked nobody but root may look at them. */
static inline void add_descriptors(struct kb_buf *out, pid_t monitor)
{
	kb_auto(mem) char *path = kb_xasprintf("/proc/%d/fd", (int)monitor);
	kb_auto(dir) DIR *d = opendir(path);
	char names[32][64] = { "" };
	struct dirent *e;
	size_t count = 0;

	while (d && (e = readdir(d)) && count < KB_ARRAY_LEN(names)) {
		char *name = names[count];
		const ssize_t len = readlinkat(dirfd(d), e->d_name, name, 63);

		count += len > 0 && atoi(e->d_name) > 2;
		name[len > 0 ? len : 0] = '\0';
		name[strcspn(name, "0123456789")] = '\0';
	}
	qsort(names, count, sizeof(*names), by_text);
	for (size_t i = 0; i < count && geteuid() == 0; i++)
		kb_buf_addf(out, "monitor: %s\n", names[i]);
}

/* What a program prints that is started this way by `server`, or executed if that
 * is NULL, behind what its monitor has open. `extra` is beside what a worker has in its environment. */
static inline uint32_t run(struct kb_buf *out, struct rig *r,
			   const struct way *w, const char *const argv[],
			   const char *extra, struct kb_fork_server *server)
{
	struct kb_launcher *l = &r->launcher;
	kb_auto(env) char **env = kb_env_new(l, &r->dir);
	kb_auto(fd) int log_fd = memfd_create("log", MFD_CLOEXEC);
	static const char *const hidden[] = { "/dev/full", NULL };
	const char *all[128];
	size_t n = 0;
	struct kb_process p = KB_PROCESS_INIT;
	struct kb_private_tmp tmp;
	siginfo_t info;
	struct kb_spawn s = {
		.argv = argv, .env = all,
		.files = kb_launcher_files(l, true, &r->dir, &tmp),
		.program_fd = -1, .channel_fd = log_fd, .log_fd = log_fd,
		.prints_directly = true,
		.other_user = !l->other_user_why_not,
		.unconfined = l->unconfined,
		.limits = kb_launcher_limits(l, 1 << 20),
		.groups = &l->groups, .server = server,
	};
	uint32_t features;

	while (env[n])
		n++;
	memcpy(all, env, n * sizeof(*all));
	all[n] = extra;
	all[n + 1] = NULL;
	if (w->is_build) {
		/* Which takes a mount namespace. */
		s.files.hidden = r->has_namespaces ? hidden : NULL;
		s.limits.niceness = 10;
		s.channel_fd = -1;
	}
	check_int(kb_process_start(&p, &s, &r->err), 0);
	check_str(r->err.msg, "");
	add_descriptors(out, p.monitor);
	/* It is our child, whoever forked it, so that we are told of its end. */
	check_int(waitid(P_PID, (id_t)p.monitor, &info,
			 WEXITED | WNOHANG | WNOWAIT), 0);
	check_int(kb_process_wait(&p, kb_clock_ns() + PATIENCE_NS, &r->err), 0);
	check_int(p.wait_status, 0);
	features = p.features;
	kb_process_end(&p);
	read_all(out, log_fd);
	return features;
}

static inline uint32_t tell(struct kb_buf *out, struct rig *r,
			    const struct way *w, struct kb_fork_server *server)
{
	kb_auto(mem) char *script = kb_xasprintf("%s/tell.py", r->dir.code);
	const char *argv[32] = { r->launcher.python, "-B", script, r->module };
	char links[16][64];

	add_links(argv + 4, links);
	return run(out, r, w, argv, NULL, server);
}

/* See kb_cgroup_fork_prepare(): a kernel may be built without it. */
static inline bool can_serve(void)
{
	void *address;

	if (!prctl(PR_GET_TID_ADDRESS, &address, 0, 0, 0))
		return true;
	tap_skip("the kernel does not tell where a thread's number is");
	return false;
}

/* The same by somebody else, if this is root. */
static inline void by_user(void (*test)(void))
{
	int status = -1;
	pid_t pid;

	if (geteuid() != 0) {
		tap_skip("this is an ordinary user");
		return;
	}
	fflush(stdout);
	pid = fork();
	if (!pid) {
		if (setgroups(0, NULL) < 0 || setresgid(65533, 65533, 65533) < 0 ||
		    setresuid(65533, 65533, 65533) < 0)
			KB_BUG("cannot become another user");
		test();
		fflush(stdout);
		_exit(tap_failed ? 1 : 0);
	}
	check(pid > 0 && waitpid(pid, &status, 0) == pid);
	check_int(status, 0);
}

/* First of all: those that follow leave this directory. */
static inline void test_there_is_a_server(void)
{
	read_files();
	have_what_is_taken_away();
}


#endif
