#ifndef KB_CONFINE_LANDLOCK_H
#define KB_CONFINE_LANDLOCK_H

#include <stdbool.h>

struct kb_files;

/*
 * Landlock: a process restricts, for good, which files it and all that it
 * starts may open. No namespace is needed. A worker may read the files that a
 * root of its own would hold (confine/root.h), whether it has that root or not,
 * and write to its scratch directory alone. From Linux 6.12 on its signals and
 * abstract sockets reach no process outside.
 */

/* From Linux 5.19: before, nothing could be moved from one directory into
 * another, as compilers' caches do. */
bool kb_landlock_is_there(void);

/*
 * In the process that is being confined, which may gain no privileges any
 * more: no allocation, no locks. `own_root`: it is in the root of `files`.
 * `program_fd` may be executed, wherever it lies; or -1. Returns 0 or an errno
 * value.
 */
int kb_landlock_confine(const struct kb_files *files, bool own_root,
			int program_fd);

#endif
