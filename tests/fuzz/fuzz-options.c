/*
 * Any bytes as a command line, a word to a line. Whatever is taken: the
 * operands are words of it, in order; values are within their bounds; and
 * the record of the values, given as options, makes the same record.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "cli/options.h"
#include "fuzz/must.h"
#include "json/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define WORDS_MAX 128

static struct {
	bool flag;
	const char *text;
	int64_t number;
	struct kb_option_list list;
} values;

static const struct kb_option options[] = {
	{ .name = "flag", .letter = 'f', .help = "x",
	  .type = KB_OPTION_FLAG, .value = &values.flag },
	{ .name = "text", .letter = 't', .arg = "TEXT", .help = "x",
	  .type = KB_OPTION_STRING, .value = &values.text },
	{ .name = "number", .letter = 'n', .arg = "N", .help = "x",
	  .type = KB_OPTION_INT, .value = &values.number,
	  .min = -1000, .max = INT64_MAX },
	{ .name = "list", .letter = 'l', .arg = "ITEM", .help = "x",
	  .type = KB_OPTION_LIST, .value = &values.list },
	KB_OPTION_END
};

static void set_defaults(void)
{
	values.flag = false;
	values.text = NULL;
	values.number = 7;
	values.list.count = 0;
}

static int split(char *text, char *words[WORDS_MAX])
{
	int count = 0;
	char *save = NULL;

	for (char *w = strtok_r(text, "\n", &save); w && count < WORDS_MAX;
	     w = strtok_r(NULL, "\n", &save))
		words[count++] = w;
	return count;
}

static void check_operands(char *const operands[], int operand_count,
			   char *const words[], int count)
{
	int at = 0;

	for (int i = 0; i < operand_count; i++, at++) {
		while (at < count && words[at] != operands[i])
			at++;
		must(at < count);
	}
}

static void print_record(struct kb_buf *out)
{
	kb_auto(json) struct kb_json *v = kb_options_to_json(options);

	kb_json_print(out, v);
}

/* The values as a command line. */
static int spell(char *argv[WORDS_MAX])
{
	int n = 0;

	if (values.flag)
		argv[n++] = kb_xstrdup("-f");
	if (values.text)
		argv[n++] = kb_xasprintf("--text=%s", values.text);
	argv[n++] = kb_xasprintf("--number=%lld", (long long)values.number);
	for (int i = 0; i < values.list.count; i++)
		argv[n++] = kb_xasprintf("--list=%s", values.list.items[i]);
	return n;
}

static void check_again(void)
{
	kb_auto(buf) struct kb_buf before = KB_BUF_INIT;
	kb_auto(buf) struct kb_buf after = KB_BUF_INIT;
	char *argv[WORDS_MAX], *all[WORDS_MAX];
	int count = spell(argv);

	print_record(&before);
	memcpy(all, argv, sizeof(all[0]) * (size_t)count);
	set_defaults();
	must(kb_options_parse(options, count, argv, NULL) == 0);
	print_record(&after);
	must(!strcmp(before.data, after.data));
	for (int i = 0; i < count; i++)
		free(all[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	kb_auto(mem) char *text = kb_xmalloc(size + 1);
	char *words[WORDS_MAX], *argv[WORDS_MAX];
	struct kb_err err = KB_ERR_INIT;
	int count, ret;

	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	count = split(text, words);
	memcpy(argv, words, sizeof(words[0]) * (size_t)count);

	set_defaults();
	ret = kb_options_parse(options, count, argv, &err);
	must((ret >= 0) == (err.kind == 0));
	if (ret < 0) {
		must(ret == -KB_ERR_USAGE && err.msg[0]);
		return 0;
	}
	must(ret <= count);
	must(values.number >= -1000);
	must(values.list.count <= KB_OPTION_LIST_MAX);
	check_operands(argv, ret, words, count);
	check_again();
	return 0;
}
