/* A program that a server forked is confined as one that was executed. */

#include "worker/server.h"

#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

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
static void have_what_is_taken_away(void)
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

static void read_files(void)
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
static void enter(void)
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
static void have_control_group(struct kb_cgroups *g)
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

static void open_launcher(struct rig *r, const struct way *w)
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

static void start_server(struct rig *r)
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

static void rig_open(struct rig *r, const struct way *w, const char *module)
{
	*r = (struct rig){ .server = KB_FORK_SERVER_INIT, .module = module };
	open_launcher(r, w);
	start_server(r);
	check_str(r->err.msg, "");
}

static void rig_close(struct rig *r)
{
	kb_fork_server_end(&r->server);
	kb_scratch_remove(&r->dir);
	kb_launcher_release(&r->launcher);
}

/* What the links of /proc/self/ns say, by their names. */
static size_t add_links(const char *argv[], char text[][64])
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

static void read_all(struct kb_buf *out, int fd)
{
	char *data = kb_buf_reserve(out, 1 << 20);
	ssize_t len = pread(fd, data, 1 << 20, 0);

	check(len >= 0);
	out->len += len > 0 ? (size_t)len : 0;
	out->data[out->len] = '\0';
}

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* A line for each descriptor of a monitor behind the standard ones, whatever its
 * number. Of one that a server forked nobody but root may look at them. */
static void add_descriptors(struct kb_buf *out, pid_t monitor)
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
static uint32_t run(struct kb_buf *out, struct rig *r, const struct way *w,
		    const char *const argv[], const char *extra,
		    struct kb_fork_server *server)
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

static uint32_t tell(struct kb_buf *out, struct rig *r, const struct way *w,
		     struct kb_fork_server *server)
{
	kb_auto(mem) char *script = kb_xasprintf("%s/tell.py", r->dir.code);
	const char *argv[32] = { r->launcher.python, "-B", script, r->module };
	char links[16][64];

	add_links(argv + 4, links);
	return run(out, r, w, argv, NULL, server);
}

/* Random numbers differ and all else is the same, in so many lines at least. */
static void compare(const char *a, const char *b, int least)
{
	int lines = 0;

	while (*a && *b) {
		const size_t n = strcspn(a, "\n"), m = strcspn(b, "\n");
		const bool same = n == m && !memcmp(a, b, n);

		if (same != !!strncmp(a, "drawn: ", 7)) {
			printf("# one:   %.*s\n# other: %.*s\n", (int)n, a,
			       (int)m, b);
			check(!"they are as they should be");
		}
		a += n + (a[n] == '\n');
		b += m + (b[m] == '\n');
		lines++;
	}
	check_str(a, b);
	check(lines > least);
}

/* In a process that programs.h has refused them. */
static bool is_without_namespaces(void)
{
	return prctl(PR_GET_SECCOMP) == SECCOMP_MODE_FILTER;
}

/* A plain chroot has none for an ordinary user. */
static bool has_namespaces(void)
{
	int status = -1;
	pid_t pid;

	if (is_without_namespaces())
		return false;
	pid = fork();
	if (!pid)
		_exit(unshare(geteuid() ? CLONE_NEWUSER : CLONE_NEWNS) < 0);
	check(pid > 0 && waitpid(pid, &status, 0) == pid);
	return !status;
}

/* See kb_cgroup_fork_prepare(): a kernel may be built without it. */
static bool can_serve(void)
{
	void *address;

	if (!prctl(PR_GET_TID_ADDRESS, &address, 0, 0, 0))
		return true;
	tap_skip("the kernel does not tell where a thread's number is");
	return false;
}

static void compare_way(const struct way *w, const char *module, int least)
{
	kb_auto(buf) struct kb_buf executed = KB_BUF_INIT;
	kb_auto(buf) struct kb_buf forked = KB_BUF_INIT, sibling = KB_BUF_INIT;
	struct rig r;
	uint32_t features;

	rig_open(&r, w, module);
	r.has_namespaces = has_namespaces();
	features = tell(&executed, &r, w, NULL);
	check_int(tell(&forked, &r, w, &r.server), features);
	check_int(tell(&sibling, &r, w, &r.server), features);
	check(kb_fork_server_is_there(&r.server));
	compare(executed.data, forked.data, least);
	compare(forked.data, sibling.data, least);
	rig_close(&r);
}

static const struct way ways[] = {
	{ .unconfined = false },
	{ .shares_root = true },
	{ .is_build = true },
	{ .unconfined = true },
};

static void test_forked_is_confined_as_executed(void)
{
	if (!can_serve())
		return;
	enter();
	for (size_t i = 0; i < KB_ARRAY_LEN(ways); i++)
		compare_way(&ways[i], "signal", 150);
	scratch_leave();
}
TEST_WITHOUT_NAMESPACES(test_forked_is_confined_as_executed);

/* The same by somebody else, if this is root. */
static void by_user(void (*test)(void))
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

static void test_forked_is_confined_as_executed_by_user(void)
{
	by_user(test_forked_is_confined_as_executed);
}
TEST_WITHOUT_NAMESPACES(test_forked_is_confined_as_executed_by_user);

static void test_torch_has_the_same_threads(void)
{
	if (!has_torch)
		tap_skip("there is no torch");
	if (!has_torch || !can_serve())
		return;
	enter();
	compare_way(&ways[0], "torch", 10);
	scratch_leave();
}

static bool has_server(const char *variable, const char *value,
		       const char *python)
{
	struct rig r = { .server = KB_FORK_SERVER_INIT };
	const char *argv[] = { NULL, "-B", "/tell.py", NULL };
	bool has;

	if (variable)
		check_int(setenv(variable, value, 1), 0);
	open_launcher(&r, &ways[0]);
	if (python) {
		free(r.launcher.python);
		r.launcher.python = kb_xasprintf("%s/%s", scratch_path, python);
	}
	argv[0] = r.launcher.python;
	has = kb_launcher_server(&r.launcher, argv);
	rig_close(&r);
	if (variable)
		check_int(unsetenv(variable), 0);
	return has;
}

/* Root's is not confined, so that nobody else may choose what it runs. */
static void test_root_serves_with_what_is_its_own(void)
{
	static const struct {
		const char *variable, *value, *python;
		bool for_root;
	} stories[] = {
		{ NULL, NULL, "python", false },
		{ "VIRTUAL_ENV", "/usr", NULL, true },
		{ "VIRTUAL_ENV", "/tmp/env", NULL, false },
		{ "PYTHONUSERBASE", "/var/tmp/.local", NULL, false },
		{ "LD_LIBRARY_PATH", "/usr/lib:", NULL, true },
		{ "LD_LIBRARY_PATH", "/usr/lib:/tmp", NULL, false },
		{ "PYTHONPATH", "/usr/none:/usr/share", NULL, true },
		{ "PYTHONPATH", "/usr/../tmp", NULL, false },
		{ "PYTHONPATH", "share", NULL, false },
	};

	enter();
	if (!has_server(NULL, NULL, NULL)) {
		scratch_leave();
		tap_skip("this Python is not root's");
		return;
	}
	check_int(symlink("/usr/bin/env", "python"), 0);
	for (size_t i = 0; i < KB_ARRAY_LEN(stories); i++)
		check_int(has_server(stories[i].variable, stories[i].value,
				     stories[i].python),
			  stories[i].for_root || geteuid() != 0);
	scratch_leave();
}

/* What is neither where a way begins nor where it leads. */
static void test_root_looks_at_each_link_on_the_way(void)
{
	char folder[] = "/run/kb-test-XXXXXX";
	kb_auto(mem) char *other = NULL, *away = NULL, *home = NULL;

	if (geteuid() != 0 || !mkdtemp(folder)) {
		tap_skip("this user makes no directory in '/run'");
		return;
	}
	enter();
	other = kb_xasprintf("%s/other", scratch_path);
	away = kb_xasprintf("%s/away", folder);
	home = kb_xasprintf("%s/home", folder);
	check_int(symlink("/usr", other), 0);
	check_int(symlink(other, away), 0);
	check_int(symlink("../../usr/./lib", home), 0);
	if (has_server("PYTHONPATH", "/usr", NULL)) {
		check(!has_server("PYTHONPATH", away, NULL));
		check(has_server("PYTHONPATH", home, NULL));
	} else {
		tap_skip("this Python is not root's");
	}
	check(!unlink(away) && !unlink(home) && !rmdir(folder));
	scratch_leave();
}

static void test_user_serves_with_anything(void)
{
	by_user(test_root_serves_with_what_is_its_own);
}

static void test_modules_are_those_that_code_names(void)
{
	static const struct {
		const char *code;
		uint32_t modules;
	} stories[] = {
		{ "", 0 },
		{ "import torch, re\nre.compile('torch.compile')", 0 },
		{ "# import triton\nx = 'import triton'", 0 },
		{ "import triton", 1u << KB_MODULE_TRITON },
		{ "import torch\nimport triton.language as tl",
		  1u << KB_MODULE_TRITON },
		{ "try:\n  from triton import jit\nexcept: pass",
		  1u << KB_MODULE_TRITON },
		{ "import torch\nf = torch.compile(g)",
		  1u << KB_MODULE_INDUCTOR },
		{ "import torch, triton\n@torch.compile\ndef f(): pass",
		  1u << KB_MODULE_TRITON | 1u << KB_MODULE_INDUCTOR },
		{ "torch.", 0 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(stories); i++)
		check_int(kb_modules_of(stories[i].code,
					strlen(stories[i].code)),
			  stories[i].modules);
}

/* By a launcher, whose torch imports nothing: which modules a program finds that
 * were imported before it. */
static void find_imported(struct kb_buf *out, struct rig *r)
{
	kb_auto(mem) char *script = kb_xasprintf("%s/show.py", r->dir.code);
	const char *argv[] = { r->launcher.python, "-B", script, NULL };

	kb_buf_clear(out);
	run(out, r, &ways[0], argv, NULL,
	    kb_launcher_server(&r->launcher, argv));
	check_str(r->err.msg, "");
}

/* Stand-ins, which a server finds beside its script. */
static void open_with_triton(struct rig *r, const char *triton)
{
	static const char torch[] =
		"class default_generator: seed = staticmethod(int)\n";
	static const char show[] =
		"import sys\n"
		"print('imported:', 'triton' in sys.modules,"
		" 'torch' in sys.modules)\n";

	*r = (struct rig){ .server = KB_FORK_SERVER_INIT };
	scratch_write("torch.py", torch, strlen(torch));
	scratch_write("kb_torch_worker.py", "", 0);
	scratch_write("triton.py", triton, strlen(triton));
	open_launcher(r, &ways[0]);
	check_int(kb_scratch_put(&r->dir, "show.py", show, strlen(show),
				 &r->err), 0);
	r->launcher.modules = 1u << KB_MODULE_TRITON;
}

static void test_server_imports_what_it_is_to(void)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	struct rig r;

	if (!can_serve())
		return;
	enter();
	open_with_triton(&r, "");
	if (!kb_launcher_server(&r.launcher, (const char *const []){
				r.launcher.python, "-B", "/show.py", NULL })) {
		tap_skip("this Python is not root's");
	} else {
		find_imported(&out, &r);
		check(strstr(out.data, "imported: True True\n"));
	}
	rig_close(&r);
	scratch_leave();
}

static void test_module_that_cannot_be_shared_is_done_without(void)
{
	static const char *const texts[] = {
		"raise ImportError()",
		"import os\nos.open('/dev/null', os.O_RDONLY)",
	};

	if (!can_serve())
		return;
	enter();
	for (size_t i = 0; i < KB_ARRAY_LEN(texts); i++) {
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
		struct rig r;

		open_with_triton(&r, texts[i]);
		find_imported(&out, &r);	/* which was executed */
		check(strstr(out.data, "imported: False False\n"));
		find_imported(&out, &r);
		if (!kb_fork_server_is_there(&r.launcher.server.fork))
			tap_skip("this Python is not root's");
		else
			check(strstr(out.data, "imported: False True\n"));
		rig_close(&r);
	}
	scratch_leave();
}

/* First of all: those that follow leave this directory. */
static void test_there_is_a_server(void)
{
	read_files();
	have_what_is_taken_away();
}

/* What a fork would have a share in. */
static void test_server_that_cannot_serve_is_done_without(void)
{
	static const struct {
		const char *name, *text;
	} modules[] = {
		{ "fails", "raise ImportError()" },
		{ "ends", "import os\nos._exit(0)" },
		{ "opens", "import os\nos.open('/dev/null', os.O_RDONLY)" },
		{ "shares", "import mmap\nm = mmap.mmap(-1, 4096)" },
		{ "threads", "import threading\nthreading.Thread("
		  "target=threading.Event().wait, daemon=True).start()" },
	};

	enter();
	for (size_t i = 0; i < KB_ARRAY_LEN(modules); i++) {
		kb_auto(mem) char *name = kb_xasprintf("kb_test_%s.py",
						       modules[i].name);
		kb_auto(mem) char *module = kb_xasprintf("kb_test_%s",
							 modules[i].name);
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
		struct rig r;

		scratch_write(name, modules[i].text, strlen(modules[i].text));
		rig_open(&r, &ways[0], module);
		check(kb_fork_server_is_there(&r.server));
		tell(&out, &r, &ways[0], &r.server);
		check(!kb_fork_server_is_there(&r.server));
		check(strstr(out.data, "\nlayers: ") != NULL);
		rig_close(&r);
	}
	scratch_leave();
}

/* An empty part of PYTHONPATH is the directory that an interpreter works in. */
static void test_server_does_not_look_where_kb_is_run(void)
{
	static const char text[] = "raise SystemExit()";
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	struct rig r;

	if (!can_serve())
		return;
	enter();
	check_int(mkdir("here", 0755), 0);
	scratch_write("here/colorsys.py", text, strlen(text));
	check_int(chdir("here"), 0);
	check_int(setenv("PYTHONPATH", ":", 1), 0);
	rig_open(&r, &ways[0], "colorsys");
	tell(&out, &r, &ways[0], &r.server);
	check(kb_fork_server_is_there(&r.server));
	rig_close(&r);
	check_int(unsetenv("PYTHONPATH"), 0);
	scratch_leave();
}

static void test_server_that_was_killed_is_done_without(void)
{
	kb_auto(buf) struct kb_buf before = KB_BUF_INIT, after = KB_BUF_INIT;
	struct rig r;

	if (!can_serve())
		return;
	enter();
	rig_open(&r, &ways[0], "signal");
	tell(&before, &r, &ways[0], &r.server);
	check(kb_fork_server_is_there(&r.server));
	check_int(kill(r.server.pid, SIGKILL), 0);
	tell(&after, &r, &ways[0], &r.server);
	check(!kb_fork_server_is_there(&r.server));
	compare(before.data, after.data, 150);
	rig_close(&r);
	scratch_leave();
}

static void test_server_that_was_stopped_is_done_without(void)
{
	kb_auto(buf) struct kb_buf before = KB_BUF_INIT, after = KB_BUF_INIT;
	struct rig r;

	if (!can_serve())
		return;
	enter();
	rig_open(&r, &ways[0], "signal");
	tell(&before, &r, &ways[0], &r.server);
	check(kb_fork_server_is_there(&r.server));
	r.server.answer_ns = 100 * KB_NS_PER_MS;
	check_int(kill(r.server.pid, SIGSTOP), 0);
	tell(&after, &r, &ways[0], &r.server);
	check(!kb_fork_server_is_there(&r.server));
	compare(before.data, after.data, 150);
	rig_close(&r);
	scratch_leave();
}

/* A candidate before it leaves nothing that can be found, and the server is out
 * of reach. */
static void test_server_is_out_of_reach(void)
{
	static const char mark[] = "a-text-of-which-there-is-one";
	static const char extra[] = "KB_TEST_OF_ANOTHER=a-text-of-which-there-is-one";
	kb_auto(buf) struct kb_buf said = KB_BUF_INIT, before = KB_BUF_INIT;
	kb_auto(mem) char *script = NULL, *pid = NULL;
	struct rig r;

	if (!can_serve())
		return;
	enter();
	rig_open(&r, &ways[0], "signal");
	script = kb_xasprintf("%s/reach.py", r.dir.code);
	pid = kb_xasprintf("%d", (int)r.server.pid);

	const char *const argv[] = {
		r.launcher.python, "-B", script, pid, mark, NULL,
	};

	run(&before, &r, &ways[0], argv, extra, &r.server);
	check(strstr(before.data, "memory of another: reached") != NULL);
	run(&said, &r, &ways[0], argv, NULL, &r.server);
	check(strstr(said.data, "\nend\n") != NULL);
	for (char *line = said.data, *next; *line; line = next) {
		next = line + strcspn(line, "\n");
		next += *next == '\n' ? (*next = '\0', 1) : 0;
		/* Without a PID namespace before Linux 6.12. */
		if (is_without_namespaces() && strstr(line, "kill: "))
			continue;
		if (strstr(line, "reached"))
			tap_fail("%s", line);
	}
	check(kb_fork_server_is_there(&r.server));
	rig_close(&r);
	scratch_leave();
}
TEST_WITHOUT_NAMESPACES(test_server_is_out_of_reach);

static void test_server_is_out_of_reach_of_its_user(void)
{
	by_user(test_server_is_out_of_reach);
}
TEST_WITHOUT_NAMESPACES(test_server_is_out_of_reach_of_its_user);

TAP_MAIN(
	TAP(test_there_is_a_server),
	TAP(test_forked_is_confined_as_executed),
	TAP(test_forked_is_confined_as_executed_without_namespaces),
	TAP(test_forked_is_confined_as_executed_by_user),
	TAP(test_forked_is_confined_as_executed_by_user_without_namespaces),
	TAP(test_torch_has_the_same_threads),
	TAP(test_server_that_cannot_serve_is_done_without),
	TAP(test_server_that_was_killed_is_done_without),
	TAP(test_server_that_was_stopped_is_done_without),
	TAP(test_server_is_out_of_reach),
	TAP(test_server_is_out_of_reach_without_namespaces),
	TAP(test_server_is_out_of_reach_of_its_user),
	TAP(test_server_is_out_of_reach_of_its_user_without_namespaces),
	TAP(test_root_serves_with_what_is_its_own),
	TAP(test_root_looks_at_each_link_on_the_way),
	TAP(test_user_serves_with_anything),
	TAP(test_modules_are_those_that_code_names),
	TAP(test_server_imports_what_it_is_to),
	TAP(test_module_that_cannot_be_shared_is_done_without),
	TAP(test_server_does_not_look_where_kb_is_run),
);
