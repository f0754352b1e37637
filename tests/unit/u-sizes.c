#include "manifest/sizes.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "lib/tap.h"
#include "manifest/record.h"

static void test_a_file_is_put_in_the_order_of_a_record(void)
{
	static const char text[] =
		"{\"2/1\": {\"n\": 3},\n \"1/2\": {\"b\": 2147483648, \"a\": 1}}";
	static const char want[] = "1/2 a 1|1/2 b 2147483648|2/1 n 3|";
	kb_auto(sizes) struct kb_sizes s = KB_SIZES_INIT;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;

	check_int(kb_sizes_parse(&s, text, strlen(text), "f", &err), 0);
	check_str(err.msg, "");
	for (size_t i = 0; i < s.count; i++) {
		char key[KB_KEY_SIZE];

		check(s.items[i].before == KB_UNKNOWN);
		kb_key_format(key, s.items[i].key);
		kb_buf_addf(&out, "%s %s %" PRId64 "|", key,
			    s.items[i].constant, s.items[i].after);
	}
	check_str(out.data, want);
}

static const struct {
	const char *text;
	const char *why;
} refused[] = {
	{ "[]", "f: is an array, want an object" },
	{ "{}", "f: names no problem" },
	{ "{\"1/1\": 5}", "f: 1/1: is an integer, want an object" },
	{ "{\"1/1\": {}}", "f: 1/1: names no constant" },
	{ "{\"1/01\": {\"n\": 5}}",
	  "f: problem '1/01' is not of the form '1/19'" },
	{ "{\"1/1\": {\"n\": 0}}", "f: 1/1: 'n' is 0, want 1 to 2147483648" },
	{ "{\"1/1\": {\"n\": -5}}", "f: 1/1: 'n' is -5, want 1 to 2147483648" },
	{ "{\"1/1\": {\"n\": 2147483649}}",
	  "f: 1/1: 'n' is 2147483649, want 1 to 2147483648" },
	{ "{\"1/1\": {\"n\": \"5\"}}",
	  "f: 1/1: 'n' is a string, want an integer" },
	{ "{\"1/1\": {\"n\": [5]}}",
	  "f: 1/1: 'n' is an array, want an integer" },
	{ "{\"1/1\": {\"n.m\": 5}}", "f: 1/1: 'n.m' is not a name for a constant" },
	{ "{\"1/1\": {\"\": 5}}", "f: 1/1: '' is not a name for a constant" },
};

static void test_what_is_no_file_of_sizes_is_refused(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(refused); i++) {
		struct kb_err err = KB_ERR_INIT;
		struct kb_sizes s;

		check_int(kb_sizes_parse(&s, refused[i].text,
					 strlen(refused[i].text), "f", &err),
			  -KB_ERR_INPUT);
		check_str(err.msg, refused[i].why);
	}
}

/* Fractions and what stands twice are no JSON of ours. */
static void test_no_constant_has_two_sizes_and_none_a_fraction(void)
{
	static const char *const texts[] = {
		"{\"1/1\": {\"n\": 5, \"n\": 6}}",
		"{\"1/1\": {\"n\": 5}, \"1/1\": {\"m\": 5}}",
		"{\"1/1\": {\"n\": 0.5}}", "{\"1/1\": {\"n\": 5}", "",
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(texts); i++) {
		struct kb_sizes s;

		check_int(kb_sizes_parse(&s, texts[i], strlen(texts[i]), "f",
					 NULL), -KB_ERR_INPUT);
	}
}

static int apply(struct kb_buf *file, int64_t before_n, int64_t after_n,
		 struct kb_size sizes[2], struct kb_err *err)
{
	static char m[] = "m", n[] = "n";

	sizes[0] = (struct kb_size){ .constant = m, .before = KB_UNKNOWN,
				     .after = 1000 };
	sizes[1] = (struct kb_size){ .constant = n, .before = before_n,
				     .after = after_n };
	kb_buf_clear(file);
	kb_buf_addstr(file, "n = 5\nm = 7\n");
	return kb_sizes_apply(file, sizes, 2, err);
}

static void test_sizes_are_set_where_they_were_what_is_said(void)
{
	kb_auto(buf) struct kb_buf file = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	struct kb_size sizes[2];

	check_int(apply(&file, KB_UNKNOWN, 6, sizes, &err), 0);
	check_str(file.data, "n = 6\nm = 1000\n");
	check_int(sizes[0].before, 7);
	check_int(sizes[1].before, 5);
	check_int(apply(&file, 5, 6, sizes, &err), 0);
	check_int(apply(&file, 4, 6, sizes, &err), -KB_ERR_INPUT);
	check_str(err.msg, "'n' is 5, want 4");
}

/* A file of sizes may name what stays as it is. */
static void test_what_is_not_changed_can_be_dropped(void)
{
	static const char text[] = "{\"1/1\": {\"m\": 7, \"n\": 6}}";
	kb_auto(sizes) struct kb_sizes s = KB_SIZES_INIT;
	kb_auto(buf) struct kb_buf file = KB_BUF_INIT;

	check_int(kb_sizes_parse(&s, text, strlen(text), "f", NULL), 0);
	kb_buf_addstr(&file, "n = 5\nm = 7\n");
	check_int(kb_sizes_apply(&file, s.items, s.count, NULL), 0);
	check_str(file.data, "n = 6\nm = 7\n");
	kb_sizes_drop_unchanged(&s);
	check_int((intmax_t)s.count, 1);
	check_str(s.items[0].constant, "n");
}

static void test_the_sizes_of_a_problem_can_be_dropped(void)
{
	static const char text[] = "{\"1/1\": {\"a\": 1}, \"1/2\": {\"a\": 1, "
				   "\"b\": 2}, \"1/3\": {\"c\": 3}}";
	kb_auto(sizes) struct kb_sizes s = KB_SIZES_INIT;

	check_int(kb_sizes_parse(&s, text, strlen(text), "f", NULL), 0);
	kb_sizes_drop(&s, (struct kb_key){ 1, 2 });
	kb_sizes_drop(&s, (struct kb_key){ 2, 1 });
	check_int((intmax_t)s.count, 2);
	check_str(s.items[0].constant, "a");
	check_str(s.items[1].constant, "c");
}

static void test_the_sizes_of_a_problem_are_found(void)
{
	static const char text[] =
		"{\"1/1\": {\"a\": 1}, \"1/2\": {\"a\": 1, \"b\": 2}}";
	kb_auto(sizes) struct kb_sizes s = KB_SIZES_INIT;
	size_t count;

	check_int(kb_sizes_parse(&s, text, strlen(text), "f", NULL), 0);
	check(kb_sizes_find(&s, (struct kb_key){ 1, 2 }, &count) ==
	      &s.items[1]);
	check_int((intmax_t)count, 2);
	check(!kb_sizes_find(&s, (struct kb_key){ 2, 1 }, &count));
}

TAP_MAIN(
	TAP(test_a_file_is_put_in_the_order_of_a_record),
	TAP(test_what_is_no_file_of_sizes_is_refused),
	TAP(test_no_constant_has_two_sizes_and_none_a_fraction),
	TAP(test_sizes_are_set_where_they_were_what_is_said),
	TAP(test_what_is_not_changed_can_be_dropped),
	TAP(test_the_sizes_of_a_problem_can_be_dropped),
	TAP(test_the_sizes_of_a_problem_are_found),
);
