#include "verify/arithmetic.h"

#include "base/cleanup.h"
#include "manifest/evaluation.h"
#include "manifest/score.h"
#include "manifest/submission.h"
#include "manifest/suite.h"
#include "measure/time_rule.h"
#include "unit/verify_world.h"
#include "verify/chain.h"
#include "verify/conditions.h"
#include "verify/lineage.h"

/* --- arithmetic ---------------------------------------------------------- */

static const struct {
	const char *what;
	int64_t samples, claimed_ns;
	enum kb_answer answer;
} claims[] = {
	{ "what the samples give", 5, 1000, OK },
	{ "a nanosecond less", 5, 999, NO },
	{ "a time withheld", 5, KB_UNKNOWN, NO },
	{ "a time without samples", 0, 1000, NO },
	{ "no time without samples", 0, KB_UNKNOWN, OK },
};

static void test_times_follow_from_samples_both_ways(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(claims); i++) {
		kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
		struct kb_lineage l = { .kind = KB_KIND_BASELINE };
		struct world w;

		fill(&w, (size_t)claims[i].samples);
		w.timings[0].time_ns = claims[i].claimed_ns;
		l.baseline = &w.b;
		check_int(kb_arithmetic_check(&c, &l, NULL, NULL), 0);
		if (answer_of(&c, "times") != claims[i].answer)
			tap_fail("%s: %s", claims[i].what,
				 words_of(&c, "times"));
		drop(&w);
	}
}

/* Of the one timing that is by the device, and so are its samples. */
static const struct {
	int64_t device_ns, told_ns;	/* what is so, and what the call says */
	enum kb_answer answer;
} told[] = {
	{ KB_UNKNOWN, KB_UNKNOWN, OK },
	{ 1000, 1000, OK },
	{ 1000, 999, NO },
	{ 1000, 1001, NO },
	{ 1000, KB_UNKNOWN, NO },
	{ KB_UNKNOWN, 1000, NO },
};

static void test_device_ns_is_the_time_by_the_device(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(told); i++) {
		kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
		struct kb_lineage l = { .kind = KB_KIND_BASELINE };
		struct world w;

		fill(&w, 5);
		w.timings[0].device_ns = told[i].told_ns;
		kb_time_decide(&w.timings[0], NULL);
		if (told[i].device_ns != KB_UNKNOWN) {
			w.devices[0].timing = &w.timings[1];
			w.results[0].device_timing = &w.devices[0];
		}
		l.baseline = &w.b;
		check_int(kb_arithmetic_check(&c, &l, NULL, NULL), 0);
		check_said(&c, "times", told[i].answer,
			   told[i].answer == NO ? "1/1: 'device_ns' is not the "
			   "time by the device's clock" :
			   told[i].device_ns == KB_UNKNOWN ?
			   "all that there are follow from their samples: 2" :
			   "all that there are follow from their samples: 3");
		drop(&w);
	}
}

/* A run on a CPU, and the key that it has. */
#define ENVIRONMENT(torch)						\
	"{\"device\":{\"kind\":\"cpu\"},\"cpu\":{\"vendor\":\"V\"," \
	"\"model\":\"M\",\"cores_allowed\":4,\"smt\":true," \
	"\"governor\":{\"unavailable\":\"x\"},\"boost\":false}," \
	"\"os\":{\"machine\":\"m\",\"libc\":\"l\"}," \
	"\"python\":{\"version\":\"3\"},\"torch\":" torch "," \
	"\"compiler\":{\"unavailable\":\"x\"},\"isolation\":{}}"
#define TORCH ENVIRONMENT("{\"version\":\"2\",\"threads_count\":4}")
#define KEY(rest)							\
	"{\"device.kind\":\"cpu\",\"cpu.vendor\":\"V\"," \
	"\"cpu.model\":\"M\",\"cpu.cores_allowed\":\"4\"," \
	"\"cpu.smt\":\"true\",\"cpu.governor\":\"unavailable\"," \
	"\"cpu.boost\":\"false\",\"os.machine\":\"m\"," \
	"\"os.libc\":\"l\",\"python.version\":\"3\"," \
	"\"compiler.version\":\"unavailable\"," \
	"\"policy.threads\":\"4\"" rest "}"
#define OF_TORCH(version)						\
	",\"torch.version\":\"" version "\"," \
	"\"torch.threads_count\":\"4\""

static const struct {
	const char *environment, *match_key;
	enum kb_answer answer;
	const char *words;
} keyed[] = {
	{ TORCH, KEY(OF_TORCH("2")), OK,
	  "all of it follows from the environment" },
	{ TORCH, KEY(OF_TORCH("1")), NO,
	  "'torch.version' is '1', and in the environment '2'" },
	{ TORCH, KEY(",\"torch.threads_count\":\"4\""), NO,
	  "'torch.version' is not there, and in the environment it is '2'" },
	{ TORCH, KEY(OF_TORCH("2") ",\"cpu.clock\":\"9\""), NO,
	  "'cpu.clock' is '9', and no match key of such a device has it" },
	{ TORCH, "{}", NO, "'compiler.version' is not there, and in the "
	  "environment it is 'unavailable'" },
	{ ENVIRONMENT("{\"threads_count\":4}"),
	  KEY(OF_TORCH("not recorded")), NO,
	  "the record does not say 'torch.version', which the match key is "
	  "made from" },
	{ ENVIRONMENT("{\"unavailable\":\"not used\"}"),
	  KEY(",\"torch.version\":\"unavailable\","
	      "\"torch.threads_count\":\"unavailable\""), OK,
	  "all of it follows from the environment" },
	{ ENVIRONMENT("{\"unavailable\":\"not used\"}"),
	  KEY(OF_TORCH("2")), NO,
	  "'torch.threads_count' is '4', and in the environment "
	  "'unavailable'" },
	{ ENVIRONMENT("{\"version\":\"2\",\"threads_count\":4,"
		      "\"weights_sha256\":\"ab\"}"),
	  KEY(OF_TORCH("2")), NO,
	  "'torch.weights_sha256' is not there, and in the environment it is "
	  "'ab'" },
};

static void test_match_keys_are_made_again(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(keyed); i++) {
		kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
		struct world w;

		fill(&w, 5);
		set(&w.b.conditions.environment, keyed[i].environment);
		set(&w.b.conditions.match_key, keyed[i].match_key);
		set(&w.b.conditions.policy, "{\"threads\":4}");
		kb_conditions_verify(&c, &w.b.conditions, KB_KIND_BASELINE);
		check_said(&c, "match_key", keyed[i].answer, keyed[i].words);
		drop(&w);
	}
}

static void test_a_score_without_a_parent_is_refused(void)
{
	struct kb_score score = KB_SCORE_INIT;
	struct kb_evaluation e = KB_EVALUATION_INIT;
	struct kb_lineage l = { .kind = KB_KIND_SCORE, .score = &score };
	kb_auto(checks) struct kb_checks none = KB_CHECKS_INIT;
	kb_auto(checks) struct kb_checks one = KB_CHECKS_INIT;

	check_int(kb_arithmetic_check(&none, &l, NULL, NULL), 0);
	check_said(&none, "score", NO,
		   "cannot be judged again without its evaluation"
		   ", which is not in the store: repeat --store for further stores");
	l.evaluation = &e;
	check_int(kb_arithmetic_check(&one, &l, NULL, NULL), 0);
	check_said(&one, "score", NO,
		   "cannot be judged again without its baseline"
		   ", which is not in the store: repeat --store for further stores");
}

/* --- chain --------------------------------------------------------------- */

static const struct {
	const char *options;
	struct kb_key suite[3];
	size_t count;
	enum kb_answer answer;
	const char *words;
} selections[] = {
	{ "{}", { { 1, 1 }, { 1, 2 } }, 2, OK, "2 of the suite's 2" },
	{ "{}", { { 1, 1 }, { 1, 2 }, { 2, 1 } }, 3, NO,
	  "problem '2/1' of the suite is selected by the options, and left "
	  "out" },
	{ "{\"levels\":\"1\"}", { { 1, 1 }, { 1, 2 }, { 2, 1 } }, 3, OK,
	  "2 of the suite's 3" },
	{ "{\"problems\":\"1/1,1/2\"}", { { 1, 1 }, { 1, 2 }, { 2, 1 } }, 3, OK,
	  "2 of the suite's 3" },
	{ "{\"levels\":\"1\"}", { { 1, 2 } }, 1, NO,
	  "the suite has no problem '1/1'" },
	{ "{\"levels\":\"1,2\"}", { { 1, 1 }, { 1, 2 }, { 2, 1 } }, 3, NO,
	  "problem '2/1' of the suite is selected by the options, and left "
	  "out" },
	{ "{\"problems\":\"1/1\"}", { { 1, 1 }, { 1, 2 } }, 2, NO,
	  "problem '1/2' is not among those that the options select" },
	{ "{\"problems\":\"\"}", { { 1, 1 }, { 1, 2 } }, 2, NO,
	  "the options select nothing: option '--problems': problem '' is not "
	  "of the form '1/19'" },
	{ "{\"levels\":\"2\"}", { { 1, 1 }, { 1, 2 } }, 2, NO,
	  "the options select nothing: suite 'test' has no level 2" },
};

static void test_problems_are_those_of_the_suite(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(selections); i++) {
		kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
		struct kb_problem problems[3] = { { .facts = NULL } };
		char name[] = "test";
		struct kb_suite suite = {
			.name = name,
			.problems = problems,
			.problem_count = selections[i].count,
		};
		struct world w;

		fill(&w, 5);
		for (size_t k = 0; k < selections[i].count; k++)
			problems[k].key = selections[i].suite[k];
		set(&w.b.conditions.options, selections[i].options);
		kb_chain_check(&c, &(struct kb_lineage){
			.kind = KB_KIND_BASELINE, .baseline = &w.b,
			.suite = &suite });
		check_said(&c, "problems", selections[i].answer,
			   selections[i].words);
		drop(&w);
	}
}

#define CORRECT KB_STATUS_CORRECT
#define CRASHED KB_STATUS_CRASHED
#define MISSING KB_STATUS_MISSING

/* An evaluation of problems 1/1 and 1/2 against a submission; `file` is the
 * first byte of a digest. */
static const struct {
	struct { int problem, sample, file; } submitted[3];
	size_t submitted_count;
	struct { int problem, sample, file; enum kb_status status; } lines[3];
	size_t line_count;
	enum kb_answer answer;
	const char *words;
} runs[] = {
	{ { { 0 } }, 0, { { 1, 0, 0, MISSING }, { 2, 0, 0, MISSING } }, 2, OK,
	  "2 lines, of the submission's 0" },
	{ { { 1, 0, 7 } }, 1, { { 1, 0, 7, CRASHED }, { 2, 0, 0, MISSING } },
	  2, OK, "2 lines, of the submission's 1" },
	{ { { 1, 0, 7 }, { 1, 1, 8 } }, 2,
	  { { 1, 0, 7, CORRECT }, { 2, 0, 0, MISSING } }, 2, NO,
	  "sample 1 of problem '1/1' was submitted and has no line" },
	{ { { 1, 0, 7 } }, 1,
	  { { 1, 0, 7, CORRECT }, { 1, 1, 7, CORRECT }, { 2, 0, 0, MISSING } },
	  3, NO, "sample 1 of problem '1/1' was not submitted" },
	{ { { 1, 0, 7 } }, 1, { { 1, 0, 8, CORRECT }, { 2, 0, 0, MISSING } },
	  2, NO, "sample 0 of problem '1/1' is another file in the submission" },
	{ { { 1, 0, 7 } }, 1, { { 1, 0, 0, MISSING }, { 2, 0, 0, MISSING } },
	  2, NO, "sample 0 of problem '1/1' is called missing, and was "
	  "submitted" },
	/* A problem that was not selected: its candidates have no lines. */
	{ { { 1, 0, 7 }, { 3, 0, 9 } }, 2,
	  { { 1, 0, 7, CORRECT }, { 2, 0, 0, MISSING } }, 2, OK,
	  "2 lines, of the submission's 2" },
};

static void test_every_candidate_has_its_line(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(runs); i++) {
		kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
		struct kb_candidate candidates[3] = { { .file = NULL } };
		struct kb_result lines[3];
		struct kb_submission s = {
			.candidates = candidates,
			.candidate_count = runs[i].submitted_count,
		};
		struct kb_key selected[] = { { 1, 1 }, { 1, 2 } };
		struct kb_evaluation e = {
			.problems = selected, .problem_count = 2,
			.results = lines, .result_count = runs[i].line_count,
		};

		for (size_t k = 0; k < s.candidate_count; k++) {
			candidates[k].key = (struct kb_key){
				1, runs[i].submitted[k].problem };
			candidates[k].sample_id = runs[i].submitted[k].sample;
			candidates[k].digest.bytes[0] =
				(uint8_t)runs[i].submitted[k].file;
		}
		for (size_t k = 0; k < e.result_count; k++) {
			lines[k] = (struct kb_result)KB_RESULT_INIT;
			lines[k].key = (struct kb_key){
				1, runs[i].lines[k].problem };
			lines[k].sample_id = runs[i].lines[k].sample;
			lines[k].outcome.status = runs[i].lines[k].status;
			lines[k].candidate.bytes[0] =
				(uint8_t)runs[i].lines[k].file;
		}
		kb_chain_check_candidates(&c, &e, &s);
		check_said(&c, "candidates", runs[i].answer, runs[i].words);
	}
}

static const struct {
	const char *evaluation, *baseline;
	const char *allowed;		/* one field, or NULL */
	enum kb_answer answer;
	const char *words;
} pairs[] = {
	{ "{}", "{}", NULL, OK, "they are the same" },
	{ "{\"a\":\"1\"}", "{\"a\":\"1\"}", NULL, OK, "they are the same" },
	{ "{\"a\":\"1\"}", "{\"a\":\"2\"}", NULL, NO,
	  "'a' is '1' of the evaluation and '2' of the baseline" },
	{ "{\"a\":\"1\"}", "{}", NULL, NO,
	  "'a' is '1' of the evaluation and '(absent)' of the baseline" },
	{ "{\"a\":\"1\"}", "{\"a\":\"2\"}", "a", NOTE,
	  "the score allowed that they differ; fields: 1" },
	{ "{\"a\":\"1\",\"b\":\"1\"}", "{\"a\":\"2\",\"b\":\"2\"}", "a", NO,
	  "'b' is '1' of the evaluation and '2' of the baseline" },
};

static void test_match_keys_of_a_score_agree(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(pairs); i++) {
		kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
		struct kb_mismatch allowed = {
			.field = (char *)pairs[i].allowed };
		struct kb_score score = {
			.allowed = { &allowed, pairs[i].allowed != NULL } };
		struct kb_evaluation e = KB_EVALUATION_INIT;
		struct kb_baseline b = KB_BASELINE_INIT;
		struct kb_lineage l = {
			.kind = KB_KIND_SCORE, .score = &score,
			.evaluation = &e, .baseline = &b,
		};

		e.conditions.match_key = parse(pairs[i].evaluation);
		b.conditions.match_key = parse(pairs[i].baseline);
		b.suite.bytes[0] = (uint8_t)i;
		kb_chain_check(&c, &l);
		check_said(&c, "match_keys", pairs[i].answer, pairs[i].words);
		check_int(answer_of(&c, "same_suite"), i ? NO : OK);
		kb_conditions_release(&e.conditions);
		kb_conditions_release(&b.conditions);
	}
}

TAP_MAIN(TAP(test_times_follow_from_samples_both_ways),
	 TAP(test_device_ns_is_the_time_by_the_device),
	 TAP(test_match_keys_are_made_again),
	 TAP(test_a_score_without_a_parent_is_refused),
	 TAP(test_problems_are_those_of_the_suite),
	 TAP(test_every_candidate_has_its_line),
	 TAP(test_match_keys_of_a_score_agree));
