#ifndef KB_PAGES_PAIR_H
#define KB_PAGES_PAIR_H

#include <stddef.h>
#include <stdint.h>

#include "pages/view.h"

struct kb_buf;

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
	char *names[2];			/* by which people tell them apart, with
					   the id where titles are equal; cut at
					   KB_PAIR_NAME_BYTES_MAX; owned */
	const char *why_not;		/* times are not compared: static text;
					   or NULL */
	struct kb_pair_row *rows;	/* by key; owned */
	size_t count;
	int64_t counts[KB_PAIR_ANSWER_COUNT];
	int64_t geomean_micro;		/* of the ratios; KB_UNKNOWN: none */
	size_t ratio_count;		/* rows with a ratio */
};

#define KB_PAIR_NAME_BYTES_MAX 40

void kb_pair_init(struct kb_pair *p, const struct kb_view *first,
		  const struct kb_view *second);
void kb_pair_release(struct kb_pair *p);

/* Append "B is faster", "only A is correct". */
void kb_pair_answer_print(struct kb_buf *out, const struct kb_pair *p,
			  enum kb_pair_answer a);

/* Append "B is 1.970x faster than A, in the geometric mean of 34 problems", or
 * the reason why there is no such number. */
void kb_pair_verdict_print(struct kb_buf *out, const struct kb_pair *p);

static inline void kb_cleanup_pair(struct kb_pair *p)
{
	kb_pair_release(p);
}

#endif
