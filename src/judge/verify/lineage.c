#include "verify/lineage.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "manifest/audit.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/generation.h"
#include "manifest/report.h"
#include "manifest/score.h"
#include "manifest/submission.h"
#include "manifest/suite.h"
#include "store/store.h"
#include "verify/checks.h"
#include "verify/line_checks.h"

/* Load what `b` holds into the member `x` of `l`, which stays NULL if that
 * fails. */
#define LOAD(x)								\
	({								\
		int ret_;						\
									\
		l->x = kb_xcalloc(1, sizeof(*l->x));			\
		ret_ = kb_##x##_load(l->x, b, err);			\
		if (ret_ < 0) {						\
			free(l->x);					\
			l->x = NULL;					\
		}							\
		ret_;							\
	})

#define RELEASE_AS(kind, x)						\
	do {								\
		if (l->x)						\
			kb_##kind##_release(l->x);			\
		free(l->x);						\
	} while (0)

#define RELEASE(x) RELEASE_AS(x, x)

static void drop_result(void *into, struct kb_result *r)
{
	(void)into;
	(void)r;
}

/* Results are read for their form, and once more when they are asked. */
static int read_evaluation(struct kb_evaluation *e, const struct kb_bundle *b,
			   struct kb_err *err)
{
	int ret = kb_evaluation_load_record(e, b, err);

	if (ret < 0)
		return ret;
	ret = kb_evaluation_each(e, b, drop_result, NULL, err);
	if (ret < 0)
		kb_evaluation_release(e);
	return ret;
}

/* The evaluations of a generation's turns are read again and again. */
static int load_evaluation(struct kb_lineage *l, const struct kb_bundle *b,
			   struct kb_err *err)
{
	int ret;

	l->evaluation = kb_xcalloc(1, sizeof(*l->evaluation));
	ret = l->kind == KB_KIND_GENERATION ?
		kb_evaluation_load(l->evaluation, b, err) :
		read_evaluation(l->evaluation, b, err);
	if (ret < 0) {
		free(l->evaluation);
		l->evaluation = NULL;
	}
	return ret;
}

static int load_kind(struct kb_lineage *l, enum kb_kind kind,
		     const struct kb_bundle *b, struct kb_err *err)
{
	switch (kind) {
	case KB_KIND_SUITE:
		return LOAD(suite);
	case KB_KIND_SUBMISSION:
		return LOAD(submission);
	case KB_KIND_BASELINE:
		return LOAD(baseline);
	case KB_KIND_EVALUATION:
		return load_evaluation(l, b, err);
	case KB_KIND_SCORE:
		return LOAD(score);
	case KB_KIND_AUDIT:
		return LOAD(audit);
	case KB_KIND_REPORT:
		return LOAD(report);
	case KB_KIND_GENERATION:
		return LOAD(generation);
	case KB_KIND_COUNT:
		break;
	}
	KB_BUG("not a kind");
}

int kb_lineage_load(struct kb_lineage *l, const struct kb_bundle *b,
		    struct kb_err *err)
{
	enum kb_kind kind;
	int ret = kb_record_kind(&kind, b, err);

	*l = (struct kb_lineage)KB_LINEAGE_INIT;
	if (ret == 0)
		ret = load_kind(l, kind, b, err);
	if (ret == 0)
		l->kind = kind;
	return ret;
}

int kb_lineage_keep_results(struct kb_lineage *l, const struct kb_bundle *b,
			    struct kb_err *err)
{
	kb_auto(evaluation) struct kb_evaluation e = KB_EVALUATION_INIT;
	const struct kb_evaluation without = l->evaluation ? *l->evaluation : e;
	int ret;

	if (!l->evaluation)
		return 0;
	ret = kb_evaluation_load(&e, kb_lineage_results(l, b), err);
	if (ret < 0)
		return ret;
	*l->evaluation = e;
	e = without;
	return 0;
}

void kb_lineage_release(struct kb_lineage *l)
{
	kb_line_checks_free(l->lines);
	kb_bundle_release(&l->evaluation_bundle);
	kb_bundle_release(&l->submission_bundle);
	kb_bundle_release(&l->parent_suite_bundle);
	RELEASE(suite);
	RELEASE_AS(suite, parent_suite);
	RELEASE(submission);
	RELEASE(baseline);
	RELEASE(evaluation);
	RELEASE(score);
	RELEASE(audit);
	RELEASE(report);
	RELEASE(generation);
	for (size_t i = 0; i < l->turn_count; i++)
		RELEASE_AS(evaluation, turns[i]);
	free(l->turns);
	*l = (struct kb_lineage)KB_LINEAGE_INIT;
}

static int load_parent(struct kb_lineage *l, const struct kb_parent *parent,
		       const char *store, struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	char hex[KB_DIGEST_HEX_SIZE];
	enum kb_kind kind;
	int ret = kb_store_open_id(&b, store, &parent->id, err);

	if (ret == 0)
		ret = kb_record_kind(&kind, &b, err);
	kb_digest_format(&parent->id, hex);
	/* The digest says which bytes the parent is, and not what: a record may
	 * name any bundle and call it what it likes. */
	if (ret == 0 && kind != parent->kind)
		ret = kb_err(err, KB_ERR_INPUT, "'%s' is of kind '%s'", hex,
			     kb_kind_name(kind));
	if (ret == 0)
		ret = load_kind(l, kind, &b, err);
	if (ret == 0 && kind == KB_KIND_EVALUATION &&
	    l->kind == KB_KIND_SCORE) {
		l->evaluation_bundle = b;
		b = (struct kb_bundle)KB_BUNDLE_INIT;
	}
	if (ret == 0 && kind == KB_KIND_SUITE && l->kind == KB_KIND_SUITE) {
		l->parent_suite_bundle = b;
		b = (struct kb_bundle)KB_BUNDLE_INIT;
	}
	if (ret == 0 && kind == KB_KIND_SUBMISSION) {
		kb_bundle_release(&l->submission_bundle);
		l->submission_bundle = b;
		b = (struct kb_bundle)KB_BUNDLE_INIT;
	}
	return ret;
}

static int find_parent(struct kb_lineage *l, struct kb_checks *c,
		       const struct kb_parent *parent, const char *store,
		       struct kb_err *err)
{
	const char *what = kb_kind_name(parent->kind);
	struct kb_err why = KB_ERR_INIT;
	char hex[KB_DIGEST_HEX_SIZE];
	int ret = load_parent(l, parent, store, &why);

	kb_digest_format(&parent->id, hex);
	/* A parent that is in another store is no lie of the record's. */
	if (ret == -KB_ERR_MISSING)
		kb_checks_add(c, KB_LAYER_CHAIN, what, KB_ANSWER_NOT_CHECKED,
			      "%s is absent", hex);
	else if (kb_is_answer(ret))
		kb_checks_add(c, KB_LAYER_CHAIN, what, KB_ANSWER_NO, "%s",
			      why.msg);
	else if (ret < 0)
		return kb_err_take(err, &why);
	else
		kb_checks_add(c, KB_LAYER_CHAIN, what, KB_ANSWER_OK, "%s",
			      hex);
	return 0;
}

/* Suite and submission of a score are its evaluation's: it stands on them as
 * well, and on what the submission was made of. */
static int find_grandparents(struct kb_lineage *l, struct kb_checks *c,
			     const char *store, struct kb_err *err)
{
	const struct kb_parent suite = {
		.kind = KB_KIND_SUITE,
		.id = l->evaluation ? l->evaluation->suite
				    : l->baseline->suite,
	};
	int ret = find_parent(l, c, &suite, store, err);

	if (ret == 0 && l->evaluation)
		ret = find_parent(l, c, &(struct kb_parent){
				.kind = KB_KIND_SUBMISSION,
				.id = l->evaluation->submission }, store, err);
	if (ret == 0 && l->submission && l->submission->has_generation)
		ret = find_parent(l, c, &(struct kb_parent){
				.kind = KB_KIND_GENERATION,
				.id = l->submission->generation }, store, err);
	return ret;
}

/* The evaluation that was found, of several, or none. */
static void keep_turn(struct kb_lineage *l)
{
	l->turns = kb_xreallocarray(l->turns, l->turn_count + 1,
				    sizeof(*l->turns));
	l->turns[l->turn_count++] = l->evaluation;
	l->evaluation = NULL;
}

/* A suite's parent is looked up where other records have theirs. */
static int find_parent_suite(struct kb_lineage *l, struct kb_checks *c,
			     const struct kb_parent *parent, const char *store,
			     struct kb_err *err)
{
	struct kb_suite *own = l->suite;
	int ret;

	/* find_parent() loads each kind into one place, which the suite itself
	 * holds. */
	l->suite = NULL;
	ret = find_parent(l, c, parent, store, err);
	l->parent_suite = l->suite;
	l->suite = own;
	return ret;
}

int kb_lineage_find_parents(struct kb_lineage *l, struct kb_checks *c,
			    const struct kb_bundle *b, const char *store,
			    struct kb_err *err)
{
	kb_auto(json) struct kb_json *record = NULL;
	struct kb_parent parents[KB_PARENTS_MAX];
	enum kb_kind kind;
	size_t count = 0;
	int ret = kb_record_load(&record, b, err);

	if (ret == 0)
		ret = kb_record_head(record, &kind, parents, &count,
				     KB_BUNDLE_RECORD, err);
	for (size_t i = 0; ret == 0 && i < count; i++) {
		ret = kind == KB_KIND_SUITE ?
			find_parent_suite(l, c, &parents[i], store, err) :
			find_parent(l, c, &parents[i], store, err);
		if (ret == 0 && kind == KB_KIND_GENERATION &&
		    parents[i].kind == KB_KIND_EVALUATION)
			keep_turn(l);
	}
	if (ret == 0 && kind == KB_KIND_SCORE &&
	    (l->evaluation || l->baseline))
		ret = find_grandparents(l, c, store, err);
	return ret;
}
