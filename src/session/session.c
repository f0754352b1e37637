#include "session/session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/interrupt.h"
#include "device/granted.h"
#include "import/pack.h"
#include "json/json.h"
#include "manifest/record.h"
#include "manifest/select.h"
#include "manifest/tool.h"
#include "session/environment.h"

/* On the CPU. What a run costs without calls, and how much that changes, is
 * small beside it. */
#define BATCH_MIN_NS (8 * INT64_C(1000000))
#define BATCH_CALLS_MAX 96
#define MIB ((uint64_t)1 << 20)

#define SHARDS_MAX 10000

/* "2/4": the second of four. */
static int parse_shard(struct kb_session *s, struct kb_err *err)
{
	unsigned long index, count;
	char *end;

	if (!s->shard)
		return 0;
	errno = 0;
	index = strtoul(s->shard, &end, 10);
	count = *end == '/' ? strtoul(end + 1, &end, 10) : 0;
	if (errno || *end || s->shard[0] < '1' || s->shard[0] > '9' ||
	    index > count || count > SHARDS_MAX)
		return kb_err(err, KB_ERR_USAGE,
			      "shard '%s' is not like 2/4: a part, from 1, of "
			      "how many", s->shard);
	s->shard_index = index - 1;
	s->shard_count = count;
	return 0;
}

/* A list of one is what there is without a list. */
static int parse_seeds(struct kb_session *s, struct kb_err *err)
{
	struct kb_seeds *seeds = &s->policy.seeds;
	struct kb_err why = KB_ERR_INIT;

	if (!s->seed_list)
		return 0;
	if (kb_seeds_parse(seeds, s->seed_list, &why) < 0)
		return kb_err(err, KB_ERR_USAGE, "%s", why.msg);
	if (seeds->items[0] != s->seed)
		return kb_err(err, KB_ERR_USAGE,
			      "seeds '%s': the first is not --seed's, which is "
			      "%lld", s->seed_list, (long long)s->seed);
	if (seeds->count == 1)
		seeds->count = 0;
	return 0;
}

static int check_options(struct kb_session *s, struct kb_err *err)
{
	if (parse_shard(s, err) < 0)
		return -KB_ERR_USAGE;
	if (s->shard && s->merge_only)
		return kb_err(err, KB_ERR_USAGE,
			      "--shard and --merge-only exclude each other");
	if (parse_seeds(s, err) < 0 || kb_made_check(&s->made, err) < 0)
		return -KB_ERR_USAGE;
	if (!s->suite_name && !s->suite_optional)
		return kb_err(err, KB_ERR_USAGE, "no --suite given");
	if (kb_session_device_parse(s, err) < 0)
		return -KB_ERR_USAGE;
	return kb_tolerance_policy_find(&s->policy.tolerance, s->tolerance,
					err);
}

static void set_policy(struct kb_session *s)
{
	const uint64_t total_mib = kb_granted_memory_bytes("") / MIB;

	s->memory_is_asked = s->memory_mib;
	s->tensors_are_asked = s->tensor_mib;
	if (!s->memory_mib)
		s->memory_mib = (int64_t)(total_mib / 4 * 3);
	if (!s->tensor_mib && !s->gpu.is_cuda)
		s->tensor_mib = (int64_t)(total_mib / 4);
	if (!s->threads)
		s->threads = kb_granted_cpus("");

	s->policy.trials = s->trials;
	s->policy.alternate_trials = s->alternate_trials;
	s->policy.weights_seed = s->seed;
	s->policy.batch_min_ns = BATCH_MIN_NS;
	s->policy.batch_calls_max = BATCH_CALLS_MAX;
	s->policy.tensor_bytes_max = (uint64_t)s->tensor_mib * MIB;

	s->launcher.memory_bytes = (uint64_t)s->memory_mib * MIB;
	s->launcher.log_limit_bytes = (size_t)s->log_kib * 1024;
	s->launcher.load_timeout_ns = s->build_timeout_s * INT64_C(1000000000);
	s->launcher.run_timeout_ns = s->timeout_s * INT64_C(1000000000);
	s->launcher.threads = (int)s->threads;
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
}

static int open_suite(struct kb_session *s, struct kb_err *err)
{
	int ret = kb_suite_open(&s->bundle, &s->suite, s->store, s->suite_name,
				err);

	if (ret < 0)
		return kb_err_wrap(err, "suite '%s'", s->suite_name);
	return kb_select(&s->selected, &s->selected_count, &s->suite,
			 s->problem_list, s->level_list, err);
}

/* Hashed once, at the start: what a model was made of must be in the record.
 * Libraries that save models have been seen to leave files that only their
 * owner may read; a worker would find them missing. */
static int open_weights(struct kb_session *s, struct kb_err *err)
{
	const bool for_others = !s->launcher.other_user_why_not;
	kb_auto(mem) char *barrier = NULL;
	int ret = kb_tree_digest(&s->tree, s->weights, for_others, err);

	if (ret < 0)
		return kb_err_wrap(err, "weights");
	if (!s->tree.files)
		return kb_err(err, KB_ERR_INPUT, "weights: '%s' has no files",
			      s->weights);
	s->launcher.weights = realpath(s->weights, NULL);
	if (!s->launcher.weights)
		return kb_err_sys(err, "weights: cannot find '%s'", s->weights);
	barrier = for_others ? kb_launch_barrier(s->launcher.weights) : NULL;
	return barrier ? kb_err(err, KB_ERR_INPUT, "weights: '%s' is closed to "
				"other users", barrier) : 0;
}

int kb_session_prepare(struct kb_session *s, const char *tool,
		       const struct kb_option options[], struct kb_err *err)
{
	int ret = check_options(s, err);

	if (ret < 0)
		return ret;
	prepare_process();
	ret = kb_launcher_init(&s->launcher, s->python, s->cc, s->nvcc, err);
	if (ret < 0)
		return ret;
	set_policy(s);
	if (s->suite_name)
		ret = open_suite(s, err);
	/* Once, before there are several processes. */
	if (ret >= 0)
		ret = kb_session_find_torch(s, err);
	if (ret >= 0 && s->weights)
		ret = open_weights(s, err);
	if (ret < 0)
		return ret;

	s->conditions.tool = kb_tool_json(tool);
	s->options = options;
	return 0;
}

void kb_session_note_options(struct kb_session *s)
{
	kb_json_free(s->conditions.options);
	s->conditions.options = s->options ? kb_options_to_json(s->options)
					   : NULL;
}

int kb_session_open(struct kb_session *s, const char *tool,
		    const struct kb_option options[], struct kb_err *err)
{
	int ret = kb_session_prepare(s, tool, options, err);

	if (ret >= 0 && (s->gpu.is_all || s->gpu.count > 1))
		return kb_err(err, KB_ERR_USAGE,
			      "device '%s': this takes one", s->device);
	if (ret >= 0)
		ret = kb_session_device_open(s, err);
	kb_session_note_options(s);
	return ret;
}

bool kb_session_does(const struct kb_session *s, size_t i)
{
	return !s->shard_count || i % s->shard_count == s->shard_index;
}

size_t kb_session_problem_count(const struct kb_session *s)
{
	size_t count = 0;

	for (size_t i = 0; i < s->selected_count; i++)
		count += kb_session_does(s, i);
	return count;
}

int kb_session_check_merge(const struct kb_session *s, size_t done,
			   size_t total, struct kb_err *err)
{
	if (!s->merge_only || done == total)
		return 0;
	return kb_err(err, KB_ERR_INPUT,
		      "--merge-only: shards have done %zu of %zu", done, total);
}

void kb_session_print_shard(const struct kb_session *s)
{
	fprintf(stderr, "shard %s is done; when all are, the same command "
		"without --shard\nwrites the bundle\n", s->shard);
}

void kb_session_hand_out(const struct kb_session *s, struct kb_key **problems,
			 size_t *problem_count,
			 struct kb_conditions *conditions)
{
	const struct kb_conditions *c = &s->conditions;

	*problems = kb_xcalloc(s->selected_count + 1, sizeof(**problems));
	memcpy(*problems, s->selected, s->selected_count * sizeof(**problems));
	*problem_count = s->selected_count;
	*conditions = (struct kb_conditions){
		.tool = kb_json_copy(c->tool),
		.options = kb_json_copy(c->options),
		.environment = kb_json_copy(c->environment),
		.match_key = kb_json_copy(c->match_key),
		.policy = kb_json_copy(c->policy),
	};
}

int kb_session_commit(struct kb_session *s, struct kb_bundle_writer *w,
		      struct kb_digest *id, struct kb_err *err)
{
	int ret = kb_bundle_writer_commit(w, id, err);

	return ret < 0 ? ret : kb_journal_delete(&s->journal, err);
}

void kb_session_release(struct kb_session *s)
{
	kb_journal_release(&s->journal);
	kb_conditions_release(&s->conditions);
	kb_launcher_release(&s->launcher);
	kb_session_device_close(&s->gpu);
	free(s->selected);
	for (size_t i = 0; i < s->gpu_id_count; i++)
		free(s->gpu_ids[i]);
	free(s->gpu_ids);
	kb_suite_release(&s->suite);
	kb_bundle_release(&s->bundle);
	/* No worker is left; leak checkers want to look. */
	(void)prctl(PR_SET_DUMPABLE, 1);
}
