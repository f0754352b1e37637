/*
 * The device's measurement with a made-up device: a side here is what its
 * runs take. What touches a device, measure/device_attempt.c, is replaced.
 */

#include "measure/device_measurement.h"

#include "base/alloc.h"
#include "base/err.h"
#include "lib/tap.h"
#include "manifest/record.h"
#include "measure/device_calibration.h"
#include "measure/device_times.h"
#include "measure/policy.h"
#include "measure/time_rule.h"

#define US INT64_C(1000)
#define MS (1000 * US)

#define EVICTING_NS (5 * US)
#define COPYING_NS 100			/* the inputs of a call */
#define RUN_NS (350 * US)		/* whatever a run has of calls */
#define ALONE_NS (349 * US)		/* the same with no candidate alive */

/* A side: what its calls take. */
struct model {
	int64_t call_ns;		/* on the device, each */
	int64_t launch_ns;		/* more, by the call clock */
	int64_t one_ns;			/* more, where there is one call */
	int64_t none_ns;		/* more, where there is none */
	int64_t dear_ns;		/* more, in runs of the other side */
	uint32_t queue;			/* calls that can be queued; 0: any */
	bool needs_host;		/* none can */
	bool never_done;		/* by the call clock */
	int64_t noise_ns;		/* more, from 0 to so much */
};

static struct world {
	struct model side[KB_SIDE_COUNT];
	uint32_t ranks;
	uint32_t fit;			/* calls that memory has room for */
	int64_t copying_ns;		/* the inputs of a call; 0: as usual */
	uint32_t settling;		/* runs after a candidate that are dear */
	uint32_t busy;			/* and that cannot be queued */
	uint32_t runs[KB_SIDE_COUNT];
	uint32_t n_max;			/* calls in the largest run */
} world;

/* --- instead of measure/device_attempt.c ------------------------------ */

int kb_measurement_need_slots(struct kb_measurement *m, uint32_t count,
			      struct kb_err *err)
{
	(void)m;
	(void)err;
	check(count <= world.fit);
	return 1;
}

uint32_t kb_measurement_calls_that_fit(const struct kb_measurement *m)
{
	(void)m;
	return world.fit;
}

static int64_t chain_ns(uint32_t n)
{
	return EVICTING_NS +
	       n * (world.copying_ns ? world.copying_ns : COPYING_NS);
}

int kb_measurement_chain_cost(struct kb_measurement *m, uint32_t n,
			      int64_t *cost_ns, struct kb_err *err)
{
	(void)m;
	(void)err;
	*cost_ns = chain_ns(n);
	return 1;
}

static int64_t run_ns(const struct kb_measurement *m, enum kb_side side,
		      enum kb_run_clock clock, uint32_t n)
{
	const struct model *x = &world.side[side];
	const struct model *other = &world.side[1 - side];
	int64_t ns = chain_ns(n) + (m->has_candidate ? RUN_NS : ALONE_NS);

	ns += n * x->call_ns + (n == 1 ? x->one_ns : n ? 0 : x->none_ns);
	if (clock == KB_RUN_CALL)
		ns += n * x->launch_ns;
	if (m->has_candidate)
		ns += other->dear_ns;
	else if (world.runs[KB_SIDE_CANDIDATE] && world.settling)
		ns += world.settling-- * ((n + 1) * x->call_ns) / 10;
	return ns + world.runs[side] * world.runs[side] * 37 % 101 *
		    x->noise_ns / 100;
}

/* Something else takes the machine after the candidate. */
static bool is_busy(const struct kb_measurement *m)
{
	return !m->has_candidate && world.runs[KB_SIDE_CANDIDATE] &&
	       world.busy && world.busy--;
}

int kb_measurement_run(struct kb_measurement *m, enum kb_side side,
		       enum kb_run_clock clock, uint32_t n,
		       int64_t *elapsed_ns, const char **why_not,
		       struct kb_err *err)
{
	const struct model *x = &world.side[side];

	(void)err;
	world.runs[side]++;
	if (n > world.n_max)
		world.n_max = n;
	*why_not = NULL;
	*elapsed_ns = run_ns(m, side, clock, n);
	if (clock == KB_RUN_CALL ? x->never_done :
	    n && (x->needs_host || (x->queue && n > x->queue) ||
		  is_busy(m))) {
		*why_not = "no";
		*elapsed_ns = KB_UNKNOWN;
	}
	return 1;
}

/* --- a measurement ---------------------------------------------------- */

static const struct kb_policy usual = {
	.trials = 10, .trials_max = 40, .batch_min_ns = 2 * MS,
	.batch_calls_max = 384, .interval_ppm = 5000, .budget_ns = 3600 * MS,
	.pool_bytes = 1,
};

struct taken {
	struct kb_bench bench;
	struct kb_measurement m;
	struct kb_timing *device[KB_SIDE_COUNT], *call[KB_SIDE_COUNT];
	int64_t before_ns, after_ns;	/* control timings */
};

/* As measure/device_bench.c does it, up to the candidate's end. Returns what
 * kb_measurement_take() does. */
static int begin(struct taken *t, const struct kb_policy *policy, bool both)
{
	struct kb_err err;

	*t = (struct taken){
		.bench = { .policy = policy, .plan.ranks = world.ranks },
	};
	t->m.bench = &t->bench;
	world.n_max = world.runs[0] = world.runs[1] = 0;
	for (int i = 0; i < KB_SIDE_COUNT; i++)
		t->m.measured[i].ungated_ns = world.side[i].call_ns;
	check_int(kb_measurement_calibrate(&t->m, KB_SIDE_REFERENCE, &err), 1);
	if (both) {
		check_int(kb_measurement_control(&t->m, KB_UNKNOWN,
						 &t->before_ns, &err), 1);
		t->m.has_candidate = true;
		check_int(kb_measurement_calibrate(&t->m, KB_SIDE_CANDIDATE,
						   &err), 1);
	}
	return kb_measurement_take(&t->m, &err);
}

static void take(struct taken *t, const struct kb_policy *policy, bool both)
{
	struct kb_err err;

	check_int(begin(t, policy, both), 1);
	t->m.has_candidate = false;
	if (both)
		check_int(kb_measurement_control(&t->m, t->before_ns,
						 &t->after_ns, &err), 1);
	check_int(kb_measurement_decide(&t->m, &err), 1);
	for (int i = 0; i < KB_SIDE_COUNT; i++) {
		const struct kb_measured *x = &t->m.measured[i];

		t->device[i] = x->device ? x->device->timing : NULL;
		t->call[i] = x->call;
	}
}

static void end(struct taken *t)
{
	for (int i = 0; i < KB_SIDE_COUNT; i++) {
		kb_device_timing_free(t->m.measured[i].device);
		kb_timing_free(t->m.measured[i].call);
	}
	for (int i = 0; i < KB_CLOCK_COUNT; i++)
		kb_timing_free(t->m.alone[i]);
}

/* --- how many calls --------------------------------------------------- */

static void test_sizes_of_a_reference_alone(void)
{
	static const struct {
		int64_t call_ns, copying_ns;
		uint32_t fit, queue;
		int n_small, n_large;		/* by the device's clock */
		int call_n_small, call_n_large;
	} all[] = {
		{ 3 * US, 0, 384, 0, 128, 384, 128, 384 },
		{ 10 * US, 0, 384, 0, 128, 384, 128, 384 },
		{ 100 * US, 0, 384, 0, 16, 48, 16, 48 },
		{ 1 * MS, 0, 384, 0, 1, 3, 1, 3 },
		{ 5 * MS, 0, 384, 0, 1, 2, 1, 2 },
		/* a long call */
		{ 20 * MS - 1, 0, 384, 0, 1, 2, 1, 2 },
		{ 20 * MS, 0, 384, 0, 0, 1, 0, 1 },
		{ 900 * MS, 0, 384, 0, 0, 1, 0, 1 },
		/* for what is copied within 1.5 ms */
		{ 10 * US, 7 * US, 384, 0, 64, 192, 128, 384 },
		{ 5 * MS, 747 * US, 384, 0, 1, 2, 1, 2 },
		{ 5 * MS, 748 * US, 384, 0, 0, 1, 1, 2 },
		{ 5 * MS, 9 * MS, 384, 0, 0, 1, 1, 2 },
		/* for want of memory */
		{ 10 * US, 0, 5, 0, 1, 3, 1, 3 },
		{ 10 * US, 0, 2, 0, 1, 2, 1, 2 },
		{ 10 * US, 0, 1, 0, 0, 1, 0, 1 },
		/* for what the device's queue holds */
		{ 10 * US, 0, 384, 200, 64, 192, 128, 384 },
		{ 10 * US, 0, 384, 2, 1, 2, 128, 384 },
		{ 10 * US, 0, 384, 1, 0, 1, 128, 384 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(all); i++) {
		struct taken t;

		world = (struct world){
			.side[KB_SIDE_REFERENCE] = {
				.call_ns = all[i].call_ns,
				.queue = all[i].queue,
			},
			.fit = all[i].fit,
			.copying_ns = all[i].copying_ns,
		};
		take(&t, &usual, false);
		if (t.device[0]->n_small != all[i].n_small ||
		    t.device[0]->n_large != all[i].n_large ||
		    t.call[0]->n_small != all[i].call_n_small ||
		    t.call[0]->n_large != all[i].call_n_large)
			tap_fail("case %zu: %d and %d, by calls %d and %d", i,
				 t.device[0]->n_small, t.device[0]->n_large,
				 t.call[0]->n_small, t.call[0]->n_large);
		check_int(t.device[0]->time_ns, all[i].call_ns);
		check_int(t.call[0]->time_ns, all[i].call_ns);
		check(!t.device[0]->one_call_count && !t.call[0]->alone_count);
		end(&t);
	}
}

static void test_who_cannot_be_queued_has_the_call_clock(void)
{
	struct taken t;

	world = (struct world){
		.side[KB_SIDE_REFERENCE] = { .call_ns = 30 * US,
					     .needs_host = true },
		.fit = 384,
	};
	take(&t, &usual, false);
	check(!t.device[0]);
	check_str(t.m.measured[0].device->not_queueable, "no");
	check_int(t.call[0]->time_ns, 30 * US);
	check_int((intmax_t)t.call[0]->small_count, 10);
	end(&t);
}

/* Nor does it so become one that cannot be queued. */
static void test_calls_that_are_never_done_time_out(void)
{
	struct taken t;

	world = (struct world){
		.side[KB_SIDE_REFERENCE] = { .call_ns = 150 * US },
		.side[KB_SIDE_CANDIDATE] = { .call_ns = 100 * US,
					     .never_done = true },
		.fit = 384,
	};
	check_int(begin(&t, &usual, true), 0);
	check_int(t.m.fault.status, KB_STATUS_TIMED_OUT);
	check_int(t.m.fault.side, KB_SIDE_CANDIDATE);
	check(!t.m.measured[KB_SIDE_CANDIDATE].not_queueable);
	end(&t);
}

/* --- when trials end -------------------------------------------------- */

static void test_why_trials_end(void)
{
	static const struct {
		int64_t noise_ns, budget_ns;
		size_t count;
		enum kb_stop_reason reason;
	} all[] = {
		{ 0, 0, 10, KB_STOP_INTERVAL },
		{ 0, 3600 * MS, 10, KB_STOP_INTERVAL },
		{ 1 * MS, 0, 10, KB_STOP_BUDGET },
		{ 1 * MS, 3600 * MS, 40, KB_STOP_TRIALS },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(all); i++) {
		struct kb_policy policy = usual;
		struct taken t;

		policy.budget_ns = all[i].budget_ns;
		world = (struct world){
			.side[KB_SIDE_REFERENCE] = {
				.call_ns = 100 * US,
				.noise_ns = all[i].noise_ns,
			},
			.fit = 384,
		};
		take(&t, &policy, false);
		check_int((intmax_t)t.device[0]->small_count,
			  (intmax_t)all[i].count);
		check_int(t.device[0]->stop_reason, all[i].reason);
		end(&t);
	}
}

/* Beside a reference of 5 ms. */
static void test_few_trials_of_who_is_slow(void)
{
	static const struct {
		int64_t call_ns, factor;
		size_t count, pairs, calls;
		enum kb_stop_reason reason;
		uint32_t runs_max;
	} all[] = {
		{ 600 * MS, 10, 2, 0, 2, KB_STOP_SLOW, 5 },
		{ 50 * MS, 10, 10, 12, 6, KB_STOP_INTERVAL, 200 },
		{ 53 * MS, 10, 5, 0, 5, KB_STOP_SLOW, 20 },
		{ 600 * MS, 0, 10, 12, 6, KB_STOP_INTERVAL, 200 },
		{ 49 * MS, 10, 10, 12, 6, KB_STOP_INTERVAL, 200 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(all); i++) {
		struct kb_policy policy = usual;
		struct taken t;

		policy.slow_factor = all[i].factor;
		world = (struct world){
			.side[KB_SIDE_REFERENCE] = { .call_ns = 5 * MS },
			.side[KB_SIDE_CANDIDATE] = {
				.call_ns = all[i].call_ns,
			},
			.fit = 384,
		};
		take(&t, &policy, true);
		check_int((intmax_t)t.device[1]->small_count,
			  (intmax_t)all[i].count);
		check_int((intmax_t)t.device[1]->one_call_count,
			  (intmax_t)all[i].pairs);
		check_int((intmax_t)t.call[1]->small_count,
			  (intmax_t)all[i].calls);
		check_int(t.device[1]->stop_reason, all[i].reason);
		check_int(t.call[1]->stop_reason, all[i].reason);
		check_int(t.device[0]->stop_reason, KB_STOP_INTERVAL);
		check_int((intmax_t)t.device[0]->small_count, 10);
		check_int(t.device[1]->time_ns, all[i].call_ns);
		check(world.runs[KB_SIDE_CANDIDATE] <= all[i].runs_max);
		end(&t);
	}
}

/* --- what decides ----------------------------------------------------- */

/* With a reference of `reference_ns`, a candidate of 100 us a call by its
 * slope. */
static void test_what_decides(void)
{
	static const struct {
		const char *what;
		int64_t reference_ns;
		struct model candidate;
		enum kb_basis basis;
		int64_t time_ns;
	} all[] = {
		{ "the slope of who is honest", 150 * US, { .call_ns = 0 },
		  KB_BASIS_SLOPE, 100 * US },
		{ "also beside a long reference", 5 * MS, { .call_ns = 0 },
		  KB_BASIS_SLOPE, 100 * US },
		{ "within the slack", 150 * US, { .one_ns = 2 * US },
		  KB_BASIS_SLOPE, 100 * US },
		{ "beyond it the bound and the slack", 150 * US,
		  { .one_ns = 50 * US },
		  KB_BASIS_ONE_CALL, 153 * US },
		{ "beside a long reference, too", 5 * MS,
		  { .one_ns = 50 * US },
		  KB_BASIS_ONE_CALL, 153 * US },
		/* alone they take 1 us less */
		{ "not what it makes the reference's runs take", 5 * MS,
		  { .one_ns = 50 * US, .dear_ns = 400 * US },
		  KB_BASIS_ONE_CALL, 151 * US + 3020 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(all); i++) {
		struct taken t;

		world = (struct world){
			.side[KB_SIDE_REFERENCE] = {
				.call_ns = all[i].reference_ns,
			},
			.side[KB_SIDE_CANDIDATE] = all[i].candidate,
			.fit = 384,
		};
		world.side[KB_SIDE_CANDIDATE].call_ns = 100 * US;
		take(&t, &usual, true);
		if (t.device[1]->basis != all[i].basis ||
		    t.device[1]->time_ns != all[i].time_ns)
			tap_fail("%s: %s, %" PRId64 " ns", all[i].what,
				 kb_basis_name(t.device[1]->basis),
				 t.device[1]->time_ns);
		check_int(t.device[0]->time_ns, all[i].reference_ns);
		check_int((intmax_t)t.device[0]->one_call_count,
			  (intmax_t)t.device[1]->one_call_count);
		check_int(t.device[0]->n_one_call,
			  all[i].reference_ns < 200 * US);
		end(&t);
	}
}

/* Ranks do not overlap in a call alone. */
static void test_a_call_alone_may_be_longer_in_a_group(void)
{
	struct taken t;

	world = (struct world){
		.side[KB_SIDE_REFERENCE] = { .call_ns = 500 * US,
					     .one_ns = 50 * US },
		.side[KB_SIDE_CANDIDATE] = { .call_ns = 500 * US,
					     .one_ns = 50 * US },
		.fit = 384, .ranks = 2,
	};
	take(&t, &usual, true);
	check_int(t.device[0]->n_one_call, 1);
	check_int(t.device[0]->one_call_slack_ns, 0);
	check_int(t.device[1]->one_call_slack_ns, KB_ONE_CALL_RANKS_SLACK_NS);
	check_int(t.call[1]->one_call_slack_ns, 0);
	check_int(t.device[1]->basis, KB_BASIS_SLOPE);
	check_int(t.device[1]->time_ns, 500 * US);
	end(&t);
}

/* Runs of none are taken off where one call is all that fits. */
static void test_no_candidate_makes_runs_of_none(void)
{
	struct taken t;

	world = (struct world){
		.side[KB_SIDE_REFERENCE] = { .call_ns = 150 * US },
		.side[KB_SIDE_CANDIDATE] = { .call_ns = 100 * US,
					     .none_ns = 80 * US },
		.fit = 1,
	};
	take(&t, &usual, true);
	for (int i = 0; i < KB_CLOCK_COUNT; i++) {
		const struct kb_timing *x = i == KB_CLOCK_CALL ? t.call[1]
							       : t.device[1];

		check_int(x->one_call_slack_ns, 0);
		check_int(x->n_small, 0);
		check_int(x->n_large, 1);
		check_int(x->basis, KB_BASIS_SLOPE);
		check_int(x->time_ns, 100 * US);
	}
	end(&t);
}

/* Its memory is cleared meanwhile. */
static void test_control_timing_waits_for_the_end_of_a_candidate(void)
{
	static const uint32_t settling[] = { 0, 1, 2, 9, 10, 11, 40 };

	for (size_t i = 0; i < KB_ARRAY_LEN(settling); i++) {
		struct taken t;

		world = (struct world){
			.side[KB_SIDE_REFERENCE] = { .call_ns = 150 * US },
			.side[KB_SIDE_CANDIDATE] = { .call_ns = 100 * US },
			.fit = 384, .settling = settling[i],
		};
		take(&t, &usual, true);
		check_int(world.settling, 0);
		check_int(t.before_ns, 150 * US);
		check_int(t.after_ns, 150 * US);
		check(t.device[0]->alone_count);
		for (size_t j = 0; j < t.device[0]->alone_count; j++)
			check_int(t.device[0]->alone_ns[j],
				  t.device[0]->alone_ns[0]);
		end(&t);
	}
}

/* What was measured stays measured. */
static void test_control_timing_outlasts_a_busy_machine(void)
{
	for (uint32_t busy = 0; busy <= 10; busy++) {
		struct taken t;

		world = (struct world){
			.side[KB_SIDE_REFERENCE] = { .call_ns = 150 * US },
			.side[KB_SIDE_CANDIDATE] = { .call_ns = 100 * US },
			.fit = 384, .busy = busy,
		};
		take(&t, &usual, true);
		check_int(world.busy, 0);
		check_int(t.after_ns, 150 * US);
		check_int(t.device[0]->time_ns, 150 * US);
		check_int(t.device[1]->time_ns, 100 * US);
		check(t.device[1]->one_call_count >= 12);
		check(t.device[0]->alone_count >= 8);
		end(&t);
	}
}

/* Or else nothing is: by calls there were too few runs. */
static void test_a_reference_that_is_queued_no_more_has_failed(void)
{
	struct kb_err err;
	struct taken t;

	world = (struct world){
		.side[KB_SIDE_REFERENCE] = { .call_ns = 150 * US },
		.side[KB_SIDE_CANDIDATE] = { .call_ns = 100 * US },
		.fit = 384, .busy = UINT32_MAX,
	};
	check_int(begin(&t, &usual, true), 1);
	t.m.has_candidate = false;
	check_int(kb_measurement_control(&t.m, t.before_ns, &t.after_ns, &err), 0);
	check_int(t.m.fault.side, KB_SIDE_REFERENCE);
	check_str(t.m.fault.detail,
		  "was queued before the candidate, and not after it: no");
	end(&t);
}

TAP_MAIN(
	TAP(test_sizes_of_a_reference_alone),
	TAP(test_who_cannot_be_queued_has_the_call_clock),
	TAP(test_calls_that_are_never_done_time_out),
	TAP(test_why_trials_end),
	TAP(test_few_trials_of_who_is_slow),
	TAP(test_what_decides),
	TAP(test_a_call_alone_may_be_longer_in_a_group),
	TAP(test_no_candidate_makes_runs_of_none),
	TAP(test_control_timing_waits_for_the_end_of_a_candidate),
	TAP(test_control_timing_outlasts_a_busy_machine),
	TAP(test_a_reference_that_is_queued_no_more_has_failed)
);
