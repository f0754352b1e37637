#ifndef KB_PAGES_PAIR_H
#define KB_PAGES_PAIR_H

#include <stddef.h>
#include <stdint.h>

#include "pages/view.h"

/*
 * Two submissions beside each other, problem by problem, by the candidates that
 * count in their scores or evaluations. Times are compared only where they
 * may be: of one suite and equal match keys, and, of scores, by one definition.
 */

/* How one problem went. */
enum kb_pair_answer {
	KB_PAIR_FIRST_FASTER,		/* for certain, at 95 % */
	KB_PAIR_SECOND_FASTER,
	KB_PAIR_UNDECIDED,		/* both are correct and have times */
	KB_PAIR_BOTH_CORRECT,		/* times are not compared, or missing */
	KB_PAIR_FIRST_CORRECT,		/* and the other is not */
	KB_PAIR_SECOND_CORRECT,
	KB_PAIR_NEITHER,
	KB_PAIR_ANSWER_COUNT
};

/* "the second is faster" */
const char *kb_pair_answer_text(enum kb_pair_answer a);

struct kb_pair_row {
	struct kb_key key;
	const struct kb_view_row *first, *second;	/* of the views; NULL:
							   not asked for */
	enum kb_pair_answer answer;
	/* The first's time by the second's, and what the intervals allow;
	 * KB_UNKNOWN, 0 and INT64_MAX where times are not compared. */
	int64_t ratio_micro, low_micro, high_micro;
};

struct kb_pair {
	const struct kb_view *first, *second;	/* borrowed */
	const char *why_not;		/* times are not compared: static text;
					   or NULL */
	struct kb_pair_row *rows;	/* by key; owned */
	size_t count;
	int64_t counts[KB_PAIR_ANSWER_COUNT];
	int64_t geomean_micro;		/* of the ratios; KB_UNKNOWN: none */
};

void kb_pair_init(struct kb_pair *p, const struct kb_view *first,
		  const struct kb_view *second);
void kb_pair_release(struct kb_pair *p);

static inline void kb_cleanup_pair(struct kb_pair *p)
{
	kb_pair_release(p);
}

#endif
