/* honest_pdl: the second kernel may begin while the first one ends. */
int kb_forward(const struct kb_native_call *call)
{
	struct test_scale a = gpu_scale(call), half = a;
	static void *between;

	if (!between)
		between = gpu_memory(a.count * sizeof(float));
	half.out = (uintptr_t)between;
	half.bias = 0;
	half.offset = 0;
	half.busy_ns = 50 * MICROSECONDS;
	gpu_launch("test_scale", &half, call->stream);
	a.in = (uintptr_t)between;
	a.scale = 1;
	a.busy_ns = 50 * MICROSECONDS;
	gpu_launch_dependent("test_scale", &a, call->stream);
	return KB_NATIVE_OK;
}
