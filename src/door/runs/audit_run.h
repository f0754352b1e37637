#ifndef KB_RUNS_AUDIT_RUN_H
#define KB_RUNS_AUDIT_RUN_H

#include <stddef.h>

#include "audit/gather.h"
#include "audit/lane.h"
#include "crew/crew.h"
#include "manifest/audit.h"
#include "session/journaled.h"

struct kb_err;
struct kb_session;

/*
 * One run of kb-audit: of which problems evidence is gathered, and how; and what
 * was found so far.
 *
 * The program says what is to be done, and what becomes of the audit; this is
 * what happens between: what a lane does with a problem, which problems are done
 * a second time, and how what a lane says becomes a line of the journal.
 */
struct kb_audit_run {
	struct kb_session *session;		/* borrowed */
	struct kb_gather_options gather;
	struct kb_audit audit;
	struct kb_journaled journaled;
	struct kb_crew crew;
	struct kb_audit_lane lane;

	struct kb_key *again;			/* problems that lacked memory
						   beside others; owned */
	size_t again_count;
};

#define KB_AUDIT_RUN_INIT { .audit = KB_AUDIT_INIT,			\
	.journaled = KB_JOURNALED_INIT, .crew = KB_CREW_INIT }

/* Start the lanes, as kb_crew_open(): the session is prepared, and `gather` set.
 * Release the run in any case. */
int kb_audit_run_open(struct kb_audit_run *run, struct kb_err *err);
void kb_audit_run_release(struct kb_audit_run *run);

/* Audit what the session's journal does not have: then run->audit has the lines.
 * Fails as kb_journaled_run(). */
int kb_audit_run_do(struct kb_audit_run *run, struct kb_err *err);

#endif
