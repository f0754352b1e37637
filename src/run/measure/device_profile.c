#include "measure/device_profile.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/interrupt.h"
#include "device/gpm.h"
#include "device/nvml.h"
#include "measure/device_run_state.h"
#include "measure/device_trial.h"
#include "random/random.h"
#include "worker/kernels.h"

/* A batch that is long beside what stopping and asking take. */
#define BATCH_NS (50 * KB_NS_PER_MS)

/* Twice what the counters need; of the first one the device's clocks rise. */
#define INTERVAL_NS (2 * KB_GPM_INTERVAL_MIN_NS)
#define INTERVALS 6

void kb_device_profile_release(struct kb_device_profile *p)
{
	free(p->intervals);
	kb_kernels_free(p->kernels);
	p->intervals = NULL;
	p->kernels = NULL;
	p->count = 0;
	p->batch_calls = 0;
}

/* Larger until it is long, or no more calls have room. */
static int find_batch(struct kb_measurement *m, uint32_t *calls,
		      struct kb_err *err)
{
	uint32_t n = 1;

	for (;;) {
		const uint32_t most = kb_measurement_calls_that_fit(m);
		const char *why_not;
		int64_t elapsed_ns;
		int ret = kb_measurement_need_slots(m, n, err);

		if (ret > 0)
			ret = kb_measurement_run(m, KB_SIDE_CANDIDATE,
						 KB_RUN_UNGATED, n,
						 &elapsed_ns, &why_not, err);
		*calls = n;
		if (ret <= 0 || elapsed_ns >= BATCH_NS || n >= most)
			return ret;
		n = n > most / 2 ? most : 2 * n;
	}
}

/* The loop, and the interval that is under way. */
struct loop {
	struct kb_measurement *m;
	struct kb_run_state state;
	struct kb_device_run run;
	int64_t start_ns;
	struct kb_profile_interval now;
};

static int run_batch(struct loop *l, struct kb_err *err)
{
	const int64_t start_ns = kb_clock_ns();
	int ret = kb_run_ungated(&l->state, l->state.s->worker, 0, l->run.n,
				 &l->m->fault, err);

	l->now.running_ns += kb_clock_ns() - start_ns;
	l->now.calls += l->run.n;
	if (ret > 0 && kb_interrupted())
		return kb_err(err, KB_ERR_INTERRUPTED, "interrupted");
	return ret;
}

static int64_t known_or_unknown(int64_t value)
{
	return value == KB_NVML_UNKNOWN ? KB_UNKNOWN : value;
}

/* How the device is, just after a batch. */
static void note_state(struct loop *l)
{
	struct kb_nvml_sample s;

	kb_nvml_sample(l->m->bench->gpu->nvml, &s);
	l->now.sm_clock_mhz = known_or_unknown(s.sm_clock_mhz);
	l->now.memory_clock_mhz = known_or_unknown(s.memory_clock_mhz);
	l->now.temperature_c = known_or_unknown(s.temperature_c);
	l->now.power_mw = known_or_unknown(s.power_mw);
}

static int end_interval(struct loop *l, const struct kb_device_profile *p,
			struct kb_err *err)
{
	const int64_t end_ns = kb_clock_ns();
	int ret = kb_gpm_mark(p->gpm, err);

	l->now.duration_ns = end_ns - l->start_ns;
	l->start_ns = end_ns;
	if (ret >= 0)
		ret = kb_gpm_read(p->gpm, l->now.ppm, err);
	for (int i = 0; i < KB_GPM_METRIC_COUNT && ret >= 0; i++)
		l->now.ppm[i] = known_or_unknown(l->now.ppm[i]);
	return kb_err_or_1(ret);
}

static int take_interval(struct loop *l, const struct kb_device_profile *p,
			 struct kb_err *err)
{
	int ret = 1;

	l->now = (struct kb_profile_interval){ .calls = 0 };
	while (ret > 0 && kb_clock_ns() - l->start_ns < INTERVAL_NS)
		ret = run_batch(l, err);
	if (ret > 0)
		note_state(l);
	return ret <= 0 ? ret : end_interval(l, p, err);
}

static int take_intervals(struct loop *l, struct kb_device_profile *p,
			  struct kb_err *err)
{
	int ret;

	p->intervals = kb_xcalloc(INTERVALS, sizeof(*p->intervals));
	p->batch_calls = l->run.n;
	l->start_ns = kb_clock_ns();
	ret = kb_err_or_1(kb_gpm_mark(p->gpm, err));
	for (int i = 0; i < INTERVALS && ret > 0; i++) {
		ret = take_interval(l, p, err);
		if (ret > 0 && i > 0)
			p->intervals[p->count++] = l->now;
	}
	return ret;
}

/* A worker that does not survive it has been judged before: that says no more
 * than why there are no kernels. */
static int take_kernels(struct loop *l, struct kb_device_profile *p,
			struct kb_err *err)
{
	struct kb_fault fault = { .status = KB_STATUS_CORRECT };
	kb_auto(mem) char *why = NULL;
	int ret = kb_kernels_ask(&p->kernels, l->state.s->worker,
				 l->state.run_seed, &fault, err);

	if (ret)
		return ret;
	why = kb_xasprintf("%s%s%s", kb_status_name(fault.status),
			   *fault.detail ? ": " : "", fault.detail);
	p->kernels = kb_kernels_new_unavailable(why);
	return 1;
}

int kb_measurement_profile(struct kb_measurement *m,
			   struct kb_device_profile *p, struct kb_err *err)
{
	struct loop l = { .m = m };
	int ret = find_batch(m, &l.run.n, err);

	if (ret <= 0)
		return ret;
	l.state = (struct kb_run_state){
		.b = m->bench, .s = &m->measured[KB_SIDE_CANDIDATE].side,
		.r = &l.run,
	};
	kb_random_derive(l.state.run_seed, m->seed, KB_SEED_RUN, m->runs++);
	ret = take_intervals(&l, p, err);
	return ret <= 0 ? ret : take_kernels(&l, p, err);
}
