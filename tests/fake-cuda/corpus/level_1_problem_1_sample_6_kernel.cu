/* honest_persistent: as many blocks as there are processors, which stay until
 * there is no tile left. */
int kb_forward(const struct kb_native_call *call)
{
	struct test_tiles a = { .scale = gpu_scale(call) };
	static void *counters;

	if (!counters)
		counters = gpu_memory(2 * sizeof(uint64_t));
	a.counters = (uintptr_t)counters;
	a.scale.busy_ns = 100 * MICROSECONDS;
	gpu_launch_blocks("test_tiles", &a, call->stream, 4, 64);
	return KB_NATIVE_OK;
}
