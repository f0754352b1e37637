#include "worker/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "worker/private_tmp.h"

/* mount_setattr(2), Linux 5.12; C libraries have it since 2022. */
#define NR_MOUNT_SETATTR 442
#define OUR_MOUNT_ATTR_RDONLY 1u
#define OUR_AT_RECURSIVE 0x8000

struct our_mount_attr {
	uint64_t attr_set, attr_clr, propagation, userns_fd;
};

static const char *const feature_names[KB_FEATURE_COUNT] = {
	[KB_FEATURE_PID_NAMESPACE] = "pid_namespace",
	[KB_FEATURE_NET_NAMESPACE] = "net_namespace",
	[KB_FEATURE_IPC_NAMESPACE] = "ipc_namespace",
	[KB_FEATURE_PRIVATE_PROC] = "private_proc",
	[KB_FEATURE_READ_ONLY_FILES] = "read_only_files",
	[KB_FEATURE_PRIVATE_SHM] = "private_shm",
	[KB_FEATURE_PRIVATE_TMP] = "private_tmp",
	[KB_FEATURE_OTHER_USER] = "other_user",
	[KB_FEATURE_SYSCALL_FILTER] = "syscall_filter",
};

const char *kb_feature_name(enum kb_feature f)
{
	return feature_names[f];
}

struct kb_json *kb_features_to_json(uint32_t features)
{
	struct kb_json *v = kb_json_object();

	for (int f = 0; f < KB_FEATURE_COUNT; f++)
		kb_json_set_bool(v, feature_names[f], features & (1u << f));
	return v;
}

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
	prctl(PR_SET_DUMPABLE, 1);
	if (write_text("/proc/self/setgroups", "deny") < 0 ||
	    write_text("/proc/self/uid_map", uid_map) < 0 ||
	    write_text("/proc/self/gid_map", gid_map) < 0)
		ret = errno;
	prctl(PR_SET_DUMPABLE, 0);
	return ret;
}

static int set_read_only(const char *path, unsigned flags, int on)
{
	struct our_mount_attr attr = {
		.attr_set = on ? OUR_MOUNT_ATTR_RDONLY : 0,
		.attr_clr = on ? 0 : OUR_MOUNT_ATTR_RDONLY,
	};

	return (int)syscall(NR_MOUNT_SETATTR, AT_FDCWD, path, flags, &attr,
			    sizeof(attr));
}

/*
 * User 0 could change the kernel's settings in these. The rest stays
 * writable, because the CUDA driver does not start without what it writes
 * about itself.
 */
static const char *const proc_settings[] = {
	"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus",
	"/proc/fs", "/proc/acpi", "/proc/mtrr", "/proc/scsi",
};

static void confine_proc(uint32_t *features)
{
	const unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;

	if (mount("proc", "/proc", "proc", flags, NULL) < 0)
		return;
	*features |= 1u << KB_FEATURE_PRIVATE_PROC;
	for (size_t i = 0; i < KB_ARRAY_LEN(proc_settings); i++) {
		const char *path = proc_settings[i];

		if (access(path, F_OK) < 0)
			continue;
		if (mount(path, path, NULL, MS_BIND, NULL) < 0 ||
		    set_read_only(path, 0, 1) < 0) {
			(void)set_read_only("/proc", 0, 1);
			return;
		}
	}
}

static int hide(const struct kb_files *f)
{
	return f->hidden ? kb_private_tmp_hide(f->hidden) : 0;
}

static int confine_files(const struct kb_files *f, uint32_t *features)
{
	const char *scratch = f->scratch;

	/* Nothing that we mount may travel back. */
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
		return f->hidden ? errno : 0;

	if (!mount(scratch, scratch, NULL, MS_BIND, NULL) &&
	    !set_read_only("/", OUR_AT_RECURSIVE, 1)) {
		if (set_read_only(scratch, 0, 0) < 0)
			set_read_only("/", OUR_AT_RECURSIVE, 0);
		else
			*features |= 1u << KB_FEATURE_READ_ONLY_FILES;
	}
	if (!mount("tmpfs", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV,
		   "size=256m,mode=1777"))
		*features |= 1u << KB_FEATURE_PRIVATE_SHM;
	if (f->tmp && !kb_private_tmp_enter(f->tmp, scratch))
		*features |= 1u << KB_FEATURE_PRIVATE_TMP;
	confine_proc(features);
	return hide(f);
}

int kb_confine_namespaces(uint32_t clone_flags, uid_t uid, gid_t gid,
			  const struct kb_files *files, uint32_t *features)
{
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
		return confine_files(files, features);
	return files->hidden ? EPERM : 0;
}

/* A limit above what we may set is as good as the hard limit. */
static int set_limit(int resource, uint64_t value)
{
	struct rlimit r;

	if (getrlimit((__rlimit_resource_t)resource, &r) < 0)
		return errno;
	if (r.rlim_max == RLIM_INFINITY || value < r.rlim_max)
		r.rlim_max = value;
	r.rlim_cur = r.rlim_max;
	return setrlimit((__rlimit_resource_t)resource, &r) < 0 ? errno : 0;
}

int kb_confine_limits(const struct kb_limits *limits)
{
	int ret = set_limit(RLIMIT_CORE, 0);

	if (!ret && limits->address_bytes)
		ret = set_limit(RLIMIT_AS, limits->address_bytes);
	if (!ret && limits->file_bytes)
		ret = set_limit(RLIMIT_FSIZE, limits->file_bytes);
	if (!ret)
		ret = set_limit(RLIMIT_NPROC, limits->processes);
	if (!ret)
		ret = set_limit(RLIMIT_NOFILE, limits->files);
	return ret;
}

static int drop_capabilities(void)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct none[2];

	memset(none, 0, sizeof(none));
	for (int cap = 0; cap < 64; cap++)
		(void)prctl(PR_CAPBSET_DROP, cap, 0, 0, 0);
	(void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	return syscall(SYS_capset, &head, none) < 0 ? errno : 0;
}

int kb_confine_user(bool other_user)
{
	if (other_user && (setgroups(0, NULL) < 0 ||
			   setresgid(KB_WORKER_GID, KB_WORKER_GID,
				     KB_WORKER_GID) < 0 ||
			   setresuid(KB_WORKER_UID, KB_WORKER_UID,
				     KB_WORKER_UID) < 0))
		return errno;
	return drop_capabilities();
}
