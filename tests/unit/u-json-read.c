/* Members that are read from an object, each with its type. */

#include "json/json.h"

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "lib/records.h"
#include "lib/tap.h"

static void test_read_takes_what_is_there(void)
{
	kb_auto(json) struct kb_json *o =
		record_parse("{\"s\":\"x\",\"n\":null,\"i\":5,\"b\":true,\"l\":[]}");
	const char *s = NULL, *t = NULL, *none = "";
	const struct kb_json *l = NULL;
	bool b = false;
	int64_t i = 0;

	check_int(kb_json_read_string(&s, o, "s", "w", NULL), 0);
	check_str(s, "x");
	check_int(kb_json_read_string_or_null(&t, o, "s", "w", NULL), 0);
	check_str(t, "x");
	check_int(kb_json_read_string_or_null(&none, o, "n", "w", NULL), 0);
	check(none == NULL);
	check_int(kb_json_read_int(&i, o, "i", 5, 5, "w", NULL), 0);
	check_int(i, 5);
	check_int(kb_json_read_bool(&b, o, "b", "w", NULL), 0);
	check(b);
	check_int(kb_json_read(&l, o, "l", KB_JSON_ARRAY, "w", NULL), 0);
	check(l == kb_json_find(o, "l"));
}

/* One call of each reader, with the key that it is to fail on. */
static int read_string(const struct kb_json *o, const char *key,
		       struct kb_err *err)
{
	const char *s;

	return kb_json_read_string(&s, o, key, "'m'", err);
}

static int read_text(const struct kb_json *o, const char *key,
		     struct kb_err *err)
{
	const char *s;

	return kb_json_read_string_or_null(&s, o, key, "'m'", err);
}

static int read_digit(const struct kb_json *o, const char *key,
		      struct kb_err *err)
{
	int64_t i;

	return kb_json_read_int(&i, o, key, 0, 9, "'m'", err);
}

static int read_five(const struct kb_json *o, const char *key,
		     struct kb_err *err)
{
	int64_t i;

	return kb_json_read_int(&i, o, key, 5, 5, "'m'", err);
}

static int read_bool(const struct kb_json *o, const char *key,
		     struct kb_err *err)
{
	bool b;

	return kb_json_read_bool(&b, o, key, "'m'", err);
}

static const struct {
	int (*read)(const struct kb_json *o, const char *key,
		    struct kb_err *err);
	const char *object, *key, *why;
} misread[] = {
	{ read_string, "{}", "s", "'m': 's' is missing" },
	{ read_text, "{}", "s", "'m': 's' is missing" },
	{ read_digit, "{\"S\":1}", "s", "'m': 's' is missing" },
	{ read_bool, "{}", "s", "'m': 's' is missing" },
	{ read_string, "{\"s\":null}", "s", "'m': 's' is null, want a string" },
	{ read_text, "{\"s\":1}", "s",
	  "'m': 's' is an integer, want a string or null" },
	{ read_digit, "{\"s\":\"1\"}", "s",
	  "'m': 's' is a string, want an integer" },
	{ read_digit, "{\"s\":-1}", "s", "'m': 's' is -1, want 0 to 9" },
	{ read_digit, "{\"s\":10}", "s", "'m': 's' is 10, want 0 to 9" },
	{ read_five, "{\"s\":4}", "s", "'m': 's' is 4, want 5" },
	{ read_five, "{\"s\":6}", "s", "'m': 's' is 6, want 5" },
	{ read_bool, "{\"s\":0}", "s", "'m': 's' is an integer, want a boolean" },
	{ read_string, "[]", "s", "'m': is an array, want an object" },
	{ read_text, "1", "s", "'m': is an integer, want an object" },
};

static void test_read_says_what_is_wrong(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(misread); i++) {
		kb_auto(json) struct kb_json *o = record_parse(misread[i].object);
		struct kb_err err = KB_ERR_INIT;

		check_int(misread[i].read(o, misread[i].key, &err),
			  -KB_ERR_INPUT);
		check_str(err.msg, misread[i].why);
	}
}

static void test_only_refuses_unknown_members(void)
{
	static const char *const keys[] = { "a", "b", NULL };
	kb_auto(json) struct kb_json *some = record_parse("{\"b\":1}");
	kb_auto(json) struct kb_json *more = record_parse("{\"a\":1,\"c\":2}");
	kb_auto(json) struct kb_json *list = record_parse("[]");
	struct kb_err err = KB_ERR_INIT;

	check_int(kb_json_only(some, keys, "'m'", &err), 0);
	check_int(kb_json_only(more, keys, "'m'", &err), -KB_ERR_INPUT);
	check_str(err.msg, "'m': 'c' is not a known member");
	check_int(kb_json_only(list, keys, "'m'", &err), -KB_ERR_INPUT);
	check_str(err.msg, "'m': is an array, want an object");
}

static void test_text_of_strings_alone(void)
{
	static const struct {
		const char *key, *text;
		bool is_x;
	} cases[] = {
		{ "s", "x", true }, { "t", "xy", false }, { "e", "", false },
		{ "n", NULL, false }, { "i", NULL, false }, { "o", NULL, false },
		{ "absent", NULL, false },
	};
	kb_auto(json) struct kb_json *o = record_parse(
		"{\"s\":\"x\",\"t\":\"xy\",\"e\":\"\",\"n\":null,"
		"\"i\":5,\"o\":{\"s\":\"x\"}}");

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		const char *text = kb_json_text(o, cases[i].key);

		check(!text == !cases[i].text);
		check_str(kb_json_text_or(o, cases[i].key, "else"),
			  cases[i].text ? cases[i].text : "else");
		check_int(kb_json_text_is(o, cases[i].key, "x"),
			  cases[i].is_x);
	}
	check(!kb_json_text(NULL, "s"));
	check(!kb_json_text_is(o, "absent", ""));
	check(kb_json_text_is(o, "e", ""));
}

TAP_MAIN(TAP(test_read_takes_what_is_there), TAP(test_read_says_what_is_wrong),
	 TAP(test_only_refuses_unknown_members),
	 TAP(test_text_of_strings_alone));
