#include "measure/bench.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/hex.h"
#include "base/random.h"
#include "measure/device_bench.h"
#include "measure/notes.h"
#include "measure/time_rule.h"
#include "measure/trial.h"
#include "worker/log.h"
#include "worker/oracle.h"

/* Trials of one call before the counted ones: the first loads and allocates
 * what is done once, the last estimates how long a call takes. */
#define WARM_UPS 2

/* The inputs of the oracle's draws follow from the weights' seed with this
 * purpose: the same problem gets the same answer, whenever it is asked. */
#define PURPOSE_ORACLE 3

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

/* A memfd that a reference fills in. `bytes` is its size, 0 to let it
 * grow. */
static int make_shared(int *fd, const char *name, size_t bytes,
		       struct kb_err *err)
{
	*fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (*fd < 0 || (bytes && ftruncate(*fd, (off_t)bytes) < 0))
		return kb_err_sys(err, "cannot make a memory file");
	return 0;
}

/* Nobody maps it for writing from now on, and it keeps its size. */
static int seal_shared(int fd, struct kb_err *err)
{
	if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW |
		  F_SEAL_FUTURE_WRITE | F_SEAL_SEAL) < 0)
		return kb_err_sys(err, "cannot seal a memory file");
	return 0;
}

static int check_plan(struct kb_bench *b, struct kb_fault *fault,
		      struct kb_err *err)
{
	struct kb_err why = KB_ERR_INIT;
	ssize_t n = pread(b->plan_fd, &b->plan, sizeof(b->plan), 0);
	int ret;

	if (n != sizeof(b->plan))
		return kb_err_sys(err, "cannot read a plan");
	if (kb_plan_check(&b->plan, &why) < 0) {
		kb_fault_set(fault, KB_STATUS_LOAD_FAILED, KB_PHASE_LOAD, "%s",
			     why.msg);
		return 0;
	}
	ret = seal_shared(b->plan_fd, err);
	if (ret >= 0)
		ret = seal_shared(b->state_fd, err);
	b->slots.plan = &b->plan;
	return ret < 0 ? ret : 1;
}

/* At least `count` slots, known to both workers. */
static int grow_slots(struct kb_bench *b, struct kb_worker *candidate,
		      uint32_t count, enum kb_culprit *culprit,
		      struct kb_fault *fault, struct kb_err *err)
{
	const uint32_t had = b->slots.count;
	int ret = kb_slots_grow(&b->slots, count, err);

	if (ret < 0)
		return ret;
	*culprit = KB_CULPRIT_REFERENCE;
	ret = kb_slots_send(&b->slots, had, &b->reference.worker, fault, err);
	if (ret <= 0 || !candidate)
		return ret;
	*culprit = KB_CULPRIT_CANDIDATE;
	return kb_slots_send(&b->slots, had, candidate, fault, err);
}

static int start_reference(struct kb_bench *b, struct kb_buf *log,
			   struct kb_fault *fault, struct kb_err *err)
{
	enum kb_culprit culprit;
	int ret;

	ret = make_shared(&b->plan_fd, "kb-plan", sizeof(struct kb_plan), err);
	if (ret >= 0)
		ret = make_shared(&b->state_fd, "kb-state", 0, err);
	if (ret < 0)
		return ret;
	ret = kb_launch(&b->reference, b->launcher, &b->problem, NULL,
			KB_NO_LIMIT, log, fault, err);
	if (ret > 0)
		ret = kb_launched_load(&b->reference, KB_ROLE_REFERENCE,
				       b->weights_seed, b->plan_fd,
				       b->state_fd, fault, err);
	if (ret > 0)
		ret = check_plan(b, fault, err);
	if (ret > 0 && b->gpu)
		return kb_device_bench_start(b, fault, err);
	if (ret > 0)
		ret = grow_slots(b, NULL, 1, &culprit, fault, err);
	for (int i = 0; i < WARM_UPS && ret > 0; i++) {
		kb_auto(trial) struct kb_trial t = KB_TRIAL_INIT;

		ret = kb_trial_run(b, NULL, 1, &t, &culprit, fault, err);
	}
	return ret;
}

static void stop_reference(struct kb_bench *b)
{
	kb_launched_end(&b->reference);
	if (b->gpu)
		kb_device_bench_stop(b);
	kb_slots_release(&b->slots);
	if (b->plan_fd >= 0)
		close(b->plan_fd);
	if (b->state_fd >= 0)
		close(b->state_fd);
	b->plan_fd = b->state_fd = -1;
}

static bool has_floats(const struct kb_plan *plan)
{
	for (uint32_t i = 0; i < plan->output_count; i++)
		if (kb_dtype_class(plan->outputs[i].dtype) == KB_CLASS_FLOAT)
			return true;
	return false;
}

/*
 * How far is the reference from float64? It may take too long for that or
 * too much memory, and die of it: then it is started again, and that it died
 * is all that is known.
 */
static int ask_oracle(struct kb_bench *b, struct kb_oracle **out,
		      bool remedied, struct kb_buf *log,
		      struct kb_fault *fault, struct kb_err *err)
{
	uint8_t seed[KB_SEED_BYTES];
	int ret;

	kb_random_derive(seed, b->weights_seed, PURPOSE_ORACLE, 0);
	ret = kb_oracle_ask(out, &b->reference.worker, &b->plan, seed,
			    remedied, fault, err);
	if (ret)
		return ret;
	*out = kb_oracle_new_unavailable(fault->detail);
	stop_reference(b);
	return start_reference(b, log, fault, err);
}

/* Of remedy inputs only where it is not for people alone. */
static int ask_oracles(struct kb_bench *b, struct kb_buf *log,
		       struct kb_fault *fault, struct kb_err *err)
{
	int ret;

	if (!has_floats(&b->plan))
		return 1;
	ret = ask_oracle(b, &b->oracle, false, log, fault, err);
	if (ret > 0 && kb_bench_has_remedy(b) &&
	    kb_tolerance_policy_multiple(b->policy->tolerance))
		ret = ask_oracle(b, &b->remedy_oracle, true, log, fault, err);
	return ret;
}

static const struct kb_oracle_output *own_error(const struct kb_bench *b,
						uint32_t output, bool remedied)
{
	return kb_oracle_find(remedied ? b->remedy_oracle : b->oracle, output);
}

struct kb_error_limits kb_bench_limits(const struct kb_bench *b,
				       uint32_t output, bool remedied)
{
	return kb_error_limits_of(b->policy->tolerance,
				  b->plan.outputs[output].dtype,
				  own_error(b, output, remedied));
}

struct kb_error_limits kb_bench_reference_limits(const struct kb_bench *b,
						 uint32_t output,
						 bool remedied)
{
	return kb_reference_limits_of(b->policy->tolerance,
				      b->plan.outputs[output].dtype,
				      own_error(b, output, remedied));
}

bool kb_bench_has_remedy(const struct kb_bench *b)
{
	return b->problem.remedy && b->policy->remedy_trials;
}

int kb_bench_draw_rounds(const struct kb_bench *b, bool has_candidate,
			 struct kb_remedy_rounds *rounds, struct kb_err *err)
{
	const bool remedied = has_candidate && kb_bench_has_remedy(b);

	return kb_remedy_rounds_draw(rounds, (uint32_t)b->policy->trials,
				     remedied ?
				     (uint32_t)b->policy->remedy_trials : 0,
				     err);
}

int kb_bench_open(struct kb_bench *b, struct kb_launcher *launcher,
		  const struct kb_policy *policy, const struct kb_gpu *gpu,
		  const struct kb_source *problem, struct kb_outcome *outcome,
		  struct kb_err *err)
{
	kb_auto(buf) struct kb_buf log = KB_BUF_INIT;
	struct kb_fault fault;
	uint64_t seed = (uint64_t)policy->weights_seed;
	int ret;

	b->launcher = launcher;
	b->policy = policy;
	b->gpu = gpu;
	b->problem = *problem;
	/* Little-endian, whatever the machine. */
	for (size_t i = 0; i < sizeof(seed); i++)
		b->weights_seed[i] = (uint8_t)(seed >> (8 * i));

	ret = start_reference(b, &log, &fault, err);
	if (ret > 0)
		ret = ask_oracles(b, &log, &fault, err);
	if (!ret) {
		kb_note_fault(outcome, &fault);
		kb_note_log(outcome, &log, &b->reference.worker);
	}
	return ret;
}

void kb_bench_close(struct kb_bench *b)
{
	stop_reference(b);
	free(b->snapshot);
	kb_oracle_free(b->oracle);
	kb_oracle_free(b->remedy_oracle);
	*b = (struct kb_bench)KB_BENCH_INIT;
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
	return kb_wrong_judge(&t->wrong, fault);
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
		     enum kb_culprit *culprit, struct kb_fault *fault,
		     struct kb_err *err)
{
	struct kb_worker *w = c->candidate ? &c->candidate->worker : NULL;
	int ret = kb_trial_run(c->bench, w, n, t, culprit, fault, err);

	if (ret < 0)
		return ret;
	note_seed(c, t);
	if (ret > 0 && w) {
		*culprit = KB_CULPRIT_CANDIDATE;
		ret = judge(c, t, fault);
	}
	if (!ret && t->remedied)
		kb_remedy_blame(fault, t->errors, c->bench->plan.output_count);
	return ret;
}

/* Warm both up, verified like everything; the last estimates a call. */
static int warm_up(struct course *c, int64_t *call_ns,
		   enum kb_culprit *culprit, struct kb_fault *fault,
		   struct kb_err *err)
{
	int ret = 1;

	for (int i = 0; i < WARM_UPS && ret > 0; i++) {
		kb_auto(trial) struct kb_trial t = KB_TRIAL_INIT;

		ret = run_trial(c, 1, &t, culprit, fault, err);
		*call_ns = t.reference_ns;
		if (c->candidate && t.candidate_ns < *call_ns)
			*call_ns = t.candidate_ns;
	}
	return ret;
}

/* A trial of each size, counted unless it is on remedy inputs. */
static int take_round(struct course *c, const struct kb_batches *n,
		      bool remedied, enum kb_culprit *culprit,
		      struct kb_fault *fault, struct kb_err *err)
{
	static const enum kb_series series[] = { KB_SERIES_SMALL,
						 KB_SERIES_LARGE };
	const int sizes = n->large > n->small ? 2 : 1;

	for (int large = 0; large < sizes; large++) {
		kb_auto(trial) struct kb_trial t = { .remedied = remedied };
		int ret = run_trial(c, large ? n->large : n->small, &t,
				    culprit, fault, err);

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
		   enum kb_culprit *culprit, struct kb_fault *fault,
		   struct kb_err *err)
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

		ret = take_round(c, n, remedied, culprit, fault, err);
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

static int run_course(struct course *c, enum kb_culprit *culprit,
		      struct kb_fault *fault, struct kb_err *err)
{
	struct kb_bench *b = c->bench;
	struct kb_batches n;
	int64_t call_ns = 0;
	int ret = warm_up(c, &call_ns, culprit, fault, err);

	if (ret <= 0 || !c->is_timed)
		return ret;
	/* Outputs are there twice, once as a snapshot. */
	n = kb_policy_batches(b->policy, call_ns,
			      kb_plan_slot_bytes(&b->plan) +
			      snapshot_bytes(b));
	ret = grow_slots(b, c->candidate ? &c->candidate->worker : NULL,
			 n.large, culprit, fault, err);
	return ret <= 0 ? ret : measure(c, &n, culprit, fault, err);
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
		ret = kb_launched_load(x, KB_ROLE_CANDIDATE, b->weights_seed,
				       b->plan_fd, b->state_fd, fault, err);
	if (ret > 0)
		ret = kb_slots_send(&b->slots, 0, &x->worker, fault, err);
	return ret;
}

static int judge_candidate(struct kb_bench *b,
			   const struct kb_source *candidate, bool is_timed,
			   struct kb_result *r, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf log = KB_BUF_INIT;
	struct kb_launched x = KB_LAUNCHED_INIT;
	struct course c = {
		.bench = b, .candidate = &x, .is_timed = is_timed,
		.outcome = &r->outcome,
	};
	enum kb_culprit culprit = KB_CULPRIT_CANDIDATE;
	const int64_t start_ns = kb_clock_ns();
	struct kb_fault fault;
	int ret;

	r->oracle = kb_oracle_copy(b->oracle);
	if (kb_bench_has_remedy(b)) {
		c.remedy = r->remedy = kb_remedy_trials_new();
		r->remedy->oracle = kb_oracle_copy(b->remedy_oracle);
	}
	if (b->gpu)
		return kb_device_bench_candidate(b, candidate, is_timed, r,
						 err);
	ret = start_candidate(b, &x, candidate, &log, &fault, err);

	if (ret > 0)
		ret = run_course(&c, &culprit, &fault, err);
	if (ret >= 0)
		kb_note_log(&r->outcome, &log, &x.worker);
	kb_launched_end(&x);

	r->outputs = c.worst;
	r->output_count = c.worst ? b->plan.output_count : 0;
	if (ret > 0) {
		r->outcome.status = KB_STATUS_CORRECT;
		r->timing = kb_steal(c.candidate_timing);
		r->reference_timing = kb_steal(c.reference_timing);
	} else if (!ret && culprit == KB_CULPRIT_CANDIDATE) {
		kb_note_fault(&r->outcome, &fault);
	} else if (!ret) {
		kb_note_reference_fault(&r->outcome, &fault);
	}
	kb_timing_free(c.candidate_timing);
	kb_timing_free(c.reference_timing);
	r->outcome.wall_ns = kb_clock_ns() - start_ns;
	return ret < 0 ? ret : ret || culprit == KB_CULPRIT_CANDIDATE;
}

int kb_bench_candidate(struct kb_bench *b, const struct kb_source *candidate,
		       struct kb_result *r, struct kb_err *err)
{
	return judge_candidate(b, candidate, true, r, err);
}

int kb_bench_verify(struct kb_bench *b, const struct kb_source *candidate,
		    struct kb_result *r, struct kb_err *err)
{
	return judge_candidate(b, candidate, false, r, err);
}

int kb_bench_reference(struct kb_bench *b, struct kb_reference_result *r,
		       struct kb_err *err)
{
	kb_auto(buf) struct kb_buf log = KB_BUF_INIT;
	struct course c = {
		.bench = b, .is_timed = true, .outcome = &r->outcome,
	};
	const int64_t start_ns = kb_clock_ns();
	enum kb_culprit culprit;
	struct kb_fault fault;
	int ret;

	r->oracle = kb_oracle_copy(b->oracle);
	if (b->gpu)
		return kb_device_bench_reference(b, r, err);
	ret = run_course(&c, &culprit, &fault, err);
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
