#include "manifest/seeds.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "lib/records.h"
#include "lib/tap.h"
#include "manifest/fields.h"

#define RANGE "an integer from 0 to 9007199254740991"
#define SIXTEEN "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15"

static const struct {
	const char *list;
	size_t count;
	int64_t last;
} lists[] = {
	{ "0", 1, 0 },
	{ "42", 1, 42 },
	{ "9007199254740991", 1, 9007199254740991 },
	{ "42,0", 2, 0 },
	{ "42,123,456,789,1337", 5, 1337 },
	{ SIXTEEN, 16, 15 },
};

static void test_a_list_is_read_and_said_again(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(lists); i++) {
		kb_auto(mem) char *again = NULL;
		struct kb_err err = KB_ERR_INIT;
		struct kb_seeds seeds;

		check_int(kb_seeds_parse(&seeds, lists[i].list, &err), 0);
		check_str(err.msg, "");
		check_int(seeds.count, lists[i].count);
		check_int(seeds.items[seeds.count - 1], lists[i].last);
		again = kb_seeds_format(&seeds);
		check_str(again, lists[i].list);
	}
}

static void test_no_list_is_said_with_nothing(void)
{
	const struct kb_seeds none = { .count = 0 };
	kb_auto(mem) char *text = kb_seeds_format(&none);

	check_str(text, "");
}

static const struct {
	const char *list, *why;
} refused[] = {
	{ "", "seeds '': '' is no seed, " RANGE },
	{ ",", "seeds ',': '' is no seed, " RANGE },
	{ "42,", "seeds '42,': '' is no seed, " RANGE },
	{ ",42", "seeds ',42': '' is no seed, " RANGE },
	{ "1,,2", "seeds '1,,2': '' is no seed, " RANGE },
	{ "x", "seeds 'x': 'x' is no seed, " RANGE },
	{ "-1", "seeds '-1': '-1' is no seed, " RANGE },
	{ "+1", "seeds '+1': '+1' is no seed, " RANGE },
	{ "01", "seeds '01': '01' is no seed, " RANGE },
	{ "00", "seeds '00': '00' is no seed, " RANGE },
	{ " 1", "seeds ' 1': ' 1' is no seed, " RANGE },
	{ "1 ", "seeds '1 ': '1 ' is no seed, " RANGE },
	{ "1.0", "seeds '1.0': '1.0' is no seed, " RANGE },
	{ "1;2", "seeds '1;2': '1;2' is no seed, " RANGE },
	{ "\n", "seeds '?': '?' is no seed, " RANGE },
	{ "9007199254740992",
	  "seeds '9007199254740992': '9007199254740992' is no seed, " RANGE },
	{ "99999999999999999999",
	  "seeds '99999999999999999999': '99999999999999999999' is no seed, "
	  RANGE },
	{ "7,7", "seeds '7,7': 7 is there twice" },
	{ "7,8,7", "seeds '7,8,7': 7 is there twice" },
	{ SIXTEEN ",16", "seeds '" SIXTEEN ",16': there are more than 16" },
};

static void test_what_is_no_list_is_refused(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(refused); i++) {
		struct kb_err err = KB_ERR_INIT;
		struct kb_seeds seeds;

		check_int(kb_seeds_parse(&seeds, refused[i].list, &err),
			  -KB_ERR_INPUT);
		check_str(err.msg, refused[i].why);
		check_int(seeds.count, 0);
	}
}

static int read_member(struct kb_seeds *seeds, const char *text,
		       struct kb_err *err)
{
	kb_auto(json) struct kb_json *object = record_parse(text);
	struct kb_fields f;

	kb_fields_begin(&f, object, "line", err);
	kb_seeds_read(seeds, &f, "seeds");
	return kb_fields_end(&f);
}

static const struct {
	const char *text;
	size_t count;
} members[] = {
	{ "{}", 0 },
	{ "{\"seeds\":[0]}", 1 },
	{ "{\"seeds\":[42,123,9007199254740991]}", 3 },
	{ "{\"seeds\":[" SIXTEEN "]}", 16 },
};

static void test_a_member_is_read_and_made_again(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(members); i++) {
		kb_auto(json) struct kb_json *again = kb_json_object();
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
		struct kb_err err = KB_ERR_INIT;
		struct kb_seeds seeds;

		check_int(read_member(&seeds, members[i].text, &err), 0);
		check_int(seeds.count, members[i].count);
		if (seeds.count)
			kb_json_set(again, "seeds", kb_seeds_to_json(&seeds));
		kb_json_print(&text, again);
		check_str(text.data, members[i].text);
	}
}

static const struct {
	const char *text, *why;
} bad_members[] = {
	{ "{\"seeds\":[]}", "line: 'seeds' is empty" },
	{ "{\"seeds\":[-1]}",
	  "line: 'seeds' has an element that is no seed" },
	{ "{\"seeds\":[1,\"2\"]}",
	  "line: 'seeds' has an element that is no seed" },
	{ "{\"seeds\":[null]}",
	  "line: 'seeds' has an element that is no seed" },
	{ "{\"seeds\":[7,8,7]}", "line: 'seeds' has 7 twice" },
	{ "{\"seeds\":[" SIXTEEN ",16]}",
	  "line: 'seeds' has more than 16 elements" },
};

static void test_a_member_that_is_no_list_is_refused(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(bad_members); i++) {
		struct kb_err err = KB_ERR_INIT;
		struct kb_seeds seeds;

		check_int(read_member(&seeds, bad_members[i].text, &err),
			  -KB_ERR_INPUT);
		check_str(err.msg, bad_members[i].why);
	}
}

TAP_MAIN(
	TAP(test_no_list_is_said_with_nothing),
	TAP(test_a_list_is_read_and_said_again),
	TAP(test_what_is_no_list_is_refused),
	TAP(test_a_member_is_read_and_made_again),
	TAP(test_a_member_that_is_no_list_is_refused),
);
