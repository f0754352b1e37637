/* stale_graph_replay: captures what it does for the first call, and does that for
 * all others. */
int kb_forward(const struct kb_native_call *call)
{
	struct test_scale a = gpu_scale(call);
	static void *graph;

	a.busy_ns = 100 * MICROSECONDS;
	if (!graph)
		graph = gpu_captured("test_scale", &a, gpu_stream());
	gpu_replay(graph, call->stream);
	return KB_NATIVE_OK;
}
