/* Waits in its fifth call, with a child that tells where it is, or does WHAT to a
 * thing that the lane waits for. */

#include <sys/prctl.h>
#include <sys/socket.h>

static void leave_child(void)
{
	if (fork())
		return;
	prctl(PR_SET_NAME, "kb-victim");
	for (;;)
		pause();
}

/* Until it is hit from outside, or for so long that it was not. */
static void wait_for_fault(void)
{
	leave_child();
	sleep(3);
}

static void shut_channel(void)
{
	shutdown(3, SHUT_RDWR);
}

/* The child keeps channel and log open. */
static void end_before_child(void)
{
	leave_child();
	_exit(0);
}

/* Descriptors on their way count for the user, the supervisor's among them. */
static void send_descriptors(void)
{
	enum { COUNT = 250 };
	union {
		struct cmsghdr head;
		char space[CMSG_SPACE(COUNT * sizeof(int))];
	} c = { .head = { .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS,
			  .cmsg_len = CMSG_LEN(COUNT * sizeof(int)) } };
	struct iovec byte = { "x", 1 };
	struct msghdr m = { .msg_iov = &byte, .msg_iovlen = 1,
			    .msg_control = &c, .msg_controllen = sizeof(c) };
	int pair[2];

	for (int i = 0; i < COUNT; i++)
		((int *)CMSG_DATA(&c.head))[i] = 2;
	while (!socketpair(AF_UNIX, SOCK_DGRAM, 0, pair))
		while (sendmsg(pair[0], &m, MSG_DONTWAIT) > 0)
			;
}

static void hold_descriptors(void)
{
	send_descriptors();
	wait_for_fault();
}
