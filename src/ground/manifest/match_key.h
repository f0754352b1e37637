#ifndef KB_MANIFEST_MATCH_KEY_H
#define KB_MANIFEST_MATCH_KEY_H

#include <stddef.h>

struct kb_fields;
struct kb_json;

/*
 * The match key: the part of an environment that makes two times
 * comparable, as a flat object of strings. Times whose keys differ are not
 * divided by each other unless the user says so, field by field.
 */

/* A field that differs; NULL on the side that does not have it. */
struct kb_mismatch {
	char *field;
	char *left;
	char *right;
};

struct kb_mismatches {
	struct kb_mismatch *items;	/* sorted by field */
	size_t count;
};

#define KB_MISMATCHES_INIT { .items = NULL }

void kb_mismatches_release(struct kb_mismatches *m);

/*
 * Every field in which two match keys differ; both must be flat objects of
 * strings. `out->count` is 0 if times made under the one may be divided by
 * times made under the other.
 */
void kb_match_key_diff(struct kb_mismatches *out, const struct kb_json *left,
		       const struct kb_json *right);

/*
 * In a score's record: [{"field", "evaluation", "baseline"}, ...], of
 * which the evaluation is `left`. Reading may leave `out` filled in part
 * if `f` fails; the caller releases it.
 */
struct kb_json *kb_mismatches_to_json(const struct kb_mismatches *m);
void kb_mismatches_read(struct kb_mismatches *out, struct kb_fields *f,
			const char *key);

static inline void kb_cleanup_mismatches(struct kb_mismatches *m)
{
	kb_mismatches_release(m);
}

#endif
