#ifndef KB_CONFINE_LEFT_H
#define KB_CONFINE_LEFT_H

#include <stdbool.h>
#include <stddef.h>

struct kb_buf;
struct kb_err;
struct kb_kept;
struct kb_scratch_dir;

/*
 * The files that a program has left in its scratch directory. They are taken
 * when the program and all that it started have ended, and put into another
 * one. Names, bytes and times are taken, of folders and files alone: neither
 * links nor owners nor permissions.
 */

/* Append one file to `out`. Returns 1; 0 if it is no file, is empty, or has
 * more than `bytes_max`; fails with KB_ERR_SYS. */
int kb_left_file(struct kb_buf *out, const struct kb_scratch_dir *dir,
		 const char *name, size_t bytes_max, struct kb_err *err);

/* A candidate's build leaves so many bytes at most. */
#define KB_LEFT_BYTES_MAX ((size_t)256 << 20)

/* All of it but the names in `except`, a list that ends with NULL, as entries
 * of `k`. Returns 1; 0 if that is more than can be kept, or than `bytes_max`; fails
 * with KB_ERR_SYS. */
int kb_left_take(struct kb_kept *k, const struct kb_scratch_dir *dir,
		 const char *const except[], size_t bytes_max,
		 struct kb_err *err);

/* Put the entries of `k` into the directory `work_fd`, which is empty and in
 * which no program works yet. They belong to KB_WORKER_UID if `other_user`.
 * Fails with KB_ERR_SYS. */
int kb_left_put(const struct kb_kept *k, int work_fd, bool other_user,
		struct kb_err *err);

#endif
