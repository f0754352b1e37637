#include "measure/device_calibration.h"

#include <time.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/numbers.h"
#include "measure/policy.h"
#include "measure/stopping.h"
#include "measure/time_rule.h"

/* Ungated runs before anything is timed. The first may build; libraries have
 * been seen to choose another kernel at the second. */
#define WARM_UPS 3

/* Of a screen, after which nothing is timed and most candidates have failed. */
#define SCREEN_WARM_UPS 1

/* The time of an ungated call, with asking for it, that is long beyond doubt,
 * and of a call that is not made a third time. */
#define SURELY_LONG_NS (5 * LONG_CALL_NS)
#define LONG_WARM_UP_NS KB_NS_PER_S

#define CALIBRATION_TRIALS 3

/* The longest first chain of a run. It must fit into a time slice (2 ms on an
 * H200), together with what empties the cache before. Between two slices of a
 * longer chain, calls of several streams that wait behind the gate keep the
 * device for a slice of their own, with nothing to do. */
#define CHAIN_MAX_NS (3 * KB_NS_PER_MS / 2)

/* A call that takes so long is timed against a run of no calls: two calls more
 * would be what a baseline of such problems spends most of its time with. */
#define LONG_CALL_NS (20 * KB_NS_PER_MS)

/* Control timing: at least, at most, and what ends it between the two. */
#define CONTROL_TRIALS_MIN 3
#define CONTROL_TRIALS_MAX 5
#define CONTROL_BUDGET_NS (50 * KB_NS_PER_MS)

/* Before it is taken again, where the device has not settled. */
#define CONTROL_PAUSE_NS (20 * KB_NS_PER_MS)

/* A reference that was queued before a candidate and cannot be after it: so often it
 * is tried again, since the machine is busy. */
#define BUSY_MAX 10

int kb_measurement_warm_up(struct kb_measurement *m, enum kb_side side,
			   struct kb_err *err)
{
	struct kb_measured *x = &m->measured[side];
	const int count = m->bench->policy->others ? SCREEN_WARM_UPS : WARM_UPS;
	int ret = kb_measurement_need_slots(m, 1, err);

	for (int i = 0; i < count && ret > 0; i++) {
		const char *why_not;

		if (i >= 2 && x->ungated_ns >= LONG_WARM_UP_NS)
			break;
		x->side.worker->first_run = i == 0;
		ret = kb_measurement_run(m, side, KB_RUN_UNGATED, 1,
					 &x->ungated_ns, &why_not, err);
	}
	x->side.worker->first_run = false;
	x->pool_peak_bytes = kb_output_pool_peak_bytes(x->side.pool);
	return ret;
}

static bool is_long(const struct kb_measurement *m, enum kb_side side)
{
	return m->measured[side].ungated_ns >= SURELY_LONG_NS;
}

/* The time of a call from a few trials, at least 1; the batches are small. One
 * trial tells enough of a call that is long. */
static int calibrate_side(struct kb_measurement *m, enum kb_side side,
			  enum kb_clock clock, struct kb_batches n,
			  int64_t *call_ns, struct kb_err *err)
{
	kb_auto(timing) struct kb_timing *t = NULL;
	int ret = kb_measurement_new_timing(m, side, clock, n, &t, err);

	for (int i = 0; i < CALIBRATION_TRIALS && ret > 0; i++) {
		if (clock == KB_CLOCK_DEVICE && m->measured[side].not_queueable)
			break;
		ret = kb_measurement_trial(m, side, t, err);
		if (is_long(m, side) && kb_slope_ns(t) >= LONG_CALL_NS)
			break;
	}
	*call_ns = t ? kb_slope_ns(t) : KB_UNKNOWN;
	if (*call_ns == KB_UNKNOWN)
		*call_ns = 1;
	return ret;
}

static const struct kb_batches one_or_none = { 0, 1 };

static struct kb_batches batches_for(const struct kb_measurement *m,
				     int64_t call_ns, uint32_t most)
{
	struct kb_policy policy = *m->bench->policy;

	if (call_ns >= LONG_CALL_NS)
		return one_or_none;
	policy.batch_calls_max = most;
	return kb_policy_batches(&policy, call_ns, 0);
}

/*
 * The largest batches up to `most` calls that can be queued: what does not
 * fit the device's queue at once blocks while it is queued.
 */
static int find_batches(struct kb_measurement *m, enum kb_side side,
			int64_t call_ns, uint32_t most, struct kb_err *err)
{
	struct kb_measured *x = &m->measured[side];
	int ret = 1;

	for (;;) {
		int64_t elapsed_ns = KB_UNKNOWN;

		x->call_ns = call_ns;
		x->batches = batches_for(m, call_ns, most);
		ret = kb_measurement_need_slots(m, x->batches.large, err);
		if (ret > 0)
			ret = kb_measurement_run(m, side, KB_RUN_DEVICE,
						 x->batches.large, &elapsed_ns,
						 &x->not_queueable, err);
		if (ret <= 0 || elapsed_ns != KB_UNKNOWN ||
		    x->batches.large <= 1)
			return ret;
		most = x->batches.large / 2;
		x->not_queueable = NULL;
	}
}

static struct kb_batches small_batches(const struct kb_measurement *m,
				       enum kb_side side, uint32_t most)
{
	if (most < 2 || is_long(m, side))
		return one_or_none;
	return (struct kb_batches){ 1, most < 3 ? 2 : 3 };
}

/* How many calls' inputs a chain can copy, of `most`; at least one. */
static int calls_in_chain(struct kb_measurement *m, uint32_t *most,
			  struct kb_err *err)
{
	int64_t none_ns, one_ns, fit;
	int ret = kb_measurement_need_slots(m, 1, err);

	if (ret > 0)
		ret = kb_measurement_chain_cost(m, 0, &none_ns, err);
	if (ret > 0)
		ret = kb_measurement_chain_cost(m, 1, &one_ns, err);
	if (ret <= 0 || one_ns <= none_ns)
		return ret;
	fit = (CHAIN_MAX_NS - none_ns) / (one_ns - none_ns);
	if (fit < *most)
		*most = fit < 1 ? 1 : (uint32_t)fit;
	return ret;
}

static int calibrate_by_device(struct kb_measurement *m, enum kb_side side,
			       struct kb_err *err)
{
	struct kb_measured *x = &m->measured[side];
	uint32_t most = kb_measurement_calls_that_fit(m);
	int64_t call_ns = 1;
	struct kb_batches few;
	int ret = calls_in_chain(m, &most, err);

	few = small_batches(m, side, most);
	if (ret > 0)
		ret = kb_measurement_need_slots(m, few.large, err);
	if (ret > 0)
		ret = calibrate_side(m, side, KB_CLOCK_DEVICE, few, &call_ns,
				     err);
	if (ret <= 0)
		return ret;
	if (!x->not_queueable && few.large == 1 && call_ns >= LONG_CALL_NS) {
		x->call_ns = call_ns;
		x->batches = few;	/* which have just been queued */
		return 1;
	}
	if (!x->not_queueable)
		return find_batches(m, side, call_ns, most, err);
	if (few.large == 1)
		return 1;
	/* Perhaps fewer calls go in. */
	x->not_queueable = NULL;
	ret = calibrate_side(m, side, KB_CLOCK_DEVICE, one_or_none, &call_ns,
			     err);
	return ret <= 0 || x->not_queueable ? ret :
		find_batches(m, side, call_ns, most < 2 ? most : 2, err);
}

int kb_measurement_calibrate(struct kb_measurement *m, enum kb_side side,
			     struct kb_err *err)
{
	const struct kb_measured *x = &m->measured[side];
	struct kb_bench *b = m->bench;
	int ret;

	if (side == KB_SIDE_REFERENCE && b->batches_known)
		return kb_measurement_need_slots(m, x->batches.large, err);
	ret = calibrate_by_device(m, side, err);
	if (ret > 0 && side == KB_SIDE_REFERENCE) {
		b->batches_known = true;
		b->call_ns = x->call_ns;
		b->batches = x->batches;
		b->not_queueable = x->not_queueable;
	}
	return ret;
}

int kb_measurement_calibrate_calls(struct kb_measurement *m, enum kb_side side,
				   int64_t device_ns, struct kb_batches *n,
				   struct kb_err *err)
{
	const uint32_t most = kb_measurement_calls_that_fit(m);
	const struct kb_batches few = small_batches(m, side, most);
	int64_t call_ns = device_ns;
	int ret = kb_measurement_need_slots(m, few.large, err);

	/* Launches add little to calls that are long. */
	if (ret > 0 && device_ns < m->bench->policy->batch_min_ns)
		ret =
			calibrate_side(m, side, KB_CLOCK_CALL, few, &call_ns, err);
	*n = batches_for(m, kb_max_i64(call_ns, device_ns), most);
	return ret;
}

/* --- control timing --------------------------------------------------- */

/* Is a run of the reference to be made again? */
static bool is_busy(struct kb_measurement *m, int *tries)
{
	struct kb_measured *x = &m->measured[KB_SIDE_REFERENCE];

	if (!x->not_queueable || !*tries)
		return false;
	--*tries;
	x->not_queueable = NULL;
	return true;
}

static int take_alone(struct kb_measurement *m, enum kb_clock clock, int *tries,
		      struct kb_err *err)
{
	const int64_t end_ns = kb_clock_ns() + CONTROL_BUDGET_NS;
	struct kb_timing **alone = &m->alone[clock];
	int ret = *alone ? 1 :
		kb_measurement_new_timing(m, KB_SIDE_REFERENCE, clock,
					  one_or_none, alone, err);

	for (int i = 0; i < KB_CONTROL_ONE_CALLS_MAX && ret > 0; i++) {
		if (i >= KB_CONTROL_ONE_CALLS_MIN && kb_clock_ns() >= end_ns)
			break;
		ret = kb_measurement_one_call(m, KB_SIDE_REFERENCE,
					      KB_SERIES_ALONE, *alone, err);
		if (is_busy(m, tries))
			i--;
	}
	return ret;
}

/* The slope of the reference from a few trials. */
static int take_control_trials(struct kb_measurement *m, int64_t *time_ns,
			       int *tries, struct kb_err *err)
{
	const struct kb_measured *x = &m->measured[KB_SIDE_REFERENCE];
	const int64_t end_ns = kb_clock_ns() + CONTROL_BUDGET_NS;
	kb_auto(timing) struct kb_timing *t = NULL;
	int ret;

	*time_ns = KB_UNKNOWN;
	if (x->not_queueable)
		return 1;
	ret = kb_measurement_new_timing(m, KB_SIDE_REFERENCE, KB_CLOCK_DEVICE,
					x->batches, &t, err);
	for (int i = 0; i < CONTROL_TRIALS_MAX && ret > 0; i++) {
		if (x->not_queueable ||
		    (i >= CONTROL_TRIALS_MIN && kb_clock_ns() >= end_ns))
			break;
		ret = kb_measurement_trial(m, KB_SIDE_REFERENCE, t, err);
		if (is_busy(m, tries))
			i--;
	}
	if (t)
		*time_ns = kb_slope_ns(t);
	return ret;
}

static int take_all_alone(struct kb_measurement *m, int *tries, struct kb_err *err)
{
	int ret = take_alone(m, KB_CLOCK_CALL, tries, err);

	if (ret <= 0 || m->measured[KB_SIDE_REFERENCE].not_queueable)
		return ret;
	return take_alone(m, KB_CLOCK_DEVICE, tries, err);
}

/* The runs of one call come last: by then the device has settled. */
int kb_measurement_control(struct kb_measurement *m, int64_t before_ns,
			   int64_t *time_ns, struct kb_err *err)
{
	const struct timespec pause = { .tv_nsec = CONTROL_PAUSE_NS };
	const int64_t start_ns = kb_clock_ns();
	const struct kb_measured *x = &m->measured[KB_SIDE_REFERENCE];
	const bool is_measured =
		x->device && x->device->timing && !x->not_queueable;
	int tries = is_measured ? BUSY_MAX : 0;
	int ret;

	for (;;) {
		ret = take_control_trials(m, time_ns, &tries, err);
		if (ret <= 0 ||
		    kb_control_has_settled(before_ns, *time_ns,
					   kb_clock_ns() - start_ns))
			break;
		(void)nanosleep(&pause, NULL);
	}
	if (ret > 0)
		ret = take_all_alone(m, &tries, err);
	if (ret <= 0 || !is_measured || !x->not_queueable)
		return ret;
	/* The times by the device would lose their control, and those of calls
	 * have no runs of one call. */
	kb_fault_set(&m->fault, KB_SIDE_REFERENCE, KB_STATUS_TIMED_OUT,
		     KB_PHASE_RUN, "was queued before the candidate, and not after "
		     "it: %s", x->not_queueable);
	return 0;
}
