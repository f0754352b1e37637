/* Rows of KernelBench v3. */

#include "claims.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_claims(kb_v3_rows_parse, data, size);
}
