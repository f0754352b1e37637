#include "verify/known_suites.h"

#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "manifest/audit.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/generation.h"
#include "manifest/suite.h"
#include "store/bundle.h"
#include "verify/checks.h"
#include "verify/lineage.h"

#define add(c, answer, ...)						\
	kb_checks_add(c, KB_LAYER_CHAIN, "name", answer, __VA_ARGS__)

/* As kb-pack suite makes them of problems/, but for the demo, whose name is
 * anybody's; those of releases before stay. */
static const struct {
	const char *name, *id;
} known[] = {
	{ "kernelbench", "19c8459dddd6fe595f2b28840ad47cee81ce35b2317cae5ad7e8"
			 "f26c3c223a2b" },
	{ "kernelbench-v3", "cd211772dfb1d94738296124b7e46b1ae3b57aa4254b307361"
			    "72c66c1b418f8c" },
};

/* The suite that `l` is about; NULL if it has none. */
static const struct kb_digest *suite_of(const struct kb_lineage *l,
					const struct kb_bundle *b)
{
	if (!l->suite)
		return NULL;
	if (l->kind == KB_KIND_SUITE)
		return &b->id;
	if (l->evaluation)
		return &l->evaluation->suite;
	if (l->kind == KB_KIND_GENERATION)
		return &l->generation->asked.suite;
	if (l->audit)
		return &l->audit->suite;
	return l->baseline ? &l->baseline->suite : NULL;
}

void kb_known_suites_check(struct kb_checks *c, const struct kb_lineage *l,
			   const struct kb_bundle *b)
{
	const struct kb_digest *id = suite_of(l, b);
	char hex[KB_DIGEST_HEX_SIZE];
	bool is_called = false;

	if (!id)
		return;
	kb_digest_format(id, hex);
	for (size_t i = 0; i < KB_ARRAY_LEN(known); i++) {
		if (!strcmp(known[i].id, hex)) {
			add(c, KB_ANSWER_OK, "the suite is '%s', as this kb "
			    "brings it", known[i].name);
			return;
		}
		is_called |= !strcmp(known[i].name, l->suite->name);
	}
	if (is_called)
		add(c, KB_ANSWER_NOTE, "the suite calls itself '%s', and is "
		    "not the one that this kb brings: %s", l->suite->name, hex);
}
