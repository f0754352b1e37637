#ifndef KB_MANIFEST_SUBMISSION_H
#define KB_MANIFEST_SUBMISSION_H

#include <stdbool.h>
#include <stdint.h>

#include "manifest/key.h"
#include "manifest/provenance.h"
#include "manifest/record.h"
#include "source/runtime.h"

/*
 * A submission: candidates, and who made them how. The bundle holds each
 * candidate's file under the name that the record gives.
 */
struct kb_candidate {
	struct kb_key key;
	int sample_id;			/* 0 or more */
	char *file;	/* "data/candidates/level1/problem19/sample0.py" */
	enum kb_runtime runtime;
	struct kb_digest digest;	/* of the file */
	uint64_t size_bytes;
};

enum kb_source_format {
	KB_FORMAT_FOLDER,
	KB_FORMAT_KERNELBENCH_RUNS,
	KB_FORMAT_LEADERBOARD_JSON,
	KB_FORMAT_CUDA_L1,
	KB_FORMAT_GENERATION,		/* a model's answers */
	KB_FORMAT_SERVED,		/* what kb-serve was asked */
	KB_FORMAT_COUNT,		/* not a format */
};

struct kb_submission {
	bool has_generation;		/* which candidates were taken from */
	struct kb_digest generation;	/* parent, if it has */
	struct kb_provenance provenance;
	enum kb_source_format source_format;
	struct kb_candidate *candidates;	/* sorted by key, sample_id */
	size_t candidate_count;
};

#define KB_SUBMISSION_INIT { .provenance = KB_PROVENANCE_INIT }
#define KB_CANDIDATE_BYTES_MAX ((size_t)8 << 20)	/* one candidate */

void kb_submission_release(struct kb_submission *s);

struct kb_json *kb_submission_to_json(const struct kb_submission *s);
int kb_submission_from_json(struct kb_submission *s,
			    const struct kb_json *record, const char *where,
			    struct kb_err *err);

/* One of the record's candidates. `c` must be empty; what it owns is the
 * caller's to free even on failure. */
struct kb_json *kb_candidate_to_json(const struct kb_candidate *c);
int kb_candidate_from_json(struct kb_candidate *c, const struct kb_json *v,
			   const char *where, struct kb_err *err);

/* As kb_suite_load(). */
int kb_submission_load(struct kb_submission *s, const struct kb_bundle *b,
		       struct kb_err *err);

/*
 * Fails unless the submitter's claims are possible: no problem has more
 * candidates than 'samples_per_problem', and 'top_p' is a probability. Readers
 * take records of earlier releases without.
 */
int kb_submission_check_claims(const struct kb_submission *s,
			       struct kb_err *err);

/* As kb_suite_open(). */
int kb_submission_open(struct kb_bundle *b, struct kb_submission *s,
		       const char *store, const char *name,
		       struct kb_err *err);

/*
 * The candidates of one problem lie together: the first of them, or NULL
 * if there is none; `count` receives how many. Borrowed until release.
 */
const struct kb_candidate *kb_submission_find(const struct kb_submission *s,
					      struct kb_key key,
					      size_t *count);

/* Where a candidate's file lies in a bundle; the caller frees. */
char *kb_candidate_file(struct kb_key key, int sample_id,
			enum kb_runtime runtime);

static inline void kb_cleanup_submission(struct kb_submission *s)
{
	kb_submission_release(s);
}

#endif
