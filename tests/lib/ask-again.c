/*
 * ask-again, by the name of a program: have the process that runs the program again
 * and again (again.c), and listens in the directory $KB_AGAIN, do this run. The
 * process has one run at a time: if it is busy, or not there, the program of
 * $KB_AGAIN_PROGRAMS is executed.
 */

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "lib/again.h"

static const char *variable(const char *name)
{
	const char *value = getenv(name);

	if (!value)
		KB_BUG("a variable is not set: see ask-again.c");
	return value;
}

static bool connect_to(const char *name, int fd)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };

	snprintf(address.sun_path, sizeof(address.sun_path), "%s/%s",
		 variable("KB_AGAIN"), name);
	return !connect(fd, (const struct sockaddr *)&address, sizeof(address));
}

/* As long as the descriptor is open, which is never closed. */
static bool is_ours(const char *name)
{
	char *path = kb_xasprintf("%s/%s.lock", variable("KB_AGAIN"), name);
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);

	free(path);
	return fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB);
}

static bool send_run(int fd, int argc, char *argv[])
{
	union {
		char bytes[CMSG_SPACE(AGAIN_FDS * sizeof(int))];
		struct cmsghdr align;
	} control = { .bytes = { 0 } };
	const int fds[AGAIN_FDS] = {
		0, 1, 2, open(".", O_PATH | O_DIRECTORY | O_CLOEXEC),
	};
	struct kb_buf b = KB_BUF_INIT;
	struct iovec iov;
	struct msghdr m = {
		.msg_iov = &iov, .msg_iovlen = 1, .msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};
	struct cmsghdr *h = &control.align;

	kb_buf_addf(&b, "%d", argc);
	kb_buf_addch(&b, '\0');
	for (; *argv; argv++)
		kb_buf_add(&b, *argv, strlen(*argv) + 1);
	for (char **e = environ; *e; e++)
		kb_buf_add(&b, *e, strlen(*e) + 1);
	iov = (struct iovec){ b.data, b.len };
	h->cmsg_level = SOL_SOCKET;
	h->cmsg_type = SCM_RIGHTS;
	h->cmsg_len = CMSG_LEN(sizeof(fds));
	memcpy(CMSG_DATA(h), fds, sizeof(fds));
	return sendmsg(fd, &m, MSG_NOSIGNAL) == (ssize_t)b.len;
}

int main(int argc, char *argv[])
{
	const char *slash = strrchr(argv[0], '/');
	const char *name = slash ? slash + 1 : argv[0];
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	uint8_t status;

	if (!is_ours(name) || !connect_to(name, fd) || !send_run(fd, argc, argv)) {
		char *program = kb_xasprintf(
			"%s/%s", variable("KB_AGAIN_PROGRAMS"), name);

		execv(program, argv);
		perror(program);
		return 127;
	}
	if (recv(fd, &status, 1, 0) == 1)
		return status;
	fprintf(stderr, "%s: the process that runs it has ended\n", name);
	return 99;
}
