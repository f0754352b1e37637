#ifndef KB_SESSION_SHARD_NOTES_H
#define KB_SESSION_SHARD_NOTES_H

#include <stddef.h>

#include "base/buf.h"

struct kb_err;
struct kb_journal;
struct kb_json;

/*
 * The shards that a merge does not find: shards that are absent; and if any
 * are, or there is none, those in the same store of a run that is like this one
 * (its kind, parents and mode) but not the same, and in what it differs.
 */
struct kb_shard_notes {
	struct kb_buf text;		/* a line each; owned */
	size_t absent, different;
};

#define KB_SHARD_NOTES_INIT { .text = KB_BUF_INIT }

/* `j` is the journal of the whole run, open, and `identity` what makes it this
 * run. Fails with KB_ERR_SYS. */
int kb_shard_notes_take(struct kb_shard_notes *n, const char *store,
			const struct kb_journal *j,
			const struct kb_json *identity, struct kb_err *err);

static inline void kb_cleanup_shard_notes(struct kb_shard_notes *n)
{
	kb_buf_release(&n->text);
}

#endif
