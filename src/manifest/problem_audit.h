#ifndef KB_MANIFEST_PROBLEM_AUDIT_H
#define KB_MANIFEST_PROBLEM_AUDIT_H

#include <stdbool.h>
#include <stddef.h>

struct kb_err;
struct kb_fields;
struct kb_json;

/*
 * What running a problem's reference told of the problem itself: whether a
 * candidate that computes nothing of it could be taken for correct.
 * kb-manifest.5 says what each finding means.
 */
enum kb_finding {
	KB_FINDING_INPUT_INDEPENDENT,
	KB_FINDING_ZERO_OUTPUT,
	KB_FINDING_CONSTANT_OUTPUT,
	KB_FINDING_ZEROS_PASS,
	KB_FINDING_ZEROS_PASS_LOOSE,
	KB_FINDING_CONSTANT_PASSES,
	KB_FINDING_CONSTANT_PASSES_LOOSE,
	KB_FINDING_OTHER_INPUT_PASSES,
	KB_FINDING_OTHER_INPUT_PASSES_LOOSE,
	KB_FINDING_IDENTITY,
	KB_FINDING_REMOVABLE,
	KB_FINDING_NOT_REPRODUCIBLE,
	KB_FINDING_RANDOM,
	KB_FINDING_TOLERANCE_LOOSE,
	KB_FINDING_TOLERANCE_TIGHT,
	KB_FINDING_NOT_FINITE,
	KB_FINDING_COUNT,		/* not a finding */
};

const char *kb_finding_name(enum kb_finding finding);	/* "zeros_pass" */

/* Fails with KB_ERR_INPUT. */
int kb_finding_parse(enum kb_finding *out, const char *name,
		     struct kb_err *err);

/* A problem with this finding measures nothing, or not what it says. */
bool kb_finding_unsound(enum kb_finding finding);

struct kb_problem_audit {
	struct {
		enum kb_finding finding;
		char *evidence;		/* one line for people */
	} *findings;
	size_t finding_count;
	char *device;			/* where it ran: "NVIDIA H200" */
	char *tool_commit;		/* 40 hex digits, or NULL */
};

/* None of the findings is one that makes a problem unsound. */
bool kb_problem_audit_sound(const struct kb_problem_audit *a);

void kb_problem_audit_free(struct kb_problem_audit *a);	/* or NULL */

/* NULL gives null. The caller owns the result. */
struct kb_json *kb_problem_audit_to_json(const struct kb_problem_audit *a);

/* The member `key`, which must be there: null gives NULL. The caller frees
 * with kb_problem_audit_free(). */
struct kb_problem_audit *kb_problem_audit_read(struct kb_fields *f,
					       const char *key);

#endif
