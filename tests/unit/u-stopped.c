#include "confine/stopped.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/tap.h"

static void *wait_for_ever(void *unused)
{
	for (;;)
		pause();
	return unused;
}

/* A group of its own: a process with `threads` threads beside the first one
 * and, if it `forks`, a child that does the same. Returns when all are there. */
static pid_t start_family(int threads, bool forks)
{
	int fds[2];
	pid_t pid;
	char byte;

	check_int(pipe(fds), 0);
	pid = fork();
	if (!pid) {
		pthread_t thread;

		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		(void)setpgid(0, 0);
		if (forks)
			(void)fork();
		for (int i = 0; i < threads; i++)
			(void)pthread_create(&thread, NULL, wait_for_ever,
					     NULL);
		(void)write(fds[1], "", 1);
		(void)wait_for_ever(NULL);
	}
	for (int i = 0; i <= forks; i++)
		check_int(read(fds[0], &byte, 1), 1);
	close(fds[0]);
	close(fds[1]);
	return pid;
}

static pid_t start(int threads)
{
	return start_family(threads, true);
}

static void end(pid_t pid)
{
	check_int(kill(-pid, SIGKILL), 0);
	check_int(waitpid(pid, NULL, 0), pid);
}

/* Not at once: a task stops when it is scheduled. */
static void await_stopped(pid_t pid)
{
	check_int(kill(-pid, SIGSTOP), 0);
	while (!kb_all_stopped(pid))
		usleep(100);
}

static void test_threads_and_children_count(void)
{
	for (int threads = 0; threads < 3; threads++) {
		const pid_t pid = start(threads);

		check(!kb_all_stopped(pid));
		await_stopped(pid);
		check(kb_all_stopped(pid));
		end(pid);
	}
}

/* SIGSTOP to the process, but not to its child. */
static void test_one_that_goes_on_is_enough(void)
{
	const pid_t pid = start(1);

	await_stopped(pid);
	check_int(kill(-pid, SIGCONT), 0);
	check_int(kill(pid, SIGSTOP), 0);
	check_int(waitpid(pid, NULL, WUNTRACED), pid);
	check(!kb_all_stopped(pid));
	end(pid);
}

static void test_other_groups_do_not_count(void)
{
	const pid_t stopped = start(0), running = start(0);

	await_stopped(stopped);
	check(!kb_all_stopped(running));
	check(kb_all_stopped(stopped));
	end(running);
	check(kb_all_stopped(stopped));
	end(stopped);
}

/* The caller itself runs, and everybody is more than those below it. */
static void test_everybody_is_everybody_else(void)
{
	const pid_t pid = start(0);

	check(!kb_all_stopped(KB_EVERYBODY));
	check(!kb_all_stopped(getpgrp()));
	end(pid);
}

/* As the init of a namespace with a /proc of its own. Its status: how many
 * checks failed. */
static int be_init(void)
{
	pid_t pid;

	if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("proc", "/proc", "proc", 0, NULL) < 0)
		return 1;
	check(kb_all_stopped(KB_EVERYBODY));
	pid = start(1);
	check_int(getpid(), 1);
	check(!kb_all_stopped(KB_EVERYBODY));
	check_int(kill(-1, SIGSTOP), 0);
	while (!kb_all_stopped(KB_EVERYBODY))
		usleep(100);
	check_int(kill(-1, SIGCONT), 0);
	check_int(kill(pid, SIGSTOP), 0);
	check_int(waitpid(pid, NULL, WUNTRACED), pid);
	check(!kb_all_stopped(KB_EVERYBODY));
	return tap_failed;
}

static void test_an_init_sees_all_that_are_below_it(void)
{
	const int flags = CLONE_NEWPID | CLONE_NEWNS;
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		if (unshare(flags) < 0 && unshare(flags | CLONE_NEWUSER) < 0)
			_exit(77);
		pid = fork();
		if (!pid) {
			const int failed = be_init();

			fflush(stdout);
			_exit(failed);
		}
		check_int(waitpid(pid, &status, 0), pid);
		_exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
	}
	check_int(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		tap_skip("no namespaces can be had");
	else
		check_int(status, 0);
}

static void test_what_has_ended_is_stopped(void)
{
	siginfo_t info;
	const pid_t pid = start(0);

	check_int(kill(-pid, SIGKILL), 0);
	check_int(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	while (!kb_all_stopped(pid))	/* until its child has ended, too */
		usleep(100);
	check_int(waitpid(pid, NULL, 0), pid);
	check(kb_all_stopped(pid));
	check(!kb_all_stopped(0));
}

/* All of them are stopped, but that cannot be seen: with none, one or two
 * descriptors too few. */
static void test_what_cannot_be_seen_is_not_stopped(void)
{
	const pid_t pid = start(1);
	const int next = open("/", O_RDONLY | O_CLOEXEC);
	struct rlimit few, old;

	close(next);
	await_stopped(pid);
	check_int(getrlimit(RLIMIT_NOFILE, &old), 0);
	few = old;
	for (int more = 0; more < 4; more++) {
		few.rlim_cur = (rlim_t)(next + more);
		check_int(setrlimit(RLIMIT_NOFILE, &few), 0);
		check_int(kb_all_stopped(pid), more == 3);
		check_int(setrlimit(RLIMIT_NOFILE, &old), 0);
	}
	end(pid);
}

static void test_the_first_child(void)
{
	const pid_t pid = start(0);

	check_int(kb_first_child(), pid);
	end(pid);
	check_int(kb_first_child(), 0);
}

static void close_alone(struct kb_alone *a)
{
	close(a->tasks_fd);
	close(a->children_fd);
	close(a->own_children_fd);
}

/* Children are only known where the kernel lists them. */
static bool lists_children(void)
{
	if (!access("/proc/thread-self/children", R_OK))
		return true;
	tap_skip("the kernel does not list children");
	return false;
}

static void test_one_thread_is_alone(void)
{
	for (int threads = 0; threads < 3 && lists_children(); threads++)
		for (int forks = 0; forks < 2; forks++) {
			const pid_t pid = start_family(threads, forks);
			struct kb_alone a;

			kb_alone_open(&a);
			await_stopped(pid);
			check_int(kb_alone_holds(&a), !threads && !forks);
			check(kb_all_stopped(pid));
			end(pid);
			check(!kb_alone_holds(&a));
			close_alone(&a);
		}
}

/* What the first of them has forked becomes ours when that ends. */
static void test_beside_an_orphan_nobody_is_alone(void)
{
	const pid_t pid = start_family(0, false);
	struct kb_alone a;
	pid_t middle, orphan;

	check_int(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	kb_alone_open(&a);
	await_stopped(pid);
	check_int(kb_alone_holds(&a), lists_children());
	middle = start_family(0, true);
	check(!kb_alone_holds(&a));
	check_int(kill(middle, SIGKILL), 0);
	check_int(waitpid(middle, NULL, 0), middle);
	check(!kb_alone_holds(&a));
	check_int(kill(-middle, SIGKILL), 0);
	orphan = waitpid(-middle, NULL, 0);
	check(orphan > 0);
	check_int(kb_alone_holds(&a), lists_children());
	end(pid);
	check_int(prctl(PR_SET_CHILD_SUBREAPER, 0), 0);
	close_alone(&a);
}

/* Of nobody, and of what had no descriptors left. */
static void test_what_cannot_be_seen_is_not_alone(void)
{
	const int next = open("/", O_RDONLY | O_CLOEXEC);
	struct kb_alone a = KB_ALONE_INIT;
	struct rlimit few, old;
	pid_t pid;

	close(next);
	check(!kb_alone_holds(&a));
	kb_alone_open(&a);
	check_int(a.tasks_fd, -1);
	check(!kb_alone_holds(&a));
	close(a.own_children_fd);
	pid = start_family(0, false);
	await_stopped(pid);
	check_int(getrlimit(RLIMIT_NOFILE, &old), 0);
	few = old;
	for (int more = 1; more < 5 && lists_children(); more++) {
		few.rlim_cur = (rlim_t)(next + more);
		check_int(setrlimit(RLIMIT_NOFILE, &few), 0);
		kb_alone_open(&a);
		check_int(kb_alone_holds(&a), more >= 3);
		check_int(setrlimit(RLIMIT_NOFILE, &old), 0);
		close_alone(&a);
	}
	end(pid);
}

TAP_MAIN(
	TAP(test_threads_and_children_count),
	TAP(test_one_that_goes_on_is_enough),
	TAP(test_other_groups_do_not_count),
	TAP(test_everybody_is_everybody_else),
	TAP(test_an_init_sees_all_that_are_below_it),
	TAP(test_what_has_ended_is_stopped),
	TAP(test_what_cannot_be_seen_is_not_stopped),
	TAP(test_the_first_child),
	TAP(test_one_thread_is_alone),
	TAP(test_beside_an_orphan_nobody_is_alone),
	TAP(test_what_cannot_be_seen_is_not_alone)
);
