#ifndef KB_AUDIT_REDUCED_H
#define KB_AUDIT_REDUCED_H

#include <stddef.h>

struct kb_err;

#define KB_REDUCED_BYTES_MAX ((size_t)1 << 20)

/*
 * Reduced forms of problems: {"1/12": {"n": 32}, ...}, for each problem the
 * names of its file that are set, before its module is built, and to what:
 * any JSON. It is the runtime that sets them; here it is only said early if
 * the file makes no sense. Fails with KB_ERR_INPUT.
 */
int kb_reduced_check(const void *data, size_t len, const char *name,
		     struct kb_err *err);

#endif
