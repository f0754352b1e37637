/* How long a candidate may compile in its first run. */

#include "measure/bench_state.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "lib/tap.h"

static const struct {
	uint32_t others;
	int64_t load_s;			/* --build-timeout */
	int64_t first_run_s;
} rows[] = {
	{ 0, 600, 600 },
	{ 1, 600, 30 },
	{ 7, 600, 30 },
	{ 7, 20, 20 },
};

static void test_a_screen_does_not_wait_for_a_long_compilation(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		const struct kb_policy policy = { .others = rows[i].others };
		struct kb_launcher launcher = KB_LAUNCHER_INIT;
		const struct kb_bench b = {
			.launcher = &launcher, .policy = &policy,
		};
		struct kb_worker w = KB_WORKER_INIT;

		launcher.run_timeout_ns = 60 * KB_NS_PER_S;
		w.load_timeout_ns = rows[i].load_s * KB_NS_PER_S;
		kb_bench_limit_candidate(&b, &w, KB_RUNTIME_TORCH);
		check_int(w.load_timeout_ns, rows[i].load_s * KB_NS_PER_S);
		kb_bench_limit_run(&b, &w, KB_NS_PER_MS, 1);
		check_int(w.load_timeout_ns, rows[i].first_run_s * KB_NS_PER_S);
		check_int(w.run_timeout_ns, 60 * KB_NS_PER_S);
	}
}

TAP_MAIN(TAP(test_a_screen_does_not_wait_for_a_long_compilation));
