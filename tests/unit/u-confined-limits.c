/* What a confined process cannot use up, and the limits that it has. */

#include "confine/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "confine/pass_fd.h"
#include "unit/process_rig.h"

static int score_of_self(void)
{
	FILE *f = fopen("/proc/self/oom_score_adj", "r");
	int score = -1;

	if (f) {
		check_int(fscanf(f, "%d", &score), 1);
		fclose(f);
	}
	return score;
}

/* To the kernel, that is: a builder of Nix has another name for it inside. */
static bool is_root(void)
{
	unsigned inside = 0, outside = 0;
	FILE *map = fopen("/proc/self/uid_map", "r");

	if (map) {
		check_int(fscanf(map, "%u %u", &inside, &outside), 2);
		fclose(map);
	}
	return geteuid() - inside + outside == 0;
}

static void test_fork_bomb_is_bounded(void)
{
	struct rig r;

	rig_open(&r);
	r.limits.processes = 40;
	check_int(rig_start(&r, "bomb", NULL), 0);
	if (is_root() && !has(&r, KB_FEATURE_OTHER_USER)) {
		tap_skip("root has as many processes as it likes");
	} else {
		check_int(wait_for_end(&r), 0);
		check(r.page->answers[0] < 40);
		check_int(r.page->answers[1], EAGAIN);
	}
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_fork_bomb_is_bounded);

/* Without control groups the kernel counts those of a user, and one that has all
 * of them is waited for. */
static void test_what_others_hold_is_waited_for(void)
{
	struct rig holder, other;

	rig_open(&holder);
	holder.limits.processes = 256;
	rig_go(&holder, "hold");
	if (is_root() && !has(&holder, KB_FEATURE_OTHER_USER))
		tap_skip("root has as many processes as it likes");
	else
		check_int(holder.page->answers[1], EAGAIN);
	rig_open(&other);
	other.limits.processes = holder.limits.processes / 2;
	check_int(rig_start(&other, "exit", "0"), 0);
	check_int(wait_for_end(&other), 0);
	check_int(other.process.wait_status, 0);
	check_int(other.process.features, holder.process.features);
	rig_close(&other);
	check_int(wait_for_end(&holder), 0);
	rig_close(&holder);
}
TEST_WITHOUT_NAMESPACES(test_what_others_hold_is_waited_for);

static void test_memory_is_bounded(void)
{
	struct rig r;

	rig_open(&r);
	r.limits.address_bytes = 64 * MIB;
	check_int(rig_start(&r, "memory", NULL), 0);
	check_int(wait_for_end(&r), 0);
	check_int(r.process.wait_status, 0);
	check(r.page->answers[0] > 16 && r.page->answers[0] < 64);
	rig_close(&r);
}
TEST_WITHOUT_NAMESPACES(test_memory_is_bounded);

/* Without niceness it may choose processors. */
static void test_what_is_nice_stays_so(void)
{
	const int own = getpriority(PRIO_PROCESS, 0);

	for (int niceness = 0; niceness <= 3; niceness += 3) {
		const int sum = own + niceness;
		struct rig r;

		rig_open(&r);
		r.limits.niceness = niceness;
		check_int(rig_start(&r, "nice", NULL), 0);
		check_int(wait_for_end(&r), 0);
		check_int(r.page->answers[0], sum < 19 ? sum : 19);
		check(r.page->answers[1] == EACCES ||
		      r.page->answers[1] == EPERM);
		check_int(r.page->answers[3], 0);
		check_int(r.page->answers[4],
			  niceness ? r.page->answers[2] : 1);
		rig_close(&r);
	}
}

/* As the workers' user, have as many descriptors on their way as can be, and
 * stay. */
static void __attribute__((noreturn)) send_descriptors(int ready_fd)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) < 0)
		_exit(1);
	r.rlim_max = r.rlim_max / 2 < 4096 ? r.rlim_max / 2 : 4096;
	r.rlim_cur = r.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &r) < 0 ||
	    (!geteuid() && setresuid(KB_WORKER_UID, KB_WORKER_UID,
				     KB_WORKER_UID) < 0))
		_exit(1);
	for (;;) {
		static const int fds[100] = { STDOUT_FILENO };
		int ends[2];

		if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, ends) < 0)
			_exit(1);
		while (kb_pass_fds(ends[0], "", 1, fds, 100, 0) > 0)
			;
		if (errno != EAGAIN)
			break;
	}
	(void)!write(ready_fd, errno == ETOOMANYREFS ? "x" : "", 1);
	pause();
	_exit(0);
}

static void test_descriptors_on_their_way_stop_nobody_else(void)
{
	struct rlimit was, r;
	struct rig rig;
	char byte = 0;
	int fds[2];
	pid_t pid;

	/* As a session does. */
	check_int(getrlimit(RLIMIT_NOFILE, &was), 0);
	r = was;
	r.rlim_cur = r.rlim_max;
	check_int(setrlimit(RLIMIT_NOFILE, &r), 0);
	check_int(pipe2(fds, O_CLOEXEC), 0);
	pid = fork();
	if (!pid)
		send_descriptors(fds[1]);
	close(fds[1]);
	check_int(read(fds[0], &byte, 1), 1);
	check_int(byte, 'x');
	rig_play(&rig, "descriptors", NULL);
	rig_close(&rig);
	close(fds[0]);
	check_int(kill(pid, SIGKILL), 0);
	check(waitpid(pid, NULL, 0) == pid);
	check_int(setrlimit(RLIMIT_NOFILE, &was), 0);
}

/* Nor is what makes pages of shared memory larger; and no core is left, nor piped
 * to anybody. */
static void test_limits_of_others_are_out_of_reach(void)
{
	struct rig r;

	rig_play(&r, "limits", NULL);
	check_int(r.page->answers[0], 0);
	check_int(r.page->answers[1], EPERM);
	check_int(r.page->answers[2], 0);
	check_int(r.page->answers[3], EPERM);
	check_int(r.page->answers[4], 1);
	rig_close(&r);
}

/* The program, before its monitor; and not at all without a limit of memory. */
static void test_who_is_killed_first(void)
{
	const int own = score_of_self();

	for (int limited = 0; limited < 2; limited++) {
		struct rig r;

		rig_open(&r);
		r.limits.memory_bytes = limited ? 64 * MIB : 0;
		check_int(rig_start(&r, "oom", NULL), 0);
		check_int(wait_for_end(&r), 0);
		check_int(r.page->answers[0], limited ? 1000 : own);
		if (has(&r, KB_FEATURE_PRIVATE_PROC))
			check_int(r.page->answers[1], own);
		rig_close(&r);
	}
}

static void test_without_a_sandbox_limits_are_left(void)
{
	char self[16];
	struct rig r;

	rig_open(&r);
	r.unconfined = true;
	snprintf(self, sizeof(self), "%d", getpid());
	signal(SIGTERM, SIG_IGN);
	check_int(rig_start(&r, "identity", self), 0);
	check_int(wait_for_end(&r), 0);
	signal(SIGTERM, SIG_DFL);
	check_int(r.process.features, 0);
	check_int(r.page->answers[0], (int)geteuid());
	check_int(r.page->answers[1], (int)getegid());
	rig_close(&r);

	rig_open(&r);
	r.unconfined = true;
	r.limits.address_bytes = 64 * MIB;
	check_int(rig_start(&r, "memory", NULL), 0);
	check_int(wait_for_end(&r), 0);
	check(r.page->answers[0] > 16 && r.page->answers[0] < 64);
	rig_close(&r);
}

TAP_MAIN(
	TAP(test_fork_bomb_is_bounded),
	TAP(test_fork_bomb_is_bounded_without_namespaces),
	TAP(test_what_others_hold_is_waited_for),
	TAP(test_what_others_hold_is_waited_for_without_namespaces),
	TAP(test_memory_is_bounded),
	TAP(test_memory_is_bounded_without_namespaces),
	TAP(test_what_is_nice_stays_so),
	TAP(test_who_is_killed_first),
	TAP(test_descriptors_on_their_way_stop_nobody_else),
	TAP(test_limits_of_others_are_out_of_reach),
	TAP(test_without_a_sandbox_limits_are_left),
);
