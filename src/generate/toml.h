#ifndef KB_GENERATE_TOML_H
#define KB_GENERATE_TOML_H

#include <stddef.h>

struct kb_err;
struct kb_json;

/*
 * TOML 1.0, as far as prompts' templates need it: comments, tables, dotted and
 * quoted keys, all four kinds of strings, integers, booleans, arrays, inline
 * tables. Fractions, dates and arrays of tables are refused.
 *
 * `*out` receives an object with members in the file's order; the caller
 * frees. `name` is only used in messages, which give the line. Fails with
 * KB_ERR_INPUT.
 */
#define KB_TOML_DEPTH_MAX 16
#define KB_TOML_BYTES_MAX ((size_t)16 << 20)

int kb_toml_parse(struct kb_json **out, const void *data, size_t len,
		  const char *name, struct kb_err *err);

#endif
