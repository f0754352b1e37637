#ifndef KB_MANIFEST_SPENT_H
#define KB_MANIFEST_SPENT_H

#include <stdbool.h>

#include "manifest/usage.h"
#include "store/digest.h"

struct kb_fields;
struct kb_generation;
struct kb_json;

/*
 * The cost of a score's candidates: of their whole generation. The member
 * "spent" of a score's record, if there was one to say.
 */
struct kb_spent {
	struct kb_digest generation;
	int64_t requests;
	struct kb_usage usage;
	int64_t without_usage;		/* answers that do not say */
	char *currency;			/* NULL: there are no prices */
	int64_t cost_nano;		/* or KB_UNKNOWN */
};

#define KB_SPENT_INIT { .usage = KB_USAGE_INIT, .cost_nano = KB_UNKNOWN }

void kb_spent_release(struct kb_spent *s);
void kb_spent_copy(struct kb_spent *out, const struct kb_spent *s);

/* By the sums of `g`, whose bundle is called `id`. */
void kb_spent_of(struct kb_spent *out, const struct kb_generation *g,
		 const struct kb_digest *id);
bool kb_spent_equal(const struct kb_spent *a, const struct kb_spent *b);

struct kb_json *kb_spent_to_json(const struct kb_spent *s);

/* The member `key`. If `f` has failed `s` may be filled in part; the caller
 * releases it. */
void kb_spent_read(struct kb_spent *s, struct kb_fields *f, const char *key);

static inline void kb_cleanup_spent(struct kb_spent *s)
{
	kb_spent_release(s);
}

#endif
