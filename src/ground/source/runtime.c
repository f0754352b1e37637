#include "source/runtime.h"

#include <string.h>

#include "base/err.h"

static const struct {
	const char *name, *extension;
} runtimes[KB_RUNTIME_COUNT] = {
	[KB_RUNTIME_TORCH] = { "torch", ".py" },
	[KB_RUNTIME_NATIVE] = { "native", ".c" },
	[KB_RUNTIME_CUDA] = { "cuda", ".cu" },
};

const char *kb_runtime_name(enum kb_runtime runtime)
{
	return runtimes[runtime].name;
}

const char *kb_runtime_extension(enum kb_runtime runtime)
{
	return runtimes[runtime].extension;
}

int kb_runtime_parse(enum kb_runtime *out, const char *name,
		     struct kb_err *err)
{
	for (int i = 0; i < KB_RUNTIME_COUNT; i++) {
		if (!strcmp(runtimes[i].name, name)) {
			*out = (enum kb_runtime)i;
			return 0;
		}
	}
	return kb_err(err, KB_ERR_INPUT, "no runtime is called '%s'", name);
}

enum kb_runtime kb_runtime_of_file(const char *name, size_t *stem_len)
{
	size_t len = strlen(name);
	int i;

	for (i = 0; i < KB_RUNTIME_COUNT; i++) {
		size_t ext_len = strlen(runtimes[i].extension);

		if (len > ext_len &&
		    !strcmp(name + len - ext_len, runtimes[i].extension)) {
			len -= ext_len;
			break;
		}
	}
	if (stem_len)
		*stem_len = len;
	return (enum kb_runtime)i;
}
