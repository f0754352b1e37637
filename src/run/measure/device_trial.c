#include "measure/device_trial.h"

#include "base/clock.h"
#include "measure/time_rule.h"

/* A reference whose call takes longer than this is not needed in runs of one
 * call: the noise of its own time would be that of the bound. */
#define NO_CALL_ABOVE_NS (KB_NS_PER_MS / 5)

static bool has_ranks(const struct kb_measurement *m)
{
	return kb_plan_ranks(&m->bench->plan) > 1;
}

/* How many calls the runs of one call have. The calls of a group overlap in a row:
 * a rank begins the next while another ends the last. Alone they take longer, the
 * reference's as the candidate's, which only runs of one call of both tell. */
static int calls_of_one(const struct kb_measurement *m, enum kb_side side)
{
	return side == KB_SIDE_CANDIDATE ||
	       m->measured[side].call_ns < NO_CALL_ABOVE_NS ||
	       has_ranks(m);
}

int kb_measurement_new_timing(struct kb_measurement *m, enum kb_side side,
			      enum kb_clock clock, struct kb_batches n,
			      struct kb_timing **out, struct kb_err *err)
{
	struct kb_timing *t = kb_timing_new(clock, (int)n.small, (int)n.large);
	int ret;

	t->n_one_call = calls_of_one(m, side);
	if (side == KB_SIDE_CANDIDATE && clock == KB_CLOCK_DEVICE &&
	    has_ranks(m))
		t->one_call_slack_ns = KB_ONE_CALL_RANKS_SLACK_NS;
	ret = kb_measurement_chain_cost(m, n.small, &t->copy_in_small_ns, err);
	if (ret > 0)
		ret = kb_measurement_chain_cost(m, n.large,
						&t->copy_in_large_ns, err);
	if (ret > 0)
		ret = kb_measurement_chain_cost(m, (uint32_t)t->n_one_call,
						&t->copy_in_one_call_ns, err);
	if (ret > 0)
		*out = t;
	else
		kb_timing_free(t);
	return ret;
}

/* --- trials ----------------------------------------------------------- */

static enum kb_run_clock run_clock_of(enum kb_clock clock)
{
	return clock == KB_CLOCK_CALL ? KB_RUN_CALL : KB_RUN_DEVICE;
}

/* A run without a time: by the device clock the side cannot be queued. By
 * the call clock its calls were let go and are not done when patience ends:
 * the device waits for something that does not come. */
static int note_untimed(struct kb_measurement *m, enum kb_side side,
			enum kb_clock clock, const char *why_not)
{
	if (clock == KB_CLOCK_DEVICE) {
		m->measured[side].not_queueable = why_not;
		return 1;
	}
	kb_fault_set(&m->fault, side, KB_STATUS_TIMED_OUT, KB_PHASE_RUN,
		     "the calls were not done on the device in time");
	return 0;
}

/* One of the runs of a trial, unless the other has no time. A run of no calls
 * is what any run costs: the reference makes it, so that a candidate cannot
 * make it dear, which would be taken off its other runs. */
static int take_trial(struct kb_measurement *m, enum kb_side side,
		      const struct kb_timing *t, bool large,
		      int64_t *elapsed_ns, const char **why_not,
		      struct kb_err *err)
{
	const int n = large ? t->n_large : t->n_small;

	if (*why_not)
		return 1;
	return kb_measurement_run(m, n ? side : KB_SIDE_REFERENCE,
				  run_clock_of(t->clock), (uint32_t)n,
				  elapsed_ns, why_not, err);
}

/*
 * A candidate's large run comes last, the reference's first: so the inputs
 * that were made for the one, and what is expected of them, serve for both of
 * the reference's.
 */
int kb_measurement_trial(struct kb_measurement *m, enum kb_side side,
			 struct kb_timing *t, struct kb_err *err)
{
	const bool large_first = side == KB_SIDE_REFERENCE;
	const char *why_not = NULL;
	int64_t ns[] = { KB_UNKNOWN, KB_UNKNOWN };	/* small, large */
	int ret = take_trial(m, side, t, large_first, &ns[large_first],
			     &why_not, err);

	if (ret > 0 && large_first)
		m->bench->masters.spent = false;
	if (ret > 0)
		ret = take_trial(m, side, t, !large_first, &ns[!large_first],
				 &why_not, err);
	if (large_first)
		m->bench->masters.spent = true;
	if (ret <= 0)
		return ret;
	if (why_not)
		return note_untimed(m, side, t->clock, why_not);
	kb_timing_add(t, KB_SERIES_SMALL, ns[0] - t->copy_in_small_ns);
	kb_timing_add(t, KB_SERIES_LARGE, ns[1] - t->copy_in_large_ns);
	return 1;
}

int kb_measurement_one_call(struct kb_measurement *m, enum kb_side side,
			    enum kb_series series, struct kb_timing *t,
			    struct kb_err *err)
{
	const char *why_not = NULL;
	int64_t elapsed_ns;
	int ret = kb_measurement_run(m, side, run_clock_of(t->clock),
				     (uint32_t)t->n_one_call, &elapsed_ns,
				     &why_not, err);

	if (ret <= 0)
		return ret;
	if (elapsed_ns == KB_UNKNOWN)
		return note_untimed(m, side, t->clock, why_not);
	kb_timing_add(t, series, elapsed_ns - t->copy_in_one_call_ns);
	return 1;
}
