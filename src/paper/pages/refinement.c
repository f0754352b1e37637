#include "pages/refinement.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "manifest/generation.h"
#include "pages/cells.h"
#include "pages/html.h"
#include "pages/turn_curve.h"
#include "tables/generation_table.h"
#include "turns/by_turn.h"
#include "turns/turns.h"

#define STEPS_MAX 64		/* 1, 2, 5, ... to beyond any count */

/* --- tables ------------------------------------------------------------ */

static void add_reached(struct kb_buf *out, const struct kb_reached *r)
{
	kb_cell_number(out, KB_CELL_COUNT, r->compiled);
	kb_cell_number(out, KB_CELL_COUNT, r->correct);
	kb_cell_number(out, KB_CELL_COUNT, r->fast[KB_FAST_1]);
}

/* Beside what was reached: samples that became correct in this turn. */
static void add_turn(struct kb_buf *out, const struct kb_generation *g,
		     int turn, int64_t *correct)
{
	char cost[KB_COST_SIZE];
	struct kb_by_turn row;

	kb_by_turn_of(&row, g, turn);
	kb_cost_format(cost, row.cost_nano);
	kb_buf_addstr(out, "<tr>");
	kb_cell_number(out, KB_CELL_COUNT, turn);
	kb_cell_number(out, KB_CELL_COUNT, row.asked);
	add_reached(out, &row.reached);
	kb_cell_number(out, KB_CELL_COUNT, row.reached.correct - *correct);
	kb_cell_number(out, KB_CELL_COUNT, row.tokens);
	kb_cell_text(out, cost);
	kb_buf_addstr(out, "</tr>\n");
	*correct = row.reached.correct;
}

static void add_turns(struct kb_buf *out, const struct kb_generation *g)
{
	static const struct kb_head heads[] = {
		{ "turns", "within turns", false, false },
		{ "asked", "asked", false, false },
		{ "compiled", "compiled", false, false },
		{ "correct", "correct", false, false },
		{ "fast_1", "faster", false, false },
		{ "first_correct", "correct for the first time", false, false },
		{ "tokens", "tokens of all", false, false },
		{ "cost", "cost of all", true, false },
	};
	const int turns = kb_turn_in_hand(g);
	int64_t correct = 0;

	kb_table_begin(out, "by-turn", "Samples by what they had reached",
		       heads, KB_ARRAY_LEN(heads), false);
	for (int turn = 1; turn <= turns; turn++)
		add_turn(out, g, turn, &correct);
	kb_table_end(out);
}

static void add_tokens(struct kb_buf *out, const struct kb_generation *g)
{
	static const struct kb_head heads[] = {
		{ "tokens", "within tokens of a sample", false, false },
		{ "compiled", "compiled", false, false },
		{ "correct", "correct", false, false },
		{ "fast_1", "faster", false, false },
	};
	const int64_t most = kb_tokens_most(g);
	int64_t tokens = 0;

	kb_table_begin(out, "by-tokens", "The same by tokens", heads,
		       KB_ARRAY_LEN(heads), false);
	while (tokens < most) {
		struct kb_reached row;

		tokens = kb_tokens_step(tokens);
		kb_by_tokens_of(&row, g, tokens);
		kb_buf_addstr(out, "<tr>");
		kb_cell_number(out, KB_CELL_COUNT, tokens);
		add_reached(out, &row);
		kb_buf_addstr(out, "</tr>\n");
	}
	kb_table_end(out);
}

/* --- charts ------------------------------------------------------------ */

static void draw_curve(struct kb_buf *out, const struct kb_chart *chart,
		       const struct kb_turn_curve *c)
{
	kb_html_addf(out, "<figure><div class=\"wide\" tabindex=\"0\" "
		     "role=\"region\" aria-label=\"%s, chart\">\n",
		     chart->title);
	kb_turn_curve_draw(out, chart, c);
	kb_html_addf(out, "</div><figcaption>%s The numbers are in the table "
		     "below.</figcaption></figure>\n", chart->description);
}

static void draw_turns(struct kb_buf *out, const struct kb_generation *g)
{
	const int turns = kb_turn_in_hand(g);
	kb_auto(mem) struct kb_turn_point *points =
		kb_xcalloc((size_t)turns, sizeof(*points));

	for (int i = 0; i < turns; i++) {
		struct kb_by_turn row;

		kb_by_turn_of(&row, g, i + 1);
		points[i] = (struct kb_turn_point){
			i + 1, row.reached.correct, row.reached.fast[KB_FAST_1],
		};
	}
	draw_curve(out, &(struct kb_chart){
		.id = "turns", .title = "Turn by turn",
		.description = "Samples of which some attempt within so many "
			       "turns was correct, or faster than what it is "
			       "compared with.",
		.width = 560, .height = 320 },
	     &(struct kb_turn_curve){ "turns", false, points, (size_t)turns,
				      kb_reached_samples(g) });
}

static void draw_tokens(struct kb_buf *out, const struct kb_generation *g)
{
	const int64_t most = kb_tokens_most(g);
	struct kb_turn_point points[STEPS_MAX];
	int64_t tokens = 0;
	size_t count = 0;

	while (tokens < most && count < STEPS_MAX) {
		struct kb_reached row;

		tokens = kb_tokens_step(tokens);
		kb_by_tokens_of(&row, g, tokens);
		points[count++] = (struct kb_turn_point){
			(double)tokens, row.correct, row.fast[KB_FAST_1],
		};
	}
	draw_curve(out, &(struct kb_chart){
		.id = "tokens", .title = "By tokens",
		.description = "The same within so many tokens of a sample, of "
			       "input and of output.",
		.width = 560, .height = 320 },
	     &(struct kb_turn_curve){ "tokens of a sample", true, points,
				      count, kb_reached_samples(g) });
}

/* --- the section ------------------------------------------------------- */

void kb_refinement_section_print(struct kb_buf *out,
				 const struct kb_generation *g)
{
	if (!g->asked.has_refinement)
		return;
	kb_html_addf(out, "<section id=\"refinement\"><h2>Refinement</h2>\n"
		     "<p>Candidates were made in up to %d turns, and the best "
		     "attempt of each sample is what is scored here. Below all "
		     "samples count, of which there are %ld, and times are "
		     "those that attempts were judged by in their turns.</p>\n",
		     g->asked.refinement.turns, kb_reached_samples(g));
	draw_turns(out, g);
	add_turns(out, g);
	if (kb_tokens_most(g) > 0) {
		draw_tokens(out, g);
		add_tokens(out, g);
	}
	kb_buf_addstr(out, "</section>\n");
}
