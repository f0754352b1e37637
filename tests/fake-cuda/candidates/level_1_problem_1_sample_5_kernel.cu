/* Right, but waits for the device, so that calls cannot be queued. */
int kb_forward(const struct kb_native_call *call)
{
	struct test_scale a = gpu_scale(call);

	gpu_launch("test_scale", &a, call->stream);
	return gpu_synchronize() ? KB_NATIVE_FAILED : KB_NATIVE_OK;
}
