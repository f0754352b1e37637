#include "confine/cgroup_base.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "confine/cgroup_files.h"
#include "device/granted.h"

#define MOUNT "/sys/fs/cgroup"
#define STAT_BYTES_MAX 4096

static const char *const controllers[] = { "memory", "pids" };

/* Ours, by name, from the root of the groups that are mounted. */
static char *own_path(void)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	struct kb_err why = KB_ERR_INIT;
	struct statfs s;
	char *path;

	if (statfs(MOUNT, &s) < 0 || s.f_type != CGROUP2_SUPER_MAGIC ||
	    kb_file_read(&text, AT_FDCWD, "/proc/self/cgroup",
			 STAT_BYTES_MAX, &why) < 0)
		return NULL;
	/* Paths are relative to the root of our cgroup namespace; what lies
	 * outside of that begins with "/.." (cgroup_namespaces(7)). */
	path = kb_cgroup_path(text.data, text.len, NULL);
	if (!path || !strstr(path, "/.."))
		return path;
	free(path);		/* not below what is mounted */
	return NULL;
}

/* Delegation (cgroups(7)): a process may make groups in it, and write to the
 * cgroup.procs of the group that has both ends of a move. */
static bool may_make(int fd)
{
	return fd >= 0 && !faccessat(fd, ".", W_OK, AT_EACCESS) &&
	       !faccessat(fd, "cgroup.procs", W_OK, AT_EACCESS);
}

static bool has_any(int fd)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	kb_cgroup_read(&text, fd, "cgroup.subtree_control");
	for (size_t i = 0; i < KB_ARRAY_LEN(controllers); i++)
		if (kb_cgroup_has_word(text.data, text.len, controllers[i]))
			return true;
	return false;
}

/* For the groups in it; those that it does not have stay away. */
static bool set_controllers(int fd, char sign)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(controllers); i++) {
		char word[32];

		snprintf(word, sizeof(word), "%c%s", sign, controllers[i]);
		/* One at a time: a write of several changes nothing if one of
		 * them cannot be had. */
		(void)kb_cgroup_write(fd, "cgroup.subtree_control", word);
	}
	return has_any(fd);
}

/* --- what is in our own group ------------------------------------------ */

/* The parent of a process; 0 if it is not known. */
static pid_t parent_of(pid_t pid)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	kb_auto(mem) char *path = kb_xasprintf("/proc/%d/stat", (int)pid);
	struct kb_err why = KB_ERR_INIT;
	const char *p;

	if (kb_file_read(&text, AT_FDCWD, path, STAT_BYTES_MAX, &why) < 0)
		return 0;
	/* "7 (a name) S 1 ...": the name may hold anything. */
	p = strrchr(text.data, ')');
	return p && strlen(p) > 4 ? (pid_t)strtol(p + 4, NULL, 10) : 0;
}

static bool descends_from(pid_t pid, pid_t from)
{
	while (pid > 0 && pid != from)
		pid = parent_of(pid);
	return pid == from;
}

/* Call `each` for all that are in it, as long as that says true. */
static bool for_each(int fd, const char *group,
		     bool (*each)(int fd, pid_t pid))
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	kb_auto(mem) char *path = kb_xasprintf("%s/cgroup.procs", group);
	char *save = NULL;

	kb_cgroup_read(&text, fd, path);
	if (!text.len)
		return true;
	for (char *line = strtok_r(text.data, "\n", &save); line;
	     line = strtok_r(NULL, "\n", &save))
		if (!each(fd, (pid_t)strtol(line, NULL, 10)))
			return false;
	return true;
}

static bool is_kin(int fd, pid_t pid)
{
	const pid_t self = getpid();

	(void)fd;
	return pid > 0 &&
	       (descends_from(self, pid) || descends_from(pid, self));
}

static bool move_process(int fd, pid_t pid, const char *file)
{
	char number[16];

	snprintf(number, sizeof(number), "%d", (int)pid);
	return kb_cgroup_write(fd, file, number) || errno == ESRCH;
}

static bool move_in(int fd, pid_t pid)
{
	return move_process(fd, pid, KB_CGROUP_SELF "/cgroup.procs");
}

static bool move_out(int fd, pid_t pid)
{
	return move_process(fd, pid, "cgroup.procs");
}

/* A group whose subtree_control has such controllers takes no processes
 * (cgroups(7), "no internal processes"), so they are switched off first. They
 * stay on while other groups use them; then all stays as it is. */
void kb_cgroup_base_scatter(int fd)
{
	if (set_controllers(fd, '-'))
		return;
	(void)for_each(fd, KB_CGROUP_SELF, move_out);
	(void)unlinkat(fd, KB_CGROUP_SELF, AT_REMOVEDIR);
}

/* Only our descendants are moved. Their limits do not change. */
static bool gather_processes(int fd)
{
	if (!for_each(fd, ".", is_kin) ||
	    (mkdirat(fd, KB_CGROUP_SELF, 0755) < 0 && errno != EEXIST))
		return false;
	/* By the same rule they can be switched on only when nobody is left in
	 * the group itself. */
	if (for_each(fd, ".", move_in) && set_controllers(fd, '+'))
		return true;
	kb_cgroup_base_scatter(fd);
	return false;
}

/* --- the nearest one --------------------------------------------------- */

/* Processes outside such a group are outside its limits. */
static bool is_limited(int fd)
{
	static const char *const files[] = {
		"memory.max", "memory.high", "cpu.max", "cpuset.cpus",
		"cpuset.mems",
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(files); i++) {
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

		kb_cgroup_read(&text, fd, files[i]);
		if (text.len && text.data[0] != '\n' &&
		    strncmp(text.data, "max", 3))
			return true;
	}
	return false;
}

/* The root of the whole hierarchy, not of a container's part. It alone may have
 * processes and groups with limits. */
static bool is_uppermost(int fd)
{
	return faccessat(fd, "cgroup.type", F_OK, 0) < 0;
}

static bool is_self(const char *path)
{
	const char *name = strrchr(path, '/');

	return name && !strcmp(name + 1, KB_CGROUP_SELF);
}

/* Our own group, as it is or gathered. */
static bool use_own(int fd, const char *path, bool *is_gathered)
{
	if (!may_make(fd))
		return false;
	if (is_uppermost(fd))
		return set_controllers(fd, '+');
	*is_gathered = !is_self(path) && gather_processes(fd);
	return *is_gathered;
}

/* The nearest around it; of a run that was killed, or is still there, if we are
 * in KB_CGROUP_SELF. */
static int open_around(int fd, const char *path, bool *is_gathered)
{
	kb_auto(mem) char *whole = kb_xasprintf(MOUNT "%s", path);
	int found = -1;

	while (fd >= 0 && !is_limited(fd) && strlen(whole) > strlen(MOUNT)) {
		*strrchr(whole, '/') = '\0';
		if (found >= 0)
			close(found);
		fd = found = kb_cgroup_at(AT_FDCWD, whole);
		if (may_make(fd) && has_any(fd)) {
			*is_gathered = is_self(path);
			return fd;
		}
	}
	if (found >= 0)
		close(found);
	return -1;
}

/* When the kernel kills for want of memory in the group of a service that is not
 * delegated, or below, systemd ends the service (OOMPolicy=stop in
 * systemd.service(5)): a candidate could end the run. */
static bool is_kept_by_systemd(int fd, const char *path)
{
	char is_delegated[2];

	return kb_cgroup_is_unit(path) &&
	       fgetxattr(fd, "user.delegate", is_delegated, 2) != 1 &&
	       fgetxattr(fd, "trusted.delegate", is_delegated, 2) != 1;
}

static int open_nearest(const char *path, bool *is_gathered)
{
	kb_auto(mem) char *whole = kb_xasprintf(MOUNT "%s", path);
	int fd = kb_cgroup_at(AT_FDCWD, whole), other = -1;
	const bool is_last = is_kept_by_systemd(fd, path);

	if (is_last)
		other = open_around(fd, path, is_gathered);
	if (other < 0 && use_own(fd, path, is_gathered))
		return fd;
	if (!is_last)
		other = open_around(fd, path, is_gathered);
	if (fd >= 0)
		close(fd);
	return other;
}

int kb_cgroup_base_open(bool *is_gathered, char **why_not)
{
	kb_auto(mem) char *path = own_path();
	int fd;

	*is_gathered = false;
	if (!path) {
		*why_not = kb_xstrdup("cgroup v2 is not mounted at '" MOUNT "'");
		return -1;
	}
	fd = open_nearest(path, is_gathered);
	if (fd < 0)
		*why_not = kb_xasprintf("control group '%s' is not delegated",
					path);
	return fd;
}
