/* When a sample ends, which attempt is the best, and what is told of one. */

#include "turns/trajectory.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "lib/tap.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/result.h"
#include "manifest/suite.h"
#include "turns/by_turn.h"
#include "turns/feedback.h"
#include "turns/tell.h"
#include "turns/turns.h"

#define U KB_UNKNOWN

/* --- what is chosen ---------------------------------------------------- */

static const struct {
	const char *text;		/* NULL: none is given */
	enum kb_goal_kind kind;
	int64_t micro;			/* -1: it is none */
} goals[] = {
	{ NULL, KB_GOAL_NONE, 0 },
	{ "correct", KB_GOAL_CORRECT, 0 },
	{ "1x", KB_GOAL_SPEEDUP, 1000000 },
	{ "1.5x", KB_GOAL_SPEEDUP, 1500000 },
	{ "0.000001x", KB_GOAL_SPEEDUP, 1 },
	{ "999999999x", KB_GOAL_SPEEDUP, INT64_C(999999999000000) },
	{ "80%", KB_GOAL_BOUND, 80000000 },
	{ "", 0, -1 }, { "x", 0, -1 }, { "%", 0, -1 }, { "0x", 0, -1 },
	{ "0.0%", 0, -1 }, { "-1x", 0, -1 }, { "01x", 0, -1 },
	{ "1.x", 0, -1 }, { "1.0000001x", 0, -1 }, { "1000000000x", 0, -1 },
	{ "1.5", 0, -1 }, { "1.5X", 0, -1 }, { "1x ", 0, -1 },
	{ "Correct", 0, -1 }, { "correct ", 0, -1 }, { "1,5x", 0, -1 },
};

static void test_goals_are_read_or_refused(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(goals); i++) {
		struct kb_goal got;
		const int ret = kb_goal_parse(&got, goals[i].text, NULL);

		check_int(ret, goals[i].micro < 0 ? -KB_ERR_INPUT : 0);
		if (ret < 0)
			continue;
		check_int(got.kind, goals[i].kind);
		check_int(got.micro, goals[i].micro);
	}
}

static const struct {
	const char *list;
	int told;			/* -1: refused */
} lists[] = {
	{ "status", 1 }, { "log", 2 }, { "values", 4 }, { "times", 8 },
	{ "status,log,values,times", 15 }, { "times,status", 9 },
	{ "", -1 }, { ",", -1 }, { "status,", -1 }, { ",status", -1 },
	{ "status,status", -1 }, { "stat", -1 }, { "status log", -1 },
	{ "STATUS", -1 },
};

static void test_what_is_told_is_a_list_of_parts(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(lists); i++) {
		unsigned int got = 0;
		const int ret = kb_told_parse(&got, lists[i].list, NULL);

		check_int(ret, lists[i].told < 0 ? -KB_ERR_INPUT : 0);
		if (ret == 0)
			check_int(got, lists[i].told);
	}
}

/* --- trajectories ------------------------------------------------------ */

#define CORRECT KB_STATUS_CORRECT

static const struct {
	const char *goal;
	struct kb_judged judged;
	bool reached;
} reached[] = {
	{ NULL, { CORRECT, true, 1, 100, 1, NULL }, false },
	{ "correct", { CORRECT, true, U, U, U, NULL }, true },
	{ "correct", { KB_STATUS_MISMATCH, true, U, U, U, NULL }, false },
	{ "2x", { CORRECT, true, 50, 100, U, NULL }, true },
	{ "2x", { CORRECT, true, 51, 100, U, NULL }, false },
	{ "2x", { CORRECT, true, U, 100, U, NULL }, false },
	{ "2x", { CORRECT, true, 50, U, U, NULL }, false },
	{ "2x", { KB_STATUS_MISMATCH, true, 50, 100, U, NULL }, false },
	{ "0.5x", { CORRECT, true, 200, 100, U, NULL }, true },
	{ "80%", { CORRECT, true, 100, U, 80, NULL }, true },
	{ "80%", { CORRECT, true, 101, U, 80, NULL }, false },
	{ "80%", { CORRECT, true, 100, 100, U, NULL }, false },
	/* Beyond 64 bits in between. */
	{ "999999999x", { CORRECT, true, KB_JSON_INT_MAX, KB_JSON_INT_MAX, U,
			  NULL }, false },
};

static void test_a_goal_is_reached_by_exact_comparison(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(reached); i++) {
		struct kb_goal goal;

		check_int(kb_goal_parse(&goal, reached[i].goal, NULL), 0);
		check_int(kb_goal_reached(&goal, &reached[i].judged),
			  reached[i].reached);
	}
}

#define LINES_MAX 4

/* One attempt: what came, how it was judged (NULL: it was not), and tokens. */
struct attempt {
	enum kb_reply_outcome outcome;
	const struct kb_judged *judged;
	int64_t input, output;
};

static struct kb_trajectory make(struct kb_generated lines[LINES_MAX],
				 const struct attempt attempts[LINES_MAX],
				 size_t count)
{
	for (size_t i = 0; i < count; i++) {
		lines[i] = (struct kb_generated)KB_GENERATED_INIT;
		lines[i].turn = (int)i + 1;
		lines[i].reply.outcome = attempts[i].outcome;
		lines[i].reply.usage.input_tokens = attempts[i].input;
		lines[i].reply.usage.output_tokens = attempts[i].output;
		lines[i].judged = (struct kb_judged *)attempts[i].judged;
	}
	return (struct kb_trajectory){ .lines = lines, .count = count };
}

static const struct kb_judged no_code = KB_JUDGED_INIT;
static const struct kb_judged broken = { KB_STATUS_BUILD_FAILED, false, U, U,
					 U, NULL };
static const struct kb_judged wrong = { KB_STATUS_MISMATCH, true, U, U, U,
					NULL };
static const struct kb_judged slow = { CORRECT, true, 100, 100, U, NULL };
static const struct kb_judged fast = { CORRECT, true, 50, 100, U, NULL };
static const struct kb_judged faster = { CORRECT, true, 60, 200, U, NULL };
static const struct kb_judged untimed = { CORRECT, true, U, 100, U, NULL };

#define CODE(judged) { KB_REPLY_CODE, judged, 5, 7 }
#define NONE { KB_REPLY_NO_CODE, &no_code, 5, 7 }
#define LATE { KB_REPLY_MISSING, NULL, U, U }

static const struct {
	struct attempt attempts[LINES_MAX];
	size_t count;
	int best;			/* from 0; -1: there is none */
} bests[] = {
	{ { LATE }, 1, -1 },
	{ { { KB_REPLY_FAILED, NULL, U, U } }, 1, -1 },
	{ { NONE }, 1, 0 },
	{ { NONE, NONE, LATE }, 3, 1 },
	{ { CODE(&broken), NONE }, 2, 0 },
	{ { CODE(&broken), CODE(&broken) }, 2, 1 },
	{ { CODE(&wrong), CODE(&broken) }, 2, 0 },
	{ { CODE(&wrong), CODE(&wrong) }, 2, 1 },
	{ { CODE(&slow), CODE(&wrong) }, 2, 0 },
	{ { CODE(&slow), CODE(&fast), CODE(&slow) }, 3, 1 },
	{ { CODE(&fast), CODE(&fast) }, 2, 0 },
	/* More time, and more of a speedup. */
	{ { CODE(&fast), CODE(&faster) }, 2, 1 },
	{ { CODE(&untimed), CODE(&slow) }, 2, 1 },
	{ { CODE(&slow), CODE(&untimed) }, 2, 0 },
	/* The last was not judged. */
	{ { CODE(&wrong), CODE(NULL) }, 2, 0 },
	{ { CODE(&broken), CODE(NULL) }, 2, 1 },
};

static void test_the_best_is_by_the_rule(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(bests); i++) {
		struct kb_generated lines[LINES_MAX];
		const struct kb_trajectory t = make(lines, bests[i].attempts,
						    bests[i].count);
		const struct kb_generated *best = kb_trajectory_best(&t);

		check_int(best ? best - lines : -1, bests[i].best);
	}
}

static const struct {
	const char *goal, *cost;
	int64_t tokens;
	struct attempt attempts[LINES_MAX];
	size_t count;
	enum kb_ending ending;
} endings[] = {
	{ NULL, NULL, U, { CODE(&fast) }, 1, KB_GOES_ON },
	{ NULL, NULL, U, { LATE }, 1, KB_ENDED_UNANSWERED },
	{ NULL, NULL, U, { NONE }, 1, KB_GOES_ON },
	{ NULL, NULL, U, { CODE(&fast), CODE(&fast), CODE(&fast) }, 3,
	  KB_ENDED_TURNS },
	{ "correct", NULL, U, { CODE(&slow) }, 1, KB_ENDED_GOAL },
	{ "2x", NULL, U, { CODE(&slow) }, 1, KB_GOES_ON },
	{ "2x", NULL, U, { CODE(&slow), CODE(&fast) }, 2, KB_ENDED_GOAL },
	/* The goal before all else but an answer. */
	{ "2x", NULL, 1, { CODE(&fast), CODE(&fast), CODE(&fast) }, 3,
	  KB_ENDED_GOAL },
	{ NULL, NULL, 13, { CODE(&slow) }, 1, KB_GOES_ON },
	{ NULL, NULL, 12, { CODE(&slow) }, 1, KB_ENDED_TOKENS },
	{ NULL, NULL, 24, { CODE(&slow), CODE(&slow) }, 2, KB_ENDED_TOKENS },
	{ NULL, NULL, 1000, { { KB_REPLY_CODE, &slow, 5, U } }, 1,
	  KB_ENDED_TOKENS },
	/* By 1 for a million of either: 12 of a million. */
	{ NULL, "0.000013", U, { CODE(&slow) }, 1, KB_GOES_ON },
	{ NULL, "0.000012", U, { CODE(&slow) }, 1, KB_ENDED_COST },
	{ NULL, "1", U, { { KB_REPLY_CODE, &slow, U, 7 } }, 1, KB_ENDED_COST },
};

static void test_a_sample_ends_by_the_first_rule_that_holds(void)
{
	char one[] = "1", usd[] = "USD";

	for (size_t i = 0; i < KB_ARRAY_LEN(endings); i++) {
		struct kb_generated lines[LINES_MAX];
		const struct kb_trajectory t = make(lines, endings[i].attempts,
						    endings[i].count);
		const struct kb_asked asked = {
			.prices = { .currency = usd, .input_per_million = one,
				    .output_per_million = one },
			.refinement = {
				.turns = 3, .goal = (char *)endings[i].goal,
				.budget_tokens = endings[i].tokens,
				.budget_cost = (char *)endings[i].cost,
			},
		};

		check_str(kb_endings[kb_trajectory_ending(
				&t, lines[t.count - 1].judged, &asked)],
			  kb_endings[endings[i].ending]);
	}
}

static void test_tokens_go_in_steps(void)
{
	static const int64_t steps[] = {
		0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000,
	};

	for (size_t i = 1; i < KB_ARRAY_LEN(steps); i++)
		check_int(kb_tokens_step(steps[i - 1]), steps[i]);
}

/* Two samples, of which one does not say what its second answer took. */
static const struct attempt first[LINES_MAX] = { CODE(&broken), CODE(&wrong),
					CODE(&fast) };
static const struct attempt second[LINES_MAX] = {
	CODE(&slow), { KB_REPLY_CODE, &fast, U, U },
};

static void make_two(struct kb_generation *g,
		     struct kb_generated lines[2 * LINES_MAX])
{
	make(lines, first, 3);
	make(lines + 3, second, 2);
	for (int i = 3; i < 5; i++)
		lines[i].sample_id = 1;
	*g = (struct kb_generation)KB_GENERATION_INIT;
	g->asked.problem_count = 1;
	g->asked.samples = 2;
	g->lines = lines;
	g->line_count = 5;
}

#define FAST_1 3
#define FAST_1_5 4

static const struct {
	int turn;
	int64_t asked, compiled, correct, fast_1, fast_1_5, tokens;
} by_turn[] = {
	{ 1, 2, 1, 1, 0, 0, 24 },
	{ 2, 2, 2, 1, 1, 1, 36 },
	{ 3, 1, 2, 2, 2, 2, 48 },
	{ 4, 0, 2, 2, 2, 2, 48 },
};

static void test_what_was_reached_by_turn(void)
{
	struct kb_generated lines[2 * LINES_MAX];
	struct kb_generation g;

	make_two(&g, lines);
	check_int(kb_fast_p_milli[FAST_1], 1000);
	check_int(kb_fast_p_milli[FAST_1_5], 1500);
	check_int(kb_reached_samples(&g), 2);
	for (size_t i = 0; i < KB_ARRAY_LEN(by_turn); i++) {
		struct kb_by_turn got;

		kb_by_turn_of(&got, &g, by_turn[i].turn);
		check_int(got.asked, by_turn[i].asked);
		check_int(got.reached.compiled, by_turn[i].compiled);
		check_int(got.reached.correct, by_turn[i].correct);
		check_int(got.reached.fast[FAST_1], by_turn[i].fast_1);
		check_int(got.reached.fast[FAST_1_5], by_turn[i].fast_1_5);
		check_int(got.tokens, by_turn[i].tokens);
		check_int(got.cost_nano, U);
	}
}

static const struct {
	int64_t tokens, compiled, correct, fast_1;
} by_tokens[] = {
	{ 0, 0, 0, 0 }, { 11, 0, 0, 0 }, { 12, 1, 1, 0 }, { 23, 1, 1, 0 },
	{ 24, 2, 1, 0 }, { 35, 2, 1, 0 }, { 36, 2, 2, 1 },
	{ 1000000, 2, 2, 1 },
};

static void test_what_was_reached_by_tokens(void)
{
	struct kb_generated lines[2 * LINES_MAX];
	struct kb_generation g;

	make_two(&g, lines);
	check_int(kb_tokens_most(&g), 36);
	for (size_t i = 0; i < KB_ARRAY_LEN(by_tokens); i++) {
		struct kb_reached got;

		kb_by_tokens_of(&got, &g, by_tokens[i].tokens);
		check_int(got.compiled, by_tokens[i].compiled);
		check_int(got.correct, by_tokens[i].correct);
		check_int(got.fast[FAST_1], by_tokens[i].fast_1);
	}
}

/* --- what is told ------------------------------------------------------ */

#define WORDS								\
	"{\"no_code\":\"none\",\"cut_off\":\"cut\","			\
	"\"status\":\"{turn}: {status}{detail}\",\"log\":\"[{log}]\","	\
	"\"values\":\"{values}\",\"times\":\"{time} {baseline} {speedup}\"," \
	"\"mend\":\"{{mend}}\",\"improve\":\" improve\\n\"}"

static char log_text[] = "\n error: x \n";
static char detail[] = "beyond";
static struct kb_output_error off = { 8, 3, 0, 0.5, 0.25, 0.1 };
static const struct kb_judged timed = { CORRECT, true, 1500, 3000, U, NULL };

static const struct {
	unsigned int told;
	enum kb_reply_outcome outcome;
	const struct kb_judged *judged;
	struct kb_result result;
	const char *want;
} tellings[] = {
	{ 15, KB_REPLY_NO_CODE, &no_code, KB_RESULT_INIT, "none\n\n{mend}" },
	{ 15, KB_REPLY_CUT_OFF, &no_code, KB_RESULT_INIT, "cut\n\n{mend}" },
	{ 15, KB_REPLY_CODE, &broken, { .outcome = {
		.status = KB_STATUS_BUILD_FAILED, .log = log_text } },
	  "2: build failed\n\n[error: x]\n\n{mend}" },
	{ 1, KB_REPLY_CODE, &broken, { .outcome = {
		.status = KB_STATUS_BUILD_FAILED, .log = log_text } },
	  "2: build failed\n\n{mend}" },
	{ 15, KB_REPLY_CODE, &wrong, { .outcome = {
		.status = KB_STATUS_MISMATCH, .detail = detail },
		.outputs = &off, .output_count = 1 },
	  "2: mismatch: beyond\n\noutput 0: 3 of 8 elements differ beyond the "
	  "tolerance, 0 are not finite; greatest error 0.5, relative 0.25\n\n"
	  "{mend}" },
	{ 2, KB_REPLY_CODE, &wrong, { .outputs = &off, .output_count = 1 },
	  "{mend}" },
	{ 15, KB_REPLY_CODE, &timed, { .outputs = &off, .output_count = 1 },
	  "2: correct\n\n1.500 us 3.000 us 2.000\n\nimprove" },
	{ 8, KB_REPLY_CODE, &untimed, KB_RESULT_INIT, "improve" },
};

static struct kb_json *read_words(const char *text)
{
	struct kb_json *words = NULL;

	if (kb_json_parse(&words, text, strlen(text), KB_JSON_OURS, "words",
			  NULL) < 0)
		KB_BUG("words are no JSON");
	return words;
}

static void test_what_is_told_is_what_was_chosen_and_is_there(void)
{
	struct kb_refinement r = { .words = read_words(WORDS) };

	for (size_t i = 0; i < KB_ARRAY_LEN(tellings); i++) {
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
		const struct kb_generated line = {
			.turn = 2, .reply.outcome = tellings[i].outcome,
		};
		const struct kb_attempt a = {
			.line = &line,
			.result = tellings[i].judged == &no_code ? NULL :
				&tellings[i].result,
		};

		r.told = tellings[i].told;
		check_int(kb_attempt_tell(&text, &a, tellings[i].judged, &r,
					  NULL), 0);
		check_str(text.data, tellings[i].want);
	}
	kb_json_free(r.words);
}

/* Whole characters: the limit lies within one of two bytes. */
static void test_a_long_log_is_cut(void)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT, want = KB_BUF_INIT;
	kb_auto(buf) struct kb_buf log = KB_BUF_INIT;
	const struct kb_generated line = { .reply.outcome = KB_REPLY_CODE };
	struct kb_refinement r = { .told = KB_TOLD_LOG,
				   .words = read_words(WORDS) };
	struct kb_result result = KB_RESULT_INIT;

	kb_buf_addch(&log, 'x');
	for (int i = 0; i < KB_TOLD_LOG_BYTES_MAX; i++)
		kb_buf_addstr(&log, "\xc3\xa4");
	kb_buf_addch(&want, '[');
	kb_buf_add(&want, log.data, KB_TOLD_LOG_BYTES_MAX - 1);
	kb_buf_addstr(&want, "\n...]\n\n{mend}");
	result.outcome.log = log.data;
	check_int(kb_attempt_tell(&text, &(struct kb_attempt){
			.line = &line, .result = &result }, &broken, &r, NULL),
		  0);
	check_str(text.data, want.data);
	kb_json_free(r.words);
}

static const struct {
	const char *words, *message;
} refused[] = {
	{ "{}", "w: there is no 'no_code'" },
	{ "{\"no_code\":1}", "w: there is no 'no_code'" },
	{ "{\"no_code\":\"{x}\"}",
	  "w: 'no_code': a template has a place '{x}' that nothing fills" },
	{ "{\"no_code\":\"{turn\"}",
	  "w: 'no_code': a template has a '{' without '}'" },
	{ "{\"more\":\"\",\"no_code\":\"\",\"cut_off\":\"\",\"status\":\"\","
	  "\"log\":\"\",\"values\":\"\",\"times\":\"\",\"mend\":\"\","
	  "\"improve\":\"\"}",
	  "w: there are others than kb-generate(1) lists" },
};

static void test_words_are_all_there_and_no_others(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(refused); i++) {
		kb_auto(json) struct kb_json *words =
			read_words(refused[i].words);
		struct kb_err err = KB_ERR_INIT;

		check_int(kb_words_check(words, "w", &err), -KB_ERR_INPUT);
		check_str(err.msg, refused[i].message);
	}
}

/* There is room for one of each turn, whatever a journal says. */
static void test_evaluations_end_with_the_turns(void)
{
	static const char text[] = "{\"evaluation\":\""
		"00112233445566778899aabbccddeeff"
		"00112233445566778899aabbccddeeff\",\"judged\":[],\"turn\":1}";
	kb_auto(generation) struct kb_generation g = KB_GENERATION_INIT;
	kb_auto(json) struct kb_json *line = NULL;
	struct kb_err err = KB_ERR_INIT;

	check_int(kb_json_parse(&line, text, strlen(text), KB_JSON_CANONICAL,
				"line", NULL), 0);
	for (int i = 0; i < KB_TURNS_MAX; i++)
		check_int(kb_tell_take(&g, line, "line", &err), 1);
	check_int(kb_tell_take(&g, line, "line", &err), -KB_ERR_INPUT);
	check_str(err.msg, "line: has an evaluation, and there are 100 already");
	check_int(g.evaluation_count, KB_TURNS_MAX);
}

/* Speedups are told of, and end what is asked. */
static void test_a_turn_is_judged_by_a_baseline_that_matches(void)
{
	static const struct {
		const char *environment;
		enum kb_mode mode;
		const char *want;
	} table[] = {
		{ "{\"torch\":{\"triton_version\":\"3.6.0\"}}",
		  KB_MODE_COMPILE_DEFAULT, NULL },
		{ "{\"torch\":{\"triton_version\":\"3.7.0\"}}",
		  KB_MODE_EAGER, NULL },
		{ "{\"torch\":{\"triton_version\":\"3.7.0\"}}",
		  KB_MODE_COMPILE_DEFAULT, "torch.triton_version" },
		{ "{\"torch\":{\"transformers_version\":\"5.2.0\","
		  "\"triton_version\":\"3.6.0\"}}",
		  KB_MODE_EAGER, "torch.transformers_version" },
	};
	struct kb_key key = { 4, 1 };
	struct kb_problem problem = { .key = key, .needs_transformers = true };
	const struct kb_suite suite = { .problems = &problem,
					.problem_count = 1 };

	for (size_t i = 0; i < KB_ARRAY_LEN(table); i++) {
		struct kb_evaluation e = {
			.conditions.match_key = read_words("{}"),
			.conditions.environment = read_words(table[0].environment),
			.problems = &key, .problem_count = 1,
		};
		struct kb_baseline b = {
			.conditions.match_key = read_words("{}"),
			.conditions.environment = read_words(table[i].environment),
			.problems = &key, .problem_count = 1,
			.mode = table[i].mode,
		};
		const struct kb_generation g = KB_GENERATION_INIT;
		const struct kb_turn_judge judge = {
			.evaluation = &e, .baseline = &b, .suite = &suite };
		struct kb_err err = KB_ERR_INIT;
		kb_auto(buf) struct kb_buf want = KB_BUF_INIT;

		if (table[i].want)
			kb_buf_addf(&want, "the baseline was made under other "
				    "conditions than the evaluation: "
				    "'%s' differs", table[i].want);
		check_int(kb_turn_judge_check(&judge, &g, &err),
			  table[i].want ? -KB_ERR_INPUT : 0);
		check_str(err.msg, want.data);
		kb_conditions_release(&e.conditions);
		kb_conditions_release(&b.conditions);
	}
}

TAP_MAIN(TAP(test_a_turn_is_judged_by_a_baseline_that_matches),
	 TAP(test_evaluations_end_with_the_turns),
	 TAP(test_goals_are_read_or_refused),
	 TAP(test_what_is_told_is_a_list_of_parts),
	 TAP(test_a_goal_is_reached_by_exact_comparison),
	 TAP(test_the_best_is_by_the_rule),
	 TAP(test_a_sample_ends_by_the_first_rule_that_holds),
	 TAP(test_tokens_go_in_steps),
	 TAP(test_what_was_reached_by_turn),
	 TAP(test_what_was_reached_by_tokens),
	 TAP(test_what_is_told_is_what_was_chosen_and_is_there),
	 TAP(test_a_long_log_is_cut),
	 TAP(test_words_are_all_there_and_no_others));
