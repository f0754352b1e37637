#include "pages/text_run.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "manifest/evaluation.h"
#include "manifest/profile.h"
#include "pages/board.h"
#include "pages/fast_curve.h"
#include "pages/profiles.h"
#include "pages/verdict.h"
#include "pages/view.h"
#include "sheet/format.h"
#include "sheet/hardware.h"
#include "sheet/notes.h"
#include "tables/claims_table.h"
#include "tables/generation_table.h"
#include "tables/kernel_table.h"
#include "tables/score_table.h"
#include "tables/table.h"

static void add_head(struct kb_buf *out, const struct kb_view *v)
{
	const struct kb_conditions *c = kb_view_conditions(v);
	kb_auto(buf) struct kb_buf title = KB_BUF_INIT, verdict = KB_BUF_INIT;

	kb_view_title_print(&title, v);
	kb_format_text(out, title.data);
	kb_verdict_line_print(&verdict, &v->checks);
	kb_buf_addf(out, "\n%s %s", kb_kind_name(v->lineage.kind),
		    kb_short_id(&v->bundle.id).text);
	if (kb_kind_has_times(v->lineage.kind)) {
		kb_buf_addstr(out, " on ");
		kb_format_text(out, c ? kb_hardware_name(c->environment) :
					"unknown hardware");
	}
	kb_buf_addf(out, "\nkb-verify: %s\n\n", verdict.data);
}

/* --- fast_p ----------------------------------------------------------- */

#define BAR 50			/* columns of all problems */

static void add_bar(struct kb_buf *out, const struct kb_fast *f,
		    int64_t problems)
{
	const int64_t to = problems ? f->certain * BAR / problems : 0;
	const int64_t may = problems ? f->possible * BAR / problems : 0;

	for (int64_t i = 0; i < BAR; i++)
		kb_buf_addch(out, i < to ? '#' : i < may ? '+' : '.');
}

static void add_curve(struct kb_buf *out, const struct kb_view *v)
{
	static const int at_milli[] = { 0, 250, 500, 750, 1000, 1250, 1500,
					2000, 2500, 3000 };
	size_t count;
	kb_auto(mem) struct kb_reach *items = kb_view_reaches(v, &count);
	const struct kb_curve c = { NULL, items, count,
				    kb_view_overall(v)->problems };

	if (!count)
		return;
	kb_buf_addstr(out, "fast_p, # certain and + possible at 95 %, of all "
		      "problems:\n");
	for (size_t i = 0; i < KB_ARRAY_LEN(at_milli); i++) {
		const struct kb_fast f = kb_curve_at(&c, at_milli[i]);
		char p[KB_FORMAT_SIZE], pct[KB_FORMAT_SIZE];

		kb_format_milli(p, at_milli[i]);
		kb_format_pct(pct, f.fast, c.problems);
		kb_buf_addf(out, "%5s  ", p);
		add_bar(out, &f, c.problems);
		kb_buf_addf(out, "  %" PRId64 " %s\n", f.fast, pct);
	}
	kb_buf_addch(out, '\n');
}

/* --- speedups --------------------------------------------------------- */

#define AXIS 41			/* columns from 1/16 to 16; 1 is the middle */

static int column_of(int64_t micro)
{
	double at;

	if (micro <= 0)
		return 0;
	/* log2 goes from -4 for 1/16 to 4 for 16. */
	at = (log2((double)micro / 1e6) + 4) / 8 * (AXIS - 1);
	return at < 0 ? 0 : at > AXIS - 1 ? AXIS - 1 : (int)(at + 0.5);
}

static bool is_beyond(int64_t micro)
{
	return micro < 1000000 / 16 || micro > 16000000;
}

static void add_axis(char line[AXIS + 1], const struct kb_reach *r)
{
	const bool is_bounded = r->low_micro > 0 && r->high_micro < INT64_MAX;

	memset(line, ' ', AXIS);
	line[AXIS] = '\0';
	for (int i = column_of(r->low_micro);
	     is_bounded && i <= column_of(r->high_micro); i++)
		line[i] = '-';
	line[AXIS / 2] = line[AXIS / 2] == '-' ? '+' : '|';
	line[column_of(r->speedup_micro)] = is_beyond(r->speedup_micro) ?
		(r->speedup_micro < 1000000 ? '<' : '>') : 'o';
}

static int compare_rows(const void *a, const void *b)
{
	const struct kb_view_row *x = *(const struct kb_view_row *const *)a,
				 *y = *(const struct kb_view_row *const *)b;
	const int64_t p = x->speedup.speedup_micro,
		      q = y->speedup.speedup_micro;

	return p != q ? (p > q) - (p < q) : kb_key_compare(x->key, y->key);
}

static void add_speedups(struct kb_buf *out, const struct kb_view *v)
{
	kb_auto(mem) const struct kb_view_row **rows =
		kb_xcalloc(v->row_count + 1, sizeof(*rows));
	size_t count = 0;

	for (size_t i = 0; i < v->row_count; i++)
		if (v->rows[i].is_judged && v->rows[i].has_speedup)
			rows[count++] = &v->rows[i];
	if (!count)
		return;
	qsort(rows, count, sizeof(*rows), compare_rows);
	kb_buf_addf(out, "speedups, o, and their intervals at 95 %%, from "
		    "1/16 to 16; | is 1, < and > are\nbeyond:\n");
	for (size_t i = 0; i < count; i++) {
		char key[KB_KEY_SIZE], text[KB_FORMAT_SIZE], line[AXIS + 1];

		kb_key_format(key, rows[i]->key);
		kb_format_ratio(text, rows[i]->speedup.speedup_micro);
		add_axis(line, &rows[i]->speedup);
		kb_buf_addf(out, "%-10s %s %11s\n", key, line, text);
	}
	kb_buf_addch(out, '\n');
}

static void add_profile(struct kb_buf *out, const struct kb_view *v,
			const struct kb_profile *p, struct kb_look look)
{
	kb_auto(mem) struct kb_profile_share *shares =
		kb_xcalloc(p->item_count + 1, sizeof(*shares));

	for (size_t i = 0; i < p->item_count; i++)
		shares[i] = kb_view_profile_share(v, &p->items[i]);
	kb_buf_addf(out, "\nprofile, by %s\n", p->counters);
	kb_profile_table_print(out, p, shares, look);
	kb_buf_addch(out, '\n');
	kb_kernel_table_print(out, p, look);
}

void kb_view_text_print(struct kb_buf *out, const struct kb_view *v,
			struct kb_look look)
{
	add_head(out, v);
	if (v->lineage.report) {
		kb_claims_table_print(out, v->lineage.report, look);
		return;
	}
	if (v->lineage.kind == KB_KIND_GENERATION) {
		kb_generation_table_print(out, v->lineage.generation, look);
		return;
	}
	if (v->lineage.score) {
		kb_score_table_print(out, v->lineage.score, look);
		kb_buf_addch(out, '\n');
	}
	add_curve(out, v);
	add_speedups(out, v);
	for (size_t i = 0; i < v->profile_count; i++)
		add_profile(out, v, &v->profiles[i], look);
}

/* --- leaderboard ------------------------------------------------------ */

static const struct kb_column columns[] = {
	{ "rank", KB_ALIGN_RIGHT }, { "submission", KB_ALIGN_LEFT },
	{ "correct", KB_ALIGN_RIGHT }, { "fast_1", KB_ALIGN_RIGHT },
	{ "at 95 %", KB_ALIGN_RIGHT }, { "geomean", KB_ALIGN_RIGHT },
	{ "score", KB_ALIGN_LEFT }, { "kb-verify", KB_ALIGN_LEFT },
};

static void add_row(struct kb_table *t, const struct kb_view *v,
		    const struct kb_metrics *m, const struct kb_rank *r)
{
	kb_auto(buf) struct kb_buf title = KB_BUF_INIT, clean = KB_BUF_INIT,
				   verdict = KB_BUF_INIT;
	char mean[KB_FORMAT_SIZE];
	int64_t certain, possible;

	kb_view_name_print(&title, v);
	kb_format_text(&clean, title.data);
	kb_verdict_brief_print(&verdict, &v->checks);
	kb_board_fast_1(m, &certain, &possible);
	kb_format_ratio(mean, m->geomean_speedup_micro);
	if (r->first == r->last)
		kb_table_addf(t, "%zu", r->first);
	else
		kb_table_addf(t, "%zu to %zu", r->first, r->last);
	kb_table_add(t, clean.data);
	kb_table_addf(t, "%" PRId64 "/%" PRId64, m->correct, m->problems);
	kb_table_addf(t, "%" PRId64, m->fast[3]);
	kb_table_addf(t, "%" PRId64 " to %" PRId64, certain, possible);
	kb_table_add(t, mean);
	kb_table_add(t, kb_short_id(&v->bundle.id).text);
	kb_table_add(t, verdict.data);
}

static void add_warnings(struct kb_buf *out, const struct kb_view *v)
{
	kb_auto(mem) char *before = kb_xasprintf(
		"WARNING  %s: ", kb_short_id(&v->bundle.id).text);

	kb_warnings_print(out, v->lineage.score, before, "\n");
}

/* Places among all problems for 0, or among the sound ones. */
static void add_places(struct kb_buf *out, const struct kb_board *b,
		       const struct kb_ranking *r, int level,
		       struct kb_look look)
{
	kb_auto(table) struct kb_table *t =
		kb_table_new(columns, KB_ARRAY_LEN(columns));
	kb_auto(mem) const struct kb_metrics **m =
		kb_xcalloc(r->count + 1, sizeof(*m));
	kb_auto(mem) struct kb_rank *ranks =
		kb_xcalloc(r->count + 1, sizeof(*ranks));

	for (size_t i = 0; i < r->count; i++)
		m[i] = kb_board_metrics(&b->views[r->views[i]], level);
	kb_board_rank(ranks, m, r->count);
	for (size_t i = 0; i < r->count; i++)
		add_row(t, &b->views[r->views[i]], m[i], &ranks[i]);
	kb_table_print(out, t, look);
	for (size_t i = 0; i < r->count; i++)
		add_warnings(out, &b->views[r->views[i]]);
	kb_buf_addch(out, '\n');
}

static void add_ranking(struct kb_buf *out, const struct kb_board *b,
			const struct kb_ranking *r, struct kb_look look)
{
	const struct kb_conditions *c =
		kb_view_conditions(&b->views[r->views[0]]);

	kb_format_text(out, c ? kb_hardware_name(c->environment) :
				"unknown hardware");
	kb_buf_addch(out, '\n');
	add_places(out, b, r, 0, look);
	if (!kb_board_has(b, r, KB_BOARD_SOUND))
		return;
	kb_buf_addstr(out, "of sound problems\n");
	add_places(out, b, r, KB_BOARD_SOUND, look);
}

void kb_board_text_print(struct kb_buf *out, const struct kb_board *b,
			 struct kb_look look)
{
	for (size_t i = 0; i < b->ranking_count; i++)
		add_ranking(out, b, &b->rankings[i], look);
	for (size_t i = 0; i < b->unranked_count; i++) {
		const struct kb_unranked *u = &b->unranked[i];
		const struct kb_view *v = &b->views[u->view];
		kb_auto(buf) struct kb_buf verdict = KB_BUF_INIT;

		kb_verdict_brief_print(&verdict, &v->checks);
		kb_buf_addf(out, "not ranked: %s %s, %s",
			    kb_kind_name(v->lineage.kind),
			    kb_short_id(&v->bundle.id).text, verdict.data);
		if (u->twin)
			kb_buf_addf(out, ", has the same runs as %s",
				    kb_short_id(u->twin).text);
		kb_buf_addch(out, '\n');
	}
}
