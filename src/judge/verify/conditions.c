#include "verify/conditions.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "device/tolerance.h"
#include "json/json.h"
#include "manifest/conditions.h"
#include "manifest/like.h"
#include "manifest/policy_options.h"
#include "measure/policy.h"
#include "measure/stopping.h"
#include "verify/checks.h"
#include "verify/facts.h"
#include "verify/gpus.h"
#include "verify/key.h"

#define add(c, what, answer, ...)					\
	kb_checks_add(c, KB_LAYER_ARITHMETIC, what, answer, __VA_ARGS__)

static bool is_cuda(const struct kb_conditions *k)
{
	return kb_json_text_is(kb_json_find(k->environment, "device"), "kind",
			       "cuda");
}

/* --- policy ----------------------------------------------------------- */

#define OF_AUDIT (1u << KB_KIND_AUDIT)
#define OF_RUN (1u << KB_KIND_BASELINE | 1u << KB_KIND_EVALUATION)
#define OF_EVALUATION (1u << KB_KIND_EVALUATION)
#define OF_ALL (OF_AUDIT | OF_RUN)

enum presence {
	ALWAYS,
	ON_CUDA,			/* there, and only there */
	SOMETIMES,
};

/* More than any list of problems that a suite can have selected. */
#define OPTION_NAME_MAX 64
#define OPTION_BYTES_MAX (256 * 1024)

static const char *const acceptance[] = { "accept", NULL };
static const char *const of_tensor[] = { KB_TOLERANCE_OF_TENSOR, NULL };
static const char *const own[] = { "own", NULL };
static const char *const sandboxes[] = { "off", "strict", NULL };
static const char *const caches[] = { "evicted before a batch", NULL };

/* The members that a stage writes. A member that no stage writes would be read
 * by nobody, and could say of a record whatever its forger likes; so each is
 * there only where the stage writes it, with its type and one of its words. */
static const struct member {
	const char *name;
	unsigned kinds;
	enum presence presence;
	enum kb_json_type type;
	const char *const *words;	/* that there are; NULL: any */
} members[] = {
	{ "tolerance", OF_ALL, ALWAYS, KB_JSON_STRING, NULL },
	{ "weights_seed", OF_ALL, ALWAYS, KB_JSON_INT, NULL },
	{ "memory_bytes", OF_ALL, ALWAYS, KB_JSON_INT, NULL },
	{ "log_limit_bytes", OF_ALL, ALWAYS, KB_JSON_INT, NULL },
	{ "threads", OF_ALL, ALWAYS, KB_JSON_INT, NULL },
	{ "sandbox", OF_ALL, SOMETIMES, KB_JSON_STRING, sandboxes },

	{ "operations", OF_AUDIT, ALWAYS, KB_JSON_INT, NULL },
	{ "budget_ns", OF_AUDIT, ALWAYS, KB_JSON_INT, NULL },
	{ "timeout_ns", OF_AUDIT, ALWAYS, KB_JSON_INT, NULL },
	{ "reduced_sha256", OF_AUDIT, SOMETIMES, KB_JSON_STRING, NULL },

	{ "tolerance_of", OF_RUN, SOMETIMES, KB_JSON_STRING, of_tensor },
	{ "error_multiple", OF_RUN, SOMETIMES, KB_JSON_INT, NULL },
	{ "trials", OF_RUN, ALWAYS, KB_JSON_INT, NULL },
	{ "alternate_trials", OF_RUN, ALWAYS, KB_JSON_INT, NULL },
	{ "seeds", OF_EVALUATION, SOMETIMES, KB_JSON_STRING, NULL },
	{ "like", OF_RUN, SOMETIMES, KB_JSON_STRING, kb_like_names },
	{ "in_place", OF_EVALUATION, SOMETIMES, KB_JSON_STRING, acceptance },
	{ "candidate_weights", OF_EVALUATION, SOMETIMES, KB_JSON_STRING, own },
	{ "stopping_rule", OF_EVALUATION, SOMETIMES, KB_JSON_INT, NULL },
	{ "slow_factor", OF_EVALUATION, SOMETIMES, KB_JSON_INT, NULL },
	{ "slow_call_ns", OF_EVALUATION, SOMETIMES, KB_JSON_INT, NULL },
	{ "batch_min_ns", OF_RUN, ALWAYS, KB_JSON_INT, NULL },
	{ "batch_calls_max", OF_RUN, ALWAYS, KB_JSON_INT, NULL },
	{ "tensor_bytes_max", OF_RUN, ALWAYS, KB_JSON_INT, NULL },
	{ "clock", OF_RUN, ALWAYS, KB_JSON_STRING, NULL },
	{ "one_call_pairs", OF_RUN, ALWAYS, KB_JSON_INT, NULL },
	{ "one_call_pairs_max", OF_RUN, ALWAYS, KB_JSON_INT, NULL },
	{ "run_timeout_ns", OF_RUN, ALWAYS, KB_JSON_INT, NULL },
	{ "build_timeout_ns", OF_RUN, ALWAYS, KB_JSON_INT, NULL },
	{ "native_flags", OF_RUN, ALWAYS, KB_JSON_STRING, NULL },
	{ "alone_runs", OF_RUN, ON_CUDA, KB_JSON_INT, NULL },
	{ "trials_max", OF_RUN, ON_CUDA, KB_JSON_INT, NULL },
	{ "interval_ppm", OF_RUN, ON_CUDA, KB_JSON_INT, NULL },
	{ "budget_ns", OF_RUN, ON_CUDA, KB_JSON_INT, NULL },
	{ "output_pool_bytes", OF_RUN, ON_CUDA, KB_JSON_INT, NULL },
	{ "l2_cache", OF_RUN, ON_CUDA, KB_JSON_STRING, caches },
	{ "precision", OF_RUN, ON_CUDA, KB_JSON_STRING, kb_precision_words },
	{ "tf32", OF_RUN, ON_CUDA, KB_JSON_STRING, kb_tf32_words },
	{ "deterministic", OF_RUN, ON_CUDA, KB_JSON_STRING, kb_switch_words },
};

/* Options of audits, in addition to kb_policy_options. */
static const struct kb_policy_option audit_options[] = {
	{ "operations", "operations", 1 },
	{ "timeout_ns", "timeout", KB_NS_PER_S },
	{ NULL, NULL, 0 },
};

struct policy {
	struct kb_checks *checks;
	const struct kb_conditions *conditions;
	enum kb_kind kind;
	bool is_cuda;
};

static void refuse(const struct policy *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void refuse(const struct policy *p, const char *fmt, ...)
{
	char words[KB_ERR_MSG_MAX];
	va_list args;

	va_start(args, fmt);
	vsnprintf(words, sizeof(words), fmt, args);
	va_end(args);
	add(p->checks, "policy", KB_ANSWER_NO, "%s", words);
}

static const struct member *find_member(const struct policy *p,
					const char *name)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(members); i++)
		if (members[i].kinds & 1u << p->kind &&
		    !strcmp(members[i].name, name))
			return &members[i];
	return NULL;
}

static void check_word(const struct policy *p, const struct member *m,
		       const char *word)
{
	for (size_t i = 0; m->words && m->words[i]; i++)
		if (!strcmp(word, m->words[i]))
			return;
	if (m->words)
		refuse(p, "'%s' is '%s', which there is not", m->name, word);
}

/* A member that is there. */
static void check_member(const struct policy *p, const struct kb_json *v)
{
	const struct member *m = find_member(p, kb_json_key(v));

	if (!m || (m->presence == ON_CUDA && !p->is_cuda)) {
		refuse(p, "'%s' is not written by this stage on such a device",
		       kb_json_key(v));
	} else if (kb_json_type(v) != m->type) {
		refuse(p, "'%s' is not %s", m->name,
		       kb_json_type_name(m->type));
	} else if (m->type == KB_JSON_STRING) {
		check_word(p, m, kb_json_string_value(v));
	} else if (kb_json_int_value(v) < 0) {
		refuse(p, "'%s' is below 0", m->name);
	}
}

static void check_presence(const struct policy *p)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(members); i++) {
		const struct member *m = &members[i];

		if (!(m->kinds & 1u << p->kind) || m->presence == SOMETIMES ||
		    (m->presence == ON_CUDA && !p->is_cuda) ||
		    kb_json_find(p->conditions->policy, m->name))
			continue;
		refuse(p, "'%s' is not there, which this stage always writes",
		       m->name);
	}
}

/* The policy's member as its option has it: in the unit of the option, and
 * as text. The caller frees. */
static char *as_option(const struct kb_json *v, int64_t unit)
{
	int64_t i;

	if (kb_json_type(v) == KB_JSON_STRING)
		return kb_xstrdup(kb_json_string_value(v));
	i = kb_json_type(v) == KB_JSON_INT ? kb_json_int_value(v) : 0;
	if (unit > 1 && i % unit)
		return kb_xasprintf("%" PRId64 " / %" PRId64, i, unit);
	return kb_xasprintf("%" PRId64, unit ? i / unit : i);
}

/* More trials at least than at most are as many at most. */
static bool is_raised(const struct policy *p, const char *member,
		      const char *text)
{
	const char *trials = kb_json_text(p->conditions->options, "trials");

	return !strcmp(member, "trials_max") && trials &&
	       !strcmp(text, trials);
}

/* The value of an option, as text; the caller frees. NULL: there is none. The
 * seed of weights is the first of the list, which earlier releases had beside
 * it. */
static char *option_text(const struct policy *p, const char *option)
{
	const char *text = kb_json_text(p->conditions->options, option);
	const char *seeds = kb_json_text(p->conditions->options, "seeds");

	if (text)
		return kb_xstrdup(text);
	if (seeds && !strcmp(option, "seed"))
		return kb_xstrndup(seeds, strcspn(seeds, ","));
	return NULL;
}

static void check_options(const struct policy *p,
			  const struct kb_policy_option *o)
{
	for (; o->member; o++) {
		const struct kb_json *v = kb_json_find(p->conditions->policy,
						       o->member);
		kb_auto(mem) char *option = option_text(p, o->option);
		kb_auto(mem) char *text = v ? as_option(v, o->unit) : NULL;

		/* Baselines have no candidates, so they make no alternate
		 * trials. */
		if (!v || (p->kind == KB_KIND_BASELINE &&
			   !strcmp(o->member, "alternate_trials")))
			continue;
		if (!option)
			refuse(p, "'%s' is there, and no option '%s', which "
			       "it follows from", o->member, o->option);
		else if (strcmp(text, option) && !is_raised(p, o->member, text))
			refuse(p, "'%s' is '%s' in the unit of the option "
			       "'%s', which is '%s'", o->member, text,
			       o->option, option);
	}
}

/* `absent` is a value that passes the comparison it is for: that a member is
 * not there is said by check_presence(). */
static int64_t int_of(const struct policy *p, const char *name, int64_t absent)
{
	return kb_json_int_or(p->conditions->policy, name, absent);
}

static void check_tolerance(const struct policy *p)
{
	const char *name = kb_json_text(p->conditions->policy, "tolerance");
	const struct kb_tolerance_policy *tolerance;
	struct kb_err why = KB_ERR_INIT;

	if (!name)
		return;
	if (kb_tolerance_policy_find(&tolerance, name, &why) < 0)
		refuse(p, "%s", why.msg);
	else if (p->kind != KB_KIND_AUDIT &&
		 int_of(p, "error_multiple", 0) !=
			 kb_tolerance_policy_multiple(tolerance))
		refuse(p, "'error_multiple' is %" PRId64 ", and under '%s' "
		       "it is %" PRId64, int_of(p, "error_multiple", 0), name,
		       kb_tolerance_policy_multiple(tolerance));
	else if (kb_json_text(p->conditions->policy, "tolerance_of") &&
		 !kb_tolerance_policy_is_of_tensor(tolerance))
		refuse(p, "'tolerance_of' is there, and '%s' is of elements",
		       name);
}

/* Whoever asks kb-serve for a screen gets times by the device's clock alone. */
static bool is_quick(const struct policy *p, const char *clock)
{
	return p->is_cuda && p->kind == KB_KIND_EVALUATION &&
	       kb_json_text_is(p->conditions->tool, "name", "kb-serve") &&
	       !strcmp(clock, "device");
}

static void check_runs(const struct policy *p)
{
	static const char *const positive[] = {
		"trials", "batch_min_ns", "batch_calls_max",
		"tensor_bytes_max", "threads", "memory_bytes",
		"run_timeout_ns", "build_timeout_ns", "timeout_ns",
		"trials_max", "interval_ppm", "budget_ns", "output_pool_bytes",
		"log_limit_bytes",
	};
	const char *clock = kb_json_text(p->conditions->policy, "clock");
	const char *wanted = p->is_cuda ? "call, device" : "call";

	for (size_t i = 0; i < KB_ARRAY_LEN(positive); i++)
		if (int_of(p, positive[i], 1) < 1)
			refuse(p, "'%s' is below 1", positive[i]);
	if (clock && strcmp(clock, wanted) && !is_quick(p, clock))
		refuse(p, "'clock' is '%s', and of such a device it is '%s'",
		       clock, wanted);
	if (int_of(p, "trials_max", KB_JSON_INT_MAX) < int_of(p, "trials", 0))
		refuse(p, "'trials_max' is below 'trials'");
	if (int_of(p, "one_call_pairs_max", KB_JSON_INT_MAX) <
	    int_of(p, "one_call_pairs", 0))
		refuse(p, "'one_call_pairs_max' is below 'one_call_pairs'");
	if (p->kind == KB_KIND_BASELINE && int_of(p, "alternate_trials", 0))
		refuse(p, "'alternate_trials' is not 0 of a baseline");
}

/* Members that a release fixes for each kind of device. */
static const struct fixed {
	const char *member;
	int64_t on_cpu, on_cuda;
	int64_t earlier_on_cuda;	/* of a release before */
} fixed[] = {
	{ "batch_min_ns", KB_HOST_BATCH_MIN_NS, KB_BATCH_MIN_NS,
	  KB_BATCH_MIN_NS },
	{ "batch_calls_max", KB_HOST_BATCH_CALLS_MAX, KB_BATCH_CALLS_MAX,
	  KB_BATCH_CALLS_MAX },
	{ "one_call_pairs", KB_HOST_ONE_CALLS_MIN, KB_ONE_CALL_PAIRS_MIN,
	  KB_ONE_CALL_PAIRS_MIN },
	{ "one_call_pairs_max", KB_HOST_ONE_CALLS_MAX, KB_ONE_CALL_PAIRS_MAX,
	  96 },
	{ "alone_runs", 0, 2 * KB_CONTROL_ONE_CALLS_MIN,
	  2 * KB_CONTROL_ONE_CALLS_MIN },
};

static void check_fixed(const struct policy *p)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(fixed); i++) {
		const struct fixed *f = &fixed[i];
		const int64_t want = p->is_cuda ? f->on_cuda : f->on_cpu;
		const int64_t is = int_of(p, f->member, want);

		if (is != want && !(p->is_cuda && is == f->earlier_on_cuda))
			refuse(p, "'%s' is %" PRId64 ", and on such a device "
			       "every stage has %" PRId64, f->member, is, want);
	}
}

/* "cuda", or with a number behind it, up to a comma or the end. */
static bool is_one_cuda(const char *device, size_t len)
{
	if (len < 4 || strncmp(device, "cuda", 4))
		return false;
	return len == 4 || (device[4] == ':' && len > 5 &&
			    strspn(device + 5, "0123456789") >= len - 5);
}

/* One, several with commas between, or all, as kb-eval takes them. */
static bool names_cuda(const char *device)
{
	if (!strcmp(device, "cuda:all"))
		return true;
	for (;; device++) {
		const size_t len = strcspn(device, ",");

		if (!is_one_cuda(device, len))
			return false;
		device += len;
		if (!*device)
			return true;
	}
}

static void check_device(const struct policy *p)
{
	const char *device = kb_json_text(p->conditions->options, "device");

	if (!device)
		refuse(p, "there is no option 'device'");
	else if (p->is_cuda ? !names_cuda(device) : strcmp(device, "cpu"))
		refuse(p, "the option 'device' is '%s', and the environment's "
		       "is of kind '%s'", device, p->is_cuda ? "cuda" : "cpu");
}

/* On a CPU these can be called by no other name than what they are there. */
static void check_cpu_options(const struct policy *p)
{
	static const char *const only[][2] = {
		{ "precision", "fp32" }, { "tf32", "off" },
		{ "deterministic", "off" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(only) && !p->is_cuda; i++) {
		const char *text = kb_json_text(p->conditions->options, only[i][0]);

		if (text && strcmp(text, only[i][1]))
			refuse(p, "the option '%s' is '%s', and on a CPU it is "
			       "'%s'", only[i][0], text, only[i][1]);
	}
}

/* A policy with one seed needs no list. */
static void check_seeds(const struct policy *p)
{
	const char *seeds = kb_json_text(p->conditions->options, "seeds");

	if (seeds && strchr(seeds, ',') && !kb_json_text(p->conditions->policy,
						    "seeds"))
		refuse(p, "the option 'seeds' is '%s', and the policy has no "
		       "'seeds'", seeds);
}

/* Without the member a policy is as before there was a choice. */
static void check_choice(const struct policy *p, const char *option,
			 const char *otherwise, const char *member)
{
	const char *choice = kb_json_text(p->conditions->options, option);

	if (choice && strcmp(choice, otherwise) &&
	    !kb_json_text(p->conditions->policy, member))
		refuse(p, "the option '%s' is '%s', and the policy has no "
		       "'%s'", option, choice, member);
}

static void check_like(const struct policy *p)
{
	const char *asked = kb_json_text(p->conditions->options, "like");
	const char *name = kb_json_text(p->conditions->policy, "like");
	const struct kb_like *like = name ? kb_like_find(name) : NULL;
	struct kb_err why = KB_ERR_INIT;

	if (asked && !name)
		refuse(p, "the option 'like' is '%s', and the policy has no "
		       "'like'", asked);
	else if (like && kb_like_check(like, p->conditions->policy, p->kind,
				       p->is_cuda, &why) < 0)
		refuse(p, "%s", why.msg);
}

/* All three of them, or the first rule. */
static void check_stopping(const struct policy *p)
{
	const int64_t rule = int_of(p, "stopping_rule", 0);
	const int64_t factor = int_of(p, "slow_factor", 0);
	const int64_t call_ns = int_of(p, "slow_call_ns", 0);
	const char *asked = kb_json_text(p->conditions->options, "slow-factor");

	if (rule && rule != KB_STOPPING_RULE)
		refuse(p, "'stopping_rule' is %" PRId64 ", which there is not",
		       rule);
	else if (rule ? factor < 1 || call_ns < 1 : factor || call_ns)
		refuse(p, "'stopping_rule' is %" PRId64 ", 'slow_factor' %"
		       PRId64 " and 'slow_call_ns' %" PRId64 ": all are above "
		       "0, or none is there", rule, factor, call_ns);
	else if (!rule && asked && strcmp(asked, "0"))
		refuse(p, "the option 'slow-factor' is '%s', and the policy "
		       "has no 'slow_factor'", asked);
}

/* Without it confinement was the standard one, as it was before there was a
 * choice. */
static void check_sandbox(const struct policy *p)
{
	const char *mode = kb_json_text(p->conditions->options, "sandbox");

	if (mode && strcmp(mode, "standard") &&
	    !kb_json_text(p->conditions->policy, "sandbox"))
		refuse(p, "the option 'sandbox' is '%s', and the policy has no "
		       "'sandbox'", mode);
}

static void check_tool(const struct policy *p)
{
	static const char *const tools[KB_KIND_COUNT] = {
		[KB_KIND_BASELINE] = "kb-baseline",
		[KB_KIND_EVALUATION] = "kb-eval",
		[KB_KIND_AUDIT] = "kb-audit",
	};
	const char *tool = kb_json_text(p->conditions->tool, "name");

	if (strcmp(tool, tools[p->kind]) &&
	    (p->kind != KB_KIND_EVALUATION || strcmp(tool, "kb-serve")))
		refuse(p, "the tool is '%s', and only '%s' makes such a record",
		       tool, tools[p->kind]);
}

/* Stages name their options with small letters, digits and dashes, and say of
 * each one line. Which there are changes from release to release. */
static void check_option_names(const struct policy *p)
{
	for (const struct kb_json *v = kb_json_first(p->conditions->options); v;
	     v = kb_json_next(v)) {
		const char *name = kb_json_key(v);
		const size_t len = strlen(name);

		if (len < 2 || len > OPTION_NAME_MAX || name[0] == '-' ||
		    strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") !=
			    len)
			refuse(p, "no option of a stage is called '%s'", name);
		else if (strlen(kb_json_string_value(v)) > OPTION_BYTES_MAX)
			refuse(p, "the option '%s' has more than %d bytes", name,
			       OPTION_BYTES_MAX);
	}
}

static void check_policy(const struct policy *p)
{
	for (const struct kb_json *v = kb_json_first(p->conditions->policy); v;
	     v = kb_json_next(v))
		check_member(p, v);
	check_presence(p);
	check_option_names(p);
	check_tolerance(p);
	check_runs(p);
	if (p->kind != KB_KIND_AUDIT)
		check_fixed(p);
	/* Options are compared only with a policy that can be one. What is
	 * wrong with its types was said. */
	if (!kb_checks_count(p->checks, "policy", KB_ANSWER_NO)) {
		check_options(p, kb_policy_options);
		if (p->kind == KB_KIND_AUDIT)
			check_options(p, audit_options);
	}
	check_device(p);
	check_cpu_options(p);
	check_seeds(p);
	check_choice(p, "in-place", "refuse", "in_place");
	check_choice(p, "candidate-weights", "reference", "candidate_weights");
	check_stopping(p);
	check_like(p);
	check_sandbox(p);
	check_tool(p);
	if (!kb_checks_count(p->checks, "policy", KB_ANSWER_NO))
		add(p->checks, "policy", KB_ANSWER_OK,
		    "as the options say");
}

static void check_gpus(struct kb_checks *c, const struct kb_conditions *k)
{
	struct kb_err why = KB_ERR_INIT;
	const struct kb_json *gpu = kb_json_find(k->environment, "gpu");
	int ret = gpu ? kb_gpus_check(gpu, &why) : 0;

	if (ret < 0)
		add(c, "gpus", KB_ANSWER_NO, "%s", why.msg);
	else if (ret > 0)
		add(c, "gpus", KB_ANSWER_OK,
		    "those that were taken out are the run's");
}

void kb_conditions_verify(struct kb_checks *c, const struct kb_conditions *k,
			  enum kb_kind kind)
{
	kb_key_verify(c, k);
	kb_facts_verify(c, k, is_cuda(k));
	check_gpus(c, k);
	check_policy(&(struct policy){
		.checks = c, .conditions = k, .kind = kind,
		.is_cuda = is_cuda(k) });
}
