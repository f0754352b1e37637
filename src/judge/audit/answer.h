#ifndef KB_AUDIT_ANSWER_H
#define KB_AUDIT_ANSWER_H

#include <stddef.h>

struct kb_audit_line;
struct kb_err;

#define KB_AUDIT_ANSWER_BYTES_MAX ((size_t)16 << 20)

/*
 * The answer of kb_torch_audit.py: one JSON object with three members.
 *
 *	failure		null, or {"status", "phase", "detail"}
 *	evidence	null if and only if there is a failure
 *	reduced		null, or the names that were set: text to text
 *
 * It is written by the process that runs the problem, so it is refused
 * unless it is exactly that. Fills in `l`: the outcome's status, phase and
 * detail; `evidence`; `reduced`. What is in them already is kept if the
 * answer is refused, and lost if not. Fails with KB_ERR_INPUT.
 */
int kb_audit_answer_parse(struct kb_audit_line *l, const void *data,
			  size_t len, struct kb_err *err);

#endif
