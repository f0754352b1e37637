#ifndef KB_MANIFEST_BACKEND_H
#define KB_MANIFEST_BACKEND_H

#include "manifest/key.h"
#include "source/runtime.h"

struct kb_err;

/* The languages in which a model is asked to write kernels, by the names of
 * prompts and of KernelBench, and how code in them is loaded. */
enum kb_backend {
	KB_BACKEND_CUDA,		/* inline in a Python module */
	KB_BACKEND_TRITON,
	KB_BACKEND_CUTE,
	KB_BACKEND_TILELANG,
	KB_BACKEND_THUNDERKITTENS,
	KB_BACKEND_HIP,
	KB_BACKEND_NATIVE_C,		/* kb-native(7) */
	KB_BACKEND_NATIVE_CUDA,
	KB_BACKEND_COUNT,		/* not a backend */
};

const char *kb_backend_name(enum kb_backend backend);	/* "native-c" */
enum kb_runtime kb_backend_runtime(enum kb_backend backend);

/* Fails with KB_ERR_INPUT; the message lists the names there are. */
int kb_backend_parse(enum kb_backend *out, const char *name,
		     struct kb_err *err);

/* All of them, for kb_fields_word(). */
extern const char *const kb_backend_names[KB_BACKEND_COUNT];

#endif
