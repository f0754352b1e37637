/*
 * Any bytes as every kind of record and line. What a reader takes must
 * print as it was read: nothing is dropped, repaired or spelt anew.
 */

#include <stdint.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "fuzz/must.h"
#include "lib/records.h"
#include "manifest/lines.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The counts of an evaluation are those of lines that are not here. */
static bool counts_lines(const struct kb_json *v)
{
	const struct kb_json *counts = kb_json_find(v, "status_counts");

	return counts && kb_json_count(counts) > 0;
}

static void check_reader(size_t i, const struct kb_json *v)
{
	kb_auto(buf) struct kb_buf before = KB_BUF_INIT;
	kb_auto(buf) struct kb_buf after = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	int ret = record_readers[i](&after, v, &err);

	if (ret < 0) {
		must(ret == -KB_ERR_INPUT && err.msg[0]);
		return;
	}
	must(err.kind == 0);
	if (record_readers[i] == evaluation_again && counts_lines(v))
		return;
	kb_json_print(&before, v);
	must(before.len == after.len);
	must(!memcmp(before.data, after.data, before.len));
}

static int take_line(void *into, const struct kb_json *line,
		     const char *where, struct kb_err *err)
{
	struct kb_buf *again = into;

	(void)where;
	(void)err;
	kb_lines_add(again, kb_json_copy(line));
	return 0;
}

/* Lines, written again, are the bytes that they were read from. */
static void check_lines(const uint8_t *data, size_t size)
{
	kb_auto(buf) struct kb_buf again = KB_BUF_INIT;

	if (kb_lines_parse(data, size, "fuzz", take_line, &again, NULL) < 0)
		return;
	must(again.len == size);
	must(!size || !memcmp(again.data, data, size));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	kb_auto(json) struct kb_json *v = NULL;

	check_lines(data, size);
	if (kb_json_parse(&v, data, size, KB_JSON_OURS, "fuzz", NULL) < 0)
		return 0;
	if (kb_json_type(v) != KB_JSON_OBJECT)
		return 0;
	for (size_t i = 0; i < KB_ARRAY_LEN(record_readers); i++)
		check_reader(i, v);
	return 0;
}
