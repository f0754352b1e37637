#ifndef KB_CONFINE_CGROUP_FILES_H
#define KB_CONFINE_CGROUP_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kb_buf;

/*
 * The files of a control group, by the descriptor of its directory.
 */

/* All of a file; empty if it cannot be read. */
void kb_cgroup_read(struct kb_buf *text, int fd, const char *name);

/* False, with errno, if the kernel does not take it. */
bool kb_cgroup_write(int fd, const char *name, const char *text);

/* Open the group at `path` in `fd`; -1 if it cannot be. */
int kb_cgroup_at(int fd, const char *path);

/* Kill what is in it and in the groups in it, and remove them all; false if it
 * is still there after a second. */
bool kb_cgroup_destroy(int parent_fd, const char *name);

/* Has the group at `path` the name of a service or a scope of systemd? */
bool kb_cgroup_is_unit(const char *path);

/* Is `word` one of `text`, with blanks or line feeds between? */
bool kb_cgroup_has_word(const char *text, size_t len, const char *word);

/* The number after `name` in lines of "NAME NUMBER"; 0 if it is not there. */
uint64_t kb_cgroup_count(const char *text, size_t len, const char *name);

#endif
