#include "manifest/backend.h"

#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"

const char *const kb_backend_names[KB_BACKEND_COUNT] = {
	[KB_BACKEND_CUDA] = "cuda",
	[KB_BACKEND_TRITON] = "triton",
	[KB_BACKEND_CUTE] = "cute",
	[KB_BACKEND_TILELANG] = "tilelang",
	[KB_BACKEND_THUNDERKITTENS] = "thunderkittens",
	[KB_BACKEND_HIP] = "hip",
	[KB_BACKEND_NATIVE_C] = "native-c",
	[KB_BACKEND_NATIVE_CUDA] = "native-cuda",
};

const char *kb_backend_name(enum kb_backend backend)
{
	return kb_backend_names[backend];
}

enum kb_runtime kb_backend_runtime(enum kb_backend backend)
{
	if (backend == KB_BACKEND_NATIVE_C)
		return KB_RUNTIME_NATIVE;
	if (backend == KB_BACKEND_NATIVE_CUDA)
		return KB_RUNTIME_CUDA;
	return KB_RUNTIME_TORCH;
}

int kb_backend_parse(enum kb_backend *out, const char *name,
		     struct kb_err *err)
{
	kb_auto(buf) struct kb_buf list = KB_BUF_INIT;

	for (int i = 0; i < KB_BACKEND_COUNT; i++) {
		if (!strcmp(kb_backend_names[i], name)) {
			*out = (enum kb_backend)i;
			return 0;
		}
		kb_buf_addf(&list, "%s%s", i ? ", " : "", kb_backend_names[i]);
	}
	return kb_err(err, KB_ERR_INPUT, "no backend '%s', there are: %s",
		      name, list.data);
}
