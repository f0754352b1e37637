#ifndef KB_JSON_PLAIN_H
#define KB_JSON_PLAIN_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Is it a character of its own in a string, which means itself? ASCII, and
 * neither a quote, a backslash nor a control character. */
static inline bool kb_json_is_plain(uint8_t c)
{
	return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

/* A byte eight times. */
#define KB_EIGHT(byte) (UINT64_C(0x0101010101010101) * (byte))

/* The highest bit of each byte that is below `than`, which is at most 0x80;
 * of bytes above the lowest such byte it may be set as well. */
static inline uint64_t kb_json_below(uint64_t eight, uint8_t than)
{
	return (eight - KB_EIGHT(than)) & ~eight & KB_EIGHT(0x80);
}

/* The same of bytes that are not plain. */
static inline uint64_t kb_json_not_plain(uint64_t eight)
{
	return (eight & KB_EIGHT(0x80)) | kb_json_below(eight, 0x20) |
	       kb_json_below(eight ^ KB_EIGHT('"'), 1) |
	       kb_json_below(eight ^ KB_EIGHT('\\'), 1);
}

/* How many of the `len` bytes at `p` are plain before one that is not, eight
 * at a time: most of a record's bytes are in strings. */
static inline size_t kb_json_plain(const void *p, size_t len)
{
	const uint8_t *bytes = p;
	size_t at = 0;

	for (uint64_t eight; at + sizeof(eight) <= len; at += sizeof(eight)) {
		memcpy(&eight, bytes + at, sizeof(eight));
		eight = kb_json_not_plain(le64toh(eight));
		if (eight)
			return at + (size_t)__builtin_ctzll(eight) / 8;
	}
	while (at < len && kb_json_is_plain(bytes[at]))
		at++;
	return at;
}

#endif
