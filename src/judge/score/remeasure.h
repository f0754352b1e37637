#ifndef KB_SCORE_REMEASURE_H
#define KB_SCORE_REMEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "manifest/match_key.h"
#include "manifest/result.h"
#include "manifest/score.h"
#include "manifest/timing.h"
#include "store/digest.h"

struct kb_err;

/*
 * A candidate that an evaluation has a result of ("claimed"), built and
 * timed again on this machine ("now"): do the two say the same?
 *
 * The comparison is of ratios: the candidate's time divided by the reference's
 * time in the same session. A machine that is busier, warmer or clocked
 * otherwise changes both, and most of that cancels. With the two ratios
 *
 * 	change = (candidate / reference) now / (candidate / reference) claimed
 *
 * is greater than 1 if the candidate is slower than was claimed. Each of the
 * four times is a median with an interval at 95 %, and the interval of `change`
 * at 95 % has its ends as far from it as the squares of theirs add up to, as
 * logarithms. That is MOVER, the method of variance estimates recovery: Zou and
 * Donner, "Construction of confidence limits about effect measures: a general
 * approach", Statistics in Medicine 27 (2008), 1693-1702. With the margin
 * m = KB_REMEASURE_MARGIN_PPM:
 *
 * 	same		all of it is within 1 / (1 + m) and 1 + m
 * 	faster		all of it is below 1 / (1 + m)
 * 	slower		all of it is above 1 + m
 * 	ambiguous	anything else, and where an interval is not known
 */
#define KB_REMEASURE_MARGIN_PPM 50000
#define KB_REMEASURE_INTERVAL_PPM 950000

enum kb_again {
	KB_AGAIN_SAME,		/* of status and time, or without a time */
	KB_AGAIN_FASTER,
	KB_AGAIN_SLOWER,
	KB_AGAIN_AMBIGUOUS,
	KB_AGAIN_DIFFERENT_STACK,	/* nothing was run */
	KB_AGAIN_CHANGED_STATUS,
	KB_AGAIN_COUNT,		/* not an answer */
};

/* "different stack" and the like, for people; "different_stack" in JSON. */
const char *kb_again_name(enum kb_again answer);
const char *kb_again_member(enum kb_again answer);

/* A time, or KB_UNKNOWN, and between which it lies. */
struct kb_bounded_time {
	int64_t time_ns;
	struct kb_interval at;		/* not known of too few trials, and if */
	bool is_control;		/* a control timing gave the time */
};

/* The result of one session for a candidate. */
struct kb_remeasure_side {
	enum kb_status status;
	struct kb_bounded_time candidate, reference;
};

/* Something now / the same as claimed, in millionths: the ratio of medians,
 * and between which it lies, each rounded. KB_UNKNOWN where a time is, or
 * an interval; KB_SPEEDUP_MICRO_MAX is no bound. */
struct kb_change {
	int64_t micro, low_micro, high_micro;
};

struct kb_remeasured {
	struct kb_key key;
	int sample_id;
	enum kb_again answer;
	const char *why;	/* it is ambiguous, or NULL; borrowed for ever */
	char *detail;		/* of the status now, or NULL; owned */
	struct kb_remeasure_side claimed, now;
	struct kb_change change;	/* of candidate / reference: decides */
	struct kb_change candidate;	/* of the plain times */
	struct kb_change reference;
};

/* The times that a session's record claims, by both clocks, follow from their
 * samples. Fails with KB_ERR_INPUT, which names the problem. */
int kb_remeasure_check(const struct kb_result *r, struct kb_err *err);

/*
 * Compare two results that pass that, by the clock by which the claim is to be
 * judged where `clock` is asked for (kb_problem_clock()). Fills in everything.
 */
void kb_remeasure_compare(struct kb_remeasured *out,
			  const struct kb_result *claimed,
			  const struct kb_result *now, enum kb_clock clock);

/* The same where the stacks differ, and so nothing was run. */
void kb_remeasure_claim(struct kb_remeasured *out,
			const struct kb_result *claimed, enum kb_clock clock);

/* How many GPUs there are, told from each other by their ids. */
struct kb_gpus_again {
	size_t claimed;			/* 0: what is here cannot be known */
	size_t here;
	size_t same;			/* are both */
};

/* All that was asked about one evaluation. */
struct kb_remeasurement {
	char *why_not;			/* nothing was compared, or NULL */
	struct kb_digest evaluation;
	enum kb_clock clock;
	int64_t sample_seed;
	size_t correct_count;		/* of the evaluation */
	struct kb_remeasured *items;	/* the sample of them; sorted, owned */
	size_t count;
	bool is_interrupted;		/* `items` are those that were measured
					   until then */
	/* Fields of the match keys that differ; left: the evaluation's,
	 * right: this machine's. */
	struct kb_mismatches refused, allowed;
	/* Facts that differ and are in no match key: what was measured stands,
	 * but they may be why it is not the same. */
	struct kb_mismatches noted;
	struct kb_gpus_again gpus;
};

#define KB_REMEASUREMENT_INIT { .refused = KB_MISMATCHES_INIT, \
				.allowed = KB_MISMATCHES_INIT, \
				.noted = KB_MISMATCHES_INIT }

void kb_remeasurement_release(struct kb_remeasurement *m);

/* How many have each answer. */
void kb_remeasurement_count(size_t counts[KB_AGAIN_COUNT],
			    const struct kb_remeasurement *m);

static inline void kb_cleanup_remeasurement(struct kb_remeasurement *m)
{
	kb_remeasurement_release(m);
}

#endif
