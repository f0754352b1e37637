#ifndef KB_SOURCE_CODE_IMPORTS_H
#define KB_SOURCE_CODE_IMPORTS_H

#include <stdbool.h>

struct kb_code_words;

/*
 * Whether a statement of Python's, anywhere in the code, imports `module`, a
 * name without a dot, or something below it; and of that `inner`, unless it is
 * NULL. It tells what code looks like: a module may also be imported by a
 * function that is given its name, or by another module.
 */
bool kb_code_imports(const struct kb_code_words *w, const char *module,
		     const char *inner);

#endif
