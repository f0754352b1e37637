#ifndef KB_SOURCE_CODE_BACKEND_H
#define KB_SOURCE_CODE_BACKEND_H

#include <stddef.h>

#include "source/runtime.h"

/*
 * The language of a candidate's kernels, by its code alone: a word, such as
 * "triton". Native code is "native-c" or "native-cuda". Of Python it is the
 * first of a list, kb_code_backends, whose marks are in the code: modules that
 * it imports, names that it uses, and names in strings, which are code for
 * other compilers. Comments, of Python and within strings of C, and strings
 * that are statements are nothing. Without any mark it is "torch".
 *
 * It tells what code looks like, and not what it does: who wants to can import
 * what he does not use.
 */

/* All words that there are; NULL ends them. */
extern const char *const kb_code_backends[];

/* Never NULL; one of kb_code_backends. Any bytes will do. */
const char *kb_code_backend(enum kb_runtime runtime, const void *code,
			    size_t len);

#endif
