#include "confine/below.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "lib/tap.h"

static void pause_briefly(void)
{
	(void)nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
}

static void compute(void)
{
	for (volatile unsigned i = 0;; i++)
		;
}

/* So many processes below each other, of which the last computes or waits. All
 * of them are of one group, which it returns. */
static pid_t grow(int depth, bool computes)
{
	const pid_t first = fork();

	if (first) {
		(void)setpgid(first, first);
		return first;
	}
	(void)setpgid(0, 0);
	while (--depth > 0)
		if (fork()) {
			for (;;)
				(void)pause();
		}
	if (computes)
		compute();
	for (;;)
		(void)pause();
}

static void cut(pid_t group)
{
	(void)kill(-group, SIGKILL);
	while (waitpid(-group, NULL, 0) > 0)
		;
}

/* A busy machine may take its time to start them all. */
static bool becomes_busy(pid_t monitor, int generations)
{
	for (int i = 0; i < 3000; i++) {
		if (kb_is_busy_below(monitor, generations))
			return true;
		pause_briefly();
	}
	return false;
}

static void test_who_computes_below_the_program_is_seen(void)
{
	for (int depth = 2; depth <= 4; depth++) {
		const pid_t group = grow(depth, true);

		if (!becomes_busy(getpid(), depth > 2 ? 2 : 1))
			tap_fail("%d below", depth);
		cut(group);
	}
}

/* Processes that have just been started compute as well. */
static bool stays_busy(pid_t monitor, int generations)
{
	for (int i = 0; i < 3000; i++) {
		if (!kb_is_busy_below(monitor, generations))
			return false;
		pause_briefly();
	}
	return true;
}

static void test_others_are_not(void)
{
	static const struct {
		const char *what;
		int depth;
		bool computes;
		int generations;
	} all[] = {
		{ "the program itself", 1, true, 1 },
		{ "a rank", 2, true, 2 },
		{ "who waits", 3, false, 1 },
		{ "who is beyond what is looked at", 12, true, 1 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(all); i++) {
		const pid_t group = grow(all[i].depth, all[i].computes);

		if (stays_busy(getpid(), all[i].generations))
			tap_fail("%s", all[i].what);
		cut(group);
	}
}

static void test_nobody_is_below_nobody(void)
{
	check(!kb_is_busy_below(0, 1));
	check(!kb_is_busy_below(-1, 1));
}

TAP_MAIN(
	TAP(test_who_computes_below_the_program_is_seen),
	TAP(test_others_are_not),
	TAP(test_nobody_is_below_nobody)
);
