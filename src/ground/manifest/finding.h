#ifndef KB_MANIFEST_FINDING_H
#define KB_MANIFEST_FINDING_H

#include <stdbool.h>

struct kb_fields;
struct kb_json;

/*
 * The findings of an audit. The names are part of the record format
 * (doc/kb-manifest.5): the text form is the enumerator in lower case, without
 * its prefix. The order is that of records and tables.
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
	KB_FINDING_ROUNDING_CHOOSES,
	KB_FINDING_NOT_FINITE,
	KB_FINDING_COUNT,		/* not a finding */
};

const char *kb_finding_name(enum kb_finding finding);

/* A problem with it does not measure what it seems to; the other findings
 * are worth knowing and no more. */
bool kb_finding_is_unsound(enum kb_finding finding);

/* The findings of one problem: for each the numbers it rests on, one line for
 * people, or NULL if the problem does not have it. */
struct kb_findings {
	char *evidence[KB_FINDING_COUNT];
};

#define KB_FINDINGS_INIT { .evidence = { 0 } }

void kb_findings_release(struct kb_findings *f);
bool kb_findings_sound(const struct kb_findings *f);

/* [{"finding": ..., "evidence": ...}, ...], in the order of the enum. */
struct kb_json *kb_findings_to_json(const struct kb_findings *f);

/* Read the member `key`. If `f` has failed `out` may be filled in part; the
 * caller releases it. */
void kb_findings_read(struct kb_findings *out, struct kb_fields *f,
		      const char *key);

static inline void kb_cleanup_findings(struct kb_findings *f)
{
	kb_findings_release(f);
}

#endif
