#ifndef KB_BASE_VARIABLE_H
#define KB_BASE_VARIABLE_H

#include <stdlib.h>

/* An environment variable, or NULL if it is not set or is empty: scripts write
 * NAME= for "as if it were not there". Borrowed until the environment changes. */
static inline const char *kb_variable(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

#endif
