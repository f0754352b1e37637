#include "verify/ancestors.h"

#include <search.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "manifest/audit.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/generation.h"
#include "manifest/submission.h"
#include "manifest/suite.h"
#include "store/store.h"
#include "verify/checks.h"
#include "verify/layers.h"
#include "verify/lineage.h"
#include "verify/plausible.h"

/* The ancestors found, in the order in which they are asked. A store may hold
 * any number, so a tree tells which were seen. */
struct walk {
	struct kb_parent *items;
	size_t count, capacity;
	void *seen;			/* of kb_digest, by tsearch(3) */
	size_t asked;
};

static void kb_cleanup_walk(struct walk *w)
{
	tdestroy(w->seen, free);
	free(w->items);
}

static int compare_digests(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct kb_digest));
}

static void push_parent(struct walk *w, enum kb_kind kind,
			const struct kb_digest *id)
{
	struct kb_digest *own = kb_xcalloc(1, sizeof(*own));
	struct kb_digest **found;

	*own = *id;
	found = tsearch(own, &w->seen, compare_digests);
	if (!found)
		KB_BUG("out of memory");
	if (*found != own) {
		free(own);
		return;
	}
	w->items = kb_grow(w->items, w->count, &w->capacity,
			   sizeof(*w->items));
	w->items[w->count++] = (struct kb_parent){ kind, *id };
}

static void push_suite(struct walk *w, const struct kb_suite *suite,
		       const struct kb_digest *id)
{
	if (suite && kb_suite_is_derived(suite))
		push_parent(w, KB_KIND_SUITE, id);
}

static void push_turns(struct walk *w, const struct kb_generation *g)
{
	if (g->asked.has_refinement)
		push_parent(w, KB_KIND_BASELINE, &g->asked.baseline);
	for (size_t i = 0; i < g->evaluation_count; i++)
		push_parent(w, KB_KIND_EVALUATION, &g->evaluations[i]);
}

/* Push the parents of a record that are there and have checks of their own. */
static void push_parents(struct walk *w, const struct kb_lineage *l)
{
	if (l->evaluation)
		push_suite(w, l->suite, &l->evaluation->suite);
	else if (l->baseline && l->kind != KB_KIND_GENERATION)
		push_suite(w, l->suite, &l->baseline->suite);
	else if (l->audit)
		push_suite(w, l->suite, &l->audit->suite);
	if (l->evaluation && l->submission && l->submission->has_generation)
		push_parent(w, KB_KIND_SUBMISSION, &l->evaluation->submission);
	if (l->kind == KB_KIND_SUBMISSION && l->submission->has_generation)
		push_parent(w, KB_KIND_GENERATION, &l->submission->generation);
	if (l->kind == KB_KIND_GENERATION) {
		push_suite(w, l->suite, &l->generation->asked.suite);
		push_turns(w, l->generation);
	}
}

static bool is_told(const struct kb_check *check)
{
	return check->answer == KB_ANSWER_NO ||
	       (check->answer == KB_ANSWER_NOT_CHECKED &&
		check->layer == KB_LAYER_CHAIN);
}

static void tell_noes(struct kb_checks *c, const struct kb_checks *of,
		      enum kb_kind kind)
{
	for (size_t i = 0; i < of->count; i++)
		if (is_told(&of->items[i]))
			kb_checks_add(c, of->items[i].layer, of->items[i].what,
				      of->items[i].answer, "of the %s: %s",
				      kb_kind_name(kind),
				      of->items[i].words ? of->items[i].words :
				      "");
}

static int ask_open(struct walk *w, struct kb_checks *of,
		    const struct kb_bundle *b, const char *store,
		    struct kb_err *err)
{
	kb_auto(lineage) struct kb_lineage l = KB_LINEAGE_INIT;
	int ret = kb_lineage_load(&l, b, err);

	if (ret == 0)
		ret = kb_layers_check_record(of, &l, b, store, err);
	if (ret < 0)
		return ret;
	kb_plausible_check(of, &l);
	push_parents(w, &l);
	w->asked++;
	return 0;
}

/* The first search for a parent reports if it cannot be opened or read. */
static int ask_parent(struct walk *w, struct kb_checks *c,
		      const struct kb_parent *parent, const char *store,
		      struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(checks) struct kb_checks of = KB_CHECKS_INIT;
	struct kb_err why = KB_ERR_INIT;
	int ret = kb_store_open_id(&b, store, &parent->id, &why);

	if (ret == 0)
		ret = ask_open(w, &of, &b, store, &why);
	if (ret < 0 && !kb_is_answer(ret))
		return kb_err_take(err, &why);
	tell_noes(c, &of, parent->kind);
	return 0;
}

static int walk_ancestors(struct walk *w, struct kb_checks *c,
			  const char *store, struct kb_err *err)
{
	const size_t before = c->count;
	bool is_no = false;

	for (size_t i = 0; i < w->count; i++) {
		const struct kb_parent parent = w->items[i];
		int ret = ask_parent(w, c, &parent, store, err);

		if (ret < 0)
			return ret;
	}
	for (size_t i = before; i < c->count; i++)
		is_no |= c->items[i].answer == KB_ANSWER_NO;
	if (w->asked && !is_no)
		kb_checks_add(c, KB_LAYER_CHAIN, "ancestors", KB_ANSWER_OK,
			      "what it stands on beside its parents holds as "
			      "well; records: %zu", w->asked);
	return 0;
}

int kb_ancestors_check(struct kb_checks *c, const struct kb_lineage *l,
		       const char *store, struct kb_err *err)
{
	kb_auto(walk) struct walk w = { .items = NULL };

	push_parents(&w, l);
	return walk_ancestors(&w, c, store, err);
}

int kb_ancestors_check_from(struct kb_checks *c, const struct kb_parent from[],
			    size_t count, const char *store,
			    struct kb_err *err)
{
	kb_auto(walk) struct walk w = { .items = NULL };

	for (size_t i = 0; i < count; i++)
		push_parent(&w, from[i].kind, &from[i].id);
	return walk_ancestors(&w, c, store, err);
}
