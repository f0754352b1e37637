#ifndef KB_TURNS_TURNS_AGAIN_H
#define KB_TURNS_TURNS_AGAIN_H

struct kb_err;
struct kb_generation;

/*
 * A refinement, derived again from the lines of a generation alone, as
 * answers/again.h has it for the rest. Pure. Fails with KB_ERR_INPUT, and
 * names the sample: every turn was judged as a whole; each sample went on as
 * long as nothing ended it, and no longer; each prompt after the first is made
 * of the attempts before and of what is said to have been told of them.
 */
int kb_generation_turns_again(const struct kb_generation *g,
			      struct kb_err *err);

/* How many turns were judged. */
int kb_turns_judged(const struct kb_generation *g);

#endif
