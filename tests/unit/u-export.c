/* A score as tables and JSON for others. */

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "export/csv.h"
#include "export/latex.h"
#include "export/markdown.h"
#include "export/score_json.h"
#include "export_conditions.h"
#include "json/json.h"
#include "lib/tap.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/score.h"
#include "sheet/format.h"
#include "sheet/hardware.h"
#include "sheet/score_sheet.h"

static void test_hardware_is_that_of_the_device(void)
{
	static const struct {
		const char *environment, *hardware, *device;
	} cases[] = {
		{ "{}", "unknown", "unknown" },
		{ "{\"device\":{\"kind\":\"cpu\"},\"cpu\":{\"model\":\"C\"},"
		  "\"gpu\":{\"name\":\"G\"}}", "C", "cpu" },
		{ "{\"device\":{\"kind\":\"cuda\"},\"cpu\":{\"model\":\"C\"},"
		  "\"gpu\":{\"name\":\"G\"}}", "G", "cuda" },
		{ "{\"device\":{\"kind\":\"cuda\"},"
		  "\"gpu\":{\"name\":{\"unavailable\":\"why\"}}}",
		  "unknown", "cuda" },
		{ "{\"device\":{\"kind\":\"cuda\"},"
		  "\"gpu\":{\"unavailable\":\"why\"}}", "unknown", "cuda" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_conditions c = KB_CONDITIONS_INIT;

		set_conditions(&c, cases[i].environment);
		check_str(kb_hardware_name(c.environment), cases[i].hardware);
		check_str(kb_device_name(&c), cases[i].device);
		kb_json_set_string(c.options, "device", "cuda:3");
		check_str(kb_device_name(&c), "cuda:3");
		kb_conditions_release(&c);
	}
}

/* Words that would be markup, or another column, or a formula. */
static void test_tables_take_words_for_words(void)
{
	kb_auto(evaluation) struct kb_evaluation e = KB_EVALUATION_INIT;
	kb_auto(baseline) struct kb_baseline b = KB_BASELINE_INIT;
	kb_auto(score) struct kb_score s = KB_SCORE_INIT;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	const struct kb_digest id = { .bytes = { 0 } };
	const struct kb_score_sheet sheet = {
		.score = &s, .id = &id, .evaluation = &e, .baseline = &b,
	};

	s.definition = kb_json_object();
	set_conditions(&e.conditions,
		       "{\"device\":{\"kind\":\"cpu\"},\"cpu\":{\"model\":"
		       "\"=a,\\\"b\\\"|<i>_\\\\x\\n\\u0085%$\"}}");
	kb_csv_print(&out, &sheet);
	check(strstr(out.data, ",\"'=a,\"\"b\"\"|<i>_\\x??%$\","));
	kb_buf_clear(&out);
	kb_markdown_print(&out, &sheet);
	check(strstr(out.data, "- hardware: =a,\"b\"\\|\\<i\\>\\_\\\\x??%\\$\n"));
	kb_buf_clear(&out);
	kb_latex_print(&out, &sheet);
	check(strstr(out.data, "\nhardware: =a,\"b\"\\textbar{}\\textless{}i"
			       "\\textgreater{}\\_\\textbackslash{}x??\\%\\$;"
			       "\n"));
}

/* Whoever reads these may do it on a terminal or on GitHub. */
static void test_texts_are_harmless(void)
{
	static const struct {
		const char *text, *csv, *markdown;
	} rows[] = {
		{ "a\x1b[2J\xe2\x80\xae", "a?[2J?", "a?\\[2J?" },
		{ "a\nb\tc", "a?b?c", "a?b?c" },
		{ "=\"x\"", "\"'=\"\"x\"\"\"", "=\"x\"" },
		{ "see http://x", "see http://x", "see http\\://x" },
		{ "see WWW.x.y", "see WWW.x.y", "see WWW\\.x.y" },
		{ "a: b.c", "a: b.c", "a: b.c" },
		{ "", "", "" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		kb_auto(buf) struct kb_buf csv = KB_BUF_INIT;
		kb_auto(buf) struct kb_buf markdown = KB_BUF_INIT;

		kb_csv_text_print(&csv, rows[i].text);
		kb_markdown_text_print(&markdown, rows[i].text);
		check_str(csv.len ? csv.data : "", rows[i].csv);
		check_str(markdown.len ? markdown.data : "", rows[i].markdown);
	}
}

/* A score of nothing: one row, no shares, no mean. */
static void test_tables_of_nothing(void)
{
	kb_auto(evaluation) struct kb_evaluation e = KB_EVALUATION_INIT;
	kb_auto(baseline) struct kb_baseline b = KB_BASELINE_INIT;
	kb_auto(score) struct kb_score s = KB_SCORE_INIT;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	const struct kb_digest id = { .bytes = { 0 } };
	const struct kb_score_sheet sheet = {
		.score = &s, .id = &id, .evaluation = &e, .baseline = &b,
	};

	s.definition = kb_json_object();
	set_conditions(&e.conditions, "{}");
	kb_csv_print(&out, &sheet);
	check(strstr(out.data, "\noverall,0,0,0,0,0,0,0,0,0,0,0,,,,"
			       ",,,,,,,,,,"
			       "not recorded,unknown,not recorded,none,eager,"
			       "call,all,not recorded,\"0 problems, of how "
			       "many is not known: the suite is not in the "
			       "store\",not known: the suite is not in the "
			       "store,not recorded,standard,unknown: the evaluation's "
			       "references are eager,none,"));
	kb_buf_clear(&out);
	kb_markdown_print(&out, &sheet);
	check(strstr(out.data, "| overall | 0 | 0 |"));
	check(strstr(out.data, "| - |\n\n- model: not recorded\n"
			       "- hardware: unknown\n"));
	kb_buf_clear(&out);
	kb_score_json_print(&out, &sheet);
	check(strstr(out.data, "\"geomean_speedup\": null\n"));
	check(strstr(out.data, "\"candidates\": []\n}\n"));
}

/* Of what a score states, the one of several that is in all formats. */
static const struct {
	struct kb_stated stated;
	bool has_drifted;
	const char *note;
} notes[] = {
	{ { .suite_problems = 12, .selected = 12 }, false,
	  "selected: all of the suite's 12 problems" },
	{ { .suite_problems = 12, .selected = 1, .left_out_count = 11 }, false,
	  "selected: 1 of the suite's 12 problems; left out: 1/1, 1/2, 1/3, "
	  "1/4, 1/5, 1/6, 1/7, 1/8, 1/9, 1/10 and 1 more" },
	{ { .suite_problems = 2, .selected = 2,
	    .derivation = KB_DERIVATION_SIZES,
	    .derived_from.bytes = { 0xab, 0xcd, 0xef } }, false,
	  "selected: all of the suite's 2 problems; at other sizes than those "
	  "of suite abcdef000000, from which it is derived" },
	{ { .suite_problems = 2, .selected = 2,
	    .derivation = KB_DERIVATION_BACKWARD,
	    .derived_from.bytes = { 0xab, 0xcd, 0xef } }, false,
	  "selected: all of the suite's 2 problems; gradients of the problems "
	  "of suite abcdef000000, from which it is derived" },
	{ { .suite_problems = 2, .selected = 2,
	    .derivation = KB_DERIVATION_BOTH,
	    .derived_from.bytes = { 0xab, 0xcd, 0xef } }, false,
	  "selected: all of the suite's 2 problems; gradients, at other sizes, "
	  "of the problems of suite abcdef000000, from which it is derived" },
	{ { .suite_problems = KB_UNKNOWN, .selected = 3 }, false,
	  "selected: 3 problems, of how many is not known: the suite is not in "
	  "the store" },
	{ { .unsound = 2, .not_audited = 1 }, false,
	  "sound: 5 of 8 problems by the suite's audit; unsound 2, not "
	  "audited 1" },
	{ { .not_audited = 8 }, false,
	  "sound: not known: the suite has no audit of these problems" },
	{ { .tolerance = (char *)"v3", .error_multiple = KB_UNKNOWN,
	    .limit_count = 2, .limits = { { 32, 1e-3, 1e-3 },
					  { 16, 0.1, 0.05 } } }, false,
	  "tolerance: v3: atol 0.001 and rtol 0.001, of 16 bits atol 0.1 and "
	  "rtol 0.05" },
	{ { .tolerance = (char *)"v3", .of_tensor = true,
	    .error_multiple = KB_UNKNOWN, .limit_count = 1,
	    .limits = { { 32, 1e-3, 1e-3 } } }, false,
	  "tolerance: v3: atol 0.001 and rtol 0.001, of the largest value of an "
	  "output, by the type of the first input" },
	{ { .tolerance = (char *)"precise", .error_multiple = 8,
	    .limit_count = 1, .limits = { { 32, 1e-4, 1e-4 } } }, false,
	  "tolerance: precise: 8 times the reference's own error against "
	  "float64, and where that is not known atol 0.0001 and rtol 0.0001" },
	{ { .tolerance = (char *)"else", .error_multiple = KB_UNKNOWN }, false,
	  "tolerance: else: its numbers are not known" },
	{ { .has_drift = true, .drift = { 2, 1245000, 999499, 1999500 } },
	  true, "drift: 1.245x median, 0.999x to 2.000x; references: 2" },
	{ { .has_drift = true, .drift = { 2, 1245000, 999499, 1999500 } },
	  true, "WARNING: the baseline has drifted by more than 3.0%" },
	{ { .has_drift = true, .drift = KB_SPREAD_INIT }, false,
	  "drift: unknown: no reference has both times" },
};

static void test_tables_state_what_their_numbers_depend_on(void)
{
	struct kb_key keys[11];

	for (int i = 0; i < 11; i++)
		keys[i] = (struct kb_key){ 1, i + 1 };
	for (size_t i = 0; i < KB_ARRAY_LEN(notes); i++) {
		kb_auto(evaluation) struct kb_evaluation e =
			KB_EVALUATION_INIT;
		kb_auto(baseline) struct kb_baseline b = KB_BASELINE_INIT;
		kb_auto(json) struct kb_json *definition = kb_json_object();
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
		const struct kb_digest id = { .bytes = { 0 } };
		struct kb_score s = {
			.definition = definition, .overall.problems = 8,
			.stated = notes[i].stated,
			.has_drifted = notes[i].has_drifted,
			.drift.limit_ppm = 30000,
		};
		const struct kb_score_sheet sheet = {
			.score = &s, .id = &id, .evaluation = &e,
			.baseline = &b,
		};

		s.stated.left_out = keys;
		set_conditions(&e.conditions, "{}");
		kb_markdown_print(&out, &sheet);
		if (!strstr(out.data, notes[i].note))
			tap_fail("no '%s' in: %s", notes[i].note, out.data);
	}
}

static void test_millionths_round_half_up(void)
{
	static const struct {
		int64_t micro;
		int digits;
		const char *text;
	} cases[] = {
		{ 0, 3, "0.000" }, { 499, 3, "0.000" }, { 500, 3, "0.001" },
		{ 1999499, 3, "1.999" }, { 1999500, 3, "2.000" },
		{ 1414214, 6, "1.414214" }, { 7, 6, "0.000007" },
		{ 9007199254740991, 6, "9007199254.740991" },
	};
	char text[KB_FORMAT_SIZE];

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_format_micro(text, cases[i].micro, cases[i].digits);
		check_str(text, cases[i].text);
	}
}

TAP_MAIN(
	TAP(test_hardware_is_that_of_the_device),
	TAP(test_tables_take_words_for_words),
	TAP(test_texts_are_harmless),
	TAP(test_tables_of_nothing),
	TAP(test_tables_state_what_their_numbers_depend_on),
	TAP(test_millionths_round_half_up),
);
