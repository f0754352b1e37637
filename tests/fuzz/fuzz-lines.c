/*
 * Any bytes as lines of JSON: they are the same lines, and what is wrong with
 * them is the same, whether they come as a whole or in pieces. And lines that
 * are taken print as they were.
 */

#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "fuzz/must.h"
#include "json/json.h"
#include "manifest/lines.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int print_line(void *into, const struct kb_json *line,
		      const char *where, struct kb_err *err)
{
	(void)where, (void)err;
	kb_lines_add(into, kb_json_copy(line));
	return 0;
}

/* In pieces of 1, 2, 3 bytes and so on. */
static int feed_pieces(struct kb_buf *out, const char *data, size_t size,
		       struct kb_err *err)
{
	kb_auto(lines) struct kb_lines l;

	kb_lines_init(&l, "fuzz", print_line, out);
	for (size_t at = 0, n = 1; at < size; at += n++) {
		const size_t left = size - at;
		int ret = kb_lines_feed(&l, data + at, left < n ? left : n, err);

		if (ret < 0)
			return ret;
	}
	return kb_lines_end(&l, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	kb_auto(buf) struct kb_buf whole = KB_BUF_INIT, parts = KB_BUF_INIT;
	struct kb_err want = KB_ERR_INIT, err = KB_ERR_INIT;
	const int ret = kb_lines_parse(data, size, "fuzz", print_line, &whole,
				       &want);

	must(feed_pieces(&parts, (const char *)data, size, &err) == ret);
	must(!strcmp(err.msg, want.msg));
	must(whole.len == parts.len);
	must(!memcmp(whole.data, parts.data, whole.len));
	must(ret == 0 ? whole.len == size : whole.len <= size);
	must(!memcmp(whole.data, data, whole.len));
	return 0;
}
