#ifndef KB_CMD_STAGES_H
#define KB_CMD_STAGES_H

#include <stddef.h>

/*
 * The programs that `kb` runs, kb-<name>, in the order of their use, and what
 * each is for. tests/check-docs compares them with the binaries and with what
 * the manual pages call themselves.
 */
struct kb_stage_program {
	const char *name;		/* "eval" for kb-eval */
	const char *verbs;		/* what it can be asked for by name, a
					   blank between two; "" */
	const char *purpose;		/* as the page has it */
};

extern const struct kb_stage_program kb_stage_programs[];
extern const size_t kb_stage_program_count;

/* The program that has this verb, the first of several; NULL if none does. */
const char *kb_stage_with_verb(const char *verb);

/* The word among `count` that `word` was probably meant to be: fewest
 * characters inserted, deleted, replaced or swapped with their neighbour, at
 * most two and fewer than half of `word`; the first of several. Borrowed from
 * `words`; NULL if no word is that near. */
const char *kb_nearest_word(const char *word, const char *const words[],
			    size_t count);

#endif
