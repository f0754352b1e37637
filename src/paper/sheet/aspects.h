#ifndef KB_SHEET_ASPECTS_H
#define KB_SHEET_ASPECTS_H

#include <stdbool.h>
#include <stddef.h>

struct kb_score_sheet;

/*
 * The facts about several scores: all that the table of one score has but the
 * model, how many problems there are, and in what else they differ so that a
 * number of one is not quite the same number of another.
 */
struct kb_aspect {
	char *title;			/* "baseline mode", "torch.version" */
	char **texts;			/* one a score; neither has control
					   characters */
	char *label_prefix;		/* before the text in a label; NULL:
					   it stands in none */
	bool is_note;			/* else it is for labels alone */
	bool is_id;			/* of a bundle */
	bool is_warning;		/* an empty text is none, and no note */
	bool is_extra;			/* the scores differ in it, and the
					   table of one score lacks it */
};

struct kb_aspects {
	const struct kb_score_sheet *sheets;	/* borrowed */
	size_t rows;				/* of them */
	struct kb_aspect *items;
	size_t count, capacity;
};

#define KB_ASPECTS_INIT { .items = NULL }

/* Compare `rows` sheets, one or more, borrowed until release. They are known to
 * be comparable: comparable.h. */
void kb_aspects_find(struct kb_aspects *all,
		     const struct kb_score_sheet *sheets, size_t rows);
void kb_aspects_release(struct kb_aspects *all);

/* Its texts are not all the same. */
bool kb_aspect_differs(const struct kb_aspects *all, const struct kb_aspect *a);

#endif
