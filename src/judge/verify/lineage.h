#ifndef KB_VERIFY_LINEAGE_H
#define KB_VERIFY_LINEAGE_H

#include <stdbool.h>

#include "base/err.h"
#include "manifest/record.h"
#include "store/bundle.h"

struct kb_audit;
struct kb_baseline;
struct kb_bundle;
struct kb_checks;
struct kb_evaluation;
struct kb_generation;
struct kb_line_checks;
struct kb_report;
struct kb_score;
struct kb_submission;
struct kb_suite;

/*
 * A record and those that it was made from, as far as they can be had: what
 * the layers after "bytes" are about. NULL is what the record has no use
 * for, and what is absent or not what it should be.
 */
struct kb_lineage {
	enum kb_kind kind;		/* of the record itself */
	struct kb_suite *suite;		/* of a score: its evaluation's */
	struct kb_suite *parent_suite;	/* of a suite, and NULL of any other */
	struct kb_bundle parent_suite_bundle;	/* that one's */
	struct kb_submission *submission;	/* as `suite` */
	struct kb_baseline *baseline;
	struct kb_evaluation *evaluation;	/* without its results, */
	struct kb_line_checks *lines;		/* of which this was asked */
	struct kb_bundle evaluation_bundle;	/* of a score, if it is there */
	struct kb_bundle submission_bundle;	/* of an evaluation or a score,
						   likewise */
	struct kb_score *score;
	struct kb_audit *audit;
	struct kb_report *report;
	struct kb_generation *generation;
	/* A generation's evaluations, in the order of its parents; NULL:
	 * absent. */
	struct kb_evaluation **turns;
	size_t turn_count;
};

#define KB_LINEAGE_INIT { .kind = KB_KIND_COUNT, \
			  .evaluation_bundle = KB_BUNDLE_INIT, \
			  .submission_bundle = KB_BUNDLE_INIT, \
			  .parent_suite_bundle = KB_BUNDLE_INIT }

/*
 * Read the record of `b`, an open bundle, with all checks of its form: those of
 * an evaluation's results as well, which are not kept. Adds nothing to any
 * checks. Fails as kb_record_check(); then `l` needs no
 * release.
 */
int kb_lineage_load(struct kb_lineage *l, const struct kb_bundle *b,
		    struct kb_err *err);

/*
 * Look the record's parents up in `store`, and a score's suite and submission,
 * which are its evaluation's. Adds one check to the layer
 * "chain" for each, called by its kind: ok, not checked if it is not there,
 * no if it is but is damaged, not well formed, or something else.
 *
 * Fails only with what says nothing of a bundle, such as KB_ERR_SYS.
 */
int kb_lineage_find_parents(struct kb_lineage *l, struct kb_checks *c,
			    const struct kb_bundle *b, const char *store,
			    struct kb_err *err);

/* Keep the results of the evaluation, if there is one, for who looks at them
 * more than once. `b` is the bundle of the record. */
int kb_lineage_keep_results(struct kb_lineage *l, const struct kb_bundle *b,
			    struct kb_err *err);

/* Where the results of the evaluation are, if there is one. */
static inline const struct kb_bundle *
kb_lineage_results(const struct kb_lineage *l, const struct kb_bundle *b)
{
	return l->kind == KB_KIND_EVALUATION ? b : &l->evaluation_bundle;
}

void kb_lineage_release(struct kb_lineage *l);

/* Bad bytes are an answer about a bundle; a bad disk is none. */
static inline bool kb_is_answer(int ret)
{
	return ret == -KB_ERR_INPUT || ret == -KB_ERR_CORRUPT ||
	       ret == -KB_ERR_MISSING;
}

static inline void kb_cleanup_lineage(struct kb_lineage *l)
{
	kb_lineage_release(l);
}

#endif
