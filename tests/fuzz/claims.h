#ifndef KB_TESTS_FUZZ_CLAIMS_H
#define KB_TESTS_FUZZ_CLAIMS_H

/*
 * What the targets of import/claims.h have in common: any bytes as a file
 * of other people's results. What is taken are problems, and times whose
 * quotients are numbers.
 */

#include <math.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "fuzz/must.h"
#include "import/claims.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_claim(const struct kb_claim *c)
{
	must(c->key.level >= 1 && c->key.level <= KB_LEVEL_MAX);
	must(c->key.problem_id >= 1 &&
	     c->key.problem_id <= KB_PROBLEM_ID_MAX);
	must(isfinite(c->says.baseline_ms) && c->says.baseline_ms >= 0);
	must(!c->says.correct || fabs(c->says.runtime_ms) >= KB_CLAIM_MIN);
}

static void check_claims(const struct kb_claims *c)
{
	struct kb_upstream u = { 0 };

	for (size_t i = 0; i < c->count; i++) {
		check_claim(&c->items[i]);
		kb_upstream_add(&u, &c->items[i].says);
	}
	must(u.problems == (int64_t)c->count);
	must(kb_upstream_geomean(&u, 1000000) >= 0 ||
	     kb_upstream_geomean(&u, 1000000) == KB_UNKNOWN);
}

/* What a parser, which has this form, makes of the bytes. */
static int fuzz_claims(int (*parse)(struct kb_claims *out, const void *data,
				    size_t len, const char *name,
				    struct kb_err *err),
		       const uint8_t *data, size_t size)
{
	kb_auto(claims) struct kb_claims c = KB_CLAIMS_INIT;
	struct kb_err err = KB_ERR_INIT;
	int ret = parse(&c, data, size, "fuzz", &err);

	must((ret == 0) == (err.kind == 0));
	must(ret == 0 || ret == -KB_ERR_INPUT);
	if (ret == 0)
		check_claims(&c);
	return 0;
}

#endif
