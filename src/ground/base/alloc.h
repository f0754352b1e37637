#ifndef KB_BASE_ALLOC_H
#define KB_BASE_ALLOC_H

#include <stdarg.h>
#include <stddef.h>

/*
 * Memory that is always there. Running out of memory aborts the program:
 * a stage can be run again, and a branch that no test can reach is worse
 * than a clean death. Sizes are checked for overflow.
 *
 * The caller frees the results with free().
 */

void *kb_xmalloc(size_t size);
void *kb_xcalloc(size_t count, size_t size);
void *kb_xreallocarray(void *p, size_t count, size_t size);
char *kb_xstrdup(const char *s);	/* of NULL: NULL */
char *kb_xstrndup(const char *s, size_t len);

/* printf into a fresh string. */
char *kb_xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *kb_xvasprintf(const char *fmt, va_list ap)
	__attribute__((format(printf, 1, 0)));

/*
 * Make room for one more element in the array `p` of `*capacity` elements
 * of which `count` are used; grows geometrically. Use as
 *
 *	v = kb_grow(v, n, &capacity, sizeof(*v));
 *	v[n++] = x;
 */
void *kb_grow(void *p, size_t count, size_t *capacity, size_t size);

#define KB_ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

/* A broken invariant of our own: says where and aborts. */
#define KB_BUG(why) kb_bug(__FILE__, __LINE__, why)
void kb_bug(const char *file, int line, const char *why)
	__attribute__((noreturn));

#endif
