#include "device/division.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "lib/tap.h"
#include "manifest/conditions.h"
#include "manifest/evaluation.h"
#include "manifest/suite.h"

#define VERSIONS(triton, transformers)					\
	"{\"torch\":{\"transformers_version\":\"" transformers "\","	\
	"\"triton_version\":\"" triton "\"}}"

#define TRITON "torch.triton_version 3.6.0 3.7.0;"
#define TRANSFORMERS "torch.transformers_version 5.1.0 5.2.0;"

/* 1/1 needs nothing, 4/1 transformers. */
static struct kb_problem problems[] = {
	{ .key = { 1, 1 } },
	{ .key = { 4, 1 }, .needs_transformers = true },
};
static const struct kb_suite suite = {
	.problems = problems, .problem_count = KB_ARRAY_LEN(problems),
};
static struct kb_key both[] = { { 1, 1 }, { 4, 1 } };

struct half {
	const char *match_key, *environment;
	struct kb_key *problems;
	size_t problem_count;
};

static struct kb_json *parse(const char *text)
{
	struct kb_json *v = NULL;

	check_int(kb_json_parse(&v, text, strlen(text), KB_JSON_OURS, "x",
				NULL), 0);
	return v;
}

/* "field left right;" of each that differs. */
static void check_division(const struct half *left, const struct half *right,
			   enum kb_mode mode, const struct kb_suite *of,
			   const char *want)
{
	struct kb_evaluation e = {
		.conditions.match_key = parse(left->match_key),
		.conditions.environment = parse(left->environment),
		.problems = left->problems,
		.problem_count = left->problem_count,
	};
	struct kb_baseline b = {
		.conditions.match_key = parse(right->match_key),
		.conditions.environment = parse(right->environment),
		.problems = right->problems,
		.problem_count = right->problem_count,
		.mode = mode,
	};
	const struct kb_division d = kb_division_of(&e, &b, of);
	kb_auto(mismatches) struct kb_mismatches m = KB_MISMATCHES_INIT;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	kb_division_diff(&m, &d);
	for (size_t i = 0; i < m.count; i++)
		kb_buf_addf(&text, "%s %s %s;", m.items[i].field,
			    m.items[i].left ? m.items[i].left : "-",
			    m.items[i].right ? m.items[i].right : "-");
	check_str(text.data, want);
	kb_conditions_release(&e.conditions);
	kb_conditions_release(&b.conditions);
}

static void test_each_mode_is_divided_by_what_decides_it(void)
{
	static const struct {
		enum kb_mode mode;
		const char *want;
	} table[] = {
		{ KB_MODE_EAGER, TRANSFORMERS },
		{ KB_MODE_CUDAGRAPHS, TRANSFORMERS },
		{ KB_MODE_COMPILE_DEFAULT, TRANSFORMERS TRITON },
		{ KB_MODE_COMPILE_REDUCE_OVERHEAD, TRANSFORMERS TRITON },
		{ KB_MODE_COMPILE_MAX_AUTOTUNE, TRANSFORMERS TRITON },
		{ KB_MODE_COMPILE_MAX_AUTOTUNE_NO_CUDAGRAPHS,
		  TRANSFORMERS TRITON },
	};
	const struct half left = { "{}", VERSIONS("3.6.0", "5.1.0"), both, 2 },
			  right = { "{}", VERSIONS("3.7.0", "5.2.0"), both, 2 };

	check_int(KB_ARRAY_LEN(table), KB_MODE_COUNT);
	for (size_t i = 0; i < KB_ARRAY_LEN(table); i++)
		check_division(&left, &right, table[i].mode, &suite,
			       table[i].want);
}

/* Only what both sides have is divided. Of a suite that is not there any
 * problem may need transformers, and none that does not exist. */
static void test_problems_that_are_divided_decide(void)
{
	static const struct {
		size_t left_from, left_count, right_from, right_count;
		const struct kb_suite *suite;
		const char *want;
	} table[] = {
		{ 0, 2, 0, 2, &suite, TRANSFORMERS },
		{ 1, 1, 0, 2, &suite, TRANSFORMERS },
		{ 0, 2, 1, 1, &suite, TRANSFORMERS },
		{ 0, 1, 0, 2, &suite, "" },
		{ 0, 2, 0, 1, &suite, "" },
		{ 0, 1, 1, 1, &suite, "" },
		{ 0, 0, 0, 2, &suite, "" },
		{ 0, 1, 0, 2, NULL, TRANSFORMERS },
		{ 0, 1, 1, 1, NULL, "" },
		{ 0, 0, 0, 0, NULL, "" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(table); i++) {
		const struct half left = {
			"{}", VERSIONS("3.6.0", "5.1.0"),
			both + table[i].left_from, table[i].left_count,
		}, right = {
			"{}", VERSIONS("3.7.0", "5.2.0"),
			both + table[i].right_from, table[i].right_count,
		};

		check_division(&left, &right, KB_MODE_EAGER, table[i].suite,
			       table[i].want);
	}
}

static void test_facts_that_are_not_there(void)
{
	static const char none[] = "{}", empty[] = "{\"torch\":{}}",
		unused[] = "{\"torch\":{\"unavailable\":\"not used\"}}",
		absent[] = "{\"torch\":{\"triton_version\":"
			   "{\"unavailable\":\"not installed\"}}}",
		known[] = "{\"torch\":{\"triton_version\":\"3.6.0\"}}";
	static const struct {
		const char *left, *right, *want;
	} table[] = {
		{ none, none, "" },
		{ none, empty, "" },
		{ unused, absent, "" },
		{ known, known, "" },
		{ empty, known, "torch.triton_version not recorded 3.6.0;" },
		{ known, none, "torch.triton_version 3.6.0 not recorded;" },
		{ known, absent, "torch.triton_version 3.6.0 unavailable;" },
		{ absent, empty,
		  "torch.triton_version unavailable not recorded;" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(table); i++) {
		const struct half left = { "{}", table[i].left, both, 1 },
				  right = { "{}", table[i].right, both, 1 };

		check_division(&left, &right, KB_MODE_COMPILE_DEFAULT, &suite,
			       table[i].want);
	}
}

/* Pages of 4096 bytes are those of all records that do not tell. */
static void test_other_pages_are_compared(void)
{
	static const char none[] = "{}", small[] = "{\"os\":{\"page_bytes\":4096}}",
		large[] = "{\"os\":{\"page_bytes\":65536}}";
	static const struct {
		const char *left, *right, *want;
	} table[] = {
		{ none, small, "" },
		{ small, small, "" },
		{ large, large, "" },
		{ small, large, "os.page_bytes 4096 65536;" },
		{ large, none, "os.page_bytes 65536 not recorded;" },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const struct half left = { "{}", table[i].left, both, 1 },
				  right = { "{}", table[i].right, both, 1 };

		check_division(&left, &right, KB_MODE_EAGER, &suite,
			       table[i].want);
	}
}

/* A match key that has what is compared beside it is nobody's; it does no
 * harm. */
static void test_match_keys_are_compared_as_well(void)
{
	const struct half
		left = { "{\"os.libc\":\"1\",\"torch.version\":\"2\"}",
			 VERSIONS("3.6.0", "5.1.0"), both, 1 },
		right = { "{\"torch.version\":\"3\"}",
			  VERSIONS("3.7.0", "5.1.0"), both, 1 },
		odd = { "{\"torch.triton_version\":\"3.8.0\"}",
			VERSIONS("3.6.0", "5.1.0"), both, 1 };

	check_division(&left, &right, KB_MODE_COMPILE_DEFAULT, &suite,
		       "os.libc 1 -;" TRITON "torch.version 2 3;");
	check_division(&odd, &odd, KB_MODE_COMPILE_DEFAULT, &suite, "");
}

/* Parts of one run, which is divided by nothing yet. */
static void test_a_run_by_itself(void)
{
	static const struct {
		enum kb_mode mode;
		size_t problem_count;
		const char *want;
	} table[] = {
		{ KB_MODE_EAGER, 0, "{}" },
		{ KB_MODE_EAGER, 1, "{}" },
		{ KB_MODE_EAGER, 2,
		  "{\"torch.transformers_version\":\"5.1.0\"}" },
		{ KB_MODE_COMPILE_DEFAULT, 1,
		  "{\"torch.triton_version\":\"3.6.0\"}" },
		{ KB_MODE_COMPILE_DEFAULT, 2,
		  "{\"torch.transformers_version\":\"5.1.0\","
		  "\"torch.triton_version\":\"3.6.0\"}" },
	};
	kb_auto(json) struct kb_json *environment =
		parse(VERSIONS("3.6.0", "5.1.0"));

	for (size_t i = 0; i < KB_ARRAY_LEN(table); i++) {
		const struct kb_division_side run = {
			NULL, both, table[i].problem_count,
		};
		const struct kb_division d = {
			.left = run, .right = run,
			.mode = table[i].mode, .suite = &suite,
		};
		kb_auto(json) struct kb_json *v =
			kb_division_extras(&d, environment);
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

		kb_json_print(&text, v);
		check_str(text.data, table[i].want);
	}
}

static void test_fields_are_known_by_name(void)
{
	struct kb_conditions left = { .match_key = parse("{\"a\":\"1\"}") },
			     right = { .match_key = parse("{\"b\":\"1\"}") };
	const struct kb_division d = {
		.left.conditions = &left, .right.conditions = &right,
	};

	check(kb_division_knows(&d, "a"));
	check(kb_division_knows(&d, "b"));
	check(kb_division_knows(&d, "os.page_bytes"));
	check(kb_division_knows(&d, "torch.triton_version"));
	check(kb_division_knows(&d, "torch.transformers_version"));
	check(!kb_division_knows(&d, "torch.helion_version"));
	check(!kb_division_knows(&d, "triton_version"));
	check(!kb_division_knows(&d, ""));
	kb_conditions_release(&left);
	kb_conditions_release(&right);
}

TAP_MAIN(TAP(test_each_mode_is_divided_by_what_decides_it),
	 TAP(test_problems_that_are_divided_decide),
	 TAP(test_facts_that_are_not_there),
	 TAP(test_other_pages_are_compared),
	 TAP(test_match_keys_are_compared_as_well),
	 TAP(test_a_run_by_itself),
	 TAP(test_fields_are_known_by_name));
