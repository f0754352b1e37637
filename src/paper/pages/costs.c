#include "pages/costs.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "manifest/metrics.h"
#include "pages/board.h"
#include "pages/cells.h"
#include "pages/cost_chart.h"
#include "pages/view.h"
#include "tables/generation_table.h"

struct costs {
	struct kb_cost_point *points;	/* names are owned */
	const struct kb_spent **spent;	/* of each; borrowed */
	size_t count;
};

static const struct kb_spent *spent_of(const struct kb_view *v)
{
	const struct kb_score *s = v->lineage.score;

	return s->has_spent && s->spent.usage.output_tokens > 0 ? &s->spent
								: NULL;
}

static void add_point(struct costs *c, const struct kb_view *v)
{
	const struct kb_metrics *m = kb_board_metrics(v, 0);
	const struct kb_spent *s = spent_of(v);
	struct kb_buf name = KB_BUF_INIT;

	if (!s)
		return;
	kb_view_title_print(&name, v);
	c->spent[c->count] = s;
	c->points[c->count++] = (struct kb_cost_point){
		.name = kb_buf_detach(&name),
		.output_tokens = s->usage.output_tokens,
		.fast_1 = m->fast[KB_FAST_1], .problems = m->problems,
	};
}

static void gather_costs(struct costs *c, const struct kb_board *b,
			 size_t which)
{
	const struct kb_ranking *r = &b->rankings[which];

	c->points = kb_xcalloc(r->count + 1, sizeof(*c->points));
	c->spent = kb_xcalloc(r->count + 1, sizeof(const struct kb_spent *));
	for (size_t i = 0; i < r->count; i++)
		add_point(c, &b->views[r->views[i]]);
}

static void release_costs(struct costs *c)
{
	for (size_t i = 0; i < c->count; i++)
		free((void *)c->points[i].name);
	free(c->points);
	free((void *)c->spent);
}

static void add_row(struct kb_buf *out, const struct costs *c, size_t i)
{
	const struct kb_cost_point *p = &c->points[i];
	const struct kb_spent *s = c->spent[i];
	kb_auto(buf) struct kb_buf money = KB_BUF_INIT;
	char cost[KB_COST_SIZE];

	kb_cost_format(cost, s->cost_nano);
	kb_buf_addf(&money, "%s%s%s", cost, s->currency ? " " : "",
		    s->currency ? s->currency : "");
	kb_buf_addstr(out, "<tr>");
	kb_cell_text(out, p->name);
	kb_cell_number(out, KB_CELL_COUNT, p->fast_1);
	kb_cell_number(out, KB_CELL_COUNT, p->output_tokens);
	kb_cell_number(out, KB_CELL_COUNT, s->usage.input_tokens);
	kb_cell_text(out, money.data);
	kb_cell_text(out, kb_cost_is_best(c->points, c->count, i) ? "yes"
								  : "no");
	kb_buf_addstr(out, "</tr>\n");
}

static void add_table(struct kb_buf *out, const struct costs *c, size_t which)
{
	static const struct kb_head heads[] = {
		{ "title", "model", true, false },
		{ "fast_1", "fast_1", false, false },
		{ "output_tokens", "tokens out", false, false },
		{ "input_tokens", "tokens in", false, false },
		{ "cost", "cost", true, false },
		{ "frontier", "on the frontier", true, false },
	};
	char id[32], caption[64];

	snprintf(id, sizeof(id), "costs-%zu", which + 1);
	snprintf(caption, sizeof(caption),
		 "What candidates of ranking %zu took", which + 1);
	kb_table_begin(out, id, caption, heads,
		       KB_ARRAY_LEN(heads), false);
	for (size_t i = 0; i < c->count; i++)
		add_row(out, c, i);
	kb_table_end(out);
}

static void add_chart(struct kb_buf *out, const struct costs *c, size_t which)
{
	char id[32];

	snprintf(id, sizeof(id), "cost-chart-%zu", which + 1);
	kb_buf_addstr(out, "<figure>\n");
	kb_cost_chart_draw(out, &(struct kb_chart){
		.id = id, .title = "fast_1 by tokens of output",
		.description = "A mark for each score. The line joins those "
			       "that no other equals with fewer tokens.",
		.width = 560, .height = 340 }, c->points, c->count);
	kb_buf_addstr(out, "<figcaption>fast_1 over the tokens of all answers "
		      "of the model. The line is the Pareto frontier: no other "
		      "score has as much with fewer tokens.</figcaption>"
		      "</figure>\n");
}

void kb_costs_print(struct kb_buf *out, const struct kb_board *b,
		    size_t which)
{
	struct costs c = { .count = 0 };

	gather_costs(&c, b, which);
	if (c.count > 1) {
		add_chart(out, &c, which);
		add_table(out, &c, which);
	}
	release_costs(&c);
}
