#ifndef KB_PAGES_ESCAPE_H
#define KB_PAGES_ESCAPE_H

#include <stddef.h>

struct kb_buf;

/*
 * Anybody's bytes as text of HTML and of XML, in content and in attributes
 * that stand in double quotes. Whatever goes in, what comes out is valid
 * UTF-8 that both allow, ends no element and no attribute, and shows what it
 * is:
 *
 *	& < > " '	are references
 *	line feeds and tabs stay
 *	other control characters become their pictures, U+2400 and on
 *	bytes that are not UTF-8 become U+FFFD, each
 *	what is not seen or turns text around (U+202E and its like, spaces of
 *	no width, line separators, tags, noncharacters) is spelled out, as
 *	"[U+202E]"
 *
 * Nothing else in this room writes text that it was given: html.h.
 */
void kb_escape(struct kb_buf *out, const void *data, size_t len);
void kb_escape_str(struct kb_buf *out, const char *s);

#endif
