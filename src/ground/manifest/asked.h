#ifndef KB_MANIFEST_ASKED_H
#define KB_MANIFEST_ASKED_H

#include <stdbool.h>

#include "manifest/backend.h"
#include "manifest/key.h"
#include "manifest/refinement.h"
#include "manifest/usage.h"

struct kb_fields;
struct kb_json;

/* How all requests are made. `sampling` is a JSON object, as text: the
 * members of a request's body beside "messages", "model" and "seed". */
struct kb_asked {
	struct kb_digest suite;		/* parent */
	struct kb_json *options;	/* name -> value as text */
	char *model;
	enum kb_backend backend;
	struct kb_digest templates;	/* of the prompts' templates' file */
	char *hardware;			/* whose facts prompts have: a GPU's
					   name or a baseline's id, or NULL */
	char *sampling;
	int64_t seed;			/* of sample 0, or KB_UNKNOWN: none */
	int samples;			/* of each problem */
	struct kb_prices prices;
	struct kb_key *problems;	/* sorted */
	size_t problem_count;
	bool has_refinement;		/* more than one turn */
	struct kb_refinement refinement;	/* if so */
	bool has_baseline;		/* parent: what times are compared */
	struct kb_digest baseline;	/* with, if there is a refinement */
};

#define KB_ASKED_INIT { .seed = KB_UNKNOWN, .prices = KB_PRICES_INIT,	\
			.refinement = KB_REFINEMENT_INIT }

void kb_asked_release(struct kb_asked *a);

/* Print what all requests have in common as members of `record`, and read it.
 * If `f` has failed `a` may be filled in part; the caller releases it. */
void kb_asked_to_json(struct kb_json *record, const struct kb_asked *a);
void kb_asked_read(struct kb_asked *a, struct kb_fields *f);

static inline void kb_cleanup_asked(struct kb_asked *a)
{
	kb_asked_release(a);
}

#endif
