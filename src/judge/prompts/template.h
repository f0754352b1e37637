#ifndef KB_PROMPTS_TEMPLATE_H
#define KB_PROMPTS_TEMPLATE_H

#include <stddef.h>

struct kb_buf;
struct kb_err;

/*
 * Text with placeholders, as Python's str.format() has them: {name}, and {{ and
 * }} for braces. The replacement of a placeholder is not searched for further
 * placeholders. Conversions, formats and attributes are refused.
 */
struct kb_placeholder {
	const char *name;
	const char *value;		/* NULL: not there */
};

/* Append `text` to `out` with the values of `with`, which ends with one
 * without a name. Fails with KB_ERR_INPUT. */
int kb_template_fill(struct kb_buf *out, const char *text,
		     const struct kb_placeholder with[], struct kb_err *err);

/* Append `len` bytes without white space at either end, as str.strip() of
 * ASCII has it. */
void kb_template_strip(struct kb_buf *out, const char *text, size_t len);

#endif
