/* Any text as a template: refused with a reason, or filled. */

#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "fuzz/must.h"
#include "prompts/template.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
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
	return 0;
}
