#include "pages/view.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/baseline.h"
#include "manifest/generation.h"
#include "manifest/report.h"
#include "manifest/evaluation.h"
#include "manifest/profile.h"
#include "manifest/submission.h"
#include "manifest/suite.h"

void kb_view_release(struct kb_view *v)
{
	for (size_t i = 0; i < v->profile_count; i++)
		kb_profile_release(&v->profiles[i]);
	free(v->profiles);
	free(v->rows);
	kb_metrics_release(&v->metrics);
	kb_bundle_release(&v->submission);
	kb_bundle_release(&v->suite);
	kb_checks_release(&v->checks);
	kb_lineage_release(&v->lineage);
	kb_bundle_release(&v->bundle);
	*v = (struct kb_view)KB_VIEW_INIT;
}

bool kb_kind_has_times(enum kb_kind kind)
{
	return kind != KB_KIND_GENERATION && kind != KB_KIND_REPORT;
}

const struct kb_conditions *kb_view_conditions(const struct kb_view *v)
{
	const struct kb_lineage *l = &v->lineage;

	if (l->kind == KB_KIND_BASELINE)
		return &l->baseline->conditions;
	return l->evaluation ? &l->evaluation->conditions : NULL;
}

enum kb_precision kb_view_precision(const struct kb_view *v)
{
	const struct kb_conditions *c = kb_view_conditions(v);

	return c ? kb_conditions_precision(c) : KB_FP32;
}

const struct kb_metrics *kb_view_overall(const struct kb_view *v)
{
	return v->lineage.score ? &v->lineage.score->overall : &v->metrics;
}

const struct kb_provenance *kb_view_provenance(const struct kb_view *v)
{
	return v->lineage.submission ? &v->lineage.submission->provenance
				     : NULL;
}

void kb_view_name_print(struct kb_buf *out, const struct kb_view *v)
{
	const struct kb_lineage *l = &v->lineage;
	const struct kb_provenance *p = kb_view_provenance(v);

	if (l->kind == KB_KIND_BASELINE)
		kb_buf_addf(out, "Baseline (%s)",
			    kb_mode_name(l->baseline->mode));
	else if (l->kind == KB_KIND_GENERATION)
		kb_buf_addf(out, "Answers of %s", l->generation->asked.model);
	else if (l->kind == KB_KIND_REPORT)
		kb_buf_addf(out, "Reported by others%s%s",
			    l->report->run ? ": " : "",
			    l->report->run ? l->report->run : "");
	else if (p && p->display_name)
		kb_buf_addstr(out, p->display_name);
	else if (p && p->model)
		kb_buf_addstr(out, p->model);
	else if (l->score && l->score->model)
		kb_buf_addstr(out, l->score->model);
	else
		kb_buf_addf(out, "Candidates%s%s", l->suite ? " for " : "",
			    l->suite ? l->suite->name : "");
}

void kb_view_title_print(struct kb_buf *out, const struct kb_view *v)
{
	const struct kb_provenance *p = kb_view_provenance(v);

	kb_view_name_print(out, v);
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

struct kb_reach *kb_view_reaches(const struct kb_view *v, size_t *count)
{
	struct kb_reach *items = kb_xcalloc(v->row_count + 1, sizeof(*items));

	*count = 0;
	for (size_t i = 0; i < v->row_count; i++)
		if (v->rows[i].is_judged && v->rows[i].has_speedup)
			items[(*count)++] = v->rows[i].speedup;
	return items;
}

static const struct kb_candidate *find_candidate(const struct kb_view *v,
						 struct kb_key key,
						 int sample_id)
{
	size_t count = 0;
	const struct kb_candidate *c = v->lineage.submission ?
		kb_submission_find(v->lineage.submission, key, &count) : NULL;

	for (size_t i = 0; i < count; i++)
		if (c[i].sample_id == sample_id)
			return &c[i];
	return NULL;
}

int kb_view_read_candidate(struct kb_buf *out, const struct kb_view *v,
			   struct kb_key key, int sample_id, struct kb_err *err)
{
	const struct kb_candidate *c = find_candidate(v, key, sample_id);

	return c ? kb_err_or_1(kb_bundle_read(out, &v->submission, c->file,
					      KB_CANDIDATE_BYTES_MAX, err)) : 0;
}
