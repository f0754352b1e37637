#ifndef KB_WORKER_LANDLOCK_H
#define KB_WORKER_LANDLOCK_H

#include <stdbool.h>

struct kb_files;

/*
 * Landlock: what a process may open, decided by itself once and for all and
 * for all that it starts. It needs no namespace. Where there is a root of its
 * own this says the same again; where there is none the files that would be in
 * it are those that can be read, and the scratch directory is what can be
 * written to. From Linux 6.12 it also keeps signals and abstract sockets
 * within.
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
