/*
 * Any bytes as an os-release file, as /proc/cpuinfo and as a file of one
 * line. What is refused is refused with a reason and adds nothing; a value
 * is printable, and assigned again in double quotes it is read as itself.
 */

#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "device/text_fact.h"
#include "fuzz/must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must_be_sound(int ret, const struct kb_buf *value,
			  const struct kb_err *err)
{
	if (ret < 0) {
		must(err->kind == KB_ERR_INPUT || err->kind == KB_ERR_MISSING);
		must(ret == -(int)err->kind && err->msg[0]);
		must(value->len == 0);
		return;
	}
	must(err->kind == 0 && value->len > 0);
	for (size_t i = 0; i < value->len; i++)
		must(value->data[i] >= ' ' && value->data[i] <= '~');
	must(value->data[0] != ' ' && value->data[value->len - 1] != ' ');
}

static void quote(struct kb_buf *out, const struct kb_buf *value)
{
	kb_buf_addstr(out, "A=first\nA=\"");
	for (size_t i = 0; i < value->len; i++) {
		if (strchr("\\\"$`", value->data[i]))
			kb_buf_addch(out, '\\');
		kb_buf_addch(out, value->data[i]);
	}
	kb_buf_addstr(out, "\"\n");
}

static void try_variable(const uint8_t *data, size_t size, const char *name)
{
	kb_auto(buf) struct kb_buf value = KB_BUF_INIT, again = KB_BUF_INIT;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	int ret = kb_text_fact_variable(&value, data, size, name, "fuzz",
					&err);

	must_be_sound(ret, &value, &err);
	if (ret < 0)
		return;
	quote(&text, &value);
	must(kb_text_fact_variable(&again, text.data, text.len, "A", "again",
				   NULL) == 0);
	must(again.len == value.len &&
	     !memcmp(again.data, value.data, value.len));
}

static void try_field(const uint8_t *data, size_t size, const char *name)
{
	kb_auto(buf) struct kb_buf value = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	int ret = kb_text_fact_field(&value, data, size, name, "fuzz", &err);

	must_be_sound(ret, &value, &err);
}

static void try_line(const uint8_t *data, size_t size)
{
	kb_auto(buf) struct kb_buf value = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;
	int ret = kb_text_fact_line(&value, data, size, "fuzz", &err);

	must_be_sound(ret, &value, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_variable(data, size, "PRETTY_NAME");
	try_variable(data, size, "ID");
	try_field(data, size, "model name");
	try_field(data, size, "MemTotal");
	try_line(data, size);
	return 0;
}
