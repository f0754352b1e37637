#ifndef KB_PAGES_BOARD_H
#define KB_PAGES_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kb_digest;
struct kb_json;
struct kb_metrics;
struct kb_view;

/*
 * A leaderboard of scores: rankings, in each of which every score is comparable
 * with every other. The scores of one ranking count the same problems of one
 * suite by one definition. Their evaluations and baselines were made under
 * conditions that agree (device/division.h), so on equal hardware and stacks. A
 * score without a comparable one has a ranking alone. A score that does not
 * verify has no ranking. Nor has a score whose runs another score of the ranking
 * has too (verify/claimed_runs.h): a measurement is ranked once, and who gives the
 * bundles selects which of the two.
 */
struct kb_rank {
	size_t first, last;	/* from 1; between these it is, at 95 % */
};

struct kb_ranking {
	size_t *views;		/* indices of views, best first; owned */
	size_t count;
};

struct kb_unranked {
	size_t view;
	const struct kb_digest *twin;	/* a score with the same runs, or NULL */
};

struct kb_board {
	const struct kb_view *views;	/* borrowed */
	size_t view_count;
	struct kb_ranking *rankings;	/* those of most scores first */
	size_t ranking_count;
	struct kb_unranked *unranked;	/* in the order of views; owned */
	size_t unranked_count;
};

void kb_board_init(struct kb_board *b, const struct kb_view *views,
		   size_t count);
void kb_board_release(struct kb_board *b);

/*
 * Ranks by fast_1. A score is ahead of another if its certain count is above
 * the other's possible count. Undecided scores share ranks.
 */
void kb_board_rank(struct kb_rank out[], const struct kb_metrics *const m[],
		   size_t count);

/* From what is certain to what is possible of fast_1. */
void kb_board_fast_1(const struct kb_metrics *m, int64_t *certain,
		     int64_t *possible);

/* In place of a level: the problems that the suite's audit found sound. */
#define KB_BOARD_SOUND (-1)

/* The metrics of a score's level; 0 is all of it. NULL if it has none. */
const struct kb_metrics *kb_board_metrics(const struct kb_view *v, int level);

/* Do all scores of a ranking have metrics of it? */
bool kb_board_has(const struct kb_board *b, const struct kb_ranking *r,
		  int level);

/* Verification has found nothing that does not hold. */
bool kb_board_holds(const struct kb_view *v);

static inline void kb_cleanup_board(struct kb_board *b)
{
	kb_board_release(b);
}

#endif
