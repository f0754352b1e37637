/* Takes all memory that there is, and is right. */
int kb_forward(const struct kb_native_call *call)
{
	int (*allocate)(uint64_t *, size_t) = gpu_driver("cuMemAlloc_v2");
	struct test_scale a = gpu_scale(call);
	uint64_t address;

	for (size_t bytes = (size_t)1 << 30; bytes >= 4096; bytes /= 2)
		while (!allocate(&address, bytes))
			;
	a.busy_ns = 100 * MICROSECONDS;
	gpu_launch("test_scale", &a, call->stream);
	return KB_NATIVE_OK;
}
