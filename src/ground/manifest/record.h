#ifndef KB_MANIFEST_RECORD_H
#define KB_MANIFEST_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/digest.h"

struct kb_buf;
struct kb_bundle;
struct kb_bundle_writer;
struct kb_err;
struct kb_fields;
struct kb_json;

/*
 * The common part of all records. doc/kb-manifest.5 is the specification; the
 * structs of this room are its C form.
 *
 * One law of ownership: a struct owns every string, array and JSON tree in
 * it; strings are made with kb_xstrdup(), and kb_<thing>_release() gives
 * everything back and leaves the struct as its INIT. Readers
 * (kb_<thing>_from_json, kb_<thing>_load) fill a struct that needs no
 * release if they fail. Printers (kb_<thing>_to_json) borrow, and return a
 * tree that the caller owns.
 *
 * Readers refuse, with KB_ERR_INPUT: a member that is missing, unknown, of
 * the wrong type or out of range, and values that contradict each other.
 * They never repair.
 *
 * An unknown value is null in a record. Here it is a NULL pointer, or
 * KB_UNKNOWN for an integer.
 */

#define KB_UNKNOWN INT64_MIN
#define KB_RECORD_BYTES_MAX ((size_t)64 << 20)	/* one manifest.json */
#define KB_LINES_BYTES_MAX ((size_t)4 << 30)	/* one .jsonl member */

/* The lines of a baseline, an evaluation or an audit. */
#define KB_RESULTS_MEMBER "data/results.jsonl"

enum kb_kind {
	KB_KIND_SUITE,
	KB_KIND_SUBMISSION,
	KB_KIND_BASELINE,
	KB_KIND_EVALUATION,
	KB_KIND_SCORE,
	KB_KIND_AUDIT,
	KB_KIND_REPORT,			/* of results that are not ours */
	KB_KIND_GENERATION,		/* of what models answered */
	KB_KIND_COUNT,			/* not a kind */
};

const char *kb_kind_name(enum kb_kind kind);

/* A record that this one was made from. */
struct kb_parent {
	enum kb_kind kind;
	struct kb_digest id;
};

/* A generation may have a baseline and an evaluation a turn beside its suite,
 * see manifest/refinement.h; other kinds have two at most. */
#define KB_TURNS_MAX 100
#define KB_PARENTS_MAX (2 + KB_TURNS_MAX)

/* A record's first members: kind, schema_version and parents, as many as the
 * kind always has. A suite or a submission has one or none: NULL. */
struct kb_json *kb_record_new(enum kb_kind kind,
			      const struct kb_digest parents[]);

/* The same with these parents. */
struct kb_json *kb_record_new_of(enum kb_kind kind,
				 const struct kb_parent parents[],
				 size_t count);

/* The head of any record, whatever its kind. `count` receives how many
 * parents there are: exactly those that the kind has, or none where it may
 * have none; of a generation also a baseline, if there is one, and
 * then evaluations. */
int kb_record_head(const struct kb_json *record, enum kb_kind *kind,
		   struct kb_parent parents[KB_PARENTS_MAX], size_t *count,
		   const char *where, struct kb_err *err);

/*
 * Begin reading `record`, as kb_fields_begin(), with its head: it must be
 * of this kind. `ids` receives the parents that the kind always has; NULL if
 * it has none.
 */
void kb_record_begin(struct kb_fields *f, const struct kb_json *record,
		     enum kb_kind kind, struct kb_digest ids[],
		     const char *where, struct kb_err *err);

/* Whether there are parents, of a kind that may have none: after
 * kb_record_begin(), if that did not fail. */
bool kb_record_has_parents(const struct kb_fields *f);

/*
 * A bundle's record, parsed as canonical JSON; the bytes must be exactly
 * what we would print. Caller frees `*out` with kb_json_free().
 */
int kb_record_load(struct kb_json **out, const struct kb_bundle *b,
		   struct kb_err *err);

/* kb_record_load() and kb_record_head() in one, for dispatch. */
int kb_record_kind(enum kb_kind *kind, const struct kb_bundle *b,
		   struct kb_err *err);

/* Add `record` to a new bundle as its data/manifest.json. Takes `record`,
 * even on failure. */
int kb_record_write(struct kb_bundle_writer *w, struct kb_json *record,
		    struct kb_err *err);

/* The bundle has the member `file` with this digest and size. */
int kb_record_member(const struct kb_bundle *b, const char *file,
		     const struct kb_digest *digest, uint64_t size_bytes,
		     struct kb_err *err);

/* The bundle has `count` members and no others, the record included. */
int kb_record_members(const struct kb_bundle *b, size_t count,
		      struct kb_err *err);

/*
 * Read the record of whatever kind it is, and its lines, with all checks.
 * For a judge who wants to know whether a bundle is well formed and not
 * what is in it. Parents are not looked at.
 */
int kb_record_check(enum kb_kind *kind, const struct kb_bundle *b,
		    struct kb_err *err);

#endif
