/*
 * For tools/bench: what starting a confined program costs.
 *
 *	start ROUNDS		/bin/true confined by all that there is, and in
 *				turn by its limits alone; prints the medians, in
 *				milliseconds from before the start to after the
 *				end and the removal of all that it had
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "worker/launch.h"
#include "worker/task.h"
#include "worker/view.h"

#define ROUNDS_MAX 1000

static const char *const argv_of_true[] = { "/bin/true", NULL };

static int compare(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static int run_once(struct kb_launcher *l, int64_t *elapsed_ns,
		    struct kb_err *err)
{
	const int64_t start_ns = kb_clock_ns();
	struct kb_scratch_dir dir = { .work = NULL };
	struct kb_task t = KB_TASK_INIT;
	struct kb_fault fault;
	int ret = kb_scratch_make(&l->scratch, &dir, !l->other_user_why_not,
				  err);

	if (ret >= 0)
		ret = kb_task_start(&t, l, argv_of_true, &dir, KB_PHASE_BUILD,
				    KB_NS_PER_S * 60, err);
	if (ret >= 0)
		ret = kb_task_wait(&t, &fault, err);
	kb_task_end(&t);
	kb_scratch_remove(&dir);
	*elapsed_ns = kb_clock_ns() - start_ns;
	return ret;
}

/* Workers that are confined, and workers that are not. */
static int open_launcher(struct kb_launcher *l, bool unconfined,
			 struct kb_err *err)
{
	int ret = kb_launcher_init(l, NULL, NULL, NULL, err);

	if (ret < 0)
		return ret;
	l->unconfined = unconfined;
	l->memory_bytes = (uint64_t)1 << 30;
	l->log_limit_bytes = 4096;
	l->threads = 1;
	kb_launcher_choose_user(l, false, false);
	kb_launcher_plan_root(l, false);
	return 0;
}

static int measure(int64_t elapsed_ns[2][ROUNDS_MAX], int rounds,
		   struct kb_err *err)
{
	kb_auto(launcher) struct kb_launcher confined = KB_LAUNCHER_INIT;
	kb_auto(launcher) struct kb_launcher plain = KB_LAUNCHER_INIT;
	struct kb_launcher *both[2] = { &confined, &plain };
	int ret = 0;

	for (int i = 0; i < 2 && ret >= 0; i++)
		ret = open_launcher(both[i], i, err);
	for (int i = 0; i < 2 * rounds && ret >= 0; i++)
		ret = run_once(both[i % 2], &elapsed_ns[i % 2][i / 2], err);
	return ret;
}

int main(int argc, char **argv)
{
	static int64_t elapsed_ns[2][ROUNDS_MAX];
	const int rounds = argc > 1 ? atoi(argv[1]) : 0;
	struct kb_err err = KB_ERR_INIT;

	if (rounds < 1 || rounds > ROUNDS_MAX)
		return 2;
	if (measure(elapsed_ns, rounds, &err) < 0) {
		fprintf(stderr, "start: %s\n", err.msg);
		return 4;
	}
	for (int i = 0; i < 2; i++) {
		qsort(elapsed_ns[i], (size_t)rounds, sizeof(elapsed_ns[i][0]),
		      compare);
		printf("%.2f\n", (double)elapsed_ns[i][rounds / 2] / 1e6);
	}
	return 0;
}
