/* Takes all of WHAT, of which the kernel keeps account for somebody, and then
 * does what it was asked for. What it does not give back goes with it. */

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

static void *wait_for_ever(void *unused)
{
	for (;;)
		pause();
	return unused;
}

static void take_threads(void)
{
	pthread_attr_t small;
	pthread_t thread;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 64 << 10);
	for (int i = 0; i < 8192; i++)
		if (pthread_create(&thread, &small, wait_for_ever, NULL))
			break;
}

/* What is in a pipe is memory that no process has mapped. */
static void take_pipes(void)
{
	static char block[64 << 10];
	int fds[2];

	while (!pipe2(fds, O_NONBLOCK))
		while (write(fds[1], block, sizeof(block)) > 0)
			;
}

static void take_sockets(void)
{
	static char block[4 << 10];
	int fds[2];

	while (!socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, fds))
		while (send(fds[1], block, sizeof(block), 0) > 0)
			;
}

static void take_timers(void)
{
	const struct itimerspec soon = { { 0, 1000000 }, { 0, 1000000 } };
	int fd;

	while ((fd = timerfd_create(CLOCK_MONOTONIC, 0)) >= 0)
		timerfd_settime(fd, 0, &soon, NULL);
}

static void take_events(void)
{
	struct epoll_event e = { .events = EPOLLIN };
	int poll = epoll_create1(0), fd;

	for (int i = 0; i < 200; i++)
		inotify_add_watch(inotify_init1(0), ".", IN_ALL_EVENTS);
	while ((fd = eventfd(0, 0)) >= 0)
		epoll_ctl(poll, EPOLL_CTL_ADD, fd, &e);
}

static void take_one_file(void)
{
	static char block[1 << 20];
	int fd = open("large", O_WRONLY | O_CREAT, 0600);

	signal(SIGXFSZ, SIG_IGN);
	for (int i = 0; i < 4096; i++)
		if (write(fd, block, sizeof(block)) < 0)
			break;
}

static void take_locks(void)
{
	for (;;) {
		char *p = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (p == MAP_FAILED || mlock(p, 1 << 20) < 0)
			break;
	}
}

/* One after the other, each gone before the next. */
static void take_programs(void)
{
	for (int i = 0; i < 300; i++) {
		const pid_t pid = vfork();

		if (!pid) {
			execl("/bin/true", "true", NULL);
			_exit(1);
		}
		if (pid < 0)
			break;
		waitpid(pid, NULL, 0);
	}
}

static void *spin(void *unused)
{
	for (volatile int i = 0;; i++)
		;
	return unused;
}

/* They run whenever it does. */
static void take_cores(void)
{
	pthread_t thread;

	for (int i = 0; i < 16; i++)
		pthread_create(&thread, NULL, spin, NULL);
}

/* Its thread waits for it and cannot be stopped meanwhile. */
static void *wait_for_child(void *unused)
{
	if (!vfork())
		for (;;)
			pause();
	return unused;
}

static void leave_vforked(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, wait_for_child, NULL);
	usleep(100000);
}

int kb_forward(const struct kb_native_call *call)
{
	if (is_the_time())
		WHAT();
	product(call);
	return KB_NATIVE_OK;
}
