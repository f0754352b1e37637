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
#include "device/match_key.h"
#include "import/pack.h"
#include "json/json.h"
#include "manifest/record.h"
#include "manifest/select.h"
#include "manifest/tool.h"
#include "worker/python.h"

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

enum need {
	NOT_NEEDED,
	NICE_TO_HAVE,
	NEEDED,
};

/*
 * A runtime is needed if something selected is of it. If only the rest of
 * the suite is, its facts are recorded where they can be, so that baselines
 * and evaluations of one suite have the same facts to compare.
 */
static enum need need_of(const struct kb_session *s, enum kb_runtime runtime)
{
	for (size_t i = 0; i < s->selected_count; i++)
		if (kb_suite_find(&s->suite, s->selected[i])->runtime ==
		    runtime)
			return NEEDED;
	for (size_t i = 0; i < s->suite.problem_count; i++)
		if (s->suite.problems[i].runtime == runtime)
			return NICE_TO_HAVE;
	return NOT_NEEDED;
}

/* Said if it was looked for: what it is decides what is measured. */
static int find_torch(struct kb_session *s, struct kb_err *err)
{
	const int ret = kb_launcher_find_torch(&s->launcher, err);

	if (ret > 0)
		fprintf(stderr, "note: torch is that of '%s'\n",
			s->launcher.python);
	return ret;
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
	if (ret >= 0 && need_of(s, KB_RUNTIME_TORCH) != NOT_NEEDED)
		ret = find_torch(s, err);
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

static struct kb_json *policy_record(const struct kb_session *s)
{
	kb_auto(mem) char *flags = kb_native_build_flags(&s->launcher);
	struct kb_json *v = kb_policy_to_json(&s->policy);

	kb_json_set_int(v, "run_timeout_ns", s->launcher.run_timeout_ns);
	kb_json_set_int(v, "build_timeout_ns", s->launcher.load_timeout_ns);
	kb_json_set_int(v, "memory_bytes", (int64_t)s->launcher.memory_bytes);
	kb_json_set_int(v, "log_limit_bytes",
			(int64_t)s->launcher.log_limit_bytes);
	kb_json_set_int(v, "threads", s->launcher.threads);
	kb_json_set_string(v, "native_flags", flags);
	if (s->gpu.is_cuda) {
		kb_json_set_string(v, "precision", s->precision);
		kb_json_set_string(v, "tf32", s->tf32);
		kb_json_set_string(v, "deterministic", s->deterministic);
	}
	return v;
}

/* Move `member` of the runtime's facts into a section; null facts are
 * facts that this torch does not have. */
static void move_fact(struct kb_json *section, const char *name,
		      const struct kb_json *facts, const char *member)
{
	const struct kb_json *v = kb_json_find(facts, member);

	if (!v || kb_json_type(v) == KB_JSON_NULL)
		kb_json_set(section, name,
			    kb_unavailable("not part of this installation"));
	else
		kb_json_set(section, name, kb_json_copy(v));
}

static void set_weights(struct kb_json *torch, const struct kb_session *s)
{
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(&s->tree.digest, hex);
	kb_json_set_string(torch, "weights_sha256", hex);
	kb_json_set_int(torch, "weights_files_count", (int64_t)s->tree.files);
	kb_json_set_int(torch, "weights_bytes", (int64_t)s->tree.size_bytes);
}

static void set_torch_sections(struct kb_json *environment,
			       const struct kb_json *facts,
			       const struct kb_session *s)
{
	struct kb_json *python = kb_json_object(), *torch = kb_json_object();

	kb_json_set_string(python, "path", s->launcher.python);
	move_fact(python, "version", facts, "python_version");
	move_fact(python, "implementation", facts, "python_implementation");
	move_fact(python, "numpy_version", facts, "numpy_version");
	kb_json_set(environment, "python", python);

	move_fact(torch, "version", facts, "torch_version");
	move_fact(torch, "cuda_version", facts, "torch_cuda_version");
	move_fact(torch, "cudnn_version", facts, "torch_cudnn_version");
	move_fact(torch, "threads_count", facts, "torch_threads_count");
	move_fact(torch, "build", facts, "torch_build");
	move_fact(torch, "parallel", facts, "torch_parallel");
	if (s->gpu.is_cuda) {
		move_fact(torch, "triton_version", facts, "triton_version");
		move_fact(torch, "transformers_version", facts,
			  "transformers_version");
		kb_json_set_string(torch, "precision", s->precision);
		kb_json_set_string(torch, "tf32", s->tf32);
		kb_json_set_string(torch, "deterministic", s->deterministic);
	}
	if (s->weights)
		set_weights(torch, s);
	kb_json_set(environment, "torch", torch);
}

static void set_unavailable(struct kb_json *environment, const char *section,
			    const char *why)
{
	kb_json_set(environment, section, kb_unavailable(why));
}

/* An interpreter without a torch that works says why, and what it is. */
static int note_torch_facts(struct kb_json *environment,
			    const struct kb_json *facts,
			    const struct kb_session *s, enum need need,
			    struct kb_err *err)
{
	const struct kb_json *error = kb_json_find(facts, "torch_error");

	if (!error || kb_json_type(error) != KB_JSON_STRING) {
		set_torch_sections(environment, facts, s);
		return 0;
	}
	if (need == NEEDED && s->launcher.python_tried)
		return kb_err(err, KB_ERR_MISSING,
			      "no Python with torch: tried %s; name one with "
			      "--python or KB_PYTHON",
			      s->launcher.python_tried);
	if (need == NEEDED)
		return kb_err(err, KB_ERR_MISSING,
			      "'%s' has no torch: %s; --python or KB_PYTHON "
			      "names another", s->launcher.python,
			      kb_json_string_value(error));
	set_unavailable(environment, "python", "not used");
	set_unavailable(environment, "torch", kb_json_string_value(error));
	return 0;
}

/* It costs time only, but more of it than anything else. */
static void warn_of_bytecode(const struct kb_session *s,
			     const struct kb_json *facts)
{
	const struct kb_json *folder =
		kb_json_find(facts, "torch_without_bytecode");

	if (folder && kb_json_type(folder) == KB_JSON_STRING && !s->is_quiet)
		fprintf(stderr, "note: each worker takes seconds to compile "
			"torch, which is here without bytecode; once, as its "
			"owner: %s -m compileall -q %s\n", s->launcher.python,
			kb_json_string_value(folder));
}

static int note_torch(struct kb_json *environment, struct kb_session *s,
		      enum need need, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	kb_auto(json) struct kb_json *facts = NULL;
	struct kb_err why = KB_ERR_INIT;
	int ret;

	if (need == NOT_NEEDED) {
		set_unavailable(environment, "python", "not used");
		set_unavailable(environment, "torch", "not used");
		return kb_session_device_note_cuda(s, environment, NULL, err);
	}
	ret = kb_launch_torch_facts(&text, &s->launcher, &why);
	if (ret < 0 && ret != -KB_ERR_INTERRUPTED && need == NICE_TO_HAVE) {
		set_unavailable(environment, "python", why.msg);
		set_unavailable(environment, "torch", why.msg);
		return kb_session_device_note_cuda(s, environment, NULL, err);
	}
	if (ret >= 0)
		ret = kb_json_parse(&facts, text.data, text.len, KB_JSON_OURS,
				    "what the torch runtime says of itself",
				    &why);
	if (ret < 0)
		return kb_err_take(err, &why);
	ret = note_torch_facts(environment, facts, s, need, err);
	if (ret >= 0 && need == NEEDED)
		warn_of_bytecode(s, facts);
	return ret < 0 ? ret : kb_session_device_note_cuda(s, environment,
							   facts, err);
}

static int note_compiler(struct kb_json *environment, struct kb_session *s,
			 enum need need, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf version = KB_BUF_INIT;
	struct kb_err why = KB_ERR_INIT;
	struct kb_json *section;
	int ret = kb_launch_compiler_version(&version, &s->launcher, &why);

	if (ret == -KB_ERR_MISSING && need != NEEDED) {
		set_unavailable(environment, "compiler", why.msg);
		return 0;
	}
	if (ret < 0)
		return kb_err_take(err, &why);
	section = kb_json_object();
	kb_json_set_string(section, "path", s->launcher.cc);
	kb_json_set_string(section, "version", version.data);
	kb_json_set(environment, "compiler", section);
	return 0;
}

/* The last worker's: each gets the same. */
static void note_isolation(struct kb_json *environment,
			   const struct kb_session *s)
{
	struct kb_json *v = kb_features_to_json(s->launcher.features);

	if (s->launcher.other_user_why_not)
		kb_json_set_string(v, "other_user_why_not",
				   s->launcher.other_user_why_not);
	kb_json_set(environment, "isolation", v);
}

/* Not a refusal: whoever runs containers as root has no other choice. */
static void warn_of_user(const struct kb_session *s)
{
	if (geteuid() == 0 && s->launcher.other_user_why_not && !s->is_quiet)
		fprintf(stderr, "warning: candidates run as user 0, because "
			"%s; see SECURITY.md\n",
			s->launcher.other_user_why_not);
}

int kb_session_note_conditions(struct kb_session *s, bool torch, bool native,
			       struct kb_err *err)
{
	const enum need torch_need = torch ? NEEDED
					   : need_of(s, KB_RUNTIME_TORCH);
	const enum need native_need = native && !s->gpu.is_cuda ? NEEDED
					     : need_of(s, KB_RUNTIME_NATIVE);
	struct kb_json *environment = kb_session_device_environment(s);
	int ret = 0;

	s->conditions.environment = environment;
	if (torch_need != NOT_NEEDED)
		ret = find_torch(s, err);
	if (ret < 0)
		return ret;
	kb_launcher_choose_user(&s->launcher, torch_need != NOT_NEEDED,
				native_need != NOT_NEEDED);
	ret = note_torch(environment, s, torch_need, err);
	if (ret >= 0)
		ret = note_compiler(environment, s, native_need, err);
	if (ret < 0)
		return ret;
	note_isolation(environment, s);
	warn_of_user(s);
	s->conditions.policy = policy_record(s);
	s->conditions.match_key = kb_match_key_of(environment,
						  s->conditions.policy);
	return 0;
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
