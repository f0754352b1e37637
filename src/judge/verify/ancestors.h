#ifndef KB_VERIFY_ANCESTORS_H
#define KB_VERIFY_ANCESTORS_H

#include <stddef.h>

#include "manifest/record.h"

struct kb_checks;
struct kb_err;
struct kb_lineage;

/*
 * A record is as good as all that it stands on: its parents, their parents, and
 * so on. Each that is in `store` is asked all layers but signatures, once. What
 * says no of it, and which of its own parents is absent, is added to `c` in its
 * layer, by the check's own name, as "of the <kind>: <words>"; if nothing says
 * no, one check "ancestors" of the layer "chain" tells how many were asked.
 *
 * Left out is what kb_layers_check_record() asks of `l` itself: a suite that is
 * not derived and a submission that was made of no generation, of which there
 * is no more to ask than that they are read, and the evaluation and the
 * baseline of a score.
 *
 * Fails only with what says nothing of a bundle, such as KB_ERR_SYS.
 */
int kb_ancestors_check(struct kb_checks *c, const struct kb_lineage *l,
		       const char *store, struct kb_err *err);

/* The same of `from` and all that these stand on. */
int kb_ancestors_check_from(struct kb_checks *c, const struct kb_parent from[],
			    size_t count, const char *store,
			    struct kb_err *err);

#endif
