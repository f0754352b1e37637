#ifndef KB_BASE_HEX_H
#define KB_BASE_HEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Bytes as lower-case hex digits. Upper case is not accepted, so that
 * nothing has two spellings.
 */

/* `hex` has room for 2 * len + 1 characters. */
void kb_hex_format(char *hex, const uint8_t *bytes, size_t len);

/* True if `hex` is exactly 2 * len such digits. */
bool kb_hex_parse(uint8_t *bytes, size_t len, const char *hex);

#endif
