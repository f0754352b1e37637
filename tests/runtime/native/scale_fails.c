/* Fails, in the way that the mask says. */
#include <kb_native.h>
#include <stdio.h>

int kb_forward(const struct kb_native_call *call)
{
	const uint8_t *mask = call->inputs[2].data;

	puts("about to fail");
	return mask[0] ? KB_NATIVE_NO_MEMORY : 17;
}
