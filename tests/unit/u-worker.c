#include "worker/worker.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "lib/tap.h"
#include "worker/fp64_error.h"
#include "worker_rig.h"

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
		uint32_t ranks;
	} rows[] = {
		{ KB_STATUS_LOAD_FAILED, 0, "", "so", 1 },
		{ KB_STATUS_LOAD_FAILED, 0, "kb_torch: E: x (line 2)\n",
		  "E: x (line 2)", 1 },
		{ KB_STATUS_LOAD_FAILED, 0, "a.c:1: error: x\n", "so", 1 },
		{ KB_STATUS_BUILD_FAILED, 0, "a.c:1: error: x\n",
		  "a.c:1: error: x", 1 },
		{ KB_STATUS_BUILD_FAILED, 0, "a.c:1: error: x\nkb_torch: "
		  "RuntimeError: Error building extension 'x' (line 2)\n",
		  "a.c:1: error: x", 1 },
		{ KB_STATUS_BUILD_FAILED, 0, "a.c:1: error: x\nkb_torch: y\n",
		  "y", 1 },
		{ KB_STATUS_EXITED, 0, "kb_torch: lost\n", "so: lost", 1 },
		{ KB_STATUS_EXITED, 0, "kb_torch: lost\nbye\n", "so", 1 },
		{ KB_STATUS_CRASHED, SIGSEGV, "x\nFatal Python error: x\n"
		  "  File \"candidate.py\", line 7 in f\n", "so (line 7)", 1 },
		{ KB_STATUS_CRASHED, SIGSEGV, "x\n", "so", 1 },
		{ KB_STATUS_CRASHED, SIGABRT, "free(): x\n", "so: free(): x", 1 },
		{ KB_STATUS_CRASHED, SIGABRT, "x\nkb_torch_ranks: rank 1 ended\n"
		  "kb_torch: rank 0: y\n", "rank 1: so: x", 2 },
		{ KB_STATUS_EXITED, 0, "kb_torch: rank 1: x\n"
		  "kb_torch_ranks: rank 1 ended\n", "rank 1: so: x", 2 },
		{ KB_STATUS_EXITED, 0, "kb_torch: rank 0: x\n"
		  "kb_torch_ranks: rank 1 ended\n", "rank 1: so", 2 },
		{ KB_STATUS_EXITED, 0, "kb_torch_ranks: rank 1 ended\n", "so",
		  1 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		struct kb_fault fault;

		kb_fault_set(&fault, KB_SIDE_CANDIDATE, rows[i].status,
			     KB_PHASE_RUN, "so");
		fault.signal = rows[i].signal;
		kb_fault_explain(&fault, rows[i].ranks, rows[i].log,
				 strlen(rows[i].log));
		check_str(fault.detail, rows[i].detail);
	}
}

static void test_unknown_codes_are_not_of_our_workers(void)
{
	static const struct story stories[] = {
		{ "acks-code", LOAD_OP, "10", LOAD,
		  KB_STATUS_PROTOCOL_VIOLATION, KB_PHASE_LOAD,
		  "an answer that no worker of kb's gives", 0 },
		{ "acks-code", GENERATE_OP, "9", GENERATE,
		  KB_STATUS_PROTOCOL_VIOLATION, KB_PHASE_RUN,
		  "an answer that no worker of kb's gives", 0 },
		{ "acks-code", GENERATE_OP, "-1", GENERATE,
		  KB_STATUS_PROTOCOL_VIOLATION, KB_PHASE_RUN,
		  "an answer that no worker of kb's gives", 0 },
		{ "acks-late-code", "4096", NULL, SETTLE,
		  KB_STATUS_PROTOCOL_VIOLATION, KB_PHASE_RUN,
		  "an answer that no worker of kb's gives", 0 },
	};

	check_int(KB_ACK_CODE_COUNT, 10);
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
	TAP(test_an_fp64_error_must_have_said_something),
);
