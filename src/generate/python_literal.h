#ifndef KB_GENERATE_PYTHON_LITERAL_H
#define KB_GENERATE_PYTHON_LITERAL_H

#include <stddef.h>

struct kb_err;
struct kb_json;

/*
 * A Python file of literals, such as KernelBench's gpu_specs.py: assignments
 * `NAME = value` of strings (any quotes, adjacent ones joined), integers,
 * True, False, None, lists, tuples and dictionaries with strings for keys;
 * comments, and strings that stand alone. Nothing is run, and anything else
 * is refused.
 *
 * `*out` receives an object with a member for each name, in order; tuples are
 * arrays. The caller frees. Messages give the line. Fails with KB_ERR_INPUT.
 */
#define KB_PYTHON_DEPTH_MAX 16
#define KB_PYTHON_BYTES_MAX ((size_t)16 << 20)

int kb_python_literals_parse(struct kb_json **out, const void *data,
			     size_t len, const char *name,
			     struct kb_err *err);

#endif
