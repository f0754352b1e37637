#include "worker/launch.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "lib/scratch.h"
#include "lib/tap.h"
#include "torch_files.h"

/* A launcher whose interpreter waits for its end, and whose runtime is empty. */
static void open_launcher(struct kb_launcher *l)
{
	static const char *const files[] = {
		KB_TORCH_FILES "libkbrt.so",
	};
	static const char interpreter[] = "#!/bin/sh\nexec sleep 1000\n";
	struct kb_err err = KB_ERR_INIT;

	*l = (struct kb_launcher)KB_LAUNCHER_INIT;
	l->memory_bytes = (uint64_t)1 << 32;
	l->log_limit_bytes = 64 * 1024;
	l->threads = 1;
	check_int(kb_scratch_open(&l->scratch, &err), 0);
	scratch_enter();
	check_int(chmod(scratch_path, 0755), 0);
	l->libexec = kb_xstrdup(scratch_path);
	l->python = kb_xasprintf("%s/python", scratch_path);
	for (size_t i = 0; i < KB_ARRAY_LEN(files); i++) {
		kb_auto(mem) char *path = kb_xasprintf("%s/%s", l->libexec,
						       files[i]);

		check_int(kb_file_replace(AT_FDCWD, path, "", 0, 0444, &err),
			  0);
	}
	check_int(kb_file_replace(AT_FDCWD, l->python, interpreter,
				  sizeof(interpreter) - 1, 0555, &err), 0);
	kb_launcher_choose_user(l, false, false);
	check_str(err.msg, "");
}

static void close_launcher(struct kb_launcher *l)
{
	kb_launcher_release(l);
	scratch_leave();
}

static struct kb_source source_of(const char *text)
{
	return (struct kb_source){
		.runtime = KB_RUNTIME_TORCH, .data = text,
		.len = strlen(text),
	};
}

/* Returns its monitor. */
static pid_t launch(struct kb_launcher *l, const char *problem,
		    const char *candidate, uint64_t slot_bytes)
{
	const struct kb_source p = source_of(problem);
	const struct kb_source c = source_of(candidate ? candidate : "");
	struct kb_launched x = KB_LAUNCHED_INIT;
	kb_auto(buf) struct kb_buf log = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	struct kb_fault fault;
	pid_t pid;

	check_int(kb_launch(&x, l, &(struct kb_launch_spec){
				    &p, candidate ? &c : NULL, slot_bytes },
			    &log, &fault, &err), 1);
	check_str(err.msg, "");
	pid = x.worker.process.monitor;
	kb_launched_end(&x);
	return pid;
}

static pid_t warm(struct kb_launcher *l, const char *problem,
		  const char *candidate)
{
	const struct kb_source p = source_of(problem);
	const struct kb_source c = source_of(candidate ? candidate : "");

	check_int(kb_launch_warm(l, &(struct kb_launch_spec){
					 &p, candidate ? &c : NULL, KB_NO_LIMIT },
				 NULL), 0);
	return l->warm[l->warm_count - 1].launched.worker.process.monitor;
}

static void test_who_wants_it_gets_what_was_started(void)
{
	struct kb_launcher l;
	pid_t reference, candidate;

	open_launcher(&l);
	reference = warm(&l, "p", NULL);
	candidate = warm(&l, "p", "c");
	check(reference != candidate);
	check_int(launch(&l, "p", "c", KB_NO_LIMIT), candidate);
	check(launch(&l, "p", "c", KB_NO_LIMIT) != candidate);
	check_int(launch(&l, "p", NULL, KB_NO_LIMIT), reference);
	check_int((intmax_t)l.warm_count, 0);
	close_launcher(&l);
}

static void test_nobody_gets_what_was_started_for_another(void)
{
	struct kb_launcher l;
	pid_t pid;

	open_launcher(&l);
	pid = warm(&l, "p", "c");
	check(launch(&l, "p", "d", KB_NO_LIMIT) != pid);
	check(launch(&l, "q", "c", KB_NO_LIMIT) != pid);
	check(launch(&l, "p", NULL, KB_NO_LIMIT) != pid);
	check(launch(&l, "p", "c", 1 << 20) != pid);
	check_int((intmax_t)l.warm_count, 1);
	kb_launch_cool(&l);
	check_int((intmax_t)l.warm_count, 0);
	close_launcher(&l);
}

static void test_it_is_started_once(void)
{
	struct kb_launcher l;
	pid_t pid;

	open_launcher(&l);
	pid = warm(&l, "p", "c");
	check_int(warm(&l, "p", "c"), pid);
	check_int((intmax_t)l.warm_count, 1);
	check_int(launch(&l, "p", "c", KB_NO_LIMIT), pid);
	check(warm(&l, "p", "c") != pid);
	close_launcher(&l);
}

static void test_the_oldest_goes_when_there_are_many(void)
{
	static const char *const names[] = { "a", "b", "c", "d", "e" };
	struct kb_launcher l;
	pid_t pids[KB_ARRAY_LEN(names)];

	open_launcher(&l);
	for (size_t i = 0; i < KB_ARRAY_LEN(names); i++)
		pids[i] = warm(&l, "p", names[i]);
	check_int((intmax_t)l.warm_count, KB_WARM_MAX);
	check(launch(&l, "p", "a", KB_NO_LIMIT) != pids[0]);
	check_int(launch(&l, "p", "b", KB_NO_LIMIT), pids[1]);
	check_int(launch(&l, "p", "e", KB_NO_LIMIT), pids[4]);
	close_launcher(&l);
}

/* The process below a monitor, or 0. */
static pid_t child_of(pid_t monitor)
{
	kb_auto(mem) char *path = kb_xasprintf("/proc/%d/task/%d/children",
					       (int)monitor, (int)monitor);
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	check_int(kb_file_read(&text, AT_FDCWD, path, 4096, NULL), 0);
	return (pid_t)strtol(text.data, NULL, 10);
}

static bool is_stopped(pid_t pid)
{
	kb_auto(mem) char *path = kb_xasprintf("/proc/%d/stat", (int)pid);
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	check_int(kb_file_read(&text, AT_FDCWD, path, 4096, NULL), 0);
	return strstr(text.data, ") T ");
}

/* Its monitor is told, and gets to it. */
static bool goes_on(pid_t pid)
{
	const struct timespec moment = { .tv_nsec = 1000000 };

	for (int i = 0; i < 10000 && is_stopped(pid); i++)
		nanosleep(&moment, NULL);
	return !is_stopped(pid);
}

static void test_who_waits_is_held_and_goes_on(void)
{
	struct kb_err err = KB_ERR_INIT;
	struct kb_launcher l;
	pid_t pids[2];

	open_launcher(&l);
	check_int(kb_launch_hold_warm(&l, &err), 0);
	pids[0] = warm(&l, "p", "a");
	pids[1] = warm(&l, "p", "b");
	check_int(kb_launch_hold_warm(&l, &err), 0);
	for (size_t i = 0; i < 2; i++)
		check(is_stopped(child_of(pids[i])));
	kb_launch_let_warm_go(&l);
	for (size_t i = 0; i < 2; i++)
		check(goes_on(child_of(pids[i])));
	check_int(launch(&l, "p", "a", KB_NO_LIMIT), pids[0]);
	check_int(launch(&l, "p", "b", KB_NO_LIMIT), pids[1]);
	check_str(err.msg, "");
	close_launcher(&l);
}

/* Of who is gone, with its monitor or without, nothing is left to be taken
 * over, and nobody fails for that. */
static void test_who_has_ended_is_not_held(void)
{
	struct kb_err err = KB_ERR_INIT;
	struct kb_launcher l;
	pid_t pids[3], child;

	open_launcher(&l);
	pids[0] = warm(&l, "p", "a");
	pids[1] = warm(&l, "p", "b");
	pids[2] = warm(&l, "p", "c");
	child = child_of(pids[0]);
	check(child > 0 && kill(child, SIGKILL) == 0);
	check_int(kill(pids[2], SIGKILL), 0);
	check_int(kb_launch_hold_warm(&l, &err), 0);
	check_int((intmax_t)l.warm_count, 1);
	kb_launch_let_warm_go(&l);
	check(launch(&l, "p", "a", KB_NO_LIMIT) != pids[0]);
	check_int(launch(&l, "p", "b", KB_NO_LIMIT), pids[1]);
	check(launch(&l, "p", "c", KB_NO_LIMIT) != pids[2]);
	close_launcher(&l);
}

TAP_MAIN(
	TAP(test_who_wants_it_gets_what_was_started),
	TAP(test_nobody_gets_what_was_started_for_another),
	TAP(test_it_is_started_once),
	TAP(test_the_oldest_goes_when_there_are_many),
	TAP(test_who_waits_is_held_and_goes_on),
	TAP(test_who_has_ended_is_not_held)
);
