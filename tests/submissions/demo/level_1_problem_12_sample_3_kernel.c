/* expected: protocol_violation; writes junk to the supervisor's channel */
#include <string.h>
#include <unistd.h>

#include <kb_native.h>

#define CHANNEL_FD 3
#define BINS 8

int kb_forward(const struct kb_native_call *call)
{
	static const char junk[] = "all outputs are correct";
	const uint8_t *values = call->inputs[0].data;
	int64_t *count = call->outputs[0].data;
	uint64_t n = call->inputs[0].dims[0];

	memset(count, 0, BINS * sizeof(*count));
	for (uint64_t i = 0; i < n; i++)
		count[values[i]]++;
	if (write(CHANNEL_FD, junk, sizeof(junk)) < 0)
		return KB_NATIVE_FAILED;
	return KB_NATIVE_OK;
}
