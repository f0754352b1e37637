#include "json/json.h"

#include <locale.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/utf8.h"
#include "lib/tap.h"

/* A literal that may hold NULs. */
#define BYTES(s) (s), sizeof(s) - 1

static struct kb_json *parse_ours(const char *text)
{
	struct kb_err err = KB_ERR_INIT;
	struct kb_json *v = NULL;

	if (kb_json_parse(&v, text, strlen(text), KB_JSON_OURS, "t", &err) < 0)
		tap_fail("%s refused: %s", text, err.msg);
	return v;
}

static void check_refused(const char *text, size_t len,
			  enum kb_json_dialect dialect, const char *why)
{
	/* Exactly as long as it is, for the sanitizer to see. */
	kb_auto(mem) char *copy = kb_xmalloc(len);
	kb_auto(json) struct kb_json *v = NULL;
	struct kb_err err = KB_ERR_INIT;
	char want[KB_ERR_MSG_MAX];

	memcpy(copy, text, len);
	snprintf(want, sizeof(want), "cannot parse 't': %s", why);
	check_int(kb_json_parse(&v, copy, len, dialect, "t", &err),
		  -KB_ERR_INPUT);
	check(v == NULL);
	check_str(err.msg, want);
}

static void check_printed(const struct kb_json *v, const char *want)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_json_print(&out, v);
	check_str(out.data, want);
}

static const struct {
	const char *text;
	size_t len;
	const char *why;
} refused_by_both[] = {
	{ BYTES(""), "ends too soon at byte 0" },
	{ BYTES(" \n"), "ends too soon at byte 2" },
	{ BYTES("\xef\xbb\xbf{}"), "want a value at byte 0" },
	{ BYTES("\v1"), "want a value at byte 0" },
	{ BYTES("\xc2\xa0" "1"), "want a value at byte 0" },
	{ BYTES("\0"), "want a value at byte 0" },
	{ BYTES("// no\n1"), "want a value at byte 0" },
	{ BYTES("'a'"), "want a value at byte 0" },

	{ BYTES("nul"), "ends too soon at byte 3" },
	{ BYTES("nulL"), "want a value at byte 3" },
	{ BYTES("True"), "want a value at byte 0" },

	{ BYTES("-"), "ends too soon at byte 1" },
	{ BYTES("+1"), "want a value at byte 0" },
	{ BYTES(".5"), "want a value at byte 0" },
	{ BYTES("01"), "leading zero at byte 0" },
	{ BYTES("-00"), "leading zero at byte 1" },
	{ BYTES("1."), "ends too soon at byte 2" },
	{ BYTES("1.e1"), "want a digit at byte 2" },
	{ BYTES("1e"), "ends too soon at byte 2" },
	{ BYTES("1e+"), "ends too soon at byte 3" },
	{ BYTES("1e+-1"), "want a digit at byte 3" },

	{ BYTES("["), "ends too soon at byte 1" },
	{ BYTES("]"), "want a value at byte 0" },
	{ BYTES("[1"), "ends too soon at byte 2" },
	{ BYTES("[1,]"), "want a value at byte 3" },
	{ BYTES("[,1]"), "want a value at byte 1" },
	{ BYTES("[1 2]"), "want ',' or ']' at byte 3" },
	{ BYTES("[1}"), "want ',' or ']' at byte 2" },

	{ BYTES("{"), "ends too soon at byte 1" },
	{ BYTES("{a:1}"), "want a key at byte 1" },
	{ BYTES("{1:1}"), "want a key at byte 1" },
	{ BYTES("{\"a\"}"), "want ':' at byte 4" },
	{ BYTES("{\"a\":}"), "want a value at byte 5" },
	{ BYTES("{\"a\":1,}"), "want a key at byte 7" },
	{ BYTES("{\"a\":1 \"b\":1}"), "want ',' or '}' at byte 7" },
	{ BYTES("{\"a\":1]"), "want ',' or '}' at byte 6" },

	{ BYTES("\""), "ends too soon at byte 1" },
	{ BYTES("\"a\\\""), "ends too soon at byte 4" },
	{ BYTES("\"\\"), "ends too soon at byte 2" },
	{ BYTES("\"\\x41\""), "unknown escape at byte 2" },
	{ BYTES("\"\\\0\""), "unknown escape at byte 2" },
	{ BYTES("\"\\U0041\""), "unknown escape at byte 2" },
	{ BYTES("\"\\u12\""), "want four hex digits at byte 5" },
	{ BYTES("\"\\u12"), "ends too soon at byte 5" },
	{ BYTES("\"\\u 041\""), "want four hex digits at byte 3" },
	{ BYTES("\"a\nb\""), "control character in a string at byte 2" },
	{ BYTES("\"a\tb\""), "control character in a string at byte 2" },
	{ BYTES("\"a\0b\""), "control character in a string at byte 2" },
	{ BYTES("\"a\\u0000b\""), "escaped NUL at byte 2" },
	{ BYTES("{\"\\u0000\":1}"), "escaped NUL at byte 2" },

	{ BYTES("\"\\ud800\""), "lone surrogate at byte 1" },
	{ BYTES("\"\\udfff\""), "lone surrogate at byte 1" },
	{ BYTES("\"\\ud83dx\""), "lone surrogate at byte 1" },
	{ BYTES("\"\\ud83d\\n\""), "lone surrogate at byte 1" },
	{ BYTES("\"\\ud83d\\u0041\""), "lone surrogate at byte 1" },
	{ BYTES("\"\\ud83d\\udbff\""), "lone surrogate at byte 1" },
	{ BYTES("\"\\ud83d\\ue000\""), "lone surrogate at byte 1" },
	{ BYTES("\"\\ud83d\\ud83d\""), "lone surrogate at byte 1" },
	{ BYTES("\"\\ude00\\ud83d\""), "lone surrogate at byte 1" },
	{ BYTES("\"\\ud83d\\u"), "ends too soon at byte 9" },

	{ BYTES("\"\x80\""), "invalid UTF-8 at byte 1" },
	{ BYTES("\"a\xff\""), "invalid UTF-8 at byte 2" },
	{ BYTES("\"\xc0\x80\""), "invalid UTF-8 at byte 1" },
	{ BYTES("\"\xc1\xbf\""), "invalid UTF-8 at byte 1" },
	{ BYTES("\"\xe0\x9f\xbf\""), "invalid UTF-8 at byte 1" },
	{ BYTES("\"\xf0\x8f\xbf\xbf\""), "invalid UTF-8 at byte 1" },
	{ BYTES("\"\xed\xa0\x80\""), "invalid UTF-8 at byte 1" },
	{ BYTES("\"\xed\xbf\xbf\""), "invalid UTF-8 at byte 1" },
	{ BYTES("\"\xf4\x90\x80\x80\""), "invalid UTF-8 at byte 1" },
	{ BYTES("\"\xf5\x80\x80\x80\""), "invalid UTF-8 at byte 1" },
	{ BYTES("\"\xe2\x82\""), "invalid UTF-8 at byte 1" },
	{ BYTES("\"\xe2\x82"), "invalid UTF-8 at byte 1" },

	{ BYTES("{\"a\":1,\"a\":1}"),
	  "key at byte 7 repeats the one at byte 1" },
	{ BYTES("{\"a\":1,\"b\":2,\"\\u0061\":3}"),
	  "key at byte 13 repeats the one at byte 1" },
	{ BYTES("{\"\\ud83d\\ude00\":1,\"\xf0\x9f\x98\x80\":2}"),
	  "key at byte 18 repeats the one at byte 1" },
	{ BYTES("[{\"/\":{},\"\\/\":{}}]"),
	  "key at byte 9 repeats the one at byte 2" },
	{ BYTES("{\"\":1,\"\":1}"),
	  "key at byte 6 repeats the one at byte 1" },
};

/* Of other people's files it is told what they are instead. */
static const struct {
	const char *text;
	size_t len;
	const char *ours, *foreign;
} refused_by_each[] = {
	{ BYTES("1\0"), "more after the value at byte 1",
	  "want the end, and there is more after the value at byte 1" },
	{ BYTES("{} {}"), "more after the value at byte 3",
	  "want one value, not JSON lines, and another begins at byte 3" },
	{ BYTES("null,"), "more after the value at byte 4",
	  "want the end, and there is more after the value at byte 4" },
	{ BYTES("falsey"), "more after the value at byte 5",
	  "want the end, and there is more after the value at byte 5" },
	{ BYTES("0x10"), "more after the value at byte 1",
	  "want the end, and there is more after the value at byte 1" },
	{ BYTES("1 2"), "more after the value at byte 2",
	  "want the end, and there is more after the value at byte 2" },
	{ BYTES("NaN"), "want a value at byte 0",
	  "NaN and Infinity are not JSON, want a value at byte 0" },
	{ BYTES("Infinity"), "want a value at byte 0",
	  "NaN and Infinity are not JSON, want a value at byte 0" },
	{ BYTES("-Infinity"), "want a value at byte 0",
	  "NaN and Infinity are not JSON, want a value at byte 0" },
	{ BYTES("[1,-Infinity]"), "want a value at byte 3",
	  "NaN and Infinity are not JSON, want a value at byte 3" },
	{ BYTES("-In"), "want a value at byte 0", "want a value at byte 0" },
	{ BYTES("[Na"), "want a value at byte 1", "want a value at byte 1" },
	{ BYTES("1\n[2]"), "more after the value at byte 2",
	  "want one value, not JSON lines, and another begins at byte 2" },
};

static void test_each_dialect_says_what_it_wants(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(refused_by_each); i++) {
		check_refused(refused_by_each[i].text, refused_by_each[i].len,
			      KB_JSON_OURS, refused_by_each[i].ours);
		check_refused(refused_by_each[i].text, refused_by_each[i].len,
			      KB_JSON_FOREIGN, refused_by_each[i].foreign);
	}
}

static void test_both_dialects_refuse(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(refused_by_both); i++) {
		check_refused(refused_by_both[i].text, refused_by_both[i].len,
			      KB_JSON_FOREIGN, refused_by_both[i].why);
		check_refused(refused_by_both[i].text, refused_by_both[i].len,
			      KB_JSON_OURS, refused_by_both[i].why);
	}
}

static const struct {
	const char *text;
	double foreign_value;
	const char *why_not_ours;
} fractions[] = {
	{ "0.5", 0.5, "fraction or exponent at byte 1" },
	{ "-12.25", -12.25, "fraction or exponent at byte 3" },
	{ "1.0", 1, "fraction or exponent at byte 1" },
	{ "1e0", 1, "fraction or exponent at byte 1" },
	{ "2E+3", 2000, "fraction or exponent at byte 1" },
	{ "25e-2", 0.25, "fraction or exponent at byte 2" },
	{ "1e-999", 0, "fraction or exponent at byte 1" },
	{ "-0", 0, "negative zero at byte 0" },
	{ "-0.0", 0, "fraction or exponent at byte 2" },
	{ "0.1", 0.1, "fraction or exponent at byte 1" },
	{ "1.7976931348623157e308", 1.7976931348623157e308,
	  "fraction or exponent at byte 1" },
	{ "9007199254740992", 0x1p53, "integer beyond +-(2^53 - 1) at byte 0" },
	{ "-9007199254740992", -0x1p53,
	  "integer beyond +-(2^53 - 1) at byte 0" },
	{ "18446744073709551617", 0x1p64,
	  "integer beyond +-(2^53 - 1) at byte 0" },
	{ "123456789012345678901234567890123456789012345678901234567890123",
	  1.2345678901234568e62, "integer beyond +-(2^53 - 1) at byte 0" },
};

static void test_only_foreign_takes_fractions(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(fractions); i++) {
		const char *text = fractions[i].text;
		kb_auto(json) struct kb_json *v = NULL;

		check_refused(text, strlen(text), KB_JSON_OURS,
			      fractions[i].why_not_ours);
		check_int(kb_json_parse(&v, text, strlen(text),
					KB_JSON_FOREIGN, "t", NULL), 0);
		check(v && kb_json_number_value(v) ==
		      fractions[i].foreign_value);
	}
}

static void test_foreign_numbers_stay_finite(void)
{
	check_refused(BYTES("1e309"), KB_JSON_FOREIGN,
		      "number too large for a double at byte 0");
	check_refused(BYTES("[-1.8e308]"), KB_JSON_FOREIGN,
		      "number too large for a double at byte 1");
	/* One digit more than the longest in `fractions`. */
	check_refused(BYTES("1234567890123456789012345678901234567890"
			    "123456789012345678901234"), KB_JSON_FOREIGN,
		      "number too long at byte 0");
}

static void test_number_type_goes_by_value(void)
{
	static const char text[] =
		"[1.0, 10e-1, -0, 0.5, 9007199254740991, 9007199254740992]";
	static const enum kb_json_type want[] = {
		KB_JSON_INT, KB_JSON_INT, KB_JSON_INT, KB_JSON_FLOAT,
		KB_JSON_INT, KB_JSON_FLOAT,
	};
	kb_auto(json) struct kb_json *v = NULL;
	const struct kb_json *e;
	size_t i = 0;

	check_int(kb_json_parse(&v, BYTES(text), KB_JSON_FOREIGN, "t", NULL),
		  0);
	for (e = kb_json_first(v); e; e = kb_json_next(e))
		check_int(kb_json_type(e), want[i++]);
	check_int(i, KB_ARRAY_LEN(want));
}

static void test_locale_does_not_matter(void)
{
	/* Any locale with a decimal comma that this machine has. */
	static const char *const names[] = {
		"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "fr_FR",
	};
	kb_auto(json) struct kb_json *v = NULL;
	size_t i = 0;

	while (i < KB_ARRAY_LEN(names) && !setlocale(LC_ALL, names[i]))
		i++;
	if (i == KB_ARRAY_LEN(names))
		printf("# no locale with a decimal comma here\n");
	check_int(kb_json_parse(&v, BYTES("1.5"), KB_JSON_FOREIGN, "t", NULL),
		  0);
	check(v && kb_json_number_value(v) == 1.5);
	check_refused(BYTES("1.5e999"), KB_JSON_FOREIGN,
		      "number too large for a double at byte 0");
	setlocale(LC_ALL, "C");
}

/* `depth` arrays in each other. */
static void nest(struct kb_buf *out, int depth)
{
	for (int i = 0; i < depth; i++)
		kb_buf_addch(out, '[');
	for (int i = 0; i < depth; i++)
		kb_buf_addch(out, ']');
}

static void test_depth_is_limited(void)
{
	kb_auto(buf) struct kb_buf deep = KB_BUF_INIT;
	kb_auto(json) struct kb_json *v = NULL;

	nest(&deep, KB_JSON_DEPTH_MAX);
	check_int(kb_json_parse(&v, deep.data, deep.len, KB_JSON_CANONICAL,
				"t", NULL), 0);

	kb_buf_clear(&deep);
	nest(&deep, KB_JSON_DEPTH_MAX + 1);
	check_refused(deep.data, deep.len, KB_JSON_FOREIGN,
		      "nesting too deep at byte 64");
}

static void test_many_keys_do_not_take_forever(void)
{
	kb_auto(buf) struct kb_buf big = KB_BUF_INIT;
	char why[80];

	/* Compared each with each, 10^10 times. */
	kb_buf_addstr(&big, "{\"0\":0");
	for (int i = 1; i < 100000; i++)
		kb_buf_addf(&big, ",\"%d\":0", i);
	snprintf(why, sizeof(why), "key at byte %zu repeats the one at byte 1",
		 big.len + 1);
	kb_buf_addstr(&big, ",\"0\":0}");
	check_refused(big.data, big.len, KB_JSON_OURS, why);
}

static void test_same_key_in_different_objects_is_fine(void)
{
	static const char text[] = "{\"A\":{\"a\":1},\"a\":{\"a\":2}}";
	kb_auto(json) struct kb_json *v = parse_ours(text);

	check_printed(v, text);
}

static const struct {
	const char *text;
	const char *canonical;
} printed[] = {
	{ "{}", "{}" },
	{ " [ ] ", "[]" },
	{ "\"\"", "\"\"" },
	{ "\r\n\t 0", "0" },
	{ "[ -1 , 9007199254740991 , -9007199254740991 ]",
	  "[-1,9007199254740991,-9007199254740991]" },
	{ "[true,false,null]", "[true,false,null]" },
	{ "[[],{},[{}]]", "[[],{},[{}]]" },

	/* Escapes: as few and as short as can be, in lower case. */
	{ "\"\\u0041\\/\\u002F\"", "\"A//\"" },
	{ "\"\\\"\\\\\\b\\f\\n\\r\\t\"", "\"\\\"\\\\\\b\\f\\n\\r\\t\"" },
	{ "\"\\u0022\\u005c\\u0008\\u000C\\u000a\\u000d\\u0009\"",
	  "\"\\\"\\\\\\b\\f\\n\\r\\t\"" },
	{ "\"\\u0001\\u000B\\u001F\\u007f\"", "\"\\u0001\\u000b\\u001f\x7f\"" },
	{ "\"\\u00e9\\u20AC\"", "\"\xc3\xa9\xe2\x82\xac\"" },
	{ "\"\\ud83d\\uDE00\"", "\"\xf0\x9f\x98\x80\"" },
	{ "\"\\u2028\\ufffe\\uffff\"",
	  "\"\xe2\x80\xa8\xef\xbf\xbe\xef\xbf\xbf\"" },
	{ "\"\\udbff\\udfff\"", "\"\xf4\x8f\xbf\xbf\"" },

	/* Keys: by UTF-16 code unit, a prefix before what it begins. */
	{ "{\"b\":1,\"a\":{\"d\":2,\"c\":3}}", "{\"a\":{\"c\":3,\"d\":2},\"b\":1}" },
	{ "{\"aa\":1,\"a\":2,\"\":3,\"B\":4}", "{\"\":3,\"B\":4,\"a\":2,\"aa\":1}" },
	{ "{\"10\":1,\"9\":2,\"1\":3}", "{\"1\":3,\"10\":1,\"9\":2}" },
	{ "{\"a\\\\\":1,\"a\\u0001\":2,\"a\":3}",
	  "{\"a\":3,\"a\\u0001\":2,\"a\\\\\":1}" },
	{ "{\"\\ufffd\":1,\"\\ud83d\\ude00\":2,\"\\ue000\":3,\"\\ud7ff\":4}",
	  "{\"\xed\x9f\xbf\":4,\"\xf0\x9f\x98\x80\":2,"
	  "\"\xee\x80\x80\":3,\"\xef\xbf\xbd\":1}" },

	/* The seven keys of RFC 8785, section 3.2.3, here with their ranks. */
	{ "{\"\\u20ac\":5,\"\\r\":1,\"\\ufb33\":7,\"1\":2,\"\\ud83d\\ude00\":6,"
	  "\"\\u0080\":3,\"\\u00f6\":4}",
	  "{\"\\r\":1,\"1\":2,\"\xc2\x80\":3,\"\xc3\xb6\":4,\"\xe2\x82\xac\":5,"
	  "\"\xf0\x9f\x98\x80\":6,\"\xef\xac\xb3\":7}" },
	/* And the string of its section 3.2.2. */
	{ "\"\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\\"\\/\"",
	  "\"\xe2\x82\xac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"" },
};

static void test_print_is_canonical(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(printed); i++) {
		const char *canonical = printed[i].canonical;
		kb_auto(json) struct kb_json *v = parse_ours(printed[i].text);
		kb_auto(json) struct kb_json *again = NULL;

		if (!v)
			continue;
		check_printed(v, canonical);
		check_int(kb_json_parse(&again, canonical, strlen(canonical),
					KB_JSON_CANONICAL, "t", NULL), 0);
	}
}

static const struct {
	const char *text;
	const char *why;
} not_canonical[] = {
	{ " 1", "not canonical at byte 0" },
	{ "1\n", "not canonical at byte 1" },
	{ "[1, 2]", "not canonical at byte 3" },
	{ "[1 ]", "not canonical at byte 2" },
	{ "[\t]", "not canonical at byte 1" },
	{ "{\r}", "not canonical at byte 1" },
	{ "{ \"a\":1}", "not canonical at byte 1" },
	{ "{\"a\" :1}", "not canonical at byte 4" },
	{ "{\"b\":1,\"a\":2}", "not canonical at byte 2" },
	{ "[{\"a\":{\"c\":1,\"d\":1,\"b\":2},\"z\":[]}]",
	  "not canonical at byte 8" },
	{ "{\"aa\":1,\"a\":2}", "not canonical at byte 3" },
	{ "{\"a!\":1,\"a\":2}", "not canonical at byte 3" },
	{ "{\"\\/\":1}", "not canonical at byte 2" },
	{ "{\"\\\\\":1,\"Z\":2}", "not canonical at byte 2" },
	{ "\"\\u0041\"", "not canonical at byte 1" },
	{ "\"\\/\"", "not canonical at byte 1" },
	{ "\"\\u000a\"", "not canonical at byte 2" },
	{ "\"\\u001F\"", "not canonical at byte 6" },
	{ "\"\\u000B\"", "not canonical at byte 6" },
	{ "\"\\u0022\"", "not canonical at byte 2" },
	{ "\"\\u0020\"", "not canonical at byte 1" },
	{ "\"\\u007f\"", "not canonical at byte 1" },
	{ "\"\\ud83d\\ude00\"", "not canonical at byte 1" },
	{ "{\"\\ufffd\":1,\"\\ud83d\\ude00\":2}", "not canonical at byte 2" },
	{ "1.0", "fraction or exponent at byte 1" },
};

static void test_canonical_refuses_other_spellings(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(not_canonical); i++)
		check_refused(not_canonical[i].text,
			      strlen(not_canonical[i].text),
			      KB_JSON_CANONICAL, not_canonical[i].why);
}

static void test_build_then_print(void)
{
	kb_auto(json) struct kb_json *o = kb_json_object();
	struct kb_json *list = kb_json_array();

	kb_json_append(list, kb_json_int(-KB_JSON_INT_MAX));
	kb_json_append(list, kb_json_bool(false));
	kb_json_append(list, kb_json_null());
	kb_json_append(list, kb_json_object());
	kb_json_set(o, "list", list);
	kb_json_set_int(o, "count", 3);
	kb_json_set_bool(o, "dirty", true);
	kb_json_set_string(o, "name", "h\xc3\xa9\n");
	kb_json_set_string(o, "commit", NULL);

	check_printed(o, "{\"commit\":null,\"count\":3,\"dirty\":true,"
		      "\"list\":[-9007199254740991,false,null,{}],"
		      "\"name\":\"h\xc3\xa9\\n\"}");
}

static const struct {
	const char *a, *b;		/* NULL: no value */
	bool equal;
} equals[] = {
	{ NULL, NULL, true },
	{ NULL, "null", false },
	{ "null", NULL, false },
	{ "{}", "{}", true },
	{ "{}", "[]", false },
	{ "{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", true },
	{ "{\"a\":1}", "{\"a\":1,\"b\":null}", false },
	{ "[1,2]", "[2,1]", false },
	{ "\"a\"", "\"\\u0061\"", true },
	{ "1", "\"1\"", false },
};

static void test_equal_is_of_values_not_spellings(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(equals); i++) {
		const char *a = equals[i].a, *b = equals[i].b;
		kb_auto(json) struct kb_json *x = a ? parse_ours(a) : NULL;
		kb_auto(json) struct kb_json *y = b ? parse_ours(b) : NULL;

		check_int(kb_json_equal(x, y), equals[i].equal);
	}
}

static void test_copy_is_a_root_of_its_own(void)
{
	kb_auto(json) struct kb_json *o = parse_ours("{\"a\":[1,{\"b\":2}]}");
	struct kb_json *copy = kb_json_copy(kb_json_find(o, "a"));

	check(kb_json_key(copy) == NULL);
	kb_json_append(copy, kb_json_int(3));
	kb_json_set(o, "copy", copy);
	check_printed(o, "{\"a\":[1,{\"b\":2}],\"copy\":[1,{\"b\":2},3]}");
}

static void test_look_in_input_order(void)
{
	kb_auto(json) struct kb_json *o =
		parse_ours("{\"b\":\"x\",\"a\":-7,\"A\":true}");
	const struct kb_json *v = kb_json_first(o);

	check_int(kb_json_count(o), 3);
	check_str(kb_json_key(v), "b");
	check_str(kb_json_string_value(v), "x");
	v = kb_json_next(v);
	check_str(kb_json_key(v), "a");
	check_int(kb_json_int_value(v), -7);
	v = kb_json_next(v);
	check_str(kb_json_key(v), "A");
	check(kb_json_bool_value(v));
	check(kb_json_next(v) == NULL);
}

static void test_find_minds_case(void)
{
	kb_auto(json) struct kb_json *o = parse_ours("{\"a\":1}");

	check(kb_json_find(o, "a") == kb_json_first(o));
	check(kb_json_find(o, "A") == NULL);
	check(kb_json_find(o, "") == NULL);
	check(kb_json_find(kb_json_first(o), "a") == NULL);
	check_int(kb_json_count(kb_json_first(o)), 0);
}

static void test_every_type_has_a_name(void)
{
	for (int type = KB_JSON_NULL; type <= KB_JSON_OBJECT; type++)
		check(*kb_json_type_name((enum kb_json_type)type));
	check_str(kb_json_type_name(KB_JSON_INT), "an integer");
}

TAP_MAIN(TAP(test_both_dialects_refuse),
	 TAP(test_each_dialect_says_what_it_wants),
	 TAP(test_only_foreign_takes_fractions),
	 TAP(test_foreign_numbers_stay_finite),
	 TAP(test_number_type_goes_by_value), TAP(test_locale_does_not_matter),
	 TAP(test_depth_is_limited), TAP(test_many_keys_do_not_take_forever),
	 TAP(test_same_key_in_different_objects_is_fine),
	 TAP(test_print_is_canonical),
	 TAP(test_canonical_refuses_other_spellings),
	 TAP(test_build_then_print), TAP(test_equal_is_of_values_not_spellings),
	 TAP(test_copy_is_a_root_of_its_own), TAP(test_look_in_input_order),
	 TAP(test_find_minds_case), TAP(test_every_type_has_a_name));
