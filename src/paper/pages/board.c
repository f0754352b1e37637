#include "pages/board.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "device/division.h"
#include "json/json.h"
#include "manifest/evaluation.h"
#include "pages/view.h"
#include "sheet/comparable.h"
#include "sheet/score_sheet.h"
#include "verify/claimed_runs.h"
#include "verify/line_checks.h"

void kb_board_fast_1(const struct kb_metrics *m, int64_t *certain,
		     int64_t *possible)
{
	*certain = *possible = m->fast[KB_FAST_1];
	if (!m->has_certainty)
		return;
	*certain = m->certainty.certain[KB_FAST_1];
	*possible = *certain + m->certainty.undecided[KB_FAST_1];
}

/* A rank is an interval too: behind all that are certainly better, and before
 * all that are certainly worse. Two submissions whose intervals overlap share
 * places instead of being put in an order that another measurement would turn
 * round. */
void kb_board_rank(struct kb_rank out[], const struct kb_metrics *const m[],
		   size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int64_t certain, possible;

		out[i] = (struct kb_rank){ 1, count };
		kb_board_fast_1(m[i], &certain, &possible);
		for (size_t j = 0; j < count; j++) {
			int64_t other_certain, other_possible;

			kb_board_fast_1(m[j], &other_certain, &other_possible);
			out[i].first += other_certain > possible;
			out[i].last -= other_possible < certain;
		}
	}
}

const struct kb_metrics *kb_board_metrics(const struct kb_view *v, int level)
{
	const struct kb_score *s = v->lineage.score;

	if (!level)
		return &s->overall;
	if (level == KB_BOARD_SOUND)
		return s->has_sound && s->sound.verdicts == KB_VERDICTS_KNOWN ?
		       &s->sound.metrics : NULL;
	for (size_t i = 0; i < s->level_count; i++)
		if (s->levels[i].level == level)
			return &s->levels[i].metrics;
	return NULL;
}

bool kb_board_has(const struct kb_board *b, const struct kb_ranking *r,
		  int level)
{
	for (size_t i = 0; i < r->count; i++)
		if (!kb_board_metrics(&b->views[r->views[i]], level))
			return false;
	return true;
}

/* --- who goes with whom ----------------------------------------------- */

bool kb_board_holds(const struct kb_view *v)
{
	return kb_checks_answer(&v->checks) != KB_ANSWER_NO;
}

/* A score that kb-verify refuses is shown, below, without a rank. */
static bool is_ranked(const struct kb_view *v)
{
	return v->lineage.kind == KB_KIND_SCORE && kb_board_holds(v);
}

/* Nothing can be said of what its parents are not there for, nor of what
 * divides times of two stacks. */
static bool can_be_compared(const struct kb_view *v)
{
	return v->lineage.evaluation && v->lineage.baseline &&
	       !v->lineage.score->allowed.count;
}

static struct kb_score_sheet sheet_of(const struct kb_view *v)
{
	return (struct kb_score_sheet){
		v->lineage.score, &v->bundle.id, v->lineage.evaluation,
		v->lineage.baseline, NULL };
}

/* Of each the evaluation agrees with its baseline, or a mismatch was allowed; so
 * all four agree if the evaluations do. By one definition, the baselines are of
 * one mode. */
static bool are_of_one_stack(const struct kb_lineage *a,
			     const struct kb_lineage *b)
{
	const struct kb_evaluation *x = a->evaluation, *y = b->evaluation;
	const struct kb_division d = {
		.left = { &x->conditions, x->problems, x->problem_count },
		.right = { &y->conditions, y->problems, y->problem_count },
		.mode = a->baseline->mode,
		.suite = a->suite,
	};
	kb_auto(mismatches) struct kb_mismatches m = KB_MISMATCHES_INIT;

	kb_division_diff(&m, &d);
	return !m.count;
}

static bool are_comparable(const struct kb_view *a, const struct kb_view *b)
{
	static const char *const names[] = { "one", "other" };
	const struct kb_score_sheet sheets[] = { sheet_of(a), sheet_of(b) };
	struct kb_err err = KB_ERR_INIT;

	return kb_json_equal(a->lineage.score->definition,
			     b->lineage.score->definition) &&
	       are_of_one_stack(&a->lineage, &b->lineage) &&
	       kb_sheets_check_comparable(sheets, names, 2, &err) == 0;
}

static struct kb_ranking *find_ranking(const struct kb_board *b,
				       const struct kb_view *v)
{
	for (size_t i = 0; i < b->ranking_count; i++) {
		const struct kb_view *first =
			&b->views[b->rankings[i].views[0]];

		if (can_be_compared(v) && can_be_compared(first) &&
		    are_comparable(first, v))
			return &b->rankings[i];
	}
	return NULL;
}

static void add_ranked(struct kb_board *b, size_t view)
{
	struct kb_ranking *r = find_ranking(b, &b->views[view]);

	if (!r) {
		r = &b->rankings[b->ranking_count++];
		r->views = kb_xcalloc(b->view_count, sizeof(*r->views));
	}
	r->views[r->count++] = view;
}

/* --- runs that stand twice --------------------------------------------- */

static void add_unranked(struct kb_board *b, size_t view,
			 const struct kb_digest *twin)
{
	b->unranked[b->unranked_count++] =
		(struct kb_unranked){ .view = view, .twin = twin };
}

static const struct kb_digest *id_of(const struct kb_board *b,
				     const struct kb_ranking *r, size_t i)
{
	return &b->views[r->views[i]].bundle.id;
}

/* A board cannot tell whose the runs are, so each has the other as its twin. */
static void find_twins(const struct kb_board *b, const struct kb_ranking *r,
		       const struct kb_digest *twins[])
{
	kb_auto(claimed_runs) struct kb_claimed_runs claimed =
		KB_CLAIMED_RUNS_INIT;

	for (size_t i = 0; i < r->count; i++) {
		const struct kb_lineage *l = &b->views[r->views[i]].lineage;
		const struct kb_digest *first = !l->lines ? NULL :
			kb_claimed_runs_add(&claimed,
					    &l->lines->plausible.trials,
					    id_of(b, r, i));

		for (size_t j = 0; first && j < i; j++) {
			if (!kb_digest_equal(id_of(b, r, j), first))
				continue;
			twins[i] = id_of(b, r, j);
			twins[j] = twins[j] ? twins[j] : id_of(b, r, i);
		}
	}
}

static void drop_twins(struct kb_board *b, struct kb_ranking *r)
{
	kb_auto(mem) const struct kb_digest **twins =
		kb_xcalloc(r->count + 1, sizeof(*twins));
	size_t left = 0;

	find_twins(b, r, twins);
	for (size_t i = 0; i < r->count; i++) {
		if (twins[i])
			add_unranked(b, r->views[i], twins[i]);
		else
			r->views[left++] = r->views[i];
	}
	r->count = left;
}

static void drop_all_twins(struct kb_board *b)
{
	size_t left = 0;

	for (size_t i = 0; i < b->ranking_count; i++) {
		drop_twins(b, &b->rankings[i]);
		if (b->rankings[i].count)
			b->rankings[left++] = b->rankings[i];
		else
			free(b->rankings[i].views);
	}
	b->ranking_count = left;
}

/* --- order ------------------------------------------------------------ */

static int compare_int64(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* Best first; ids decide what nothing else does. */
static int compare_views(const struct kb_view *a, const struct kb_view *b)
{
	const struct kb_metrics *x = &a->lineage.score->overall,
				*y = &b->lineage.score->overall;
	int c = compare_int64(y->fast[KB_FAST_1], x->fast[KB_FAST_1]);

	if (!c)
		c = compare_int64(y->geomean_speedup_micro,
				  x->geomean_speedup_micro);
	return c ? c : memcmp(a->bundle.id.bytes, b->bundle.id.bytes,
			      KB_DIGEST_SIZE);
}

/* By insertion: a board has dozens of entries, and qsort(3) would not hand on
 * what they refer to. */
static void sort_ranking(const struct kb_board *b, struct kb_ranking *r)
{
	for (size_t i = 1; i < r->count; i++) {
		const size_t view = r->views[i];
		size_t j = i;

		for (; j > 0 && compare_views(&b->views[r->views[j - 1]],
					      &b->views[view]) > 0; j--)
			r->views[j] = r->views[j - 1];
		r->views[j] = view;
	}
}

static void sort_rankings(struct kb_board *b)
{
	for (size_t i = 1; i < b->ranking_count; i++) {
		const struct kb_ranking r = b->rankings[i];
		size_t j = i;

		for (; j > 0 && b->rankings[j - 1].count < r.count; j--)
			b->rankings[j] = b->rankings[j - 1];
		b->rankings[j] = r;
	}
}

void kb_board_init(struct kb_board *b, const struct kb_view *views,
		   size_t count)
{
	*b = (struct kb_board){ .views = views, .view_count = count };
	b->rankings = kb_xcalloc(count + 1, sizeof(*b->rankings));
	b->unranked = kb_xcalloc(count + 1, sizeof(*b->unranked));
	for (size_t i = 0; i < count; i++) {
		if (is_ranked(&views[i]))
			add_ranked(b, i);
		else
			add_unranked(b, i, NULL);
	}
	drop_all_twins(b);
	for (size_t i = 0; i < b->ranking_count; i++)
		sort_ranking(b, &b->rankings[i]);
	sort_rankings(b);
}

void kb_board_release(struct kb_board *b)
{
	for (size_t i = 0; i < b->ranking_count; i++)
		free(b->rankings[i].views);
	free(b->rankings);
	free(b->unranked);
	*b = (struct kb_board){ .views = NULL };
}
