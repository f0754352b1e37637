#ifndef KB_CONFINE_MOUNTS_H
#define KB_CONFINE_MOUNTS_H

#include <stdbool.h>

/*
 * Mounts, in the process that is being confined: no allocation, no locks. Each
 * returns 0 or an errno value, but for those that say otherwise.
 */

#define KB_MOUNTS_SHM "size=256m,nr_inodes=16k,mode=1777"

#define KB_MOUNTS_BELOW 0x8000	/* AT_RECURSIVE: and all mounts below it */

/* Below 0, with errno, on failure; always before Linux 5.12. */
int kb_mounts_set_read_only(const char *path, unsigned flags, bool on);

/* Read-only, without set-uid and devices, with all below it. As above. */
int kb_mounts_protect(const char *path);

/*
 * A /proc of one's own at `at`, its settings read-only; `own` says whether it
 * could be had. A path other than "/proc" gets the machine's if it could not.
 */
int kb_mounts_proc(const char *at, bool *own);

/* Write `text` to the file, which is made. */
int kb_mounts_write(const char *path, const char *text);

#endif
