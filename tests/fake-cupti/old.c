/* A CUPTI of before the range profiler: it has the first function that is
 * looked for, and no other. */

#include "cuda/cupti_api.h"

kb_cupti_result cuptiGetVersion(uint32_t *version)
	__attribute__((visibility("default")));
kb_cupti_result cuptiGetVersion(uint32_t *version)
{
	*version = 12;
	return KB_CUPTI_SUCCESS;
}
