#include "generate/curl_api.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/alloc.h"
#include "base/err.h"

#define LIBRARY "libcurl.so.4"
#define GLOBAL_ALL 3L

#define AT(member) offsetof(struct kb_curl_api, member)

static const struct {
	const char *name;
	size_t offset;
} functions[] = {
	{ "curl_global_init", AT(global_init) },
	{ "curl_easy_init", AT(easy_init) },
	{ "curl_easy_cleanup", AT(easy_cleanup) },
	{ "curl_easy_setopt", AT(easy_setopt) },
	{ "curl_easy_getinfo", AT(easy_getinfo) },
	{ "curl_easy_strerror", AT(easy_strerror) },
	{ "curl_multi_init", AT(multi_init) },
	{ "curl_multi_cleanup", AT(multi_cleanup) },
	{ "curl_multi_add_handle", AT(multi_add_handle) },
	{ "curl_multi_remove_handle", AT(multi_remove_handle) },
	{ "curl_multi_perform", AT(multi_perform) },
	{ "curl_multi_poll", AT(multi_poll) },
	{ "curl_multi_info_read", AT(multi_info_read) },
	{ "curl_slist_append", AT(slist_append) },
	{ "curl_slist_free_all", AT(slist_free_all) },
};

int kb_curl_api(const struct kb_curl_api **out, struct kb_err *err)
{
	static struct kb_curl_api api;
	static bool is_loaded;
	void *library;

	*out = &api;
	if (is_loaded)
		return 0;
	library = dlopen(LIBRARY, RTLD_NOW);
	if (!library)
		return kb_err(err, KB_ERR_MISSING,
			      "there is no libcurl to talk to a server with: %s",
			      dlerror());
	for (size_t i = 0; i < KB_ARRAY_LEN(functions); i++) {
		void *found = dlsym(library, functions[i].name);

		if (!found)
			return kb_err(err, KB_ERR_MISSING,
				      "'" LIBRARY "' has no '%s'",
				      functions[i].name);
		*(void **)((char *)&api + functions[i].offset) = found;
	}
	if (api.global_init(GLOBAL_ALL) != 0)
		return kb_err(err, KB_ERR_SYS, "libcurl does not start");
	is_loaded = true;
	return 0;
}
