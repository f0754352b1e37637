/*
 * tricks NAME [ARGUMENT]: what a program that does not want to be watched
 * could try. It shares struct tricks_page with u-process.c and leaves there
 * what came of it: 0 for what worked, else errno.
 */

#include "workers/tricks.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <mqueue.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

static struct tricks_page *page;
static const char *argument;

static void ready(void)
{
	__atomic_store_n(&page->ready, 1, __ATOMIC_RELEASE);
}

/* A raw result as an answer. */
static int answer_of(long ret)
{
	return ret < 0 ? errno : 0;
}

static void __attribute__((noreturn)) count_on(int i)
{
	for (;;)
		__atomic_fetch_add(&page->counters[i], 1, __ATOMIC_RELAXED);
}

static void *counting_thread(void *index)
{
	count_on((int)(intptr_t)index);
	return NULL;
}

static void start_thread(int i)
{
	pthread_t t;

	if (pthread_create(&t, NULL, counting_thread, (void *)(intptr_t)i))
		abort();
}

/* Three threads that never sleep. */
static int trick_count(void)
{
	start_thread(1);
	start_thread(2);
	ready();
	count_on(0);
}

static int trick_exit(void)
{
	return atoi(argument);
}

static int trick_signal(void)
{
	raise(atoi(argument));
	return 0;
}

static int trick_ignore(void)
{
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_IGN);
	ready();
	count_on(0);
}

/* Processes that try to be out of reach: a child, one in a session of its
 * own, and one whose parent is gone as well. */
static void start_daemons(void)
{
	if (!fork())
		count_on(1);
	if (!fork()) {
		setsid();
		count_on(2);
	}
	if (!fork()) {
		setsid();
		signal(SIGHUP, SIG_IGN);
		if (!fork())
			count_on(3);
		_exit(0);
	}
}

static int trick_daemons(void)
{
	start_daemons();
	ready();
	count_on(0);
}

static int trick_leave_daemons(void)
{
	start_daemons();
	return 5;
}

#define BURN_NS 100000000

static void burn(int i)
{
	struct timespec t;

	do
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	while (t.tv_sec == 0 && t.tv_nsec < BURN_NS);
	__atomic_store_n(&page->counters[i], 1, __ATOMIC_RELEASE);
}

/* A tenth of a second of a processor, and the same in a process whose parent is
 * gone. Then both wait, or with "leave" the second alone. */
static int trick_burn(void)
{
	pid_t pid = fork();

	if (!pid && !fork()) {
		burn(1);
		for (;;)
			pause();
	}
	if (!pid)
		_exit(0);
	burn(0);
	while (!__atomic_load_n(&page->counters[1], __ATOMIC_ACQUIRE))
		usleep(1000);
	ready();
	while (!argument || strcmp(argument, "leave"))
		pause();
	return 0;
}

/* As many processes as there can be: how many, and what stopped it. */
static int trick_bomb(void)
{
	int count = 0;

	while (count < 1000) {
		pid_t pid = fork();

		if (!pid)
			for (;;)
				pause();
		if (pid < 0)
			break;
		count++;
	}
	page->answers[0] = count;
	page->answers[1] = count < 1000 ? errno : 0;
	return 0;
}

/* The same, for a second. */
static int trick_hold(void)
{
	trick_bomb();
	ready();
	sleep(1);
	signal(SIGTERM, SIG_IGN);
	kill(0, SIGTERM);
	while (wait(NULL) > 0)
		;
	return 0;
}

/* How nice it is, and whether it may be less so. */
/* One of its processors alone, or as many as before? */
static void play_processors(void)
{
	cpu_set_t all, one;
	int first = 0;

	if (sched_getaffinity(0, sizeof(all), &all) < 0)
		return;
	while (!CPU_ISSET(first, &all))
		first++;
	CPU_ZERO(&one);
	CPU_SET(first, &one);
	page->answers[2] = CPU_COUNT(&all);
	page->answers[3] = answer_of(sched_setaffinity(0, sizeof(one), &one));
	(void)sched_getaffinity(0, sizeof(all), &all);
	page->answers[4] = CPU_COUNT(&all);
}

static int trick_nice(void)
{
	page->answers[0] = getpriority(PRIO_PROCESS, 0);
	page->answers[1] = answer_of(setpriority(PRIO_PROCESS, 0,
						 page->answers[0] - 1));
	play_processors();
	return 0;
}

/* As much memory as there is, in MiB; it is never touched. */
static int trick_memory(void)
{
	const size_t mib = (size_t)1 << 20;

	while (page->answers[0] < 1 << 20 &&
	       mmap(NULL, mib, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
		page->answers[0]++;
	return 0;
}

static int try_create(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static int try_below(const char *root, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	return try_create(path);
}

/* Here, beside the working directory, and, by the name that is given, where others
 * leave files. */
static int trick_files(void)
{
	page->answers[0] = try_create("mine");
	page->answers[1] = try_create("../beside");
	page->answers[2] = try_below("/var/tmp", argument);
	page->answers[3] = try_below("/dev/shm", argument);
	page->answers[4] = chdir("..") < 0 ? errno : try_create("beside");
	return 0;
}

static int trick_tmp(void)
{
	char path[256];

	page->answers[0] = try_create("here");
	page->answers[1] = access("/tmp/here", F_OK) < 0 ? errno : 0;
	page->answers[2] = try_below(argument, "code/new");
	page->answers[3] = try_below(argument, "secret/new");
	page->answers[4] = try_below(argument, "new");
	snprintf(path, sizeof(path), "%s/work/here", argument);
	page->answers[5] = access(path, F_OK) < 0 ? errno : 0;
	return 0;
}

/* How much there is to be read of what should have no end. */
static int trick_zero(void)
{
	char byte;
	int fd = open("/dev/zero", O_RDONLY);

	page->answers[0] = fd < 0 ? -errno : (int32_t)read(fd, &byte, 1);
	return 0;
}

static int try_socket(int family, int type)
{
	return answer_of(socket(family, type, 0));
}

static int try_connect(const char *abstract_name)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	size_t len = strlen(abstract_name);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	memcpy(a.sun_path + 1, abstract_name, len);
	return answer_of(connect(fd, (struct sockaddr *)&a,
				 (socklen_t)(offsetof(struct sockaddr_un,
						      sun_path) + 1 + len)));
}

static int trick_network(void)
{
	page->answers[0] = try_socket(AF_INET, SOCK_STREAM);
	page->answers[1] = try_socket(AF_INET6, SOCK_DGRAM);
	page->answers[2] = try_socket(AF_PACKET, SOCK_RAW);
	page->answers[3] = try_socket(AF_UNIX, SOCK_STREAM);
	page->answers[4] = try_connect(argument);
	return 0;
}

static int try_tcp(uint32_t address)
{
	struct sockaddr_in a = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(address),
	};
	socklen_t len = sizeof(a);
	int server = socket(AF_INET, SOCK_STREAM, 0);
	int client = socket(AF_INET, SOCK_STREAM, 0);
	int answer = 0;

	if (server < 0 || client < 0)
		answer = errno;
	else if (address == INADDR_LOOPBACK &&
	    (bind(server, (struct sockaddr *)&a, sizeof(a)) < 0 ||
	     listen(server, 1) < 0 ||
	     getsockname(server, (struct sockaddr *)&a, &len) < 0))
		answer = errno;
	else if (connect(client, (struct sockaddr *)&a, sizeof(a)) < 0)
		answer = errno;
	close(server);
	close(client);
	return answer;
}

static int trick_loopback(void)
{
	page->answers[0] = try_tcp(INADDR_LOOPBACK);
	page->answers[1] = try_tcp(0xc0000201);	/* 192.0.2.1, RFC 5737 */
	page->answers[2] = try_socket(AF_INET6, SOCK_STREAM);
	page->answers[3] = try_socket(AF_PACKET, SOCK_RAW);
	page->answers[4] = answer_of(socket(AF_INET, SOCK_STREAM, IPPROTO_SCTP));
	/* Of SCTP and of DCCP, by type. */
	page->answers[5] = try_socket(AF_INET, SOCK_SEQPACKET);
	page->answers[6] = try_socket(AF_INET, SOCK_DCCP);
	page->answers[7] = try_socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC);
	return 0;
}

static int try_setsig(void)
{
	return answer_of(fcntl(STDIN_FILENO, F_SETSIG, SIGCONT));
}

static int try_timer(void)
{
	struct sigevent e = {
		.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT,
	};
	timer_t t;

	return answer_of(syscall(SYS_timer_create, CLOCK_MONOTONIC, &e, &t));
}

static int try_message_queue(void)
{
	struct sigevent e = {
		.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT,
	};

	return answer_of(syscall(SYS_mq_notify, 0, &e));
}

static int try_clone(void)
{
	long pid = syscall(SYS_clone, SIGCONT, NULL, NULL, NULL, NULL);

	if (!pid)
		_exit(0);
	return answer_of(pid);
}

static int try_clone3(void)
{
	struct clone_args args = { .exit_signal = SIGCONT };
	long pid = syscall(435, &args, sizeof(args));

	if (!pid)
		_exit(0);
	return answer_of(pid);
}

/* A terminal that hangs up sends SIGCONT to its session's leader. */
static int try_terminal(void)
{
	int fd = open("/dev/ptmx", O_RDWR | O_NOCTTY), unlock = 0;

	if (fd < 0)
		return errno;
	return answer_of(ioctl(fd, TIOCSPTLCK, &unlock));
}

static int trick_sigcont(void)
{
	const pid_t pid = getpid(), tid = gettid();
	siginfo_t info = { .si_code = SI_QUEUE };
	int32_t *a = page->answers;

	a[TRICKS_KILL] = answer_of(kill(pid, SIGCONT));
	a[TRICKS_TKILL] = answer_of(syscall(SYS_tkill, tid, SIGCONT));
	a[TRICKS_TGKILL] = answer_of(syscall(SYS_tgkill, pid, tid, SIGCONT));
	a[TRICKS_SIGQUEUE] = answer_of(
		syscall(SYS_rt_sigqueueinfo, pid, SIGCONT, &info));
	a[TRICKS_TGSIGQUEUE] = answer_of(
		syscall(SYS_rt_tgsigqueueinfo, pid, tid, SIGCONT, &info));
	a[TRICKS_PIDFD] = answer_of(
		syscall(SYS_pidfd_send_signal, syscall(SYS_pidfd_open, pid, 0),
			SIGCONT, NULL, 0));
	a[TRICKS_TIMER] = try_timer();
	a[TRICKS_SETSIG] = try_setsig();
	a[TRICKS_PDEATHSIG] = answer_of(prctl(PR_SET_PDEATHSIG, SIGCONT));
	a[TRICKS_CLONE] = try_clone();
	a[TRICKS_CLONE3] = try_clone3();
	a[TRICKS_MESSAGE_QUEUE] = try_message_queue();
	a[TRICKS_TERMINAL] = try_terminal();
	return 0;
}

/* The lowest bits of the open descriptors, and how many there are above. */
static int trick_descriptors(void)
{
	for (int fd = 0; fd < 4096; fd++) {
		if (fcntl(fd, F_GETFD) < 0)
			continue;
		if (fd < 8)
			page->answers[0] |= 1 << fd;
		else
			page->answers[1]++;
	}
	return 0;
}

/* Ways to have memory stored to later, by the kernel. */
static int trick_later(void)
{
	uint64_t context = 0;
	uint64_t io_uring[15] = { 0 };

	page->answers[0] = answer_of(syscall(SYS_io_setup, 8, &context));
	page->answers[1] = answer_of(syscall(SYS_io_submit, 0, 0, NULL));
	page->answers[2] = answer_of(syscall(425, 8, io_uring));
	return 0;
}

#define PIECES 1024
#define PIECE_BYTES ((size_t)1 << 19)

/*
 * A child that is nearly always within one system call, of some tenths of a
 * second, that makes zeros of a counter over and over.
 */
static void __attribute__((noreturn)) store_on(void)
{
	const size_t bytes = PIECES * PIECE_BYTES;
	char *nothing = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE |
			     MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	char *waste = mmap(NULL, PIECE_BYTES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = open("/proc/self/mem", O_RDONLY);
	struct iovec v[PIECES];

	if (nothing == MAP_FAILED || waste == MAP_FAILED || fd < 0)
		abort();
	for (int i = 0; i < PIECES; i += 2) {
		v[i] = (struct iovec){ waste, PIECE_BYTES };
		v[i + 1] = (struct iovec){ &page->counters[1],
					   sizeof(page->counters[1]) };
	}
	for (;;) {
		__atomic_fetch_add(&page->counters[2], 1, __ATOMIC_RELAXED);
		if (preadv(fd, v, PIECES, (off_t)(uintptr_t)nothing) < 0)
			abort();
	}
}

static int trick_long_store(void)
{
	if (!fork())
		store_on();
	while (!__atomic_load_n(&page->counters[2], __ATOMIC_RELAXED))
		;
	ready();
	count_on(0);
}

/* Each call that the argument names by number, without arguments: the first that
 * is not refused, and how many are; and one that is in no table. */
static int trick_refused(void)
{
	for (const char *p = argument; p && *p; p = strchr(p, ',')) {
		const long number = strtol(p + (*p == ','), NULL, 10);

		if (syscall(number, 0, 0, 0, 0, 0, 0) != -1 || errno != EPERM) {
			page->answers[0] = (int32_t)number;
			break;
		}
		page->answers[1]++;
		p += *p == ',';
	}
	page->answers[2] = answer_of(syscall(100000));
	return 0;
}

/* Limits of this process, and the same of one that has a number. */
static int trick_limits(void)
{
	struct rlimit limit;

	page->answers[0] = answer_of(prlimit(0, RLIMIT_CORE, NULL, &limit));
	page->answers[4] = (int32_t)limit.rlim_max;
	page->answers[1] = answer_of(prlimit(getpid(), RLIMIT_CORE, NULL,
					     &limit));
	page->answers[2] = answer_of(madvise(page, sizeof(*page),
					     MADV_NORMAL));
	page->answers[3] = answer_of(madvise(page, sizeof(*page),
					     25 /* MADV_COLLAPSE */));
	return 0;
}

static int score_of(const char *path)
{
	FILE *f = fopen(path, "r");
	int score = -1;

	if (f && fscanf(f, "%d", &score) != 1)
		score = -1;
	if (f)
		fclose(f);
	return score;
}

/* Who is killed first if memory runs out. The monitor takes its own score back beside
 * us, when it has started us. */
static int trick_oom(void)
{
	page->answers[0] = score_of("/proc/self/oom_score_adj");
	for (int i = 0; i < 2000; i++) {
		page->answers[1] = score_of("/proc/1/oom_score_adj");
		if (page->answers[1] != 1000)
			break;
		usleep(1000);
	}
	return 0;
}

/* How much of the command line of the first process is there to be read. */
static int trick_cmdline(void)
{
	char text[4096];
	FILE *f = fopen("/proc/1/cmdline", "r");
	const size_t n = f ? fread(text, 1, sizeof(text), f) : 0;

	page->answers[0] = !f;
	for (size_t i = 0; i < n; i++)
		page->answers[1] += !!text[i];
	return 0;
}

/* As the kernel has it: glibc tells nothing of two signals. */
static int is_ignored(int sig)
{
	uint64_t action[8] = { 0 };

	return !syscall(SYS_rt_sigaction, sig, NULL, action, (NSIG - 1) / 8) &&
	       action[0] == (uintptr_t)SIG_IGN;
}

/* Who we are; whether the process that the argument names can be seen; how many
 * signals are ignored. */
static int trick_identity(void)
{
	char cwd[4096];

	page->answers[0] = (int32_t)getuid();
	page->answers[1] = (int32_t)getgid();
	page->answers[2] = getgroups(0, NULL);
	page->answers[3] = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
	page->answers[4] = kill(atoi(argument), 0) < 0 ? errno : 0;
	page->answers[5] = getpgrp() == getpid();
	page->answers[6] = signal(SIGTERM, SIG_DFL) == SIG_DFL;
	page->answers[7] = getcwd(cwd, sizeof(cwd)) && getenv("WORK") &&
			   !strcmp(cwd, getenv("WORK"));
	page->answers[8] = setuid(0) < 0 ? errno : 0;
	page->answers[9] = 0;
	for (int sig = 1; sig < NSIG; sig++)
		page->answers[9] += is_ignored(sig);
	return 0;
}

static void *vforking_thread(void *unused)
{
	if (!vfork())
		for (;;)
			pause();
	return unused;
}

/* A thread that waits for its vfork child does not stop when told to. */
static int trick_vfork(void)
{
	pthread_t t;

	if (pthread_create(&t, NULL, vforking_thread, NULL))
		abort();
	usleep(50 * 1000);
	ready();
	count_on(0);
}

/* The same, but the child goes on to another program, as it should. */
static int trick_vfork_exec(void)
{
	ready();
	for (;;) {
		__atomic_fetch_add(&page->counters[0], 1, __ATOMIC_RELAXED);
		if (!vfork()) {
			execl("/bin/true", "true", (char *)NULL);
			_exit(127);
		}
	}
}

static int trick_stop(void)
{
	ready();
	raise(SIGSTOP);
	count_on(0);
}

static const struct {
	const char *name;
	int (*play)(void);
} tricks[] = {
	{ "bomb", trick_bomb },
	{ "burn", trick_burn },
	{ "cmdline", trick_cmdline },
	{ "hold", trick_hold },
	{ "count", trick_count },
	{ "daemons", trick_daemons },
	{ "descriptors", trick_descriptors },
	{ "exit", trick_exit },
	{ "files", trick_files },
	{ "tmp", trick_tmp },
	{ "zero", trick_zero },
	{ "identity", trick_identity },
	{ "ignore", trick_ignore },
	{ "later", trick_later },
	{ "refused", trick_refused },
	{ "leave-daemons", trick_leave_daemons },
	{ "limits", trick_limits },
	{ "long-store", trick_long_store },
	{ "loopback", trick_loopback },
	{ "memory", trick_memory },
	{ "nice", trick_nice },
	{ "oom", trick_oom },
	{ "network", trick_network },
	{ "sigcont", trick_sigcont },
	{ "signal", trick_signal },
	{ "stop", trick_stop },
	{ "vfork", trick_vfork },
	{ "vfork-exec", trick_vfork_exec },
};

int main(int argc, char *argv[])
{
	if (argc < 2)
		return 99;
	argument = argc > 2 ? argv[2] : "";
	page = mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE, MAP_SHARED, 3,
		    0);
	if (page == MAP_FAILED)
		return 98;
	for (size_t i = 0; i < ARRAY_LEN(tricks); i++)
		if (!strcmp(tricks[i].name, argv[1]))
			return tricks[i].play();
	return 97;
}
