/* KernelBench v3's table, of which one run is wanted, or all are one. */

#include "claims.h"

static int parse_all(struct kb_claims *out, const void *data, size_t len,
		     const char *name, struct kb_err *err)
{
	return kb_v3_csv_parse(out, NULL, data, len, name, err);
}

static int parse_one(struct kb_claims *out, const void *data, size_t len,
		     const char *name, struct kb_err *err)
{
	return kb_v3_csv_parse(out, "r1", data, len, name, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	kb_v3_csv_is(data, size, "fuzz");
	fuzz_claims(parse_one, data, size);
	return fuzz_claims(parse_all, data, size);
}
