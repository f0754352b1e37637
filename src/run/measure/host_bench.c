#include "measure/host_bench.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/hex.h"
#include "base/numbers.h"
#include "measure/host_measurement.h"
#include "measure/host_run.h"
#include "measure/notes.h"

/* One candidate, or the reference alone, on its way to a result. */
struct subject {
	struct kb_bench *bench;
	struct kb_worker *candidate;	/* NULL: the reference alone */
	struct kb_outcome *outcome;
	struct kb_output_error *worst;
	struct kb_alternate_trials *alternates;	/* NULL: there are none */
	uint8_t last_seed[KB_SEED_BYTES];	/* of the last run, and the
						   candidate's errors in it */
	struct kb_output_error *last;
	int paused_runs;		/* that were made again */
	bool has_run;			/* the candidate */
};

/* --- the reference's life --------------------------------------------- */

/* Does a run give once more what it gave? */
static int judge_reference(const struct kb_bench *b,
			   const struct kb_host_run *r, struct kb_fault *fault)
{
	if (kb_wrong_judge(&r->wrong, &b->plan, r->errors, KB_SIDE_REFERENCE,
			   fault))
		return 1;
	kb_fault_set(fault, KB_SIDE_REFERENCE, KB_STATUS_MISMATCH, KB_PHASE_RUN,
		     "does not give the same twice");
	kb_output_errors_blame(fault, &b->plan, r->errors);
	return 0;
}

/* Runs that show whether it works in place, the last of them twice: what
 * differs between two runs of the reference is no fault of a candidate's. */
int kb_host_bench_start(struct kb_bench *b, struct kb_fault *fault,
			struct kb_err *err)
{
	struct kb_host_runs runs = { .calls = 1 };
	kb_auto(host_run) struct kb_host_run r = {
		.runs = &runs, .warms_up = true,
	};
	int ret = 1;

	for (int i = 0; i < KB_HOST_WARM_UPS && ret > 0; i++)
		ret = kb_host_run(b, &r, fault, err);
	r.repeats = true;
	if (ret > 0)
		ret = kb_host_run(b, &r, fault, err);
	return ret <= 0 ? ret : judge_reference(b, &r, fault);
}

void kb_host_bench_stop(struct kb_bench *b)
{
	for (int side = 0; side < KB_SIDE_COUNT; side++)
		kb_slots_release(&b->slots[side]);
	kb_host_copy_release(&b->inputs);
	kb_host_copy_release(&b->outputs);
}

/* --- a run that counts ------------------------------------------------ */

static void note_seed(struct subject *s, const struct kb_host_run *r)
{
	char hex[2 * KB_SEED_BYTES + 1];

	kb_hex_format(hex, r->seed, KB_SEED_BYTES);
	if (r->runs->alternate)
		kb_trial_seeds_add(&s->alternates->trial_seeds, hex);
	else
		kb_trial_seeds_add(&s->outcome->trial_seeds, hex);
}

/* The values: errors are kept, and decide. Returns 1 if they agree. */
static int judge_run(struct subject *s, const struct kb_host_run *r,
		     struct kb_fault *fault)
{
	if (!r->errors)
		return 1;
	kb_output_errors_keep_trial(
		&s->worst, r->runs->alternate ? s->alternates : NULL,
		r->errors, s->bench->plan.output_count, &r->wrong);
	return kb_wrong_judge(&r->wrong, &s->bench->plan, r->errors,
			      KB_SIDE_CANDIDATE, fault);
}

static void keep_last(struct subject *s, struct kb_host_run *r)
{
	free(s->last);
	s->last = kb_steal(r->errors);
	memcpy(s->last_seed, r->seed, KB_SEED_BYTES);
}

/* The last run once more. */
static int check_repeat(struct subject *s, struct kb_fault *fault,
			struct kb_err *err)
{
	struct kb_host_runs runs = { .calls = 1 };
	kb_auto(host_run) struct kb_host_run r = {
		.runs = &runs, .candidate = s->candidate, .repeats = true,
		.draws_anew = true,
	};
	int ret;

	memcpy(r.seed, s->last_seed, KB_SEED_BYTES);
	ret = kb_host_run(s->bench, &r, fault, err);
	return ret <= 0 ? ret :
		kb_output_errors_judge_repeat(s->last, r.errors,
					      s->bench->plan.output_count,
					      fault);
}

static int run_once(struct subject *s, struct kb_host_runs *runs,
		    bool *is_paused, struct kb_fault *fault,
		    struct kb_err *err)
{
	kb_auto(host_run) struct kb_host_run r = {
		.runs = runs, .candidate = s->candidate,
	};
	int ret;

	if (s->candidate)
		s->candidate->first_run = !s->has_run;
	ret = kb_host_run(s->bench, &r, fault, err);
	s->has_run = true;
	*is_paused = r.is_paused && ret > 0 &&
		     s->paused_runs < KB_PAUSED_RUNS_MAX;
	if (ret < 0 || *is_paused)
		return ret;
	note_seed(s, &r);
	if (ret > 0)
		ret = judge_run(s, &r, fault);
	if (!ret && runs->alternate)
		kb_alternate_blame(fault, &s->bench->plan, r.errors);
	keep_last(s, &r);
	return ret;
}

/* One with a pause in it is as if it had not been. */
static int run_unpaused(void *context, struct kb_host_runs *runs,
			struct kb_fault *fault, struct kb_err *err)
{
	struct subject *s = context;
	bool is_paused;
	int ret;

	while ((ret = run_once(s, runs, &is_paused, fault, err)) > 0 &&
	       is_paused)
		s->paused_runs++;
	return ret;
}

/* --- a result --------------------------------------------------------- */

/* A copy of the inputs, and slots for the reference; for a candidate slots as
 * well, and a copy of its outputs. */
static uint64_t call_bytes(const struct kb_bench *b, bool has_candidate)
{
	const struct kb_slots *s = &b->slots[KB_SIDE_REFERENCE];
	const uint64_t slot = kb_plan_slot_bytes(&b->plan);
	const uint64_t bytes = kb_slots_inputs_bytes(s, 1) + slot;

	return has_candidate ? bytes + slot + kb_slots_outputs_bytes(s, 1)
			     : bytes;
}

static int start_candidate(struct kb_bench *b, struct kb_launched *x,
			   const struct kb_source *candidate,
			   struct kb_buf *log, struct kb_fault *fault,
			   struct kb_err *err)
{
	const struct kb_launch_spec spec = {
		.problem = &b->problem, .candidate = candidate,
		.slot_bytes = kb_max_u64(kb_plan_slot_bytes(&b->plan),
					 b->policy->tensor_bytes_max),
	};
	int ret = kb_launch(x, b->launcher, &spec, log, fault, err);

	if (ret > 0)
		kb_bench_limit_candidate(b, &x->worker, candidate->runtime);
	if (ret > 0)
		ret = kb_launched_load(x, b->weights_seed, b->of_ranks, fault,
				       err);
	return ret;
}

static int64_t end_candidate(struct kb_bench *b, struct kb_launched *x)
{
	const int64_t cpu_ns = kb_launched_end(x);

	kb_slots_release(&b->slots[KB_SIDE_CANDIDATE]);
	return cpu_ns;
}

static int run_candidate(struct kb_host_measurement *m, struct kb_launched *x,
			 const struct kb_source *candidate, bool is_timed,
			 struct kb_buf *log, struct kb_fault *fault,
			 struct kb_err *err)
{
	struct subject *s = m->context;
	int64_t call_ns = 0;
	int ret = start_candidate(s->bench, x, candidate, log, fault, err);

	if (ret > 0)
		ret = kb_host_warm_up(m, &call_ns, fault, err);
	if (ret > 0 &&
	    kb_tolerance_policy_is_of_tensor(s->bench->policy->tolerance))
		ret = check_repeat(s, fault, err);
	if (ret > 0 && is_timed)
		ret = kb_host_measure(m, call_ns, fault, err);
	return ret;
}

static void note_times(struct kb_result *r, struct kb_host_measurement *m,
		       bool is_timed)
{
	r->outcome.status = KB_STATUS_CORRECT;
	r->timing = kb_steal(m->timings[KB_SIDE_CANDIDATE]);
	r->reference_timing = kb_steal(m->timings[KB_SIDE_REFERENCE]);
	if (!is_timed)
		return;
	kb_note_untimed(&r->outcome, "", r->timing, NULL);
	kb_note_untimed(&r->outcome, " of the reference", r->reference_timing,
			NULL);
}

int kb_host_bench_candidate(struct kb_bench *b,
			    const struct kb_source *candidate, bool is_timed,
			    struct kb_result *r, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf log = KB_BUF_INIT;
	struct kb_launched x = KB_LAUNCHED_INIT;
	struct kb_alternate_rounds rounds;
	struct subject s = {
		.bench = b, .candidate = &x.worker,
		.outcome = &r->outcome, .alternates = r->alternates,
	};
	kb_auto(host_measurement) struct kb_host_measurement m = {
		.policy = b->policy, .rounds = &rounds,
		.has_candidate = true,
		.call_bytes = call_bytes(b, true), .context = &s,
		.run = run_unpaused,
	};
	const int64_t start_ns = kb_clock_ns();
	struct kb_fault fault;
	int ret = kb_bench_draw_rounds(b, true, &rounds, err);

	if (ret >= 0)
		ret = run_candidate(&m, &x, candidate, is_timed, &log, &fault,
				    err);
	if (ret >= 0)
		kb_note_log(&r->outcome, &log, &x.worker);
	r->cpu_ms = kb_note_cpu_ms(end_candidate(b, &x));
	free(s.last);

	r->outputs = s.worst;
	r->output_count = s.worst ? b->plan.output_count : 0;
	if (ret > 0)
		note_times(r, &m, is_timed);
	else if (!ret && fault.side == KB_SIDE_CANDIDATE)
		kb_note_fault(&r->outcome, &fault);
	else if (!ret)
		kb_note_reference_fault(&r->outcome, &fault);
	r->outcome.wall_ns = kb_clock_ns() - start_ns;
	return ret ? ret : fault.side == KB_SIDE_CANDIDATE;
}

static int run_alone(struct kb_host_measurement *m, struct kb_fault *fault,
		     struct kb_err *err)
{
	int64_t call_ns = 0;
	int ret = kb_host_warm_up(m, &call_ns, fault, err);

	return ret <= 0 ? ret : kb_host_measure(m, call_ns, fault, err);
}

int kb_host_bench_reference(struct kb_bench *b, struct kb_reference_result *r,
			    struct kb_err *err)
{
	kb_auto(buf) struct kb_buf log = KB_BUF_INIT;
	struct kb_alternate_rounds rounds;
	struct subject s = { .bench = b, .outcome = &r->outcome };
	kb_auto(host_measurement) struct kb_host_measurement m = {
		.policy = b->policy, .rounds = &rounds,
		.call_bytes = call_bytes(b, false), .context = &s,
		.run = run_unpaused,
	};
	const int64_t start_ns = kb_clock_ns();
	struct kb_fault fault;
	int ret = kb_bench_draw_rounds(b, false, &rounds, err);

	if (ret >= 0)
		ret = run_alone(&m, &fault, err);
	if (ret >= 0)
		kb_note_log(&r->outcome, &log, &b->reference.worker);
	if (ret > 0) {
		r->outcome.status = KB_STATUS_TIMED;
		r->timing = kb_steal(m.timings[KB_SIDE_REFERENCE]);
		kb_note_untimed(&r->outcome, "", r->timing, NULL);
	} else if (!ret) {
		kb_note_fault(&r->outcome, &fault);
	}
	r->outcome.wall_ns = kb_clock_ns() - start_ns;
	return ret;
}
