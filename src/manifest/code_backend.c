#include "manifest/code_backend.h"

#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "manifest/code_words.h"

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

/* --- what is imported -------------------------------------------------- */

static const struct kb_code_word *at(const struct kb_code_words *w, size_t i)
{
	static const struct kb_code_word none = { .text = "", .is_first = true };

	return i < w->count && !w->items[i].in_string ? &w->items[i] : &none;
}

/* In this statement, from `i` on; NULL is everywhere. */
static bool is_listed(const struct kb_code_words *w, size_t i,
		      const char *name)
{
	if (!name)
		return true;
	for (; !at(w, i)->is_first; i++)
		if (kb_code_word_is(at(w, i), name))
			return true;
	return false;
}

/* import X, M.inner; from M import inner; from M.inner import x. */
static bool imports_here(const struct kb_code_words *w, size_t i,
			 const struct marks *m)
{
	if (kb_code_word_is(at(w, i), "from"))
		return kb_code_word_is(at(w, i + 1), m->module) &&
		       is_listed(w, i + 2, m->inner);
	if (!kb_code_word_is(at(w, i), "import"))
		return false;
	for (size_t k = i + 1; !at(w, k)->is_first; k++)
		if ((k == i + 1 || kb_code_word_is(at(w, k - 1), ",")) &&
		    kb_code_word_is(at(w, k), m->module) &&
		    (!m->inner || kb_code_word_is(at(w, k + 2), m->inner)))
			return true;
	return false;
}

static bool imports(const struct kb_code_words *w, const struct marks *m)
{
	for (size_t i = 0; i < w->count; i++)
		if (at(w, i)->is_first && imports_here(w, i, m))
			return true;
	return false;
}

/* --- what is used ------------------------------------------------------ */

static bool uses(const struct kb_code_words *w, const char *const names[],
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
	return (!m->module || imports(w, m)) &&
	       (!m->names[0] || uses(w, m->names, false)) &&
	       (!m->strings[0] || uses(w, m->strings, true));
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
