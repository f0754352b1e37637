/*
 * Any bytes as the lists of problems and levels: a line each. What is taken
 * is a sorted part of the suite, holds what the lists name, and selects
 * itself when it is spelt out.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "manifest/select.h"
#include "fuzz/must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct kb_problem problems[] = {
	{ .key = { 1, 1 } }, { .key = { 1, 2 } }, { .key = { 1, 19 } },
	{ .key = { 2, 1 } }, { .key = { 3, 50 } }, { .key = { 12, 1 } },
};
static char name[] = "s";

static const struct kb_suite suite = {
	.name = name,
	.problems = problems,
	.problem_count = KB_ARRAY_LEN(problems),
};

static void check_keys(const struct kb_key keys[], size_t count)
{
	must(count > 0 && count <= suite.problem_count);
	for (size_t i = 0; i < count; i++) {
		must(kb_suite_find(&suite, keys[i]));
		must(!i || kb_key_compare(keys[i - 1], keys[i]) < 0);
	}
}

static void spell(struct kb_buf *list, const struct kb_key keys[],
		  size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char text[KB_KEY_SIZE];

		kb_key_format(text, keys[i]);
		kb_buf_addf(list, "%s%s", i ? "," : "", text);
	}
}

/* The keys that a list names are all there; there are no others if it is
 * the only list. */
static void check_spelling(const struct kb_key keys[], size_t count,
			   const char *list)
{
	kb_auto(buf) struct kb_buf again = KB_BUF_INIT;
	kb_auto(mem) struct kb_key *same = NULL;
	size_t same_count = 0;

	spell(&again, keys, count);
	must(kb_select(&same, &same_count, &suite, again.data, NULL, NULL) ==
	     0);
	must(same_count == count);
	must(!memcmp(same, keys, count * sizeof(keys[0])));
	if (!list)
		return;
	for (size_t i = 0; i < count; i++) {
		char text[KB_KEY_SIZE];

		kb_key_format(text, keys[i]);
		must(strstr(list, text));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	kb_auto(mem) char *text = kb_xmalloc(size + 1);
	kb_auto(mem) struct kb_key *keys = NULL;
	struct kb_err err = KB_ERR_INIT;
	char *levels;
	size_t count = 0;
	int ret;

	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	levels = strchr(text, '\n');
	if (levels)
		*levels++ = '\0';

	ret = kb_select(&keys, &count, &suite, text, levels, &err);
	must((ret == 0) == (err.kind == 0));
	if (ret < 0) {
		must(ret == -KB_ERR_USAGE || ret == -KB_ERR_INPUT);
		must(!keys && err.msg[0]);
		return 0;
	}
	check_keys(keys, count);
	check_spelling(keys, count, text);
	return 0;
}
