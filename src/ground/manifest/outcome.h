#ifndef KB_MANIFEST_OUTCOME_H
#define KB_MANIFEST_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "manifest/record.h"
#include "manifest/status.h"
#include "manifest/trial_seeds.h"

struct kb_fields;
struct kb_json;

/*
 * The outcome of a run: the fields that a candidate's result and a reference's
 * result share. In a record they are members of the line itself, not of an
 * object of their own.
 */
struct kb_outcome {
	enum kb_status status;
	enum kb_phase phase;		/* where it ended */
	char *signal;			/* "SIGSEGV"; only if it crashed */
	int64_t exit_status;		/* 0 to 255; only if it exited,
					   else KB_UNKNOWN */
	char *detail;			/* one line for people, or NULL */
	struct kb_trial_seeds trial_seeds;
	char *log;			/* what it printed, cleaned; never NULL
					   in a record; NULL is written "" */
	bool log_truncated;
	int64_t wall_ns;		/* from start to verdict */
};

#define KB_OUTCOME_INIT { .status = KB_STATUS_MISSING, \
			  .exit_status = KB_UNKNOWN }

void kb_outcome_release(struct kb_outcome *o);

/* Set the members of `line`, an object. */
void kb_outcome_to_json(struct kb_json *line, const struct kb_outcome *o);

/*
 * Read them. Refuses what contradicts itself: a phase that the status
 * cannot end in, a signal without a crash or a crash without one, and so
 * with the exit status. If `f` has failed `o` may be filled in part; the
 * caller releases it.
 */
void kb_outcome_read(struct kb_outcome *o, struct kb_fields *f);

#endif
