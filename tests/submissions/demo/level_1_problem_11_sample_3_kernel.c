/* expected: exited; ends its process in the middle of a call */
#include <stdlib.h>

#include <kb_native.h>

int kb_forward(const struct kb_native_call *call)
{
	(void)call;
	exit(0);
}
