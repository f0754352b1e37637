#include "base/alloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Nothing here allocates: a message that needs memory could not be said. */
static void *or_die(void *p)
{
	if (!p) {
		fputs("out of memory\n", stderr);
		abort();
	}
	return p;
}

/* abort(3) and not exit(3): no handler of atexit(3) works on a state that is
 * known to be wrong, and a core file shows who called. */
void kb_bug(const char *file, int line, const char *why)
{
	fprintf(stderr, "BUG: %s:%d: %s\n", file, line, why);
	abort();
}

/* malloc(0) may give NULL, which would be taken for a failure; a byte is always
 * something. */
void *kb_xmalloc(size_t size)
{
	return or_die(malloc(size ? size : 1));
}

void *kb_xcalloc(size_t count, size_t size)
{
	return or_die(calloc(count ? count : 1, size ? size : 1));
}

/* reallocarray(3) fails where the product of the two sizes overflows, which a
 * product in the argument of realloc(3) would hide. */
void *kb_xreallocarray(void *p, size_t count, size_t size)
{
	return or_die(reallocarray(p, count ? count : 1, size ? size : 1));
}

char *kb_xstrdup(const char *s)
{
	return s ? or_die(strdup(s)) : NULL;
}

char *kb_xstrndup(const char *s, size_t len)
{
	return or_die(strndup(s, len));
}

char *kb_xvasprintf(const char *fmt, va_list ap)
{
	char *s = NULL;
	const int n = vasprintf(&s, fmt, ap);

	/* After a failure of vasprintf(3) `s` is undefined. */
	return or_die(n < 0 ? NULL : s);
}

char *kb_xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = kb_xvasprintf(fmt, ap);
	va_end(ap);
	return s;
}

/* Doubling, so that adding n elements one by one copies fewer than 2 n. */
void *kb_grow(void *p, size_t count, size_t *capacity, size_t size)
{
	if (count < *capacity)
		return p;
	*capacity = *capacity ? 2 * *capacity : 8;
	return kb_xreallocarray(p, *capacity, size);
}
