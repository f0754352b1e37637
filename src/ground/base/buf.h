#ifndef KB_BASE_BUF_H
#define KB_BASE_BUF_H

#include <stddef.h>

/*
 * Bytes that grow.
 *
 * Invariant: `data[len]` is always a readable NUL, so a buffer that holds
 * text can be used as a string. It may hold NULs of its own; `len` is the
 * truth. A buffer starts as KB_BUF_INIT, which allocates nothing, and
 * ends with kb_buf_release().
 */
struct kb_buf {
	char *data;
	size_t len;
	size_t capacity;	/* bytes allocated; 0 while `data` is borrowed */
};

extern char kb_buf_empty[1];
#define KB_BUF_INIT { .data = kb_buf_empty, .len = 0, .capacity = 0 }

void kb_buf_release(struct kb_buf *b);

/* Keeps the allocation. */
void kb_buf_clear(struct kb_buf *b);

/* Room for `extra` more bytes; returns where they go. */
char *kb_buf_reserve(struct kb_buf *b, size_t extra);

void kb_buf_add(struct kb_buf *b, const void *data, size_t len);
void kb_buf_addstr(struct kb_buf *b, const char *s);
void kb_buf_addch(struct kb_buf *b, char c);
void kb_buf_addf(struct kb_buf *b, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Hand the bytes on: the caller frees with free(); `b` is empty again. */
char *kb_buf_detach(struct kb_buf *b);

static inline void kb_cleanup_buf(struct kb_buf *b)
{
	kb_buf_release(b);
}

#endif
