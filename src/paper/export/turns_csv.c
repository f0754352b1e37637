#include "export/turns_csv.h"

#include <inttypes.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "manifest/generation.h"
#include "turns/by_turn.h"
#include "turns/turns.h"

/* "1.5" of 1500: all that there are have one digit at most. */
static void add_p(struct kb_buf *out, int p_milli)
{
	kb_buf_addf(out, "%d", p_milli / 1000);
	if (p_milli % 1000)
		kb_buf_addf(out, ".%d", p_milli % 1000 / 100);
}

static void add_head(struct kb_buf *out)
{
	kb_buf_addstr(out, "within,limit,samples,asked,compiled,correct");
	for (int i = 0; i < KB_FAST_COUNT; i++) {
		kb_buf_addstr(out, ",fast_");
		add_p(out, kb_fast_p_milli[i]);
	}
	kb_buf_addstr(out, ",tokens,cost_nano\n");
}

static void add_known(struct kb_buf *out, int64_t n)
{
	kb_buf_addch(out, ',');
	if (n != KB_UNKNOWN)
		kb_buf_addf(out, "%" PRId64, n);
}

static void add_reached(struct kb_buf *out, const struct kb_reached *r)
{
	add_known(out, r->compiled);
	add_known(out, r->correct);
	for (int i = 0; i < KB_FAST_COUNT; i++)
		add_known(out, r->fast[i]);
}

static void add_turn(struct kb_buf *out, const struct kb_generation *g,
		     int turn)
{
	struct kb_by_turn row;

	kb_by_turn_of(&row, g, turn);
	kb_buf_addf(out, "turns,%d,%" PRId64 ",%" PRId64, turn,
		    kb_reached_samples(g), row.asked);
	add_reached(out, &row.reached);
	add_known(out, row.tokens);
	add_known(out, row.cost_nano);
	kb_buf_addch(out, '\n');
}

static void add_tokens(struct kb_buf *out, const struct kb_generation *g,
		       int64_t tokens)
{
	struct kb_reached row;

	kb_by_tokens_of(&row, g, tokens);
	kb_buf_addf(out, "tokens,%" PRId64 ",%" PRId64 ",", tokens,
		    kb_reached_samples(g));
	add_reached(out, &row);
	kb_buf_addstr(out, ",,\n");
}

void kb_turns_csv_print(struct kb_buf *out, const struct kb_generation *g)
{
	const int64_t most = kb_tokens_most(g);
	const int turns = kb_turn_in_hand(g);
	int64_t tokens = 0;

	add_head(out);
	for (int turn = 1; turn <= turns; turn++)
		add_turn(out, g, turn);
	while (tokens < most) {
		tokens = kb_tokens_step(tokens);
		add_tokens(out, g, tokens);
	}
}
