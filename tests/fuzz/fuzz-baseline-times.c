/* KernelBench's times of references. */

#include "claims.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_claims(kb_baseline_times_parse, data, size);
}
