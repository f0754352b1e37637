#ifndef KB_CONFINE_SCRATCH_H
#define KB_CONFINE_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>

struct kb_buf;
struct kb_err;

/*
 * Throw-away directories, below TMPDIR or /tmp. Each run of a tool has one
 * root, which it holds locked; a root whose owner was killed is swept by
 * the next run. Each worker gets a pair in it: `work`, where it may write,
 * and `code`, where it may only read. One with a root of its own has a directory
 * in memory as `work`, of limited size; this descriptor holds it then.
 */

struct kb_scratch {
	char *root;
	bool is_noexec;			/* no program or library in it can be
					   executed or loaded (mount(8)) */
	int lock_fd;
	unsigned next;
};

#define KB_SCRATCH_INIT { .lock_fd = -1 }

/* Fails with KB_ERR_SYS. */
int kb_scratch_open(struct kb_scratch *s, struct kb_err *err);
void kb_scratch_release(struct kb_scratch *s);

struct kb_scratch_dir {
	char *work;
	char *code;
	int work_fd;			/* what a program had as `work`, if that
					   was not this; 0: it was, or it has
					   not been started */
};

/* `work` of a program that has been started, or is to be; the caller closes
 * it. Below 0, with errno, if it cannot be opened. */
int kb_scratch_open_work(const struct kb_scratch_dir *d);

/* `other_user`: `work` belongs to KB_WORKER_UID. Fails with KB_ERR_SYS. */
int kb_scratch_make(struct kb_scratch *s, struct kb_scratch_dir *d,
		    bool other_user, struct kb_err *err);

/* Put a file into `code`, from memory, where `name` may be in folders, or from the
 * directory `from`. Fail with KB_ERR_SYS, KB_ERR_MISSING. */
int kb_scratch_put(const struct kb_scratch_dir *d, const char *name,
		   const void *data, size_t len, struct kb_err *err);
int kb_scratch_copy(const struct kb_scratch_dir *d, const char *from,
		    const char *name, struct kb_err *err);

/* Link the file `path`, of the same file system, as `name`, which may be in folders,
 * into `code`. Fails with KB_ERR_SYS. */
int kb_scratch_link(const struct kb_scratch_dir *d, const char *name,
		    const char *path, struct kb_err *err);

/* Append `text` without the paths of such directories, which no two runs have
 * in common: "/tmp/kb-scratch-aB3dE6/4-code/code.c" becomes "code.c". */
void kb_scratch_cut_paths(struct kb_buf *out, const char *text, size_t len);

/* Deletes both directories. Fine on a zeroed struct. */
void kb_scratch_remove(struct kb_scratch_dir *d);

static inline void kb_cleanup_scratch_dir(struct kb_scratch_dir *d)
{
	kb_scratch_remove(d);
}

#endif
