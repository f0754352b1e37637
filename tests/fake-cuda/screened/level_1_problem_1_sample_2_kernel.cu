#include <unistd.h>

/* Right, and has more than half of the device's memory for a while: beside another
 * one it gets none, and says that it failed. */
int kb_forward(const struct kb_native_call *call)
{
	static uint64_t address;
	int (*allocate)(uint64_t *, size_t) = gpu_driver("cuMemAlloc_v2");
	struct test_scale a = gpu_scale(call);

	if (!address) {
		if (allocate(&address, (size_t)1200 << 20))
			return KB_NATIVE_FAILED;
		usleep(500000);
	}
	a.busy_ns = 100 * MICROSECONDS;
	gpu_launch("test_scale", &a, call->stream);
	return KB_NATIVE_OK;
}
