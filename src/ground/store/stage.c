#include "store/stage.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"

/* Digits that tell nodes apart in temporary names. */
#define NODE_DIGITS 8

/* A stage that another node has not touched for so long is abandoned. */
#define OTHERS_AGE_S (24 * 3600)

static int open_dir_fd(int dirfd, const char *name)
{
	return openat(dirfd, name,
		      O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* A stream of its own: `dirfd` keeps its offset. */
static DIR *open_dir(int dirfd)
{
	kb_auto(fd) int fd = open_dir_fd(dirfd, ".");
	DIR *d = fd < 0 ? NULL : fdopendir(fd);

	if (d)
		fd = -1;
	return d;
}

/* The node that this runs on, since its start; zeros if it is not known. */
static void tag_of_node(char tag[NODE_DIGITS + 1])
{
	kb_auto(fd) int fd = open("/proc/sys/kernel/random/boot_id",
				  O_RDONLY | O_CLOEXEC);

	memset(tag, '0', NODE_DIGITS);
	tag[NODE_DIGITS] = '\0';
	if (fd >= 0 && read(fd, tag, NODE_DIGITS) != NODE_DIGITS)
		memset(tag, '0', NODE_DIGITS);
}

/* Locks may hold among the processes of one node only, so that another's is
 * not seen: what it writes is known by its age. */
static bool may_be_anothers(int fd, const char *name)
{
	const char *tag = name + strlen(KB_FILE_TEMP_PREFIX);
	char own[NODE_DIGITS + 1];
	struct stat st;

	tag_of_node(own);
	if (!strncmp(tag, own, NODE_DIGITS))
		return false;
	return fstat(fd, &st) < 0 || st.st_mtime + OTHERS_AGE_S > time(NULL);
}

static void remove_if_abandoned(int store_fd, const char *name)
{
	kb_auto(fd) int fd = open_dir_fd(store_fd, name);

	/* A stage that cannot be removed does no harm to the new bundle. */
	if (fd >= 0 && !may_be_anothers(fd, name) &&
	    flock(fd, LOCK_EX | LOCK_NB) == 0)
		(void)kb_dir_remove(store_fd, name, NULL);
}

static void remove_abandoned(int store_fd)
{
	static const char prefix[] = KB_FILE_TEMP_PREFIX;
	kb_auto(dir) DIR *d = open_dir(store_fd);
	struct dirent *e;

	while (d && (e = readdir(d)))
		if (!strncmp(e->d_name, prefix, sizeof(prefix) - 1))
			remove_if_abandoned(store_fd, e->d_name);
}

static int make_temp(struct kb_stage *s, struct kb_err *err)
{
	char node[NODE_DIGITS + 1];
	uint64_t tag;

	if (getrandom(&tag, sizeof(tag), 0) != sizeof(tag))
		return kb_err_sys(err, "cannot draw random bytes");
	tag_of_node(node);
	s->temp = kb_xasprintf(KB_FILE_TEMP_PREFIX "%s-%016" PRIx64, node,
			       tag);

	if (mkdirat(s->store_fd, s->temp, 0777) < 0)
		return kb_err_sys(err, "cannot make directory '%s/%s'",
				  s->store, s->temp);
	s->dirfd = open_dir_fd(s->store_fd, s->temp);
	if (s->dirfd < 0)
		return kb_err_sys(err, "cannot open directory '%s/%s'",
				  s->store, s->temp);
	(void)flock(s->dirfd, LOCK_EX | LOCK_NB); /* see the header */
	return 0;
}

int kb_stage_open(struct kb_stage *s, const char *store, struct kb_err *err)
{
	bool locked;
	int ret;

	*s = (struct kb_stage)KB_STAGE_INIT;
	s->store = kb_xstrdup(store);
	ret = kb_dir_make(store, err);
	if (ret < 0)
		return kb_err_wrap(err, "cannot make store '%s'", store);
	s->store_fd = open(store, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (s->store_fd < 0)
		return kb_err_sys(err, "cannot open directory '%s'", store);

	locked = flock(s->store_fd, LOCK_EX) == 0;
	if (locked)
		remove_abandoned(s->store_fd);
	ret = make_temp(s, err);
	if (locked)
		(void)flock(s->store_fd, LOCK_UN);
	return ret;
}

void kb_stage_release(struct kb_stage *s)
{
	/* If this fails the next stage in this store tries again. */
	if (s->temp && s->store_fd >= 0)
		(void)kb_dir_remove(s->store_fd, s->temp, NULL);
	if (s->dirfd >= 0)
		close(s->dirfd);
	if (s->store_fd >= 0)
		close(s->store_fd);
	free(s->temp);
	free(s->store);
	*s = (struct kb_stage)KB_STAGE_INIT;
}

static int sync_tree(int dirfd, const char *name, struct kb_err *err);

static int sync_children(int fd, const char *name, struct kb_err *err)
{
	kb_auto(dir) DIR *d = open_dir(fd);
	struct dirent *e;

	if (!d)
		return kb_err_sys(err, "cannot read '%s'", name);
	while ((errno = 0, e = readdir(d))) {
		int ret;

		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		ret = sync_tree(fd, e->d_name, err);
		if (ret < 0)
			return ret;
	}
	return errno ? kb_err_sys(err, "cannot read '%s'", name) : 0;
}

/* A file, or a directory after everything in it. */
static int sync_tree(int dirfd, const char *name, struct kb_err *err)
{
	kb_auto(fd) int fd = openat(dirfd, name,
				    O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;
	int ret = 0;

	if (fd < 0 || fstat(fd, &st) < 0)
		return kb_err_sys(err, "cannot open '%s'", name);
	if (S_ISDIR(st.st_mode))
		ret = sync_children(fd, name, err);
	if (ret < 0)
		return ret;
	if (fsync(fd) < 0)
		return kb_err_sys(err, "cannot sync '%s'", name);
	return 0;
}

/* Is it done? Where a file system cannot exchange names, the older is deleted
 * first. */
static int exchange_dir(struct kb_stage *s, const char *name, struct kb_err *err)
{
	if (renameat2(s->store_fd, s->temp, s->store_fd, name,
		      RENAME_EXCHANGE) == 0)
		return 1;
	return errno == EINVAL ? kb_dir_remove(s->store_fd, name, err) : 0;
}

int kb_stage_publish(struct kb_stage *s, const char *name, struct kb_err *err)
{
	int ret;

	if (!s->temp)
		KB_BUG("published twice");
	/* Each fsync(2) waits for the device, for a millisecond where it is
	 * busy. Where the other cannot be had they must do. */
	if (s->has_many && syncfs(s->dirfd) == 0)
		ret = 0;
	else
		ret = sync_tree(s->store_fd, s->temp, err);
	if (ret == 0 && s->replaces)
		ret = exchange_dir(s, name, err);
	if (ret > 0)
		return kb_dir_sync(s->store_fd, ".", err);
	if (ret < 0)
		return ret;

	if (renameat(s->store_fd, s->temp, s->store_fd, name) < 0) {
		/* Somebody was first. Which of the two says so, POSIX leaves
		 * open. */
		if (!s->replaces && (errno == ENOTEMPTY || errno == EEXIST))
			return 0;
		return kb_err_sys(err, "cannot name '%s/%s'", s->store, name);
	}
	free(kb_steal(s->temp));
	return kb_dir_sync(s->store_fd, ".", err);
}
