#ifndef KB_JSON_UTF8_H
#define KB_JSON_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kb_buf;

/*
 * UTF-8 as RFC 3629 has it: shortest forms only, no surrogates, nothing
 * above U+10FFFF. NUL is a character like any other here.
 */

/*
 * Decode the character at the start of the `len` bytes at `s`. Returns its
 * length in bytes, 1 to 4, or 0 if there is no valid character.
 */
size_t kb_utf8_decode(uint32_t *out, const void *s, size_t len);

/* All `len` bytes are whole, valid characters. */
bool kb_utf8_valid(const void *s, size_t len);

/* Is it a character that is not seen, or that changes in which order others
 * are, such as U+202E? C1 controls and noncharacters are among them. */
bool kb_utf8_hidden(uint32_t c);

/*
 * Append text from elsewhere, made harmless for people's terminals and fit
 * for records: line feeds and tabs stay, every other control character, every
 * hidden character and every byte that is not part of valid UTF-8 becomes '?'.
 */
void kb_utf8_clean(struct kb_buf *out, const void *data, size_t len);

/* The same for one line: line feeds and tabs become '?', too. */
void kb_utf8_clean_line(struct kb_buf *out, const void *data, size_t len);

/*
 * Order of two NUL-terminated valid strings by their UTF-16 code units,
 * which is how RFC 8785 sorts keys: less than, equal to or greater than 0.
 */
int kb_utf8_compare_utf16(const char *a, const char *b);

#endif
