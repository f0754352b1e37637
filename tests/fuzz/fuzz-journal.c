/*
 * Any bytes as a journal; the first line of the corpus' files is that of
 * the run asked for. What holds is a prefix of whole lines, and its lines
 * and the identity, written again, are that prefix. No fuzzer guesses check
 * sums, so the bytes are tried once more with those made right.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "fuzz/must.h"
#include "json/json.h"
#include "store/journal.h"
#include "store/digest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK_LEN 16	/* digits of a line's check */

/* By the documentation, not by the code. */
static void add_line(struct kb_buf *out, const struct kb_json *v)
{
	kb_auto(buf) struct kb_buf json = KB_BUF_INIT;
	char hex[KB_DIGEST_HEX_SIZE];
	struct kb_digest d;

	kb_json_print(&json, v);
	kb_digest_of(&d, json.data, json.len);
	kb_digest_format(&d, hex);
	kb_buf_add(out, hex, CHECK_LEN);
	kb_buf_addch(out, ' ');
	kb_buf_add(out, json.data, json.len);
	kb_buf_addch(out, '\n');
}

static size_t try_parse(const void *data, size_t size)
{
	kb_auto(json) struct kb_json *identity = kb_json_object();
	kb_auto(buf) struct kb_buf again = KB_BUF_INIT;
	struct kb_json **lines;
	size_t count, good;

	kb_json_set_string(identity, "run", "a");
	good = kb_journal_parse(&lines, &count, data, size, identity);
	must(good <= size);
	must(good || !count);
	if (good)
		add_line(&again, identity);
	for (size_t i = 0; i < count; i++) {
		add_line(&again, lines[i]);
		kb_json_free(lines[i]);
	}
	free(lines);
	must(again.len == good);
	must(!good || !memcmp(again.data, data, good));
	return good;
}

/* Where a line has a check before its blank it gets the right one. */
static void make_checks_right(struct kb_buf *text)
{
	char *at = text->data, *end;

	while ((end = memchr(at, '\n', text->len - (size_t)(at - text->data)))) {
		char hex[KB_DIGEST_HEX_SIZE];
		struct kb_digest d;

		if (end - at > CHECK_LEN && at[CHECK_LEN] == ' ') {
			kb_digest_of(&d, at + CHECK_LEN + 1,
				     (size_t)(end - at) - CHECK_LEN - 1);
			kb_digest_format(&d, hex);
			memcpy(at, hex, CHECK_LEN);
		}
		at = end + 1;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	kb_auto(buf) struct kb_buf right = KB_BUF_INIT;

	if (try_parse(data, size) == size)
		return 0;
	kb_buf_add(&right, data, size);
	make_checks_right(&right);
	try_parse(right.data, right.len);
	return 0;
}
