#include "sheet/comparison.h"

#include "base/buf.h"
#include "export/csv.h"
#include "export/latex.h"
#include "export/markdown.h"
#include "lib/tap.h"
#include "sheet/notes.h"
#include "unit/score_world.h"

static void say_model(struct world *w, size_t row, const char *model)
{
	free(w->scores[row].model);
	w->scores[row].model = NULL;
	kb_score_name_model(&w->scores[row], model);
}

/* "title: text; " of every note whose title begins with this. */
static void print_notes(struct kb_buf *out, const struct kb_comparison *c,
			const char *title)
{
	for (size_t i = 0; i < c->note_count; i++)
		if (!strncmp(c->notes[i].title, title, strlen(title)))
			kb_buf_addf(out, "%s: %s; ", c->notes[i].title,
				    c->notes[i].text);
}

static void check_notes(const struct kb_comparison *c, const char *title,
			const char *want)
{
	kb_auto(buf) struct kb_buf got = KB_BUF_INIT;

	print_notes(&got, c, title);
	check_str(got.data, want);
}

/* --- what rows say ------------------------------------------------------ */

static void change_model(struct world *w)
{
	say_model(w, 1, "n\n");
}

static void change_hardware(struct world *w)
{
	set_hardware(w, 1, "D");
	set_json(&w->scores[1].match_key, "{\"cpu\":\"D\"}");
}

static void change_mode(struct world *w)
{
	w->baselines[1].mode = KB_MODE_COMPILE_DEFAULT;
}

/* The references have times by that clock alone. */
static void change_clock(struct world *w)
{
	kb_json_set_string(w->scores[1].definition, "clock", "device");
	for (int i = 0; i < 2; i++) {
		struct kb_reference_result *r = &w->baselines[1].results[i];

		r->timing->time_ns = KB_UNKNOWN;
		r->device_timing = kb_device_timing_new();
		r->device_timing->timing = kb_timing_new(KB_CLOCK_DEVICE, 1, 2);
		r->device_timing->timing->time_ns = 1;
	}
}

static void change_sample(struct world *w)
{
	set_json(&w->scores[1].definition,
		 "{\"preset\":\"kb\",\"sample_id\":3}");
}

static void allow_mismatch(struct world *w)
{
	struct kb_mismatches *m = &w->scores[1].allowed;

	m->items = kb_xcalloc(1, sizeof(*m->items));
	m->items[m->count++].field = kb_xstrdup("torch.version");
}

static void change_tolerance(struct world *w)
{
	set_json(&w->evaluations[1].conditions.policy,
		 "{\"tolerance\":\"precise\"}");
}

static void add_seeds(struct world *w)
{
	kb_json_set_string(w->evaluations[1].conditions.policy, "seeds",
			   "4,2");
}

static void add_trials(struct world *w)
{
	kb_json_set_int(w->evaluations[1].conditions.policy, "trials", 7);
}

static void change_field(struct world *w)
{
	set_json(&w->scores[1].match_key, "{\"cpu\":\"C\",\"torch\":\"2\"}");
}

static void change_fields(struct world *w)
{
	set_json(&w->scores[1].match_key, "{\"cpu\":\"E\",\"torch\":\"2\"}");
}

static void change_many_fields(struct world *w)
{
	set_json(&w->scores[1].match_key,
		 "{\"cpu\":\"E\",\"os\":\"\",\"torch\":\"2\"}");
}

static void take_time(struct world *w)
{
	w->baselines[1].results[1].timing->time_ns = KB_UNKNOWN;
}

static void take_reference(struct world *w)
{
	kb_reference_result_release(&w->baselines[1].results[1]);
	w->baselines[1].result_count = 1;
}

static void change_mode_and_sample(struct world *w)
{
	change_mode(w);
	change_sample(w);
}

/* Also by its title, what the notes of it are. */
static const struct {
	void (*change)(struct world *w);
	const char *first, *second, *title, *notes;
} labels[] = {
	{ leave, "m (score 00000000)", "m (score 01000000)", "preset",
	  "preset: kb; " },
	{ change_model, "m", "n?", "model", "" },
	{ change_hardware, "m (C)", "m (D)", "hardware",
	  "hardware (1): C; hardware (2): D; " },
	{ change_mode, "m (eager)", "m (compile:default)", "baseline mode",
	  "baseline mode (1): eager; baseline mode (2): compile:default; " },
	{ change_clock, "m (clock call)", "m (clock device)", "clock",
	  "clock (1): call; clock (2): device; " },
	{ change_sample, "m (sample 0)", "m (sample 3)", "sample id",
	  "sample id (1): 0; sample id (2): 3; " },
	{ allow_mismatch, "m (allowed mismatches none)",
	  "m (allowed mismatches torch.version)", "allowed",
	  "allowed mismatches (1): none; "
	  "allowed mismatches (2): torch.version; " },
	{ change_tolerance, "m (tolerance t)", "m (tolerance precise)",
	  "policy",
	  "policy.tolerance (1): t; policy.tolerance (2): precise; " },
	{ add_seeds, "m (seeds absent)", "m (seeds 4,2)", "policy",
	  "policy.seeds (1): absent; policy.seeds (2): 4,2; " },
	{ add_trials, "m (score 00000000)", "m (score 01000000)", "policy",
	  "policy.trials (1): absent; policy.trials (2): 7; " },
	{ change_field, "m (torch absent)", "m (torch 2)", "torch",
	  "torch (1): absent; torch (2): 2; " },
	{ change_fields, "m (cpu C, torch absent)", "m (cpu E, torch 2)", "cpu",
	  "cpu (1): C; cpu (2): E; " },
	{ change_many_fields, "m (match key 1)", "m (match key 2)", "os",
	  "os (1): absent; os (2): ; " },
	{ take_time, "m (untimed references 0)", "m (untimed references 1)",
	  "untimed",
	  "untimed references (1): 0; untimed references (2): 1; " },
	{ take_reference, "m (untimed references 0)",
	  "m (untimed references 1)", "problems",
	  "problems: 2 of level 1, 2 overall; " },
	{ change_mode_and_sample, "m (eager, sample 0)",
	  "m (compile:default, sample 3)", "match key", "" },
};

static void test_rows_are_told_apart_by_what_differs(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(labels); i++) {
		kb_auto(comparison) struct kb_comparison c = KB_COMPARISON_INIT;
		struct world w;

		init(&w);
		labels[i].change(&w);
		kb_comparison_init(&c, w.sheets, 2);
		check_str(c.labels[0], labels[i].first);
		check_str(c.labels[1], labels[i].second);
		check_notes(&c, labels[i].title, labels[i].notes);
		release(&w);
	}
}

static void test_one_row_differs_in_nothing(void)
{
	kb_auto(comparison) struct kb_comparison c = KB_COMPARISON_INIT;
	struct world w;

	init(&w);
	kb_comparison_init(&c, w.sheets, 1);
	check_str(c.labels[0], "m");
	/* All that one score's table has but the model, and the problems. */
	check_int(c.note_count, KB_NOTES_EXPORTED);
	for (size_t i = 0; i < c.aspects.count; i++)
		check(!c.aspects.items[i].is_extra);
	release(&w);
}

/* Rows 1 and 3 say the same, and so do 2 and 4 but for one thing. */
static void test_notes_name_the_rows_that_they_are_about(void)
{
	kb_auto(comparison) struct kb_comparison c = KB_COMPARISON_INIT;
	struct world w;

	init(&w);
	for (size_t row = 1; row < ROWS_MAX; row += 2)
		set_hardware(&w, row, "D");
	w.baselines[3].mode = KB_MODE_CUDAGRAPHS;
	kb_comparison_init(&c, w.sheets, ROWS_MAX);
	check_notes(&c, "hardware",
		    "hardware (1, 3): C; hardware (2, 4): D; ");
	check_notes(&c, "baseline mode", "baseline mode (1, 2, 3): eager; "
					 "baseline mode (4): cudagraphs; ");
	check_notes(&c, "preset", "preset: kb; ");
	/* Only those that would be the same have ids. */
	check_str(c.labels[0], "m (C, eager, score 00000000)");
	check_str(c.labels[1], "m (D, eager)");
	check_str(c.labels[2], "m (C, eager, score 02000000)");
	check_str(c.labels[3], "m (D, cudagraphs)");
	release(&w);
}

/* What differs only where the hardware does need not be said; the same field
 * among rows of one hardware must. */
static void test_match_keys_are_compared_on_one_hardware(void)
{
	struct kb_comparison c;
	struct world w;

	init(&w);
	change_hardware(&w);
	kb_comparison_init(&c, w.sheets, 2);
	check_notes(&c, "cpu", "");
	kb_comparison_release(&c);

	set_json(&w.scores[2].match_key, "{\"cpu\":\"F\"}");
	kb_comparison_init(&c, w.sheets, 3);
	check_notes(&c, "cpu", "cpu (1): C; cpu (2): D; cpu (3): F; ");
	check_str(c.labels[1], "m (D, cpu D)");
	kb_comparison_release(&c);
	release(&w);
}

static void test_equal_match_keys_have_one_number(void)
{
	static const char many[] = "{\"cpu\":\"C\",\"q\":\"1\",\"r\":\"2\","
				   "\"s\":\"3\"}";
	kb_auto(comparison) struct kb_comparison c = KB_COMPARISON_INIT;
	struct world w;

	init(&w);
	set_json(&w.scores[1].match_key, many);
	set_json(&w.scores[3].match_key, many);
	kb_comparison_init(&c, w.sheets, ROWS_MAX);
	check_str(c.labels[0], "m (match key 1, score 00000000)");
	check_str(c.labels[1], "m (match key 2, score 01000000)");
	check_str(c.labels[2], "m (match key 1, score 02000000)");
	check_str(c.labels[3], "m (match key 2, score 03000000)");
	check_notes(&c, "r", "r (1, 3): absent; r (2, 4): 2; ");
	release(&w);
}

/* --- the tables --------------------------------------------------------- */

static void test_brief_columns(void)
{
	kb_auto(buf) struct kb_buf names = KB_BUF_INIT;
	struct kb_sheet_rows rows;
	struct world w;

	init(&w);
	rows = kb_sheet_rows(&w.sheets[0], KB_ROWS_BRIEF);
	for (size_t i = 0; i < rows.count; i++)
		kb_buf_addf(&names, "%s ", rows.items[i].name);
	check_str(names.data, "correct fast_1 fast_2 geomean ");
	release(&w);
}

/* Words that would be markup, or another column, or a formula. */
static void test_tables_take_words_for_words(void)
{
	kb_auto(comparison) struct kb_comparison c = KB_COMPARISON_INIT;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	struct world w;

	init(&w);
	say_model(&w, 0, "=a,|_\t");
	set_json(&w.evaluations[1].conditions.policy,
		 "{\"tolerance\":\"@<i>\\n%\",\"+x,_\\n\":true}");
	kb_comparison_init(&c, w.sheets, 2);
	kb_csv_comparison_print(&out, &c);
	check(strstr(out.data,
		     ",baseline,warnings,policy.tolerance,\"policy.+x,_?\"\n"));
	check(strstr(out.data, ",\"'=a,|_?\",C,"));
	check(strstr(out.data, ",'@<i>?%,true\n"));
	kb_buf_clear(&out);
	kb_markdown_comparison_print(&out, &c);
	check(strstr(out.data, "\n| =a,\\|\\_? (tolerance t) <sup>1</sup> |"));
	check(strstr(out.data, "\n| m (tolerance @\\<i\\>?%) <sup>2</sup> |"));
	check(strstr(out.data, "\n- policy.+x,\\_? (2): true\n"));
	kb_buf_clear(&out);
	kb_latex_comparison_print(&out, &c);
	check(strstr(out.data, "{\\raggedright =a,\\textbar{}\\_? (tolerance t)"
			       "\\textsuperscript{1}} \\\\\n"));
	check(strstr(out.data, "\npolicy.+x,\\_? (2): true.\n"));
	release(&w);
}

#define BREAK "\\allowbreak{}"

/* A label may wrap anywhere, if it has to, and never within a character or a
 * command. */
static void test_long_words_of_a_label_may_wrap(void)
{
	static const struct {
		const char *model, *label;
	} cases[] = {
		{ "gpt-4-of-2_6:b/c-preview", "{\\raggedright "
		  "gpt-4-of-2\\_6:b/c-preview (" },
		{ "gpt-4-of-2_6:b/c-preview2", "{\\raggedright gpt-" BREAK "4-"
		  BREAK "of-" BREAK "2\\_" BREAK "6:" BREAK "b/" BREAK "c-" BREAK
		  "preview2 (" },
		{ "a 012345678901234567890123456789", "{\\raggedright a "
		  "012345678901234567890123" BREAK "456789 (" },
		{ "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"
		  "\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9"
		  "\u00e9\u00e9\u00e9{\u00e9", "\u00e9\\{" BREAK "\u00e9 (" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(comparison) struct kb_comparison c = KB_COMPARISON_INIT;
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
		struct world w;

		init(&w);
		say_model(&w, 0, cases[i].model);
		say_model(&w, 1, cases[i].model);
		kb_comparison_init(&c, w.sheets, 2);
		kb_latex_comparison_print(&out, &c);
		if (!strstr(out.data, cases[i].label))
			tap_fail("no '%s' in: %s", cases[i].label, out.data);
		release(&w);
	}
}

/* Nothing was judged: no levels, no shares, no means. */
static void test_tables_of_nothing(void)
{
	kb_auto(comparison) struct kb_comparison c = KB_COMPARISON_INIT;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	struct world w;

	init(&w);
	for (size_t row = 0; row < 2; row++) {
		w.scores[row].level_count = 0;
		w.scores[row].overall.problems = 0;
	}
	kb_comparison_init(&c, w.sheets, 2);
	kb_markdown_comparison_print(&out, &c);
	check(strstr(out.data,
		     "| model | correct, overall | fast\\_1, overall | "
		     "fast\\_2, overall | geomean, overall |\n"
		     "| --- | ---: | ---: | ---: | ---: |\n"
		     "| m (score 00000000) <sup>1</sup> | - | - | - | - |\n"
		     "| m (score 01000000) <sup>2</sup> | - | - | - | - |\n"
		     "\n- problems: 0 overall\n") == out.data);
	kb_buf_clear(&out);
	kb_latex_comparison_print(&out, &c);
	check(strstr(out.data, "\\begin{tabular}{l*{4}{r}}\n"));
	check(strstr(out.data, " & \\multicolumn{3}{c}{\\%} & (untimed) \\\\\n"
			       "level & correct & $"));
	check(strstr(out.data, "\\textsuperscript{2}} \\\\\n"
			       "all & -- & -- & -- & -- \\\\\n\\bottomrule\n"));
	release(&w);
}

TAP_MAIN(TAP(test_rows_are_told_apart_by_what_differs),
	 TAP(test_one_row_differs_in_nothing),
	 TAP(test_notes_name_the_rows_that_they_are_about),
	 TAP(test_match_keys_are_compared_on_one_hardware),
	 TAP(test_equal_match_keys_have_one_number),
	 TAP(test_brief_columns),
	 TAP(test_tables_take_words_for_words),
	 TAP(test_long_words_of_a_label_may_wrap),
	 TAP(test_tables_of_nothing));
