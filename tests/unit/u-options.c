#include "cli/operands.h"
#include "cli/options.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "lib/tap.h"

static bool flag;
static const char *text;
static int64_t number;
static struct kb_option_list list;
static const char *place;

static const struct kb_option options[] = {
	{ .name = "flag", .letter = 'f', .help = "say yes",
	  .type = KB_OPTION_FLAG, .value = &flag },
	{ .name = "text", .letter = 't', .arg = "TEXT", .help = "say this",
	  .type = KB_OPTION_STRING, .value = &text },
	{ .name = "number", .arg = "N", .help = "so many",
	  .type = KB_OPTION_INT, .value = &number, .min = -5, .max = 100 },
	{ .name = "list", .letter = 'l', .arg = "ITEM", .help = "one more",
	  .type = KB_OPTION_LIST, .value = &list },
	{ .name = "place", .arg = "DIR", .help = "it is here",
	  .type = KB_OPTION_STRING, .value = &place, .is_place = true },
	KB_OPTION_END
};

#define ARGS_MAX 8

/* Parse words from the defaults; operands end up in `argv`. */
static int parse(const char *const words[], char *argv[ARGS_MAX],
		 struct kb_err *err)
{
	int argc = 0;

	flag = false;
	text = NULL;
	number = 7;
	list.count = 0;
	place = NULL;
	while (words[argc]) {
		argv[argc] = (char *)(uintptr_t)words[argc];
		argc++;
	}
	return kb_options_parse(options, argc, argv, err);
}

static void test_words_become_values(void)
{
	static const struct {
		const char *words[ARGS_MAX];
		int operands;
		bool flag;
		const char *text;
		int64_t number;
		int items;
	} cases[] = {
		{ { NULL }, 0, false, NULL, 7, 0 },
		{ { "--flag" }, 0, true, NULL, 7, 0 },
		{ { "-f", "a", "b" }, 2, true, NULL, 7, 0 },
		{ { "a", "--text", "x", "b" }, 2, false, "x", 7, 0 },
		{ { "--text=x" }, 0, false, "x", 7, 0 },
		{ { "--text=" }, 0, false, "", 7, 0 },
		{ { "--text=a=b" }, 0, false, "a=b", 7, 0 },
		{ { "-tx" }, 0, false, "x", 7, 0 },
		{ { "-t", "-f" }, 0, false, "-f", 7, 0 },
		{ { "-t", "--" }, 0, false, "--", 7, 0 },
		{ { "-t=x" }, 0, false, "=x", 7, 0 },
		{ { "--text", "caf\xc3\xa9" }, 0, false, "caf\xc3\xa9", 7,
		  0 },
		{ { "--number", "-5" }, 0, false, NULL, -5, 0 },
		{ { "--number=100" }, 0, false, NULL, 100, 0 },
		{ { "--number=007" }, 0, false, NULL, 7, 0 },
		{ { "-la", "--list", "b", "--list=c" }, 0, false, NULL, 7,
		  3 },
		{ { "--", "-f", "--text" }, 2, false, NULL, 7, 0 },
		{ { "-f", "a", "--", "--", "b" }, 3, true, NULL, 7, 0 },
		{ { "-" }, 1, false, NULL, 7, 0 },
		{ { "" }, 1, false, NULL, 7, 0 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_err err = KB_ERR_INIT;
		char *argv[ARGS_MAX];

		check_int(parse(cases[i].words, argv, &err),
			  cases[i].operands);
		check_str(err.msg, "");
		check_int(flag, cases[i].flag);
		check_str(text ? text : "(none)",
			  cases[i].text ? cases[i].text : "(none)");
		check_int(number, cases[i].number);
		check_int(list.count, cases[i].items);
	}
}

static void test_operands_move_to_the_front_in_order(void)
{
	static const char *const words[] = {
		"one", "-f", "two", "--number", "3", "three", "--", "-four",
		NULL,
	};
	char *argv[KB_ARRAY_LEN(words)];

	check_int(parse(words, argv, NULL), 4);
	check_str(argv[0], "one");
	check_str(argv[1], "two");
	check_str(argv[2], "three");
	check_str(argv[3], "-four");
}

static void test_list_keeps_its_order(void)
{
	static const char *const words[] = { "-lb", "-la", "-lb", NULL };
	char *argv[ARGS_MAX];

	check_int(parse(words, argv, NULL), 0);
	check_int(list.count, 3);
	check_str(list.items[0], "b");
	check_str(list.items[1], "a");
	check_str(list.items[2], "b");
}

static void test_what_is_wrong_is_said(void)
{
#define NUMBER(text) \
	"option '--number' needs an integer from -5 to 100, not '" text "'"
	static const struct {
		const char *words[ARGS_MAX];
		const char *message;
	} cases[] = {
		{ { "--nosuch" }, "unknown option '--nosuch'" },
		{ { "-x" }, "unknown option '-x'" },
		{ { "--fla" }, "unknown option '--fla'" },
		{ { "--flags" }, "unknown option '--flags'" },
		{ { "--nosuch=1" }, "unknown option '--nosuch=1'" },
		{ { "--=x" }, "unknown option '--=x'" },
		{ { "---flag" }, "unknown option '---flag'" },
		{ { "--flag=yes" }, "option '--flag' takes no value" },
		{ { "--flag=" }, "option '--flag' takes no value" },
		{ { "-fx" }, "option '--flag' takes no value" },
		{ { "-f", "--flag" }, "option '--flag' is given twice" },
		{ { "-ta", "--text=a" }, "option '--text' is given twice" },
		{ { "--text" }, "option '--text' needs a value: TEXT" },
		{ { "a", "-l" }, "option '--list' needs a value: ITEM" },
		{ { "-t", "\xff" }, "option '--text' needs UTF-8" },
		{ { "-l\xed\xa0\x80" }, "option '--list' needs UTF-8" },
		{ { "--number", "" }, NUMBER("") },
		{ { "--number=x" }, NUMBER("x") },
		{ { "--number=1x" }, NUMBER("1x") },
		{ { "--number=1 " }, NUMBER("1 ") },
		{ { "--number= 1" }, NUMBER(" 1") },
		{ { "--number=\t1" }, NUMBER("\t1") },
		{ { "--number=\n1" }, NUMBER("\n1") },
		{ { "--number=+1" }, NUMBER("+1") },
		{ { "--number=0x1" }, NUMBER("0x1") },
		{ { "--number=1.0" }, NUMBER("1.0") },
		{ { "--number=--1" }, NUMBER("--1") },
		{ { "--number=-6" }, NUMBER("-6") },
		{ { "--number=101" }, NUMBER("101") },
		{ { "--number=99999999999999999999" },
		  NUMBER("99999999999999999999") },
		{ { "--number=-99999999999999999999" },
		  NUMBER("-99999999999999999999") },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_err err = KB_ERR_INIT;
		char *argv[ARGS_MAX];

		check_int(parse(cases[i].words, argv, &err), -KB_ERR_USAGE);
		check_str(err.msg, cases[i].message);
	}
}

static void test_lists_have_an_end(void)
{
	char item[] = "-lx", *argv[KB_OPTION_LIST_MAX + 1];
	struct kb_err err = KB_ERR_INIT;

	for (size_t i = 0; i < KB_ARRAY_LEN(argv); i++)
		argv[i] = item;
	list.count = 0;
	check_int(kb_options_parse(options, KB_OPTION_LIST_MAX, argv, &err),
		  0);
	check_int(list.count, KB_OPTION_LIST_MAX);
	list.count = 0;
	check_int(kb_options_parse(options, KB_OPTION_LIST_MAX + 1, argv,
				   &err), -KB_ERR_USAGE);
	check_str(err.msg, "option '--list' is given more than 64 times");
}

static void check_help(const char *verb, const struct kb_option *of,
		       const char *want)
{
	char *help = NULL;
	size_t len;
	FILE *out = open_memstream(&help, &len);

	kb_options_print_help(out, verb, of);
	check_int(fclose(out), 0);
	check_str(help, want);
	free(help);
}

static void test_help_is_the_table(void)
{
	number = 7;
	text = "this";
	place = NULL;
	check_help(NULL, options,
		   "\nOptions:\n"
		   "  -f, --flag                   say yes\n"
		   "  -t, --text TEXT              say this (default: this)\n"
		   "      --number N               so many (default: 7)\n"
		   "  -l, --list ITEM              one more\n"
		   "      --place DIR              it is here\n");
}

static void test_help_is_sorted_by_groups(void)
{
	static int64_t none = INT64_MIN, few = 3;
	static const char *here = "somewhere that is quite far";
	static const struct kb_option sorted[] = {
		{ .name = "few", .arg = "N", .help = "at most",
		  .type = KB_OPTION_INT, .value = &few, .max = 9,
		  .group = KB_OPTION_OUTPUT },
		{ .name = "none", .arg = "N", .help = "at least",
		  .type = KB_OPTION_INT, .value = &none, .max = 9,
		  .otherwise = "half", .group = KB_OPTION_LIMITS },
		{ .name = "here", .arg = "DIR",
		  .help = "a phrase that leaves too little room",
		  .type = KB_OPTION_STRING, .value = &here,
		  .group = KB_OPTION_LIMITS },
		{ .name = "reaches-into-phrases", .arg = "WHOSE",
		  .help = "a phrase that is so long that its last words are "
			  "on a line below", .type = KB_OPTION_FLAG,
		  .value = &flag, .group = KB_OPTION_OUTPUT },
		{ .name = "unset", .arg = "N", .help = "nothing is said",
		  .type = KB_OPTION_INT, .value = &none, .max = 9 },
		KB_OPTION_END
	};

	check_help("pack", sorted,
		   "\npack options:\n"
		   "      --unset N                nothing is said\n"
		   "\npack limits:\n"
		   "      --none N                 at least (default: half)\n"
		   "      --here DIR               a phrase that leaves too little room\n"
		   "                               (default: somewhere that is quite far)\n"
		   "\npack output:\n"
		   "      --few N                  at most (default: 3)\n"
		   "      --reaches-into-phrases WHOSE\n"
		   "                               a phrase that is so long that its last words are\n"
		   "                               on a line below\n");
}

static void test_record_has_every_effective_value_but_places(void)
{
	static const struct {
		const char *words[ARGS_MAX];
		const char *want;
	} cases[] = {
		{ { NULL },
		  "{\"flag\":\"false\",\"list\":\"\",\"number\":\"7\"}" },
		{ { "-f", "-t", "a b", "-l1", "-l2", "--number=-3",
		    "--place=p" },
		  "{\"flag\":\"true\",\"list\":\"1,2\",\"number\":\"-3\","
		  "\"text\":\"a b\"}" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(buf) struct kb_buf got = KB_BUF_INIT;
		kb_auto(json) struct kb_json *v = NULL;
		char *argv[ARGS_MAX];

		check_int(parse(cases[i].words, argv, NULL), 0);
		v = kb_options_to_json(options);
		kb_json_print(&got, v);
		check_str(got.data, cases[i].want);
	}
}

static void test_operands_are_counted_by_the_usage(void)
{
	static const struct {
		const char *usage;
		int argc;
		const char *want;
	} cases[] = {
		{ "", 0, "" },
		{ "", 1, "unexpected operand 'a'" },
		{ "SUITE", 0, "no SUITE given" },
		{ "SUITE", 1, "" },
		{ "SUITE", 2, "unexpected operand 'b'" },
		{ "SUITE SUBMISSION", 0, "no SUITE given" },
		{ "SUITE SUBMISSION", 1, "no SUBMISSION given after 'a'" },
		{ "SUITE SUBMISSION", 2, "" },
		{ "SUITE SUBMISSION", 3, "unexpected operand 'c'" },
		{ "DIR|FILE...", 0, "no DIR or FILE given" },
		{ "DIR|FILE...", 3, "" },
		{ "FORMAT BUNDLE...", 1, "no BUNDLE given after 'a'" },
		{ "[NAME] [BUNDLE]", 0, "" },
		{ "[NAME] [BUNDLE]", 2, "" },
		{ "[NAME] [BUNDLE]", 3, "unexpected operand 'c'" },
		{ "THING [-- OPTION...]", 0, "no THING given" },
		{ "THING [-- OPTION...]", 1, "" },
		{ "THING [-- OPTION...]", 3, "" },
	};
	char a[] = "a", b[] = "b", c[] = "c";
	char *const argv[] = { a, b, c };

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_err err = KB_ERR_INIT;

		check_int(kb_operands_check(cases[i].usage, cases[i].argc,
					    argv, &err),
			  *cases[i].want ? -KB_ERR_USAGE : 0);
		check_str(err.msg, cases[i].want);
	}
}

static void test_words_of_a_help(void)
{
	static const struct {
		const char *help, *want;
	} cases[] = {
		{ "how close: paper, v3, precise", "paper v3 precise " },
		{ "by which clock: call or device", "call device " },
		{ "on a GPU: what: on, off or so", "on off so " },
		{ "of another: kernelbench", "kernelbench " },
		{ "what is said", "" },
		{ "", "" },
		{ "nothing: ", "" },
		{ "these: 1/19,2/76", "" },
		{ "who: 'Family, Given' or a group", "" },
		{ "a sentence: off, or all that there is", "" },
		{ "half: on, ", "" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		const struct kb_option o = { .name = "o", .arg = "WHICH",
					     .help = cases[i].help };
		kb_auto(buf) struct kb_buf got = KB_BUF_INIT;
		char *word;

		kb_buf_addstr(&got, "");
		for (size_t n = 0; (word = kb_option_word(&o, n)); n++) {
			kb_buf_addf(&got, "%s ", word);
			free(word);
		}
		check_str(got.data, cases[i].want);
	}
}

TAP_MAIN(
	TAP(test_words_become_values),
	TAP(test_operands_move_to_the_front_in_order),
	TAP(test_list_keeps_its_order),
	TAP(test_what_is_wrong_is_said),
	TAP(test_lists_have_an_end),
	TAP(test_operands_are_counted_by_the_usage),
	TAP(test_help_is_the_table),
	TAP(test_words_of_a_help),
	TAP(test_help_is_sorted_by_groups),
	TAP(test_record_has_every_effective_value_but_places),
);
