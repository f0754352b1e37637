#include "session/policy.h"

#include <stdbool.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "lib/records.h"
#include "lib/tap.h"
#include "session/session.h"

static struct kb_session session;

static const struct kb_option options[] = {
	KB_SESSION_INT(MEASUREMENT, "seed", "N", "", session.asked.seed, 0,
		       KB_WEIGHTS_SEED_MAX),
	KB_SESSION_JUDGE_OPTIONS(session.asked),
	KB_SESSION_OPTIONS(session.asked),
	KB_OPTION_END
};

static int take(const char *text, struct kb_err *err)
{
	kb_auto(json) struct kb_json *policy = record_parse(text);

	session = (struct kb_session)KB_SESSION_INIT;
	return kb_session_take_policy(options, policy, err);
}

static void test_empty_policy_leaves_defaults(void)
{
	struct kb_err err = KB_ERR_INIT;

	check_int(take("{}", &err), 0);
	check_int(session.asked.trials, 10);
	check_int(session.asked.timeout_s, 60);
	/* Before there was a choice nobody was too slow. */
	check_int(session.asked.slow_factor, 0);
	check_int(session.asked.memory_mib, 0);
	check_str(session.asked.tolerance, "kernelbench");
}

static const struct {
	const char *policy;
	const int64_t *option;
	int64_t value;
} numbers[] = {
	{ "{\"budget_ns\":7000000000}", &session.asked.budget_s, 7 },
	{ "{\"build_timeout_ns\":8000000000}", &session.asked.build_timeout_s, 8 },
	{ "{\"output_pool_bytes\":67108864}", &session.asked.output_pool_mib, 64 },
	{ "{\"interval_ppm\":9}", &session.asked.interval_ppm, 9 },
	{ "{\"log_limit_bytes\":8192}", &session.asked.log_kib, 8 },
	{ "{\"memory_bytes\":1048576}", &session.asked.memory_mib, 1 },
	{ "{\"memory_bytes\":1125899906842624}", &session.asked.memory_mib, 0 },
	{ "{\"alternate_trials\":0}", &session.asked.alternate_trials, 0 },
	{ "{\"run_timeout_ns\":1000000000}", &session.asked.timeout_s, 1 },
	{ "{\"run_timeout_ns\":1000000000000000}", &session.asked.timeout_s,
	  1000000 },
	{ "{\"slow_factor\":12}", &session.asked.slow_factor, 12 },
	{ "{\"slow_call_ns\":5000000000}", &session.asked.slow_s, 5 },
	{ "{\"tensor_bytes_max\":2097152}", &session.asked.tensor_mib, 2 },
	{ "{\"threads\":3}", &session.asked.threads, 3 },
	{ "{\"trials\":100000}", &session.asked.trials, 100000 },
	{ "{\"trials_max\":11}", &session.asked.trials_max, 11 },
	{ "{\"weights_seed\":0}", &session.asked.seed, 0 },
};

static void test_numbers_are_in_the_unit_of_the_option(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(numbers); i++) {
		struct kb_err err = KB_ERR_INIT;

		check_int(take(numbers[i].policy, &err), 0);
		if (*numbers[i].option != numbers[i].value)
			tap_fail("%s", numbers[i].policy);
	}
}

static void test_words_are_taken_as_they_are(void)
{
	kb_auto(json) struct kb_json *policy = record_parse(
		"{\"deterministic\":\"on\",\"precision\":\"bf16\","
		"\"seeds\":\"42,123\",\"tf32\":\"torch\",\"tolerance\":\"precise\"}");
	struct kb_err err = KB_ERR_INIT;

	session = (struct kb_session)KB_SESSION_INIT;
	check_int(kb_session_take_policy(options, policy, &err), 0);
	check_str(session.asked.deterministic, "on");
	check_str(session.asked.precision, "bf16");
	check_str(session.asked.seed_list, "42,123");
	check_str(session.asked.tf32, "torch");
	check_str(session.asked.tolerance, "precise");
}

static const struct {
	const char *policy, *why;
} refused[] = {
	{ "{\"trials\":0}", "policy: 'trials' cannot be 0" },
	{ "{\"trials\":100001}", "policy: 'trials' cannot be 100001" },
	{ "{\"run_timeout_ns\":999999999}",
	  "policy: 'run_timeout_ns' cannot be 999999999" },
	{ "{\"run_timeout_ns\":1000001000000000}",
	  "policy: 'run_timeout_ns' cannot be 1000001000000000" },
	{ "{\"output_pool_bytes\":67108863}",
	  "policy: 'output_pool_bytes' cannot be 67108863" },
	{ "{\"threads\":\"2\"}",
	  "policy: 'threads' is a string, want an integer" },
	{ "{\"tolerance\":1}",
	  "policy: 'tolerance' is an integer, want a string" },
};

static void test_what_no_option_could_be_is_refused(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(refused); i++) {
		struct kb_err err = KB_ERR_INIT;

		check_int(take(refused[i].policy, &err), -KB_ERR_INPUT);
		check_str(err.msg, refused[i].why);
	}
}

/* `here` is what the session has, `there` what it was to have. */
static int check_against(const char *here, const char *there,
			 struct kb_err *err)
{
	kb_auto(json) struct kb_json *ours = record_parse(here);
	kb_auto(json) struct kb_json *theirs = record_parse(there);

	session.run.conditions.policy = ours;
	return kb_session_check_policy(&session, theirs, err);
}

static const struct {
	const char *here, *there, *why;
} differences[] = {
	{ "{\"a\":1}", "{}",
	  "policy: 'a' is 'absent', which cannot be had here: it is '1'" },
	{ "{}", "{\"a\":\"x\"}",
	  "policy: 'a' is 'x', which cannot be had here: it is 'absent'" },
	/* What is no option, and of this build. */
	{ "{\"one_call_pairs\":11}", "{\"one_call_pairs\":12}",
	  "policy: 'one_call_pairs' is '12', which cannot be had here: it is "
	  "'11'" },
	{ "{\"one_call_pairs_max\":31}", "{}",
	  "policy: 'one_call_pairs_max' is 'absent', which cannot be had here: "
	  "it is '31'" },
	{ "{}", "{\"alone_runs\":8}",
	  "policy: 'alone_runs' is '8', which cannot be had here: it is "
	  "'absent'" },
	{ "{\"a\":1}", "{\"a\":2}",
	  "policy: 'a' is '2', which cannot be had here: it is '1'" },
	{ "{\"a\":true}", "{\"a\":false}",
	  "policy: 'a' is 'false', which cannot be had here: it is 'true'" },
	{ "{\"a\":1,\"b\":\"y\"}", "{\"a\":1,\"b\":\"'[\\u001b\"}",
	  "policy: 'b' is '?[?', which cannot be had here: it is 'y'" },
};

static void test_policies_are_compared_in_full(void)
{
	session = (struct kb_session)KB_SESSION_INIT;
	session.machine.launcher.threads = 1;
	for (size_t i = 0; i < KB_ARRAY_LEN(differences); i++) {
		struct kb_err err = KB_ERR_INIT;

		check_int(check_against(differences[i].here,
					differences[i].there, &err),
			  -KB_ERR_INPUT);
		check_str(err.msg, differences[i].why);
	}
}

static void test_same_policy_needs_room(void)
{
	const long cores = sysconf(_SC_NPROCESSORS_ONLN);
	kb_auto(mem) char *why = kb_xasprintf(
		"policy: 'threads' is %ld, which cannot be had here: there "
		"are %ld", cores + 1, cores);
	struct kb_err err = KB_ERR_INIT;

	session = (struct kb_session)KB_SESSION_INIT;
	session.machine.launcher.threads = (int)cores;
	check_int(check_against("{}", "{}", &err), 0);
	check_int(check_against("{\"a\":1}", "{\"a\":1}", &err), 0);
	check_int(kb_session_check_rooms(&session, &err), 0);

	session.machine.launcher.threads = (int)cores + 1;
	check_int(kb_session_check_rooms(&session, &err), -KB_ERR_INPUT);
	check_str(err.msg, why);

	session.machine.launcher.threads = 1;
	session.run.policy.tensor_bytes_max = UINT64_MAX;
	check_int(kb_session_check_rooms(&session, &err), -KB_ERR_INPUT);
	check(strstr(err.msg, "policy: 'tensor_bytes_max' is "
			      "18446744073709551615, which cannot be had "
			      "here: there are ") == err.msg);
}

TAP_MAIN(TAP(test_empty_policy_leaves_defaults),
	 TAP(test_numbers_are_in_the_unit_of_the_option),
	 TAP(test_words_are_taken_as_they_are),
	 TAP(test_what_no_option_could_be_is_refused),
	 TAP(test_policies_are_compared_in_full),
	 TAP(test_same_policy_needs_room));
