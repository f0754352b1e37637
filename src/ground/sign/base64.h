#ifndef KB_SIGN_BASE64_H
#define KB_SIGN_BASE64_H

#include <stdbool.h>
#include <stddef.h>

struct kb_buf;

/*
 * Bytes as base64: the alphabet of RFC 4648, section 4, padded. No white
 * space, no other alphabet, no bits set that stand for nothing, so that
 * nothing has two spellings.
 */

/* Append the text of `len` bytes. */
void kb_base64_encode(struct kb_buf *out, const void *data, size_t len);

/* Append the bytes that `text` spells; false, with `out` as it was, if it
 * is not as kb_base64_encode() writes it. */
bool kb_base64_decode(struct kb_buf *out, const char *text);

#endif
