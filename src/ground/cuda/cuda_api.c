#include "cuda/cuda_api.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/err.h"

/* NixOS keeps the driver where no loader looks. */
static const char *const names[] = {
	"libcuda.so.1", "/run/opengl-driver/lib/libcuda.so.1",
};

static struct kb_cuda_api api;

static const struct {
	size_t offset;
	const char *symbol;
} functions[] = {
#define ENTRY(member, symbol, arguments) \
	{ offsetof(struct kb_cuda_api, member), symbol },
	KB_CUDA_FUNCTIONS(ENTRY)
#undef ENTRY
};

/* Loaded when it is asked for and not linked to, so that one program runs with
 * and without a driver. RTLD_NOW: a driver whose own symbols cannot be found
 * fails here and not in the middle of a run. */
static int load_library(struct kb_err *err)
{
	void *library = NULL;

	for (size_t i = 0; i < KB_ARRAY_LEN(names) && !library; i++)
		library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return kb_err(err, KB_ERR_MISSING,
			      "there is no CUDA driver: 'libcuda.so.1' cannot "
			      "be loaded");
	for (size_t i = 0; i < KB_ARRAY_LEN(functions); i++) {
		void *symbol = dlsym(library, functions[i].symbol);

		if (!symbol)
			return kb_err(err, KB_ERR_MISSING,
				      "the CUDA driver is too old: it has no "
				      "'%s'", functions[i].symbol);
		/* ISO C has no conversion from an object pointer to a
		 * function pointer. POSIX, which has dlsym(3), writes it
		 * through void *. */
		*(void **)((char *)&api + functions[i].offset) = symbol;
	}
	return 0;
}

const struct kb_cuda_api *kb_cuda_api(struct kb_err *err)
{
	static bool loaded;

	if (!loaded && load_library(err) < 0)
		return NULL;
	loaded = true;
	return &api;
}

int kb_cuda_err(struct kb_err *err, const struct kb_cuda_api *cu,
		kb_cu_result result, const char *fmt, ...)
{
	const char *name = NULL;
	char what[160];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	if (result == KB_CU_OUT_OF_MEMORY) {
		errno = ENOMEM;
		return kb_err_sys(err, "cannot %s", what);
	}
	(void)cu->GetErrorName(result, &name);
	return kb_err(err, KB_ERR_DEVICE, "cannot %s: %s", what,
		      name ? name : "an error without a name");
}
