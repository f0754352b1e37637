#ifndef KB_AUDIT_SIDE_BY_SIDE_H
#define KB_AUDIT_SIDE_BY_SIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "manifest/key.h"

struct kb_audit_line;
struct kb_bundle;
struct kb_err;
struct kb_gather_options;
struct kb_suite;

/* Problems that are audited, several at a time; all borrowed. */
struct kb_audits {
	const struct kb_gather_options *gather;
	const struct kb_suite *suite;
	const struct kb_bundle *bundle;		/* the suite's */
	const struct kb_key *keys;		/* of problems of the suite */
	size_t count;
	size_t at_a_time;			/* at least 1 */

	/* Is this problem to be left out, since there is a line of it? */
	bool (*is_done)(void *context, struct kb_key key);

	/* A problem is over: its line, with the evidence if there is any, which
	 * the function takes over, whatever it returns. */
	int (*finish)(void *context, struct kb_audit_line *l,
		      struct kb_err *err);
	void *context;
};

/*
 * Audit all of them. A problem that lacked memory beside others is audited once
 * more, alone, before it is over. Fails as kb_gather_start(), kb_gather_poll(),
 * kb_bundle_read() and `finish`; then no process is left.
 */
int kb_audits_run(const struct kb_audits *a, struct kb_err *err);

#endif
