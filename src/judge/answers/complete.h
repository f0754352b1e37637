#ifndef KB_ANSWERS_COMPLETE_H
#define KB_ANSWERS_COMPLETE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether code parses, as far as its tokens tell: every string, comment and
 * bracket that begins also ends, brackets in pairs of a kind. What a model
 * left half written does not; what a compiler refuses for other reasons may.
 *
 * Pure functions of any bytes. Brackets deeper than KB_BRACKETS_MAX are not
 * taken.
 */
#define KB_BRACKETS_MAX 256

/* Python 3, its triple quotes, prefixes and joined lines. */
bool kb_complete_python(const char *text, size_t len);

/* C, C++ and CUDA, with raw strings and digit separators. A conditional
 * directive's branches count one after the other. */
bool kb_complete_c(const char *text, size_t len);

/*
 * Whether code defines `name` at all, in text or comments aside: in Python as a
 * class, or by an assignment at the beginning of a line; in C as a function,
 * which has a body. Also of code that is not complete.
 */
bool kb_defines_python(const char *text, size_t len, const char *name);
bool kb_defines_c(const char *text, size_t len, const char *name);

#endif
