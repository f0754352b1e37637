/*
 * Any bytes as the name of a constant, a line, and a module. A constant that
 * is found is digits of the module, can be replaced and is found again, and is
 * what it was once that is undone. Lines are made of tokens of the module, in
 * order.
 */

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "fuzz/must.h"
#include "source/python_constant.h"
#include "source/python_lines.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_lines(const char *text, size_t len)
{
	kb_auto(python_line) struct kb_python_line l = KB_PYTHON_LINE_INIT;
	const char *at = text;
	size_t number = 0;

	kb_python_line_begin(&l, text, len);
	while (kb_python_line_read(&l, NULL) > 0) {
		must(l.count > 0 && l.number >= number);
		number = l.number;
		for (size_t i = 0; i < l.count; i++) {
			must(l.tokens[i].len > 0 && l.tokens[i].depth >= 0);
			must(l.tokens[i].text >= at);
			at = l.tokens[i].text + l.tokens[i].len;
		}
	}
	must(at <= text + len);
}

static struct kb_python_constant find(const struct kb_buf *module,
				      const char *name)
{
	struct kb_err err = KB_ERR_INIT;
	struct kb_python_constant c;

	must(kb_python_constant_find(&c, module->data, module->len, name,
				     &err) == 0);
	return c;
}

static void check_found(const char *text, size_t len, const char *name,
			struct kb_python_constant c)
{
	kb_auto(buf) struct kb_buf module = KB_BUF_INIT;
	struct kb_python_constant again;
	char digits[24];

	must(c.at + c.len <= len && c.value >= 0 && c.value <= KB_CONSTANT_MAX);
	must((size_t)snprintf(digits, sizeof(digits), "%lld",
			      (long long)c.value) == c.len);
	must(!memcmp(text + c.at, digits, c.len));

	kb_buf_add(&module, text, len);
	kb_python_constant_set(&module, &c, 67);
	again = find(&module, name);
	must(again.at == c.at && again.len == 2 && again.value == 67);
	kb_python_constant_set(&module, &again, c.value);
	must(module.len == len && !memcmp(module.data, text, len));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	const char *end = size ? memchr(text, '\n', size) : NULL;
	kb_auto(mem) char *name = NULL;
	struct kb_err err = KB_ERR_INIT;
	struct kb_python_constant c;
	size_t len;
	int ret;

	if (!end)
		return 0;
	name = kb_xstrndup(text, (size_t)(end - text));
	text = end + 1;
	len = size - (size_t)(text - (const char *)data);
	check_lines(text, len);
	if (!kb_constant_name_valid(name))
		return 0;
	ret = kb_python_constant_find(&c, text, len, name, &err);
	must((ret == 0) == (err.kind == 0));
	must(ret == 0 || ret == -KB_ERR_INPUT);
	if (ret == 0)
		check_found(text, len, name, c);
	return 0;
}
