#ifndef KB_DEVICE_TEXT_FACT_H
#define KB_DEVICE_TEXT_FACT_H

#include <stddef.h>

struct kb_buf;
struct kb_err;

/*
 * Facts in the texts that systems describe themselves with. Values are
 * printable ASCII, so that a record can hold them, without blanks at their
 * ends, and not empty. `name` is that of the text, for messages.
 *
 * Each appends the value to `out`. All fail with KB_ERR_MISSING if it is
 * not there, and with KB_ERR_INPUT if it is, but not in the form given;
 * then `out` is as it was.
 */

/* The first line "<field> : <value>", as in /proc/cpuinfo. */
int kb_text_fact_field(struct kb_buf *out, const void *text, size_t len,
		       const char *field, const char *name,
		       struct kb_err *err);

/* The first line, as in most files of /sys. */
int kb_text_fact_line(struct kb_buf *out, const void *text, size_t len,
		      const char *name, struct kb_err *err);

/*
 * The last assignment to `variable` in the shell syntax of os-release(5):
 * a bare word, '...' or "..." with \ before \ " $ or `. What a shell would
 * expand is refused.
 */
int kb_text_fact_variable(struct kb_buf *out, const void *text, size_t len,
			  const char *variable, const char *name,
			  struct kb_err *err);

#endif
