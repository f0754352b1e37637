/*
 * device DIRECTORY COMMAND [ARGUMENT...]: run COMMAND on a machine with a
 * GPU that is this process. DIRECTORY holds libcuda.so.1 and becomes the
 * first entry of LD_LIBRARY_PATH; the status is that of COMMAND.
 *
 * There is one thread. It takes requests (wire.h), each of which is a
 * change of the memory map, or goes into a stream's queue, or has to wait
 * for queues; and it takes from each queue what can be done. So kernels run
 * one after the other, while a stream that waits holds up nobody else.
 *
 * Not like a GPU: there is no speed and no cache, and the clock of events
 * stands still while there is nothing to do; one process's kernels can
 * reach another's memory, if they guess where that is; a copy stays within
 * one mapping; of registered host memory the device reaches only the words
 * that streams wait for and write; copies from ordinary memory never wait
 * for the device; and there are no graphs, priorities or per-thread streams,
 * nor any function that neither cuda/cuda_api.h nor more.h names.
 */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "fake-cuda/device.h"

#define CLIENTS_MAX 64
#define MEMORY_MIB 2048

static struct client *clients[CLIENTS_MAX];

/* --- requests -------------------------------------------------------- */

static int init(struct client *c, int *fd)
{
	if (c->stage)
		return FAKE_INVALID_VALUE;
	*fd = memfd_create("fake-cuda-stage", MFD_CLOEXEC);
	if (*fd < 0 || ftruncate(*fd, FAKE_STAGE_BYTES) < 0)
		KB_BUG("cannot make a memory file");
	c->stage = mmap(NULL, FAKE_STAGE_BYTES, PROT_READ | PROT_WRITE,
			MAP_SHARED, *fd, 0);
	if (c->stage == MAP_FAILED)
		KB_BUG("cannot map memory");
	streams_init(c);
	return FAKE_OK;
}

static int answer(struct client *c, struct fake_reply *reply, int *fd)
{
	int ret;

	if (c->r.op == FAKE_INIT)
		return init(c, fd);
	ret = memory_answer(c, reply, fd);
	return ret == NOT_ABOUT_MEMORY ? streams_answer(c, reply) : ret;
}

static void send_reply(const struct client *c, const struct fake_reply *reply,
		       int fd)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = { .bytes = { 0 } };
	struct fake_reply copy = *reply;
	struct iovec iov = { .iov_base = &copy, .iov_len = sizeof(copy) };
	struct msghdr m = { .msg_iov = &iov, .msg_iovlen = 1 };

	if (fd >= 0) {
		struct cmsghdr *h = &control.align;

		m.msg_control = control.bytes;
		m.msg_controllen = sizeof(control.bytes);
		h->cmsg_level = SOL_SOCKET;
		h->cmsg_type = SCM_RIGHTS;
		h->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(h), &fd, sizeof(fd));
	}
	/* A client that is gone is found out by poll(). */
	(void)sendmsg(c->fd, &m, MSG_NOSIGNAL);
}

/* Answer, unless that has to wait. */
static void try_answer(struct client *c)
{
	struct fake_reply reply = { .result = c->error };
	int fd = -1;

	if (!reply.result)
		reply.result = answer(c, &reply, &fd);
	c->held = reply.result == LATER;
	if (c->held)
		return;
	send_reply(c, &reply, fd);
	if (c->r.op == FAKE_INIT && fd >= 0)
		close(fd);
	if (c->r_fd >= 0)
		close(c->r_fd);
	c->r_fd = -1;
}

/* --- clients --------------------------------------------------------- */

static void accept_client(int listener)
{
	int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	struct ucred who;
	socklen_t len = sizeof(who);
	size_t k = 0;

	while (k < CLIENTS_MAX && clients[k])
		k++;
	if (fd < 0 || k == CLIENTS_MAX ||
	    getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &len) < 0)
		KB_BUG("cannot take one more client");
	clients[k] = kb_xcalloc(1, sizeof(*clients[k]));
	*clients[k] = (struct client){
		.fd = fd, .pid = who.pid, .memory_fd = -1, .r_fd = -1,
	};
}

static void remove_client(size_t k)
{
	struct client *c = clients[k];

	streams_release(c);
	memory_release(c);
	if (c->stage)
		munmap(c->stage, FAKE_STAGE_BYTES);
	if (c->r_fd >= 0)
		close(c->r_fd);
	close(c->fd);
	free(c);
	clients[k] = NULL;
}

/* False when the client is gone. */
static bool take_request(struct client *c)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control;
	struct iovec iov = { .iov_base = &c->r, .iov_len = sizeof(c->r) };
	struct msghdr m = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};

	if (recvmsg(c->fd, &m, MSG_CMSG_CLOEXEC | MSG_DONTWAIT) !=
	    sizeof(c->r))
		return false;
	if (CMSG_FIRSTHDR(&m))
		memcpy(&c->r_fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(int));
	try_answer(c);
	return true;
}

static int64_t least_wait_ns(void)
{
	int64_t least_ns = INT64_MAX;

	for (size_t k = 0; k < CLIENTS_MAX; k++) {
		const int64_t ns = clients[k] ? streams_wait_ns(clients[k])
					      : INT64_MAX;

		least_ns = ns < least_ns ? ns : least_ns;
	}
	return least_ns;
}

static bool advance_all(void)
{
	bool any = false;

	for (size_t k = 0; k < CLIENTS_MAX; k++)
		if (clients[k])
			any |= streams_advance(clients[k]);
	return any;
}

/* --- the machine ----------------------------------------------------- */

static int listen_in(const char *directory)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s/%s",
		 directory, FAKE_SOCKET);
	unlink(address.sun_path);
	/* Workers are another user's. */
	if (fd < 0 ||
	    bind(fd, (const struct sockaddr *)&address, sizeof(address)) < 0 ||
	    chmod(address.sun_path, 0666) < 0 || listen(fd, CLIENTS_MAX) < 0) {
		perror(address.sun_path);
		exit(4);
	}
	return fd;
}

/* As a session does: a worker of its user may have as many descriptors on their way
 * as workers may, and then who may have no more sends none. */
static void raise_limit_of_files(void)
{
	struct rlimit r;

	if (!getrlimit(RLIMIT_NOFILE, &r)) {
		r.rlim_cur = r.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &r);
	}
}

static pid_t start(const char *directory, char **argv)
{
	const char *had = getenv("LD_LIBRARY_PATH");
	char *path = had ? kb_xasprintf("%s:%s", directory, had)
			 : kb_xasprintf("%s", directory);
	pid_t pid = fork();

	if (!pid) {
		sigset_t none;

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		setenv("LD_LIBRARY_PATH", path, 1);
		execvp(argv[0], argv);
		perror(argv[0]);
		_exit(127);
	}
	free(path);
	return pid;
}

/* One round; false when the command has ended. */
static bool serve(int listener, int signals, bool busy)
{
	const int64_t wait_ns = busy ? 0 : least_wait_ns();
	const struct timespec pause = {
		.tv_sec = wait_ns / KB_NS_PER_S,
		.tv_nsec = wait_ns % KB_NS_PER_S,
	};
	struct pollfd fds[CLIENTS_MAX + 2];

	fds[0] = (struct pollfd){ .fd = listener, .events = POLLIN };
	fds[1] = (struct pollfd){ .fd = signals, .events = POLLIN };
	/* A client whose request is held is only asked whether it lives. */
	for (size_t k = 0; k < CLIENTS_MAX; k++)
		fds[k + 2] = (struct pollfd){
			.fd = clients[k] ? clients[k]->fd : -1,
			.events = clients[k] && !clients[k]->held ? POLLIN : 0,
		};
	if (ppoll(fds, CLIENTS_MAX + 2, wait_ns < INT64_MAX ? &pause : NULL,
		  NULL) < 0 && errno != EINTR)
		KB_BUG("cannot wait");
	for (size_t k = 0; k < CLIENTS_MAX; k++)
		if (fds[k + 2].revents && !take_request(clients[k]))
			remove_client(k);
	if (fds[0].revents)
		accept_client(listener);
	return !fds[1].revents;
}

int main(int argc, char **argv)
{
	const char *mib = getenv("KB_FAKE_CUDA_MEMORY_MIB");
	const char *leak_mib = getenv("KB_FAKE_CUDA_LEAK_MIB");
	const char *leak_ms = getenv("KB_FAKE_CUDA_LEAK_MS");
	int listener, signals, status;
	bool busy = false;
	/* A command that is stopped has not ended. */
	const struct sigaction of_ends = {
		.sa_handler = SIG_DFL, .sa_flags = SA_NOCLDSTOP,
	};
	sigset_t child;
	pid_t pid;

	if (argc < 3) {
		fprintf(stderr, "usage: device DIRECTORY COMMAND [ARGUMENT...]\n");
		return 4;
	}
	memory_limit((mib ? strtoull(mib, NULL, 10) : MEMORY_MIB) << 20);
	memory_leak((leak_mib ? strtoull(leak_mib, NULL, 10) : 0) << 20,
		    (leak_ms ? strtoll(leak_ms, NULL, 10) : 0) * KB_NS_PER_MS);
	raise_limit_of_files();
	streams_catch_faults();
	prctl(PR_SET_TIMERSLACK, 1);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	(void)sigaction(SIGCHLD, &of_ends, NULL);	/* it exists */
	signals = signalfd(-1, &child, SFD_CLOEXEC);
	listener = listen_in(argv[1]);
	pid = start(argv[1], argv + 2);

	while (serve(listener, signals, busy)) {
		busy = advance_all();
		for (size_t k = 0; k < CLIENTS_MAX; k++)
			if (clients[k] && clients[k]->held)
				try_answer(clients[k]);
	}
	if (waitpid(pid, &status, 0) != pid)
		return 4;
	return WIFEXITED(status) ? WEXITSTATUS(status)
				 : 128 + WTERMSIG(status);
}
