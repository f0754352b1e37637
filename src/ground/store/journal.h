#ifndef KB_STORE_JOURNAL_H
#define KB_STORE_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>

struct kb_err;
struct kb_json;

/*
 * The finished part of a stage that takes hours.
 *
 * A journal is an append-only file in the store, named after what is being
 * done: ".journal-" and the SHA-256 of an identity, which is everything
 * that makes two runs the same run. Each line is the first 16 hex digits
 * of the SHA-256 of the rest, a space, one canonical JSON value, a line
 * feed; the first line holds the identity. A line is in the file before
 * kb_journal_write() returns, so a run that is killed loses at most what
 * it was busy with; what was written before kb_journal_sync() outlives the
 * machine, too. A line that is torn or bent ends the journal there: what
 * follows is cut off when it is opened.
 *
 * An open journal is locked: the same run cannot go on twice at a time. Where
 * locks hold among the processes of one node only, one on another node finds
 * out when it appends, and writes nothing. A run can be shared out: each shard
 * has a journal of its own, whose name goes on with "-" and the name of the
 * shard.
 */
struct kb_journal {
	int fd;
	bool unsynced;
	char *path;
	struct kb_json **lines;		/* after the identity; owned */
	size_t count;
	struct kb_journal *shards;	/* of the whole run; owned, by name */
	size_t shard_count;
};

#define KB_JOURNAL_INIT { .fd = -1 }

/*
 * Open or begin the journal of `identity` in the directory `store`: that of
 * a shard ("2-of-4"), or with NULL that of the whole run, and with it those
 * of the shards that are there.
 *
 * Fails with KB_ERR_SYS; KB_ERR_TIMEOUT if another process has it open, or
 * one of the shards.
 */
int kb_journal_open(struct kb_journal *j, const char *store,
		    const struct kb_json *identity, const char *shard,
		    struct kb_err *err);

/* The identity of the journal in this file; NULL if it is no journal or cannot
 * be read. The caller frees. */
struct kb_json *kb_journal_identity(const char *path);

/* `line` is copied into `lines`, too. Fails with KB_ERR_SYS; KB_ERR_TIMEOUT if
 * somebody else has written to the file, or removed it. */
int kb_journal_write(struct kb_journal *j, const struct kb_json *line,
		     struct kb_err *err);

/* Nothing to do if that was done after the last line. Fails with KB_ERR_SYS. */
int kb_journal_sync(struct kb_journal *j, struct kb_err *err);

/* Both, one after the other. */
int kb_journal_append(struct kb_journal *j, const struct kb_json *line,
		      struct kb_err *err);

/* The work is done and stored elsewhere; shards go as well. */
int kb_journal_delete(struct kb_journal *j, struct kb_err *err);

/* Close, leaving the file. Fine on KB_JOURNAL_INIT. */
void kb_journal_release(struct kb_journal *j);

/*
 * The lines of a journal's bytes, up to the first that does not hold.
 * Returns how many bytes hold, 0 if not even the identity does. Caller
 * frees each line and `*lines`.
 */
size_t kb_journal_parse(struct kb_json ***lines, size_t *count,
			const void *data, size_t len,
			const struct kb_json *identity);

static inline void kb_cleanup_journal(struct kb_journal *j)
{
	kb_journal_release(j);
}

#endif
