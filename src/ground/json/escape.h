#ifndef KB_JSON_ESCAPE_H
#define KB_JSON_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Escapes in strings, as RFC 8259 has them: \n and its like, \u and four hex
 * digits, two of those for a surrogate pair. U+0000 and half a pair are refused.
 */

struct kb_json_escape {
	uint32_t character;
	size_t bytes;		/* of the escape; of a bad one, those before
				   what is wrong */
	bool canonical;		/* spelt as kb_json_print() does */
};

/*
 * Read the escape at the start of the `len` bytes at `text`, a backslash.
 * Returns NULL, or what is wrong: a literal. Where an escape is cut off,
 * out->bytes is `len`.
 */
const char *kb_json_escape_read(struct kb_json_escape *out, const uint8_t *text,
				size_t len);

#endif
