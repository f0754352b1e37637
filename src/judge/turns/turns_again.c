#include "turns/turns_again.h"

#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/generation.h"
#include "turns/trajectory.h"
#include "turns/turns.h"

int kb_turns_judged(const struct kb_generation *g)
{
	int turns = 0;

	for (size_t i = 0; i < g->line_count; i++)
		if (g->lines[i].judged && g->lines[i].turn > turns)
			turns = g->lines[i].turn;
	return turns;
}

static int count_evaluated(const struct kb_generation *g)
{
	const int turns = kb_turns_judged(g);
	int count = 0;

	for (int turn = 1; turn <= turns; turn++)
		count += kb_turn_code_count(g, turn) > 0;
	return count;
}

/* Whether it goes on after line `i` of its trajectory, and so is told. */
static int check_end(const struct kb_generation *g,
		     const struct kb_trajectory *t, size_t i, int judged_turns,
		     struct kb_err *err)
{
	const struct kb_trajectory part = { .lines = t->lines,
					    .count = i + 1 };
	const struct kb_generated *l = &t->lines[i];
	const enum kb_ending ending =
		kb_trajectory_ending(&part, l->judged, &g->asked);
	const bool wants_verdict =
		l->turn <= judged_turns && kb_reply_is_answer(&l->reply);

	if (wants_verdict != !!l->judged)
		return kb_generated_refuse(
			l, "its turn was not judged as a whole", err);
	if ((i + 1 < t->count) != (ending == KB_GOES_ON))
		return kb_generated_refuse(l, ending == KB_GOES_ON ?
					   "it ends, and nothing ended it" :
					   "it goes on after it ended", err);
	if (l->judged && !l->judged->told != (ending != KB_GOES_ON))
		return kb_generated_refuse(
			l, "it is told of, and not asked again, or the other way round",
			err);
	return 0;
}

static int check_prompt(const struct kb_generation *g, size_t first, size_t i,
			struct kb_err *err)
{
	const struct kb_generated *l = &g->lines[first + i];
	kb_auto(json) struct kb_json *messages =
		kb_turn_messages(g, first, (int)i);
	struct kb_digest d;

	if (messages)
		kb_prompt_digest(&d, messages);
	if (!messages || !kb_digest_equal(&d, &l->prompt))
		return kb_generated_refuse(
			l, "its prompt does not follow from the turns before",
			err);
	return 0;
}

int kb_generation_turns_again(const struct kb_generation *g,
			      struct kb_err *err)
{
	const int judged_turns = kb_turns_judged(g);
	struct kb_trajectory t;
	int ret = 0;

	if (!g->asked.has_refinement)
		return 0;
	for (size_t first = 0; ret == 0 && first < g->line_count;
	     first += t.count) {
		t = kb_trajectory_at(g, first);
		for (size_t i = 0; ret == 0 && i < t.count; i++) {
			ret = check_end(g, &t, i, judged_turns, err);
			if (ret == 0 && i)
				ret = check_prompt(g, first, i, err);
		}
	}
	if (ret == 0 && g->evaluation_count != (size_t)count_evaluated(g))
		return kb_err(err, KB_ERR_INPUT,
			      "has %zu evaluations, and %d turns that were judged have code",
			      g->evaluation_count, count_evaluated(g));
	return ret;
}
