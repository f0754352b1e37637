#ifndef KB_VERIFY_PLAUSIBLE_H
#define KB_VERIFY_PLAUSIBLE_H

#include <stdbool.h>
#include <stdint.h>

#include "manifest/suite.h"
#include "verify/clocks.h"
#include "verify/trials.h"

struct kb_baseline;
struct kb_evaluation;
struct kb_lineage;
struct kb_peak;
struct kb_result;

/*
 * Can what a record says was measured have been measured? Pure; adds to the
 * layer "plausibility". The answer is no only to what an honest run of these
 * tools could not have written; what is merely odd is a note.
 *
 *	floor		no time is below what the device allows: verify/floor.h
 *	samples		of KB_PLAUSIBLE_TRIALS_MIN trials or runs of one call at
 *			most half took the same, to the nanosecond, and of
 *			KB_PLAUSIBLE_ALONE_MIN runs of the reference alone not
 *			all; none took less than no time;
 *			KB_PLAUSIBLE_ORDER_MIN are not in order, and those of
 *			a candidate not in the order of the reference's next to
 *			it; no two timings of KB_PLAUSIBLE_SAME_MIN have the
 *			same; none has only multiples of KB_PLAUSIBLE_STEP_NS
 *			times the step that the clock has
 *	seeds		no trial's seed is there twice
 *	trials		as many trials as the policy says, or as the recorded
 *			stop reason allows; of runs of one call, too, where the
 *			policy speaks of them
 *	clocks		no clock above the device's highest, no temperature or
 *			power that a device would not survive, none so low that
 *			it was not at work; without a reason neither below
 *			1/KB_PLAUSIBLE_CLOCK_PART of the highest nor below
 *			KB_PLAUSIBLE_CLOCKS_PERCENT of the reference's; a known
 *			GPU that was asked tells each reading, and it was asked
 *			in KB_PLAUSIBLE_TRIALS_MIN trials; it was not asked more
 *			often than there was time for; how much of it was slowed
 *			down is noted
 *	drift		in one session the reference's time, beside the
 *			candidate, before it and after it, is the same within
 *			KB_DRIFT_LIMIT_PPM; else noted
 *
 * A score is asked through its parents, as far as they are there. Of other
 * kinds there are no times, and one check says so.
 */
void kb_plausible_check(struct kb_checks *c, const struct kb_lineage *l);

/* A baseline's part. */
void kb_plausible_check_baseline(struct kb_checks *c,
				 const struct kb_baseline *b,
				 const struct kb_suite *suite);

/*
 * An evaluation's part, of which one result need be in memory at a time: begun,
 * given every result in order, and ended, which adds what came of it to `c` and
 * releases. It stays where it was begun; both records are borrowed until the
 * end. Who does not give the seeds needs no memory for them, and is told that
 * they were not checked.
 */
struct kb_floor_lines {
	struct kb_checks of_floors;
	const struct kb_suite *suite;
	const char *device;
	const struct kb_peak *peak;	/* of the device; NULL: unknown */
	enum kb_precision precision;
	int64_t multiprocessors;	/* KB_UNKNOWN: not told */
	bool binds;			/* all of these are known */
	int64_t above, without;		/* times; those without a floor */
};

struct kb_plausible_lines {
	enum kb_kind kind;
	struct kb_floor_lines floors;
	struct kb_trial_lines trials;
	struct kb_clock_lines clocks;
};

void kb_plausible_lines_begin(struct kb_plausible_lines *l,
			      const struct kb_evaluation *e,
			      const struct kb_suite *suite);
/* Stop each check at its first "no". */
void kb_plausible_lines_want_first_no(struct kb_plausible_lines *l);
void kb_plausible_lines_take(struct kb_plausible_lines *l,
			     const struct kb_result *r);
void kb_plausible_lines_take_seeds(struct kb_plausible_lines *l,
				   const struct kb_result *r);
void kb_plausible_lines_end(struct kb_plausible_lines *l, struct kb_checks *c);
void kb_plausible_lines_release(struct kb_plausible_lines *l);

#define KB_PLAUSIBLE_TRIALS_MIN 10
#define KB_PLAUSIBLE_ORDER_MIN 24
#define KB_PLAUSIBLE_SAME_MIN 6
#define KB_PLAUSIBLE_ALONE_MIN 4
#define KB_PLAUSIBLE_STEP_NS 100
#define KB_PLAUSIBLE_TEMPERATURE_C_MAX 150
#define KB_PLAUSIBLE_CLOCK_MHZ_MIN 100
#define KB_PLAUSIBLE_CLOCK_PART 3	/* of the highest */
#define KB_PLAUSIBLE_CLOCKS_PERCENT 80
#define KB_PLAUSIBLE_POWER_MW_MIN 1000
#define KB_PLAUSIBLE_POWER_TIMES_MAX 2	/* of the limit in force */

#endif
