#ifndef KB_VERIFY_PLAUSIBLE_H
#define KB_VERIFY_PLAUSIBLE_H

struct kb_checks;
struct kb_lineage;

/*
 * Can what a record says was measured have been measured? Pure; adds to the
 * layer "plausibility". The answer is no only to what an honest run of these
 * tools could not have written; what is merely odd is a note.
 *
 *	floor		no time is below what the device allows: verify/floor.h
 *	samples		not all of ten trials or more took the same, to the
 *			nanosecond, nor all runs of one call; and none took
 *			less than no time
 *	seeds		no trial's seed is there twice
 *	trials		as many trials as the policy says, or as the recorded
 *			stop reason allows; of runs of one call, too, where the
 *			policy speaks of them
 *	clocks		no clock above the device's highest, no temperature or
 *			power that a device would not survive; how much of it
 *			was slowed down is noted
 *	drift		in one session the reference's time, beside the
 *			candidate, before it and after it, is the same within
 *			KB_DRIFT_LIMIT_PPM; else noted
 *
 * A score is asked through its parents, as far as they are there. Of other
 * kinds there are no times, and one check says so.
 */
void kb_plausible_check(struct kb_checks *c, const struct kb_lineage *l);

#define KB_PLAUSIBLE_TRIALS_MIN 10
#define KB_PLAUSIBLE_TEMPERATURE_C_MAX 150
#define KB_PLAUSIBLE_POWER_TIMES_MAX 2	/* of the limit in force */

#endif
