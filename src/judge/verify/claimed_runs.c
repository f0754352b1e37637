#include "verify/claimed_runs.h"

#include <search.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/err.h"
#include "verify/checks.h"
#include "verify/trials.h"

struct claim {
	uint64_t mark;
	struct kb_digest id;
};

static int compare_claims(const void *pa, const void *pb)
{
	const struct claim *a = pa, *b = pb;

	return (a->mark > b->mark) - (a->mark < b->mark);
}

/* The bundle that first claimed the mark: `id`, if no other did. */
static const struct kb_digest *claim_mark(struct kb_claimed_runs *c,
					  uint64_t mark,
					  const struct kb_digest *id)
{
	struct claim *own = kb_xcalloc(1, sizeof(*own));
	struct claim **found;

	own->mark = mark;
	own->id = *id;
	found = tsearch(own, &c->by_mark, compare_claims);
	if (!found)
		KB_BUG("out of memory");
	if (*found != own)
		free(own);
	return &(*found)->id;
}

const struct kb_digest *kb_claimed_runs_add(struct kb_claimed_runs *c,
					    const struct kb_trial_lines *l,
					    const struct kb_digest *id)
{
	const struct kb_digest *other = NULL;

	for (size_t i = 0; i < l->mark_count; i++) {
		const struct kb_digest *first = claim_mark(c, l->marks[i], id);

		if (!other && !kb_digest_equal(first, id))
			other = first;
	}
	return other;
}

void kb_claimed_runs_check(struct kb_checks *checks, struct kb_claimed_runs *c,
			   const struct kb_trial_lines *l,
			   const struct kb_digest *id)
{
	const struct kb_digest *other = kb_claimed_runs_add(c, l, id);
	char hex[KB_DIGEST_HEX_SIZE];

	if (!other)
		return;
	kb_digest_format(other, hex);
	kb_checks_add(checks, KB_LAYER_PLAUSIBILITY, "seeds", KB_ANSWER_NOTE,
		      "it has seeds or samples of evaluation %s, and so the "
		      "same runs",
		      hex);
}

void kb_claimed_runs_release(struct kb_claimed_runs *c)
{
	tdestroy(c->by_mark, free);
	c->by_mark = NULL;
}
