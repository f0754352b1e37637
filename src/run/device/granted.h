#ifndef KB_DEVICE_GRANTED_H
#define KB_DEVICE_GRANTED_H

#include <stddef.h>
#include <stdint.h>

/*
 * The part of this machine that this process may use: a batch system or a
 * container grants a part of it by an affinity mask and by control groups, of
 * version 2 or 1. `root` stands before the paths of /proc and /sys; "" is the
 * machine. What cannot be read limits nothing.
 */

/* The processors of the affinity mask, or fewer if a quota of processor time
 * is for less; 1 or more. */
int64_t kb_granted_cpus(const char *root);

/* The machine's memory, or the least limit of this process's control group and
 * of the groups above it. */
uint64_t kb_granted_memory_bytes(const char *root);

#define KB_NOT_LIMITED UINT64_MAX

/*
 * The path of a control group in `text`, which is that of /proc/self/cgroup:
 * the group of `controller` (version 1), or with NULL that of version 2. The
 * caller frees; NULL if there is none.
 */
char *kb_cgroup_path(const char *text, size_t len, const char *controller);

/* A limit: a number, or "max" or -1 for none. KB_NOT_LIMITED if it is no
 * limit, or nothing that is known. */
uint64_t kb_cgroup_limit(const char *text, size_t len);

/* Processors that a quota is for, rounded up: "QUOTA PERIOD" in microseconds. */
uint64_t kb_cgroup_cpus(const char *text, size_t len);

#endif
