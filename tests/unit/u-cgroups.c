#include "confine/cgroups.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "confine/cgroup_files.h"
#include "lib/tap.h"

#define MIB ((size_t)1 << 20)

/* --- what the files say ------------------------------------------------ */

static const struct {
	const char *text, *word;
	bool has;
} words[] = {
	{ "", "memory", false },
	{ "\n", "memory", false },
	{ "memory\n", "memory", true },
	{ "memory", "memory", true },
	{ "cpuset cpu io memory pids\n", "pids", true },
	{ "cpuset cpu io memory pids\n", "cpu", true },
	{ "cpuset cpu io memory pids\n", "set", false },
	{ "memory_recursive\n", "memory", false },
	{ "mem\n", "memory", false },
};

static void test_words_are_whole_ones(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(words); i++)
		check_int(kb_cgroup_has_word(words[i].text,
					     strlen(words[i].text),
					     words[i].word), words[i].has);
}

static const struct {
	const char *text, *name;
	uint64_t count;
} counts[] = {
	{ "", "oom", 0 },
	{ "oom", "oom", 0 },
	{ "oom \n", "oom", 0 },
	{ "oom 3", "oom", 3 },
	{ "low 0\nhigh 0\nmax 71\noom 2\noom_kill 5\n", "oom", 2 },
	{ "low 0\nhigh 0\nmax 71\noom 2\noom_kill 5\n", "oom_kill", 5 },
	{ "low 0\nhigh 0\nmax 71\noom 2\noom_kill 5\n", "kill", 0 },
	{ "oom many\n", "oom", 0 },
	{ "oom 99999999999999999999\n", "oom", 0 },
};

static void test_counts_are_those_of_their_name(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(counts); i++)
		check_int((long long)kb_cgroup_count(counts[i].text,
						     strlen(counts[i].text),
						     counts[i].name),
			  (long long)counts[i].count);
}

static const struct {
	const char *path;
	bool is_unit;
} paths[] = {
	{ "", false },
	{ "/", false },
	{ "/system.slice/cron.service", true },
	{ "/user.slice/user-0.slice/session-3.scope", true },
	{ "runs.service", true },
	{ "/user.slice/user-1000.slice", false },
	{ "/system.slice/slurmstepd.scope/job_7/step_batch/user/task_0", false },
	{ "/system.slice/cron.service/kb-self", false },
	{ "/system.slice/cron.services", false },
	{ "/system.slice/.service", false },
	{ "/system.slice/scope", false },
};

static void test_units_of_systemd_are_known_by_name(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(paths); i++)
		check_int(kb_cgroup_is_unit(paths[i].path), paths[i].is_unit);
}

/* --- where groups can be had ------------------------------------------- */

/* How a process ends that is started in the group; -1 if it cannot be. */
static int end_of(const struct kb_cgroup *c, void (*does)(void))
{
	const pid_t pid = kb_cgroup_fork(c->fd);
	int status = -1;

	if (!pid) {
		does();
		_exit(0);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return status;
}

static bool are_there(struct kb_cgroups *g)
{
	kb_cgroups_open(g);
	if (g->has_memory && g->has_pids)
		return true;
	check(g->why_not || g->run_fd >= 0);
	kb_cgroups_release(g);
	tap_skip("no control group in which others may be made");
	return false;
}

static void make(struct kb_cgroup *c, struct kb_cgroups *g, uint64_t bytes,
		 uint64_t processes)
{
	struct kb_err err = KB_ERR_INIT;

	check_int(kb_cgroup_make(c, g, bytes, processes, &err), 0);
	check_str(err.msg, "");
}

/* The group's limit counts them all; each alone has less. */
static void take_memory(void)
{
	for (int i = 0; i < 4; i++) {
		if (fork())
			continue;
		char *p = mmap(NULL, 32 * MIB, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		memset(p, 1, 32 * MIB);
		pause();
	}
	while (wait(NULL) > 0)
		;
}

static void test_memory_is_that_of_all_processes(void)
{
	struct kb_cgroups g;
	struct kb_cgroup c;
	int status;

	if (!are_there(&g))
		return;
	make(&c, &g, 64 * MIB, 0);
	check_int(kb_cgroup_kills(&c), KB_CGROUP_NO_KILLS);
	status = end_of(&c, take_memory);
	check(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	check_int(kb_cgroup_kills(&c), KB_CGROUP_KILLS_BY_LIMIT);
	kb_cgroup_remove(&c);
	kb_cgroups_release(&g);
}

static void take_processes(void)
{
	int count = 1;			/* this one */

	while (count < 64) {
		const pid_t pid = fork();

		if (pid < 0)
			_exit(count);
		if (!pid)
			for (;;)
				pause();
		count++;
	}
	_exit(count);
}

static void test_processes_are_counted_for_each_group(void)
{
	struct kb_cgroups g;
	struct kb_cgroup some, more;

	if (!are_there(&g))
		return;
	make(&some, &g, 0, 8);
	make(&more, &g, 0, 16);
	check_int(WEXITSTATUS(end_of(&some, take_processes)), 8);
	check_int(WEXITSTATUS(end_of(&more, take_processes)), 16);
	/* With what they have left. */
	kb_cgroup_remove(&some);
	kb_cgroup_remove(&more);
	kb_cgroups_release(&g);
}

static void do_nothing(void)
{
}

static void test_a_group_that_is_removed_is_gone(void)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	struct kb_cgroups g;
	struct kb_cgroup c;

	if (!are_there(&g))
		return;
	make(&c, &g, 64 * MIB, 8);
	check_int(end_of(&c, do_nothing), 0);
	check_int(faccessat(c.run_fd, c.name, F_OK, 0), 0);
	kb_cgroup_read(&text, c.fd, "memory.swap.max");
	check_str(text.len ? text.data : "0\n", "0\n");
	kb_cgroup_remove(&c);
	check_int(c.fd, -1);
	kb_cgroups_release(&g);
}

/* As an ordinary user's worker can make them, where it may write everywhere. */
static void test_groups_in_groups_are_removed(void)
{
	static const char *const names[] = { "a", "a/b", "a/b/c", "a/d", "e" };
	kb_auto(mem) char *name = NULL;
	struct kb_cgroups g;
	struct kb_cgroup c;

	if (!are_there(&g))
		return;
	make(&c, &g, 0, 8);
	for (size_t i = 0; i < KB_ARRAY_LEN(names); i++)
		check_int(mkdirat(c.fd, names[i], 0755), 0);
	name = kb_xstrdup(c.name);
	kb_cgroup_remove(&c);
	check(faccessat(g.run_fd, name, F_OK, 0) < 0 && errno == ENOENT);
	kb_cgroups_release(&g);
}

static void test_what_a_killed_run_leaves_is_swept(void)
{
	struct kb_cgroups ours;
	char name[64] = "";
	int fds[2], status, base_fd;
	pid_t pid;

	if (!are_there(&ours) || pipe(fds) < 0)
		return;
	pid = fork();
	if (!pid) {
		struct kb_cgroups g;
		struct kb_cgroup c;

		kb_cgroups_open(&g);
		make(&c, &g, 0, 8);
		if (!kb_cgroup_fork(c.fd)) {
			/* A worker does not have it. While it is open, the
			 * run's lock is held. */
			close(g.run_fd);
			(void)!write(fds[1], g.run, strlen(g.run));
			for (;;)
				pause();
		}
		raise(SIGKILL);
	}
	close(fds[1]);
	check(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status));
	check(read(fds[0], name, sizeof(name) - 1) > 0);
	base_fd = fcntl(ours.base_fd, F_DUPFD_CLOEXEC, 3);
	check_int(faccessat(base_fd, name, F_OK, 0), 0);
	kb_cgroups_release(&ours);
	kb_cgroups_open(&ours);
	check(faccessat(base_fd, name, F_OK, 0) < 0);
	kb_cgroups_release(&ours);
	close(base_fd);
	close(fds[0]);
}

static void test_without_groups_there_is_none(void)
{
	struct kb_cgroups g = KB_CGROUPS_INIT;
	struct kb_cgroup c;

	make(&c, NULL, 64 * MIB, 8);
	check_int(c.fd, -1);
	make(&c, &g, 64 * MIB, 8);
	check_int(c.fd, -1);
	check_int(kb_cgroup_kills(&c), KB_CGROUP_NO_KILLS);
	check_int(end_of(&c, do_nothing), 0);
	kb_cgroup_remove(&c);
	kb_cgroups_release(&g);
}

TAP_MAIN(
	TAP(test_words_are_whole_ones),
	TAP(test_counts_are_those_of_their_name),
	TAP(test_units_of_systemd_are_known_by_name),
	TAP(test_memory_is_that_of_all_processes),
	TAP(test_processes_are_counted_for_each_group),
	TAP(test_a_group_that_is_removed_is_gone),
	TAP(test_groups_in_groups_are_removed),
	TAP(test_what_a_killed_run_leaves_is_swept),
	TAP(test_without_groups_there_is_none),
);
