#include "measure/host_measurement.h"

#include "base/clock.h"
#include "measure/stopping.h"
#include "measure/time_rule.h"

/* For the runs of one call of one side. */
#define ONE_CALLS_NS (KB_NS_PER_S / 4)

/* The longest large batch of a candidate that is too slow to be known well. */
#define SLOW_BATCH_NS KB_NS_PER_S

uint32_t kb_host_one_calls(int64_t call_ns)
{
	const int64_t fit = ONE_CALLS_NS / (call_ns > 1 ? call_ns : 1);

	if (fit < KB_HOST_ONE_CALLS_MIN)
		return KB_HOST_ONE_CALLS_MIN;
	return fit < KB_HOST_ONE_CALLS_MAX ? (uint32_t)fit
					   : KB_HOST_ONE_CALLS_MAX;
}

/* Both sides have the same batches, for the faster one: unless that is the
 * reference, and the other one so slow that it would take too long for what it is
 * worth. */
static int64_t choose_call_ns(const struct kb_host_measurement *m,
			      int64_t reference_ns, int64_t candidate_ns)
{
	const int64_t factor = m->policy->slow_factor;
	const uint32_t large =
		kb_policy_batches(m->policy, reference_ns, m->call_bytes).large;

	if (candidate_ns < reference_ns)
		return candidate_ns;
	return factor && candidate_ns / factor >= reference_ns &&
		       candidate_ns >= SLOW_BATCH_NS / large ?
		candidate_ns : reference_ns;
}

int kb_host_warm_up(struct kb_host_measurement *m, int64_t *call_ns,
		    struct kb_fault *fault, struct kb_err *err)
{
	int ret = 1;

	for (int i = 0; i < KB_HOST_WARM_UPS && ret > 0; i++) {
		struct kb_host_runs r = { .calls = 1 };

		ret = m->run(m->context, &r, fault, err);
		*call_ns = r.elapsed_ns[KB_SIDE_REFERENCE][0];
		if (m->has_candidate)
			*call_ns = choose_call_ns(
				m, *call_ns,
				r.elapsed_ns[KB_SIDE_CANDIDATE][0]);
	}
	return ret;
}

/* Make them, and add what they took to a series, unless they are alternate. */
static int run_for(struct kb_host_measurement *m, struct kb_host_runs *r,
		   enum kb_series series, struct kb_fault *fault,
		   struct kb_err *err)
{
	const uint32_t count = r->one_by_one ? r->calls : 1;
	int ret = m->run(m->context, r, fault, err);

	if (ret <= 0 || r->alternate)
		return ret;
	for (int side = 0; side < KB_SIDE_COUNT; side++)
		for (uint32_t i = 0; i < count && m->timings[side]; i++)
			kb_timing_add(m->timings[side], series,
				      r->elapsed_ns[side][i]);
	return 1;
}

/* A small run and a large one. */
static int run_batches(struct kb_host_measurement *m, bool alternate,
		       struct kb_fault *fault, struct kb_err *err)
{
	const struct kb_timing *t = m->timings[KB_SIDE_REFERENCE];
	struct kb_host_runs small = {
		.calls = (uint32_t)t->n_small, .alternate = alternate,
	};
	struct kb_host_runs large = {
		.calls = (uint32_t)t->n_large, .alternate = alternate,
	};
	int ret = run_for(m, &small, KB_SERIES_SMALL, fault, err);

	if (ret > 0)
		ret = run_for(m, &large, KB_SERIES_LARGE, fault, err);
	return ret;
}

/* Runs of one call until there are `wanted`, as many at a time as there are
 * slots; of an alternate trial as many as there would be otherwise. */
static int run_one_calls(struct kb_host_measurement *m, size_t wanted,
			 bool alternate, struct kb_fault *fault,
			 struct kb_err *err)
{
	const struct kb_timing *t = m->timings[KB_SIDE_REFERENCE];
	size_t count = t->one_call_count;
	int ret = 1;

	while (count < wanted && ret > 0) {
		struct kb_host_runs r = {
			.one_by_one = true, .alternate = alternate,
			.warms = t->n_large > 2,
		};

		r.calls = (uint32_t)(wanted - count);
		if (r.calls > (uint32_t)t->n_large)
			r.calls = (uint32_t)t->n_large;
		ret = run_for(m, &r, KB_SERIES_ONE_CALL, fault, err);
		count += r.calls;
	}
	return ret;
}

static bool is_slow(const struct kb_host_measurement *m)
{
	return kb_trials_are_slow(m->timings[KB_SIDE_CANDIDATE],
				  m->timings[KB_SIDE_REFERENCE],
				  m->policy->slow_factor, false);
}

static void end_as_slow(struct kb_host_measurement *m)
{
	for (int side = 0; side < KB_SIDE_COUNT; side++)
		m->timings[side]->stop_reason = KB_STOP_SLOW;
}

static int run_trials(struct kb_host_measurement *m, uint32_t one_calls,
		      struct kb_fault *fault, struct kb_err *err)
{
	const uint64_t trials = (uint64_t)m->policy->trials;
	uint64_t counted = 0, alternates = 0;
	int ret = 1;

	for (uint32_t i = 0; counted < trials && ret > 0; i++) {
		const bool slow = is_slow(m);
		const bool alternate =
			slow || kb_alternate_rounds_has(m->rounds, i);

		if (slow && alternates >= m->rounds->least) {
			end_as_slow(m);
			break;
		}
		/* Evenly among the trials, so that what drifts drifts for
		 * these runs as for the others. */
		ret = run_batches(m, alternate, fault, err);
		if (ret > 0)
			ret = run_one_calls(m, one_calls * (counted + 1) /
						       trials,
					    alternate, fault, err);
		counted += !alternate;
		alternates += alternate;
	}
	return ret;
}

static void make_timings(struct kb_host_measurement *m, int64_t call_ns)
{
	const struct kb_batches n =
		kb_policy_batches(m->policy, call_ns, m->call_bytes);

	for (int side = 0; side < KB_SIDE_COUNT; side++) {
		if (side == KB_SIDE_CANDIDATE && !m->has_candidate)
			continue;
		m->timings[side] = kb_timing_new(KB_CLOCK_CALL, (int)n.small,
						 (int)n.large);
		m->timings[side]->stop_reason = KB_STOP_TRIALS;
	}
}

int kb_host_measure(struct kb_host_measurement *m, int64_t call_ns,
		    struct kb_fault *fault, struct kb_err *err)
{
	int ret;

	make_timings(m, call_ns);
	ret = run_trials(m, m->has_candidate ? kb_host_one_calls(call_ns) : 0,
			 fault, err);
	if (ret <= 0)
		return ret;
	kb_time_decide(m->timings[KB_SIDE_REFERENCE], NULL);
	if (m->has_candidate)
		kb_time_decide(m->timings[KB_SIDE_CANDIDATE],
			       m->timings[KB_SIDE_REFERENCE]);
	return 1;
}

void kb_host_measurement_release(struct kb_host_measurement *m)
{
	for (int side = 0; side < KB_SIDE_COUNT; side++) {
		kb_timing_free(m->timings[side]);
		m->timings[side] = NULL;
	}
}
