/* What measuring again came to, as lines and as a table. */

#include "tables/remeasure_table.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "lib/tap.h"
#include "score/remeasure.h"
#include "score/speedup.h"

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
	("2/7 sample 4: ambiguous, 1.000x as long as claimed (not known): "
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

	kb_remeasure_table_print(&out, &m, KB_LOOK_PLAIN);
	check_str(out.data,
		  "problem  sample  answer           status   claimed     now  candidate  reference  change     low    high  note\n"
		  "1/19          0  slower           correct    50 us  121 us     2.420x     2.000x  1.210x  1.180x  1.244x\n"
		  "2/7           4  ambiguous        correct    50 us   50 us     1.000x     1.000x  1.000x  0.000x     inf  the interval reaches over the margin\n"
		  "2/8           0  changed status   crashed    50 us       -          -          -       -       -       -  ?[2J\n"
		  "3/1           0  different stack  -          50 us       -          -          -       -       -       -\n"
		  "3/2           0  same             correct        -       -          -          -       -       -       -\n"
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
	struct kb_mismatch noted = {
		(char *)"gpu.board_part_number", (char *)"1\033[2J",
		(char *)"2\n"
	};
	struct kb_remeasurement m = {
		.items = &remeasured[4], .count = 1, .correct_count = 1,
		.refused = { &not_allowed, 1 }, .allowed = { &is_allowed, 1 },
		.noted = { &noted, 1 }, .gpus = { 2, 3, 1 },
	};
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_remeasure_table_print(&out, &m, KB_LOOK_PLAIN);
	check(strstr(out.data, "field      evaluation  here\n"
			       "cpu.model  PDP-11?[2J  absent\n\n"
			       "field    evaluation  here\n"
			       "os.libc  1           2\n\n"
			       "problem ") == out.data);
	check(strstr(out.data, " and 1.05\n\n"
		     "gpu.board_part_number: 1?[2J as claimed, 2? here; no "
		     "match key has it\n\nGPUs, by their ids: 2 as claimed, "
		     "3 here, 1 of them the same\n\n"));
	kb_buf_clear(&out);
	kb_remeasure_summary_print(&out, &m);
	check_str(out.data, "ok, 1 of 1 correct candidates: 1 same; "
			    "allowed to differ: os.libc");
}

static void test_remeasure_of_nothing(void)
{
	const struct kb_remeasurement m = { .why_not = (char *)"no\nsuite" };
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_remeasure_table_print(&out, &m, KB_LOOK_PLAIN);
	check_str(out.data, "");
	kb_remeasure_summary_print(&out, &m);
	check_str(out.data, "not checked: no?suite");
}

TAP_MAIN(TAP(test_remeasured_line), TAP(test_remeasure_table),
	 TAP(test_remeasure_says_in_what_stacks_differ),
	 TAP(test_remeasure_of_nothing));
