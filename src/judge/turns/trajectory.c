#include "turns/trajectory.h"

const char *const kb_endings[KB_ENDING_COUNT] = {
	[KB_GOES_ON] = "goes on",
	[KB_ENDED_UNANSWERED] = "no answer",
	[KB_ENDED_GOAL] = "goal reached",
	[KB_ENDED_TURNS] = "turns used up",
	[KB_ENDED_TOKENS] = "tokens spent",
	[KB_ENDED_COST] = "money spent",
};

struct kb_trajectory kb_trajectory_at(const struct kb_generation *g, size_t i)
{
	const struct kb_generated *first = &g->lines[i];
	struct kb_trajectory t = { .lines = first };

	while (i + t.count < g->line_count &&
	       !kb_key_compare(first->key, first[t.count].key) &&
	       first->sample_id == first[t.count].sample_id)
		t.count++;
	return t;
}

/* --- what it cost ------------------------------------------------------ */

int64_t kb_trajectory_tokens(const struct kb_trajectory *t, size_t count)
{
	int64_t sum = 0;

	for (size_t i = 0; i < count; i++) {
		const struct kb_usage *u = &t->lines[i].reply.usage;

		if (u->input_tokens == KB_UNKNOWN ||
		    u->output_tokens == KB_UNKNOWN)
			return KB_UNKNOWN;
		/* A hundred answers of KB_TOKENS_MAX each do not overflow. */
		sum += u->input_tokens + u->output_tokens;
	}
	return sum;
}

/* KB_UNKNOWN if an answer does not say, or there are no prices. */
static int64_t cost_nano(const struct kb_trajectory *t, size_t count,
			 const struct kb_prices *prices)
{
	__int128 sum = 0;

	if (kb_trajectory_tokens(t, count) == KB_UNKNOWN)
		return KB_UNKNOWN;
	for (size_t i = 0; i < count; i++) {
		const int64_t nano = kb_prices_cost_nano(
			prices, &t->lines[i].reply.usage);

		if (nano == KB_UNKNOWN)
			return KB_UNKNOWN;
		sum += nano;
	}
	return sum > INT64_MAX ? KB_UNKNOWN : (int64_t)sum;
}

/* --- when it ends ------------------------------------------------------ */

bool kb_goal_reached(const struct kb_goal *goal, const struct kb_judged *j)
{
	const bool is_correct = j->status == KB_STATUS_CORRECT;
	const bool has_time = is_correct && j->time_ns != KB_UNKNOWN;

	switch (goal->kind) {
	case KB_GOAL_CORRECT:
		return is_correct;
	case KB_GOAL_SPEEDUP:
		return has_time && j->baseline_ns != KB_UNKNOWN &&
		       (__int128)j->baseline_ns * 1000000 >=
			       (__int128)j->time_ns * goal->micro;
	case KB_GOAL_BOUND:
		return has_time && j->bound_ns != KB_UNKNOWN &&
		       (__int128)j->bound_ns * 100 * 1000000 >=
			       (__int128)j->time_ns * goal->micro;
	case KB_GOAL_NONE:
		break;
	}
	return false;
}

/* An earlier attempt that had reached it would have been the last. */
static bool reaches_goal(const struct kb_judged *last,
			 const struct kb_refinement *r)
{
	struct kb_goal goal;

	return kb_goal_parse(&goal, r->goal, NULL) == 0 &&
	       kb_goal_reached(&goal, last);
}

/* A server that does not say what an answer used could not be held to a budget,
 * so that what is unknown counts as spent. The check is after an answer: nobody
 * knows before it what it will cost. */
static bool is_spent(int64_t spent, int64_t budget)
{
	return spent == KB_UNKNOWN || spent >= budget;
}

static bool tokens_spent(const struct kb_trajectory *t,
			 const struct kb_refinement *r)
{
	return r->budget_tokens != KB_UNKNOWN &&
	       is_spent(kb_trajectory_tokens(t, t->count), r->budget_tokens);
}

static bool cost_spent(const struct kb_trajectory *t,
		       const struct kb_asked *asked)
{
	const char *budget = asked->refinement.budget_cost;

	return budget &&
	       is_spent(cost_nano(t, t->count, &asked->prices),
			kb_decimal_micro(budget) * 1000);
}

/* The order of the questions is the order of reasons in a record: who reaches
 * the goal in the last turn has reached the goal, and has not run out of turns. */
enum kb_ending kb_trajectory_ending(const struct kb_trajectory *t,
				    const struct kb_judged *last,
				    const struct kb_asked *asked)
{
	const struct kb_refinement *r = &asked->refinement;

	if (!last)
		return KB_ENDED_UNANSWERED;
	if (reaches_goal(last, r))
		return KB_ENDED_GOAL;
	if (t->count >= (size_t)r->turns)
		return KB_ENDED_TURNS;
	if (tokens_spent(t, r))
		return KB_ENDED_TOKENS;
	return cost_spent(t, asked) ? KB_ENDED_COST : KB_GOES_ON;
}

/* --- the best ---------------------------------------------------------- */

/* The best attempt is the sample's candidate, so that one that compiles is
 * worth more than one that is merely later, and any code more than none. */
static int rank_attempt(const struct kb_generated *l)
{
	if (l->judged && l->judged->status == KB_STATUS_CORRECT)
		return 4;
	if (l->judged && l->judged->compiled)
		return 3;
	if (l->reply.outcome == KB_REPLY_CODE)
		return 2;
	return kb_reply_is_answer(&l->reply);
}

static bool has_speedup(const struct kb_judged *j)
{
	return j->time_ns != KB_UNKNOWN && j->baseline_ns != KB_UNKNOWN;
}

/* Two speedups are compared as products, exactly. Attempts are judged in
 * different evaluations, whose baselines need not be one and the same time. */
static bool is_faster(const struct kb_judged *a, const struct kb_judged *b)
{
	if (!has_speedup(a) || !has_speedup(b))
		return has_speedup(a) && !has_speedup(b);
	return (__int128)a->baseline_ns * b->time_ns >
	       (__int128)b->baseline_ns * a->time_ns;
}

/* `b` is later. */
static bool is_better(const struct kb_generated *b,
		      const struct kb_generated *a)
{
	if (rank_attempt(a) != rank_attempt(b))
		return rank_attempt(b) > rank_attempt(a);
	return rank_attempt(a) < 4 || is_faster(b->judged, a->judged);
}

const struct kb_generated *kb_trajectory_best(const struct kb_trajectory *t)
{
	const struct kb_generated *best = &t->lines[0];

	for (size_t i = 1; i < t->count; i++)
		if (is_better(&t->lines[i], best))
			best = &t->lines[i];
	return rank_attempt(best) ? best : NULL;
}
