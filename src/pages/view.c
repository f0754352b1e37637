#include "pages/view.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/err.h"
#include "exchange/hardware.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/submission.h"
#include "pages/view_rows.h"
#include "store/store.h"
#include "verify/layers.h"
#include "verify/peaks.h"
#include "verify/plausible.h"

void kb_view_release(struct kb_view *v)
{
	free(v->rows);
	kb_metrics_release(&v->metrics);
	kb_bundle_release(&v->submission);
	kb_bundle_release(&v->suite);
	kb_checks_release(&v->checks);
	kb_lineage_release(&v->lineage);
	kb_bundle_release(&v->bundle);
	*v = (struct kb_view)KB_VIEW_INIT;
}

static int check_kind(enum kb_kind kind, const char *name, struct kb_err *err)
{
	if (kind == KB_KIND_SCORE || kind == KB_KIND_EVALUATION ||
	    kind == KB_KIND_BASELINE)
		return 0;
	return kb_err(err, KB_ERR_INPUT, "'%s' is of kind '%s', want a score, "
		      "an evaluation or a baseline", name, kb_kind_name(kind));
}

static int check_layers(struct kb_view *v, const char *store,
			struct kb_err *err)
{
	char hex[KB_DIGEST_HEX_SIZE];
	int ret;

	kb_digest_format(&v->bundle.id, hex);
	kb_checks_add(&v->checks, KB_LAYER_BYTES, "bag", KB_ANSWER_OK, "%s",
		      hex);
	kb_checks_add(&v->checks, KB_LAYER_BYTES, "record", KB_ANSWER_OK, "%s",
		      kb_kind_name(v->lineage.kind));
	ret = kb_layers_check_record(&v->checks, &v->lineage, &v->bundle,
				     store, err);
	if (ret == 0)
		kb_plausible_check(&v->checks, &v->lineage);
	return ret;
}

/* The files of problems and candidates are in these. What cannot be opened
 * now was there a moment ago: that is a failure, and no answer. */
static int open_sources(struct kb_view *v, const char *store,
			struct kb_err *err)
{
	const struct kb_lineage *l = &v->lineage;
	int ret = 0;

	if (l->suite)
		ret = kb_store_open_id(&v->suite, store, l->evaluation ?
				       &l->evaluation->suite :
				       &l->baseline->suite, err);
	if (ret == 0 && l->submission)
		ret = kb_store_open_id(&v->submission, store,
				       &l->evaluation->submission, err);
	return ret;
}

static void find_peak(struct kb_view *v)
{
	const struct kb_conditions *c = kb_view_conditions(v);
	const char *name = c ? kb_environment_text(c->environment, "gpu",
						   "name") : NULL;

	v->peak = name ? kb_peak_find(name) : NULL;
}

static int fill(struct kb_view *v, const char *store, const char *name,
		struct kb_err *err)
{
	int ret = kb_store_open(&v->bundle, store, name, err);

	if (ret == 0)
		ret = kb_lineage_load(&v->lineage, &v->bundle, err);
	if (ret == 0)
		ret = check_kind(v->lineage.kind, name, err);
	if (ret == 0)
		ret = check_layers(v, store, err);
	if (ret == 0)
		ret = open_sources(v, store, err);
	if (ret < 0)
		return ret;
	find_peak(v);
	kb_view_make_rows(v);
	return 0;
}

int kb_view_open(struct kb_view *v, const char *store, const char *name,
		 struct kb_err *err)
{
	int ret;

	*v = (struct kb_view)KB_VIEW_INIT;
	ret = fill(v, store, name, err);
	if (ret < 0)
		kb_view_release(v);
	return ret;
}

const struct kb_conditions *kb_view_conditions(const struct kb_view *v)
{
	const struct kb_lineage *l = &v->lineage;

	if (l->kind == KB_KIND_BASELINE)
		return &l->baseline->conditions;
	return l->evaluation ? &l->evaluation->conditions : NULL;
}

const struct kb_metrics *kb_view_overall(const struct kb_view *v)
{
	return v->lineage.score ? &v->lineage.score->overall : &v->metrics;
}

void kb_view_title_print(struct kb_buf *out, const struct kb_view *v)
{
	const struct kb_lineage *l = &v->lineage;
	const struct kb_provenance *p =
		l->submission ? &l->submission->provenance : NULL;

	if (l->kind == KB_KIND_BASELINE) {
		kb_buf_addf(out, "Baseline (%s)", kb_mode_name(l->baseline->mode));
		return;
	}
	if (p && p->display_name)
		kb_buf_addstr(out, p->display_name);
	else if (p && p->model)
		kb_buf_addstr(out, p->model);
	else
		kb_buf_addstr(out, l->score && l->score->model ?
			      l->score->model : "Candidates");
	if (p && p->organization)
		kb_buf_addf(out, " (%s)", p->organization);
}

struct kb_short_id kb_short_id(const struct kb_digest *id)
{
	struct kb_short_id s = { "" };
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(id, hex);
	memcpy(s.text, hex, KB_SHORT_ID);
	return s;
}

size_t *kb_view_judged(const struct kb_view *v, size_t *count)
{
	size_t *items = kb_xcalloc(v->row_count + 1, sizeof(*items));

	*count = 0;
	for (size_t i = 0; i < v->row_count; i++)
		if (v->rows[i].is_judged)
			items[(*count)++] = i;
	return items;
}

struct kb_reach *kb_view_reaches(const struct kb_view *v, size_t *count)
{
	struct kb_reach *items = kb_xcalloc(v->row_count + 1, sizeof(*items));

	*count = 0;
	for (size_t i = 0; i < v->row_count; i++)
		if (v->rows[i].is_judged && v->rows[i].has_speedup)
			items[(*count)++] = v->rows[i].speedup;
	return items;
}
