/* Several scores as one table: JSON, CSV, Markdown, LaTeX. */

#include "export/job.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/err.h"
#include "export/csv.h"
#include "export/latex.h"
#include "export/markdown.h"
#include "export/score_json.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/score.h"
#include "sheet/comparable.h"
#include "sheet/comparison.h"
#include "sheet/score_sheet.h"
#include "store/store.h"

/* All that a sheet shows, owned. */
struct listed {
	struct kb_digest id;
	struct kb_score score;
	struct kb_evaluation evaluation;
	struct kb_baseline baseline;
	const char **backends;		/* of each line of the score, or NULL */
};

#define LISTED_INIT { .score = KB_SCORE_INIT, \
		      .evaluation = KB_EVALUATION_INIT, \
		      .baseline = KB_BASELINE_INIT }

struct kb_score_list {
	struct listed *items;
	size_t count, capacity;
};

static void listed_release(struct listed *l)
{
	free(l->backends);
	kb_score_release(&l->score);
	kb_evaluation_release(&l->evaluation);
	kb_baseline_release(&l->baseline);
}

static inline void kb_cleanup_listed(struct listed *l)
{
	listed_release(l);
}

struct kb_score_list *kb_score_list_new(void)
{
	return kb_xcalloc(1, sizeof(struct kb_score_list));
}

void kb_score_list_free(struct kb_score_list *l)
{
	for (size_t i = 0; i < l->count; i++)
		listed_release(&l->items[i]);
	free(l->items);
	free(l);
}

static void note_backend(void *into, struct kb_result *r)
{
	struct listed *l = into;
	const struct kb_score_line *line =
		kb_key_find(l->score.lines, l->score.line_count,
			    sizeof(*l->score.lines), r->key, NULL);

	if (line && line->sample_id == r->sample_id)
		l->backends[line - l->score.lines] = r->backend;
}

/* Results are many and no table shows more of them, but a bundle whose results
 * are not what its record says is refused. */
static int load_evaluation(struct listed *l, const struct kb_export_job *job,
			   struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	int ret = kb_export_open_parent(&b, &l->score.evaluation,
					KB_KIND_EVALUATION, job, err);

	l->backends = kb_xcalloc(l->score.line_count, sizeof(*l->backends));
	if (ret == 0)
		ret = kb_evaluation_load_record(&l->evaluation, &b, err);
	return ret < 0 ? ret : kb_evaluation_each(&l->evaluation, &b,
						  note_backend, l, err);
}

static int load_baseline(struct kb_baseline *baseline,
			 const struct kb_digest *id,
			 const struct kb_export_job *job, struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	int ret = kb_export_open_parent(&b, id, KB_KIND_BASELINE, job, err);

	return ret < 0 ? ret : kb_baseline_load(baseline, &b, err);
}

/* The caller releases, in any case. */
static int load_listed(struct listed *l, const struct kb_bundle *b,
		       const struct kb_export_job *job, struct kb_err *err)
{
	int ret = kb_score_load(&l->score, b, err);

	l->id = b->id;
	if (ret == 0)
		ret = load_evaluation(l, job, err);
	return ret < 0 ? ret : load_baseline(&l->baseline, &l->score.baseline,
					     job, err);
}

static struct kb_score_sheet sheet_of(const struct listed *l)
{
	return (struct kb_score_sheet){
		.score = &l->score, .id = &l->id,
		.evaluation = &l->evaluation, .baseline = &l->baseline,
		.backends = l->backends,
	};
}

int kb_make_json(struct kb_made_files *out, const struct kb_bundle *b,
		 const struct kb_export_job *job, struct kb_err *err)
{
	kb_auto(listed) struct listed l = LISTED_INIT;
	struct kb_score_sheet sheet;
	int ret = load_listed(&l, b, job, err);

	if (ret < 0)
		return ret;
	sheet = sheet_of(&l);
	kb_score_json_print(kb_made_files_add(out, NULL), &sheet);
	return 0;
}

int kb_make_score_row(struct kb_made_files *out, const struct kb_bundle *b,
		      const struct kb_export_job *job, struct kb_err *err)
{
	kb_auto(listed) struct listed l = LISTED_INIT;
	struct kb_score_list *list = job->scores;
	int ret = load_listed(&l, b, job, err);

	(void)out;
	if (ret < 0)
		return ret;
	list->items = kb_grow(list->items, list->count, &list->capacity,
			      sizeof(*list->items));
	list->items[list->count++] = l;
	l = (struct listed)LISTED_INIT;
	return 0;
}

/* How a format prints one score, and several. */
struct printer {
	void (*one)(struct kb_buf *out, const struct kb_score_sheet *s);
	void (*several)(struct kb_buf *out, const struct kb_comparison *c);
};

static int print_tables(struct kb_made_files *out,
			const struct kb_export_job *job,
			const struct printer *print, struct kb_err *err)
{
	const struct kb_score_list *list = job->scores;
	kb_auto(mem) struct kb_score_sheet *sheets =
		kb_xcalloc(list->count, sizeof(*sheets));
	kb_auto(comparison) struct kb_comparison c = KB_COMPARISON_INIT;
	int ret;

	for (size_t i = 0; i < list->count; i++)
		sheets[i] = sheet_of(&list->items[i]);
	if (list->count == 1) {
		print->one(kb_made_files_add(out, NULL), &sheets[0]);
		return 0;
	}
	ret = kb_sheets_check_comparable(sheets, job->e->bundles, list->count,
					 err);
	if (ret < 0)
		return ret;
	kb_comparison_init(&c, sheets, list->count);
	print->several(kb_made_files_add(out, NULL), &c);
	return 0;
}

int kb_finish_csv(struct kb_made_files *out, const struct kb_export_job *job,
		  struct kb_err *err)
{
	static const struct printer print = {
		kb_csv_print, kb_csv_comparison_print,
	};

	return print_tables(out, job, &print, err);
}

int kb_finish_markdown(struct kb_made_files *out,
		       const struct kb_export_job *job, struct kb_err *err)
{
	static const struct printer print = {
		kb_markdown_print, kb_markdown_comparison_print,
	};

	return print_tables(out, job, &print, err);
}

int kb_finish_latex(struct kb_made_files *out, const struct kb_export_job *job,
		    struct kb_err *err)
{
	static const struct printer print = {
		kb_latex_print, kb_latex_comparison_print,
	};

	return print_tables(out, job, &print, err);
}
