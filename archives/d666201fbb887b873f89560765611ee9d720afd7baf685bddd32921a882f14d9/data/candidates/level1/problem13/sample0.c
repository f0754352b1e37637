/* expected: run_failed; returns an error */
#include <kb_native.h>

int kb_forward(const struct kb_native_call *call)
{
	(void)call;
	return KB_NATIVE_FAILED;
}
