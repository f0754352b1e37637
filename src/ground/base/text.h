#ifndef KB_BASE_TEXT_H
#define KB_BASE_TEXT_H

#include <stdbool.h>
#include <string.h>

/* Two texts are the same. NULL stands for a text that is not there, and is the
 * same as NULL alone: "" is a text. */
static inline bool kb_text_equal(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

#endif
