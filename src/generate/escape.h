#ifndef KB_GENERATE_ESCAPE_H
#define KB_GENERATE_ESCAPE_H

#include <stdbool.h>
#include <stdint.h>

struct kb_buf;

/*
 * \uXXXX and \UXXXXXXXX, of TOML and of Python alike: `*p` is at the letter,
 * and is moved behind the digits. False, and nothing is changed, if they are
 * too few or name no character, NUL included: no text here has one.
 */
bool kb_escape_unicode(struct kb_buf *out, const char **p, const char *end);

#endif
