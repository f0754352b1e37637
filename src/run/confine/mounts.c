#include "confine/mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"

/* mount_setattr(2), Linux 5.12; C libraries have it since 2022. */
#define NR_MOUNT_SETATTR 442
#define OUR_RDONLY 1u
#define OUR_NOSUID 2u
#define OUR_NODEV 4u

struct our_mount_attr {
	uint64_t attr_set, attr_clr, propagation, userns_fd;
};

static int set_attributes(const char *path, unsigned flags, unsigned set,
			  unsigned clear)
{
	struct our_mount_attr attr = { .attr_set = set, .attr_clr = clear };

	return (int)syscall(NR_MOUNT_SETATTR, AT_FDCWD, path, flags, &attr,
			    sizeof(attr));
}

int kb_mounts_set_read_only(const char *path, unsigned flags, bool on)
{
	return set_attributes(path, flags, on ? OUR_RDONLY : 0,
			      on ? 0 : OUR_RDONLY);
}

int kb_mounts_protect(const char *path)
{
	return set_attributes(path, KB_MOUNTS_BELOW,
			      OUR_RDONLY | OUR_NOSUID | OUR_NODEV, 0);
}

/*
 * User 0 could change the kernel's settings in these. The rest stays
 * writable, because the CUDA driver does not start without what it writes
 * about itself.
 */
static const char *const settings[] = {
	"sys", "sysrq-trigger", "irq", "bus", "fs", "acpi", "mtrr", "scsi",
};

static void protect_settings(const char *at)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(settings); i++) {
		char path[64];

		snprintf(path, sizeof(path), "%s/%s", at, settings[i]);
		if (access(path, F_OK) < 0)
			continue;
		if (mount(path, path, NULL, MS_BIND, NULL) < 0 ||
		    kb_mounts_set_read_only(path, 0, true) < 0) {
			(void)kb_mounts_set_read_only(at, 0, true);
			return;
		}
	}
}

int kb_mounts_proc(const char *at, bool *own)
{
	const unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;

	/* In a user namespace the kernel refuses a new one where parts of the
	 * old one are covered, as they are in most containers. */
	*own = !mount("proc", at, "proc", flags, NULL);
	if (*own)
		protect_settings(at);
	else if (strcmp(at, "/proc") &&
		 mount("/proc", at, NULL, MS_BIND | MS_REC, NULL) < 0)
		return errno;
	return 0;
}

int kb_mounts_write(const char *path, const char *text)
{
	kb_auto(fd) int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0444);
	const size_t len = strlen(text);

	return fd >= 0 && write(fd, text, len) == (ssize_t)len ? 0 : errno;
}
