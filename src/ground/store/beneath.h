#ifndef KB_STORE_BENEATH_H
#define KB_STORE_BENEATH_H

#include <stdint.h>

struct kb_err;

/*
 * Files below a directory that somebody else may have filled.
 *
 * A name is taken one component at a time and none may be a symbolic
 * link, so that what is opened is below `dirfd` whatever lies there.
 * Names have passed kb_bundle_check_name() or are our own: they hold no
 * "..". (openat2(2) could do the walk at once, but sandboxes that refuse
 * it are common, and then this would be needed all the same.)
 */

/*
 * Open a directory for reading; "." is `dirfd` itself. Returns a descriptor,
 * or fails with KB_ERR_INPUT if it is something else, with KB_ERR_SYS.
 */
int kb_beneath_open_dir(int dirfd, const char *name, struct kb_err *err);

/*
 * Open a regular file for reading. Returns a descriptor. `size_bytes`
 * receives the size it has now.
 *
 * Fails with KB_ERR_MISSING if there is none, with KB_ERR_INPUT if it is
 * not a regular file or is set-user-id, set-group-id or sticky.
 */
int kb_beneath_open(int dirfd, const char *name, uint64_t *size_bytes,
		    struct kb_err *err);

/*
 * Make a file and the missing directories on its way, and open it for
 * writing. Returns a descriptor. Fails with KB_ERR_SYS.
 */
int kb_beneath_create(int dirfd, const char *name, struct kb_err *err);

/*
 * The same for many files, one after the other below one `dirfd`: the
 * directory of the last stays open, and the way to it is not gone again. The
 * caller releases `last`.
 */
struct kb_beneath_last {
	char *dir;			/* its name, or NULL */
	int fd;
};

#define KB_BENEATH_LAST_INIT { .fd = -1 }

int kb_beneath_create_next(struct kb_beneath_last *last, int dirfd,
			   const char *name, struct kb_err *err);
void kb_beneath_last_release(struct kb_beneath_last *last);

#endif
