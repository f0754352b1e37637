#ifndef KB_TURNS_TURNS_H
#define KB_TURNS_TURNS_H

#include "manifest/generation.h"

struct kb_baseline;
struct kb_err;
struct kb_evaluation;
struct kb_suite;

/*
 * From one turn of a refinement to the next. All trajectories take a turn
 * together: when what was asked in it is answered, or given up, all attempts of
 * it are judged by one evaluation, and those that go on are asked again.
 */

/* The turn that is asked in, or was asked in last; from 1. */
int kb_turn_in_hand(const struct kb_generation *g);

/* It is over: what was asked last is judged, and nothing goes on. */
bool kb_turns_are_over(const struct kb_generation *g);

/* How many attempts of the turn have code, which an evaluation judges. */
size_t kb_turn_code_count(const struct kb_generation *g, int turn);

/* The evaluations that judge attempts. */
struct kb_turn_judge {
	const struct kb_evaluation *evaluation;	/* NULL: none has code */
	const struct kb_baseline *baseline;	/* or NULL */
	const struct kb_suite *suite;		/* of both; NULL: absent */
	/* The least time that the device needs for a problem, or KB_UNKNOWN. */
	int64_t (*bound_ns)(const void *context, struct kb_key key);
	const void *context;
};

/* The evaluation is of this suite, and may be divided by the baseline
 * (device/division.h). Fails with KB_ERR_INPUT. */
int kb_turn_judge_check(const struct kb_turn_judge *j,
			const struct kb_generation *g, struct kb_err *err);

/*
 * How the attempt at line `i` is judged, and what is told of it if it goes on:
 * caller frees `*out`, which is NULL if there is no answer. Of a turn before,
 * lines of `g` have that. Fails with KB_ERR_INPUT if the evaluation does not
 * judge this very candidate.
 */
int kb_turn_judge_line(struct kb_judged **out, const struct kb_generation *g,
		       size_t i, const struct kb_turn_judge *j,
		       struct kb_err *err);

/*
 * The messages that the trajectory is asked with after `turn` of its attempts,
 * all of which were told of: caller frees with kb_json_free(). NULL if its
 * first prompt is not there or an answer cannot be read.
 */
struct kb_json *kb_turn_messages(const struct kb_generation *g, size_t first,
				 int turn);

/* Add the lines of the next turn, of which none is answered, and their
 * prompts: of each trajectory that was told of its last attempt. Sorts. */
void kb_turn_begin(struct kb_generation *g);

#endif
