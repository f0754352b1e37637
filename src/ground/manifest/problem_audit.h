#ifndef KB_MANIFEST_PROBLEM_AUDIT_H
#define KB_MANIFEST_PROBLEM_AUDIT_H

#include "manifest/finding.h"

struct kb_fields;
struct kb_json;

/*
 * The findings about a problem from running its reference, as a suite states
 * them: whether a candidate that computes nothing of it could be taken for
 * correct. kb-audit(1) says what each finding means.
 */
struct kb_problem_audit {
	struct kb_findings findings;
	char *device;			/* where it ran: "NVIDIA H200" */
	char *tool_commit;		/* 40 hex digits, or NULL */
};

void kb_problem_audit_free(struct kb_problem_audit *a);	/* or NULL */

/* NULL gives null. The caller owns the result. */
struct kb_json *kb_problem_audit_to_json(const struct kb_problem_audit *a);

/* The member `key`, which must be there: null gives NULL. The caller frees
 * with kb_problem_audit_free(). */
struct kb_problem_audit *kb_problem_audit_read(struct kb_fields *f,
					       const char *key);

#endif
