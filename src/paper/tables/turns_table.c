#include "tables/turns_table.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "manifest/generation.h"
#include "sheet/format.h"
#include "tables/generation_table.h"
#include "tables/table.h"
#include "turns/by_turn.h"
#include "turns/turns.h"

static void add_rate(struct kb_table *t, int64_t count, int64_t of)
{
	char text[KB_FORMAT_SIZE];

	kb_format_pct(text, count, of);
	kb_table_add(t, text);
}

static void add_row(struct kb_table *t, const struct kb_generation *g,
		    int turn)
{
	const int64_t samples = kb_reached_samples(g);
	char cost[KB_COST_SIZE];
	struct kb_by_turn row;

	kb_by_turn_of(&row, g, turn);
	kb_table_addf(t, "%d", turn);
	kb_table_addf(t, "%" PRId64, row.asked);
	/* Rates of all samples: a result of an earlier turn counts, asked again
	 * or not. */
	add_rate(t, row.reached.compiled, samples);
	add_rate(t, row.reached.correct, samples);
	add_rate(t, row.reached.fast[KB_FAST_1], samples);
	if (row.tokens == KB_UNKNOWN)
		kb_table_add(t, "-");
	else
		kb_table_addf(t, "%" PRId64, row.tokens);
	kb_cost_format(cost, row.cost_nano);
	kb_table_add(t, cost);
}

void kb_turns_table_print(struct kb_buf *out, const struct kb_generation *g,
			  struct kb_look look)
{
	static const struct kb_column columns[] = {
		{ "within turns", KB_ALIGN_RIGHT },
		{ "asked", KB_ALIGN_RIGHT },
		{ "compiled", KB_ALIGN_RIGHT },
		{ "correct", KB_ALIGN_RIGHT },
		{ "fast_1", KB_ALIGN_RIGHT },
		{ "tokens", KB_ALIGN_RIGHT },
		{ "cost", KB_ALIGN_RIGHT },
	};
	kb_auto(table) struct kb_table *t =
		kb_table_new(columns, sizeof(columns) / sizeof(columns[0]));
	const int turns = kb_turn_in_hand(g);

	for (int turn = 1; turn <= turns; turn++)
		add_row(t, g, turn);
	kb_table_print(out, t, look);
}
