#ifndef KB_STORE_QUOTE_H
#define KB_STORE_QUOTE_H

#include <stddef.h>

/*
 * Other people's bytes, made fit for a message: whatever is not printable
 * ASCII, and the quote character itself, becomes '?', so that a name can
 * neither drive a terminal nor forge the end of its own quotation; what
 * does not fit ends in "...". For use inside one expression:
 *
 *	kb_err(err, KB_ERR_INPUT, "bad name '%s'", kb_quote_str(s).text)
 */

#define KB_QUOTE_SIZE 204	/* bytes, including the NUL */

struct kb_quote {
	char text[KB_QUOTE_SIZE];
};

struct kb_quote kb_quote(const void *data, size_t len);
struct kb_quote kb_quote_str(const char *s);

#endif
