#include "confine/below.h"

#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "confine/confine.h"
#include "confine/other_user.h"
#include "lib/tap.h"

/* The one that grow() started last, which says so. */
static pid_t *last;

static void pause_briefly(void)
{
	(void)nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
}

static void compute(void)
{
	for (volatile unsigned i = 0;; i++)
		;
}

static void __attribute__((noreturn)) stay(bool computes)
{
	if (last)
		*last = getpid();
	if (computes)
		compute();
	for (;;)
		(void)pause();
}

/* fork(), of a child that is the first of a group. */
static pid_t fork_group(void)
{
	const pid_t first = fork();

	(void)setpgid(first, first);
	return first;
}

/* So many processes below each other, of which the last computes or waits. All
 * of them are of one group, which it returns. */
static pid_t grow(int depth, bool computes)
{
	const pid_t first = fork_group();

	if (first)
		return first;
	while (--depth > 0)
		if (fork()) {
			for (;;)
				(void)pause();
		}
	stay(computes);
}

/* So many processes below one, of which the last computes or waits; as grow(). */
static pid_t spread(int count, bool computes)
{
	const pid_t first = fork_group();

	if (first)
		return first;
	for (; count > 0; count--)
		if (!fork()) {
			if (count == 1)
				stay(computes);
			break;
		}
	for (;;)
		(void)pause();
}

static void expect_last(void)
{
	if (!last)
		last = mmap(NULL, sizeof(*last), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	*last = 0;
}

static void await_last(void)
{
	for (int i = 0; i < 3000 && !*last; i++)
		pause_briefly();
	check(*last);
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

/* The program is the first of 512. */
static void test_of_many_the_first_are_looked_at(void)
{
	for (int count = 511; count <= 512; count++) {
		pid_t group;

		expect_last();
		group = spread(count, true);
		await_last();
		if (count < 512 ? !becomes_busy(getpid(), 1)
				: stays_busy(getpid(), 1))
			tap_fail("%d below", count);
		cut(group);
	}
}

static void test_nobody_is_below_nobody(void)
{
	check(!kb_is_busy_below(0, 1));
	check(!kb_is_busy_below(-1, 1));
}

/* --- processors ---------------------------------------------------------- */

static bool is_spared(void *context, pid_t pid)
{
	return pid == *(const pid_t *)context;
}

static bool may_use(pid_t pid, const cpu_set_t *set)
{
	cpu_set_t has;

	CPU_ZERO(&has);
	check_int(sched_getaffinity(pid, sizeof(has), &has), 0);
	return CPU_EQUAL(&has, set);
}

static pid_t grow_and_tell(int depth)
{
	pid_t group;

	expect_last();
	group = grow(depth, false);
	await_last();
	return group;
}

/* This process's, and the first of them. Are they not the same? */
static bool get_sets(cpu_set_t *all, cpu_set_t *one)
{
	int cpu = 0;

	check_int(sched_getaffinity(0, sizeof(*all), all), 0);
	while (!CPU_ISSET(cpu, all))
		cpu++;
	CPU_ZERO(one);
	CPU_SET(cpu, one);
	return !CPU_EQUAL(one, all);
}

static void test_all_below_are_moved_but_who_is_spared(void)
{
	cpu_set_t all, one;

	if (!get_sets(&all, &one))
		return;
	for (int depth = 1; depth <= 12; depth++) {
		pid_t nobody = 0, group = grow_and_tell(depth);

		check(kb_move_below(&one, is_spared, &group));
		check(may_use(*last, &all));
		check(kb_move_below(&one, is_spared, &nobody));
		check(may_use(*last, &one));
		check(may_use(0, &all));
		check(kb_move_below(&all, is_spared, &nobody));
		check(may_use(*last, &all));
		cut(group);
	}
}

/* Their numbers are more than a page of /proc. */
static void test_many_are_moved(void)
{
	pid_t nobody = 0, group;
	cpu_set_t all, one;

	if (!get_sets(&all, &one))
		return;
	expect_last();
	group = spread(1000, false);
	await_last();
	check(kb_move_below(&one, is_spared, &nobody));
	check(may_use(*last, &one));
	cut(group);
}

/* False if this process never had that right. */
static bool allow_others(bool allow)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct has[2];

	memset(has, 0, sizeof(has));
	check_int(syscall(SYS_capget, &head, has), 0);
	has[0].effective &= ~(1u << CAP_SYS_NICE);
	has[0].effective |= (unsigned)allow << CAP_SYS_NICE;
	return !syscall(SYS_capset, &head, has);
}

/* Below two processes, of which the first is another user's. */
static void check_moved(pid_t theirs, pid_t ours, bool may)
{
	pid_t nobody = 0;
	cpu_set_t all, one;

	(void)get_sets(&all, &one);
	check_int(kb_other_user_is_movable(), may);
	check_int(kb_move_below(&one, is_spared, &nobody), may);
	check(may_use(theirs, may ? &one : &all));
	check(may_use(ours, &one));
	check(kb_move_below(&all, is_spared, &nobody));
	check(may_use(ours, &all));
}

static void test_another_users_stop_nobody_else(void)
{
	cpu_set_t all, one;
	pid_t theirs, ours;

	if (kb_other_user_why_not() || !get_sets(&all, &one)) {
		tap_skip("it takes another user and two processors");
		return;
	}
	expect_last();
	theirs = fork();
	if (!theirs)
		stay(setresuid(KB_WORKER_UID, KB_WORKER_UID, KB_WORKER_UID));
	await_last();
	ours = grow_and_tell(1);
	for (int may = 1; may >= 0; may--)
		if (allow_others(may))
			check_moved(theirs, ours, may);
	(void)allow_others(true);
	cut(ours);
	check_int(kill(theirs, SIGKILL), 0);
	check_int(waitpid(theirs, NULL, 0), theirs);
}

/* A processor that the machine does not have. */
static void test_what_cannot_be_had_is_said(void)
{
	pid_t nobody = 0, group = grow_and_tell(1);
	cpu_set_t none;

	CPU_ZERO(&none);
	CPU_SET(CPU_SETSIZE - 1, &none);
	check(!kb_move_below(&none, is_spared, &nobody));
	cut(group);
}

TAP_MAIN(
	TAP(test_who_computes_below_the_program_is_seen),
	TAP(test_others_are_not),
	TAP(test_of_many_the_first_are_looked_at),
	TAP(test_nobody_is_below_nobody),
	TAP(test_all_below_are_moved_but_who_is_spared),
	TAP(test_many_are_moved),
	TAP(test_another_users_stop_nobody_else),
	TAP(test_what_cannot_be_had_is_said),
);
