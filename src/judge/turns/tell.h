#ifndef KB_TURNS_TELL_H
#define KB_TURNS_TELL_H

#include "store/digest.h"

struct kb_err;
struct kb_generation;
struct kb_json;
struct kb_turn_judge;

/*
 * The verdicts on a turn as one line of a journal, by which a turn is judged
 * as a whole or not at all:
 *
 *	{"evaluation", "judged": [{"judged", "key", ..., "sample_id"}], "turn"}
 */

/*
 * The line for the turn in hand, whose `evaluation` (NULL: there was no code)
 * is called so; the caller frees `*out`. Fails with KB_ERR_INPUT if nothing
 * was answered in it, and as kb_turn_judge_line().
 */
int kb_tell(struct kb_json **out, const struct kb_generation *g,
	    const struct kb_turn_judge *j, const struct kb_digest *evaluation,
	    struct kb_err *err);

/* Take it, and begin the next turn if there is one. Returns the turn that was
 * judged. `where` is for messages. Fails with KB_ERR_INPUT if it is no such
 * line, or of another turn than that in hand. */
int kb_tell_take(struct kb_generation *g, const struct kb_json *line,
		 const char *where, struct kb_err *err);

#endif
