/* A bundle opened as a view, with its lineage and its checks. */

#include "base/err.h"
#include "import/report_in.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/profile.h"
#include "pages/view.h"
#include "pages/view_rows.h"
#include "store/store.h"
#include "verify/ancestors.h"
#include "verify/layers.h"
#include "verify/plausible.h"
#include "verify/signatures.h"

static int check_kind(enum kb_kind kind, const char *name, struct kb_err *err)
{
	if (kind == KB_KIND_SCORE || kind == KB_KIND_EVALUATION ||
	    kind == KB_KIND_BASELINE || kind == KB_KIND_REPORT ||
	    kind == KB_KIND_GENERATION)
		return 0;
	return kb_err(err, KB_ERR_INPUT, "'%s' is of kind '%s', which has no "
		      "pages: give a score, an evaluation, a baseline, a "
		      "generation or a report", name, kb_kind_name(kind));
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
	if (ret >= 0 && v->lineage.kind == KB_KIND_REPORT)
		ret = kb_report_add_check(&v->checks, &v->bundle, err);
	if (ret >= 0)
		ret = kb_ancestors_check(&v->checks, &v->lineage, store, err);
	if (ret < 0)
		return ret;
	kb_plausible_check(&v->checks, &v->lineage);
	return kb_lineage_keep_results(&v->lineage, &v->bundle, err);
}

/* The files of problems and candidates are in these. What cannot be opened
 * now was there a moment ago: that is a failure, and no answer. */
static int open_sources(struct kb_view *v, const char *store,
			struct kb_err *err)
{
	const struct kb_lineage *l = &v->lineage;
	int ret = 0;

	if (!kb_kind_has_times(l->kind))
		return 0;
	if (l->suite)
		ret = kb_store_open_id(&v->suite, store, l->evaluation ?
				       &l->evaluation->suite :
				       &l->baseline->suite, err);
	if (ret == 0 && l->submission)
		ret = kb_store_open_id(&v->submission, store,
				       &l->evaluation->submission, err);
	return ret;
}

/* Advice: what is wrong with a profile does not keep anybody from looking at
 * the rest. */
static int open_profiles(struct kb_view *v, struct kb_err *err)
{
	const struct kb_bundle *b =
		v->lineage.kind == KB_KIND_EVALUATION ? &v->bundle :
		v->lineage.evaluation ? &v->lineage.evaluation_bundle : NULL;
	struct kb_err why = KB_ERR_INIT;
	int ret = b ? kb_profile_load_all(&v->profiles, &v->profile_count, b,
					  &why) : 0;

	v->has_bad_profile = ret == -KB_ERR_INPUT || ret == -KB_ERR_CORRUPT;
	return ret < 0 && !v->has_bad_profile ? kb_err_take(err, &why) : 0;
}

static void find_ceiling(struct kb_view *v)
{
	const struct kb_conditions *c = kb_view_conditions(v);

	v->ceiling = (struct kb_ceiling){ .peak = NULL };
	if (!c)
		return;
	kb_ceiling_of(&v->ceiling, c);
	v->ceiling.precision = kb_view_precision(v);
}

static int fill_view(struct kb_view *v, const char *store, const char *name,
		     const struct kb_signature_keys *keys, struct kb_err *err)
{
	int ret = kb_store_open(&v->bundle, store, name, err);

	if (ret == 0)
		ret = kb_lineage_load(&v->lineage, &v->bundle, err);
	if (ret == 0)
		ret = check_kind(v->lineage.kind, name, err);
	if (ret == 0)
		ret = check_layers(v, store, err);
	if (ret == 0)
		ret = kb_signatures_check(&v->checks, &v->bundle, keys, err);
	if (ret == 0)
		ret = open_sources(v, store, err);
	if (ret == 0)
		ret = open_profiles(v, err);
	if (ret < 0)
		return ret;
	find_ceiling(v);
	kb_view_make_rows(v);
	return 0;
}

int kb_view_open(struct kb_view *v, const char *store, const char *name,
		 const struct kb_signature_keys *keys, struct kb_err *err)
{
	int ret;

	*v = (struct kb_view)KB_VIEW_INIT;
	ret = fill_view(v, store, name, keys, err);
	if (ret < 0)
		kb_view_release(v);
	return ret;
}
