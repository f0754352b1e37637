#ifndef KB_SHEET_COMPARISON_H
#define KB_SHEET_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>

#include "sheet/aspects.h"

struct kb_score_sheet;

/*
 * Several scores as one table: a row each. Common facts are printed once.
 * Differences, by which speedups of two rows are not quite comparable, are in
 * the rows' labels and in the notes. comparable.h refuses scores whose
 * differences forbid a common table.
 */

/* A line below the table. */
struct kb_comparison_note {
	char *title;			/* "stack (1, 3)": of these rows, by
					   their numbers from 1; without, of
					   all of them */
	const char *text;		/* borrowed from an aspect */
	bool is_id;
};

struct kb_comparison {
	const struct kb_score_sheet *sheets;	/* borrowed */
	size_t count;
	char **labels;			/* one a row: the model and in what
					   else rows differ */
	struct kb_aspects aspects;
	struct kb_comparison_note *notes;
	size_t note_count, note_capacity;
};

#define KB_COMPARISON_INIT { .aspects = KB_ASPECTS_INIT }

/* Compare `count` sheets, one or more, borrowed until release. They are known
 * to be comparable. */
void kb_comparison_init(struct kb_comparison *c,
			const struct kb_score_sheet *sheets, size_t count);
void kb_comparison_release(struct kb_comparison *c);

static inline void kb_cleanup_comparison(struct kb_comparison *c)
{
	kb_comparison_release(c);
}

#endif
