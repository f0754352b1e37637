#include "pages/board_data.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "export/csv.h"
#include "json/json.h"
#include "manifest/evaluation.h"
#include "manifest/report.h"
#include "manifest/submission.h"
#include "pages/board.h"
#include "pages/view.h"
#include "sheet/hardware.h"
#include "sheet/notes.h"

static const char *model_of(const struct kb_view *v)
{
	const struct kb_provenance *p = kb_view_provenance(v);

	if (p && p->model)
		return p->model;
	return v->lineage.score ? v->lineage.score->model : NULL;
}

static const char *hardware_of(const struct kb_view *v)
{
	const struct kb_conditions *c = kb_view_conditions(v);

	return c ? kb_hardware_name(c->environment) : NULL;
}

/* --- JSON ------------------------------------------------------------- */

static void set_id(struct kb_json *v, const char *key,
		   const struct kb_digest *id)
{
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(id, hex);
	kb_json_set_string(v, key, hex);
}

static struct kb_json *metrics_json(const struct kb_metrics *m, int level)
{
	struct kb_json *v = kb_json_object();

	if (level)
		kb_json_set_int(v, "level", level);
	kb_metrics_to_json(v, m);
	return v;
}

static struct kb_json *levels_json(const struct kb_score *s)
{
	struct kb_json *levels = kb_json_array();

	for (size_t i = 0; i < s->level_count; i++)
		kb_json_append(levels, metrics_json(&s->levels[i].metrics,
						    s->levels[i].level));
	return levels;
}

static struct kb_json *entry_json(const struct kb_view *v)
{
	const struct kb_provenance *p = kb_view_provenance(v);
	struct kb_json *e = kb_json_object();

	set_id(e, "id", &v->bundle.id);
	kb_json_set_string(e, "kind", kb_kind_name(v->lineage.kind));
	kb_json_set_string(e, "display_name", p ? p->display_name : NULL);
	kb_json_set_string(e, "model", model_of(v));
	kb_json_set_string(e, "organization", p ? p->organization : NULL);
	kb_json_set_string(e, "date", p ? p->date : NULL);
	kb_json_set_string(e, "verdict",
			   kb_answer_verdict(kb_checks_answer(&v->checks)));
	kb_json_set(e, "layers", kb_checks_to_json(&v->checks));
	if (v->lineage.report)
		kb_json_set(e, "claims",
			    kb_report_to_json(v->lineage.report));
	return e;
}

static struct kb_json *warnings_json(const struct kb_score *s)
{
	kb_auto(warnings) struct kb_warnings w = { .count = 0 };
	struct kb_json *texts = kb_json_array();

	kb_warnings_of(&w, s);
	for (size_t i = 0; i < w.count; i++)
		kb_json_append(texts, kb_json_string(w.texts[i]));
	return texts;
}

static struct kb_json *ranked_json(const struct kb_view *v,
				   const struct kb_rank *r)
{
	const struct kb_score *s = v->lineage.score;
	struct kb_json *e = entry_json(v), *rank = kb_json_object();

	kb_json_set_int(rank, "first", (int64_t)r->first);
	kb_json_set_int(rank, "last", (int64_t)r->last);
	kb_json_set(e, "rank", rank);
	set_id(e, "evaluation", &s->evaluation);
	set_id(e, "baseline", &s->baseline);
	kb_json_set(e, "overall", metrics_json(&s->overall, 0));
	kb_json_set(e, "levels", levels_json(s));
	kb_json_set(e, "warnings", warnings_json(s));
	if (kb_board_metrics(v, KB_BOARD_SOUND))
		kb_json_set(e, "sound", metrics_json(
				    kb_board_metrics(v, KB_BOARD_SOUND), 0));
	return e;
}

/* The ranks of all levels; the caller frees. */
static struct kb_rank *ranks_of(const struct kb_board *b,
				const struct kb_ranking *r, int level)
{
	kb_auto(mem) const struct kb_metrics **m =
		kb_xcalloc(r->count + 1, sizeof(*m));
	struct kb_rank *ranks = kb_xcalloc(r->count + 1, sizeof(*ranks));

	for (size_t i = 0; i < r->count; i++)
		m[i] = kb_board_metrics(&b->views[r->views[i]], level);
	kb_board_rank(ranks, m, r->count);
	return ranks;
}

static struct kb_json *ranking_json(const struct kb_board *b,
				    const struct kb_ranking *r)
{
	const struct kb_view *first = &b->views[r->views[0]];
	kb_auto(mem) struct kb_rank *ranks = ranks_of(b, r, 0);
	struct kb_json *v = kb_json_object(), *entries = kb_json_array();

	kb_json_set_string(v, "hardware", hardware_of(first));
	kb_json_set(v, "definition",
		    kb_json_copy(first->lineage.score->definition));
	kb_json_set(v, "match_key",
		    kb_json_copy(first->lineage.score->match_key));
	for (size_t i = 0; i < r->count; i++)
		kb_json_append(entries, ranked_json(&b->views[r->views[i]],
						    &ranks[i]));
	kb_json_set(v, "entries", entries);
	return v;
}

static struct kb_json *unranked_json(const struct kb_board *b,
				     const struct kb_unranked *u)
{
	struct kb_json *e = entry_json(&b->views[u->view]);

	if (u->twin)
		set_id(e, "same_runs_as", u->twin);
	return e;
}

void kb_board_json_print(struct kb_buf *out, const struct kb_board *b)
{
	kb_auto(json) struct kb_json *v = kb_json_object();
	struct kb_json *rankings = kb_json_array(),
		       *unranked = kb_json_array();

	for (size_t i = 0; i < b->ranking_count; i++)
		kb_json_append(rankings, ranking_json(b, &b->rankings[i]));
	for (size_t i = 0; i < b->unranked_count; i++)
		kb_json_append(unranked, unranked_json(b, &b->unranked[i]));
	kb_json_set(v, "rankings", rankings);
	kb_json_set(v, "unranked", unranked);
	kb_json_print(out, v);
	kb_buf_addch(out, '\n');
}

/* --- CSV -------------------------------------------------------------- */

static void add_text(struct kb_buf *out, const char *text, const char *end)
{
	kb_csv_text_print(out, text ? text : "");
	kb_buf_addstr(out, end);
}

static void add_number(struct kb_buf *out, int64_t value, const char *end)
{
	if (value != KB_UNKNOWN)
		kb_buf_addf(out, "%" PRId64, value);
	kb_buf_addstr(out, end);
}

static void add_metrics(struct kb_buf *out, const struct kb_metrics *m)
{
	int64_t certain, possible;

	add_number(out, m->problems, ",");
	add_number(out, m->compiled, ",");
	add_number(out, m->correct, ",");
	for (int i = 0; i < KB_FAST_COUNT; i++)
		add_number(out, m->fast[i], ",");
	kb_board_fast_1(m, &certain, &possible);
	add_number(out, certain, ",");
	add_number(out, possible, ",");
	add_number(out, m->geomean_speedup_micro, ",");
}

static void add_row(struct kb_buf *out, size_t ranking, int level,
		    const struct kb_rank *rank, const struct kb_view *v)
{
	const struct kb_provenance *p = kb_view_provenance(v);
	kb_auto(buf) struct kb_buf warnings = KB_BUF_INIT;
	char hex[KB_DIGEST_HEX_SIZE];

	kb_warnings_join(&warnings, v->lineage.score);
	kb_buf_addf(out, "%zu,", ranking + 1);
	add_text(out, hardware_of(v), ",");
	if (level > 0)
		kb_buf_addf(out, "%d,", level);
	else
		kb_buf_addstr(out, level ? "sound," : "overall,");
	kb_buf_addf(out, "%zu,%zu,", rank->first, rank->last);
	add_text(out, p ? p->display_name : NULL, ",");
	add_text(out, model_of(v), ",");
	add_text(out, p ? p->organization : NULL, ",");
	add_metrics(out, kb_board_metrics(v, level));
	kb_buf_addf(out, "%s,",
		    kb_answer_verdict(kb_checks_answer(&v->checks)));
	kb_digest_format(&v->bundle.id, hex);
	kb_buf_addf(out, "%s,", hex);
	add_text(out, warnings.data, "\n");
}

static void add_rows(struct kb_buf *out, const struct kb_board *b,
		     size_t ranking, int level)
{
	const struct kb_ranking *r = &b->rankings[ranking];
	kb_auto(mem) struct kb_rank *ranks = ranks_of(b, r, level);

	for (size_t i = 0; i < r->count; i++)
		add_row(out, ranking, level, &ranks[i], &b->views[r->views[i]]);
}

void kb_board_csv_print(struct kb_buf *out, const struct kb_board *b)
{
	kb_buf_addstr(out, "ranking,hardware,level,rank_first,rank_last,"
		      "display_name,model,organization,problems,compiled,"
		      "correct,fast_0,fast_0.5,fast_0.8,fast_1,fast_1.5,"
		      "fast_2,fast_1_certain,fast_1_possible,"
		      "geomean_speedup_micro,verdict,score,warnings\n");
	for (size_t i = 0; i < b->ranking_count; i++) {
		const struct kb_score *s =
			b->views[b->rankings[i].views[0]].lineage.score;

		add_rows(out, b, i, 0);
		for (size_t j = 0; j < s->level_count; j++)
			add_rows(out, b, i, s->levels[j].level);
		if (kb_board_has(b, &b->rankings[i], KB_BOARD_SOUND))
			add_rows(out, b, i, KB_BOARD_SOUND);
	}
}
