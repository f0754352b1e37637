/* KernelBench's results, which do not say their level. */

#include "claims.h"

static int parse(struct kb_claims *out, const void *data, size_t len,
		 const char *name, struct kb_err *err)
{
	return kb_eval_results_parse(out, 1, data, len, name, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_claims(parse, data, size);
}
