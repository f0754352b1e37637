/* honest_graph: a graph of the call's own pointers. */
int kb_forward(const struct kb_native_call *call)
{
	struct test_scale a = gpu_scale(call);
	static void *stream;

	if (!stream)
		stream = gpu_stream();
	a.busy_ns = 100 * MICROSECONDS;
	gpu_replay(gpu_captured("test_scale", &a, stream), call->stream);
	return KB_NATIVE_OK;
}
