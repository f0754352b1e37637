#ifndef KB_AUDIT_GATHER_H
#define KB_AUDIT_GATHER_H

#include <stdbool.h>
#include <stdint.h>

#include "confine/scratch.h"
#include "worker/task.h"

struct kb_audit_line;
struct kb_buf;
struct kb_err;

/*
 * One problem and the program that gathers evidence about it, a confined
 * process of its own. Several may be under way at a time.
 */

/* The state that all problems share. */
struct kb_gather_options {
	struct kb_launcher *launcher;
	int64_t timeout_ns;		/* for all of one problem */
	int64_t weights_seed;
	int64_t operations;		/* taken out of a problem, at most */
	int64_t budget_s;		/* for that, on each distribution */
	const struct kb_buf *reduced;	/* the file of reduced forms, or NULL */
};

struct kb_gathering {
	struct kb_task task;
	struct kb_scratch_dir dir;
	int64_t start_ns;
};

#define KB_GATHERING_INIT { .task = KB_TASK_INIT }

/*
 * Start on the problem `key`, `source`, which is in Python. Fails with
 * KB_ERR_SYS, KB_ERR_MISSING; the caller ends it in any case.
 */
int kb_gather_start(struct kb_gathering *g, const struct kb_gather_options *o,
		    struct kb_key key, const struct kb_source *source,
		    struct kb_err *err);

/*
 * Returns 1 if it is over: then `l` has the outcome, and the evidence if the
 * status is "audited". 0 while it is under way. A problem that fails is no
 * failure; fails with KB_ERR_SYS, KB_ERR_INTERRUPTED.
 */
int kb_gather_poll(struct kb_gathering *g, struct kb_audit_line *l,
		   struct kb_err *err);

/* Kills what runs; fine on KB_GATHERING_INIT. */
void kb_gather_end(struct kb_gathering *g);

#endif
