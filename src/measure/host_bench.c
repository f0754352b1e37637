#include "measure/host_bench.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/hex.h"
#include "measure/notes.h"
#include "measure/time_rule.h"
#include "measure/trial.h"

/* Trials of one call before the counted ones: the first loads and allocates
 * what is done once, the last estimates how long a call takes. */
#define WARM_UPS 2

/* One candidate, or the reference alone, on its way to a result. */
struct course {
	struct kb_bench *bench;
	struct kb_launched *candidate;	/* NULL: the reference alone */
	bool is_timed;			/* else it ends with the warm-ups */
	struct kb_outcome *outcome;
	struct kb_output_error *worst;
	struct kb_remedy_trials *remedy;	/* NULL: there are none */
	struct kb_timing *candidate_timing;
	struct kb_timing *reference_timing;
};

/* At least `count` slots, known to both workers. */
static int grow_slots(struct kb_bench *b, struct kb_worker *candidate,
		      uint32_t count, struct kb_fault *fault,
		      struct kb_err *err)
{
	const uint32_t had = b->slots.count;
	int ret = kb_slots_grow(&b->slots, count, err);

	if (ret < 0)
		return ret;
	ret = kb_slots_send(&b->slots, had, &b->reference.worker, fault, err);
	if (ret <= 0 || !candidate)
		return ret;
	return kb_slots_send(&b->slots, had, candidate, fault, err);
}

int kb_host_bench_start(struct kb_bench *b, struct kb_fault *fault,
			struct kb_err *err)
{
	int ret;

	b->slots.plan = &b->plan;
	ret = grow_slots(b, NULL, 1, fault, err);
	for (int i = 0; i < WARM_UPS && ret > 0; i++) {
		kb_auto(trial) struct kb_trial t = KB_TRIAL_INIT;

		ret = kb_trial_run(b, NULL, 1, &t, fault, err);
	}
	return ret;
}

void kb_host_bench_stop(struct kb_bench *b)
{
	kb_slots_release(&b->slots);
	free(b->snapshot);
	b->snapshot = NULL;
	b->snapshot_bytes = 0;
}

static struct kb_timing *new_timing(const struct kb_batches *n)
{
	struct kb_timing *t = kb_timing_new(KB_CLOCK_CALL, (int)n->small,
					    (int)n->large);

	t->stop_reason = KB_STOP_TRIALS;
	return t;
}

/* The values: errors are kept, and decide. Returns 1 if they agree. */
static int judge(struct course *c, const struct kb_trial *t,
		 struct kb_fault *fault)
{
	kb_output_errors_keep_trial(&c->worst, t->remedied ? c->remedy : NULL,
				    t->errors, c->bench->plan.output_count,
				    &t->wrong);
	return kb_wrong_judge(&t->wrong, KB_SIDE_CANDIDATE, fault);
}

static void note_seed(struct course *c, const struct kb_trial *t)
{
	char hex[2 * KB_SEED_BYTES + 1];

	kb_hex_format(hex, t->seed, KB_SEED_BYTES);
	if (t->remedied)
		kb_trial_seeds_add(&c->remedy->trial_seeds, hex);
	else
		kb_trial_seeds_add(&c->outcome->trial_seeds, hex);
}

/* One trial of `n` calls; `*t` receives what it took. */
static int run_trial(struct course *c, uint32_t n, struct kb_trial *t,
		     struct kb_fault *fault, struct kb_err *err)
{
	struct kb_worker *w = c->candidate ? &c->candidate->worker : NULL;
	int ret = kb_trial_run(c->bench, w, n, t, fault, err);

	if (ret < 0)
		return ret;
	note_seed(c, t);
	if (ret > 0 && w)
		ret = judge(c, t, fault);
	if (!ret && t->remedied)
		kb_remedy_blame(fault, t->errors, c->bench->plan.output_count);
	return ret;
}

/* Warm both up, verified like everything; the last estimates a call. */
static int warm_up(struct course *c, int64_t *call_ns,
		   struct kb_fault *fault, struct kb_err *err)
{
	int ret = 1;

	for (int i = 0; i < WARM_UPS && ret > 0; i++) {
		kb_auto(trial) struct kb_trial t = KB_TRIAL_INIT;

		ret = run_trial(c, 1, &t, fault, err);
		*call_ns = t.reference_ns;
		if (c->candidate && t.candidate_ns < *call_ns)
			*call_ns = t.candidate_ns;
	}
	return ret;
}

/* A trial of each size, counted unless it is on remedy inputs. */
static int take_round(struct course *c, const struct kb_batches *n,
		      bool remedied, struct kb_fault *fault,
		      struct kb_err *err)
{
	static const enum kb_series series[] = { KB_SERIES_SMALL,
						 KB_SERIES_LARGE };
	const int sizes = n->large > n->small ? 2 : 1;

	for (int large = 0; large < sizes; large++) {
		kb_auto(trial) struct kb_trial t = { .remedied = remedied };
		int ret = run_trial(c, large ? n->large : n->small, &t,
				    fault, err);

		if (ret <= 0)
			return ret;
		if (remedied)
			continue;
		if (c->candidate)
			kb_timing_add(c->candidate_timing, series[large],
				      t.candidate_ns);
		kb_timing_add(c->reference_timing, series[large],
			      t.reference_ns);
	}
	return 1;
}

static int measure(struct course *c, const struct kb_batches *n,
		   struct kb_fault *fault, struct kb_err *err)
{
	struct kb_remedy_rounds rounds;
	int64_t counted = 0;
	int ret = kb_bench_draw_rounds(c->bench, c->candidate, &rounds, err);

	if (ret < 0)
		return ret;
	c->candidate_timing = c->candidate ? new_timing(n) : NULL;
	c->reference_timing = new_timing(n);
	for (uint32_t i = 0; counted < c->bench->policy->trials; i++) {
		const bool remedied = kb_remedy_rounds_has(&rounds, i);

		ret = take_round(c, n, remedied, fault, err);
		if (ret <= 0)
			return ret;
		counted += !remedied;
	}
	kb_time_decide(c->reference_timing, NULL);
	if (c->candidate)
		kb_time_decide(c->candidate_timing, c->reference_timing);
	return 1;
}

static uint64_t snapshot_bytes(const struct kb_bench *b)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < b->plan.output_count; i++)
		total += kb_slot_copy_bytes(kb_slots_output(&b->slots, 0, i));
	return total;
}

static int run_course(struct course *c, struct kb_fault *fault,
		      struct kb_err *err)
{
	struct kb_bench *b = c->bench;
	struct kb_batches n;
	int64_t call_ns = 0;
	int ret = warm_up(c, &call_ns, fault, err);

	if (ret <= 0 || !c->is_timed)
		return ret;
	/* Outputs are there twice, once as a snapshot. */
	n = kb_policy_batches(b->policy, call_ns,
			      kb_plan_slot_bytes(&b->plan) +
			      snapshot_bytes(b));
	ret = grow_slots(b, c->candidate ? &c->candidate->worker : NULL,
			 n.large, fault, err);
	return ret <= 0 ? ret : measure(c, &n, fault, err);
}

static int start_candidate(struct kb_bench *b, struct kb_launched *x,
			   const struct kb_source *candidate,
			   struct kb_buf *log, struct kb_fault *fault,
			   struct kb_err *err)
{
	uint64_t slot_bytes = kb_plan_slot_bytes(&b->plan);
	int ret;

	if (slot_bytes < b->policy->tensor_bytes_max)
		slot_bytes = b->policy->tensor_bytes_max;
	ret = kb_launch(x, b->launcher, &b->problem, candidate, slot_bytes,
			log, fault, err);

	if (ret > 0)
		ret = kb_launched_load(x, b->weights_seed, b->plan_fd,
				       b->state_fd, fault, err);
	if (ret > 0)
		ret = kb_slots_send(&b->slots, 0, &x->worker, fault, err);
	return ret;
}

int kb_host_bench_candidate(struct kb_bench *b,
			    const struct kb_source *candidate, bool is_timed,
			    struct kb_result *r, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf log = KB_BUF_INIT;
	struct kb_launched x = KB_LAUNCHED_INIT;
	struct course c = {
		.bench = b, .candidate = &x, .is_timed = is_timed,
		.outcome = &r->outcome, .remedy = r->remedy,
	};
	const int64_t start_ns = kb_clock_ns();
	struct kb_fault fault;
	int ret = start_candidate(b, &x, candidate, &log, &fault, err);

	if (ret > 0)
		ret = run_course(&c, &fault, err);
	if (ret >= 0)
		kb_note_log(&r->outcome, &log, &x.worker);
	kb_launched_end(&x);

	r->outputs = c.worst;
	r->output_count = c.worst ? b->plan.output_count : 0;
	if (ret > 0) {
		r->outcome.status = KB_STATUS_CORRECT;
		r->timing = kb_steal(c.candidate_timing);
		r->reference_timing = kb_steal(c.reference_timing);
	} else if (!ret && fault.side == KB_SIDE_CANDIDATE) {
		kb_note_fault(&r->outcome, &fault);
	} else if (!ret) {
		kb_note_reference_fault(&r->outcome, &fault);
	}
	kb_timing_free(c.candidate_timing);
	kb_timing_free(c.reference_timing);
	r->outcome.wall_ns = kb_clock_ns() - start_ns;
	return ret ? ret : fault.side == KB_SIDE_CANDIDATE;
}

int kb_host_bench_reference(struct kb_bench *b, struct kb_reference_result *r,
			    struct kb_err *err)
{
	kb_auto(buf) struct kb_buf log = KB_BUF_INIT;
	struct course c = {
		.bench = b, .is_timed = true, .outcome = &r->outcome,
	};
	const int64_t start_ns = kb_clock_ns();
	struct kb_fault fault;
	int ret = run_course(&c, &fault, err);

	if (ret >= 0)
		kb_note_log(&r->outcome, &log, &b->reference.worker);
	if (ret > 0) {
		r->outcome.status = KB_STATUS_TIMED;
		r->timing = kb_steal(c.reference_timing);
	} else if (!ret) {
		kb_note_fault(&r->outcome, &fault);
	}
	kb_timing_free(c.reference_timing);
	r->outcome.wall_ns = kb_clock_ns() - start_ns;
	return ret;
}
