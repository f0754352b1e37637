#include "crew/compilers.h"

#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "crew/builds.h"
#include "store/bundle.h"

/* The word by which kb_torch_build.py knows code that has extensions. */
static const char extensions[] = "cpp_extension";

bool kb_code_compiles(const struct kb_code_file *code)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	if (code->runtime != KB_RUNTIME_TORCH ||
	    kb_bundle_read(&text, code->bundle, code->file, code->bytes_max,
			   NULL) < 0)
		return true;
	return memmem(text.data, text.len, extensions, strlen(extensions));
}

int kb_builds_compilers(const struct kb_builds *b)
{
	size_t left = 0;

	for (size_t i = 0; i < b->count; i++)
		left += !b->items[i].is_done;
	return left && left < b->room ? (int)(b->room / left) : 1;
}
