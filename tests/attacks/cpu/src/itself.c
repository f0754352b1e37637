/* The process does WHAT, by name, to itself, to its channel or to its log, in its
 * fifth call. */

#include <linux/seccomp.h>
#include <linux/filter.h>
#include <sched.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>

static void set_option(int option, int value)
{
	setsockopt(3, SOL_SOCKET, option, &value, sizeof(value));
}

static void send_to_itself(int signal)
{
	kill(getpid(), signal);
}

static void signal_33(void)
{
	send_to_itself(33);
}

static void last_signal(void)
{
	send_to_itself(64);
}

static void stop_itself(void)
{
	send_to_itself(SIGSTOP);
}

static void stop_by_terminal(void)
{
	send_to_itself(SIGTTIN);
}

static void signal_of_processor(void)
{
	send_to_itself(SIGXCPU);
}

static void no_processor_time(void)
{
	struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_CPU, &none);
}

static void no_descriptors(void)
{
	struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_NOFILE, &none);
}

static void no_file_size(void)
{
	struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_FSIZE, &none);
	signal(SIGXFSZ, SIG_IGN);
}

static void another_program(void)
{
	execl("/bin/true", "true", (char *)0);
}

static void another_name(void)
{
	prctl(PR_SET_NAME, ") T 1 1 1");
}

static void name_of_a_line(void)
{
	prctl(PR_SET_NAME, "a\n) R (b");
}

static void small_buffers(void)
{
	set_option(SO_RCVBUF, 1);
	set_option(SO_SNDBUF, 1);
}

static void peeking(void)
{
	set_option(SO_PEEK_OFF, 0);
}

static void low_water(void)
{
	set_option(SO_RCVLOWAT, 1 << 30);
}

static void credentials(void)
{
	set_option(SO_PASSCRED, 1);
}

static void never_blocks(void)
{
	for (int fd = 0; fd < 4; fd++)
		fcntl(fd, F_SETFL, O_NONBLOCK | O_ASYNC);
}

static void owner_of_signals(void)
{
	for (int fd = 0; fd < 4; fd++) {
		fcntl(fd, F_SETOWN, -getppid());
		fcntl(fd, F_SETSIG, SIGKILL);
		fcntl(fd, F_SETFL, O_ASYNC);
	}
}

static void small_pipe(void)
{
	fcntl(1, F_SETPIPE_SZ, 4096);
	fcntl(2, F_SETPIPE_SZ, 1 << 30);
}

static void reads_its_log(void)
{
	static char room[4096];
	const int fd = open("/proc/self/fd/1", O_RDONLY | O_NONBLOCK);

	for (int i = 0; i < 100; i++)
		(void)!read(fd, room, sizeof(room));
}

static void closes_its_log(void)
{
	close(1);
	close(2);
}

static void replaces_channel(void)
{
	dup2(0, 3);
}

static void swaps_channel(void)
{
	int pair[2];

	if (!socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair))
		dup2(pair[0], 3);
}

static void own_filter(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 38),
	};
	struct sock_fprog program = { 1, code };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static void strict_mode(void)
{
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
}

static void parents_death(void)
{
	prctl(PR_SET_PDEATHSIG, SIGUSR1);
}

static void subreaper(void)
{
	prctl(PR_SET_CHILD_SUBREAPER, 1);
}

static void not_dumpable(void)
{
	prctl(PR_SET_DUMPABLE, 0);
}

static void traces_itself(void)
{
	ptrace(PTRACE_TRACEME, 0, 0, 0);
}

static void own_group(void)
{
	setsid();
	setpgid(0, 0);
}

static void idle_class(void)
{
	struct sched_param p = { 0 };

	sched_setscheduler(0, SCHED_IDLE, &p);
	setpriority(PRIO_PROCESS, 0, 19);
}

static void real_time(void)
{
	struct sched_param p = { 50 };

	sched_setscheduler(0, SCHED_FIFO, &p);
}

static void old_personality(void)
{
	personality(0x0040000 | 0x0400000);
}

static void locks_itself(void)
{
	mlockall(7);
}

static void masks_signals(void)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, 0);
}

static void oom_score(void)
{
	const int fd = open("/proc/self/oom_score_adj", O_WRONLY);

	(void)!write(fd, "-1000", 5);
	close(fd);
}

static void long_stack(void)
{
	volatile char room[1 << 20];

	room[0] = 1;
	long_stack();
	room[1] = 2;
}

static void own_stack_handler(void)
{
	signal(SIGSEGV, SIG_IGN);
	*(volatile int *)0 = 1;
}

static void clears_environment(void)
{
	extern char **environ;

	environ = 0;
}

int kb_forward(const struct kb_native_call *call)
{
	product(call);
	if (is_the_time())
		WHAT();
	return KB_NATIVE_OK;
}
