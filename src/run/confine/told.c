#include "confine/told.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>

int kb_told_refuse(int told_fd)
{
	/* The kernel wants it zeroed (seccomp_unotify(2)). */
	struct seccomp_notif call = { .id = 0 };
	struct seccomp_notif_resp answer = { .error = -EPERM };

	if (ioctl(told_fd, SECCOMP_IOCTL_NOTIF_RECV, &call) < 0)
		return -1;
	answer.id = call.id;
	/* It may have been killed meanwhile. */
	(void)ioctl(told_fd, SECCOMP_IOCTL_NOTIF_SEND, &answer);
	return call.data.nr;
}
