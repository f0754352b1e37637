#include "confine/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "confine/confine.h"
#include "confine/private_tmp.h"
#include "confine/root.h"

/* Newer than some headers; the same on all machines. */
#define NR_CREATE_RULESET 444
#define NR_ADD_RULE 445
#define NR_RESTRICT_SELF 446
#define GET_VERSION 1u
#define RULE_PATH_BENEATH 1

#define EXECUTE (UINT64_C(1) << 0)
#define WRITE_FILE (UINT64_C(1) << 1)
#define READ_FILE (UINT64_C(1) << 2)
#define READ_DIR (UINT64_C(1) << 3)
#define TRUNCATE (UINT64_C(1) << 14)
#define IOCTL_DEV (UINT64_C(1) << 15)
#define SCOPE_ALL UINT64_C(3)	/* abstract sockets, signals */

#define READ (EXECUTE | READ_FILE | READ_DIR)
/* A rule for a file that has other rights than these fails with EINVAL
 * (landlock_add_rule(2)). */
#define OF_FILES (EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV)

struct ruleset {
	uint64_t files, net, scoped;
};

struct __attribute__((packed)) path_beneath {
	uint64_t allowed;
	int32_t parent_fd;
};

struct rules {
	int fd;
	uint64_t handled;		/* what this kernel knows */
};

static const char *const nodes[] = {
	"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom",
};

/* Files of the machine's own root. A root of kb's own has other contents
 * there. */
static const char *const shared[] = {
	"/etc/passwd", "/etc/group", "/proc",
};

static long abi_version(void)
{
	return syscall(NR_CREATE_RULESET, NULL, 0, GET_VERSION);
}

/* Version 1 (Linux 5.13) forbids to rename or link a file into another
 * directory, wherever that is, and compilers and caches do. Version 2 is Linux
 * 5.19's. */
bool kb_landlock_is_there(void)
{
	return abi_version() >= 2;
}

/* All kinds of access to files that a version has. */
static uint64_t handled_by(long version_number)
{
	/* Version 3 (Linux 6.2) added truncation, 5 (6.10) ioctl(2) of devices.
	 * Rights that a kernel does not know make landlock_create_ruleset(2)
	 * fail. */
	if (version_number >= 5)
		return (UINT64_C(1) << 16) - 1;
	return version_number >= 3 ? (UINT64_C(1) << 15) - 1
				   : (UINT64_C(1) << 14) - 1;
}

static void allow_fd(const struct rules *r, int fd, uint64_t access)
{
	struct path_beneath rule = { .parent_fd = fd };
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0)
		return;
	rule.allowed = access & r->handled &
		       (S_ISDIR(st.st_mode) ? ~UINT64_C(0) : OF_FILES);
	/* A path that cannot be allowed stays forbidden. */
	(void)syscall(NR_ADD_RULE, r->fd, RULE_PATH_BENEATH, &rule, 0);
}

static void allow_path(const struct rules *r, const char *path, uint64_t access)
{
	kb_auto(fd) int fd = open(path, O_PATH | O_CLOEXEC);

	allow_fd(r, fd, access);
}

static void allow_own_root(const struct rules *r)
{
	allow_path(r, "/", READ);
	allow_path(r, "/tmp", ~UINT64_C(0));
	allow_path(r, "/dev", READ_FILE | WRITE_FILE | TRUNCATE | IOCTL_DEV);
}

static void allow_shared_root(const struct rules *r, const struct kb_files *f)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(nodes); i++)
		allow_path(r, nodes[i], READ_FILE | WRITE_FILE | TRUNCATE);
	for (size_t i = 0; i < KB_ARRAY_LEN(shared); i++)
		allow_path(r, shared[i], READ);
	for (size_t i = 0; i < f->root->count; i++) {
		const struct kb_root_entry *e = &f->root->entries[i];

		if (e->kind == KB_ROOT_SHOWN)
			allow_path(r, e->path, READ);
		if (e->kind == KB_ROOT_NODE && !f->hidden)
			allow_path(r, e->path,
				   READ_FILE | WRITE_FILE | IOCTL_DEV);
	}
	if (f->tmp)
		allow_path(r, f->tmp->code, READ);
}

/* The CUDA driver writes names of threads into /proc. */
static void allow_all(const struct rules *r, const struct kb_files *f,
		      bool own_root, int program_fd)
{
	if (own_root)
		allow_own_root(r);
	else
		allow_shared_root(r, f);
	allow_path(r, f->scratch, ~UINT64_C(0));
	allow_path(r, "/dev/shm", ~UINT64_C(0));
	allow_path(r, "/proc", WRITE_FILE | TRUNCATE);
	allow_fd(r, program_fd, READ);
}

int kb_landlock_confine(const struct kb_files *f, bool own_root,
			int program_fd)
{
	const long number = abi_version();
	struct rules r = { .handled = handled_by(number) };
	const struct ruleset set = {
		.files = r.handled, .scoped = number >= 6 ? SCOPE_ALL : 0,
	};
	kb_auto(fd) int fd = (int)syscall(NR_CREATE_RULESET, &set,
					  number >= 6 ? sizeof(set)
						      : sizeof(set.files), 0);

	if (fd < 0)
		return errno;
	r.fd = fd;
	allow_all(&r, f, own_root, program_fd);
	return syscall(NR_RESTRICT_SELF, fd, 0) < 0 ? errno : 0;
}
