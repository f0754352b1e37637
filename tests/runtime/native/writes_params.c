/* Parameters are in memory that cannot be written. */
#include <kb_native.h>

int kb_forward(const struct kb_native_call *call)
{
	((float *)call->params[0].data)[0] = 42;
	return KB_NATIVE_OK;
}
