#include "base/buf.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Shared by all empty buffers and never written: see kb_buf_reserve(). */
char kb_buf_empty[1];

void kb_buf_release(struct kb_buf *b)
{
	if (b->capacity)
		free(b->data);
	*b = (struct kb_buf)KB_BUF_INIT;
}

/* An empty buffer points to memory that all of them share, which is not written
 * even with a zero. */
void kb_buf_clear(struct kb_buf *b)
{
	b->len = 0;
	if (b->capacity)
		b->data[0] = '\0';
}

char *kb_buf_reserve(struct kb_buf *b, size_t extra)
{
	size_t need;

	/* One byte more than asked for: behind the data stands a NUL, which
	 * `len` does not count. */
	if (__builtin_add_overflow(b->len, extra, &need) ||
	    __builtin_add_overflow(need, 1, &need))
		KB_BUG("buffer size overflows");

	if (need > b->capacity) {
		size_t capacity = b->capacity ? b->capacity : 64;

		while (capacity < need)
			capacity = capacity > SIZE_MAX / 2 ? need : 2 * capacity;
		/* Without a capacity `data` is the byte that all empty buffers
		 * share, which was never allocated. */
		b->data = kb_xreallocarray(b->capacity ? b->data : NULL,
					   capacity, 1);
		b->data[b->len] = '\0';
		b->capacity = capacity;
	}
	return b->data + b->len;
}

void kb_buf_add(struct kb_buf *b, const void *data, size_t len)
{
	char *end = kb_buf_reserve(b, len);

	/* Without bytes `data` may be NULL, which memcpy(3) does not allow. */
	if (len)
		memcpy(end, data, len);
	b->len += len;
	b->data[b->len] = '\0';
}

void kb_buf_addstr(struct kb_buf *b, const char *s)
{
	kb_buf_add(b, s, strlen(s));
}

void kb_buf_addch(struct kb_buf *b, char c)
{
	kb_buf_add(b, &c, 1);
}

void kb_buf_addf(struct kb_buf *b, const char *fmt, ...)
{
	va_list ap;
	int n;

	/* Twice over the arguments: the first counts, so that there is room for
	 * whatever the second prints. */
	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		KB_BUG("cannot format");

	kb_buf_reserve(b, (size_t)n);
	va_start(ap, fmt);
	vsnprintf(b->data + b->len, (size_t)n + 1, fmt, ap);
	va_end(ap);
	b->len += (size_t)n;
}

char *kb_buf_detach(struct kb_buf *b)
{
	char *data;

	/* The caller frees what it gets, and an empty buffer has no memory of
	 * its own. */
	kb_buf_reserve(b, 0);
	data = b->data;
	*b = (struct kb_buf)KB_BUF_INIT;
	return data;
}
