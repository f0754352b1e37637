#include "base/lock.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/file.h>

#include "base/err.h"

/* As Lustre says it, NFS without its lock daemon, and others; EBADF is NFS of
 * directories, which cannot be open for writing. */
static bool is_without_locks(int error)
{
	return error == ENOSYS || error == ENOLCK || error == EOPNOTSUPP ||
	       error == EBADF;
}

int kb_lock(int fd, const char *path, struct kb_err *err)
{
	int ret;

	do
		/* flock(2) and not fcntl(2), whose locks are lost when any
		 * descriptor of the file is closed. */
		ret = flock(fd, LOCK_EX | LOCK_NB);
	while (ret < 0 && errno == EINTR);
	if (ret == 0)
		return 1;
	if (errno == EWOULDBLOCK)
		return 0;
	if (!is_without_locks(errno))
		return kb_err_sys(err, "cannot lock '%s'", path);
	return kb_err(err, KB_ERR_SYS,
		      "cannot lock '%s': its file system has no locks (%s), so "
		      "that two processes could write to it at once; mount it "
		      "with them (Lustre: -o flock), or use a directory on "
		      "another file system", path, strerror(errno));
}
