#ifndef KB_RUNS_TURN_STEPS_H
#define KB_RUNS_TURN_STEPS_H

#include <stdbool.h>

struct kb_err;
struct kb_work;

/* The steps of kb-generate between two turns of a refinement. */

/*
 * Write the attempts of the turn in hand as a submission, and print its id and
 * what to do with it. Nothing is written if none of them has code. Returns
 * 0; 1 if requests have no answer; or fails.
 */
int kb_turn_step_submit(struct kb_work *w, const char *store, bool porcelain,
			struct kb_err *err);

/*
 * Judge the turn in hand by the evaluation of this name, and begin the next:
 * NULL if no attempt has code. That it was judged by it before is fine. Fails
 * with KB_ERR_USAGE if an evaluation is missing, or is one too many.
 */
int kb_turn_step_tell(struct kb_work *w, const char *store,
		      const char *evaluation, struct kb_err *err);

/*
 * Both, with an evaluation by kb-eval between them, which is given the options
 * `more`, that end with NULL; or one that is in the store already. Returns 0;
 * kb-eval's exit status if that is another; or fails.
 */
int kb_turn_step(struct kb_work *w, const char *store, char *const more[],
		 struct kb_err *err);

#endif
