#ifndef KB_SIGN_STATEMENT_H
#define KB_SIGN_STATEMENT_H

#include <stddef.h>

#include "manifest/record.h"
#include "store/digest.h"

struct kb_buf;
struct kb_bundle;
struct kb_err;
struct kb_json;

/*
 * A signed statement: an in-toto Statement, v1, about one bundle. kb-sign(1)
 * specifies it.
 *
 *	{"_type":"https://in-toto.io/Statement/v1",
 *	 "predicate":{"kind":"suite","parents":[],"schema_version":1,
 *		      "time":null,"tool":{...}},
 *	 "predicateType":"urn:kb:signed-bundle:v1",
 *	 "subject":[{"digest":{"sha256":"<id>"},"name":"<id>"}]}
 *
 * The predicate begins as the bundle's record does, adds who signs, and
 * when, if that is to be told. Canonical JSON, and no other member: what
 * kb_statement_parse() takes is what kb_statement_print() writes.
 */

#define KB_STATEMENT_TYPE "https://in-toto.io/Statement/v1"
#define KB_STATEMENT_PREDICATE_TYPE "urn:kb:signed-bundle:v1"

struct kb_statement {
	struct kb_digest id;		/* of the bundle */
	enum kb_kind kind;
	struct kb_parent parents[KB_PARENTS_MAX];
	size_t parent_count;
	struct kb_json *tool;		/* see manifest/tool.h */
	char *time;			/* "2026-11-21T12:00:00Z", or NULL */
};

#define KB_STATEMENT_INIT { .tool = NULL }

void kb_statement_release(struct kb_statement *s);

/*
 * Fill in what `b` says of itself: all but `tool` and `time`. Fails as
 * kb_record_load() and kb_record_head().
 */
int kb_statement_of(struct kb_statement *s, const struct kb_bundle *b,
		    struct kb_err *err);

/*
 * `s` is about `b`. `name` is that of the statement, for messages.
 *
 * Fails with KB_ERR_INPUT if it is not; else as kb_statement_of().
 */
int kb_statement_check(const struct kb_statement *s, const struct kb_bundle *b,
		       const char *name, struct kb_err *err);

/* Append it, without a line end. `tool` is set. */
void kb_statement_print(struct kb_buf *out, const struct kb_statement *s);

/* From bytes. `out` needs no release on failure. Fails with KB_ERR_INPUT. */
int kb_statement_parse(struct kb_statement *out, const void *data, size_t len,
		       const char *name, struct kb_err *err);

static inline void kb_cleanup_statement(struct kb_statement *s)
{
	kb_statement_release(s);
}

#endif
