#ifndef KB_SESSION_JOURNALED_H
#define KB_SESSION_JOURNALED_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/progress.h"
#include "manifest/key.h"
#include "manifest/status.h"
#include "session/done.h"

struct kb_err;
struct kb_json;
struct kb_session;

/*
 * The work of kb-eval, kb-baseline and kb-audit once a session is resumed:
 * results that the journal has are taken over, the rest is made, and each is in
 * the journal, on the disk, before anybody is told of it.
 */
struct kb_journaled {
	struct kb_session *session;	/* borrowed; set by kb_journaled_run() */
	struct kb_done done;		/* of which samples there are results */
	struct kb_progress progress;
};

#define KB_JOURNALED_INIT {						\
	.done = KB_DONE_INIT, .progress = { .events_fd = -1 },		\
}

/* A result, as the journal knows it. */
struct kb_journaled_item {
	struct kb_key key;
	int sample_id;			/* 0 where there are no samples */
	enum kb_status status;
	bool is_timed;			/* it is correct, and has a time */
};

/* Functions fail with any kind. */
struct kb_journaled_work {
	const char *items;		/* what there are: "problems" */

	/* A line of the journal, which is called `path` in messages: keep what
	 * it says if kb_journaled_resume() says so. */
	int (*take)(void *context, const struct kb_json *line,
		    const char *path, struct kb_err *err);

	/* Make what is not there yet; each ends with kb_journaled_add(). */
	int (*make)(void *context, struct kb_err *err);
};

/*
 * All of it: `total` items. With --merge-only it fails with KB_ERR_INPUT if
 * any is left to be made. If it was interrupted `err` says how far it got.
 */
int kb_journaled_run(struct kb_journaled *j, struct kb_session *s,
		     size_t total, const struct kb_journaled_work *work,
		     void *context, struct kb_err *err);

/* An item that an earlier run, or another shard, has made. False if that was
 * there already, and is to be dropped. */
bool kb_journaled_resume(struct kb_journaled *j,
			 const struct kb_journaled_item *item);

/* An item that was made now, whose line is written to the journal, which the
 * caller syncs, at the latest before it waits for something. `event` is what
 * programs know it as and `text` is for people, NULL to say nothing. */
int kb_journaled_add(struct kb_journaled *j,
		     const struct kb_journaled_item *item,
		     const struct kb_json *line, const char *event,
		     const char *text, struct kb_err *err);

static inline void kb_cleanup_journaled(struct kb_journaled *j)
{
	kb_done_release(&j->done);
}

#endif
