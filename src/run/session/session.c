#include "session/session.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/interrupt.h"
#include "base/pause.h"
#include "device/granted.h"
#include "json/json.h"
#include "manifest/select.h"
#include "manifest/tool.h"
#include "session/environment.h"
#include "session/host_limits.h"
#include "session/isolation.h"
#include "session/like.h"

#define MIB ((uint64_t)1 << 20)

#define SHARDS_MAX 10000

/* "2/4": the second of four. */
static int parse_shard(struct kb_session_run *run, const char *shard,
		       struct kb_err *err)
{
	unsigned long index, count;
	char *end;

	if (!shard)
		return 0;
	errno = 0;
	index = strtoul(shard, &end, 10);
	count = *end == '/' ? strtoul(end + 1, &end, 10) : 0;
	/* strtoul(3) takes blanks, signs and leading zeros, which would be
	 * other spellings of one shard. */
	if (errno || *end || shard[0] < '1' || shard[0] > '9' || !count)
		return kb_err(err, KB_ERR_USAGE,
			      "option '--shard' needs a part such as 2/4, the "
			      "second of four, not '%s'", shard);
	if (index > count || count > SHARDS_MAX)
		return kb_err(err, KB_ERR_USAGE,
			      "option '--shard' needs a part of at most %d, "
			      "from 1/N to N/N, not '%s'", SHARDS_MAX, shard);
	run->shard_index = index - 1;
	run->shard_count = count;
	return 0;
}

/* A list of one is what there is without a list. */
static int parse_seeds(struct kb_session *s, struct kb_err *err)
{
	struct kb_session_options *o = &s->asked;
	struct kb_seeds *seeds = &s->run.policy.seeds;
	struct kb_err why = KB_ERR_INIT;

	if (!o->seed_list)
		return 0;
	if (kb_seeds_parse(seeds, o->seed_list, &why) < 0)
		return kb_err(err, KB_ERR_USAGE, "%s", why.msg);
	o->seed = seeds->items[0];
	if (o->one_seed) {
		snprintf(o->first_seed, sizeof(o->first_seed), "%" PRId64,
			 o->seed);
		o->seed_list = o->first_seed;
	}
	if (seeds->count == 1 || o->one_seed)
		seeds->count = 0;
	return 0;
}

static int set_in_place(struct kb_session *s, struct kb_err *err)
{
	static const char *const modes[] = { "refuse", "accept", NULL };
	const char *mode = s->asked.in_place;

	s->run.policy.accepts_in_place = !strcmp(mode, "accept");
	return kb_option_check_word("in-place", mode, modes, err);
}

static int set_candidate_weights(struct kb_session *s, struct kb_err *err)
{
	static const char *const owners[] = { "reference", "own", NULL };
	const char *whose = s->asked.candidate_weights;

	s->run.policy.keeps_own_weights = !strcmp(whose, "own");
	s->machine.launcher.candidate_weights = whose;
	return kb_option_check_word("candidate-weights", whose, owners, err);
}

static int set_sandbox(struct kb_session *s, struct kb_err *err)
{
	static const char *const modes[] = { "off", "standard", "strict", NULL };
	const char *mode = s->asked.sandbox;

	s->machine.launcher.unconfined = !strcmp(mode, "off");
	return kb_option_check_word("sandbox", mode, modes, err);
}

static int check_options(struct kb_session *s, const struct kb_option options[],
			 struct kb_err *err)
{
	const struct kb_session_options *o = &s->asked;

	if (kb_session_take_like(&s->asked, options, err) < 0)
		return -KB_ERR_USAGE;
	if (parse_shard(&s->run, o->shard, err) < 0)
		return -KB_ERR_USAGE;
	if (o->shard && o->merge_only)
		return kb_err(err, KB_ERR_USAGE,
			      "--shard and --merge-only exclude each other");
	if (parse_seeds(s, err) < 0 || kb_made_check(&o->made, err) < 0)
		return -KB_ERR_USAGE;
	if (kb_session_device_parse(s, err) < 0 || set_in_place(s, err) < 0 ||
	    set_candidate_weights(s, err) < 0 || set_sandbox(s, err) < 0)
		return -KB_ERR_USAGE;
	return kb_tolerance_policy_find(&s->run.policy.tolerance, o->tolerance,
					err);
}

/* Limits that nobody asked for follow from the machine. Whether they were asked
 * for is kept, since only then they tell two runs apart. */
static void set_policy(struct kb_session *s)
{
	const uint64_t total_mib = kb_granted_memory_bytes("") / MIB;
	struct kb_session_options *o = &s->asked;
	struct kb_policy *p = &s->run.policy;

	o->memory_is_asked = o->memory_mib;
	o->tensors_are_asked = o->tensor_mib;
	if (!o->memory_mib)
		o->memory_mib = (int64_t)(total_mib / 4 * 3);
	if (!o->tensor_mib && !s->machine.gpu.is_cuda)
		o->tensor_mib = (int64_t)(total_mib / 4);
	if (!o->threads)
		o->threads = kb_granted_cpus("");

	p->trials = o->trials;
	p->alternate_trials = o->alternate_trials;
	p->slow_factor = o->slow_factor;
	p->slow_call_ns = o->slow_factor ? o->slow_s * INT64_C(1000000000) : 0;
	p->weights_seed = o->seed;
	p->batch_min_ns = KB_HOST_BATCH_MIN_NS;
	p->batch_calls_max = KB_HOST_BATCH_CALLS_MAX;
	p->tensor_bytes_max = (uint64_t)o->tensor_mib * MIB;
}

static void set_launcher(struct kb_launcher *l,
			 const struct kb_session_options *o)
{
	l->memory_bytes = (uint64_t)o->memory_mib * MIB;
	l->log_limit_bytes = (size_t)o->log_kib * 1024;
	l->load_timeout_ns = o->build_timeout_s * INT64_C(1000000000);
	l->run_timeout_ns = o->timeout_s * INT64_C(1000000000);
	/* Beside others a build takes longer than where it is loaded. */
	if (o->slow_factor)
		l->quiet_build_ns = 3 * o->slow_s * INT64_C(1000000000);
	l->threads = (int)o->threads;
	l->closed[0] = o->store;
	l->closed[1] = o->suite_name;
}

/* Slots are descriptors, many of them; and nothing that runs as our own
 * user may look into this process. */
static void prepare_process(void)
{
	struct rlimit r;

	if (!getrlimit(RLIMIT_NOFILE, &r)) {
		r.rlim_cur = r.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &r);
	}
	(void)prctl(PR_SET_DUMPABLE, 0);
	kb_interrupt_catch();
	kb_pause_catch();
}

static int open_suite(struct kb_session *s, struct kb_err *err)
{
	const struct kb_session_options *o = &s->asked;
	struct kb_session_run *run = &s->run;
	int ret = o->open_suite(&run->bundle, &run->suite, o->store,
				o->suite_name, err);

	if (ret < 0)
		return kb_err_wrap(err, "suite '%s'", o->suite_name);
	s->machine.launcher.conventions = run->suite.conventions;
	s->machine.launcher.ranks = (uint32_t)run->suite.world;
	s->machine.launcher.suite_modules = run->suite.modules;
	s->machine.launcher.suite_module_count = run->suite.module_count;
	if (s->machine.gpu.count % (size_t)run->suite.world)
		return kb_err(err, KB_ERR_USAGE,
			      "suite '%s' is of %d ranks: '--device' needs a "
			      "GPU for each, as in cuda:0,cuda:1",
			      o->suite_name, run->suite.world);
	return kb_select(&run->selected, &run->selected_count, &run->suite,
			 o->problem_list, o->level_list, err);
}

/* Hashed once, at the start: what a model was made of must be in the record.
 * Libraries that save models have been seen to leave files that only their
 * owner may read; a worker would find them missing. */
static int open_weights(struct kb_session_machine *m, const char *path,
			struct kb_err *err)
{
	struct kb_launcher *l = &m->launcher;
	const bool for_others = !l->other_user_why_not;
	kb_auto(mem) char *barrier = NULL;
	int ret = kb_tree_digest(&m->weights, path, for_others, err);

	if (ret < 0)
		return kb_err_wrap(err, "weights");
	if (!m->weights.files)
		return kb_err(err, KB_ERR_INPUT, "weights: '%s' has no files",
			      path);
	l->weights = realpath(path, NULL);
	if (!l->weights)
		return kb_err_sys(err, "weights: cannot find '%s'", path);
	barrier = for_others ? kb_launch_barrier(l->weights) : NULL;
	return barrier ? kb_err(err, KB_ERR_INPUT, "weights: '%s' is closed to "
				"other users", barrier) : 0;
}

int kb_session_prepare(struct kb_session *s, const char *tool,
		       const struct kb_option options[], struct kb_err *err)
{
	struct kb_session_options *o = &s->asked;
	struct kb_launcher *l = &s->machine.launcher;
	int ret = check_options(s, options, err);

	if (ret < 0)
		return ret;
	prepare_process();
	ret = kb_session_check_filter(s, err);
	if (ret < 0)
		return ret;
	ret = kb_session_check_limits(o->threads ? (int)o->threads :
					kb_granted_cpus(""), err);
	if (ret < 0)
		return ret;
	ret = kb_launcher_init(l, o->python, o->cc, o->nvcc, err);
	if (ret < 0)
		return ret;
	set_policy(s);
	set_launcher(l, o);
	if (o->suite_name)
		ret = open_suite(s, err);
	/* Once, before there are several processes. */
	if (ret >= 0)
		ret = kb_session_find_torch(s, err);
	if (ret >= 0 && o->weights)
		ret = open_weights(&s->machine, o->weights, err);
	if (ret < 0)
		return ret;

	s->run.conditions.tool = kb_tool_json(tool);
	s->asked.table = options;
	return 0;
}

void kb_session_note_options(struct kb_session *s)
{
	struct kb_conditions *c = &s->run.conditions;

	kb_json_free(c->options);
	c->options = s->asked.table ? kb_options_to_json(s->asked.table) : NULL;
}

int kb_session_open(struct kb_session *s, const char *tool,
		    const struct kb_option options[], struct kb_err *err)
{
	int ret = kb_session_prepare(s, tool, options, err);

	if (ret >= 0 && (s->machine.gpu.is_all || s->machine.gpu.count >
					    s->machine.launcher.ranks))
		return kb_err(err, KB_ERR_USAGE,
			      "option '--device' needs one device here, such as "
			      "cuda:0, not '%s'", s->asked.device);
	if (ret >= 0)
		ret = kb_session_device_open(s, err);
	kb_session_note_options(s);
	return ret;
}

/* Dealt out in turns: levels differ in how long their problems take, and a
 * shard of neighbours would have all slow ones. */
bool kb_session_owns_problem(const struct kb_session *s, size_t i)
{
	const struct kb_session_run *run = &s->run;

	return !run->shard_count || i % run->shard_count == run->shard_index;
}

size_t kb_session_problem_count(const struct kb_session *s)
{
	size_t count = 0;

	for (size_t i = 0; i < s->run.selected_count; i++)
		count += kb_session_owns_problem(s, i);
	return count;
}

int kb_session_check_merge(const struct kb_session *s, size_t done,
			   size_t total, struct kb_err *err)
{
	if (!s->asked.merge_only || done == total)
		return 0;
	if (!done)
		return kb_err(err, KB_ERR_INPUT,
			      "--merge-only: no shard of this run is in store "
			      "'%s': 0 of %zu are done", s->asked.store, total);
	return kb_err(err, KB_ERR_INPUT,
		      "--merge-only: shards have done %zu of %zu: run those "
		      "that are left", done, total);
}

void kb_session_say_shard(const struct kb_session *s)
{
	kb_session_say(s, "shard %s is done; when all are, the same command "
		       "without --shard\nwrites the bundle", s->asked.shard);
}

void kb_session_copy_conditions(const struct kb_session *s,
				struct kb_key **problems,
				size_t *problem_count,
				struct kb_conditions *conditions)
{
	const struct kb_conditions *c = &s->run.conditions;
	const size_t count = s->run.selected_count;

	*problems = kb_xcalloc(count + 1, sizeof(**problems));
	memcpy(*problems, s->run.selected, count * sizeof(**problems));
	*problem_count = count;
	*conditions = (struct kb_conditions){
		.tool = kb_json_copy(c->tool),
		.options = kb_json_copy(c->options),
		.environment = kb_json_copy(c->environment),
		.match_key = kb_json_copy(c->match_key),
		.policy = kb_json_copy(c->policy),
	};
}

/* The journal goes last. Killed between the two, a run finds all results in it
 * and writes the same bundle again. */
int kb_session_commit(struct kb_session *s, struct kb_bundle_writer *w,
		      struct kb_digest *id, struct kb_err *err)
{
	int ret = kb_bundle_writer_commit(w, id, err);

	return ret < 0 ? ret : kb_journal_delete(&s->run.journal, err);
}

static void release_run(struct kb_session_run *run)
{
	free(run->selected);
	for (size_t i = 0; i < run->gpu_id_count; i++)
		free(run->gpu_ids[i]);
	free(run->gpu_ids);
	kb_suite_release(&run->suite);
	kb_bundle_release(&run->bundle);
}

void kb_session_release(struct kb_session *s)
{
	kb_journal_release(&s->run.journal);
	kb_conditions_release(&s->run.conditions);
	kb_launcher_release(&s->machine.launcher);
	kb_session_device_close(&s->machine.gpu);
	release_run(&s->run);
	/* No worker is left; leak checkers want to look. */
	(void)prctl(PR_SET_DUMPABLE, 1);
}
