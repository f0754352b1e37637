#ifndef KB_MANIFEST_BASELINE_H
#define KB_MANIFEST_BASELINE_H

#include "manifest/conditions.h"
#include "manifest/device_timing.h"
#include "manifest/key.h"
#include "manifest/oracle.h"
#include "manifest/outcome.h"
#include "manifest/record.h"
#include "manifest/timing.h"

struct kb_fields;

/* How the reference is run. */
enum kb_mode {
	KB_MODE_EAGER,
	KB_MODE_COMPILE_DEFAULT,
	KB_MODE_COMPILE_REDUCE_OVERHEAD,
	KB_MODE_COMPILE_MAX_AUTOTUNE,
	KB_MODE_COMPILE_MAX_AUTOTUNE_NO_CUDAGRAPHS,
	KB_MODE_CUDAGRAPHS,
	KB_MODE_COUNT,			/* not a mode */
};

const char *kb_mode_name(enum kb_mode mode);

/* Fails with KB_ERR_INPUT. */
int kb_mode_parse(enum kb_mode *out, const char *name, struct kb_err *err);

/* The time of one reference: one line of data/results.jsonl. */
struct kb_reference_result {
	struct kb_key key;
	enum kb_mode mode;
	struct kb_outcome outcome;
	struct kb_oracle *oracle;	/* owned; NULL: it was not asked */
	struct kb_timing *timing;	/* owned; NULL unless timed */
	struct kb_device_timing *device_timing;	/* owned; NULL unless timed,
						   or without such a clock */
};

#define KB_REFERENCE_RESULT_INIT { .outcome = KB_OUTCOME_INIT }

void kb_reference_result_release(struct kb_reference_result *r);
struct kb_json *
kb_reference_result_to_json(const struct kb_reference_result *r);
int kb_reference_result_from_json(struct kb_reference_result *r,
				  const struct kb_json *line,
				  const char *where, struct kb_err *err);

/* What readers of all versions begin and end with: key, mode and outcome; and
 * whether times go with the status. */
void kb_reference_result_begin(struct kb_reference_result *r,
			       struct kb_fields *f, const struct kb_json *line,
			       const char *where, struct kb_err *err);
void kb_reference_result_check(struct kb_fields *f,
			       const struct kb_reference_result *r);

struct kb_baseline {
	int version;			/* of the record as it was read, or 0;
					   what is written is the latest */
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
