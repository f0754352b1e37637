/* Right, and so quick that it is timed in small batches as well. */
int kb_forward(const struct kb_native_call *call)
{
	struct test_scale a = gpu_scale(call);

	a.busy_ns = 100 * MICROSECONDS;
	gpu_launch("test_scale", &a, call->stream);
	return KB_NATIVE_OK;
}
