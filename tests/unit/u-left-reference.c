/* The reference of a screen, which is not waited for when its bench closes. */

#include "measure/bench.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/file.h"
#include "lib/tap.h"
#include "worker/build.h"
#include "worker/view.h"

#define PATIENCE_NS (120 * KB_NS_PER_S)

static void begin_launcher(struct kb_launcher *l, struct kb_err *err)
{
	const char *libexec = getenv("KB_LIBEXEC");

	check_int(kb_scratch_open(&l->scratch, err), 0);
	l->libexec = kb_xstrdup(libexec ? libexec : "build/libexec/kb");
	l->cc = kb_find_program("cc");
	l->memory_bytes = (uint64_t)1 << 33;
	l->log_limit_bytes = 1 << 16;
	l->load_timeout_ns = l->run_timeout_ns = PATIENCE_NS;
	l->threads = 1;
	kb_launcher_choose_user(l, false, true);
	kb_launcher_plan_root(l, false);
}

/* It is killed at once, and waited for in the end. */
static void check_left(const char *text, size_t len, int wanted)
{
	struct kb_launcher l = KB_LAUNCHER_INIT;
	struct kb_policy policy = { .others = 1 };
	struct kb_bench bench = KB_BENCH_INIT;
	struct kb_outcome outcome = KB_OUTCOME_INIT;
	struct kb_err err = KB_ERR_INIT;
	const struct kb_source problem = {
		.runtime = KB_RUNTIME_NATIVE, .data = text, .len = len,
	};
	pid_t monitor;

	begin_launcher(&l, &err);
	check_int(kb_tolerance_policy_find(&policy.tolerance, "kernelbench",
					   &err), 0);
	check_int(kb_bench_open(&bench, &l, &policy, NULL, &problem, &outcome,
				&err), wanted);
	monitor = bench.reference.worker.process.monitor;
	kb_bench_close(&bench);
	check_int(l.leaving.worker.process.monitor, monitor);
	check(l.leaving.worker.process.monitor_fd < 0);
	kb_outcome_release(&outcome);
	kb_launcher_release(&l);
	check(!monitor || kill(monitor, 0) < 0);
}

static void test_reference_is_left(void)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;

	check(kb_file_read(&text, AT_FDCWD, "problems/demo/level1/9_Axpy.c",
			   1 << 20, &err) >= 0);
	check_left(text.data, text.len, 1);
}

static void test_none_was_started(void)
{
	check_left("not C\n", 6, 0);
}

TAP_MAIN(
	TAP(test_reference_is_left),
	TAP(test_none_was_started),
);
