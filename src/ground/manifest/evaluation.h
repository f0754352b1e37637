#ifndef KB_MANIFEST_EVALUATION_H
#define KB_MANIFEST_EVALUATION_H

#include "manifest/conditions.h"
#include "manifest/key.h"
#include "manifest/record.h"
#include "manifest/result.h"

/* The requests to kb-serve. Each either has a line, or was answered from
 * memory, or was withdrawn: by a client that went away, by a deadline, or since
 * lanes were lost at it. */
struct kb_asked_of_server {
	int64_t asked;			/* 0: it is not kb-serve's */
	int64_t remembered, withdrawn;
};

/* All results of one submission, under one set of conditions. */
struct kb_evaluation {
	struct kb_digest suite;		/* parents */
	struct kb_digest submission;
	struct kb_conditions conditions;
	struct kb_key *problems;	/* that were selected; sorted */
	size_t problem_count;
	struct kb_result *results;	/* sorted, each candidate once */
	size_t result_count;
	int64_t status_counts[KB_STATUS_COUNT];	/* as read; a writer counts */
	struct kb_asked_of_server served;
};

#define KB_EVALUATION_INIT { .conditions = KB_CONDITIONS_INIT }

void kb_evaluation_release(struct kb_evaluation *e);

/*
 * The record without its lines. status_counts is what is read, and derived
 * from `results` when printed.
 */
struct kb_json *kb_evaluation_to_json(const struct kb_evaluation *e);
int kb_evaluation_from_json(struct kb_evaluation *e,
			    const struct kb_json *record, const char *where,
			    struct kb_err *err);

/*
 * Record and lines of a bundle: every selected problem has a line, no
 * other problem has, and the lines agree with the record's counts and with
 * the seeds of its policy.
 */
int kb_evaluation_load(struct kb_evaluation *e, const struct kb_bundle *b,
		       struct kb_err *err);

/*
 * The same with one result in memory at a time, for who looks at each only
 * once. The record first, without results; then `take` is given every result
 * in order, and may move it out, leaving KB_RESULT_INIT. What it was given
 * must be dropped unless all of them were read: only then are they known to
 * be what the record says.
 */
int kb_evaluation_load_record(struct kb_evaluation *e,
			      const struct kb_bundle *b, struct kb_err *err);
int kb_evaluation_each(const struct kb_evaluation *e,
		       const struct kb_bundle *b,
		       void (*take)(void *into, struct kb_result *r),
		       void *into, struct kb_err *err);

/* The latter for the `len` bytes of a member. */
int kb_evaluation_parse_results(const struct kb_evaluation *e,
				const void *data, size_t len,
				void (*take)(void *into, struct kb_result *r),
				void *into, struct kb_err *err);

/* Add record and lines to a new bundle. Sorts `results` and `problems`. */
int kb_evaluation_write(struct kb_bundle_writer *w, struct kb_evaluation *e,
			struct kb_err *err);

/*
 * The lines of a problem lie together: the first of them, or NULL;
 * `count` receives how many. Borrowed until release.
 */
const struct kb_result *kb_evaluation_find(const struct kb_evaluation *e,
					   struct kb_key key, size_t *count);

static inline void kb_cleanup_evaluation(struct kb_evaluation *e)
{
	kb_evaluation_release(e);
}

#endif
