#include "source/code_backend.h"

#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "source/code_imports.h"
#include "source/code_words.h"

#define NAMES_MAX 6

/* One backend's marks. */
struct marks {
	const char *backend;
	const char *module;		/* imported; NULL: any */
	const char *inner;		/* and of it this, or NULL */
	const char *names[NAMES_MAX];	/* one of these in code, if any */
	const char *strings[NAMES_MAX];	/* or in strings, if there are any */
};

static const struct marks backends[] = {
	{ .backend = "tilelang", .module = "tilelang" },
	{ .backend = "cute", .module = "cutlass" },
	{ .backend = "cuda-tile", .module = "cuda", .inner = "tile" },
	{ .backend = "helion", .module = "helion", .names = { "kernel", "jit" } },
	{ .backend = "triton", .module = "triton", .names = { "jit" } },
	{ .backend = "cupy", .module = "cupy",
	  .names = { "RawKernel", "RawModule", "ElementwiseKernel",
		     "ReductionKernel", "fuse" } },
	{ .backend = "thunderkittens", .strings = { "kittens" } },
	{ .backend = "cute", .strings = { "cute", "cutlass" } },
	{ .backend = "hip", .strings = { "hip_runtime", "hipLaunchKernelGGL",
					 "hipStream_t" } },
	{ .backend = "cuda", .strings = { "__global__" } },
	{ .backend = "cpp", .names = { "load_inline", "cpp_extension" } },
	{ .backend = "cuda-graph", .names = { "CUDAGraph",
					      "make_graphed_callables" } },
	{ .backend = "torch-compile", .module = "torch",
	  .names = { "compile" } },
};

const char *const kb_code_backends[] = {
	"tilelang", "cute", "cuda-tile", "helion", "triton", "cupy",
	"thunderkittens", "hip", "cuda", "cpp", "cuda-graph",
	"torch-compile", "torch", "native-c", "native-cuda", NULL,
};

static bool has_any_name(const struct kb_code_words *w, const char *const names[],
			 bool in_string)
{
	for (size_t i = 0; i < w->count; i++)
		for (size_t k = 0; k < NAMES_MAX && names[k]; k++)
			if (w->items[i].in_string == in_string &&
			    kb_code_word_is(&w->items[i], names[k]))
				return true;
	return false;
}

static bool has_marks(const struct kb_code_words *w, const struct marks *m)
{
	return (!m->module || kb_code_imports(w, m->module, m->inner)) &&
	       (!m->names[0] || has_any_name(w, m->names, false)) &&
	       (!m->strings[0] || has_any_name(w, m->strings, true));
}

const char *kb_code_backend(enum kb_runtime runtime, const void *code,
			    size_t len)
{
	kb_auto(code_words) struct kb_code_words w = KB_CODE_WORDS_INIT;

	if (runtime == KB_RUNTIME_NATIVE)
		return "native-c";
	if (runtime == KB_RUNTIME_CUDA)
		return "native-cuda";
	kb_code_words_read(&w, code, len);
	for (size_t i = 0; i < KB_ARRAY_LEN(backends); i++)
		if (has_marks(&w, &backends[i]))
			return backends[i].backend;
	return "torch";
}
