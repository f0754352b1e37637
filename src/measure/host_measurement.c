#include "measure/host_measurement.h"

#include "base/clock.h"
#include "measure/time_rule.h"

/* For the runs of one call of one side. */
#define ONE_CALLS_NS (KB_NS_PER_S / 4)

uint32_t kb_host_one_calls(int64_t call_ns)
{
	const int64_t fit = ONE_CALLS_NS / (call_ns > 1 ? call_ns : 1);

	if (fit < KB_HOST_ONE_CALLS_MIN)
		return KB_HOST_ONE_CALLS_MIN;
	return fit < KB_HOST_ONE_CALLS_MAX ? (uint32_t)fit
					   : KB_HOST_ONE_CALLS_MAX;
}

/* One side or both. */
static int run(struct kb_host_measurement *m, uint32_t n, bool alternate,
	       int64_t elapsed_ns[KB_SIDE_COUNT], struct kb_fault *fault,
	       struct kb_err *err)
{
	return m->run(m->context, n, m->has_candidate, alternate, elapsed_ns,
		      fault, err);
}

int kb_host_measure_alone(struct kb_host_measurement *m, int64_t call_ns,
			  struct kb_fault *fault, struct kb_err *err)
{
	const uint32_t count = kb_host_one_calls(call_ns);
	int ret = 1;

	for (m->alone_count = 0; m->alone_count < count && ret > 0;) {
		int64_t elapsed_ns[KB_SIDE_COUNT];

		ret = m->run(m->context, 1, false, false, elapsed_ns, fault,
			     err);
		if (ret > 0)
			m->alone_ns[m->alone_count++] =
				elapsed_ns[KB_SIDE_REFERENCE];
	}
	return ret;
}

int kb_host_warm_up(struct kb_host_measurement *m, int64_t *call_ns,
		    struct kb_fault *fault, struct kb_err *err)
{
	int ret = 1;

	for (int i = 0; i < KB_HOST_WARM_UPS && ret > 0; i++) {
		int64_t elapsed_ns[KB_SIDE_COUNT] = { 0 };

		ret = run(m, 1, false, elapsed_ns, fault, err);
		*call_ns = elapsed_ns[KB_SIDE_REFERENCE];
		if (m->has_candidate &&
		    elapsed_ns[KB_SIDE_CANDIDATE] < *call_ns)
			*call_ns = elapsed_ns[KB_SIDE_CANDIDATE];
	}
	return ret;
}

/* A run of `n` calls, and what it took to each of `series`; to none if it is
 * alternate. */
static int run_for(struct kb_host_measurement *m, uint32_t n, bool alternate,
		   const enum kb_series series[], int series_count,
		   struct kb_fault *fault, struct kb_err *err)
{
	int64_t elapsed_ns[KB_SIDE_COUNT];
	int ret = run(m, n, alternate, elapsed_ns, fault, err);

	if (ret <= 0 || alternate)
		return ret;
	for (int side = 0; side < KB_SIDE_COUNT; side++)
		for (int i = 0; i < series_count && m->timings[side]; i++)
			kb_timing_add(m->timings[side], series[i],
				      elapsed_ns[side]);
	return 1;
}

/* A small run and a large one, if there are two sizes. */
static int run_batches(struct kb_host_measurement *m, bool alternate,
		       struct kb_fault *fault, struct kb_err *err)
{
	static const enum kb_series small[] = { KB_SERIES_SMALL,
						KB_SERIES_ONE_CALL };
	static const enum kb_series large[] = { KB_SERIES_LARGE };
	const struct kb_timing *t = m->timings[KB_SIDE_REFERENCE];
	const bool is_one = m->has_candidate && t->n_small == 1;
	int ret = run_for(m, (uint32_t)t->n_small, alternate, small,
			  is_one ? 2 : 1, fault, err);

	if (ret > 0 && t->method == KB_METHOD_SLOPE)
		ret = run_for(m, (uint32_t)t->n_large, alternate, large, 1,
			      fault, err);
	return ret;
}

/* Runs of one call until there are `wanted`; of an alternate trial as many as
 * there would be otherwise. */
static int run_one_calls(struct kb_host_measurement *m, size_t wanted,
			 bool alternate, struct kb_fault *fault,
			 struct kb_err *err)
{
	static const enum kb_series series[] = { KB_SERIES_ONE_CALL };
	size_t count = m->timings[KB_SIDE_REFERENCE]->one_call_count;
	int ret = 1;

	for (; count < wanted && ret > 0; count++)
		ret = run_for(m, 1, alternate, series, 1, fault, err);
	return ret;
}

static int run_trials(struct kb_host_measurement *m, uint32_t one_calls,
		      struct kb_fault *fault, struct kb_err *err)
{
	const uint64_t trials = (uint64_t)m->policy->trials;
	uint64_t counted = 0;
	int ret = 1;

	for (uint32_t i = 0; counted < trials && ret > 0; i++) {
		const bool alternate = kb_remedy_rounds_has(m->rounds, i);

		/* Evenly among the trials, so that what drifts drifts for
		 * these runs as for the others. */
		ret = run_batches(m, alternate, fault, err);
		if (ret > 0)
			ret = run_one_calls(m, one_calls * (counted + 1) /
						       trials,
					    alternate, fault, err);
		counted += !alternate;
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
	for (uint32_t i = 0; i < m->alone_count; i++)
		kb_timing_add(m->timings[KB_SIDE_REFERENCE], KB_SERIES_ALONE,
			      m->alone_ns[i]);
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
