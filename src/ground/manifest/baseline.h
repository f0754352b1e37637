#ifndef KB_MANIFEST_BASELINE_H
#define KB_MANIFEST_BASELINE_H

#include "manifest/conditions.h"
#include "manifest/key.h"
#include "manifest/record.h"
#include "manifest/reference_result.h"

struct kb_baseline {
	struct kb_digest suite;		/* parent */
	struct kb_conditions conditions;
	enum kb_mode mode;
	struct kb_key *problems;	/* that were selected; sorted */
	size_t problem_count;
	struct kb_reference_result *results;	/* one a problem; sorted */
	size_t result_count;
};

#define KB_BASELINE_INIT { .conditions = KB_CONDITIONS_INIT }

void kb_baseline_release(struct kb_baseline *b);

/* The record without its lines. */
struct kb_json *kb_baseline_to_json(const struct kb_baseline *b);
int kb_baseline_from_json(struct kb_baseline *out,
			  const struct kb_json *record, const char *where,
			  struct kb_err *err);

/* Record and lines: exactly one line for each selected problem, each of
 * the record's mode. */
int kb_baseline_load(struct kb_baseline *out, const struct kb_bundle *b,
		     struct kb_err *err);

/* The same of a bundle of the store. */
int kb_baseline_load_id(struct kb_baseline *out, const char *store,
			const struct kb_digest *id, struct kb_err *err);

/* Add record and lines to a new bundle. Sorts `results` and `problems`. */
int kb_baseline_write(struct kb_bundle_writer *w, struct kb_baseline *b,
		      struct kb_err *err);

/* NULL if the baseline does not have the problem. Borrowed. */
const struct kb_reference_result *
kb_baseline_find(const struct kb_baseline *b, struct kb_key key);

static inline void kb_cleanup_reference_result(struct kb_reference_result *r)
{
	kb_reference_result_release(r);
}

static inline void kb_cleanup_baseline(struct kb_baseline *b)
{
	kb_baseline_release(b);
}

#endif
