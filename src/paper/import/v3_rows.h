#ifndef KB_IMPORT_V3_ROWS_H
#define KB_IMPORT_V3_ROWS_H

#include <stddef.h>

struct kb_claims;
struct kb_err;
struct kb_json;

/*
 * A row of KernelBench v3, whatever the file spells it as: "model", "gpu",
 * "problem", "level", "compiled", "correct", "speedup". What they have in
 * common is remembered between them.
 */
struct kb_v3_name;

struct kb_v3_rows {
	struct kb_claims *out;		/* borrowed */
	char *model, *gpu;		/* of the first row */
	struct kb_v3_name *names;	/* of all problems */
	size_t count, capacity;
};

void kb_v3_rows_release(struct kb_v3_rows *r);

/* Fail with KB_ERR_INPUT: a row that is wrong, or of another model or GPU; a
 * problem that is there twice. */
int kb_v3_rows_add(struct kb_v3_rows *r, const struct kb_json *row,
		   const char *where, struct kb_err *err);
int kb_v3_rows_end(struct kb_v3_rows *r, const char *name, struct kb_err *err);

static inline void kb_cleanup_v3_rows(struct kb_v3_rows *r)
{
	kb_v3_rows_release(r);
}

#endif
