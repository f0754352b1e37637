#ifndef KB_MANIFEST_SUBMISSION_HEAD_H
#define KB_MANIFEST_SUBMISSION_HEAD_H

#include <stdbool.h>
#include <stddef.h>

#include "manifest/provenance.h"
#include "store/digest.h"

struct kb_buf;
struct kb_bundle;
struct kb_candidate;
struct kb_err;

/*
 * A submission's record without its candidates. There may be a hundred thousand
 * of them. They are passed over in pieces, neither held in memory nor checked.
 */
struct kb_submission_head {
	bool has_generation;
	struct kb_digest generation;	/* parent, if it has */
	struct kb_provenance provenance;
};

#define KB_SUBMISSION_HEAD_INIT { .provenance = KB_PROVENANCE_INIT }

void kb_submission_head_release(struct kb_submission_head *h);

static inline void kb_cleanup_submission_head(struct kb_submission_head *h)
{
	kb_submission_head_release(h);
}

/*
 * Read a submission with one candidate in memory at a time: `take` gets each, in
 * order, and it is as it should be, as far as a record alone can say. What it
 * was given must be dropped unless all of them were read. Caller releases `out`.
 *
 * Fails as kb_submission_load() but for the candidates' files, which are not
 * looked at.
 */
int kb_submission_each(struct kb_submission_head *out,
		       const struct kb_bundle *b,
		       void (*take)(void *into, const struct kb_candidate *c),
		       void *into, struct kb_err *err);

/* The record's text without its candidates, from pieces of the whole; starts
 * as { 0 }. Of a text that is not canonical JSON it makes another such one. */
struct kb_head_text {
	struct kb_buf *out;		/* borrowed */
	size_t depth;			/* containers open */
	size_t skipped;			/* that deep they began; 0: none */
	bool in_string, escaped;
	/* Each candidate that is an object, if that is wanted: its text is
	 * gathered in `one` and then handed on. */
	struct kb_buf *one;		/* borrowed, or NULL */
	void (*take)(void *into, const struct kb_buf *one);
	void *into;
};

void kb_head_text_take(struct kb_head_text *t, const char *piece, size_t len);

#endif
