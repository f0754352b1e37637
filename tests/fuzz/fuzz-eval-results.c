/*
 * Any bytes as KernelBench's results. What is taken are problems and
 * times whose quotients are numbers.
 */

#include <math.h>
#include <stdint.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "exchange/claims.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define must(cond)						\
	do {							\
		if (!(cond))					\
			KB_BUG("not true: " #cond);		\
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	kb_auto(claims) struct kb_claims c = KB_CLAIMS_INIT;
	struct kb_upstream u = { .at_least = false };
	struct kb_err err = KB_ERR_INIT;
	int ret = kb_eval_results_parse(&c, 1, data, size, "fuzz", &err);

	must((ret == 0) == (err.kind == 0));
	must(ret == 0 || ret == -KB_ERR_INPUT);
	if (ret < 0)
		return 0;
	for (size_t i = 0; i < c.count; i++) {
		const struct kb_claim *item = &c.items[i];

		must(item->key.level >= 1 && item->key.level <= KB_LEVEL_MAX);
		must(item->key.problem_id >= 1 &&
		     item->key.problem_id <= KB_PROBLEM_ID_MAX);
		must(isfinite(item->says.baseline_ms) &&
		     item->says.baseline_ms >= 0);
		must(!item->says.correct ||
		     fabs(item->says.runtime_ms) >= KB_CLAIM_MIN);
		kb_upstream_add(&u, &item->says);
	}
	must(u.problems == (int64_t)c.count);
	must(kb_upstream_geomean(&u, 1000000) >= 0 ||
	     kb_upstream_geomean(&u, 1000000) == KB_UNKNOWN);
	return 0;
}
