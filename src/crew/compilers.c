#include "crew/compilers.h"

#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "crew/builds.h"
#include "store/bundle.h"

/* The word by which kb_torch_build.py knows code that has extensions. */
static const char extensions[] = "cpp_extension";

/* What cannot be read may have some; that it cannot be is said when it is
 * built. */
static enum kb_compiles look(const struct kb_code_file *code)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	if (code->runtime != KB_RUNTIME_TORCH ||
	    kb_bundle_read(&text, code->bundle, code->file, code->bytes_max,
			   NULL) < 0)
		return KB_COMPILES;
	return memmem(text.data, text.len, extensions, strlen(extensions)) ?
		KB_COMPILES : KB_COMPILES_NOT;
}

int kb_builds_compilers(struct kb_builds *b)
{
	size_t left = 0;

	for (size_t i = 0; i < b->count; i++) {
		struct kb_build *x = &b->items[i];

		if (x->is_done)
			continue;
		if (x->compiles == KB_COMPILES_UNKNOWN)
			x->compiles = look(&x->code);
		left += x->compiles == KB_COMPILES;
	}
	return left && left < b->room ? (int)(b->room / left) : 1;
}
