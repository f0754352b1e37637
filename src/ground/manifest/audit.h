#ifndef KB_MANIFEST_AUDIT_H
#define KB_MANIFEST_AUDIT_H

#include "manifest/conditions.h"
#include "manifest/evidence.h"
#include "manifest/finding.h"
#include "manifest/key.h"
#include "manifest/outcome.h"
#include "manifest/record.h"

/* The audit of one problem: one line of data/results.jsonl. */
struct kb_audit_line {
	struct kb_key key;
	struct kb_outcome outcome;
	struct kb_json *reduced;	/* name -> value as text; NULL for the
					   problem as it is */
	struct kb_findings findings;	/* none unless audited */
	struct kb_evidence *evidence;	/* owned; NULL unless audited */
};

#define KB_AUDIT_LINE_INIT { .outcome = KB_OUTCOME_INIT }

void kb_audit_line_release(struct kb_audit_line *l);
struct kb_json *kb_audit_line_to_json(const struct kb_audit_line *l);
int kb_audit_line_from_json(struct kb_audit_line *l,
			    const struct kb_json *line, const char *where,
			    struct kb_err *err);

/* An audit of a suite: what its problems are worth as measurements. */
struct kb_audit {
	struct kb_digest suite;		/* parent */
	struct kb_conditions conditions;
	struct kb_key *problems;	/* that were selected; sorted */
	size_t problem_count;
	struct kb_audit_line *lines;	/* one a problem; sorted */
	size_t line_count;
};

#define KB_AUDIT_INIT { .conditions = KB_CONDITIONS_INIT }

void kb_audit_release(struct kb_audit *a);

/* The record without its lines. */
struct kb_json *kb_audit_to_json(const struct kb_audit *a);
int kb_audit_from_json(struct kb_audit *out, const struct kb_json *record,
		       const char *where, struct kb_err *err);

/* Record and lines: exactly one line for each selected problem. */
int kb_audit_load(struct kb_audit *out, const struct kb_bundle *b,
		  struct kb_err *err);

/* Add record and lines to a new bundle. Sorts them. */
int kb_audit_write(struct kb_bundle_writer *w, struct kb_audit *a,
		   struct kb_err *err);

static inline void kb_cleanup_audit_line(struct kb_audit_line *l)
{
	kb_audit_line_release(l);
}

static inline void kb_cleanup_audit(struct kb_audit *a)
{
	kb_audit_release(a);
}

#endif
