#ifndef KB_PAGES_OUTCOMES_H
#define KB_PAGES_OUTCOMES_H

#include <stdint.h>

#include "manifest/status.h"
#include "pages/svg.h"

/* Statuses in classes, for people: each has a letter, so that no page tells
 * them apart by colour alone. */
enum kb_class {
	KB_CLASS_CORRECT,
	KB_CLASS_WRONG,			/* it ran, and computed wrongly */
	KB_CLASS_NOT_BUILT,		/* it could not be built or loaded */
	KB_CLASS_FAILED,		/* it failed while it ran */
	KB_CLASS_REFERENCE,		/* there is nothing to judge it by */
	KB_CLASS_MISSING,		/* there is no candidate */
	KB_CLASS_COUNT,
};

enum kb_class kb_class_of(enum kb_status status);
const char *kb_class_name(enum kb_class c);	/* "not built" */
const char *kb_class_letter(enum kb_class c);	/* "B" */

/* A row: how many problems ended in each status. */
struct kb_outcome_row {
	const char *name;			/* "level 1" */
	const int64_t *status_counts;		/* KB_STATUS_COUNT of them */
};

int64_t kb_class_total(const struct kb_outcome_row *r, enum kb_class c);

/* The height of the chart of so many rows. */
int kb_outcomes_height(size_t count);

/* A bar for each row, as long as its problems are many. */
void kb_outcomes_draw(struct kb_buf *out, const struct kb_chart *chart,
		      const struct kb_outcome_row rows[], size_t count);

#endif
