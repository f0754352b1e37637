#ifndef KB_TESTS_FAKE_CUPTI_H
#define KB_TESTS_FAKE_CUPTI_H

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The stand-ins for CUPTI, which are built beside the tests: cupti.c says what
 * the first can be told by the environment, and old.c what the other lacks. */
#define FAKE_CUPTI "libcupti.so.13"
#define FAKE_CUPTI_OLD "libcupti.so.12"

/* From now on this process has it mapped. */
static inline void fake_cupti_map(const char *name)
{
	char path[PATH_MAX + 64];
	ssize_t len = readlink("/proc/self/exe", path, PATH_MAX);

	path[len < 0 ? 0 : len] = '\0';
	if (len > 0)
		snprintf(strrchr(path, '/'), 64, "/../fake-cupti/%s", name);
	if (!dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
		fprintf(stderr, "cannot load %s\n", path);
		_exit(1);
	}
}

#endif
