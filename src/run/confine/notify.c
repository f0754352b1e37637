#include "confine/notify.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>

int kb_notify_refuse(int notify_fd)
{
	/* The kernel wants it zeroed (seccomp_unotify(2)). */
	struct seccomp_notif call = { .id = 0 };
	struct seccomp_notif_resp answer = { .error = -EPERM };

	if (ioctl(notify_fd, SECCOMP_IOCTL_NOTIF_RECV, &call) < 0)
		return -1;
	answer.id = call.id;
	/* It may have been killed meanwhile. */
	(void)ioctl(notify_fd, SECCOMP_IOCTL_NOTIF_SEND, &answer);
	return call.data.nr;
}
