#include "measure/device_bench.h"

#include <errno.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "device/xid.h"
#include "measure/device_calibration.h"
#include "measure/device_headroom.h"
#include "measure/device_measurement.h"
#include "measure/device_pools.h"
#include "measure/device_profile.h"
#include "measure/device_times.h"
#include "measure/notes.h"
#include "source/runtime.h"

/* Was there no room on the device for what we wanted there? */
static bool lacks_room(int ret, const struct kb_err *why)
{
	return ret == -KB_ERR_SYS && why->sys_errno == ENOMEM;
}

/* A problem that does not fit the device, with what its reference and a
 * candidate are to have beside it, has that as its outcome, and the run goes
 * on. Returns 0 then, else `ret`, with `why` in `err` if that is a failure. */
static int blame_problem(struct kb_fault *fault, int ret,
			 const struct kb_err *why, struct kb_err *err)
{
	if (lacks_room(ret, why)) {
		kb_fault_set(fault, KB_SIDE_REFERENCE,
			     KB_STATUS_OUT_OF_MEMORY, KB_PHASE_RUN, "%s",
			     why->msg);
		return 0;
	}
	return ret < 0 ? kb_err_take(err, why) : ret;
}

int kb_device_bench_start(struct kb_bench *b, struct kb_fault *fault,
			  struct kb_err *err)
{
	struct kb_err why = KB_ERR_INIT;
	int ret;

	b->device_slots = (struct kb_device_slots){
		.cuda = b->gpu->cuda, .plan = &b->plan,
	};
	b->slots_sent = 0;
	ret = kb_output_pool_open(&b->pool, b->gpu->cuda,
				  kb_pools_reference_bytes(b),
				  b->launcher->ranks, &why);
	if (ret < 0)
		return blame_problem(fault, ret, &why, err);
	return kb_output_pool_send(&b->pool, &b->reference.worker, fault, err);
}

void kb_device_bench_stop(struct kb_bench *b)
{
	kb_device_slots_release(&b->device_slots);
	kb_output_pool_close(&b->pool, b->gpu->cuda);
	free(b->masters.expected);
	b->masters = (struct kb_masters){ .n = 0 };
}

bool kb_device_bench_wants_more(const struct kb_bench *b)
{
	return b->pool.memory.bytes < b->pool_bytes[KB_SIDE_REFERENCE];
}

/* A reference that does not fit the policy's pool may fit a larger one. */
static int see_if_it_may_grow(struct kb_bench *b, const struct kb_fault *fault,
			      struct kb_err *err)
{
	if (fault->side != KB_SIDE_REFERENCE ||
	    fault->status != KB_STATUS_OUT_OF_MEMORY ||
	    fault->phase != KB_PHASE_RUN || b->policy->others ||
	    b->problem.runtime != KB_RUNTIME_TORCH ||
	    b->pool_bytes[KB_SIDE_REFERENCE])
		return 0;
	return kb_pools_grow_reference(b, err);
}

/* Warm the reference up and learn what its batches are, once a bench; where
 * nothing is timed they are not wanted. */
static int prepare_reference(struct kb_measurement *m, bool is_timed,
			     struct kb_err *err)
{
	const struct kb_measured *x = &m->measured[KB_SIDE_REFERENCE];
	struct kb_bench *b = m->bench;
	int ret = 1;

	if (!b->batches_known) {
		ret = kb_measurement_warm_up(m, KB_SIDE_REFERENCE, err);
		b->ungated_ns = x->ungated_ns;
		b->pool_peak_bytes = x->pool_peak_bytes;
		if (!ret)
			ret = see_if_it_may_grow(b, &m->fault, err);
	}
	if (ret <= 0 || !is_timed)
		return ret;
	return kb_measurement_calibrate(m, KB_SIDE_REFERENCE, err);
}

/* A candidate's process and what is its alone. */
struct guest {
	struct kb_launched launched;
	struct kb_output_pool pool;
	struct kb_device_headroom room;
	bool has_room;			/* noted */
	bool is_hog;
	bool has_counted;		/* runs of it that count have begun */
	bool is_second;			/* with a larger pool than the first */
	uint64_t small_bytes;		/* its pool, where a larger one may be
					   enough; 0: it was, or is not to be */
	uint64_t beside_bytes;		/* what it had beside that */
	const struct kb_source *code;
	struct kb_buf *log;		/* of its build */
};

static int start_candidate(struct kb_measurement *m, struct guest *g,
			   struct kb_err *err)
{
	struct kb_bench *b = m->bench;
	struct kb_worker *w = &g->launched.worker;
	const struct kb_launch_spec spec = {
		.problem = &b->problem, .candidate = g->code,
		.slot_bytes = KB_NO_LIMIT,
	};
	uint64_t bytes;
	int ret = kb_pools_candidate_bytes(&bytes, b, g->code, err);

	/* Its pool is there before it can take what there is. */
	if (ret >= 0)
		ret = kb_output_pool_open(&g->pool, b->gpu->cuda, bytes,
					  b->launcher->ranks, err);
	if (ret >= 0)
		ret = kb_device_headroom_note(&g->room, b, &g->pool, err);
	if (ret < 0)
		return ret;
	g->has_room = true;
	ret = kb_launch(&g->launched, b->launcher, &spec, g->log, &m->fault,
			err);
	if (ret > 0)
		kb_bench_limit_candidate(b, w, g->code->runtime);
	if (ret > 0)
		ret = kb_launched_load(&g->launched, b->weights_seed,
				       b->of_ranks, &m->fault,
				       err);
	if (ret > 0)
		ret = kb_output_pool_send(&g->pool, w, &m->fault, err);
	if (ret > 0)
		ret = kb_err_or_1(kb_measurement_add_candidate(
			m, w, &g->pool, g->code->runtime != KB_RUNTIME_TORCH,
			err));
	return ret;
}

static int run_candidate(struct kb_measurement *m, struct guest *g,
			 bool is_timed, int64_t *before_ns, struct kb_err *err)
{
	int ret = prepare_reference(m, is_timed, err);

	if (ret > 0 && is_timed)
		ret = kb_measurement_control(m, KB_UNKNOWN, before_ns, err);
	/* Earlier XIDs are not the candidate's. */
	kb_xids_read(m->bench->gpu->xids);
	if (ret > 0)
		ret = start_candidate(m, g, err);
	if (ret > 0)
		ret = kb_measurement_warm_up(m, KB_SIDE_CANDIDATE, err);
	if (ret > 0 && kb_tolerance_policy_is_of_tensor(
			       m->bench->policy->tolerance))
		ret = kb_measurement_repeat(m, err);
	if (ret > 0 && is_timed)
		ret = kb_measurement_calibrate(m, KB_SIDE_CANDIDATE, err);
	if (ret <= 0)
		return ret;
	g->has_counted = true;
	if (is_timed)
		return kb_measurement_take(m, err);
	return m->bench->profile ?
		kb_measurement_profile(m, m->bench->profile, err) : ret;
}

/* A candidate that ran out of memory in a call learns how large its pool
 * was. */
static void name_pool(struct kb_fault *fault, const struct kb_source *code,
		      const struct kb_output_pool *pool)
{
	const struct kb_fault said = *fault;

	if (said.status == KB_STATUS_OUT_OF_MEMORY &&
	    said.phase == KB_PHASE_RUN && code->runtime == KB_RUNTIME_TORCH)
		kb_fault_set(fault, said.side, said.status, said.phase,
			     "%s; its output pool had %llu MiB "
			     "(--output-pool-mib)", said.detail,
			     (unsigned long long)(pool->memory.bytes >> 20));
}

/* Did it go wrong for want of memory of the device, as it seems? Libraries that
 * get none do not all say so. */
static bool is_starved(int ret, const struct kb_err *why,
		       const struct kb_fault *fault)
{
	if (ret < 0)
		return lacks_room(ret, why);
	return !ret && fault->side == KB_SIDE_REFERENCE &&
	       (fault->status == KB_STATUS_OUT_OF_MEMORY ||
		fault->status == KB_STATUS_RUN_FAILED);
}

/* A candidate that has more of it than it has left is to blame. Returns 0 then,
 * else `ret`. */
static int blame_hog(struct kb_measurement *m, struct guest *g, int ret,
		     const struct kb_err *why)
{
	struct kb_device_taken t;

	if (!g->has_room || m->bench->policy->others ||
	    !is_starved(ret, why, &m->fault) ||
	    kb_device_headroom_look(&t, &g->room, m->bench, &g->pool, NULL) < 0 ||
	    t.taken_bytes <= t.free_bytes)
		return ret;
	kb_fault_set(&m->fault, KB_SIDE_CANDIDATE, KB_STATUS_OUT_OF_MEMORY,
		     g->launched.worker.phase,
		     "it has %llu MiB of the device's memory and left %llu "
		     "MiB, too little for its outputs or the reference",
		     (unsigned long long)(t.taken_bytes >> 20),
		     (unsigned long long)(t.free_bytes >> 20));
	g->is_hog = true;
	return 0;
}

/* Might it have had memory enough with a larger pool? Who has runs that count
 * may not have others by failing, since it may know which were slow. */
static bool lacks_pool(const struct kb_fault *fault, const struct guest *g,
		       int ret)
{
	return !ret && fault->side == KB_SIDE_CANDIDATE &&
	       fault->status == KB_STATUS_OUT_OF_MEMORY &&
	       fault->phase == KB_PHASE_RUN && !g->is_hog && !g->has_counted &&
	       !g->is_second && g->code->runtime == KB_RUNTIME_TORCH;
}

static void note_lack(struct guest *g, const struct kb_measurement *m, int ret)
{
	struct kb_device_taken t;

	if (m->bench->policy->others || !lacks_pool(&m->fault, g, ret) ||
	    kb_device_headroom_look(&t, &g->room, m->bench, &g->pool, NULL) < 0)
		return;
	g->small_bytes = g->pool.memory.bytes;
	g->beside_bytes = t.taken_bytes;
}

static int64_t end_candidate(struct kb_measurement *m, struct guest *g)
{
	int64_t cpu_ns;

	kb_measurement_drop_candidate(m);
	cpu_ns = kb_launched_end(&g->launched);
	kb_output_pool_close(&g->pool, m->bench->gpu->cuda);
	m->bench->pool_bytes[KB_SIDE_CANDIDATE] = 0;
	return cpu_ns;
}

/* It is gone: wait for its memory, which the driver gives back some time after a
 * process has ended, and see whether its pool may be larger. Returns as
 * kb_device_headroom_await(). */
static int take_back(struct kb_bench *b, const struct guest *g,
		     struct kb_err *err)
{
	/* The memory of other candidates comes and goes. */
	int ret = g->has_room && !b->policy->others ?
		kb_device_headroom_await(&g->room, b, err) : 1;

	if (ret <= 0 || !g->small_bytes)
		return ret;
	return kb_err_or_1(kb_pools_grow_candidate(b, g->small_bytes,
						   g->beside_bytes, err));
}

/* The driver's messages during the candidate's time, at the end of its log. */
static void note_xids(struct kb_outcome *o, struct kb_xids *xids)
{
	kb_auto(buf) struct kb_buf log = KB_BUF_INIT;

	kb_xids_read(xids);
	if (o->log)
		kb_buf_addstr(&log, o->log);
	kb_xids_print(&log, xids);
	if (!log.len)
		return;
	free(o->log);
	o->log = kb_buf_detach(&log);
}

/* The candidate is gone: the reference once more, alone, and then times. */
static int finish_measurement(struct kb_measurement *m, int64_t before_ns,
			      struct kb_err *err)
{
	struct kb_device_timing *reference =
		m->measured[KB_SIDE_REFERENCE].device;
	int64_t after_ns;
	int ret = kb_measurement_control(m, before_ns, &after_ns, err);

	if (ret <= 0)
		return ret;
	kb_device_timing_control(reference, before_ns, after_ns);
	return kb_measurement_decide(m, err);
}

static void note_times(struct kb_result *r, struct kb_measurement *m)
{
	struct kb_measured *reference = &m->measured[KB_SIDE_REFERENCE];
	struct kb_measured *candidate = &m->measured[KB_SIDE_CANDIDATE];

	r->outcome.status = KB_STATUS_CORRECT;
	r->timing = kb_steal(candidate->call);
	r->device_timing = kb_steal(candidate->device);
	r->reference_timing = kb_steal(reference->call);
	r->reference_device_timing = kb_steal(reference->device);
}

static void note_untimed(struct kb_result *r)
{
	kb_note_untimed(&r->outcome, "", r->timing, r->device_timing);
	kb_note_untimed(&r->outcome, " of the reference", r->reference_timing,
			r->reference_device_timing);
}

/* Measure. A failure is the candidate's, the reference's, or of the machine. */
static int measure_candidate(struct kb_measurement *m, struct guest *g,
			     bool is_timed, int64_t *before_ns,
			     struct kb_outcome *outcome, struct kb_err *err)
{
	struct kb_bench *b = m->bench;
	struct kb_err why = KB_ERR_INIT;
	int ret = kb_measurement_begin(m, b, outcome, &why);

	if (ret >= 0)
		ret = run_candidate(m, g, is_timed, before_ns, &why);
	if (!ret && m->fault.side == KB_SIDE_REFERENCE)
		name_pool(&m->fault, &b->problem, &b->pool);
	else if (!ret)
		name_pool(&m->fault, g->code, &g->pool);
	ret = blame_hog(m, g, ret, &why);
	return blame_problem(&m->fault, ret, &why, err);
}

/* End the candidate, with what is known of it only until then. */
static void end_measured(struct kb_measurement *m, struct guest *g, int ret,
			 struct kb_result *r)
{
	const struct kb_bench *b = m->bench;

	if (ret >= 0)
		kb_note_log(&r->outcome, g->log, &g->launched.worker);
	r->output_pool_bytes = kb_pools_told_bytes(b, g->code, &g->pool);
	r->reference_output_pool_bytes =
		kb_pools_told_bytes(b, &b->problem, &b->pool);
	note_lack(g, m, ret);
	r->cpu_ms = kb_note_cpu_ms(end_candidate(m, g));
	/* While others run on the device, an XID may be theirs. */
	if (ret >= 0 && !b->policy->others)
		note_xids(&r->outcome, b->gpu->xids);
}

static void note_end(struct kb_result *r, struct kb_measurement *m, int ret,
		     bool is_timed)
{
	r->outputs = kb_steal(m->worst);
	r->output_count = r->outputs ? m->bench->plan.output_count : 0;
	if (ret > 0)
		note_times(r, m);
	else if (!ret && m->fault.side == KB_SIDE_CANDIDATE)
		kb_note_fault(&r->outcome, &m->fault);
	else if (!ret)
		kb_note_reference_fault(&r->outcome, &m->fault);
	if (ret > 0 && is_timed)
		note_untimed(r);
}

int kb_device_bench_candidate(struct kb_bench *b,
			      const struct kb_source *candidate, bool is_timed,
			      struct kb_result *r, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf log = KB_BUF_INIT;
	kb_auto(measurement) struct kb_measurement m = {
		.bench = b, .alternates = r->alternates,
	};
	struct guest g = {
		.launched = KB_LAUNCHED_INIT, .pool = KB_OUTPUT_POOL_INIT,
		.code = candidate, .log = &log,
		.is_second = b->pool_bytes[KB_SIDE_CANDIDATE],
	};
	const int64_t start_ns = kb_clock_ns();
	int64_t before_ns = KB_UNKNOWN;
	int ret = measure_candidate(&m, &g, is_timed, &before_ns, &r->outcome,
				    err);
	int given_back = 1;

	end_measured(&m, &g, ret, r);
	if (ret >= 0)
		given_back = take_back(b, &g, err);
	if (given_back < 0)
		ret = given_back;
	if (ret > 0 && is_timed)
		ret = finish_measurement(&m, before_ns, err);
	note_end(r, &m, ret, is_timed);
	r->outcome.wall_ns = kb_clock_ns() - start_ns;
	if (ret < 0)
		return ret;
	return given_back && !g.is_hog &&
	       (ret || m.fault.side == KB_SIDE_CANDIDATE);
}

int kb_device_bench_reference(struct kb_bench *b,
			      struct kb_reference_result *r,
			      struct kb_err *err)
{
	kb_auto(buf) struct kb_buf log = KB_BUF_INIT;
	kb_auto(measurement) struct kb_measurement m = { .bench = b };
	struct kb_measured *x = &m.measured[KB_SIDE_REFERENCE];
	const int64_t start_ns = kb_clock_ns();
	struct kb_err why = KB_ERR_INIT;
	int ret = kb_measurement_begin(&m, b, &r->outcome, &why);

	if (ret >= 0)
		ret = prepare_reference(&m, true, &why);
	if (ret > 0)
		ret = kb_measurement_take(&m, &why);
	if (ret > 0)
		ret = kb_measurement_decide(&m, &why);
	if (!ret)
		name_pool(&m.fault, &b->problem, &b->pool);
	ret = blame_problem(&m.fault, ret, &why, err);
	if (ret >= 0)
		kb_note_log(&r->outcome, &log, &b->reference.worker);
	r->output_pool_bytes = kb_pools_told_bytes(b, &b->problem, &b->pool);
	if (ret > 0) {
		r->outcome.status = KB_STATUS_TIMED;
		r->timing = kb_steal(x->call);
		r->device_timing = kb_steal(x->device);
		kb_note_untimed(&r->outcome, "", r->timing, r->device_timing);
	} else if (!ret) {
		kb_note_fault(&r->outcome, &m.fault);
	}
	r->outcome.wall_ns = kb_clock_ns() - start_ns;
	return ret;
}
