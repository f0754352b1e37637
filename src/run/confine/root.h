#ifndef KB_CONFINE_ROOT_H
#define KB_CONFINE_ROOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct kb_files;

/*
 * A root directory of a worker's own: a small tree in memory. In it is what a
 * program needs in order to run, read-only and without set-uid; a few device
 * nodes; what its supervisor put into its two directories; and nothing else
 * of the machine's files, nor any of the sockets among them.
 */

enum kb_root_kind {
	KB_ROOT_SHOWN,		/* a file, or a directory with all below it */
	KB_ROOT_LINK,		/* a symbolic link */
	KB_ROOT_CLOSED,		/* a directory in what is shown: empty */
	KB_ROOT_NODE,		/* a device node, to be read and written */
};

struct kb_root_entry {
	enum kb_root_kind kind;
	char *path;		/* absolute, no links on the way */
	char *target;		/* of a link */
};

/* The entries of a root. A path that is gone when the root is entered is left
 * out. */
struct kb_root {
	struct kb_root_entry *entries;
	size_t count, capacity;
	char **homes;		/* never shown, nor what holds them */
	size_t home_count, home_capacity;
	bool others;		/* its programs are another user's: what is
				   closed to others stays so */
};

#define KB_ROOT_INIT { .entries = NULL }

void kb_root_release(struct kb_root *r);

static inline void kb_cleanup_root(struct kb_root *r)
{
	kb_root_release(r);
}

/* Hide a home: this directory, and those that it lies in, are left out although
 * another path leads there. Called before the functions below; NULL is none. */
void kb_root_add_home(struct kb_root *r, const char *path);

/* Show `path`, and the links on the way to it. Nothing is shown of a path that
 * does not exist, is not absolute or holds a home that is hidden. Of a path in a
 * store of Spack's the store is shown. NULL is none. */
void kb_root_add(struct kb_root *r, const char *path);

/* Show each path of a list with colons between. */
void kb_root_add_list(struct kb_root *r, const char *paths);

/* Show a directory into which software is installed: all of it, or, if it is a
 * home, the folders that installations have (bin, lib and others). */
void kb_root_add_prefix(struct kb_root *r, const char *path);

/* Show the installation of a program: the directory above its "bin", or else
 * the directory that it lies in; and that of each link on the way to it. */
void kb_root_add_program(struct kb_root *r, const char *path);

/* Show the system's programs and libraries, and what the kernel says of
 * processors and memory; with `devices`, of all devices. */
void kb_root_add_system(struct kb_root *r, bool devices);

void kb_root_add_node(struct kb_root *r, const char *path);

/* After all that is shown. */
void kb_root_add_closed(struct kb_root *r, const char *path);

/*
 * In a mount namespace of one's own in which nothing travels back: no
 * allocation, no locks. The directory of all scratch directories is covered by
 * the tree while that is made; if `files` hides any, no nodes are added.
 * Returns 0, with what is in force added to `features`, or an errno value, after
 * which the files are as they were.
 */
int kb_root_enter(const struct kb_root *r, const struct kb_files *files,
		  uid_t uid, gid_t gid, uint32_t *features);

#endif
