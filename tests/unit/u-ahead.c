/* A candidate's worker that is started before its reference. */

#include "measure/bench.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "lib/tap.h"
#include "worker/build.h"
#include "worker/view.h"

#define PATIENCE_NS (120 * KB_NS_PER_S)

static const char in_torch[] =
	"import torch\n"
	"class Model(torch.nn.Module):\n"
	"    def forward(self, x):\n"
	"        return x + 1\n"
	"ModelNew = Model\n"
	"def get_inputs():\n"
	"    return [torch.rand(4)]\n"
	"def get_init_inputs():\n"
	"    return []\n";

struct rig {
	struct kb_buf text;		/* a problem, and a candidate that is right */
	enum kb_runtime runtime;
	struct kb_launcher launcher;
	struct kb_policy policy;
	struct kb_bench bench;
	struct kb_outcome reference;
	struct kb_err err;
};

static struct kb_source source_of(const struct rig *r)
{
	return (struct kb_source){
		.runtime = r->runtime,
		.data = r->text.data, .len = r->text.len,
	};
}

/* A text of NULL is the rig's own. */
static void start_in(struct rig *r, enum kb_runtime runtime,
		     const char *candidate)
{
	const char *libexec = getenv("KB_LIBEXEC");
	const char *python = getenv("KB_PYTHON");
	struct kb_launcher *l = &r->launcher;
	struct kb_source problem, code;

	*r = (struct rig){ .text = KB_BUF_INIT, .runtime = runtime,
			   .launcher = KB_LAUNCHER_INIT,
			   .policy = { .others = 1 },
			   .bench = KB_BENCH_INIT,
			   .reference = KB_OUTCOME_INIT };
	check_int(kb_tolerance_policy_find(&r->policy.tolerance, "kernelbench",
					   &r->err), 0);
	if (runtime == KB_RUNTIME_TORCH)
		kb_buf_addstr(&r->text, in_torch);
	else
		check(kb_file_read(&r->text, AT_FDCWD,
				   "problems/demo/level1/9_Axpy.c", 1 << 20,
				   &r->err) >= 0);
	check_int(kb_scratch_open(&l->scratch, &r->err), 0);
	l->libexec = kb_xstrdup(libexec ? libexec : "build/libexec/kb");
	l->cc = kb_find_program("cc");
	l->python = kb_find_program(python ? python : "python3");
	l->memory_bytes = (uint64_t)1 << 33;
	l->log_limit_bytes = 1 << 16;
	l->load_timeout_ns = l->run_timeout_ns = PATIENCE_NS;
	l->threads = 1;
	kb_launcher_choose_user(l, true, true);
	kb_launcher_plan_root(l, true);
	problem = source_of(r);
	code = problem;
	if (candidate) {
		code.data = candidate;
		code.len = strlen(candidate);
	}
	check_int(kb_bench_start_ahead(&r->bench, l, &problem, &code, &r->err),
		  0);
	check_str(r->err.msg, "");
}

static void start_ahead(struct rig *r, const char *candidate)
{
	start_in(r, KB_RUNTIME_NATIVE, candidate);
}

static int open_bench(struct rig *r, const char *reference)
{
	struct kb_source problem = source_of(r);

	if (reference) {
		problem.data = reference;
		problem.len = strlen(reference);
	}
	return kb_bench_open(&r->bench, &r->launcher, &r->policy, NULL, &problem,
			     &r->reference, &r->err);
}

/* The reference is killed at once, and waited for in the end. */
static void close_rig(struct rig *r)
{
	const pid_t monitor = r->bench.reference.worker.process.monitor;

	kb_bench_close(&r->bench);
	check(!r->bench.ahead.launched.worker.process.monitor);
	check_int(r->launcher.leaving.worker.process.monitor, monitor);
	check(r->launcher.leaving.worker.process.monitor_fd < 0);
	kb_outcome_release(&r->reference);
	kb_launcher_release(&r->launcher);
	check(!monitor || kill(monitor, 0) < 0);
	kb_buf_release(&r->text);
}

static void test_worker_is_there_before_the_reference_is_and_after(void)
{
	struct rig r;
	struct kb_worker *w = &r.bench.ahead.launched.worker;

	start_ahead(&r, NULL);
	check_int(r.bench.ahead.ret, 1);
	check(w->process.monitor > 0);
	check(!r.bench.reference.worker.process.monitor);
	check_int(open_bench(&r, NULL), 1);
	/* It has been asked for nothing. */
	check_int(w->phase, KB_PHASE_LOAD);
	check_int(kill(w->process.monitor, 0), 0);
	close_rig(&r);
}

static void test_candidate_that_fails_first_waits_for_the_reference(void)
{
	struct rig r;

	start_ahead(&r, "not C\n");
	check_int(r.bench.ahead.ret, 0);
	check_str(kb_status_name(r.bench.ahead.fault.status), "build_failed");
	check_int(r.bench.ahead.fault.side, KB_SIDE_CANDIDATE);
	check_int(open_bench(&r, NULL), 1);
	close_rig(&r);
}

static void test_reference_that_fails_is_the_reference(void)
{
	static const char *const candidates[] = { NULL, "not C\n" };

	for (size_t i = 0; i < KB_ARRAY_LEN(candidates); i++) {
		struct rig r;

		start_ahead(&r, candidates[i]);
		check_int(open_bench(&r, "nor is this\n"), 0);
		check_str(kb_status_name(r.reference.status), "build_failed");
		close_rig(&r);
	}
}

/* Each has the command line that it is to have. */
static void test_both_are_started_in_torch(void)
{
	const char *python = getenv("KB_PYTHON");
	kb_auto(mem) char *command = kb_xasprintf(
		"tests/lib/has-torch '%s'", python ? python : "python3");
	struct kb_fault fault;
	struct rig r;

	if (system(command)) {
		tap_skip("there is no torch");
		return;
	}
	start_in(&r, KB_RUNTIME_TORCH, NULL);
	check_int(open_bench(&r, NULL), 1);
	check_int(kb_launched_load(&r.bench.ahead.launched, r.bench.weights_seed,
				   r.bench.of_ranks, &fault, &r.err), 1);
	check_str(r.err.msg, "");
	close_rig(&r);
}

TAP_MAIN(
	TAP(test_worker_is_there_before_the_reference_is_and_after),
	TAP(test_candidate_that_fails_first_waits_for_the_reference),
	TAP(test_reference_that_fails_is_the_reference),
	TAP(test_both_are_started_in_torch),
);
