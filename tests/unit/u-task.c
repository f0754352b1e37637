#include "worker/task.h"

#include <fcntl.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "lib/tap.h"

#define LONG_NS (60 * KB_NS_PER_S)
#define FLOOD_NS KB_NS_PER_S
#define SHORT_NS (200 * KB_NS_PER_MS)
#define LOG_BYTES (64 * 1024)

/* A launcher with scratch directories, but none of our programs. */
static void open_launcher(struct kb_launcher *l)
{
	struct kb_err err = KB_ERR_INIT;

	*l = (struct kb_launcher)KB_LAUNCHER_INIT;
	l->memory_bytes = (uint64_t)1 << 32;
	l->log_limit_bytes = LOG_BYTES;
	l->threads = 1;
	check_int(kb_scratch_open(&l->scratch, &err), 0);
	kb_launcher_choose_user(l, false, false);
	check_str(err.msg, "");
}

static int start(struct kb_task *t, struct kb_launcher *l,
		 struct kb_scratch_dir *dir, const char *script,
		 int64_t timeout_ns)
{
	const char *const argv[] = { "/bin/sh", "-c", script, NULL };
	struct kb_err err = KB_ERR_INIT;
	int ret;

	*t = (struct kb_task)KB_TASK_INIT;
	ret = kb_scratch_make(&l->scratch, dir, !l->other_user_why_not, &err);
	if (ret >= 0)
		ret = kb_task_start(t, l, argv, dir, KB_PHASE_RUN, timeout_ns,
				    &err);
	check_str(err.msg, "");
	return ret;
}

static const struct {
	const char *script;
	int64_t timeout_ns;
	int state;
	enum kb_status status;
	const char *detail, *log;
} stories[] = {
	{ ":", LONG_NS, KB_TASK_DONE, 0, "", "" },
	{ "echo one; echo two >&2", LONG_NS, KB_TASK_DONE, 0, "",
	  "one\ntwo\n" },
	/* As /dev/stderr is opened. */
	{ "echo one >/proc/self/fd/2", LONG_NS, KB_TASK_DONE, 0, "", "one\n" },
	{ "echo why; exit 3", LONG_NS, KB_TASK_FAILED, KB_STATUS_EXITED,
	  "ended by itself with status 3", "why\n" },
	{ "kill -SEGV $$", LONG_NS, KB_TASK_FAILED, KB_STATUS_CRASHED,
	  "ended by SIGSEGV", "" },
	{ "echo here; while :; do :; done", SHORT_NS, KB_TASK_FAILED,
	  KB_STATUS_TIMED_OUT, "not done within 0 s", "here\n" },
	/* A flood is no fault, and does not end by itself. */
	{ "while echo 0123456789abcdef; do :; done; exit 1", FLOOD_NS,
	  KB_TASK_FAILED, KB_STATUS_TIMED_OUT, "not done within 1 s", NULL },
	{ "yes | head -c 1000000 && exit 3", LONG_NS, KB_TASK_FAILED,
	  KB_STATUS_EXITED, "ended by itself with status 3", NULL },
};

static void test_ends_are_told_apart(void)
{
	struct kb_launcher l;

	open_launcher(&l);
	for (size_t i = 0; i < KB_ARRAY_LEN(stories); i++) {
		kb_auto(scratch_dir) struct kb_scratch_dir dir = { .work = NULL };
		kb_auto(task) struct kb_task t = KB_TASK_INIT;
		kb_auto(buf) struct kb_buf log = KB_BUF_INIT;
		struct kb_fault fault = { .detail = "" };
		struct kb_err err = KB_ERR_INIT;
		bool truncated = false;

		check_int(start(&t, &l, &dir, stories[i].script,
				stories[i].timeout_ns), 0);
		check_int(kb_task_wait(&t, &fault, &err), stories[i].state);
		check_str(err.msg, "");
		check_int(fault.status, stories[i].status);
		check_str(fault.detail, stories[i].detail);
		if (stories[i].state == KB_TASK_FAILED)
			check_int(fault.phase, KB_PHASE_RUN);
		kb_task_log(&t, &log, &truncated);
		if (stories[i].log)
			check_str(log.data, stories[i].log);
		check_int(truncated, !stories[i].log);
		if (tap_failed)
			printf("# of %s\n", stories[i].script);
	}
	kb_launcher_release(&l);
}

/* Two under way, each with a directory and a log of its own. */
static void test_several_run_at_a_time(void)
{
	static const char *const scripts[] = {
		"until test -e go; do sleep 0.01; done; echo first",
		"until test -e go; do sleep 0.01; done; echo second",
	};
	kb_auto(buf) struct kb_buf log = KB_BUF_INIT;
	struct kb_scratch_dir dirs[2] = { { .work = NULL } };
	struct kb_fault fault;
	struct kb_launcher l;
	struct kb_task t[2];
	bool truncated;

	open_launcher(&l);
	for (int i = 0; i < 2; i++)
		check_int(start(&t[i], &l, &dirs[i], scripts[i], LONG_NS), 0);
	for (int i = 0; i < 2; i++)
		check_int(kb_task_poll(&t[i], &fault, NULL), KB_TASK_RUNNING);
	for (int i = 1; i >= 0; i--) {
		kb_auto(fd) int work = kb_scratch_open_work(&dirs[i]);
		kb_auto(fd) int go = openat(work, "go", O_WRONLY | O_CREAT |
					    O_CLOEXEC, 0644);

		check(go >= 0);
		check_int(kb_task_wait(&t[i], &fault, NULL), KB_TASK_DONE);
		kb_task_log(&t[i], &log, &truncated);
	}
	check_str(log.data, "second\nfirst\n");
	for (int i = 0; i < 2; i++) {
		kb_task_end(&t[i]);
		kb_scratch_remove(&dirs[i]);
	}
	kb_launcher_release(&l);
}

static void test_end_kills_what_runs(void)
{
	kb_auto(scratch_dir) struct kb_scratch_dir dir = { .work = NULL };
	struct kb_launcher l;
	struct kb_task t;

	open_launcher(&l);
	check_int(start(&t, &l, &dir, "sleep 1000", LONG_NS), 0);
	kb_task_end(&t);
	check(t.process.monitor == 0);
	check_int(t.log_fd, -1);
	kb_task_end(&t);
	kb_launcher_release(&l);
}

static void test_program_that_is_not_there_cannot_start(void)
{
	static const char *const argv[] = { "/no/such/program", NULL };
	kb_auto(scratch_dir) struct kb_scratch_dir dir = { .work = NULL };
	kb_auto(task) struct kb_task t = KB_TASK_INIT;
	struct kb_err err = KB_ERR_INIT;
	struct kb_launcher l;

	open_launcher(&l);
	check_int(kb_scratch_make(&l.scratch, &dir, !l.other_user_why_not,
				  NULL), 0);
	check_int(kb_task_start(&t, &l, argv, &dir, KB_PHASE_BUILD, LONG_NS,
				&err), -KB_ERR_SYS);
	check_str(err.msg, "cannot run '/no/such/program': "
		  "No such file or directory");
	kb_launcher_release(&l);
}

TAP_MAIN(TAP(test_ends_are_told_apart),
	 TAP(test_several_run_at_a_time),
	 TAP(test_end_kills_what_runs),
	 TAP(test_program_that_is_not_there_cannot_start));
