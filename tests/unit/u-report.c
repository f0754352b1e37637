#include "tables/score_table.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "lib/tap.h"
#include "manifest/audit.h"
#include "manifest/evaluation.h"
#include "manifest/fp64_error.h"
#include "manifest/score.h"
#include "manifest/suite.h"
#include "score/remeasure.h"
#include "score/speedup.h"
#include "tables/audit_table.h"
#include "tables/evaluation_table.h"
#include "tables/format.h"
#include "tables/remeasure_table.h"
#include "tables/table.h"

static const struct {
	int64_t part, whole;
	const char *text;
} pcts[] = {
	{ 0, 0, "-" },
	{ 0, 7, "0.0%" },
	{ 1, 3, "33.3%" },
	{ 2, 3, "66.7%" },
	{ 1, 2000, "0.1%" },		/* 0.05: up */
	{ 1, 2001, "0.0%" },
	{ 11, 12, "91.7%" },
	{ 250, 250, "100.0%" },
};

static void test_pct_rounds_half_up(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(pcts); i++) {
		char text[KB_FORMAT_SIZE];

		kb_format_pct(text, pcts[i].part, pcts[i].whole);
		check_str(text, pcts[i].text);
	}
}

static const struct {
	int64_t value;
	const char *ratio, *us;
} numbers[] = {
	{ KB_UNKNOWN, "-", "-" },
	{ 0, "0.000x", "0.000" },
	{ 1, "0.000x", "0.001" },
	{ 499, "0.000x", "0.499" },
	{ 500, "0.001x", "0.500" },
	{ 999499, "0.999x", "999.499" },
	{ 999500, "1.000x", "999.500" },
	{ 1000000, "1.000x", "1000.000" },
	{ INT64_C(9007199254740991), "9007199254.741x",
	  "9007199254740.991" },
};

static void test_ratio_and_us_print_from_integers(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(numbers); i++) {
		char text[KB_FORMAT_SIZE];

		kb_format_ratio(text, numbers[i].value);
		check_str(text, numbers[i].ratio);
		kb_format_us(text, numbers[i].value);
		check_str(text, numbers[i].us);
	}
}

static const struct {
	double error;
	const char *text;
} errors[] = {
	{ -1, "-" },
	{ 0, "0" },
	{ 3.14e-7, "3.1e-07" },
	{ 0.5, "5.0e-01" },
	{ 249.9, "2.5e+02" },
	{ 0x1p-1074, "4.9e-324" },
	{ HUGE_VAL, "inf" },
};

static void test_errors_have_two_digits(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(errors); i++) {
		char text[KB_FORMAT_SIZE];

		kb_format_error(text, errors[i].error);
		check_str(text, errors[i].text);
	}
}

static const struct {
	int milli;
	const char *text;
} millis[] = {
	{ 0, "0" }, { 500, "0.5" }, { 800, "0.8" }, { 1000, "1" },
	{ 1500, "1.5" }, { 2000, "2" }, { 10000, "10" }, { 1010, "1.01" },
	{ 1, "0.001" },
};

static void test_milli_has_no_trailing_zeros(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(millis); i++) {
		char text[KB_FORMAT_SIZE];

		kb_format_milli(text, millis[i].milli);
		check_str(text, millis[i].text);
	}
}

static void test_text_cannot_drive_a_terminal(void)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_format_text(&out, "");
	check_str(out.data, "");
	/* ESC, LF, DEL and CSI (U+009B) go; e acute (U+00E9) and a
	 * no-break space (U+00A0) stay. */
	kb_format_text(&out, "a\x1b[2J\nb\x7f\xc2\x9b" "c\xc3\xa9\xc2\xa0");
	check_str(out.data, "a?[2J?b??c\xc3\xa9\xc2\xa0");
}

static const struct kb_column columns[] = {
	{ "name", KB_ALIGN_LEFT },
	{ "time_us", KB_ALIGN_RIGHT },
	{ "note", KB_ALIGN_LEFT },
};

static void test_table_without_rows_is_its_head(void)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	kb_auto(table) struct kb_table *t =
		kb_table_new(columns, KB_ARRAY_LEN(columns));

	kb_table_print(&out, t);
	check_str(out.data, "name  time_us  note\n");
}

static void test_table_aligns_and_leaves_no_trailing_space(void)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	kb_auto(table) struct kb_table *t =
		kb_table_new(columns, KB_ARRAY_LEN(columns));

	kb_table_add(t, "a");
	kb_table_addf(t, "%d", 1234567890);
	kb_table_add(t, "");
	kb_table_add(t, "\xc3\xa9t\xc3\xa9 long");	/* été: 3 wide */
	kb_table_add(t, "");
	kb_table_add(t, "x");
	kb_table_add(t, "");
	kb_table_add(t, "5");
	kb_table_add(t, "");
	kb_table_print(&out, t);
	check_str(out.data,
		  "name         time_us  note\n"
		  "a         1234567890\n"
		  "\xc3\xa9t\xc3\xa9 long              x\n"
		  "                   5\n");
}

#define LINE(level, problem, s, candidate, baseline, reference, speedup) { \
	.key = { level, problem }, .status = KB_STATUS_##s, \
	.candidate_ns = candidate, .baseline_ns = baseline, \
	.reference_ns = reference, .speedup_micro = speedup, \
	.noise_micro = KB_UNKNOWN }

static struct kb_score_line lines[] = {
	LINE(1, 1, CORRECT, 50000, 100000, 102000, 2000000),
	LINE(1, 2, CORRECT, KB_UNKNOWN, 100001, 100001, KB_UNKNOWN),
	LINE(1, 19, MISMATCH, KB_UNKNOWN, 100, 90, KB_UNKNOWN),
	LINE(3, 7, MISSING, KB_UNKNOWN, 1234567890, KB_UNKNOWN, KB_UNKNOWN),
};

static struct kb_level_metrics levels[] = {
	{ 1, { .problems = 3, .compiled = 3, .correct = 2,
	       .fast = { 1, 1, 1, 1, 1, 0 },
	       .geomean_speedup_micro = 2000000 } },
	{ 3, { .problems = 1, .geomean_speedup_micro = KB_UNKNOWN } },
};

static struct kb_mismatch allowed[] = {
	{ (char *)"os", (char *)"Debian 12", (char *)"Debian 13" },
	{ (char *)"torch", (char *)"2.5.0", NULL },
};

static struct kb_key left_out[] = { { 1, 20 }, { 3, 8 } };

static const struct kb_stated stated = {
	.selected = 4, .suite_problems = 6, .left_out = left_out,
	.left_out_count = KB_ARRAY_LEN(left_out), .unsound = 1,
	.not_audited = 1, .tolerance = (char *)"paper",
	.error_multiple = KB_UNKNOWN, .limit_count = 3,
	.limits = { { 32, 0.01, 0.01 }, { 16, 0.01, 0.01 },
		    { 8, 0.1, 0.05 } },
	.has_drift = true, .drift = { 3, 1000000, 900000, 1020000 },
};

static void score_start(struct kb_score *s)
{
	*s = (struct kb_score)KB_SCORE_INIT;
	memset(s->evaluation.bytes, 0xe0, sizeof(s->evaluation.bytes));
	memset(s->baseline.bytes, 0xba, sizeof(s->baseline.bytes));
	s->match_key = kb_json_object();
	kb_json_set_string(s->match_key, "device.kind", "cpu");
	kb_json_set_string(s->match_key, "cpu.model", "Fixture 3000");
	s->definition = kb_json_object();
	kb_json_set_string(s->definition, "baseline_mode", "eager");
	s->levels = levels;
	s->level_count = KB_ARRAY_LEN(levels);
	s->overall = (struct kb_metrics){
		.problems = 4, .compiled = 3, .correct = 2,
		.fast = { 1, 1, 1, 1, 1, 0 },
		.geomean_speedup_micro = 2000000,
		.status_counts = { [KB_STATUS_CORRECT] = 2,
				   [KB_STATUS_MISMATCH] = 1,
				   [KB_STATUS_MISSING] = 1 },
	};
	s->lines = lines;
	s->line_count = KB_ARRAY_LEN(lines);
	s->stated = stated;
}

static void score_end(struct kb_score *s)
{
	kb_json_free(s->match_key);
	kb_json_free(s->definition);
}

static const char head_text[] =
	"          level 1             level 3        overall\n"
	"problems        3                   1              4\n"
	"compiled        3     100.0%        0  0.0%        3      75.0%\n"
	"correct         2      66.7%        0  0.0%        2      50.0%\n"
	"fast_0          1      33.3%        0  0.0%        1      25.0%\n"
	"fast_0.5        1      33.3%        0  0.0%        1      25.0%\n"
	"fast_0.8        1      33.3%        0  0.0%        1      25.0%\n"
	"fast_1          1      33.3%        0  0.0%        1      25.0%\n"
	"fast_1.5        1      33.3%        0  0.0%        1      25.0%\n"
	"fast_2          0       0.0%        0  0.0%        0       0.0%\n"
	"geomean    2.000x  1 untimed        -         2.000x  1 untimed\n"
	"\n"
	"device      cpu\n"
	"cpu         Fixture 3000\n"
	"mode        eager\n"
	"evaluation  e0e0e0e0e0e0e0e0e0e0e0e0e0e0e0e0"
		    "e0e0e0e0e0e0e0e0e0e0e0e0e0e0e0e0\n"
	"baseline    babababababababababababababababa"
		    "babababababababababababababababa\n"
	"drift       1.000x median, 0.900x to 1.020x; references: 3\n";

static const char tail_text[] =
	"sound       2 of 4 problems by the suite's audit; unsound 1, not "
	"audited 1\n"
	"selected    4 of the suite's 6 problems; left out: 1/20, 3/8\n"
	"tolerance   paper: atol 0.01 and rtol 0.01, of 16 bits atol 0.01 and "
	"rtol 0.01, of 8 bits atol 0.1 and rtol 0.05\n"
	"statuses    correct 2, mismatch 1, missing 1\n"
	"untimed     1 correct without a speedup\n";

static void test_score_table(void)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT, want = KB_BUF_INIT;
	struct kb_score s;

	score_start(&s);
	kb_score_table_print(&out, &s);
	score_end(&s);

	kb_buf_addf(&want, "%smismatches  none\n%s", head_text, tail_text);
	check_str(out.data, want.data);
}

static void test_score_table_shows_what_was_allowed(void)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT, want = KB_BUF_INIT;
	struct kb_score s;

	score_start(&s);
	s.allowed.items = allowed;
	s.allowed.count = KB_ARRAY_LEN(allowed);
	kb_score_table_print(&out, &s);
	score_end(&s);

	kb_buf_addf(&want, "%smismatches  ALLOWED "
		    "os: evaluation 'Debian 12', baseline 'Debian 13'; "
		    "torch: evaluation '2.5.0', baseline '(absent)'\n%s",
		    head_text, tail_text);
	check_str(out.data, want.data);
}

static void test_score_table_names_the_model_it_knows(void)
{
	static const struct {
		const char *model, *line;
	} cases[] = {
		{ NULL, "\nmodel       not stated\nevaluation  " },
		{ "m-1", "\nmodel       m-1\nevaluation  " },
		{ "\033[2Jm", "\nmodel       ?[2Jm\nevaluation  " },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
		struct kb_score s;

		score_start(&s);
		check_str(kb_score_model_text(&s), "not recorded");
		kb_score_name_model(&s, "another");
		kb_score_name_model(&s, cases[i].model);
		kb_score_table_print(&out, &s);
		check(strstr(out.data, cases[i].line));
		free(s.model);
		score_end(&s);
	}
}

static const struct {
	const char *clock;		/* of the definition, or NULL */
	enum kb_clock first, first_candidate, second;
	const char *said;
} clock_notes[] = {
	{ NULL, KB_CLOCK_CALL, KB_CLOCK_CALL, KB_CLOCK_CALL, "call" },
	{ "call", KB_CLOCK_CALL, KB_CLOCK_CALL, KB_CLOCK_CALL, "call" },
	{ "device", KB_CLOCK_DEVICE, KB_CLOCK_DEVICE, KB_CLOCK_DEVICE,
	  "device" },
	{ "device", KB_CLOCK_CALL, KB_CLOCK_CALL, KB_CLOCK_DEVICE,
	  "device; by the call clock: 1 problem whose reference has no device "
	  "time" },
	{ "device", KB_CLOCK_CALL, KB_CLOCK_CALL, KB_CLOCK_CALL,
	  "device; by the call clock: 2 problems whose reference has no device "
	  "time" },
	{ "device", KB_CLOCK_DEVICE, KB_CLOCK_CALL, KB_CLOCK_DEVICE,
	  "device; by the call clock: 1 candidate that has none" },
	{ "device", KB_CLOCK_DEVICE, KB_CLOCK_CALL, KB_CLOCK_CALL,
	  "device; by the call clock: 1 problem whose reference has no device "
	  "time, 1 candidate that has none" },
};

static void test_score_table_names_the_clock_where_there_is_a_choice(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(clock_notes); i++) {
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT, want = KB_BUF_INIT;
		struct kb_score s;

		score_start(&s);
		kb_json_free(s.match_key);
		s.match_key = kb_json_object();
		kb_json_set_string(s.match_key, "cpu.model", "Fixture 3000");
		kb_json_set_string(s.match_key, "device.kind", "cuda");
		kb_json_set_string(s.match_key, "gpu.name", "Fixture H1000");
		if (clock_notes[i].clock)
			kb_json_set_string(s.definition, "clock",
					   clock_notes[i].clock);
		for (size_t k = 0; k < s.line_count; k++)
			s.lines[k].clock = s.lines[k].candidate_clock =
				k > 1 ? KB_CLOCK_DEVICE : k ?
				clock_notes[i].second : clock_notes[i].first;
		s.lines[0].candidate_clock = clock_notes[i].first_candidate;
		kb_score_table_print(&out, &s);
		for (size_t k = 0; k < s.line_count; k++)
			s.lines[k].clock = s.lines[k].candidate_clock =
				KB_CLOCK_CALL;
		score_end(&s);

		kb_buf_addf(&want, "\ndevice      cuda\n"
			    "gpu         Fixture H1000\n"
			    "cpu         Fixture 3000\n"
			    "mode        eager\nclock       %s\nevaluation  e0",
			    clock_notes[i].said);
		if (!strstr(out.data, want.data))
			tap_fail("no '%s' in: %s", clock_notes[i].said,
				 out.data);
	}
}

static struct kb_timing call_60 = { .time_ns = 60000 },
			call_90 = { .time_ns = 90000 };
static struct kb_timing at_50 = { .time_ns = 50000 },
			at_80 = { .time_ns = 80000 };
static struct kb_device_timing device_50 = { .timing = &at_50 },
			       device_80 = { .timing = &at_80 },
			       unqueueable = { .timing = NULL };

/* Beside integers, and beside an output that is less far off for what it
 * is. */
static struct kb_output_error three_errors[] = {
	{ .elements = 4, .rms_error = 0 },
	{ .elements = 4, .rms_error = 3.14e-7 },
	{ .elements = 4, .rms_error = 2e-3 },
};
static struct kb_fp64_error_output three_own[] = {
	{ .is_float = false },
	{ .is_float = true, .max_abs_error = 2e-7, .rms_error = 1.06e-7 },
	{ .is_float = true, .max_abs_error = 2e-3, .rms_error = 1e-3 },
};
static struct kb_output_error one_error[] = {
	{ .elements = 4, .mismatched = 1, .rms_error = HUGE_VAL },
};
static struct kb_fp64_error fp64_error = {
	.draws = 3, .outputs = three_own, .output_count = 3,
};
static struct kb_fp64_error no_fp64_error = { .unavailable = (char *)"too large" };

static struct kb_result results[] = {
	{ .key = { 1, 1 }, .outcome = { .status = KB_STATUS_CORRECT },
	  .outputs = three_errors, .output_count = 3, .fp64_error = &fp64_error,
	  .timing = &call_60, .reference_timing = &call_90 },
	{ .key = { 1, 2 }, .outcome = { .status = KB_STATUS_CORRECT },
	  .timing = &call_60, .reference_timing = &call_90 },
	{ .key = { 1, 19 },
	  .outputs = one_error, .output_count = 1, .fp64_error = &no_fp64_error,
	  .outcome = { .status = KB_STATUS_MISMATCH,
		       .detail = (char *)"output 0" } },
};

static const struct kb_evaluation evaluation = {
	.results = results, .result_count = KB_ARRAY_LEN(results),
};

static void test_evaluation_table(void)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_evaluation_table_print(&out, &evaluation);
	check_str(out.data,
		  "problem  sample  status    rms_error  ref_error"
		  "  candidate_us  reference_us"
		  "  speedup  detail\n"
		  "1/1           0  correct     3.1e-07    1.1e-07"
		  "        60.000        90.000"
		  "   1.500x\n"
		  "1/2           0  correct           -          -"
		  "        60.000        90.000"
		  "   1.500x\n"
		  "1/19          0  mismatch        inf          -"
		  "             -             -"
		  "        -  output 0\n"
		  "\ncorrect 2, mismatch 1\n");
}

static void test_problems_without_a_candidate_are_listed_below(void)
{
	static struct kb_result some[] = {
		{ .key = { 1, 2 }, .outcome = { .status = KB_STATUS_MISSING } },
		{ .key = { 1, 4 }, .outcome = { .status = KB_STATUS_MISSING } },
		{ .key = { 1, 5 }, .outcome = { .status = KB_STATUS_MISSING } },
		{ .key = { 1, 6 }, .outcome = { .status = KB_STATUS_MISSING } },
		{ .key = { 1, 7 }, .outcome = { .status = KB_STATUS_CRASHED } },
		{ .key = { 1, 8 }, .outcome = { .status = KB_STATUS_MISSING } },
		{ .key = { 2, 9 }, .outcome = { .status = KB_STATUS_MISSING } },
	};
	const struct kb_evaluation e = {
		.results = some, .result_count = KB_ARRAY_LEN(some),
	};
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_evaluation_table_print(&out, &e);
	check_str(out.data,
		  "problem  sample  status   rms_error  ref_error"
		  "  candidate_us  reference_us  speedup  detail\n"
		  "1/7           0  crashed          -          -"
		  "             -             -        -\n"
		  "\ncrashed 1, missing 6\n"
		  "no candidate for 1/2, 1/4 to 1/6, 1/8, 2/9\n");
}

static void test_evaluation_table_with_device_times(void)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	results[0].device_timing = &device_50;
	results[0].reference_device_timing = &device_80;
	results[1].device_timing = &unqueueable;
	results[1].reference_device_timing = &device_80;
	kb_evaluation_table_print(&out, &evaluation);
	check_str(out.data,
		  "problem  sample  status    rms_error  ref_error"
		  "  candidate_us  reference_us"
		  "  speedup  device_us  ref_device_us  speedup  detail\n"
		  "1/1           0  correct     3.1e-07    1.1e-07"
		  "        60.000        90.000"
		  "   1.500x     50.000         80.000   1.600x\n"
		  "1/2           0  correct           -          -"
		  "        60.000        90.000"
		  "   1.500x          -         80.000        -\n"
		  "1/19          0  mismatch        inf          -"
		  "             -             -"
		  "        -          -              -        -  output 0\n"
		  "\ncorrect 2, mismatch 1\n");
}

static void test_score_of_nothing(void)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	struct kb_score s;

	score_start(&s);
	s.level_count = s.line_count = 0;
	s.overall = (struct kb_metrics)KB_METRICS_INIT;
	s.stated.drift = (struct kb_spread)KB_SPREAD_INIT;
	kb_score_table_print(&out, &s);
	score_end(&s);

	check(strstr(out.data, "compiled        0  -\n"));
	check(strstr(out.data, "geomean         -\n"));
	check(strstr(out.data, "drift       unknown: no reference has both "
			       "times\n"));
	check(strstr(out.data, "statuses    none\n"));
}

static void test_candidate_table(void)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	struct kb_score s;

	score_start(&s);
	kb_score_table_print_candidates(&out, &s);
	score_end(&s);

	check_str(out.data,
		  "problem  sample  status    candidate_us  baseline_us"
		  "  speedup   drift\n"
		  "1/1           0  correct         50.000      100.000"
		  "   2.000x  1.020x\n"
		  "1/2           0  correct              -      100.001"
		  "        -  1.000x\n"
		  "1/19          0  mismatch             -        0.100"
		  "        -  0.900x\n"
		  "3/7           0  missing              -  1234567.890"
		  "        -       -\n");
}

static void test_mismatch_table(void)
{
	struct kb_mismatches m = { allowed, KB_ARRAY_LEN(allowed) };
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_score_table_print_mismatches(&out, &m);
	check_str(out.data,
		  "field  evaluation  baseline\n"
		  "os     Debian 12   Debian 13\n"
		  "torch  2.5.0       (absent)\n");
}

static struct kb_evidence nothing_known = {
	.stated = { .no_float64 = (char *)"x\x1b[2J" },
	.no_signs = (char *)"z",
};
static struct kb_evidence all_known;
static struct kb_audit_line audit_lines[] = {
	{ .key = { 1, 2 }, .outcome = { .status = KB_STATUS_AUDITED },
	  .evidence = &all_known },
	{ .key = { 1, 19 }, .outcome = { .status = KB_STATUS_AUDITED },
	  .findings.evidence = {
		[KB_FINDING_IDENTITY] = (char *)"output 0 is input 0",
		[KB_FINDING_REMOVABLE] = (char *)"relu",
	  }, .evidence = &nothing_known },
	{ .key = { 2, 7 }, .outcome = { .status = KB_STATUS_AUDITED },
	  .findings.evidence = { [KB_FINDING_REMOVABLE] = (char *)"tanh" },
	  .evidence = &all_known },
	{ .key = { 3, 1 }, .outcome = { .status = KB_STATUS_RUN_FAILED,
					.detail = (char *)"a\nb" } },
	{ .key = { 3, 2 }, .outcome = { .status = KB_STATUS_EXITED } },
};
static struct kb_problem audit_problems[] = {
	{ .key = { 1, 2 }, .name = (char *)"2_Fine" },
	{ .key = { 1, 19 }, .name = (char *)"19_ReLU" },
	{ .key = { 2, 7 }, .name = (char *)"7_Deep" },
	{ .key = { 3, 1 }, .name = (char *)"1_Bad" },
};
static const struct kb_suite audit_suite = {
	.problems = audit_problems,
	.problem_count = KB_ARRAY_LEN(audit_problems),
};

static void test_audit_table(void)
{
	const struct kb_audit a = { .lines = audit_lines,
				    .line_count = KB_ARRAY_LEN(audit_lines) };
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_audit_table_print(&out, &a, &audit_suite);
	check_str(out.data,
		  "problem  name     sound  findings\n"
		  "1/2      2_Fine   yes\n"
		  "1/19     19_ReLU  no     identity, removable\n"
		  "2/7      7_Deep   yes    removable\n"
		  "3/1      1_Bad    -      not audited: run_failed: a?b\n"
		  "3/2      -        -      not audited: exited\n"
		  "\n5 problems: 2 sound, 1 not sound, 2 not audited\n");
}

static void test_audit_table_of_nothing(void)
{
	const struct kb_audit a = KB_AUDIT_INIT;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_audit_table_print(&out, &a, &audit_suite);
	check_str(out.data, "problem  name  sound  findings\n\n"
		  "0 problems: 0 sound, 0 not sound, 0 not audited\n");
}

static void test_audit_table_counts_reduced_forms(void)
{
	const struct kb_audit a = { .lines = audit_lines, .line_count = 2 };
	kb_auto(json) struct kb_json *names = kb_json_object();
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	audit_lines[0].reduced = names;
	kb_audit_table_print(&out, &a, &audit_suite);
	audit_lines[0].reduced = NULL;
	check(strstr(out.data, "\n2 problems: 1 sound, 1 not sound, "
			       "0 not audited; 1 in reduced form\n"));
}

static void test_audit_evidence_is_a_line_for_each_finding(void)
{
	const struct kb_audit a = { .lines = audit_lines,
				    .line_count = KB_ARRAY_LEN(audit_lines) };
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_audit_table_print_evidence(&out, &a);
	check_str(out.data, "1/19 identity: output 0 is input 0\n"
		  "1/19 removable: relu\n"
		  "1/19 float64: not known: x?[2J\n"
		  "1/19 signs: not known: z\n"
		  "2/7 removable: tanh\n");
}

#define TIME(ns) { .time_ns = ns, .at = KB_INTERVAL_INIT }
#define NO_TIME TIME(KB_UNKNOWN)
#define NO_CHANGE { KB_UNKNOWN, KB_UNKNOWN, KB_UNKNOWN }
#define TIMES(candidate, reference) \
	{ KB_STATUS_CORRECT, TIME(candidate), TIME(reference) }

static struct kb_remeasured remeasured[] = {
	{ .key = { 1, 19 }, .answer = KB_AGAIN_SLOWER,
	  .claimed = TIMES(50000, 100000), .now = TIMES(121000, 200000),
	  .change = { 1210000, 1180499, 1243500 },
	  .candidate = { 2420000, 2400000, 2440000 },
	  .reference = { 2000000, 2000000, 2000000 } },
	{ .key = { 2, 7 }, .sample_id = 4, .answer = KB_AGAIN_AMBIGUOUS,
	  .why = "the interval reaches over the margin",
	  .claimed = TIMES(50000, 100000), .now = TIMES(50000, 100000),
	  .change = { 1000000, 0, KB_SPEEDUP_MICRO_MAX },
	  .candidate = { 1000000, 0, 2000000 },
	  .reference = { 1000000, 1000000, 1000000 } },
	{ .key = { 2, 8 }, .answer = KB_AGAIN_CHANGED_STATUS,
	  .claimed = TIMES(50000, 100000),
	  .now = { KB_STATUS_CRASHED, NO_TIME, NO_TIME },
	  .detail = (char *)"\033[2J", .change = NO_CHANGE,
	  .candidate = NO_CHANGE, .reference = NO_CHANGE },
	{ .key = { 3, 1 }, .answer = KB_AGAIN_DIFFERENT_STACK,
	  .claimed = TIMES(50000, 100000),
	  .now = { KB_STATUS_MISSING, NO_TIME, NO_TIME },
	  .change = NO_CHANGE, .candidate = NO_CHANGE,
	  .reference = NO_CHANGE },
	{ .key = { 3, 2 }, .answer = KB_AGAIN_SAME,
	  .claimed = { KB_STATUS_CORRECT, NO_TIME, NO_TIME },
	  .now = { KB_STATUS_CORRECT, NO_TIME, NO_TIME },
	  .change = NO_CHANGE, .candidate = NO_CHANGE,
	  .reference = NO_CHANGE },
};

static const char *const remeasured_lines[] = {
	"1/19 sample 0: slower, 1.210x as long as claimed (1.180x to 1.244x)",
	("2/7 sample 4: ambiguous, 1.000x as long as claimed (0.000x to inf): "
	 "the interval reaches over the margin"),
	"2/8 sample 0: changed status, from correct to crashed: ?[2J",
	"3/1 sample 0: different stack",
	"3/2 sample 0: same",
};

static void test_remeasured_line(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(remeasured); i++) {
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

		kb_remeasured_print(&out, &remeasured[i]);
		check_str(out.data, remeasured_lines[i]);
	}
}

#define REMEASURE_LEGEND						\
	"\ncandidate, reference: time now / as claimed, by the call clock\n" \
	"change: candidate / reference, from low to high at 95%; same: "	\
	"within 1/1.05 and 1.05\n\n"

static void test_remeasure_table(void)
{
	const struct kb_remeasurement m = {
		.items = remeasured, .count = KB_ARRAY_LEN(remeasured),
		.correct_count = 12, .sample_seed = 42,
	};
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_remeasure_table_print(&out, &m);
	check_str(out.data,
		  "problem  sample  answer           status   claimed_us   now_us  candidate  reference  change     low    high  note\n"
		  "1/19          0  slower           correct      50.000  121.000     2.420x     2.000x  1.210x  1.180x  1.244x\n"
		  "2/7           4  ambiguous        correct      50.000   50.000     1.000x     1.000x  1.000x  0.000x     inf  the interval reaches over the margin\n"
		  "2/8           0  changed status   crashed      50.000        -          -          -       -       -       -  ?[2J\n"
		  "3/1           0  different stack  -            50.000        -          -          -       -       -       -\n"
		  "3/2           0  same             correct           -        -          -          -       -       -       -\n"
		  REMEASURE_LEGEND);
	kb_buf_clear(&out);
	kb_remeasure_summary_print(&out, &m);
	check_str(out.data, "no: 5 of 12 correct candidates: 1 same, 1 slower, "
			    "1 ambiguous, 1 different stack, 1 changed "
			    "status; sample seed 42");
}

static void test_remeasure_says_in_what_stacks_differ(void)
{
	struct kb_mismatch not_allowed = {
		(char *)"cpu.model", (char *)"PDP-11\033[2J", NULL
	};
	struct kb_mismatch is_allowed = {
		(char *)"os.libc", (char *)"1", (char *)"2"
	};
	struct kb_remeasurement m = {
		.items = &remeasured[4], .count = 1, .correct_count = 1,
		.refused = { &not_allowed, 1 }, .allowed = { &is_allowed, 1 },
	};
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_remeasure_table_print(&out, &m);
	check(strstr(out.data, "field      evaluation  here\n"
			       "cpu.model  PDP-11?[2J  absent\n\n"
			       "field    evaluation  here\n"
			       "os.libc  1           2\n\n"
			       "problem ") == out.data);
	kb_buf_clear(&out);
	kb_remeasure_summary_print(&out, &m);
	check_str(out.data, "ok, 1 of 1 correct candidates: 1 same; "
			    "allowed to differ: os.libc");
}

static void test_remeasure_of_nothing(void)
{
	const struct kb_remeasurement m = { .why_not = (char *)"no\nsuite" };
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_remeasure_table_print(&out, &m);
	check_str(out.data, "");
	kb_remeasure_summary_print(&out, &m);
	check_str(out.data, "not checked: no?suite");
}

TAP_MAIN(TAP(test_pct_rounds_half_up),
	 TAP(test_ratio_and_us_print_from_integers),
	 TAP(test_milli_has_no_trailing_zeros),
	 TAP(test_text_cannot_drive_a_terminal),
	 TAP(test_table_without_rows_is_its_head),
	 TAP(test_table_aligns_and_leaves_no_trailing_space),
	 TAP(test_score_table),
	 TAP(test_score_table_shows_what_was_allowed),
	 TAP(test_score_table_names_the_model_it_knows),
	 TAP(test_score_table_names_the_clock_where_there_is_a_choice),
	 TAP(test_errors_have_two_digits),
	 TAP(test_evaluation_table),
	 TAP(test_problems_without_a_candidate_are_listed_below),
	 TAP(test_evaluation_table_with_device_times),
	 TAP(test_score_of_nothing),
	 TAP(test_candidate_table),
	 TAP(test_mismatch_table),
	 TAP(test_audit_table),
	 TAP(test_audit_table_of_nothing),
	 TAP(test_audit_table_counts_reduced_forms),
	 TAP(test_audit_evidence_is_a_line_for_each_finding),
	 TAP(test_remeasured_line),
	 TAP(test_remeasure_table),
	 TAP(test_remeasure_says_in_what_stacks_differ),
	 TAP(test_remeasure_of_nothing));
