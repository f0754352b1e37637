#include "sheet/comparable.h"

#include "base/err.h"
#include "lib/tap.h"
#include "unit/score_world.h"

static void give_an_id_twice(struct world *w)
{
	w->ids[1] = w->ids[0];
}

static void change_suite(struct world *w)
{
	w->evaluations[1].suite.bytes[0] = 0xab;
}

static void change_preset(struct world *w)
{
	set_json(&w->scores[1].definition,
		 "{\"preset\":\"v3\",\"sample_id\":0}");
}

static void take_preset(struct world *w)
{
	set_json(&w->scores[1].definition, "{\"sample_id\":0}");
}

static void change_switch(struct world *w)
{
	for (size_t row = 0; row < 2; row++)
		kb_json_set_string(w->scores[row].definition, "correct",
				   row ? "mostly" : "always");
}

static void add_switch(struct world *w)
{
	kb_json_set_bool(w->scores[1].definition, "new", true);
}

static void take_switch(struct world *w)
{
	kb_json_set_int(w->scores[0].definition, "old", 3);
}

static void add_problem(struct world *w)
{
	set_problems(w, 1, 3);
}

static void take_problem(struct world *w)
{
	set_problems(w, 1, 1);
}

static void take_problems(struct world *w)
{
	set_problems(w, 1, 0);
}

static void change_level(struct world *w)
{
	w->scores[1].levels[0].level = 2;
}

static void change_count(struct world *w)
{
	w->scores[1].overall.problems = 3;
}

static void take_levels(struct world *w)
{
	w->scores[1].level_count = 0;
}

/* What rows may say of themselves, all of it. */
static void change_the_rest(struct world *w)
{
	set_json(&w->scores[1].definition,
		 "{\"preset\":\"kb\",\"sample_id\":1,\"clock\":\"device\","
		 "\"baseline_mode\":\"cudagraphs\",\"seeds\":\"1,2\","
		 "\"sound\":\"yes\"}");
	set_json(&w->scores[1].match_key, "{\"cpu\":\"D\"}");
	set_json(&w->evaluations[1].conditions.policy, "{}");
	set_hardware(w, 1, "D");
	w->baselines[1].mode = KB_MODE_CUDAGRAPHS;
	w->scores[1].overall.compiled = 1;
}

static const struct {
	void (*change)(struct world *w);
	const char *why;		/* NULL: they go together */
} pairs[] = {
	{ leave, NULL },
	{ change_the_rest, NULL },
	{ give_an_id_twice, "'x' and 'y' are the same score" },
	{ change_suite, "'x' and 'y' cannot be in one table: their suites are "
			"0000000000000000 and ab00000000000000" },
	{ change_preset, "'x' and 'y' cannot be in one table: their presets "
			 "are 'kb' and 'v3'" },
	{ take_preset, "'x' and 'y' cannot be in one table: their presets "
		       "are 'kb' and 'none'" },
	{ change_switch, "'x' and 'y' cannot be in one table: their "
			 "definitions differ in 'correct'" },
	{ add_switch, "'x' and 'y' cannot be in one table: their definitions "
		      "differ in 'new'" },
	{ take_switch, "'x' and 'y' cannot be in one table: their definitions "
		       "differ in 'old'" },
	{ add_problem, "'x' and 'y' cannot be in one table: only the second "
		       "counts problem 1/3" },
	{ take_problem, "'x' and 'y' cannot be in one table: only the first "
			"counts problem 1/2" },
	{ take_problems, "'x' and 'y' cannot be in one table: only the first "
			 "counts problem 1/1" },
	{ change_level, "'x' and 'y' cannot be in one table: their levels "
			"have not the same numbers of problems" },
	{ change_count, "'x' and 'y' cannot be in one table: their levels "
			"have not the same numbers of problems" },
	{ take_levels, "'x' and 'y' cannot be in one table: their levels "
		       "have not the same numbers of problems" },
};

static void test_what_is_not_comparable_is_refused(void)
{
	static const char *const names[] = { "x", "y" };

	for (size_t i = 0; i < KB_ARRAY_LEN(pairs); i++) {
		struct kb_err err = KB_ERR_INIT;
		struct world w;

		init(&w);
		pairs[i].change(&w);
		check_int(kb_sheets_check_comparable(w.sheets, names, 0, &err),
			  0);
		check_int(kb_sheets_check_comparable(w.sheets, names, 1, &err),
			  0);
		check_int(kb_sheets_check_comparable(w.sheets, names, 2, &err),
			  pairs[i].why ? -KB_ERR_INPUT : 0);
		check_str(err.msg, pairs[i].why ? pairs[i].why : "");
		release(&w);
	}
}

static void test_a_refusal_names_the_two(void)
{
	static const char *const names[] = { "x", "y", "z", "z again" };
	struct kb_err err = KB_ERR_INIT;
	struct world w;

	init(&w);
	w.ids[3] = w.ids[2];
	check_int(kb_sheets_check_comparable(w.sheets, names, 4, &err),
		  -KB_ERR_INPUT);
	check_str(err.msg, "'z' and 'z again' are the same score");
	set_problems(&w, 2, 1);
	check_int(kb_sheets_check_comparable(w.sheets, names, 4, &err),
		  -KB_ERR_INPUT);
	check_str(err.msg, "'x' and 'z' cannot be in one table: only the first "
			   "counts problem 1/2");
	release(&w);
}

/* Whole levels: a problem that only its baseline has counts, too. */
static void test_problems_are_those_that_the_preset_counts(void)
{
	static const char *const names[] = { "x", "y" };
	struct kb_err err = KB_ERR_INIT;
	struct world w;

	init(&w);
	for (size_t row = 0; row < 2; row++) {
		struct kb_baseline *b = &w.baselines[row];

		b->problems = kb_xcalloc(3, sizeof(*b->problems));
		for (int i = 0; i < 3; i++)
			b->problems[i] = (struct kb_key){ 1, i + 1 };
		b->problem_count = row ? 3 : 2;
	}
	check_int(kb_sheets_check_comparable(w.sheets, names, 2, &err), 0);
	for (size_t row = 0; row < 2; row++)
		set_json(&w.scores[row].definition,
			 "{\"preset\":\"kernelbench\",\"sample_id\":0}");
	check_int(kb_sheets_check_comparable(w.sheets, names, 2, &err),
		  -KB_ERR_INPUT);
	check_str(err.msg, "'x' and 'y' cannot be in one table: only the "
			   "second counts problem 1/3");
	set_problems(&w, 0, 3);
	check_int(kb_sheets_check_comparable(w.sheets, names, 2, NULL), 0);
	release(&w);
}

static void test_a_definition_that_nobody_knows_is_refused(void)
{
	static const char *const names[] = { "x", "y" };
	struct kb_err err = KB_ERR_INIT;
	struct world w;

	init(&w);
	for (size_t row = 0; row < 2; row++)
		set_json(&w.scores[row].definition,
			 "{\"preset\":\"new\",\"sample_id\":0}");
	check_int(kb_sheets_check_comparable(w.sheets, names, 2, &err),
		  -KB_ERR_INPUT);
	check_str(err.msg, "'x' and 'y' cannot be in one table: the score's definition: no "
			   "preset is called 'new', there are: kb, "
			   "kernelbench, leaderboard, v3");
	release(&w);
}

TAP_MAIN(TAP(test_what_is_not_comparable_is_refused),
	 TAP(test_a_refusal_names_the_two),
	 TAP(test_problems_are_those_that_the_preset_counts),
	 TAP(test_a_definition_that_nobody_knows_is_refused));
