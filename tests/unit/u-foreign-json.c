#include "export/foreign_json.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "lib/tap.h"
#include "manifest/score.h"

static void test_doubles_have_their_shortest_spelling(void)
{
	static const struct {
		double value;
		const char *text;
	} cases[] = {
		{ 0, "0.0" }, { -0.0, "-0.0" }, { 1, "1.0" }, { -1, "-1.0" },
		{ 0.1, "0.1" }, { 1.234567, "1.234567" }, { 1e-7, "1e-07" },
		{ 100000, "1e+05" }, { 123456, "123456.0" },
		{ 1.0 / 3, "0.3333333333333333" },
		{ 0.1 + 0.2, "0.30000000000000004" },
		{ 5e-324, "5e-324" },
		{ 1.7976931348623157e308, "1.7976931348623157e+308" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

		kb_double_print(&out, cases[i].value);
		check_str(out.data, cases[i].text);
	}
}

/* Over all exponents, drawn by a fixed rule. */
static void test_doubles_read_back_as_they_were(void)
{
	uint64_t bits = 1;

	for (int i = 0; i < 20000; i++) {
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
		kb_auto(json) struct kb_json *v = NULL;
		double value;

		bits = bits * 6364136223846793005 + 1442695040888963407;
		memcpy(&value, &bits, sizeof(value));
		if (!isfinite(value))
			continue;
		kb_double_print(&out, value);
		check(strtod(out.data, NULL) == value);
		check_int(kb_json_parse(&v, out.data, out.len, KB_JSON_FOREIGN,
					"t", NULL), 0);
	}
}

static void test_foreign_json_is_laid_out_and_parses(void)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	kb_auto(json) struct kb_json *v = NULL;
	struct kb_foreign_json j = { .out = &out };

	kb_foreign_json_open(&j, NULL, '{');
	kb_foreign_json_close(&j, '}');
	check_str(out.data, "{}\n");

	kb_buf_clear(&out);
	j = (struct kb_foreign_json){ .out = &out };
	kb_foreign_json_open(&j, NULL, '{');
	kb_foreign_json_open(&j, "a", '[');
	kb_foreign_json_string(&j, NULL, "\"\n");
	kb_foreign_json_int(&j, NULL, -3);
	kb_foreign_json_close(&j, ']');
	kb_foreign_json_open(&j, "b", '[');
	kb_foreign_json_close(&j, ']');
	kb_foreign_json_bool(&j, "\\", true);
	kb_foreign_json_null(&j, "");
	kb_foreign_json_double(&j, "c", 0.5);
	kb_foreign_json_close(&j, '}');
	check_str(out.data,
		  "{\n"
		  "    \"a\": [\n"
		  "        \"\\\"\\n\",\n"
		  "        -3\n"
		  "    ],\n"
		  "    \"b\": [],\n"
		  "    \"\\\\\": true,\n"
		  "    \"\": null,\n"
		  "    \"c\": 0.5\n"
		  "}\n");
	check_int(kb_json_parse(&v, out.data, out.len, KB_JSON_FOREIGN, "t",
				NULL), 0);
}

static void test_shares_are_the_nearest_doubles(void)
{
	static const struct {
		const char *exact;
		int64_t ppm;
		const char *text;
	} cases[] = {
		{ "0/1", 0, "0.0\n" }, { "1/1", 1000000, "1.0\n" },
		{ "1/3", 333333, "0.3333333333333333\n" },
		/* More digits than a double has. */
		{ "1000000000000000000000000000000000000000/"
		  "3000000000000000000000000000000000000000", 333333,
		  "0.3333333333333333\n" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
		struct kb_foreign_json j = { .out = &out };
		struct kb_share share = {
			.exact = kb_xstrdup(cases[i].exact),
			.ppm = cases[i].ppm,
		};

		kb_foreign_json_share(&j, NULL, &share);
		kb_buf_addch(&out, '\n');
		check_str(out.data, cases[i].text);
		kb_share_release(&share);
	}
}

/* Two numbers of 6000 digits are infinite even to a long double. */
static void test_shares_beyond_any_double_have_their_millionths(void)
{
	kb_auto(buf) struct kb_buf exact = KB_BUF_INIT, out = KB_BUF_INIT;
	struct kb_foreign_json j = { .out = &out };
	struct kb_share share;

	for (int i = 0; i < 2 * 6000 + 1; i++)
		kb_buf_addch(&exact, i == 6000 ? '/' : '9');
	share = (struct kb_share){ .exact = exact.data, .ppm = 123456 };
	kb_foreign_json_share(&j, NULL, &share);
	check_str(out.data, "0.123456");
}

static void test_what_is_unknown_is_null(void)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	struct kb_foreign_json j = { .out = &out };

	kb_foreign_json_open(&j, NULL, '[');
	kb_foreign_json_scaled(&j, NULL, 1500000, 1e6);
	kb_foreign_json_scaled(&j, NULL, KB_UNKNOWN, 1e6);
	kb_foreign_json_close(&j, ']');
	check_str(out.data, "[\n    1.5,\n    null\n]\n");
}

TAP_MAIN(
	TAP(test_doubles_have_their_shortest_spelling),
	TAP(test_doubles_read_back_as_they_were),
	TAP(test_foreign_json_is_laid_out_and_parses),
	TAP(test_shares_are_the_nearest_doubles),
	TAP(test_shares_beyond_any_double_have_their_millionths),
	TAP(test_what_is_unknown_is_null),
);
