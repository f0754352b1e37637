#include "verify/line_rules.h"

#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "device/tolerance.h"
#include "json/json.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/problem_facts.h"
#include "measure/alternate.h"
#include "measure/host_measurement.h"
#include "measure/stopping.h"
#include "source/runtime.h"
#include "verify/gpus.h"
#include "verify/line.h"
#include "verify/runs.h"

/* --- seeds ------------------------------------------------------------ */

/* Runs of one call are made when a trial is over, so many that there are
 * enough of them when all are, and at most `n_large` with one seed. That is as
 * many after each trial, or one more: records may state any number of trials,
 * and nobody counts them one by one. */
static int64_t one_call_runs(const struct kb_timing *t, int64_t trials)
{
	const int64_t count = (int64_t)t->one_call_count;
	const int64_t each = trials > 0 ? count / trials : 0;
	const int64_t with_one_more = trials > 0 ? count % trials : 0;

	return with_one_more * (each / t->n_large + 1) +
	       (trials - with_one_more) *
		       ((each + t->n_large - 1) / t->n_large);
}

/* On the CPU, of what went well: those of warm-ups, trials and runs of one
 * call. */
static int64_t seeds_of(const struct kb_timing *t, int64_t trials)
{
	return KB_HOST_WARM_UPS + 2 * trials + one_call_runs(t, trials);
}

/* Every run draws a seed of its own, so that how many seeds there are follows
 * from how many samples: a record from which slow runs were dropped has seeds
 * too many. */
static int check_seeds(const struct kb_line_rules *rules,
		       const struct kb_outcome *o, const struct kb_timing *t,
		       struct kb_err *err)
{
	const int64_t count = (int64_t)o->trial_seeds.count;
	int64_t wanted = 1;

	if (!rules->is_cuda && (!t || rules->trials == KB_UNKNOWN))
		return 0;
	if (!rules->is_cuda)
		wanted = seeds_of(t, t->stop_reason == KB_STOP_SLOW ?
					     (int64_t)t->small_count :
					     rules->trials);
	if (count == wanted)
		return 0;
	return kb_err(err, KB_ERR_INPUT,
		      "'trial_seeds' has %" PRId64 ", and its runs need %"
		      PRId64, count, wanted);
}

/* --- alternate inputs ------------------------------------------------- */

/* Inputs that are infinite in the type that they have tell nothing. */
static bool has_alternates(const struct kb_line_rules *rules,
			   const struct kb_remedies *remedies)
{
	kb_auto(mem) char *argument = kb_alternate_argument(
		remedies, kb_precision_largest(rules->precision));

	return argument && rules->alternate_trials > 0;
}

static int check_alternates(const struct kb_line *l, bool was_open)
{
	const struct kb_alternate_trials *a = l->r->alternates;
	const bool is_correct = l->r->outcome.status == KB_STATUS_CORRECT;
	const size_t seeds = a ? a->trial_seeds.count : 0;

	if (l->remedies && a && !has_alternates(l->rules, l->remedies))
		return no(l, "'%s' is there, and policy and suite give none",
			  KB_ALTERNATE_MEMBER);
	if (l->remedies && !a && was_open &&
	    has_alternates(l->rules, l->remedies))
		return no(l, "'%s' is not there, and the suite's problem has "
			  "some, on which it is to be tried",
			  KB_ALTERNATE_MEMBER);
	if (!a)
		return 0;
	if (l->rules->is_cuda ? seeds : seeds < (size_t)a->trials ||
	    seeds > (size_t)a->trials + !is_correct)
		return no(l, "'%s' has %zu seeds and %" PRId64 " trials",
			  KB_ALTERNATE_MEMBER, seeds, a->trials);
	if (is_correct && a->trials < l->rules->alternate_trials)
		return no(l, "'%s' has %" PRId64 " trials, and the policy %"
			  PRId64 " at least", KB_ALTERNATE_MEMBER, a->trials,
			  l->rules->alternate_trials);
	return 0;
}

/* --- times ------------------------------------------------------------ */

static bool is_queued(const struct kb_device_timing *t)
{
	return t && t->timing;
}

/* By the device's clock alone, unless it could not time both. */
static bool wants_calls(const struct kb_line *l)
{
	return !l->rules->by_device_alone || !is_queued(l->r->device_timing) ||
	       !is_queued(l->r->reference_device_timing);
}

static int check_timed(const struct kb_line *l)
{
	const struct kb_result *r = l->r;
	const bool cuda = l->rules->is_cuda;

	if (r->outcome.status != KB_STATUS_CORRECT) {
		if (r->reference_timing || r->reference_device_timing)
			return no(l, "it is called '%s', and the reference "
				  "beside it has a time",
				  kb_status_name(r->outcome.status));
		return 0;
	}
	if (wants_calls(l) && (!r->timing || !r->reference_timing))
		return no(l, "it is called correct, and '%s' is null",
			  r->timing ? "reference_timing" : "timing");
	if (!wants_calls(l) && (r->timing || r->reference_timing))
		return no(l, "'%s' is there, and the policy has the device's "
			  "clock alone",
			  r->timing ? "timing" : "reference_timing");
	if (!cuda && (r->device_timing || r->reference_device_timing))
		return no(l, "it has a device timing, on a CPU");
	if (cuda && (!r->device_timing || !r->reference_device_timing))
		return no(l, "it is called correct, and '%s' is not there",
			  r->device_timing ? "reference_device_timing"
					   : "device_timing");
	return 0;
}

/* In 128 bits: each sample may be as large as a record's integer, and there may
 * be any number. */
static __int128 sum_samples(const int64_t samples_ns[], size_t count)
{
	__int128 total = 0;

	for (size_t i = 0; i < count; i++)
		total += samples_ns[i];
	return total;
}

/* The time of copies in that was subtracted. */
static __int128 copied_by(const struct kb_timing *t)
{
	if (t->copy_in_small_ns == KB_UNKNOWN)
		return 0;
	return (__int128)t->small_count * t->copy_in_small_ns +
	       (__int128)t->large_count * t->copy_in_large_ns +
	       (t->copy_in_one_call_ns == KB_UNKNOWN ? 0 :
		(__int128)(t->one_call_count + t->alone_count) *
			t->copy_in_one_call_ns);
}

static __int128 taken_by(const struct kb_timing *t)
{
	return t ? sum_samples(t->small_ns, t->small_count) +
		   sum_samples(t->large_ns, t->large_count) +
		   sum_samples(t->one_call_ns, t->one_call_count) +
		   sum_samples(t->alone_ns, t->alone_count) + copied_by(t) : 0;
}

/* Timings of both sides by both clocks were taken one after the other. */
static int check_wall(int64_t wall_ns, const struct kb_timing *const timings[4],
		      struct kb_err *err)
{
	__int128 taken_ns = 0;

	for (int i = 0; i < 4; i++)
		taken_ns += taken_by(timings[i]);
	if (taken_ns <= wall_ns)
		return kb_copies_check(timings, 4, err);
	return kb_err(err, KB_ERR_INPUT,
		      "'wall_ns' is %" PRId64 ", and its runs took longer",
		      wall_ns);
}

/* More than any machine has that Linux runs on. */
#define PROCESSORS_MAX 8192

static int check_cpu(const struct kb_line *l)
{
	const int64_t wall_ms = l->r->outcome.wall_ns / KB_NS_PER_MS + 1;

	if (l->r->cpu_ms / PROCESSORS_MAX <= wall_ms)
		return 0;
	return no(l, "'cpu_ms' is %" PRId64 ", more than %d processors have in "
		  "'wall_ns'", l->r->cpu_ms, PROCESSORS_MAX);
}

/* --- how it ended ----------------------------------------------------- */

/* 0.2.0 counted no build ahead, and no time of a reference that did not load. */
static bool is_time_untold(const struct kb_line_rules *rules,
			   const struct kb_outcome *o)
{
	return rules->is_before_0_3 &&
	       (o->phase == KB_PHASE_BUILD ||
		(o->phase == KB_PHASE_LOAD && !o->wall_ns));
}

/* Time is up after the limit of the phase, or after that of one call where the
 * policy has it, and not before. */
static int check_timed_out(const struct kb_line_rules *rules,
			   const struct kb_outcome *o, struct kb_err *err)
{
	int64_t limit_ns = o->phase == KB_PHASE_RUN ? rules->run_timeout_ns
						    : rules->build_timeout_ns;

	if (rules->slow_call_ns != KB_UNKNOWN && limit_ns > rules->slow_call_ns)
		limit_ns = rules->slow_call_ns;
	/* Code of another runtime than its reference's is loaded in the time of
	 * a run. */
	if (rules->slow_call_ns != KB_UNKNOWN && o->phase == KB_PHASE_LOAD &&
	    limit_ns > rules->run_timeout_ns)
		limit_ns = rules->run_timeout_ns;
	if (rules->is_cuda && o->phase == KB_PHASE_RUN &&
	    limit_ns > KB_LAUNCH_PATIENCE_NS)
		limit_ns = KB_LAUNCH_PATIENCE_NS;
	if (o->status != KB_STATUS_TIMED_OUT || limit_ns == KB_UNKNOWN ||
	    o->wall_ns >= limit_ns || is_time_untold(rules, o))
		return 0;
	return kb_err(err, KB_ERR_INPUT,
		      "it is called '%s' after %" PRId64 " ns, and the limit "
		      "is %" PRId64, kb_status_name(o->status), o->wall_ns,
		      limit_ns);
}

/* Nothing runs before it is built and loaded, unless it is under another seed
 * of the weights; the reference may have drawn the seed of all runs. */
static int check_phase(const struct kb_line_rules *rules,
		       const struct kb_outcome *o, struct kb_err *err)
{
	const bool is_before = o->phase == KB_PHASE_BUILD ||
			       o->phase == KB_PHASE_LOAD;

	if (!is_before || rules->has_seeds || o->trial_seeds.count <= 1)
		return 0;
	return kb_err(err, KB_ERR_INPUT,
		      "it ended in phase '%s', and 'trial_seeds' has %zu",
		      kb_phase_name(o->phase), o->trial_seeds.count);
}

/* Where the supervisor names a rank in its own words, the next behind `at`. Behind how
 * a process ended come words of the code's. */
static const char *find_rank(const struct kb_outcome *o, const char *at)
{
	static const char word[] = "rank ";

	switch (o->status) {
	case KB_STATUS_CRASHED:
	case KB_STATUS_EXITED:
	case KB_STATUS_TIMED_OUT:
		return at == o->detail && !strncmp(at, word, strlen(word)) ?
			       at + strlen(word) : NULL;
	case KB_STATUS_MISMATCH:
	case KB_STATUS_NOT_FINITE:
	case KB_STATUS_GUARD_DAMAGED:
		at = strstr(at, word);
		return at ? at + strlen(word) : NULL;
	default:
		return NULL;
	}
}

static int check_ranks(const struct kb_line_rules *rules,
		       const struct kb_outcome *o, struct kb_err *err)
{
	const int world = rules->suite ? rules->suite->world : 0;
	const char *at = o->detail;

	while (world && at && (at = find_rank(o, at))) {
		char *end;
		const long rank = strtol(at, &end, 10);

		if (end != at && (world == 1 || rank < 0 || rank >= world))
			return kb_err(err, KB_ERR_INPUT,
				      "'detail' names rank %ld, and the suite's "
				      "problems are of %d", rank, world);
	}
	return 0;
}

static int check_end(const struct kb_line_rules *rules,
		     const struct kb_outcome *o, struct kb_err *err)
{
	int ret = check_timed_out(rules, o, err);

	if (ret == 0)
		ret = check_phase(rules, o, err);
	if (ret == 0)
		ret = check_ranks(rules, o, err);
	/* A candidate that was ended for what it printed has a cut log. */
	if (ret == 0 && o->status == KB_STATUS_OUTPUT_LIMIT &&
	    (!o->log || !*o->log))
		return kb_err(err, KB_ERR_INPUT, "it is called '%s', and its "
			      "log is empty", kb_status_name(o->status));
	if (ret == 0 && o->log_truncated && (!o->log || !*o->log))
		return kb_err(err, KB_ERR_INPUT, "'log_truncated' is true, and "
			      "its log is empty");
	return ret;
}

/* --- a line ----------------------------------------------------------- */

/* A problem without a candidate has one line, so that it counts once and as a
 * failure. */
static int check_missing(const struct kb_line *l)
{
	const struct kb_result *r = l->r;

	if (r->sample_id)
		return no(l, "it is called missing, and only sample 0 is");
	if (r->outcome.trial_seeds.count || r->outcome.wall_ns ||
	    (r->outcome.log && *r->outcome.log))
		return no(l, "it is called missing, and was run");
	return 0;
}

static int check_device(const struct kb_line_rules *rules, const char *id,
			struct kb_err *err)
{
	if (!id || (rules->gpu && kb_gpus_have(rules->gpu, id)))
		return 0;
	return kb_err(err, KB_ERR_INPUT,
		      "'measured_on' is none of the environment's GPUs");
}

/* The size of a pool is recorded only where it is not the policy's. 0: it is
 * not recorded. */
static int check_pool(const struct kb_line_rules *rules, const char *name,
		      int64_t bytes, struct kb_err *err)
{
	if (!bytes)
		return 0;
	if (!rules->is_cuda)
		return kb_err(err, KB_ERR_INPUT, "'%s' is there, on a CPU",
			      name);
	if (bytes == rules->output_pool_bytes)
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' is %" PRId64 ", which the policy tells",
			      name, bytes);
	if (rules->memory_bytes != KB_UNKNOWN && bytes > rules->memory_bytes)
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' is %" PRId64 ", and the GPU has %" PRId64
			      " bytes", name, bytes, rules->memory_bytes);
	return 0;
}

static int check_reference_pool(const struct kb_line_rules *rules,
				const char *name, int64_t bytes,
				struct kb_key key, struct kb_err *err)
{
	const struct kb_problem *p = rules->suite ?
		kb_suite_find(rules->suite, key) : NULL;

	if (bytes && p && p->runtime != KB_RUNTIME_TORCH)
		return kb_err(err, KB_ERR_INPUT, "'%s' is there, and native "
			      "code leaves nothing in a pool", name);
	return check_pool(rules, name, bytes, err);
}

static int check_result(const struct kb_line *l)
{
	const struct kb_result *r = l->r;
	const struct kb_timing *timings[] = {
		r->timing, r->reference_timing, kb_device_time(r->device_timing),
		kb_device_time(r->reference_device_timing),
	};
	/* If the reference did not load, no candidate ran. */
	const bool was_open =
		r->outcome.status != KB_STATUS_REFERENCE_FAILED ||
		r->outcome.trial_seeds.count;
	int ret;

	if (r->outcome.status == KB_STATUS_MISSING)
		return check_missing(l);
	if (r->outcome.status == KB_STATUS_INPUTS_MODIFIED &&
	    l->rules->accepts_in_place)
		return no(l, "it is called '%s', which the policy accepts",
			  kb_status_name(r->outcome.status));
	ret = check_end(l->rules, &r->outcome, l->err);
	if (ret == 0)
		ret = check_device(l->rules, r->measured_on, l->err);
	if (ret == 0)
		ret = check_pool(l->rules, "output_pool_bytes",
				 r->output_pool_bytes, l->err);
	if (ret == 0)
		ret = check_reference_pool(l->rules,
					   "reference_output_pool_bytes",
					   r->reference_output_pool_bytes,
					   r->key, l->err);
	if (ret == 0)
		ret = check_timed(l);
	if (ret == 0)
		ret = kb_line_check_compared(l);
	if (ret == 0 && was_open)
		ret = kb_line_check_fp64_error(l->facts, r->fp64_error,
					       r->outputs, l->err);
	if (ret == 0 && was_open)
		ret = check_seeds(l->rules, &r->outcome, r->timing, l->err);
	if (ret == 0)
		ret = check_alternates(l, was_open);
	if (ret < 0)
		return ret;
	if (r->outputs && !r->outcome.trial_seeds.count)
		return no(l, "it was compared, and has no seed");
	if (was_open && !r->outcome.wall_ns)
		return no(l, "'wall_ns' is 0, and it was run");
	ret = check_cpu(l);
	return ret < 0 ? ret : check_wall(r->outcome.wall_ns, timings, l->err);
}

static const struct kb_problem *problem_of(const struct kb_line_rules *rules,
					   struct kb_key key)
{
	return rules->suite ? kb_suite_find(rules->suite, key) : NULL;
}

static const struct kb_problem_facts *
facts_of(const struct kb_line_rules *rules, struct kb_key key)
{
	const struct kb_problem *p = problem_of(rules, key);

	return p ? p->facts : NULL;
}

int kb_line_rules_check(const struct kb_line_rules *rules,
			const struct kb_result *r, struct kb_err *err)
{
	const struct kb_problem *p = problem_of(rules, r->key);
	struct kb_err why = KB_ERR_INIT;
	const struct kb_line l = {
		.rules = rules, .facts = p ? p->facts : NULL,
		.remedies = p ? kb_problem_remedies(p) : NULL, .r = r,
		.err = &why,
	};
	char key[KB_KEY_SIZE];

	if (check_result(&l) == 0)
		return 0;
	kb_key_format(key, r->key);
	return kb_err(err, KB_ERR_INPUT, "sample %d of problem '%s': %s",
		      r->sample_id, key, why.msg);
}

static int check_reference(const struct kb_line_rules *rules,
			   const struct kb_reference_result *r,
			   struct kb_err *err)
{
	const struct kb_timing *const timings[4] = {
		r->timing, kb_device_time(r->device_timing),
	};
	int ret = check_end(rules, &r->outcome, err);

	if (ret == 0)
		ret = check_device(rules, r->measured_on, err);
	if (ret == 0)
		ret = check_reference_pool(rules, "output_pool_bytes",
					   r->output_pool_bytes, r->key, err);
	if (ret < 0 || r->outcome.status != KB_STATUS_TIMED)
		return ret;
	if (rules->is_cuda != !!r->device_timing)
		return kb_err(err, KB_ERR_INPUT, "it is called timed, and a "
			      "device timing is %s",
			      rules->is_cuda ? "not there" :
					       "there, on a CPU");
	ret = check_seeds(rules, &r->outcome, r->timing, err);
	if (ret == 0)
		ret = kb_line_check_fp64_error(facts_of(rules, r->key),
					       r->fp64_error, true, err);
	return ret < 0 ? ret : check_wall(r->outcome.wall_ns, timings, err);
}

int kb_line_rules_check_reference(const struct kb_line_rules *rules,
				  const struct kb_reference_result *r,
				  struct kb_err *err)
{
	struct kb_err why = KB_ERR_INIT;
	char key[KB_KEY_SIZE];

	if (check_reference(rules, r, &why) == 0)
		return 0;
	kb_key_format(key, r->key);
	return kb_err(err, KB_ERR_INPUT, "problem '%s': %s", key, why.msg);
}

/* --- rules ------------------------------------------------------------ */

/* Only evaluations of later versions have a limit of a call. */
static bool is_before_0_3(const struct kb_conditions *c)
{
	return (kb_json_text_is(c->tool, "version", "0.1.0") ||
		kb_json_text_is(c->tool, "version", "0.2.0")) &&
	       !kb_json_find(c->policy, "slow_call_ns");
}

void kb_line_rules_init(struct kb_line_rules *rules,
			const struct kb_conditions *conditions,
			const struct kb_suite *suite)
{
	const struct kb_json *policy = conditions->policy;
	const struct kb_json *device = kb_json_find(conditions->environment,
						    "device");
	const struct kb_json *gpu = kb_json_find(conditions->environment,
						 "gpu");
	struct kb_err unread;

	*rules = (struct kb_line_rules){
		.is_cuda = kb_json_text_is(device, "kind", "cuda"),
		.trials = kb_json_int_or(policy, "trials", KB_UNKNOWN),
		.alternate_trials =
			kb_json_int_or(policy, "alternate_trials", KB_UNKNOWN),
		.accepts_in_place = kb_json_text_is(policy, "in_place",
						    "accept"),
		.batch_calls_max =
			kb_json_int_or(policy, "batch_calls_max", KB_UNKNOWN),
		.run_timeout_ns =
			kb_json_int_or(policy, "run_timeout_ns", KB_UNKNOWN),
		.build_timeout_ns =
			kb_json_int_or(policy, "build_timeout_ns", KB_UNKNOWN),
		.slow_call_ns =
			kb_json_int_or(policy, "slow_call_ns", KB_UNKNOWN),
		.is_before_0_3 = is_before_0_3(conditions),
		.has_seeds = kb_json_find(policy, "seeds") != NULL,
		.by_device_alone = kb_json_text_is(policy, "clock", "device"),
		.output_pool_bytes =
			kb_json_int_or(policy, "output_pool_bytes", KB_UNKNOWN),
		.memory_bytes = kb_json_int_or(gpu, "memory_bytes", KB_UNKNOWN),
		.suite = suite,
		.gpu = gpu && kb_gpus_are_few(gpu) ? gpu : NULL,
	};
	rules->of_tensor = *kb_json_text_or(policy, "tolerance_of", "");
	if (kb_tolerance_policy_find(&rules->tolerance,
				     kb_json_text_or(policy, "tolerance", ""),
				     &unread) < 0)
		rules->tolerance = NULL;
	/* On a CPU there is but one. */
	rules->precision = kb_precision_find(
		kb_json_text_or(policy, "precision", ""));
	if (rules->precision == KB_PRECISION_COUNT)
		rules->precision = KB_FP32;
}
