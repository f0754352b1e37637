#include "worker/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/pause.h"
#include "confine/log.h"
#include "lib/programs.h"
#include "lib/tap.h"
#include "worker/fp64_error.h"

/* For a worker that should answer, and for one that will not. */
#define LONG_NS (60 * KB_NS_PER_S)
#define SHORT_NS (100 * KB_NS_PER_MS)

#define LOG_BYTES (64 * 1024)

/* How far a worker gets. */
enum step {
	LOAD,
	GENERATE,
	QUEUE,
	GO,
	SETTLE,
	THROUGH,
};

static const char *const step_names[] = {
	"load", "generate", "queue", "go", "settle", "through",
};

/* A worker is asked for the next run while it tells of the one before. */
static bool in_a_row;

static int start(struct kb_worker *w, const char *program, const char *one,
		 const char *two)
{
	const char *const argv[] = { program, one, two, NULL };
	const char *const env[] = { NULL };
	struct kb_err err = KB_ERR_INIT;
	int fd = program_open(program), ret;
	const struct kb_spawn spawn = {
		.argv = argv,
		.env = env,
		.files.scratch = "/",
		.program_fd = fd,
		.other_user = true,
		.limits = {
			.file_bytes = 1 << 20, .processes = 4096, .files = 64,
		},
	};

	*w = (struct kb_worker)KB_WORKER_INIT;
	w->side = KB_SIDE_CANDIDATE;
	w->load_timeout_ns = w->run_timeout_ns = LONG_NS;
	ret = kb_worker_start(w, &spawn, LOG_BYTES, &err);
	check_str(err.msg, "");
	close(fd);
	return ret;
}

static int take_step(struct kb_worker *w, enum step step,
		     struct kb_fault *fault, struct kb_err *err)
{
	static const uint8_t seed[KB_SEED_BYTES];
	struct kb_request generate = { .op = KB_OP_GENERATE, .slot_count = 1 };
	int64_t elapsed_ns = -1;
	int ret;

	switch (step) {
	case LOAD:
		return kb_worker_load(w, seed, NULL, 0, fault, err);
	case GENERATE:
		return kb_worker_ask(w, &generate, NULL, 0, fault, err);
	case QUEUE:
		return kb_worker_queue(w, 0, 1, seed, fault, err);
	case GO:
		ret = kb_worker_go(w, &elapsed_ns, fault, err);
		if (ret > 0)
			check(elapsed_ns > 0);
		return ret;
	case SETTLE:
		return in_a_row ? kb_worker_settle_and_queue(w, 0, 1, seed,
							     fault, err)
				: kb_worker_settle(w, fault, err);
	case THROUGH:
		break;
	}
	return 0;
}

/* Take steps while they succeed; returns the one that did not. There is
 * little time for step `hurried`. */
static enum step walk(struct kb_worker *w, enum step hurried,
		      struct kb_fault *fault)
{
	struct kb_err err = KB_ERR_INIT;

	memset(fault, 0, sizeof(*fault));
	for (int step = LOAD; step < THROUGH; step++) {
		int ret;

		if (step == (int)hurried)
			w->load_timeout_ns = w->run_timeout_ns = SHORT_NS;
		ret = take_step(w, (enum step)step, fault, &err);
		check(ret >= 0);
		check_str(err.msg, "");
		if (ret <= 0)
			return (enum step)step;
		check(!w->process.running);
	}
	return THROUGH;
}

struct story {
	const char *program, *one, *two;
	enum step step;
	enum kb_status status;
	enum kb_phase phase;
	const char *detail;
	int number;		/* signal or exit status */
};

static void tell_once(const struct story *s)
{
	struct kb_fault fault;
	struct kb_worker w;
	enum step step;

	check_int(start(&w, s->program, s->one, s->two), 0);
	step = walk(&w, s->status == KB_STATUS_TIMED_OUT ? s->step : THROUGH,
		    &fault);
	check_str(step_names[step], step_names[s->step]);
	if (s->step != THROUGH) {
		check_int(fault.side, KB_SIDE_CANDIDATE);
		check_str(kb_status_name(fault.status),
			  kb_status_name(s->status));
		check_int(fault.phase, s->phase);
		check_str(fault.detail, s->detail);
		check_int(fault.signal, s->status == KB_STATUS_CRASHED ?
						s->number : 0);
		check_int(fault.exit_status, s->status == KB_STATUS_EXITED ?
						     s->number : 0);
	}
	if (tap_failed)
		printf("# in the story of %s %s %s%s\n", s->program,
		       s->one ? s->one : "", s->two ? s->two : "",
		       in_a_row ? ", in a row" : "");
	kb_worker_end(&w);
}

static void tell(const struct story *s)
{
	tell_once(s);
	if (s->step != SETTLE)
		return;
	in_a_row = true;
	tell_once(s);
	in_a_row = false;
}

#define TELL(stories)						\
	do {							\
		for (size_t i = 0; i < KB_ARRAY_LEN(stories); i++) \
			tell(&(stories)[i]);			\
	} while (0)

/* Operations as arguments. */
#define LOAD_OP "1"
#define GENERATE_OP "3"
#define RUN_OP "4"

static void test_operations_have_their_numbers(void)
{
	check_int(atoi(LOAD_OP), KB_OP_LOAD);
	check_int(atoi(GENERATE_OP), KB_OP_GENERATE);
	check_int(atoi(RUN_OP), KB_OP_RUN);
}

static void test_good_worker_gets_through(void)
{
	static const struct story stories[] = {
		{ .program = "good", .step = THROUGH },
		/* It lies about nothing that the protocol can tell. */
		{ .program = "done-at-once", .step = THROUGH },
	};

	TELL(stories);
}
TEST_WITHOUT_NAMESPACES(test_good_worker_gets_through);

static void test_good_worker_runs_again_and_again(void)
{
	static const uint8_t seed[KB_SEED_BYTES];
	struct kb_err err = KB_ERR_INIT;
	struct kb_fault fault;
	struct kb_worker w;

	check_int(start(&w, "good", NULL, NULL), 0);
	check_int(w.phase, KB_PHASE_LOAD);
	check_int(kb_worker_load(&w, seed, NULL, 0, &fault, &err), 1);
	check_int(w.phase, KB_PHASE_RUN);
	for (int i = 0; i < 50 && !tap_failed; i++) {
		int64_t elapsed_ns;

		check_int(kb_worker_queue(&w, 0, 1, seed, &fault, &err), 1);
		check_int(kb_worker_go(&w, &elapsed_ns, &fault, &err), 1);
		check_int(kb_worker_settle(&w, &fault, &err), 1);
	}
	check_str(err.msg, "");
	kb_worker_end(&w);
}

/* Without a stop between the end of a run and the gate of the next. */
static void test_good_worker_makes_runs_in_a_row(void)
{
	static const uint8_t seed[KB_SEED_BYTES];
	struct kb_err err = KB_ERR_INIT;
	struct kb_fault fault;
	struct kb_worker w;
	int64_t elapsed_ns;

	check_int(start(&w, "good", NULL, NULL), 0);
	check_int(kb_worker_load(&w, seed, NULL, 0, &fault, &err), 1);
	check_int(kb_worker_queue(&w, 0, 1, seed, &fault, &err), 1);
	for (int i = 0; i < 50 && !tap_failed; i++) {
		check_int(kb_worker_go(&w, &elapsed_ns, &fault, &err), 1);
		check_int(kb_worker_settle_and_queue(&w, 0, 1, seed, &fault,
						     &err), 1);
		check(!w.process.running);
	}
	check_int(kb_worker_go(&w, &elapsed_ns, &fault, &err), 1);
	check_int(kb_worker_settle(&w, &fault, &err), 1);
	check_str(err.msg, "");
	kb_worker_end(&w);
}

/* With none, some, or so many descriptors each that they have to be sent in
 * turns; and afterwards it is heard and stopped as always. */
static void test_questions_may_be_many(void)
{
	static const size_t fd_counts[] = { 0, 1, 3, 33, 64 };
	static const uint8_t seed[KB_SEED_BYTES];
	struct kb_request slots[40];
	struct kb_err err = KB_ERR_INIT;
	int fds[40 * 64] = { 0 };
	struct kb_fault fault;
	struct kb_worker w;

	for (size_t i = 0; i < KB_ARRAY_LEN(slots); i++)
		slots[i] = (struct kb_request){ .op = KB_OP_SLOT };
	check_int(start(&w, "good", NULL, NULL), 0);
	check_int(kb_worker_load(&w, seed, NULL, 0, &fault, &err), 1);
	for (size_t i = 0; i < KB_ARRAY_LEN(fd_counts); i++)
		for (size_t n = 0; n <= KB_ARRAY_LEN(slots); n += 20) {
			check_int(kb_worker_ask_all(&w, slots, n, fds,
						    fd_counts[i], &fault,
						    &err), 1);
			check(!w.process.running);
		}
	check(slots[0].nonce != slots[1].nonce);
	check_int(kb_worker_queue(&w, 0, 1, seed, &fault, &err), 1);
	check_str(err.msg, "");
	kb_worker_end(&w);
}

static void test_ack_codes_are_faults_of_their_own(void)
{
	static const struct story stories[] = {
		{ "acks-code", LOAD_OP, "1", LOAD, KB_STATUS_BUILD_FAILED,
		  KB_PHASE_BUILD, "a compiler run by the code failed", 0 },
		{ "acks-code", LOAD_OP, "2", LOAD, KB_STATUS_LOAD_FAILED,
		  KB_PHASE_LOAD, "the code could not be loaded", 0 },
		{ "acks-code", LOAD_OP, "6", LOAD, KB_STATUS_OUT_OF_MEMORY,
		  KB_PHASE_LOAD, "an allocation failed", 0 },
		{ "acks-code", LOAD_OP, "7", LOAD, KB_STATUS_LOAD_FAILED,
		  KB_PHASE_LOAD, "the problem cannot be expressed", 0 },
		{ "acks-code", GENERATE_OP, "3", GENERATE,
		  KB_STATUS_RUN_FAILED, KB_PHASE_RUN,
		  "the call raised or returned an error", 0 },
		{ "acks-code", RUN_OP, "4", QUEUE, KB_STATUS_WRONG_SHAPE,
		  KB_PHASE_RUN,
		  "the outputs do not have the reference's shapes", 0 },
		{ "acks-late-code", "5", NULL, SETTLE, KB_STATUS_WRONG_DTYPE,
		  KB_PHASE_RUN,
		  "the outputs do not have the reference's types", 0 },
		{ "acks-late-code", "1", NULL, SETTLE, KB_STATUS_BUILD_FAILED,
		  KB_PHASE_BUILD, "a compiler run by the code failed", 0 },
	};

	TELL(stories);
}

static void test_every_ack_code_is_a_fault(void)
{
	for (int code = KB_ACK_OK + 1; code < KB_ACK_CODE_COUNT; code++) {
		struct kb_fault fault;

		kb_fault_of_ack(&fault, KB_SIDE_CANDIDATE,
				(enum kb_ack_code)code, KB_PHASE_RUN);
		check(fault.status != KB_STATUS_CORRECT && *fault.detail);
	}
}

/* A worker that cannot go on exits behind the reason. */
static void test_faults_are_explained_by_the_log(void)
{
	static const struct {
		enum kb_status status;
		int signal;
		const char *log, *detail;
	} rows[] = {
		{ KB_STATUS_LOAD_FAILED, 0, "", "so" },
		{ KB_STATUS_LOAD_FAILED, 0, "kb_torch: E: x (line 2)\n",
		  "E: x (line 2)" },
		{ KB_STATUS_LOAD_FAILED, 0, "a.c:1: error: x\n", "so" },
		{ KB_STATUS_BUILD_FAILED, 0, "a.c:1: error: x\n",
		  "a.c:1: error: x" },
		{ KB_STATUS_BUILD_FAILED, 0, "a.c:1: error: x\nkb_torch: "
		  "RuntimeError: Error building extension 'x' (line 2)\n",
		  "a.c:1: error: x" },
		{ KB_STATUS_BUILD_FAILED, 0, "a.c:1: error: x\nkb_torch: y\n",
		  "y" },
		{ KB_STATUS_EXITED, 0, "kb_torch: lost\n", "so: lost" },
		{ KB_STATUS_EXITED, 0, "kb_torch: lost\nbye\n", "so" },
		{ KB_STATUS_CRASHED, SIGSEGV, "x\nFatal Python error: x\n"
		  "  File \"candidate.py\", line 7 in f\n", "so (line 7)" },
		{ KB_STATUS_CRASHED, SIGSEGV, "x\n", "so" },
		{ KB_STATUS_CRASHED, SIGABRT, "free(): x\n", "so: free(): x" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		struct kb_fault fault;

		kb_fault_set(&fault, KB_SIDE_CANDIDATE, rows[i].status,
			     KB_PHASE_RUN, "so");
		fault.signal = rows[i].signal;
		kb_fault_explain(&fault, rows[i].log, strlen(rows[i].log));
		check_str(fault.detail, rows[i].detail);
	}
}

static void test_unknown_codes_are_not_of_our_workers(void)
{
	static const struct story stories[] = {
		{ "acks-code", LOAD_OP, "9", LOAD,
		  KB_STATUS_PROTOCOL_VIOLATION, KB_PHASE_LOAD,
		  "an answer that no worker of kb's gives", 0 },
		{ "acks-code", GENERATE_OP, "-1", GENERATE,
		  KB_STATUS_PROTOCOL_VIOLATION, KB_PHASE_RUN,
		  "an answer that no worker of kb's gives", 0 },
		{ "acks-late-code", "4096", NULL, SETTLE,
		  KB_STATUS_PROTOCOL_VIOLATION, KB_PHASE_RUN,
		  "an answer that no worker of kb's gives", 0 },
	};

	check_int(KB_ACK_CODE_COUNT, 9);
	TELL(stories);
}

static void test_answers_must_fit_the_question(void)
{
	static const struct story stories[] = {
		{ "acks-wrong-nonce", NULL, NULL, GENERATE,
		  KB_STATUS_PROTOCOL_VIOLATION, KB_PHASE_RUN,
		  "an answer to no question", 0 },
		{ "acks-wrong-op", NULL, NULL, GENERATE,
		  KB_STATUS_PROTOCOL_VIOLATION, KB_PHASE_RUN,
		  "an answer to no question", 0 },
		{ "acks-wrong-size", "0", NULL, GENERATE,
		  KB_STATUS_PROTOCOL_VIOLATION, KB_PHASE_RUN,
		  "an answer of the wrong size", 0 },
		{ "acks-wrong-size", "1", NULL, GENERATE,
		  KB_STATUS_PROTOCOL_VIOLATION, KB_PHASE_RUN,
		  "an answer of the wrong size", 0 },
		{ "acks-wrong-size", "15", NULL, GENERATE,
		  KB_STATUS_PROTOCOL_VIOLATION, KB_PHASE_RUN,
		  "an answer of the wrong size", 0 },
		{ "acks-wrong-size", "17", NULL, GENERATE,
		  KB_STATUS_PROTOCOL_VIOLATION, KB_PHASE_RUN,
		  "an answer of the wrong size", 0 },
		{ "acks-wrong-size", "16", NULL, QUEUE, KB_STATUS_TIMED_OUT,
		  KB_PHASE_RUN, "no answer within 0 s", 0 },
	};

	check_int(sizeof(struct kb_ack), 16);
	TELL(stories);
}

static void test_nobody_speaks_without_being_asked(void)
{
	static const struct story stories[] = {
		{ "acks-twice", NULL, NULL, QUEUE,
		  KB_STATUS_PROTOCOL_VIOLATION, KB_PHASE_RUN,
		  "spoke without being asked", 0 },
		{ "settles-early", NULL, NULL, SETTLE,
		  KB_STATUS_PROTOCOL_VIOLATION, KB_PHASE_RUN,
		  "spoke without being asked", 0 },
	};
	struct kb_request generate[2] = {
		{ .op = KB_OP_GENERATE, .slot_count = 1 },
		{ .op = KB_OP_GENERATE, .slot_count = 1 },
	};
	struct kb_err err = KB_ERR_INIT;
	struct kb_fault fault;
	struct kb_worker w;
	const int none = -1;

	TELL(stories);

	/* Nor between the answers to several questions. */
	check_int(start(&w, "acks-twice", NULL, NULL), 0);
	check_int(take_step(&w, LOAD, &fault, &err), 1);
	check_int(kb_worker_ask_all(&w, generate, 2, &none, 0, &fault, &err), 0);
	check_int(fault.status, KB_STATUS_PROTOCOL_VIOLATION);
	check_str(fault.detail, "an answer to no question");
	kb_worker_end(&w);

	/* Too early, or taken for an answer: a violation either way. */
	check_int(start(&w, "speaks-first", NULL, NULL), 0);
	check_int(walk(&w, THROUGH, &fault), LOAD);
	check_int(fault.status, KB_STATUS_PROTOCOL_VIOLATION);
	check_int(fault.phase, KB_PHASE_LOAD);
	kb_worker_end(&w);
}

/* The supervisor would wait for room in the channel for ever. */
static void test_requests_are_taken(void)
{
	struct kb_request generate = { .op = KB_OP_GENERATE, .slot_count = 1 };
	struct kb_err err = KB_ERR_INIT;
	struct kb_fault fault;
	struct kb_worker w;
	int ret;

	check_int(start(&w, "leaves-requests", NULL, NULL), 0);
	check_int(take_step(&w, LOAD, &fault, &err), 1);
	do
		ret = kb_worker_ask(&w, &generate, NULL, 0, &fault, &err);
	while (ret > 0);
	check_int(ret, 0);
	check_int(fault.status, KB_STATUS_PROTOCOL_VIOLATION);
	check_str(fault.detail, "leaves requests in its channel");
	kb_worker_end(&w);
}

static void test_channel_stays_open(void)
{
	static const struct story stories[] = {
		{ "closes-channel", NULL, NULL, GENERATE,
		  KB_STATUS_PROTOCOL_VIOLATION, KB_PHASE_RUN,
		  "closed its channel", 0 },
		{ "shuts-channel", NULL, NULL, GENERATE,
		  KB_STATUS_PROTOCOL_VIOLATION, KB_PHASE_RUN,
		  "closed its channel", 0 },
	};

	TELL(stories);
}

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

static void test_an_fp64_error_must_have_said_something(void)
{
	static const uint8_t seed[KB_SEED_BYTES];
	static const struct kb_plan plan = { .output_count = 1 };
	struct kb_fp64_error *fp64_error = NULL;
	struct kb_err err = KB_ERR_INIT;
	struct kb_fault fault;
	struct kb_worker w;

	check_int(start(&w, "good", NULL, NULL), 0);
	check_int(take_step(&w, LOAD, &fault, &err), 1);
	check_int(kb_fp64_error_ask(&fp64_error, &w, &plan, seed, false, &fault,
				    &err), 0);
	check(!fp64_error);
	check_int(fault.status, KB_STATUS_PROTOCOL_VIOLATION);
	check_str(fault.detail, "a report without meaning");
	kb_worker_end(&w);
}

TAP_MAIN(
	TAP(test_operations_have_their_numbers),
	TAP(test_good_worker_gets_through),
	TAP(test_good_worker_gets_through_without_namespaces),
	TAP(test_good_worker_runs_again_and_again),
	TAP(test_good_worker_makes_runs_in_a_row),
	TAP(test_questions_may_be_many),
	TAP(test_ack_codes_are_faults_of_their_own),
	TAP(test_every_ack_code_is_a_fault),
	TAP(test_faults_are_explained_by_the_log),
	TAP(test_unknown_codes_are_not_of_our_workers),
	TAP(test_answers_must_fit_the_question),
	TAP(test_nobody_speaks_without_being_asked),
	TAP(test_requests_are_taken),
	TAP(test_channel_stays_open),
	TAP(test_exits_are_told),
	TAP(test_exits_are_told_without_namespaces),
	TAP(test_crashes_are_told),
	TAP(test_crashes_are_told_without_namespaces),
	TAP(test_answer_and_exit_may_come_together),
	TAP(test_answer_and_exit_may_come_together_without_namespaces),
	TAP(test_time_is_limited),
	TAP(test_other_limits_of_a_candidate),
	TAP(test_load_and_run_have_limits_of_their_own),
	TAP(test_a_flood_is_no_fault),
	TAP(test_who_cannot_be_stopped_has_failed),
	TAP(test_output_is_kept_and_made_harmless),
	TAP(test_program_that_cannot_run_is_our_failure),
	TAP(test_end_gives_everything_back),
	TAP(test_faults_of_ends),
	TAP(test_an_fp64_error_must_have_said_something),
);
