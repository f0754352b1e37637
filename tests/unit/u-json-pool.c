/* Values that are parsed into one memory, one after the other. */

#include "json/json.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "lib/tap.h"

KB_DEFINE_CLEANUP(json_pool, struct kb_json_pool *, kb_json_pool_free);

static void check_printed(const struct kb_json *v, const char *want)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_json_print(&out, v);
	check_str(out.data, want);
}

static const struct kb_json *parse_in(struct kb_json_pool *pool,
				      const char *text)
{
	const struct kb_json *v = NULL;
	struct kb_err err = KB_ERR_INIT;

	if (kb_json_parse_in(&v, pool, text, strlen(text), "t", &err) < 0)
		tap_fail("%s refused: %s", text, err.msg);
	return v;
}

static void test_nothing_need_be_parsed(void)
{
	kb_json_pool_free(kb_json_pool_new());
	kb_json_pool_free(NULL);
}

static void test_one_after_the_other_is_as_it_was_written(void)
{
	static const char *const texts[] = {
		"0", "null", "\"\"", "[]", "{}", "-9007199254740991", "true",
		"[[],{\"a\":{\"b\":[1,2,3]},\"c\":\"\xc3\xa9\"}]",
		"{\"\":\"\\n\\u0001\\\\\"}", "0", "false", "9007199254740991",
		"\"\\\"\\b\\f\\n\\r\\t\\u001f/\\u000b\\\\\\\"x\"", "[{},[],\"\",{}]",
	};
	kb_auto(json_pool) struct kb_json_pool *pool = kb_json_pool_new();

	for (size_t i = 0; i < KB_ARRAY_LEN(texts); i++)
		check_printed(parse_in(pool, texts[i]), texts[i]);
}

/* Of many small values, and of one that is large. */
static void test_large_and_small_take_turns(void)
{
	kb_auto(json_pool) struct kb_json_pool *pool = kb_json_pool_new();
	kb_auto(buf) struct kb_buf many = KB_BUF_INIT, one = KB_BUF_INIT;

	kb_buf_addstr(&many, "[0");
	kb_buf_addstr(&one, "[\"");
	for (int i = 1; i < 100000; i++) {
		kb_buf_addf(&many, ",%d", i);
		kb_buf_addf(&one, "%d ", i);
	}
	kb_buf_addstr(&many, "]");
	kb_buf_addstr(&one, "\"]");
	for (int i = 0; i < 3; i++) {
		check_printed(parse_in(pool, many.data), many.data);
		check_printed(parse_in(pool, "[1]"), "[1]");
		check_printed(parse_in(pool, one.data), one.data);
	}
}

static void test_what_is_refused_is_refused_in_the_same_words(void)
{
	static const char *const texts[] = {
		"", "[ ]", "{\"a\":1,\"a\":2}", "1.5", "\"\\u000a\"", "-0",
		"{\"b\":1,\"a\":2}", "\"\\/\"", " 1",
	};
	kb_auto(json_pool) struct kb_json_pool *pool = kb_json_pool_new();

	for (size_t i = 0; i < KB_ARRAY_LEN(texts); i++) {
		const char *text = texts[i];
		const struct kb_json *v = NULL;
		struct kb_err err = KB_ERR_INIT, want = KB_ERR_INIT;
		kb_auto(json) struct kb_json *heap = NULL;

		check_int(kb_json_parse(&heap, text, strlen(text),
					KB_JSON_CANONICAL, "t", &want),
			  -KB_ERR_INPUT);
		check_int(kb_json_parse_in(&v, pool, text, strlen(text),
					   "t", &err),
			  -KB_ERR_INPUT);
		check_str(err.msg, want.msg);
		check(!v);
	}
}

/* What is copied outlives the next; what is parsed beside is freed alone. */
static void test_other_values_are_not_of_the_pool(void)
{
	kb_auto(json_pool) struct kb_json_pool *pool = kb_json_pool_new();
	const struct kb_json *v = parse_in(pool, "{\"a\":[\"x\"]}");
	kb_auto(json) struct kb_json *copy = kb_json_copy(v);
	kb_auto(json) struct kb_json *beside = NULL;

	check_int(kb_json_parse(&beside, "[2]", 3, KB_JSON_OURS, "t", NULL),
		  0);
	check_printed(v, "{\"a\":[\"x\"]}");
	check_printed(parse_in(pool, "[\"another value\"]"),
		      "[\"another value\"]");
	kb_json_set_string(copy, "b", "y");
	check_printed(copy, "{\"a\":[\"x\"],\"b\":\"y\"}");
	check_printed(beside, "[2]");
}

TAP_MAIN(TAP(test_nothing_need_be_parsed),
	 TAP(test_one_after_the_other_is_as_it_was_written),
	 TAP(test_large_and_small_take_turns),
	 TAP(test_what_is_refused_is_refused_in_the_same_words),
	 TAP(test_other_values_are_not_of_the_pool));
