#include "confine/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <net/if.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "confine/mounts.h"
#include "confine/private_tmp.h"
#include "confine/root.h"

static int write_text(const char *path, const char *text)
{
	kb_auto(fd) int fd = open(path, O_WRONLY | O_CLOEXEC);
	size_t len = strlen(text);

	return fd >= 0 && write(fd, text, len) == (ssize_t)len ? 0 : -1;
}

/* Keep our own ids inside the new user namespace. /proc/self belongs to
 * root while we are not dumpable, so be dumpable for a moment. */
static int map_user(uid_t uid, gid_t gid)
{
	char uid_map[64], gid_map[64];
	int ret = 0;

	snprintf(uid_map, sizeof(uid_map), "%u %u 1\n", uid, uid);
	snprintf(gid_map, sizeof(gid_map), "%u %u 1\n", gid, gid);
	/* Since Linux 3.19 who lacks CAP_SETGID in the parent namespace can
	 * write gid_map only after "deny" (user_namespaces(7)): else a process
	 * could drop a group that keeps it from files. */
	if (prctl(PR_SET_DUMPABLE, 1) < 0 ||
	    write_text("/proc/self/setgroups", "deny") < 0 ||
	    write_text("/proc/self/uid_map", uid_map) < 0 ||
	    write_text("/proc/self/gid_map", gid_map) < 0)
		ret = errno;
	if (prctl(PR_SET_DUMPABLE, 0) < 0 && !ret)
		ret = errno;
	return ret;
}

/* The machine's files, all but a few directories read-only. */
static int share_root(const struct kb_files *f, uint32_t *features)
{
	const char *scratch = f->scratch;
	bool own_proc;

	/* Read-only is a property of a mount. The scratch directory becomes one
	 * of its own, so that it can differ from what is around it. */
	if (!mount(scratch, scratch, NULL, MS_BIND, NULL) &&
	    !kb_mounts_set_read_only("/", KB_MOUNTS_BELOW, true)) {
		if (kb_mounts_set_read_only(scratch, 0, false) < 0)
			(void)kb_mounts_set_read_only("/", KB_MOUNTS_BELOW,
						      false);
		else
			*features |= 1u << KB_FEATURE_READ_ONLY_FILES;
	}
	if (!mount("tmpfs", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV,
		   KB_MOUNTS_SHM))
		*features |= 1u << KB_FEATURE_PRIVATE_SHM;
	if (f->tmp && !kb_private_tmp_enter(f->tmp, scratch))
		*features |= 1u << KB_FEATURE_PRIVATE_TMP;
	if (!kb_mounts_proc("/proc", &own_proc) && own_proc)
		*features |= 1u << KB_FEATURE_PRIVATE_PROC;
	return f->hidden ? kb_private_tmp_hide(f->hidden, true) : 0;
}

static int confine_files(const struct kb_files *f, uid_t uid, gid_t gid,
			 uint32_t *features)
{
	/* Nothing that we mount may travel back. */
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return f->hidden ? errno : 0;
	if (!f->root || !f->tmp ||
	    kb_root_enter(f->root, f, uid, gid, features))
		return share_root(f, features);
	return f->hidden ? kb_private_tmp_hide(f->hidden, false) : 0;
}

int kb_confine_namespaces(uint32_t clone_flags, uid_t uid, gid_t gid,
			  bool other_user, const struct kb_files *files,
			  uint32_t *features)
{
	const bool is_other = other_user && uid == 0;

	if (clone_flags & CLONE_NEWUSER) {
		int ret = map_user(uid, gid);

		if (ret)
			return ret;
	}
	if (clone_flags & CLONE_NEWPID)
		*features |= 1u << KB_FEATURE_PID_NAMESPACE;
	if (clone_flags & CLONE_NEWNET)
		*features |= 1u << KB_FEATURE_NET_NAMESPACE;
	if (clone_flags & CLONE_NEWIPC)
		*features |= 1u << KB_FEATURE_IPC_NAMESPACE;
	if (clone_flags & CLONE_NEWNS)
		return confine_files(files, is_other ? KB_WORKER_UID : uid,
				     is_other ? KB_WORKER_GID : gid, features);
	return files->hidden ? EPERM : 0;
}

int kb_confine_loopback(void)
{
	kb_auto(fd) int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	struct ifreq request = { .ifr_name = "lo" };

	request.ifr_flags = IFF_UP;
	return fd < 0 || ioctl(fd, SIOCSIFFLAGS, &request) < 0 ? errno : 0;
}

/* A limit above what we may set is as good as the hard limit. */
static int set_limit(int resource, uint64_t value)
{
	struct rlimit r;

	if (getrlimit((__rlimit_resource_t)resource, &r) < 0)
		return errno;
	if (r.rlim_max == RLIM_INFINITY || value < r.rlim_max)
		r.rlim_max = value;
	/* The hard limit as well: a process may raise the soft one up to that
	 * (getrlimit(2)). */
	r.rlim_cur = r.rlim_max;
	return setrlimit((__rlimit_resource_t)resource, &r) < 0 ? errno : 0;
}

int kb_confine_limits(const struct kb_limits *limits)
{
	/* Candidates crash often, and a core file can be as large as all that
	 * they had mapped. A limit of 0 leaves what the kernel pipes to a
	 * program of the machine's, and 1 does not (core(5) does not have it:
	 * fs/coredump.c). */
	int ret = set_limit(RLIMIT_CORE, 1);

	if (!ret && limits->address_bytes)
		ret = set_limit(RLIMIT_AS, limits->address_bytes);
	if (!ret && limits->file_bytes)
		ret = set_limit(RLIMIT_FSIZE, limits->file_bytes);
	if (!ret && limits->processes)
		ret = set_limit(RLIMIT_NPROC, limits->processes);
	/* It says -1 for a value, too, and there is nothing to be done. */
	if (!ret && limits->niceness)
		(void)nice(limits->niceness);
	return ret;
}

int kb_confine_descriptors(const struct kb_limits *limits)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r) < 0)
		return errno;
	return set_limit(RLIMIT_NOFILE, limits->files < r.rlim_max / 2 ?
					limits->files : r.rlim_max / 2);
}

static int drop_capabilities(void)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct none[2];

	memset(none, 0, sizeof(none));
	/*
	 * PR_CAPBSET_DROP takes CAP_SETPCAP, so it comes before capset(2);
	 * numbers that the kernel does not have fail. Somebody who has just
	 * ceased to be root cannot drop these, and is kept by no_new_privs from
	 * getting any.
	 */
	for (int cap = 0; cap < 64; cap++)
		(void)prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
	(void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	return syscall(SYS_capset, &head, none) < 0 ? errno : 0;
}

int kb_confine_user(bool other_user)
{
	/* Users last: without root's id the other two are not permitted. All
	 * three ids of each kind, since a process may return to a saved one. */
	if (other_user && (setgroups(0, NULL) < 0 ||
			   setresgid(KB_WORKER_GID, KB_WORKER_GID,
				     KB_WORKER_GID) < 0 ||
			   setresuid(KB_WORKER_UID, KB_WORKER_UID,
				     KB_WORKER_UID) < 0))
		return errno;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return errno;
	return drop_capabilities();
}
