#include "worker/launch.h"

#include <fcntl.h>
#include <string.h>

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

TAP_MAIN(
	TAP(test_who_wants_it_gets_what_was_started),
	TAP(test_nobody_gets_what_was_started_for_another),
	TAP(test_it_is_started_once),
	TAP(test_the_oldest_goes_when_there_are_many)
);
