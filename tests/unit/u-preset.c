#include "score/preset.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "lib/tap.h"
#include "score/judge.h"
#include "score/metrics.h"

#define NONE KB_UNKNOWN

static void test_names_are_read_back(void)
{
	struct kb_err err = KB_ERR_INIT;
	enum kb_preset preset;

	for (int i = KB_PRESET_KB; i < KB_PRESET_COUNT; i++) {
		check_int(kb_preset_parse(&preset, kb_preset_rules(i)->name,
					  NULL), 0);
		check_int(preset, i);
	}
	check_int(kb_preset_parse(&preset, "", &err), -KB_ERR_INPUT);
	check_str(err.msg, "no preset is called '', there are: kb, "
			   "kernelbench, leaderboard, v3");
}

/* Whoever compares two definitions finds the same switches in both, but for
 * those that only one has. */
static void test_definitions_are_flat_and_say_their_choice(void)
{
	kb_auto(json) struct kb_json *policy = kb_json_object();

	for (int i = 0; i < 2 * KB_PRESET_COUNT; i++) {
		const struct kb_choice c = {
			.preset = i / 2, .clock = KB_CLOCK_DEVICE,
			.sample_id = 7, .is_of_sound = i % 2,
			.backend = i % 2 ? "triton" : NULL,
		};
		kb_auto(json) struct kb_json *v =
			kb_preset_definition(&c, KB_MODE_EAGER, policy);
		struct kb_choice again;

		check_int(kb_preset_read(&again, v, NULL), 0);
		check_int(again.preset, c.preset);
		check_int(again.clock, c.clock);
		check_int(again.sample_id, c.sample_id);
		check_int(again.is_of_sound, c.is_of_sound);
		check_str(again.backend ? again.backend : "any",
			  c.backend ? c.backend : "any");
		for (const struct kb_json *m = kb_json_first(v); m;
		     m = kb_json_next(m))
			check(kb_json_type(m) != KB_JSON_OBJECT &&
			      kb_json_type(m) != KB_JSON_ARRAY &&
			      kb_json_type(m) != KB_JSON_NULL);
	}
}

/* The seeds are the evaluation's, and only v3 looks at them. */
static void test_a_definition_has_the_seeds_that_its_preset_looks_at(void)
{
	kb_auto(json) struct kb_json *one = kb_json_object();
	kb_auto(json) struct kb_json *two = kb_json_object();

	kb_json_set_string(two, "seeds", "42,123");
	for (int i = 0; i < KB_PRESET_COUNT; i++) {
		const struct kb_choice c = { .preset = i };
		kb_auto(json) struct kb_json *without =
			kb_preset_definition(&c, KB_MODE_EAGER, one);
		kb_auto(json) struct kb_json *with =
			kb_preset_definition(&c, KB_MODE_EAGER, two);
		const struct kb_json *seeds = kb_json_find(with, "seeds");

		check(!kb_json_find(without, "seeds"));
		check(!seeds == (i != KB_PRESET_V3));
		if (seeds)
			check_str(kb_json_string_value(seeds), "42,123");
	}
}

static const struct {
	const char *key, *value, *message;
} refused[] = {
	{ "preset", "kbench",
	  "the score's definition: no preset is called 'kbench', there are: kb, "
	  "kernelbench, leaderboard, v3" },
	{ "clock", "wall",
	  "the score's definition: no clock is called 'wall', there are: call, device" },
	{ "problems", "unsound",
	  "the score's definition: 'unsound' is not a selection of problems: there is 'sound'" },
	{ "backend", "fortran",
	  "the score's definition: no backend is called 'fortran', there are: tilelang, "
	  "cute, cuda-tile, helion, triton, cupy, thunderkittens, hip, cuda, "
	  "cpp, cuda-graph, torch-compile, torch, native-c, native-cuda" },
};

static void test_choices_that_there_are_not(void)
{
	struct kb_err err = KB_ERR_INIT;
	struct kb_choice c;

	for (size_t i = 0; i < KB_ARRAY_LEN(refused); i++) {
		kb_auto(json) struct kb_json *v = kb_json_object();

		check_int(kb_preset_read(&c, v, &err), -KB_ERR_INPUT);
		check_str(err.msg, "definition: 'sample_id' is missing");
		kb_json_set_int(v, "sample_id", 0);
		check_int(kb_preset_read(&c, v, NULL), 0);
		kb_json_set_string(v, refused[i].key, refused[i].value);
		check_int(kb_preset_read(&c, v, &err), -KB_ERR_INPUT);
		check_str(err.msg, refused[i].message);
	}
}

#define VERDICT(c, c_low, c_high, b, b_low, b_high) { \
	.line = { .status = KB_STATUS_CORRECT, .candidate_ns = c, \
		  .baseline_ns = b, .has_intervals = true, \
		  .candidate = { c_low, c_high }, \
		  .baseline = { b_low, b_high } }, \
	.compiled = true }

static const struct {
	struct kb_verdict verdict;
	int64_t certain[KB_FAST_COUNT], undecided[KB_FAST_COUNT];
	int64_t low_micro, high_micro;
} certainties[] = {
	{ VERDICT(100, 100, 100, 200, 200, 200),
	  { 1, 1, 1, 1, 1, 0 }, { 0, 0, 0, 0, 0, 0 }, 2000000, 2000000 },
	/* From 198/101 to 202/99: at 2 it may be or not. */
	{ VERDICT(100, 99, 101, 200, 198, 202),
	  { 1, 1, 1, 1, 1, 0 }, { 0, 0, 0, 0, 0, 1 }, 1960396, 2040404 },
	/* An upper end of exactly 1 is certainly not faster. */
	{ VERDICT(100, 100, 110, 90, 80, 100),
	  { 1, 1, 0, 0, 0, 0 }, { 0, 0, 1, 0, 0, 0 }, 727273, 1000000 },
	{ VERDICT(100, NONE, NONE, 200, 190, 210),
	  { 1, 0, 0, 0, 0, 0 }, { 0, 1, 1, 1, 1, 1 }, NONE, NONE },
	{ VERDICT(100, 90, 110, 200, NONE, NONE),
	  { 1, 0, 0, 0, 0, 0 }, { 0, 1, 1, 1, 1, 1 }, NONE, NONE },
	/* A low end that no clock could have seen excludes nothing. */
	{ VERDICT(100, -5, 110, 200, 190, 210),
	  { 1, 1, 1, 1, 1, 0 }, { 0, 0, 0, 0, 0, 1 }, 1727273, NONE },
	{ VERDICT(100, 90, 110, 200, 0, 210),
	  { 1, 0, 0, 0, 0, 0 }, { 0, 1, 1, 1, 1, 1 }, NONE, 2333333 },
	/* Without a time it is not fast, and nothing is undecided. */
	{ VERDICT(NONE, NONE, NONE, 200, 190, 210),
	  { 0, 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0, 0 }, NONE, NONE },
};

static void test_what_intervals_leave_certain(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(certainties); i++) {
		struct kb_metrics m;

		printf("# %zu\n", i);
		kb_metrics_of(&m, &certainties[i].verdict, 1);
		for (int p = 0; p < KB_FAST_COUNT; p++) {
			check_int(m.certainty.certain[p],
				  certainties[i].certain[p]);
			check_int(m.certainty.undecided[p],
				  certainties[i].undecided[p]);
		}
		check_int(m.certainty.geomean_low_micro,
			  certainties[i].low_micro);
		check_int(m.certainty.geomean_high_micro,
			  certainties[i].high_micro);
	}
}

static void test_one_unknown_interval_leaves_the_mean_unknown(void)
{
	const struct kb_verdict two[] = { certainties[0].verdict,
					  certainties[3].verdict };
	struct kb_metrics m;

	kb_metrics_of(&m, two, 2);
	check(m.certainty.geomean_low_micro == NONE);
	check(m.certainty.geomean_high_micro == NONE);
	check_int(m.geomean_speedup_micro, 2000000);
}

/* Trials of one call each, that took `a`, and one that took `b`. */
#define TIMES(a, b) { .n_small = 0, .n_large = 1, \
	.small_ns = (int64_t[8]){ 0 }, .small_count = 8, \
	.large_ns = (int64_t[]){ a, a, a, a, a, a, a, b }, \
	.large_count = 8, .time_ns = a, .device_ns = NONE, .control_ns = NONE, \
	.copy_in_small_ns = NONE, .copy_in_large_ns = NONE, \
	.low_ns = (a) < (b) ? (a) : (b), .high_ns = (a) < (b) ? (b) : (a) }

static struct kb_timing at_1000 = TIMES(1000, 1000),
			at_2000 = TIMES(2000, 2000),
			at_2040 = TIMES(2040, 2040),
			at_2070 = TIMES(2070, 2070),
			/* means of 1875 and of -125 */
			mostly_1000 = TIMES(1000, 8000),
			wasteful = TIMES(2000, -15000);

#define ENDED(s, p, trials) { .status = KB_STATUS_##s, \
	.phase = KB_PHASE_##p, .exit_status = KB_UNKNOWN, \
	.trial_seeds.count = trials }
#define CORRECT(l, p, s, t, r) { .key = { l, p }, .sample_id = s, \
	.outcome = ENDED(CORRECT, NONE, 5), .timing = t, \
	.reference_timing = r }

static struct kb_result results[] = {
	CORRECT(1, 1, 0, &at_1000, &at_2000),
	CORRECT(1, 1, 1, &at_2000, &at_2000),
	CORRECT(1, 2, 0, &at_2000, &at_2040),
	{ .key = { 1, 2 }, .sample_id = 1, .outcome = ENDED(MISMATCH, RUN, 1) },
	{ .key = { 1, 3 }, .sample_id = 0, .outcome = ENDED(MISSING, NONE, 0) },
	{ .key = { 1, 4 }, .sample_id = 0,
	  .outcome = ENDED(TIMED_OUT, RUN, 0) },
	{ .key = { 1, 4 }, .sample_id = 1, .outcome = ENDED(CRASHED, RUN, 0) },
};

#define REFERENCE(l, p, t) { .key = { l, p }, \
	.outcome = ENDED(TIMED, NONE, 5), .timing = t }

static struct kb_reference_result references[] = {
	REFERENCE(1, 1, &at_2000), REFERENCE(1, 2, &at_2000),
	REFERENCE(1, 3, &at_2000), REFERENCE(1, 5, &at_2000),
	REFERENCE(2, 1, &at_2000), REFERENCE(4, 1, &at_2000),
};

static struct kb_key selected[] = { { 1, 1 }, { 1, 2 }, { 1, 3 }, { 1, 4 } };
static struct kb_key timed[] = { { 1, 1 }, { 1, 2 }, { 1, 3 }, { 1, 5 },
				 { 2, 1 }, { 4, 1 } };

static int judge_by(struct kb_score *s, enum kb_preset preset,
		    struct kb_err *err)
{
	kb_auto(mismatches) struct kb_mismatches differ = KB_MISMATCHES_INIT;
	kb_auto(json) struct kb_json *key = kb_json_object();
	kb_auto(json) struct kb_json *tool = kb_json_object();
	const struct kb_evaluation e = {
		.conditions = { .match_key = key },
		.problems = selected, .problem_count = KB_ARRAY_LEN(selected),
		.results = results, .result_count = KB_ARRAY_LEN(results),
	};
	const struct kb_baseline b = {
		.conditions = { .match_key = key },
		.problems = timed, .problem_count = KB_ARRAY_LEN(timed),
		.results = references,
		.result_count = KB_ARRAY_LEN(references),
	};
	const struct kb_judge_input in = {
		.evaluation = &e, .baseline = &b, .tool = tool,
		.choice = { .preset = preset },
	};

	return kb_judge(s, &differ, &in, err);
}

static void test_kb_tries_all_samples(void)
{
	kb_auto(score) struct kb_score s = KB_SCORE_INIT;

	check_int(judge_by(&s, KB_PRESET_KB, NULL), 0);
	check_int(s.overall.problems, 4);
	check_int(s.overall.compiled, 3);
	check_int(s.overall.correct, 2);
	check_int(s.overall.certainty.certain[3], 1);
	check_int(s.overall.certainty.undecided[3], 0);
	/* Problem 3 has nothing to try, the others have two each. */
	check_int(s.overall.at_k_count, 2);
	check_str(s.overall.at_k[0].pass.exact, "3/8");
	check_str(s.overall.at_k[1].pass.exact, "1/2");
	check_str(s.overall.at_k[1].fast[3].exact, "1/4");
	check_int(s.lines[0].candidate.low_ns, 1000);
	check_int(s.lines[0].noise_micro, 1000000);
}

static void test_kernelbench_counts_what_its_files_would_have(void)
{
	kb_auto(score) struct kb_score s = KB_SCORE_INIT;

	check_int(judge_by(&s, KB_PRESET_KERNELBENCH, NULL), 0);
	/* All of level 1 that either has; 1/4 has no baseline. */
	check_int(s.line_count, 5);
	check_int(s.level_count, 1);
	check_int(s.overall.problems, 5);
	check_int(s.overall.compiled, 2);	/* not the one out of time */
	check_str(s.overall.shares.correct.exact, "2/5");
	check_str(s.overall.shares.fast[0].exact, "1/2");
	check_str(s.overall.shares.fast[3].exact, "1/4");
	check_int(s.overall.shares.geomean_speedup_nano, 1414213562);
	check_int(s.overall.status_counts[KB_STATUS_MISSING], 2);
}

static void test_kernelbench_takes_means(void)
{
	kb_auto(score) struct kb_score s = KB_SCORE_INIT;

	results[0].timing = &mostly_1000;
	check_int(judge_by(&s, KB_PRESET_KERNELBENCH, NULL), 0);
	/* 15000 / 8 is 1875: at three digits, to even. */
	check_int(s.lines[0].candidate_ns, 1880);
	results[0].timing = &at_1000;
}

/* Nobody gets faster by being slow now and then; that a reference would is
 * its baseline's loss. */
static void test_kernelbench_means_of_candidates_have_a_floor(void)
{
	kb_auto(score) struct kb_score s = KB_SCORE_INIT;

	results[0].timing = &wasteful;
	references[1].timing = &wasteful;
	check_int(judge_by(&s, KB_PRESET_KERNELBENCH, NULL), 0);
	check_int(s.lines[0].candidate_ns, 2000);
	check(s.lines[1].baseline_ns == NONE);
	results[0].timing = &at_1000;
	references[1].timing = &at_2000;
}

static void test_the_leaderboard_has_250_problems(void)
{
	kb_auto(score) struct kb_score s = KB_SCORE_INIT;

	check_int(judge_by(&s, KB_PRESET_LEADERBOARD, NULL), 0);
	check_int(s.level_count, 3);
	check_int(s.levels[0].metrics.problems, 100);
	check_int(s.levels[1].metrics.status_counts[KB_STATUS_MISSING], 100);
	check_int(s.levels[2].metrics.problems, 50);
	check_int(s.overall.problems, 250);
	check_str(s.overall.shares.correct.exact, "1/125");
	/* A tie is not enough: 1 of the 4 with a baseline, for 100 of 250. */
	check_str(s.levels[0].metrics.shares.fast[3].exact, "1/4");
	check_str(s.overall.shares.fast[3].exact, "1/10");
	check_int(s.overall.shares.geomean_speedup_nano, 1414213562);
	/* Level 4 is none of its. */
	check_int(s.line_count, 6);
}

static void test_v3_wants_five_trials(void)
{
	kb_auto(score) struct kb_score s = KB_SCORE_INIT;

	results[2].outcome.trial_seeds.count = 4;
	check_int(judge_by(&s, KB_PRESET_V3, NULL), 0);
	check_int(s.overall.compiled, 3);
	check_int(s.overall.correct, 1);
	check_int(s.overall.fast[3], 1);
	check_int(s.overall.status_counts[KB_STATUS_CORRECT], 2);
	results[2].outcome.trial_seeds.count = 5;
}

/* All trials on a device derive from one seed. */
static void test_v3_counts_trials_where_there_is_one_seed(void)
{
	struct kb_timing on_device = at_2000;
	struct kb_timing *const before = results[2].timing;

	on_device.copy_in_small_ns = on_device.copy_in_large_ns = 0;
	on_device.low_ns = on_device.high_ns = NONE;	/* of so few */
	results[2].timing = &on_device;
	results[2].outcome.trial_seeds.count = 1;
	for (size_t trials = 4; trials <= 5; trials++) {
		kb_auto(score) struct kb_score s = KB_SCORE_INIT;

		on_device.small_count = on_device.large_count = trials;
		check_int(judge_by(&s, KB_PRESET_V3, NULL), 0);
		check_int(s.overall.correct, trials == 5 ? 2 : 1);
	}
	results[2].timing = before;
	results[2].outcome.trial_seeds.count = 5;
}

static const struct {
	struct kb_timing *first, *second;
	bool has_drifted;
	int64_t median_micro;
} drifts[] = {
	{ &at_2000, &at_2040, false, 0 },
	{ &at_2040, &at_2040, false, 0 },
	{ &at_2070, &at_2040, false, 0 },	/* 1.0275 in the middle */
	{ &at_2070, &at_2070, true, 1035000 },
	{ &at_1000, &at_1000, true, 500000 },
};

static void test_a_drift_past_3_percent_is_a_warning(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(drifts); i++) {
		kb_auto(score) struct kb_score s = KB_SCORE_INIT;

		results[0].reference_timing = drifts[i].first;
		results[2].reference_timing = drifts[i].second;
		check_int(judge_by(&s, KB_PRESET_KB, NULL), 0);
		check(s.has_warnings);
		check_int(s.has_drifted, drifts[i].has_drifted);
		if (!s.has_drifted)
			continue;
		check_int(s.drift.median_micro, drifts[i].median_micro);
		check_int(s.drift.problems, 2);
		check_int(s.drift.limit_ppm, 30000);
	}
	results[0].reference_timing = &at_2000;
	results[2].reference_timing = &at_2040;
}

/* Read back and judged again, each gives the same bytes. */
static void test_every_preset_is_read_and_made_again(void)
{
	for (int i = 0; i < KB_PRESET_COUNT; i++) {
		kb_auto(score) struct kb_score s = KB_SCORE_INIT;
		kb_auto(score) struct kb_score again = KB_SCORE_INIT;
		kb_auto(json) struct kb_json *tool = kb_json_object();
		kb_auto(buf) struct kb_buf one = KB_BUF_INIT, two = KB_BUF_INIT;
		struct kb_err err = KB_ERR_INIT;
		struct kb_json *v;

		check_int(judge_by(&s, i, NULL), 0);
		kb_json_set_string(tool, "name", "kb-score");
		kb_json_set_string(tool, "version", "1");
		kb_json_set_string(tool, "git_commit", NULL);
		kb_json_set(tool, "git_dirty", kb_json_null());
		kb_json_free(s.tool);
		s.tool = kb_steal(tool);

		v = kb_score_to_json(&s);
		kb_json_print(&one, v);
		check_int(kb_score_from_json(&again, v, "score", &err), 0);
		check_str(err.msg, "");
		kb_json_free(v);
		v = kb_score_to_json(&again);
		kb_json_print(&two, v);
		kb_json_free(v);
		check_str(two.data, one.data);
	}
}

TAP_MAIN(TAP(test_names_are_read_back),
	 TAP(test_definitions_are_flat_and_say_their_choice),
	 TAP(test_a_definition_has_the_seeds_that_its_preset_looks_at),
	 TAP(test_choices_that_there_are_not),
	 TAP(test_what_intervals_leave_certain),
	 TAP(test_one_unknown_interval_leaves_the_mean_unknown),
	 TAP(test_kb_tries_all_samples),
	 TAP(test_kernelbench_counts_what_its_files_would_have),
	 TAP(test_kernelbench_takes_means),
	 TAP(test_kernelbench_means_of_candidates_have_a_floor),
	 TAP(test_the_leaderboard_has_250_problems),
	 TAP(test_v3_wants_five_trials),
	 TAP(test_v3_counts_trials_where_there_is_one_seed),
	 TAP(test_a_drift_past_3_percent_is_a_warning),
	 TAP(test_every_preset_is_read_and_made_again));
