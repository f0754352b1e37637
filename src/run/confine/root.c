#include "confine/root.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "confine/confine.h"
#include "confine/mounts.h"
#include "confine/private_tmp.h"

/*
 * The tree is made in a tmpfs that is the working directory meanwhile: its
 * paths are those that they will be, less the slash that they begin with,
 * while absolute ones still lead into the machine's own root.
 */

#define IN_TREE(path) ((path)[1] ? (path) + 1 : ".")

/* Mounted from the machine's own /dev and not made: mknod(2) of a device takes
 * CAP_MKNOD in the initial user namespace. */
static const char *const nodes[] = {
	"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom",
};

static const char *const links[][2] = {
	{ "/proc/self/fd", "dev/fd" },
	{ "/proc/self/fd/0", "dev/stdin" },
	{ "/proc/self/fd/1", "dev/stdout" },
	{ "/proc/self/fd/2", "dev/stderr" },
	{ "../tmp", "var/tmp" },
};

static const char *const directories[] = {
	"tmp", "var", "proc", "etc", "dev", "dev/shm",
};

/* The directories above it. */
static int make_way(const char *path)
{
	char part[PATH_MAX];

	if (strlen(path) >= sizeof(part))
		return ENAMETOOLONG;
	strcpy(part, path);
	for (char *p = strchr(part, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		if (mkdir(part, 0755) < 0 && errno != EEXIST)
			return errno;
		*p = '/';
	}
	return 0;
}

static int make_file(const char *path)
{
	kb_auto(fd) int fd = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW |
				  O_CLOEXEC, 0444);

	return fd < 0 ? errno : 0;
}

/* Where `path` of the machine is to be mounted, in the tree. */
static int make_place(const char *path)
{
	struct stat st;
	int ret = make_way(IN_TREE(path));

	if (ret)
		return ret;
	if (lstat(path, &st) < 0)
		return errno;
	if (!S_ISDIR(st.st_mode))
		return make_file(IN_TREE(path));
	return mkdir(IN_TREE(path), 0755) < 0 && errno != EEXIST ? errno : 0;
}

/* A part of a mount that has others in it is had with these or not at all. */
static int show_path(const char *path)
{
	int ret = make_place(path);

	if (!ret && mount(path, IN_TREE(path), NULL, MS_BIND | MS_REC,
			  NULL) < 0)
		ret = errno;
	return ret == ENOENT || ret == EACCES ? 0 : ret;
}

static int make_link(const struct kb_root_entry *e)
{
	int ret = make_way(IN_TREE(e->path));

	if (!ret && symlink(e->target, IN_TREE(e->path)) < 0 &&
	    errno != EEXIST)
		ret = errno;
	return ret;
}

/* Sizes of 0 would be no limits at all (tmpfs(5)). */
static int close_directory(const char *path)
{
	return mount("tmpfs", IN_TREE(path), "tmpfs", MS_NOSUID | MS_NODEV,
		     "size=4k,nr_inodes=2,mode=555") < 0 ? errno : 0;
}

/* Without `devices` they have no places either. */
static int add_entry(const struct kb_root_entry *e, bool devices)
{
	switch (e->kind) {
	case KB_ROOT_SHOWN:
		return show_path(e->path);
	case KB_ROOT_LINK:
		return make_link(e);
	case KB_ROOT_CLOSED:
		return close_directory(e->path);
	case KB_ROOT_NODE:
		return devices ? make_place(e->path) : 0;
	}
	return EINVAL;
}

/* Names of the users that there are: libraries look themselves up. */
static int make_users(uid_t uid, gid_t gid)
{
	char text[200];
	int ret;

	snprintf(text, sizeof(text), "root:x:0:0::/:/bin/sh\n"
		 "kb:x:%u:%u::/tmp:/bin/sh\n", uid, gid);
	ret = kb_mounts_write("etc/passwd", text);
	snprintf(text, sizeof(text), "root:x:0:\nkb:x:%u:\n", gid);
	return ret ? ret : kb_mounts_write("etc/group", text);
}

static int make_fixed(uid_t uid, gid_t gid)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(directories); i++)
		if (mkdir(directories[i], 0755) < 0)
			return errno;
	for (size_t i = 0; i < KB_ARRAY_LEN(links); i++)
		if (symlink(links[i][0], links[i][1]) < 0)
			return errno;
	for (size_t i = 0; i < KB_ARRAY_LEN(nodes); i++) {
		int ret = make_place(nodes[i]);

		if (ret)
			return ret;
	}
	return make_users(uid, gid);
}

static int bind_fd(int fd, const char *to)
{
	char from[32];
	int ret = make_way(to);

	if (ret)
		return ret;
	snprintf(from, sizeof(from), "/proc/self/fd/%d", fd);
	if (mkdir(to, 0755) < 0 && errno != EEXIST)
		return errno;
	return mount(from, to, NULL, MS_BIND, NULL) < 0 ? errno : 0;
}

/* The bound of what a program may write. */
static int mount_work(const struct kb_files *f, uid_t uid, gid_t gid)
{
	char options[160];

	snprintf(options, sizeof(options),
		 "size=%" PRIu64 ",nr_inodes=%" PRIu64 ",mode=700,uid=%u,gid=%u",
		 f->work_bytes, f->work_files, uid, gid);
	return mount("tmpfs", "tmp", "tmpfs", MS_NOSUID | MS_NODEV,
		     options) < 0 ? errno : 0;
}

/* Both under the names that they have outside as well, whichever a program
 * was told; these may lie in /tmp, and so in the first. */
static int add_own(const struct kb_files *f, int code, uid_t uid, gid_t gid)
{
	const char *alias = IN_TREE(f->scratch);
	int ret = mount_work(f, uid, gid);

	if (!ret)
		ret = make_way(alias);
	if (!ret && ((mkdir(alias, 0700) < 0 && errno != EEXIST) ||
		     mount("tmp", alias, NULL, MS_BIND, NULL) < 0))
		ret = errno;
	return ret ? ret : bind_fd(code, IN_TREE(f->tmp->code));
}

static int bind_node(const char *path)
{
	return mount(path, IN_TREE(path), NULL, MS_BIND, NULL) < 0 ? errno : 0;
}

static int bind_nodes(const struct kb_root *r, bool devices)
{
	int ret = 0;

	for (size_t i = 0; i < KB_ARRAY_LEN(nodes) && !ret; i++)
		ret = bind_node(nodes[i]);
	for (size_t i = 0; i < r->count && !ret && devices; i++)
		if (r->entries[i].kind == KB_ROOT_NODE)
			ret = bind_node(r->entries[i].path);
	return ret;
}

/* Writable directories and devices come after all has become read-only. */
static int fill_root(const struct kb_root *r, const struct kb_files *f,
		     int code, uid_t uid, gid_t gid)
{
	int ret = make_fixed(uid, gid);

	if (!ret)
		ret = add_own(f, code, uid, gid);
	for (size_t i = 0; i < r->count && !ret; i++)
		ret = add_entry(&r->entries[i], !f->hidden);
	if (!ret && kb_mounts_protect(".") < 0)
		ret = errno;
	if (!ret && (kb_mounts_set_read_only("tmp", 0, 0) < 0 ||
		     kb_mounts_set_read_only(IN_TREE(f->scratch), 0, 0) < 0))
		ret = errno;
	if (!ret && mount("tmpfs", "dev/shm", "tmpfs", MS_NOSUID | MS_NODEV,
			  KB_MOUNTS_SHM) < 0)
		ret = errno;
	return ret ? ret : bind_nodes(r, !f->hidden);
}

/* The machine's own root lies below the new one for a moment. */
static int change_root(void)
{
	/* Unlike chroot(2) this leaves no way back: once the old root is
	 * unmounted, no path leads there. */
	if (syscall(SYS_pivot_root, ".", ".") < 0 ||
	    umount2(".", MNT_DETACH) < 0 || chdir("/") < 0)
		return errno;
	return 0;
}

static int enter_root(const struct kb_root *r, const struct kb_files *f,
		      int code, uid_t uid, gid_t gid, bool *own_proc)
{
	int ret;

	if (chdir(f->tmp->root) < 0)
		return errno;
	ret = fill_root(r, f, code, uid, gid);
	if (!ret)
		ret = kb_mounts_proc("proc", own_proc);
	return ret ? ret : change_root();
}

int kb_root_enter(const struct kb_root *r, const struct kb_files *f, uid_t uid,
		  gid_t gid, uint32_t *features)
{
	kb_auto(fd) int code = open(f->tmp->code, O_PATH | O_DIRECTORY | O_CLOEXEC);
	bool own_proc = false;
	mode_t mask;
	int ret;

	if (code < 0)
		return errno;
	/* This covers the scratch directories, `code` included: from here on it
	 * is reached by its descriptor alone. */
	if (mount("tmpfs", f->tmp->root, "tmpfs", MS_NOSUID,
		  "size=1m,nr_inodes=4k,mode=755") < 0)
		return errno;
	/* mkdir(2) applies it: with 077, a worker that is another user could
	 * not enter what is made here. */
	mask = umask(022);
	ret = enter_root(r, f, code, uid, gid, &own_proc);
	umask(mask);
	if (ret) {
		(void)!chdir("/");
		(void)umount2(f->tmp->root, MNT_DETACH);
		return ret;
	}
	*features |= 1u << KB_FEATURE_OWN_ROOT |
		     1u << KB_FEATURE_READ_ONLY_FILES |
		     1u << KB_FEATURE_PRIVATE_SHM |
		     1u << KB_FEATURE_PRIVATE_TMP |
		     (own_proc ? 1u << KB_FEATURE_PRIVATE_PROC : 0);
	return 0;
}
