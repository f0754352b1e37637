#include "session/environment.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "device/match_fields.h"
#include "device/match_key.h"
#include "json/json.h"
#include "session/isolation.h"
#include "session/session.h"
#include "source/runtime.h"
#include "worker/python.h"
#include "worker/variables.h"
#include "worker/view.h"

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
static enum need need_of(const struct kb_session_run *run,
			 enum kb_runtime runtime)
{
	const struct kb_suite *suite = &run->suite;

	for (size_t i = 0; i < run->selected_count; i++)
		if (kb_suite_find(suite, run->selected[i])->runtime == runtime)
			return NEEDED;
	for (size_t i = 0; i < suite->problem_count; i++)
		if (suite->problems[i].runtime == runtime)
			return NICE_TO_HAVE;
	return NOT_NEEDED;
}

/* Said if it was looked for: what it is decides what is measured. */
static int find_torch(struct kb_session *s, struct kb_err *err)
{
	struct kb_launcher *l = &s->machine.launcher;
	const int ret = kb_launcher_find_torch(l, err);

	if (ret > 0)
		kb_session_say(s, "note: torch is that of '%s'", l->python);
	return ret;
}

int kb_session_find_torch(struct kb_session *s, struct kb_err *err)
{
	return need_of(&s->run, KB_RUNTIME_TORCH) == NOT_NEEDED ? 0 :
		find_torch(s, err);
}

/* How torch computes on a GPU, where that is a choice. */
static void set_torch_modes(struct kb_json *v,
			    const struct kb_session_options *o)
{
	kb_json_set_string(v, "precision", o->precision);
	kb_json_set_string(v, "tf32", o->tf32);
	kb_json_set_string(v, "deterministic", o->deterministic);
}

static struct kb_json *policy_record(const struct kb_session *s)
{
	const struct kb_launcher *l = &s->machine.launcher;
	kb_auto(mem) char *flags = kb_native_build_flags(l);
	struct kb_json *v = kb_policy_to_json(&s->run.policy);

	kb_json_set_int(v, "run_timeout_ns", l->run_timeout_ns);
	kb_json_set_int(v, "build_timeout_ns", l->load_timeout_ns);
	kb_json_set_int(v, "memory_bytes", (int64_t)l->memory_bytes);
	kb_json_set_int(v, "log_limit_bytes", (int64_t)l->log_limit_bytes);
	kb_json_set_int(v, "threads", l->threads);
	kb_json_set_string(v, "native_flags", flags);
	if (s->asked.like)
		kb_json_set_string(v, "like", s->asked.like);
	kb_session_record_sandbox(v, s);
	if (s->machine.gpu.is_cuda)
		set_torch_modes(v, &s->asked);
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

static void set_weights(struct kb_json *torch, const struct kb_tree *weights)
{
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(&weights->digest, hex);
	kb_json_set_string(torch, "weights_sha256", hex);
	kb_json_set_int(torch, "weights_files_count", (int64_t)weights->files);
	kb_json_set_int(torch, "weights_bytes", (int64_t)weights->size_bytes);
}

/* The versions of languages for kernels, which decide the results. */
static const struct kb_match_field languages[] = {
	{ "torch", "triton_version" }, { "torch", "helion_version" },
	{ "torch", "tilelang_version" }, { "torch", "apache_tvm_ffi_version" },
	{ "torch", "nvidia_cutlass_dsl_version" },
	{ "torch", "cuda_tile_version" }, { "torch", "cupy_version" },
	{ "torch", "thunderkittens_commit" },
};

struct kb_json *kb_environment_languages(const struct kb_json *environment)
{
	return kb_match_fields(environment, languages, KB_ARRAY_LEN(languages));
}

static void set_torch_sections(struct kb_json *environment,
			       const struct kb_json *facts,
			       const struct kb_session *s)
{
	struct kb_json *python = kb_json_object(), *torch = kb_json_object();

	kb_json_set_string(python, "path", s->machine.launcher.python);
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
	if (s->machine.gpu.is_cuda) {
		for (size_t i = 0; i < KB_ARRAY_LEN(languages); i++)
			move_fact(torch, languages[i].fact, facts,
				  languages[i].fact);
		move_fact(torch, "transformers_version", facts,
			  "transformers_version");
		set_torch_modes(torch, &s->asked);
	}
	if (s->asked.weights)
		set_weights(torch, &s->machine.weights);
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
	const struct kb_launcher *l = &s->machine.launcher;
	const char *error = kb_json_text(facts, "torch_error");

	if (!error) {
		set_torch_sections(environment, facts, s);
		return 0;
	}
	if (need == NEEDED && l->python_tried)
		return kb_err(err, KB_ERR_MISSING,
			      "no Python with torch: tried %s; name one with "
			      "--python or KB_PYTHON", l->python_tried);
	if (need == NEEDED)
		return kb_err(err, KB_ERR_MISSING,
			      "'%s' has no torch: %s; --python or KB_PYTHON "
			      "names another", l->python, error);
	set_unavailable(environment, "python", "not used");
	set_unavailable(environment, "torch", error);
	return 0;
}

/* It costs time only, but more of it than anything else. */
static void warn_of_bytecode(const struct kb_session *s,
			     const struct kb_json *facts)
{
	const char *folder = kb_json_text(facts, "torch_without_bytecode");

	if (folder && !s->is_quiet)
		kb_session_say(s, "note: each worker takes seconds to compile "
			       "torch, which is here without bytecode; once, "
			       "as its owner: %s -m compileall -q %s",
			       s->machine.launcher.python, folder);
}

static void note_torch_memory(struct kb_session *s, const struct kb_json *facts)
{
	const struct kb_json *v = kb_json_find(facts, "torch_address_bytes");

	if (v && kb_json_type(v) == KB_JSON_INT)
		s->machine.torch_address_bytes = kb_json_int_value(v);
}

int kb_session_check_memory(const struct kb_session *s, struct kb_err *err)
{
	const struct kb_launcher *l = &s->machine.launcher;
	const int64_t wanted = s->machine.torch_address_bytes;

	if (l->cuda || wanted <= (int64_t)l->memory_bytes)
		return 0;
	return kb_err(err, KB_ERR_USAGE,
		      "importing torch takes %" PRId64 " MiB of addresses, "
		      "--memory-mib allows %" PRIu64,
		      (wanted + (1 << 20) - 1) >> 20, l->memory_bytes >> 20);
}

/* Python loads our library from there, and extensions that it builds. */
int kb_session_check_exec(const struct kb_session *s, struct kb_err *err)
{
	const struct kb_scratch *scratch = &s->machine.launcher.scratch;

	if (!scratch->is_noexec)
		return 0;
	return kb_err(err, KB_ERR_SYS, "'%.*s' is mounted noexec, and torch's "
		      "workers load libraries from there: set TMPDIR to a "
		      "directory that is not",
		      (int)(strrchr(scratch->root, '/') - scratch->root),
		      scratch->root);
}

static int note_torch(struct kb_json *environment, struct kb_session *s,
		      enum need need, struct kb_err *err)
{
	kb_auto(json) struct kb_json *facts = NULL;
	struct kb_err why = KB_ERR_INIT;
	int ret;

	if (need == NOT_NEEDED) {
		set_unavailable(environment, "python", "not used");
		set_unavailable(environment, "torch", "not used");
		return kb_session_device_note_cuda(s, environment, NULL, err);
	}
	if (need == NEEDED && kb_session_check_exec(s, err) < 0)
		return -KB_ERR_SYS;
	ret = kb_launch_torch_facts(&facts, &s->machine.launcher, &why);
	if (ret < 0 && ret != -KB_ERR_INTERRUPTED && need == NICE_TO_HAVE) {
		set_unavailable(environment, "python", why.msg);
		set_unavailable(environment, "torch", why.msg);
		return kb_session_device_note_cuda(s, environment, NULL, err);
	}
	if (ret < 0)
		return kb_err_take(err, &why);
	ret = note_torch_facts(environment, facts, s, need, err);
	if (ret >= 0 && need == NEEDED)
		warn_of_bytecode(s, facts);
	note_torch_memory(s, facts);
	return ret < 0 ? ret : kb_session_device_note_cuda(s, environment,
							   facts, err);
}

static int note_compiler(struct kb_json *environment,
			 struct kb_launcher *l, enum need need,
			 struct kb_err *err)
{
	kb_auto(buf) struct kb_buf version = KB_BUF_INIT;
	struct kb_err why = KB_ERR_INIT;
	struct kb_json *section;
	int ret = kb_launch_compiler_version(&version, l, &why);

	if (ret == -KB_ERR_MISSING && need != NEEDED) {
		set_unavailable(environment, "compiler", why.msg);
		return 0;
	}
	if (ret < 0)
		return kb_err_take(err, &why);
	section = kb_json_object();
	kb_json_set_string(section, "path", l->cc);
	kb_json_set_string(section, "version", version.data);
	kb_json_set(environment, "compiler", section);
	return 0;
}

static void note_variables(struct kb_json *environment)
{
	struct kb_json *v = kb_variables_to_json();

	if (v)
		kb_json_set(environment, "variables", v);
}

int kb_session_note_conditions(struct kb_session *s, bool torch, bool native,
			       struct kb_err *err)
{
	struct kb_launcher *l = &s->machine.launcher;
	struct kb_conditions *c = &s->run.conditions;
	const enum need torch_need =
		torch ? NEEDED : need_of(&s->run, KB_RUNTIME_TORCH);
	const enum need native_need = native && !s->machine.gpu.is_cuda ?
		NEEDED : need_of(&s->run, KB_RUNTIME_NATIVE);
	int ret = 0;

	c->environment = kb_session_device_environment(s);
	if (torch_need != NOT_NEEDED)
		ret = find_torch(s, err);
	if (ret < 0)
		return ret;
	kb_launcher_choose_user(l, torch_need != NOT_NEEDED,
				native_need != NOT_NEEDED);
	kb_launcher_plan_root(l, torch_need != NOT_NEEDED);
	ret = note_torch(c->environment, s, torch_need, err);
	if (ret >= 0)
		ret = note_compiler(c->environment, l, native_need, err);
	if (ret < 0)
		return ret;
	note_variables(c->environment);
	ret = kb_session_note_isolation(s, err);
	if (ret < 0)
		return ret;
	c->policy = policy_record(s);
	c->match_key = kb_match_key_of(c->environment, c->policy);
	return 0;
}

