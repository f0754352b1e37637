#ifndef KB_STORE_STAGE_H
#define KB_STORE_STAGE_H

#include <stdbool.h>

struct kb_err;

/*
 * A directory that appears in a store whole or not at all.
 *
 * It grows under a name that starts with KB_FILE_TEMP_PREFIX, locked
 * (flock(2)) by the process that fills it, and becomes visible by one
 * rename after everything in it is durable. Whatever moment the process
 * dies at, the store holds at most one such directory more, unlocked;
 * the next kb_stage_open() on this node removes it, or one on another node
 * that finds it untouched for a day: locks may not hold between nodes.
 *
 * Making and locking one are two steps, and so are finding one unlocked
 * and removing it: the store's own lock keeps the pairs apart. Where the
 * file system cannot lock directories, nothing is removed.
 */
struct kb_stage {
	char *store;
	char *temp;	/* name in the store; NULL once published */
	int store_fd;
	int dirfd;	/* fill this */
	bool has_many;	/* set if there are so many files that it is shorter to
			   make the whole file system durable at once, with
			   syncfs(2), which tells of errors from Linux 5.8 on */
	bool replaces;	/* set if a directory that has the name is deleted */
};

#define KB_STAGE_INIT { .store_fd = -1, .dirfd = -1 }

/*
 * Make the store if need be, and an empty directory in it. End it with
 * kb_stage_release(), which deletes what was not published, also after a
 * failure here.
 *
 * Fails with KB_ERR_SYS, with KB_ERR_INPUT if `store` is not a directory.
 */
int kb_stage_open(struct kb_stage *s, const char *store, struct kb_err *err);
void kb_stage_release(struct kb_stage *s);

/*
 * Make it durable and give it its name. If that name is taken by a
 * directory that is not empty, the two change places if the stage replaces,
 * and kb_stage_release() deletes the older; else this is success and changes
 * nothing. Done once. Fails with KB_ERR_SYS.
 */
int kb_stage_publish(struct kb_stage *s, const char *name, struct kb_err *err);

#endif
