#include "cuda/cupti_api.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"

/* The names in the toolkits of CUDA 13 and 12. */
static const char *const names[] = { "libcupti.so.13", "libcupti.so.12" };

/* Where a toolkit has it, which is not where loaders look. */
static const char in_toolkit[] = "extras/CUPTI/lib64";

static struct kb_cupti_api api;

static const struct {
	size_t offset;
	const char *symbol;
} functions[] = {
#define ENTRY(member, symbol, arguments) \
	{ offsetof(struct kb_cupti_api, member), symbol },
	KB_CUPTI_FUNCTIONS(ENTRY)
#undef ENTRY
};

static void *open_mapped(void)
{
	void *library = NULL;

	for (size_t i = 0; i < KB_ARRAY_LEN(names) && !library; i++)
		library = dlopen(names[i], RTLD_NOW | RTLD_NOLOAD);
	return library;
}

static void *open_in(const char *toolkit)
{
	void *library = NULL;

	for (size_t i = 0; i < KB_ARRAY_LEN(names) && !library; i++) {
		kb_auto(mem) char *path = kb_xasprintf(
			"%s/%s/%s", toolkit, in_toolkit, names[i]);

		library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	}
	return library;
}

static void *open_any(void)
{
	const char *home = getenv("CUDA_HOME");
	void *library = open_mapped();

	for (size_t i = 0; i < KB_ARRAY_LEN(names) && !library; i++)
		library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	if (!library && home && *home)
		library = open_in(home);
	return library ? library : open_in("/usr/local/cuda");
}

static int load_library(struct kb_err *err)
{
	void *library = open_any();

	if (!library)
		return kb_err(err, KB_ERR_MISSING,
			      "there is no CUPTI: neither '%s' nor '%s' can be "
			      "loaded", names[0], names[1]);
	for (size_t i = 0; i < KB_ARRAY_LEN(functions); i++) {
		void *symbol = dlsym(library, functions[i].symbol);

		if (!symbol)
			return kb_err(err, KB_ERR_MISSING,
				      "CUPTI is too old: it has no '%s'",
				      functions[i].symbol);
		/* As for the driver: see cuda_api.c. */
		*(void **)((char *)&api + functions[i].offset) = symbol;
	}
	return 0;
}

const struct kb_cupti_api *kb_cupti_api(struct kb_err *err)
{
	static bool loaded;

	if (!loaded && load_library(err) < 0)
		return NULL;
	loaded = true;
	return &api;
}

static bool wants_permission(kb_cupti_result result)
{
	return result == KB_CUPTI_INSUFFICIENT_PRIVILEGES ||
	       result == KB_CUPTI_VIRTUAL_INSUFFICIENT_PRIVILEGES;
}

int kb_cupti_err(struct kb_err *err, const struct kb_cupti_api *cupti,
		 kb_cupti_result result, const char *what)
{
	const char *name = NULL;

	(void)cupti->GetResultString(result, &name);
	if (!name)
		name = "an error without a name";
	if (!wants_permission(result))
		return kb_err(err, KB_ERR_DEVICE, "cannot %s: %s", what, name);
	return kb_err(err, KB_ERR_DEVICE,
		      "cannot %s: %s: a worker has neither CAP_SYS_ADMIN nor "
		      "CAP_PERFMON, and needs the option "
		      "NVreg_RestrictProfilingToAdminUsers=0 of the module "
		      "nvidia (RmProfilingAdminOnly in "
		      "/proc/driver/nvidia/params says how it is set)",
		      what, name);
}
