/*
 * Any bytes as TOML and as literals of Python: refused with a reason, or a
 * value that has a canonical form. Any text as a template.
 */

#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "fuzz/must.h"
#include "generate/python_literal.h"
#include "generate/template.h"
#include "generate/toml.h"
#include "json/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int (*parse)(struct kb_json **out, const void *data,
			       size_t len, const char *name,
			       struct kb_err *err),
		  const uint8_t *data, size_t size)
{
	kb_auto(json) struct kb_json *v = NULL, *again = NULL;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	int ret = parse(&v, data, size, "fuzz", &err);

	if (ret < 0) {
		must(ret == -KB_ERR_INPUT && err.msg[0] && !v);
		return;
	}
	must(kb_json_type(v) == KB_JSON_OBJECT);
	kb_json_print(&text, v);
	must(kb_json_parse(&again, text.data, text.len, KB_JSON_CANONICAL,
			   "again", &err) == 0);
}

static void check_template(const uint8_t *data, size_t size)
{
	static const struct kb_placeholder with[] = {
		{ "a", "{b}" }, { "b", "x" }, { NULL, NULL },
	};
	kb_auto(mem) char *text = kb_xstrndup((const char *)data, size);
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	int ret = kb_template_fill(&out, text, with, &err);

	must(ret == 0 || (ret == -KB_ERR_INPUT && err.msg[0]));
	if (!strpbrk(text, "{}"))
		must(ret == 0 && !strcmp(out.data, text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check(kb_toml_parse, data, size);
	check(kb_python_literals_parse, data, size);
	check_template(data, size);
	return 0;
}
