#include "tables/spent_lines.h"

#include <inttypes.h>

#include "base/buf.h"
#include "manifest/metrics.h"
#include "manifest/spent.h"
#include "sheet/format.h"
#include "tables/generation_table.h"

static void add_tokens(struct kb_buf *out, int64_t tokens, const char *what)
{
	if (tokens == KB_UNKNOWN)
		kb_buf_addf(out, "unknown %s", what);
	else
		kb_buf_addf(out, "%" PRId64 " %s", tokens, what);
}

static void print_tokens(struct kb_buf *out, int width,
			 const struct kb_spent *s)
{
	kb_buf_addf(out, "%-*s", width, "tokens");
	add_tokens(out, s->usage.input_tokens, "in");
	if (s->usage.cached_tokens != KB_UNKNOWN)
		kb_buf_addf(out, " (%" PRId64 " cached)",
			    s->usage.cached_tokens);
	kb_buf_addstr(out, ", ");
	add_tokens(out, s->usage.output_tokens, "out");
	if (s->usage.reasoning_tokens != KB_UNKNOWN)
		kb_buf_addf(out, " (%" PRId64 " reasoning)",
			    s->usage.reasoning_tokens);
	kb_buf_addf(out, "; requests: %" PRId64 "\n", s->requests);
}

/* Nothing has no share. */
static void add_cost(struct kb_buf *out, int64_t cost_nano, int64_t of,
		     const char *what)
{
	char cost[KB_COST_SIZE];

	if (!of)
		return;
	kb_cost_format(cost, cost_nano / of);
	kb_buf_addf(out, ", %s a %s", cost, what);
}

/* A point is a hundredth of all problems. */
static void print_cost(struct kb_buf *out, int width, const struct kb_spent *s,
		       const struct kb_metrics *m)
{
	char cost[KB_COST_SIZE];

	kb_cost_format(cost, s->cost_nano);
	kb_buf_addf(out, "%-*s%s ", width, "cost", cost);
	kb_format_text(out, s->currency);
	if (s->cost_nano != KB_UNKNOWN) {
		add_cost(out, s->cost_nano, m->problems, "problem");
		add_cost(out, s->cost_nano, m->correct, "correct kernel");
		if (m->problems)
			add_cost(out, s->cost_nano / 100 * m->problems,
				 m->fast[KB_FAST_1], "point of fast_1");
	}
	kb_buf_addch(out, '\n');
}

void kb_spent_lines_print(struct kb_buf *out, int width,
			  const struct kb_spent *s,
			  const struct kb_metrics *m)
{
	print_tokens(out, width, s);
	if (s->currency)
		print_cost(out, width, s, m);
}
