#include "manifest/lines.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/record.h"
#include "store/bundle.h"

void kb_lines_add(struct kb_buf *out, struct kb_json *line)
{
	kb_json_print(out, line);
	kb_buf_addch(out, '\n');
	kb_json_free(line);
}

int kb_lines_parse(const void *data, size_t len, const char *name,
		   int (*take)(void *into, const struct kb_json *line,
			       const char *where, struct kb_err *err),
		   void *into, struct kb_err *err)
{
	const char *p = data, *end = p + len;

	for (size_t number = 1; p < end; number++) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		kb_auto(json) struct kb_json *line = NULL;
		char where[KB_BUNDLE_NAME_BYTES_MAX + 40];
		int ret;

		snprintf(where, sizeof(where), "line %zu of %s", number,
			 name);
		if (!eol)
			return kb_err(err, KB_ERR_INPUT, "%s: does not end",
				      where);
		ret = kb_json_parse(&line, p, (size_t)(eol - p),
				    KB_JSON_CANONICAL, where, err);
		if (ret == 0)
			ret = take(into, line, where, err);
		if (ret < 0)
			return ret;
		p = eol + 1;
	}
	return 0;
}

int kb_lines_load(const struct kb_bundle *b, const char *name,
		  int (*take)(void *into, const struct kb_json *line,
			      const char *where, struct kb_err *err),
		  void *into, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf buf = KB_BUF_INIT;
	int ret;

	ret = kb_bundle_read(&buf, b, name, KB_LINES_BYTES_MAX, err);
	if (ret < 0)
		return ret;
	return kb_lines_parse(buf.data, buf.len, name, take, into, err);
}
