/* How a worker ends, by itself or by a limit, and what is left of it. */

#include "worker/worker.h"

#include <signal.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/pause.h"
#include "confine/log.h"
#include "lib/tap.h"
#include "worker_rig.h"

static void test_exits_are_told(void)
{
	static const struct story stories[] = {
		{ "exits", LOAD_OP, "0", LOAD, KB_STATUS_EXITED,
		  KB_PHASE_LOAD, "ended by itself with status 0", 0 },
		{ "exits", LOAD_OP, "7", LOAD, KB_STATUS_EXITED,
		  KB_PHASE_LOAD, "ended by itself with status 7", 7 },
		{ "exits", GENERATE_OP, "255", GENERATE, KB_STATUS_EXITED,
		  KB_PHASE_RUN, "ended by itself with status 255", 255 },
		{ "exits", RUN_OP, "1", QUEUE, KB_STATUS_EXITED,
		  KB_PHASE_RUN, "ended by itself with status 1", 1 },
		{ "exits-in-run", NULL, NULL, GO, KB_STATUS_EXITED,
		  KB_PHASE_RUN, "ended by itself with status 4", 4 },
	};

	TELL(stories);
}
TEST_WITHOUT_NAMESPACES(test_exits_are_told);

static void test_crashes_are_told(void)
{
	static const struct story stories[] = {
		{ "crashes", LOAD_OP, "11", LOAD, KB_STATUS_CRASHED,
		  KB_PHASE_LOAD, "ended by SIGSEGV", SIGSEGV },
		{ "crashes", GENERATE_OP, "8", GENERATE, KB_STATUS_CRASHED,
		  KB_PHASE_RUN, "ended by SIGFPE", SIGFPE },
		{ "crashes", RUN_OP, "15", QUEUE, KB_STATUS_CRASHED,
		  KB_PHASE_RUN, "ended by SIGTERM", SIGTERM },
		{ "crashes-in-run", NULL, NULL, GO, KB_STATUS_CRASHED,
		  KB_PHASE_RUN, "ended by SIGABRT", SIGABRT },
	};

	TELL(stories);
}
TEST_WITHOUT_NAMESPACES(test_crashes_are_told);

/* The answer counts for nothing if the worker is not there to be stopped;
 * on the other hand it may be stopped before it can go. */
static void test_answer_and_exit_may_come_together(void)
{
	for (int i = 0; i < 20 && !tap_failed; i++) {
		struct kb_fault fault;
		struct kb_worker w;

		check_int(start(&w, "acks-and-exits", NULL, NULL), 0);
		check(walk(&w, THROUGH, &fault) <= GENERATE);
		check_str(kb_status_name(fault.status), "exited");
		check_int(fault.exit_status, 3);
		kb_worker_end(&w);
	}
}
TEST_WITHOUT_NAMESPACES(test_answer_and_exit_may_come_together);

static void test_time_is_limited(void)
{
	static const struct story stories[] = {
		{ "never-acks", LOAD_OP, NULL, LOAD, KB_STATUS_TIMED_OUT,
		  KB_PHASE_LOAD, "no answer within 0 s", 0 },
		{ "never-acks", GENERATE_OP, NULL, GENERATE,
		  KB_STATUS_TIMED_OUT, KB_PHASE_RUN, "no answer within 0 s",
		  0 },
		{ "never-acks", RUN_OP, NULL, QUEUE, KB_STATUS_TIMED_OUT,
		  KB_PHASE_RUN, "no answer within 0 s", 0 },
		{ "never-done", NULL, NULL, GO, KB_STATUS_TIMED_OUT,
		  KB_PHASE_RUN, "no answer within 0 s", 0 },
		{ "never-settles", NULL, NULL, SETTLE, KB_STATUS_TIMED_OUT,
		  KB_PHASE_RUN, "no answer within 0 s", 0 },
		{ "stops-itself", NULL, NULL, GENERATE, KB_STATUS_TIMED_OUT,
		  KB_PHASE_RUN, "no answer within 0 s", 0 },
	};

	TELL(stories);
}

/* "never-settles" is done as rank 0. */
static void test_a_rank_that_is_late_alone_is_named(void)
{
	static const struct {
		const char *program;
		uint32_t ranks;
		const char *why;
	} rows[] = {
		{ "never-settles", 2, "rank 1: no answer within 0 s" },
		{ "never-settles", 3, "no answer within 0 s" },
		{ "never-done", 2, "no answer within 0 s" },
		{ "never-done", 1, "no answer within 0 s" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		struct kb_err err = KB_ERR_INIT;
		struct kb_fault fault;
		struct kb_worker w;
		int ret = 1;

		check_int(start(&w, rows[i].program, NULL, NULL), 0);
		w.ranks = rows[i].ranks;
		for (enum step step = LOAD; ret > 0 && step <= GO; step++) {
			w.run_timeout_ns = step < GO ? LONG_NS : SHORT_NS;
			ret = take_step(&w, step, &fault, &err);
		}
		check_int(ret, 0);
		check_str(fault.detail, rows[i].why);
		check_str(err.msg, "");
		kb_worker_end(&w);
	}
}

static void test_load_and_run_have_limits_of_their_own(void)
{
	static const uint8_t seed[KB_SEED_BYTES];
	struct kb_err err = KB_ERR_INIT;
	struct kb_fault fault;
	struct kb_worker w;

	check_int(start(&w, "never-acks", GENERATE_OP, NULL), 0);
	w.run_timeout_ns = SHORT_NS;
	check_int(kb_worker_load(&w, seed, NULL, 0, &fault, &err), 1);
	check_int(take_step(&w, GENERATE, &fault, &err), 0);
	check_int(fault.status, KB_STATUS_TIMED_OUT);
	kb_worker_end(&w);

	check_int(start(&w, "never-acks", LOAD_OP, NULL), 0);
	w.load_timeout_ns = SHORT_NS;
	check_int(take_step(&w, LOAD, &fault, &err), 0);
	check_int(fault.status, KB_STATUS_TIMED_OUT);
	check_int(fault.phase, KB_PHASE_LOAD);
	kb_worker_end(&w);
	check_str(err.msg, "");
}

/* Of what may compile and does not, and of all that is asked. */
static void test_other_limits_of_a_candidate(void)
{
	static const struct {
		const char *op;
		enum step step;
		int64_t quiet_load_ns, run_timeout_ns, total_ns;
		bool first_run;
		const char *why;
	} all[] = {
		{ LOAD_OP, LOAD, SHORT_NS, LONG_NS, 0, false,
		  "no answer within 0 s" },
		{ GENERATE_OP, GENERATE, 0, SHORT_NS, 0, true,
		  "no answer within 0 s" },
		{ GENERATE_OP, GENERATE, 0, LONG_NS, SHORT_NS, false,
		  "all that it was asked took too long together" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(all); i++) {
		struct kb_err err = KB_ERR_INIT;
		struct kb_fault fault;
		struct kb_worker w;
		int ret = 1;

		check_int(start(&w, "never-acks", all[i].op, NULL), 0);
		w.quiet_load_ns = all[i].quiet_load_ns;
		w.run_timeout_ns = all[i].run_timeout_ns;
		w.first_run = all[i].first_run;
		for (int step = LOAD; step <= (int)all[i].step && ret > 0;
		     step++) {
			if (step == (int)all[i].step && all[i].total_ns)
				w.end_ns = kb_awake_ns() + all[i].total_ns;
			ret = take_step(&w, (enum step)step, &fault, &err);
		}
		check_int(ret, 0);
		check_int(fault.status, KB_STATUS_TIMED_OUT);
		check_str(fault.detail, all[i].why);
		kb_worker_end(&w);
	}
}

/* What is printed beyond the limit is dropped, and is no fault. */
static void test_a_flood_is_no_fault(void)
{
	static const struct story stories[] = {
		{ "floods", LOAD_OP, NULL, LOAD, KB_STATUS_TIMED_OUT,
		  KB_PHASE_LOAD, "no answer within 0 s", 0 },
		{ "floods", GENERATE_OP, NULL, GENERATE, KB_STATUS_TIMED_OUT,
		  KB_PHASE_RUN, "no answer within 0 s", 0 },
		{ "floods-in-run", NULL, NULL, GO, KB_STATUS_TIMED_OUT,
		  KB_PHASE_RUN, "no answer within 0 s", 0 },
		{ "floods-and-exits", NULL, NULL, LOAD, KB_STATUS_EXITED,
		  KB_PHASE_LOAD, "ended by itself with status 1", 1 },
	};

	TELL(stories);
}

static void test_who_cannot_be_stopped_has_failed(void)
{
	static const struct story stories[] = {
		{ "vforks", NULL, NULL, GENERATE,
		  KB_STATUS_PROTOCOL_VIOLATION, KB_PHASE_RUN,
		  "could not be stopped", 0 },
	};

	TELL(stories);
}

static void test_output_is_kept_and_made_harmless(void)
{
	kb_auto(buf) struct kb_buf log = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	struct kb_fault fault;
	struct kb_worker w;
	bool truncated = true;

	check_int(start(&w, "prints", NULL, NULL), 0);
	check_int(take_step(&w, LOAD, &fault, &err), 1);
	check_int(take_step(&w, GENERATE, &fault, &err), 1);
	kb_log_read(&log, w.log_fd, &truncated);
	check(!truncated);
	check_str(log.data, "hello\n?[2Jtab\there ?? caf\xc3\xa9?\n"
			    "and this\n");
	kb_worker_end(&w);
	check_str(err.msg, "");
}

static void test_program_that_cannot_run_is_our_failure(void)
{
	const char *const argv[] = { "/nonexistent", NULL };
	const char *const env[] = { NULL };
	const struct kb_spawn spawn = {
		.argv = argv, .env = env, .files.scratch = "/", .program_fd = -1,
		.limits = { .processes = 4096, .files = 64 },
	};
	struct kb_worker w = KB_WORKER_INIT;
	struct kb_err err = KB_ERR_INIT;

	check_int(kb_worker_start(&w, &spawn, LOG_BYTES, &err), -KB_ERR_SYS);
	check_str(err.msg, "cannot run '/nonexistent': "
			   "No such file or directory");
	kb_worker_end(&w);
	kb_worker_end(&w);
}

static void test_end_gives_everything_back(void)
{
	int before = dup(STDOUT_FILENO), after;
	struct kb_fault fault;
	struct kb_worker w;

	close(before);
	check_int(start(&w, "good", NULL, NULL), 0);
	check_int(walk(&w, THROUGH, &fault), THROUGH);
	kb_worker_end(&w);
	after = dup(STDOUT_FILENO);
	check_int(after, before);
	close(after);
	check_int(w.channel_fd, -1);
	check_int(w.log_fd, -1);
	check_int(w.control_fd, -1);
	check(!w.control);
}

static void test_faults_of_ends(void)
{
	static const struct {
		int wait_status;
		const char *status, *detail;
		int signal, exit_status;
	} cases[] = {
		{ 0, "exited", "ended by itself with status 0", 0, 0 },
		{ 3 << 8, "exited", "ended by itself with status 3", 0, 3 },
		{ SIGKILL, "crashed", "ended by SIGKILL", SIGKILL, 0 },
		{ SIGSEGV | 0x80, "crashed", "ended by SIGSEGV", SIGSEGV, 0 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_fault f;

		kb_fault_of_end(&f, KB_SIDE_CANDIDATE, cases[i].wait_status,
				KB_PHASE_BUILD);
		check_int(f.side, KB_SIDE_CANDIDATE);
		check_str(kb_status_name(f.status), cases[i].status);
		check_str(f.detail, cases[i].detail);
		check_int(f.phase, KB_PHASE_BUILD);
		check_int(f.signal, cases[i].signal);
		check_int(f.exit_status, cases[i].exit_status);
	}
}

TAP_MAIN(
	TAP(test_exits_are_told),
	TAP(test_exits_are_told_without_namespaces),
	TAP(test_crashes_are_told),
	TAP(test_crashes_are_told_without_namespaces),
	TAP(test_answer_and_exit_may_come_together),
	TAP(test_answer_and_exit_may_come_together_without_namespaces),
	TAP(test_time_is_limited),
	TAP(test_a_rank_that_is_late_alone_is_named),
	TAP(test_load_and_run_have_limits_of_their_own),
	TAP(test_other_limits_of_a_candidate),
	TAP(test_a_flood_is_no_fault),
	TAP(test_who_cannot_be_stopped_has_failed),
	TAP(test_output_is_kept_and_made_harmless),
	TAP(test_program_that_cannot_run_is_our_failure),
	TAP(test_end_gives_everything_back),
	TAP(test_faults_of_ends),
);
