#include "runs/find_baseline.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "device/division.h"
#include "manifest/baseline.h"
#include "manifest/conditions.h"
#include "manifest/evaluation.h"
#include "manifest/suite.h"
#include "store/one_member.h"
#include "store/store.h"

static bool has_problems(const struct kb_baseline *b,
			 const struct kb_evaluation *e)
{
	for (size_t i = 0; i < e->problem_count; i++)
		if (!kb_baseline_find(b, e->problems[i]))
			return false;
	return true;
}

static bool matches_evaluation(const struct kb_baseline *b, const struct kb_evaluation *e,
			       const struct kb_suite *suite)
{
	const struct kb_division d = kb_division_of(e, b, suite);
	kb_auto(mismatches) struct kb_mismatches m = KB_MISMATCHES_INIT;

	if (!kb_digest_equal(&b->suite, &e->suite) ||
	    b->mode != KB_MODE_EAGER || !has_problems(b, e))
		return false;
	kb_division_diff(&m, &d);
	return m.count == 0;
}

/* Its record alone, which may be one of thousands that are no baselines. */
static bool is_baseline(const char *store, const struct kb_digest *id)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	enum kb_kind kind;

	return kb_store_open_member(&b, store, id, KB_BUNDLE_RECORD,
				    NULL) == 0 &&
	       kb_record_kind(&kind, &b, NULL) == 0 && kind == KB_KIND_BASELINE;
}

/* The better the higher. */
enum fit {
	FIT_NONE,
	FIT_ANOTHER_BOARD,
	FIT_BEST,
};

static enum fit fit_of(const char *store, const struct kb_digest *id,
		       const struct kb_evaluation *e,
		       const struct kb_suite *suite)
{
	kb_auto(bundle) struct kb_bundle bundle = KB_BUNDLE_INIT;
	kb_auto(baseline) struct kb_baseline b = KB_BASELINE_INIT;

	if (!is_baseline(store, id) ||
	    kb_store_open_id(&bundle, store, id, NULL) < 0 ||
	    kb_baseline_load(&b, &bundle, NULL) < 0 || !matches_evaluation(&b, e, suite))
		return FIT_NONE;
	return kb_conditions_differ_in_board(&e->conditions, &b.conditions) ?
		FIT_ANOTHER_BOARD : FIT_BEST;
}

int kb_find_baseline(struct kb_digest *out, const char *store,
		     const struct kb_evaluation *e, struct kb_err *err)
{
	kb_auto(suite) struct kb_suite s = KB_SUITE_INIT;
	const struct kb_suite *suite = NULL;
	kb_auto(mem) struct kb_digest *ids = NULL;
	enum fit best = FIT_NONE;
	size_t count;
	int ret = kb_store_list(&ids, &count, store, err);

	if (ret < 0)
		return ret;
	if (kb_suite_load_id(&s, store, &e->suite, NULL) == 0)
		suite = &s;
	for (size_t i = 0; i < count && best < FIT_BEST; i++) {
		const enum fit fit = fit_of(store, &ids[i], e, suite);

		if (fit > best) {
			*out = ids[i];
			best = fit;
		}
	}
	return best > FIT_NONE;
}
