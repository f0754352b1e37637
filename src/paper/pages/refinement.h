#ifndef KB_PAGES_REFINEMENT_H
#define KB_PAGES_REFINEMENT_H

struct kb_buf;
struct kb_generation;

/*
 * The section of a run whose candidates were made in several turns: of all
 * samples the share that had compiled, was correct and was faster, within so
 * many turns and within so many tokens (turns/by_turn.h), as charts and as
 * tables; and in which turn samples became correct. Nothing of a generation
 * of one turn.
 */
void kb_refinement_section_print(struct kb_buf *out,
				 const struct kb_generation *g);

#endif
