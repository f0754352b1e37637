#include "confine/process.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "unit/process_rig.h"

static void test_exit_status_is_reported(void)
{
	static const struct {
		const char *text;
		int status;
	} cases[] = { { "0", 0 }, { "1", 1 }, { "77", 77 }, { "255", 255 } };

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct rig r;

		rig_open(&r);
		check_int(rig_start(&r, "exit", cases[i].text), 0);
		check_int(wait_for_end(&r), 0);
		check(r.process.ended && !r.process.running);
		check(WIFEXITED(r.process.wait_status));
		check_int(WEXITSTATUS(r.process.wait_status),
			  cases[i].status);

		/* It stays that way, whatever is asked of it. */
		check_int(kb_process_stop(&r.process, &r.err), 0);
		check_int(kb_process_continue(&r.process, &r.err), 0);
		check_int(kb_process_poll(&r.process, &r.err), 0);
		rig_close(&r);
	}
}
TEST_WITHOUT_NAMESPACES(test_exit_status_is_reported);

static void test_signal_is_reported(void)
{
	static const struct {
		const char *text;
		int sig;
	} cases[] = {
		{ "6", SIGABRT }, { "9", SIGKILL }, { "11", SIGSEGV },
		{ "15", SIGTERM }, { "13", SIGPIPE },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct rig r;

		rig_open(&r);
		check_int(rig_start(&r, "signal", cases[i].text), 0);
		check_int(wait_for_end(&r), 0);
		check(WIFSIGNALED(r.process.wait_status));
		check_int(WTERMSIG(r.process.wait_status), cases[i].sig);
		rig_close(&r);
	}
}

static void test_program_that_cannot_run_is_named(void)
{
	static const struct {
		const char *path, *message;
	} cases[] = {
		{ "/nonexistent/program", "cannot run '/nonexistent/program': "
		  "No such file or directory" },
		{ "/etc/passwd", "cannot run '/etc/passwd': "
		  "Permission denied" },
		{ "/etc", "cannot run '/etc': Permission denied" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct rig r;

		rig_open(&r);

		const char *const argv[] = { cases[i].path, NULL };
		const char *const env[] = { NULL };
		const struct kb_spawn spawn = {
			.argv = argv, .env = env, .files.scratch = r.work,
			.program_fd = -1, .channel_fd = -1,
			.log_fd = r.write_fd, .prints_directly = true,
			.limits = r.limits,
		};

		check_int(kb_process_start(&r.process, &spawn, &r.err),
			  -KB_ERR_SYS);
		check_str(r.err.msg, cases[i].message);
		check_int(r.process.monitor, 0);
		check_int(r.process.monitor_fd, -1);
		close(r.write_fd);
		r.write_fd = -1;
		rig_close(&r);
	}
}
TEST_WITHOUT_NAMESPACES(test_program_that_cannot_run_is_named);

static void test_stop_holds_every_thread(void)
{
	struct rig r;

	rig_begin(&r, "count");
	for (int round = 0; round < 3; round++) {
		check(advances(&r, 0) && advances(&r, 1) && advances(&r, 2));
		check_int(kb_process_stop(&r.process, &r.err), 1);
		check(!r.process.running && !r.process.ended);
		check(stands_still(&r, 0, 2));
		check_int(kb_process_stop(&r.process, &r.err), 1);
		check_int(kb_process_continue(&r.process, &r.err), 1);
		check_int(kb_process_continue(&r.process, &r.err), 1);
	}
	check(advances(&r, 0));
	check_str(r.err.msg, "");
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_stop_holds_every_thread);

static void test_stop_holds_every_process(void)
{
	struct rig r;

	rig_begin(&r, "daemons");
	check(advances(&r, 1) && advances(&r, 2) && advances(&r, 3));
	check_int(kb_process_stop(&r.process, &r.err), 1);
	check(stands_still(&r, 0, 3));
	check_int(kb_process_continue(&r.process, &r.err), 1);
	check(advances(&r, 0) && advances(&r, 1));
	check(advances(&r, 2) && advances(&r, 3));
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_stop_holds_every_process);

static void test_program_that_stopped_itself_can_be_ended(void)
{
	struct rig r;

	rig_begin(&r, "stop");
	check_int(kb_process_wait(&r.process, kb_clock_ns() + KB_NS_PER_MS,
				  &r.err), 1);
	check_int(kb_process_stop(&r.process, &r.err), 1);
	check(stands_still(&r, 0, 0));
	check_int(kb_process_continue(&r.process, &r.err), 1);
	check(advances(&r, 0));
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_program_that_stopped_itself_can_be_ended);

static void test_end_does_not_ask(void)
{
	struct rig r;

	rig_begin(&r, "ignore");
	check(advances(&r, 0));
	rig_close(&r);

	/* Nor does it need the program to be running. */
	rig_begin(&r, "ignore");
	check_int(kb_process_stop(&r.process, &r.err), 1);
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_end_does_not_ask);

static void test_end_reaches_every_process(void)
{
	struct rig r;

	rig_begin(&r, "daemons");
	check(advances(&r, 1) && advances(&r, 2) && advances(&r, 3));
	check(!rig_is_deserted(&r));
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_end_reaches_every_process);

/* Nobody has to wait for it, and whoever does has its processor time. */
static void test_killed_program_is_gone_before_it_is_ended(void)
{
	static const struct {
		const char *trick;
		int advances;
		bool is_stopped;
	} cases[] = {
		{ "daemons", 1, false }, { "daemons", 1, true },
		{ "ignore", 0, true },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct rig r;

		rig_begin(&r, cases[i].trick);
		check(advances(&r, cases[i].advances));
		if (cases[i].is_stopped)
			check_int(kb_process_stop(&r.process, &r.err), 1);
		kb_process_kill(&r.process);
		check(rig_becomes_deserted(&r));
		kb_process_kill(&r.process);
		check(!r.process.ended);
		kb_process_end(&r.process);
		check(r.process.ended);
		check(r.process.cpu_ns > 0);
		rig_close(&r);
	}
}
TEST_WITHOUT_NAMESPACES(test_killed_program_is_gone_before_it_is_ended);

/* What a program leaves behind does not outlive the report of its end by
 * more than kb_process_end(). */
static void test_left_processes_are_gone_with_the_program(void)
{
	struct rig r;

	rig_open(&r);
	check_int(rig_start(&r, "leave-daemons", NULL), 0);
	check_int(wait_for_end(&r), 0);
	check_int(WEXITSTATUS(r.process.wait_status), 5);
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_left_processes_are_gone_with_the_program);

static int64_t children_cpu_ms(void)
{
	struct rusage u;

	check_int(getrusage(RUSAGE_CHILDREN, &u), 0);
	return (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000 +
	       (u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1000;
}

/* Of the program, and of what it left behind: a tenth of a second each. */
static void test_processor_time_is_the_supervisors(void)
{
	static const char *const ways[] = { "stay", "leave" };

	for (size_t i = 0; i < KB_ARRAY_LEN(ways); i++) {
		const int64_t before_ms = children_cpu_ms();
		struct rig r;

		rig_open(&r);
		check_int(rig_start(&r, "burn", ways[i]), 0);
		while (!__atomic_load_n(&r.page->ready, __ATOMIC_ACQUIRE) &&
		       kb_process_poll(&r.process, &r.err) > 0)
			usleep(1000);
		check_str(r.err.msg, "");
		kb_process_end(&r.process);
		check(r.process.cpu_ns >= 200 * KB_NS_PER_MS);
		rig_close(&r);
		check(children_cpu_ms() - before_ms >= 200);
	}
}
TEST_WITHOUT_NAMESPACES(test_processor_time_is_the_supervisors);

/* A monitor that has reported the end may still be sent commands. */
static void test_end_and_stop_may_cross(void)
{
	int ends = 0;

	for (int i = 0; i < 25; i++) {
		struct rig r;
		int ret;

		rig_open(&r);
		check_int(rig_start(&r, "exit", "3"), 0);
		for (int spin = 0; spin < 400 * i; spin++)
			__asm__ volatile("" ::: "memory");
		do {
			ret = kb_process_stop(&r.process, &r.err);
			if (ret > 0)
				check(kb_process_continue(&r.process,
							  &r.err) >= 0);
		} while (ret > 0);
		check_int(ret, 0);
		check_str(r.err.msg, "");
		check_int(WEXITSTATUS(r.process.wait_status), 3);
		ends += ret == 0;
		rig_close(&r);
		if (tap_failed)
			break;
	}
	check(ends > 0);
}
TEST_WITHOUT_NAMESPACES(test_end_and_stop_may_cross);

static void test_program_that_cannot_be_stopped_is_ended(void)
{
	struct rig r;

	rig_begin(&r, "vfork");
	check_int(kb_process_stop(&r.process, &r.err), 0);
	check_str(r.err.msg, "");
	check(r.process.ended && r.process.unstoppable);
	check(WIFSIGNALED(r.process.wait_status));
	check_int(WTERMSIG(r.process.wait_status), SIGKILL);
	rig_close(&r);
}

/* A candidate that is the same user as its monitor may try, and so may the
 * kernel where there is too little memory: no reason to end a run. */
static void test_program_without_a_monitor_has_ended(void)
{
	struct rig r;

	rig_begin(&r, "count");
	if (!(r.process.features & 1u << KB_FEATURE_PID_NAMESPACE)) {
		tap_skip("it would go on without its monitor");
	} else {
		check_int(kill(r.process.monitor, SIGKILL), 0);
		check_int(kb_process_wait(&r.process,
					  kb_clock_ns() + PATIENCE_NS,
					  &r.err), 0);
		check_str(r.err.msg, "");
		check(r.process.ended && r.process.unwatched);
		check_int(r.process.wait_status, SIGKILL);
	}
	rig_close(&r);
}

/* And may stop it. What it started is ended with it nevertheless. */
static void test_program_with_a_stopped_monitor_has_ended(void)
{
	struct rig r;

	rig_begin(&r, "count");
	check_int(kill(r.process.monitor, SIGSTOP), 0);
	check_int(kb_process_stop(&r.process, &r.err), 0);
	check_str(r.err.msg, "");
	check(r.process.ended && r.process.unwatched);
	kb_process_end(&r.process);
	check(stands_still(&r, 0, 0));
	rig_close(&r);
}

static void test_program_that_starts_programs_can_be_stopped(void)
{
	struct rig r;

	rig_begin(&r, "vfork-exec");
	for (int i = 0; i < 5 && !r.process.ended; i++) {
		check(advances(&r, 0));
		check_int(kb_process_stop(&r.process, &r.err), 1);
		check(stands_still(&r, 0, 0));
		check_int(kb_process_continue(&r.process, &r.err), 1);
	}
	check_str(r.err.msg, "");
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_program_that_starts_programs_can_be_stopped);

/* It may take longer than the supervisor waits, on a machine that is busy:
 * then it is ended, and stores as little. */
static void test_stop_outlasts_a_long_system_call(void)
{
	struct rig r;

	rig_begin(&r, "long-store");
	for (int i = 0; i < 5 && !r.process.ended; i++) {
		check(advances(&r, 0));
		(void)kb_process_stop(&r.process, &r.err);
		r.page->counters[1] = 7;
		usleep(WATCH_US);
		check_int(r.page->counters[1], 7);
		(void)kb_process_continue(&r.process, &r.err);
	}
	check_str(r.err.msg, "");
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_stop_outlasts_a_long_system_call);

static void test_everything_dies_with_the_supervisor(void)
{
	struct rig r;
	int status, go[2];
	char byte;
	pid_t pid;

	rig_open(&r);
	check_int(pipe(go), 0);
	fflush(stdout);
	pid = fork();
	if (!pid) {
		(void)rig_start(&r, "daemons", NULL);
		(void)!write(go[1], "", 1);
		for (;;)
			pause();
	}
	close(r.write_fd);
	r.write_fd = -1;
	check_int(read(go[0], &byte, 1), 1);
	check(advances(&r, 1) && advances(&r, 2) && advances(&r, 3));
	kill(pid, SIGKILL);
	check_int(waitpid(pid, &status, 0), pid);
	check(rig_becomes_deserted(&r));
	close(go[0]);
	close(go[1]);
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_everything_dies_with_the_supervisor);

static void test_wait_ends_at_its_deadline(void)
{
	struct rig r;

	rig_begin(&r, "count");
	check_int(kb_process_poll(&r.process, &r.err), 1);
	check_int(kb_process_wait(&r.process, kb_clock_ns() + KB_NS_PER_MS,
				  &r.err), 1);
	check(r.process.running);
	rig_close(&r);
}

static void test_end_of_what_never_began_is_nothing(void)
{
	struct kb_process p = KB_PROCESS_INIT;

	errno = EXDEV;
	kb_process_end(&p);
	kb_process_end(&p);
	check_int(errno, EXDEV);
	check(p.ended);
}

TAP_MAIN(
	TAP(test_exit_status_is_reported),
	TAP(test_exit_status_is_reported_without_namespaces),
	TAP(test_signal_is_reported),
	TAP(test_program_that_cannot_run_is_named),
	TAP(test_program_that_cannot_run_is_named_without_namespaces),
	TAP(test_stop_holds_every_thread),
	TAP(test_stop_holds_every_thread_without_namespaces),
	TAP(test_stop_holds_every_process),
	TAP(test_stop_holds_every_process_without_namespaces),
	TAP(test_program_that_stopped_itself_can_be_ended),
	TAP(test_program_that_stopped_itself_can_be_ended_without_namespaces),
	TAP(test_end_does_not_ask),
	TAP(test_end_does_not_ask_without_namespaces),
	TAP(test_end_reaches_every_process),
	TAP(test_end_reaches_every_process_without_namespaces),
	TAP(test_killed_program_is_gone_before_it_is_ended),
	TAP(test_killed_program_is_gone_before_it_is_ended_without_namespaces),
	TAP(test_left_processes_are_gone_with_the_program),
	TAP(test_left_processes_are_gone_with_the_program_without_namespaces),
	TAP(test_processor_time_is_the_supervisors),
	TAP(test_processor_time_is_the_supervisors_without_namespaces),
	TAP(test_end_and_stop_may_cross),
	TAP(test_end_and_stop_may_cross_without_namespaces),
	TAP(test_program_that_cannot_be_stopped_is_ended),
	TAP(test_program_without_a_monitor_has_ended),
	TAP(test_program_with_a_stopped_monitor_has_ended),
	TAP(test_program_that_starts_programs_can_be_stopped),
	TAP(test_program_that_starts_programs_can_be_stopped_without_namespaces),
	TAP(test_stop_outlasts_a_long_system_call),
	TAP(test_stop_outlasts_a_long_system_call_without_namespaces),
	TAP(test_everything_dies_with_the_supervisor),
	TAP(test_everything_dies_with_the_supervisor_without_namespaces),
	TAP(test_wait_ends_at_its_deadline),
	TAP(test_end_of_what_never_began_is_nothing),
);
