/*
 * Any bytes as a journal; the first line of the corpus' files is that of
 * the run asked for. What holds is a prefix of whole lines, and its lines
 * and the identity, written again, are that prefix.
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

/* By the documentation, not by the code. */
static void add_line(struct kb_buf *out, const struct kb_json *v)
{
	kb_auto(buf) struct kb_buf json = KB_BUF_INIT;
	char hex[KB_DIGEST_HEX_SIZE];
	struct kb_digest d;

	kb_json_print(&json, v);
	kb_digest_of(&d, json.data, json.len);
	kb_digest_format(&d, hex);
	kb_buf_add(out, hex, 16);
	kb_buf_addch(out, ' ');
	kb_buf_add(out, json.data, json.len);
	kb_buf_addch(out, '\n');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
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
	return 0;
}
