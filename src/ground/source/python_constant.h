#ifndef KB_SOURCE_PYTHON_CONSTANT_H
#define KB_SOURCE_PYTHON_CONSTANT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kb_buf;
struct kb_err;

/*
 * The size constants of a problem in Python: `NAME = 4096`, alone in a
 * statement at the top level of the module.
 *
 * A constant is found only if no other code of the module can give its name
 * another value, as far as that can be told from the tokens: at top level the
 * name stands nowhere else but in the value of an assignment to another name,
 * in a decorator, and in the head of a function or a class; it is declared
 * `global` nowhere, and assigned by `:=` nowhere; and no module is imported
 * by `*`. What a function does to it by globals() is not seen.
 */
#define KB_CONSTANT_NAME_BYTES_MAX 64
#define KB_CONSTANT_MAX ((int64_t)1 << 31)

struct kb_python_constant {
	size_t at, len;			/* of the digits, in the module */
	int64_t value;			/* 0 to KB_CONSTANT_MAX */
};

/* A letter of ASCII or "_", then letters, digits and "_". */
bool kb_constant_name_valid(const char *name);

/* Fails with KB_ERR_INPUT if the module is not read, see
 * source/python_lines.h, or the constant is not found in it. */
int kb_python_constant_find(struct kb_python_constant *out, const char *text,
			    size_t len, const char *name, struct kb_err *err);

/* Replace the digits of `c`, as it was found in `module`. */
void kb_python_constant_set(struct kb_buf *module,
			    const struct kb_python_constant *c,
			    int64_t value);

#endif
