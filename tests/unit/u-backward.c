#include "manifest/backward.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "lib/tap.h"

static int parse(struct kb_backward *b, const char *text, struct kb_err *err)
{
	return kb_backward_parse(b, text, strlen(text), "f", err);
}

static void test_a_file_is_put_in_the_order_of_a_record(void)
{
	kb_auto(backward) struct kb_backward b = KB_BACKWARD_INIT;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;

	check_int(parse(&b, "{\"2/1\": \"c\",\n \"1/10\": \"b\", \"1/2\": \"a\"}",
			&err), 0);
	check_str(err.msg, "");
	check(b.is_set);
	for (size_t i = 0; i < b.count; i++) {
		char key[KB_KEY_SIZE];

		kb_key_format(key, b.left_out[i].key);
		kb_buf_addf(&out, "%s %s|", key, b.left_out[i].reason);
	}
	check_str(out.data, "1/2 a|1/10 b|2/1 c|");
}

static void test_a_file_may_leave_out_nothing(void)
{
	kb_auto(backward) struct kb_backward b = KB_BACKWARD_INIT;

	check_int(parse(&b, "{}", NULL), 0);
	check(b.is_set);
	check_int((intmax_t)b.count, 0);
}

static const struct {
	const char *text;
	const char *why;
} refused[] = {
	{ "[]", "f: is an array, want an object" },
	{ "{\"1/1\": 5}", "f: '1/1' is an integer, want a string" },
	{ "{\"1/1\": null}", "f: '1/1' is null, want a string" },
	{ "{\"1/1\": \"\"}",
	  "f: '1/1' has no line of 1 to 256 bytes for a reason" },
	{ "{\"1/1\": \"a\\nb\"}",
	  "f: '1/1' has no line of 1 to 256 bytes for a reason" },
	{ "{\"1/1\": \"\\u007f\"}",
	  "f: '1/1' has no line of 1 to 256 bytes for a reason" },
	{ "{\"1/01\": \"a\"}", "f: problem '1/01' is not of the form '1/19'" },
	{ "{\"1/1\": \"a\", \"1/1\": \"b\"}",
	  "cannot parse 'f': key at byte 13 repeats the one at byte 1" },
	{ "", "cannot parse 'f': ends too soon at byte 0" },
};

static void test_what_leaves_out_nothing_that_is_told_is_refused(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(refused); i++) {
		struct kb_err err = KB_ERR_INIT;
		struct kb_backward b;

		check_int(parse(&b, refused[i].text, &err), -KB_ERR_INPUT);
		check_str(err.msg, refused[i].why);
		check_int((intmax_t)b.count, 0);
	}
}

static void test_a_reason_has_a_greatest_length(void)
{
	static const char head[] = "{\"1/1\": \"", tail[] = "\"}";

	for (size_t len = KB_REASON_BYTES_MAX; len <= KB_REASON_BYTES_MAX + 1;
	     len++) {
		kb_auto(backward) struct kb_backward b = KB_BACKWARD_INIT;
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

		kb_buf_addstr(&text, head);
		for (size_t i = 0; i < len; i++)
			kb_buf_addch(&text, 'x');
		kb_buf_addstr(&text, tail);
		check_int(parse(&b, text.data, NULL),
			  len > KB_REASON_BYTES_MAX ? -KB_ERR_INPUT : 0);
	}
}

static void test_a_problem_that_is_left_out_is_found(void)
{
	static const int order[] = { 7, 3, 5 };
	kb_auto(backward) struct kb_backward b = KB_BACKWARD_INIT;

	for (size_t i = 0; i < KB_ARRAY_LEN(order); i++)
		kb_backward_leave_out(&b, (struct kb_key){ 1, order[i] }, "x");
	for (int id = 1; id <= 8; id++) {
		const bool want = id == 3 || id == 5 || id == 7;

		check(!!kb_backward_find(&b, (struct kb_key){ 1, id }) == want);
	}
}

static void append(const char *before, int rule)
{
	const struct kb_backward b = { .rule = (enum kb_backward_rule)rule };
	kb_auto(mem) char *want = kb_xasprintf(
		"%s\n\n# Appended by kb-pack(1), \"%s\": ", before,
		kb_backward_rules[rule]);
	kb_auto(buf) struct kb_buf file = KB_BUF_INIT;

	kb_buf_addstr(&file, before);
	kb_backward_append(&b, &file);
	check(!strncmp(file.data, want, strlen(want)));
	check(file.data[file.len - 1] == '\n');
}

/* What a file ends in, a line or the middle of one, makes no difference. */
static void test_the_text_stands_behind_the_file(void)
{
	static const char *const files[] = { "", "n = 5", "n = 5\n", "# n" };

	for (size_t i = 0; i < KB_ARRAY_LEN(files); i++)
		for (int rule = 0; rule < KB_BACKWARD_RULE_COUNT; rule++)
			append(files[i], rule);
}

TAP_MAIN(
	TAP(test_a_file_is_put_in_the_order_of_a_record),
	TAP(test_a_file_may_leave_out_nothing),
	TAP(test_what_leaves_out_nothing_that_is_told_is_refused),
	TAP(test_a_reason_has_a_greatest_length),
	TAP(test_a_problem_that_is_left_out_is_found),
	TAP(test_the_text_stands_behind_the_file),
);
