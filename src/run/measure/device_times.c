#include "measure/device_times.h"

#include <stddef.h>

#include "base/alloc.h"
#include "measure/time_rule.h"

void kb_measurement_add_alone(struct kb_timing *t,
			      const struct kb_timing *alone)
{
	for (size_t i = t->alone_count; i < alone->alone_count; i++)
		kb_timing_add(t, KB_SERIES_ALONE, alone->alone_ns[i]);
}

static void shift_samples(int64_t *samples_ns, size_t count, int64_t by_ns)
{
	for (size_t i = 0; i < count; i++)
		samples_ns[i] += by_ns;
}

static int correct_timing(struct kb_measurement *m, struct kb_timing *t,
			  struct kb_err *err)
{
	int64_t small_ns, large_ns, one_ns;
	int ret;

	if (!t)
		return 1;
	ret = kb_measurement_chain_cost(m, (uint32_t)t->n_small, &small_ns,
					err);
	if (ret > 0)
		ret = kb_measurement_chain_cost(m, (uint32_t)t->n_large,
						&large_ns, err);
	if (ret > 0)
		ret = kb_measurement_chain_cost(m, (uint32_t)t->n_one_call,
						&one_ns, err);
	if (ret <= 0)
		return ret;
	shift_samples(t->small_ns, t->small_count,
		      t->copy_in_small_ns - small_ns);
	shift_samples(t->large_ns, t->large_count,
		      t->copy_in_large_ns - large_ns);
	shift_samples(t->one_call_ns, t->one_call_count,
		      t->copy_in_one_call_ns - one_ns);
	shift_samples(t->alone_ns, t->alone_count,
		      t->copy_in_one_call_ns - one_ns);
	t->copy_in_small_ns = small_ns;
	t->copy_in_large_ns = large_ns;
	t->copy_in_one_call_ns = one_ns;
	return 1;
}

/* Drop measurements from before it turned out that a side cannot be queued. */
static void settle_device(struct kb_measured *x)
{
	struct kb_device_timing *d = x->device;

	if (!d || !x->not_queueable)
		return;
	d->not_queueable = kb_xstrdup(x->not_queueable);
	kb_timing_free(d->timing);
	d->timing = NULL;
}

static struct kb_timing *timing_of(const struct kb_measured *x,
				   enum kb_clock clock)
{
	if (clock == KB_CLOCK_CALL)
		return x->call;
	return x->device ? x->device->timing : NULL;
}

static int decide_times(struct kb_measurement *m, enum kb_clock clock,
			struct kb_err *err)
{
	struct kb_timing *reference =
		timing_of(&m->measured[KB_SIDE_REFERENCE], clock);
	struct kb_timing *candidate =
		timing_of(&m->measured[KB_SIDE_CANDIDATE], clock);
	int ret;

	if (reference && candidate)
		kb_measurement_add_alone(reference, m->alone[clock]);
	ret = correct_timing(m, reference, err);
	if (ret > 0)
		ret = correct_timing(m, candidate, err);
	if (ret <= 0)
		return ret;
	/* Runs of one call that have no counterpart are none. */
	if (reference && !candidate)
		kb_timing_drop(reference, KB_SERIES_ONE_CALL);
	if (candidate && !reference)
		kb_timing_drop(candidate, KB_SERIES_ONE_CALL);
	if (reference)
		kb_time_decide(reference, NULL);
	if (candidate)
		kb_time_decide(candidate, reference);
	return 1;
}

static void note_device_time(struct kb_measured *x)
{
	if (x->call && x->device && x->device->timing)
		x->call->device_ns = x->device->timing->time_ns;
}

int kb_measurement_decide(struct kb_measurement *m, struct kb_err *err)
{
	int ret;

	m->cost_count = 0;
	for (int i = 0; i < KB_SIDE_COUNT; i++)
		settle_device(&m->measured[i]);
	ret = decide_times(m, KB_CLOCK_DEVICE, err);
	for (int i = 0; i < KB_SIDE_COUNT; i++)
		note_device_time(&m->measured[i]);
	return ret <= 0 ? ret : decide_times(m, KB_CLOCK_CALL, err);
}
