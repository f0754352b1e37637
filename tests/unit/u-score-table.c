/* A score as a table, and what is beside it. */

#include "tables/score_table.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "lib/tap.h"
#include "manifest/score.h"
#include "score/speedup.h"

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
	"evaluation  e0e0e0e0e0e0\n"
	"baseline    babababababa\n"
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
	kb_score_table_print(&out, &s, KB_LOOK_PLAIN);
	score_end(&s);

	kb_buf_addf(&want, "%smismatches  none\n%s", head_text, tail_text);
	check_str(out.data, want.data);
}

static void test_ids_are_short_for_people(void)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	struct kb_score s;

	score_start(&s);
	kb_score_table_print(&out, &s, KB_LOOK_PLAIN);
	score_end(&s);

	check(strstr(out.data, "\nevaluation  e0e0e0e0e0e0\n"));
	check(strstr(out.data, "\nbaseline    babababababa\n"));
}

static void test_score_table_shows_what_was_allowed(void)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT, want = KB_BUF_INIT;
	struct kb_score s;

	score_start(&s);
	s.allowed.items = allowed;
	s.allowed.count = KB_ARRAY_LEN(allowed);
	kb_score_table_print(&out, &s, KB_LOOK_PLAIN);
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
		kb_score_table_print(&out, &s, KB_LOOK_PLAIN);
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
		kb_score_table_print(&out, &s, KB_LOOK_PLAIN);
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

static void test_score_of_nothing(void)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	struct kb_score s;

	score_start(&s);
	s.level_count = s.line_count = 0;
	s.overall = (struct kb_metrics)KB_METRICS_INIT;
	s.stated.drift = (struct kb_spread)KB_SPREAD_INIT;
	kb_score_table_print(&out, &s, KB_LOOK_PLAIN);
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
	kb_score_table_print_candidates(&out, &s, KB_LOOK_PLAIN);
	score_end(&s);

	check_str(out.data,
		  "problem  sample  status    candidate  baseline  speedup   drift\n"
		  "1/1           0  correct    50.00 us  100.0 us   2.000x  1.020x\n"
		  "1/2           0  correct           -  100.0 us        -  1.000x\n"
		  "1/19          0  mismatch          -    100 ns        -  0.900x\n"
		  "3/7           0  missing           -   1.235 s        -       -\n");
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

TAP_MAIN(TAP(test_score_table), TAP(test_ids_are_short_for_people),
	 TAP(test_score_table_shows_what_was_allowed),
	 TAP(test_score_table_names_the_model_it_knows),
	 TAP(test_score_table_names_the_clock_where_there_is_a_choice),
	 TAP(test_score_of_nothing), TAP(test_candidate_table),
	 TAP(test_mismatch_table));
