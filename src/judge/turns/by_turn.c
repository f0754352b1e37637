#include "turns/by_turn.h"

#include "manifest/generation.h"
#include "score/speedup.h"
#include "turns/trajectory.h"

int64_t kb_reached_samples(const struct kb_generation *g)
{
	return (int64_t)g->asked.problem_count * g->asked.samples;
}

/* `own` is of one sample: 0 or 1. */
static void note_reached(struct kb_reached *own, const struct kb_judged *j)
{
	if (!j)
		return;
	own->compiled |= j->compiled;
	if (j->status != KB_STATUS_CORRECT)
		return;
	own->correct = 1;
	if (j->time_ns == KB_UNKNOWN || j->baseline_ns == KB_UNKNOWN)
		return;
	for (int i = 0; i < KB_FAST_COUNT; i++)
		own->fast[i] |= kb_speedup_exceeds(j->baseline_ns, j->time_ns,
						   kb_fast_p_milli[i]);
}

/* The first `count` attempts of a sample. */
static void add_trajectory(struct kb_reached *sum, const struct kb_trajectory *t,
			   size_t count)
{
	struct kb_reached own = { 0 };

	for (size_t i = 0; i < count; i++)
		note_reached(&own, t->lines[i].judged);
	sum->compiled += own.compiled;
	sum->correct += own.correct;
	for (int i = 0; i < KB_FAST_COUNT; i++)
		sum->fast[i] += own.fast[i];
}

static void add_known(int64_t *sum, int64_t n)
{
	if (n != KB_UNKNOWN)
		*sum = *sum == KB_UNKNOWN ? n : *sum + n;
}

static void add_spent(struct kb_by_turn *out, const struct kb_generated *l,
		      const struct kb_prices *prices)
{
	const struct kb_usage *u = &l->reply.usage;

	add_known(&out->tokens, u->input_tokens);
	add_known(&out->tokens, u->output_tokens);
	if (u->output_tokens != KB_UNKNOWN)
		add_known(&out->cost_nano, kb_prices_cost_nano(prices, u));
}

void kb_by_turn_of(struct kb_by_turn *out, const struct kb_generation *g,
		   int turn)
{
	struct kb_trajectory t;

	*out = (struct kb_by_turn){ .tokens = KB_UNKNOWN,
				    .cost_nano = KB_UNKNOWN };
	for (size_t i = 0; i < g->line_count; i += t.count) {
		t = kb_trajectory_at(g, i);
		add_trajectory(&out->reached, &t,
			       t.count < (size_t)turn ? t.count : (size_t)turn);
		out->asked += t.count >= (size_t)turn;
	}
	for (size_t i = 0; i < g->line_count; i++)
		if (g->lines[i].turn <= turn)
			add_spent(out, &g->lines[i], &g->asked.prices);
}

void kb_by_tokens_of(struct kb_reached *out, const struct kb_generation *g,
		     int64_t tokens)
{
	struct kb_trajectory t;

	*out = (struct kb_reached){ 0 };
	for (size_t i = 0; i < g->line_count; i += t.count) {
		size_t count = 0;

		t = kb_trajectory_at(g, i);
		while (count < t.count) {
			const int64_t spent = kb_trajectory_tokens(&t,
								   count + 1);

			if (spent == KB_UNKNOWN || spent > tokens)
				break;
			count++;
		}
		add_trajectory(out, &t, count);
	}
}

int64_t kb_tokens_most(const struct kb_generation *g)
{
	struct kb_trajectory t;
	int64_t most = 0;

	for (size_t i = 0; i < g->line_count; i += t.count) {
		t = kb_trajectory_at(g, i);
		for (size_t n = 1; n <= t.count; n++)
			if (kb_trajectory_tokens(&t, n) > most)
				most = kb_trajectory_tokens(&t, n);
	}
	return most;
}

int64_t kb_tokens_step(int64_t tokens)
{
	int64_t ten = 1;

	while (ten * 10 <= tokens)
		ten *= 10;
	return tokens < 1 ? 1 : tokens == ten ? 2 * ten :
	       tokens == 2 * ten ? 5 * ten : 10 * ten;
}
