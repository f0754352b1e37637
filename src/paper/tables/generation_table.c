#include "tables/generation_table.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "manifest/generation.h"
#include "sheet/format.h"
#include "tables/table.h"

void kb_cost_format(char out[KB_COST_SIZE], int64_t cost_nano)
{
	const int64_t micro = cost_nano == KB_UNKNOWN ? 0
						      : (cost_nano + 500) / 1000;

	if (cost_nano == KB_UNKNOWN)
		snprintf(out, KB_COST_SIZE, "-");
	else
		snprintf(out, KB_COST_SIZE, "%" PRId64 ".%06" PRId64,
			 micro / 1000000, micro % 1000000);
}

static void add_count(struct kb_table *t, const char *name, int64_t n)
{
	kb_table_add(t, name);
	if (n == KB_UNKNOWN)
		kb_table_add(t, "-");
	else
		kb_table_addf(t, "%" PRId64, n);
}

const char *kb_reply_outcome_text(enum kb_reply_outcome outcome)
{
	static const char *const names[KB_REPLY_OUTCOME_COUNT] = {
		[KB_REPLY_CODE] = "answers with code",
		[KB_REPLY_NO_CODE] = "without a block of code",
		[KB_REPLY_CUT_OFF] = "cut off in a block",
		[KB_REPLY_NO_TEXT] = "without text",
		[KB_REPLY_FAILED] = "failures of the server",
		[KB_REPLY_MISSING] = "missing",
	};

	return names[outcome];
}

/* Outcomes that did not occur have no line, except for answers with code, where
 * 0 is worth a line. */
static void add_outcomes(struct kb_table *t,
			 const struct kb_generation_totals *totals)
{
	for (int i = 0; i < KB_REPLY_OUTCOME_COUNT; i++)
		if (totals->outcomes[i] || i == KB_REPLY_CODE)
			add_count(t, kb_reply_outcome_text((enum kb_reply_outcome)i),
				  totals->outcomes[i]);
}

static void add_tokens(struct kb_table *t,
		       const struct kb_generation_totals *totals)
{
	const struct kb_usage *u = &totals->usage;

	add_count(t, "input tokens", u->input_tokens);
	/* A part of the line above, as reasoning is of the output: nothing that
	 * is to be added to it. */
	if (u->cached_tokens != KB_UNKNOWN)
		add_count(t, "of them cached", u->cached_tokens);
	add_count(t, "output tokens", u->output_tokens);
	if (u->reasoning_tokens != KB_UNKNOWN)
		add_count(t, "of them reasoning", u->reasoning_tokens);
	if (totals->without_usage)
		add_count(t, "answers that do not say",
			  totals->without_usage);
}

static void add_cost(struct kb_table *t, const struct kb_generation *g)
{
	kb_auto(buf) struct kb_buf head = KB_BUF_INIT;
	char cost[KB_COST_SIZE];

	/* Without prices a cost is not 0 but nobody's to know. */
	if (!g->asked.prices.currency)
		return;
	kb_buf_addstr(&head, "cost, ");
	kb_format_text(&head, g->asked.prices.currency);
	kb_cost_format(cost, g->totals.cost_nano);
	kb_table_add(t, head.data);
	kb_table_add(t, cost);
}

void kb_generation_table_print(struct kb_buf *out,
			       const struct kb_generation *g, struct kb_look look)
{
	static const struct kb_column columns[] = {
		{ "of the requests", KB_ALIGN_LEFT },
		{ "count", KB_ALIGN_RIGHT },
	};
	kb_auto(table) struct kb_table *t = kb_table_new(columns, 2);

	add_outcomes(t, &g->totals);
	add_tokens(t, &g->totals);
	add_cost(t, g);
	kb_table_print(out, t, look);
}
