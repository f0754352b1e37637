#include "verify/remeasured.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "lib/tap.h"
#include "unit/remeasure_sides.h"

static void test_answers_in_json_have_no_spaces(void)
{
	for (int a = 0; a < KB_AGAIN_COUNT; a++) {
		const char *name = kb_again_name((enum kb_again)a);
		const char *member = kb_again_member((enum kb_again)a);

		check_int(strlen(name), strlen(member));
		for (size_t i = 0; i < strlen(name); i++)
			check_int(member[i], name[i] == ' ' ? '_' : name[i]);
	}
}

static void check_json(const struct kb_remeasurement *m, const char *want)
{
	kb_auto(json) struct kb_json *v = kb_remeasurement_to_json(m);
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_json_print(&out, v);
	check_str(out.data, want);
}

/* What is left over from the way there is not told. */
static void test_json_of_nothing_compared(void)
{
	const struct kb_remeasurement m = {
		.why_not = (char *)"no 'x\xff'", .correct_count = 3,
		.sample_seed = 7,
	};

	check_int(kb_remeasurement_answer(&m), KB_ANSWER_NOT_CHECKED);
	check_json(&m,
		   "{\"allowed\":[],\"answers\":{},\"candidates\":[],"
		   "\"clock\":null,\"correct_count\":null,"
		   "\"detail\":\"no 'x?'\",\"evaluation\":null,"
		   "\"gpus\":null,\"interval_ppm\":950000,\"margin_ppm\":50000,"
		   "\"mismatches\":[],\"noted\":[],\"sample_seed\":null,"
		   "\"verdict\":\"not_checked\"}");
}

#define ID "0000000000000000000000000000000000000000000000000000000000000000"
#define UNKNOWN_CHANGE \
	"{\"high_micro\":null,\"low_micro\":null,\"ratio_micro\":null}"

static void test_json_where_stacks_differ(void)
{
	const struct side s = { 1000, NONE, 0 };
	struct kb_result claimed = result(&s, TRIALS);
	struct kb_mismatch refused = { (char *)"os.libc", (char *)"1", NULL };
	struct kb_mismatch allowed = { (char *)"cpu.model", NULL, (char *)"2" };
	struct kb_mismatch noted = { (char *)"gpu.board_part_number",
				     (char *)"3", (char *)"4" };
	struct kb_remeasured item;
	const struct kb_remeasurement m = {
		.items = &item, .count = 1, .correct_count = 2,
		.clock = KB_CLOCK_DEVICE, .sample_seed = MOST,
		.refused = { &refused, 1 }, .allowed = { &allowed, 1 },
		.noted = { &noted, 1 }, .gpus = { 2, 3, 1 },
	};

	kb_remeasure_claim(&item, &claimed, KB_CLOCK_CALL);
	check_int(kb_remeasurement_answer(&m), KB_ANSWER_NO);
	check_json(&m,
		   "{\"allowed\":[{\"evaluation\":null,"
		   "\"field\":\"cpu.model\",\"here\":\"2\"}],"
		   "\"answers\":{\"different_stack\":1},\"candidates\":["
		   "{\"answer\":\"different_stack\","
		   "\"candidate\":" UNKNOWN_CHANGE ","
		   "\"change\":" UNKNOWN_CHANGE ","
		   "\"claimed\":{\"candidate\":{\"high_ns\":1000,"
		   "\"low_ns\":1000,\"time_ns\":1000},\"reference\":{"
		   "\"high_ns\":null,\"low_ns\":null,\"time_ns\":null},"
		   "\"status\":\"correct\"},\"detail\":null,\"key\":\"1/19\","
		   "\"level\":1,\"now\":null,\"problem_id\":19,"
		   "\"reference\":" UNKNOWN_CHANGE ",\"sample_id\":3}],"
		   "\"clock\":\"device\",\"correct_count\":2,\"detail\":null,"
		   "\"evaluation\":\"" ID "\",\"gpus\":{"
		   "\"evaluation\":2,\"here\":3,\"same\":1},"
		   "\"interval_ppm\":950000,"
		   "\"margin_ppm\":50000,\"mismatches\":[{"
		   "\"evaluation\":\"1\",\"field\":\"os.libc\","
		   "\"here\":null}],\"noted\":[{\"evaluation\":\"3\","
		   "\"field\":\"gpu.board_part_number\",\"here\":\"4\"}],"
		   "\"sample_seed\":9007199254740991,"
		   "\"verdict\":\"no\"}");
	kb_result_release(&claimed);
}

/* One that is slower and one of which the bound is none, to the member. */
static const char *const told[] = {
	"{\"answer\":\"slower\",\"candidate\":{\"high_micro\":3300000,"
	"\"low_micro\":2700000,\"ratio_micro\":3000000},\"change\":{"
	"\"high_micro\":1650000,\"low_micro\":1350000,"
	"\"ratio_micro\":1500000},\"claimed\":{\"candidate\":{"
	"\"high_ns\":1000,\"low_ns\":1000,\"time_ns\":1000},"
	"\"reference\":{\"high_ns\":500,\"low_ns\":500,\"time_ns\":500},"
	"\"status\":\"correct\"},\"detail\":null,\"key\":\"1/19\","
	"\"level\":1,\"now\":{\"candidate\":{\"high_ns\":3300,"
	"\"low_ns\":2700,\"time_ns\":3000},\"reference\":{"
	"\"high_ns\":1000,\"low_ns\":1000,\"time_ns\":1000},"
	"\"status\":\"correct\"},\"problem_id\":19,\"reference\":{"
	"\"high_micro\":2000000,\"low_micro\":2000000,"
	"\"ratio_micro\":2000000},\"sample_id\":3}",
	"{\"answer\":\"ambiguous\",\"candidate\":{"
	"\"high_micro\":9007199254740991,\"low_micro\":500000,"
	"\"ratio_micro\":1000000},\"change\":{"
	"\"high_micro\":9007199254740991,\"low_micro\":500000,"
	"\"ratio_micro\":1000000},\"claimed\":{\"candidate\":{"
	"\"high_ns\":200,\"low_ns\":0,\"time_ns\":100},"
	"\"reference\":{\"high_ns\":50,\"low_ns\":50,\"time_ns\":50},"
	"\"status\":\"correct\"},"
	"\"detail\":\"the interval reaches over the margin\","
	"\"key\":\"1/19\",\"level\":1,\"now\":{\"candidate\":{"
	"\"high_ns\":100,\"low_ns\":100,\"time_ns\":100},\"reference\":{"
	"\"high_ns\":50,\"low_ns\":50,\"time_ns\":50},"
	"\"status\":\"correct\"},\"problem_id\":19,\"reference\":{"
	"\"high_micro\":1000000,\"low_micro\":1000000,"
	"\"ratio_micro\":1000000},\"sample_id\":3}",
};

static void test_json_has_what_answers_follow_from(void)
{
	static const struct side sides[][2] = {
		{ { 1000, 500, 0 }, { 3000, 1000, 300 } },
		{ { 100, 50, 100 }, { 100, 50, 0 } },
	};
	struct kb_remeasured items[KB_ARRAY_LEN(told)];
	const struct kb_remeasurement m = {
		.items = items, .count = KB_ARRAY_LEN(items),
		.correct_count = KB_ARRAY_LEN(items),
	};
	kb_auto(buf) struct kb_buf want = KB_BUF_INIT;

	for (size_t i = 0; i < KB_ARRAY_LEN(items); i++)
		compare(&items[i], &sides[i][0], &sides[i][1], TRIALS);
	kb_buf_addf(&want,
		    "{\"allowed\":[],\"answers\":{\"ambiguous\":1,"
		    "\"slower\":1},\"candidates\":[%s,%s],"
		    "\"clock\":\"call\",\"correct_count\":2,"
		    "\"detail\":null,\"evaluation\":\"" ID "\","
		    "\"gpus\":null,"
		    "\"interval_ppm\":950000,\"margin_ppm\":50000,"
		    "\"mismatches\":[],\"noted\":[],\"sample_seed\":0,"
		    "\"verdict\":\"no\"}", told[0], told[1]);
	check_json(&m, want.data);
}

static const struct kb_json *only_candidate(const struct kb_json *v)
{
	return kb_json_first(kb_json_find(v, "candidates"));
}

static void test_json_tells_the_status_now(void)
{
	const struct side s = { 1000, 500, 0 };
	struct kb_result a = result(&s, TRIALS), b = result(&s, TRIALS);
	struct kb_remeasured item;
	const struct kb_remeasurement m = {
		.items = &item, .count = 1, .correct_count = 1
	};
	kb_auto(json) struct kb_json *v = NULL;
	const struct kb_json *c;

	b.outcome.status = KB_STATUS_CRASHED;
	b.outcome.detail = kb_xstrdup("ended by SIGSEGV");
	kb_remeasure_compare(&item, &a, &b, KB_CLOCK_CALL);
	v = kb_remeasurement_to_json(&m);
	c = only_candidate(v);
	check_str(kb_json_string_value(kb_json_find(c, "answer")),
		  "changed_status");
	check_str(kb_json_string_value(kb_json_find(c, "detail")),
		  "ended by SIGSEGV");
	check_str(kb_json_string_value(kb_json_find(kb_json_find(c, "now"),
						    "status")), "crashed");
	check_int(kb_remeasurement_answer(&m), KB_ANSWER_NO);
	free(item.detail);
	kb_result_release(&a);
	kb_result_release(&b);
}

static void test_json_says_ok_if_all_are_the_same(void)
{
	const struct side s = { 1000, 500, 0 };
	struct kb_remeasured items[2];
	const struct kb_remeasurement m = {
		.items = items, .count = 2, .correct_count = 2
	};
	kb_auto(json) struct kb_json *v = NULL;

	compare(&items[0], &s, &s, TRIALS);
	compare(&items[1], &s, &s, TRIALS);
	check_int(kb_remeasurement_answer(&m), KB_ANSWER_OK);
	v = kb_remeasurement_to_json(&m);
	check_str(kb_json_string_value(kb_json_find(v, "verdict")), "ok");
	check_int(kb_json_int_value(kb_json_find(kb_json_find(v, "answers"),
						 "same")), 2);
	check_int(kb_json_count(kb_json_find(v, "answers")), 1);
}

static void test_json_has_no_verdict_if_it_was_interrupted(void)
{
	const struct side s = { 1000, 500, 0 };
	struct kb_remeasured item;
	const struct kb_remeasurement m = {
		.items = &item, .count = 1, .correct_count = 2,
		.is_interrupted = true,
	};
	kb_auto(json) struct kb_json *v = NULL;

	compare(&item, &s, &s, TRIALS);
	v = kb_remeasurement_to_json(&m);
	check_int(kb_json_type(kb_json_find(v, "verdict")), KB_JSON_NULL);
	check_int(kb_json_count(kb_json_find(v, "candidates")), 1);
}

TAP_MAIN(TAP(test_answers_in_json_have_no_spaces),
	 TAP(test_json_of_nothing_compared),
	 TAP(test_json_where_stacks_differ),
	 TAP(test_json_has_what_answers_follow_from),
	 TAP(test_json_tells_the_status_now),
	 TAP(test_json_says_ok_if_all_are_the_same),
	 TAP(test_json_has_no_verdict_if_it_was_interrupted));
