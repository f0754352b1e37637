/* Right, but waits for the device, so that calls cannot be queued, and looks
 * at its input there, where zeros are an error. */
int kb_forward(const struct kb_native_call *call)
{
	int (*read)(void *, uint64_t, size_t, void *) =
		gpu_driver("cuMemcpyDtoHAsync_v2");
	struct test_scale a = gpu_scale(call);
	float in[2];

	gpu_launch("test_scale", &a, call->stream);
	if (read(in, (uintptr_t)call->inputs[0].data, sizeof(in),
		 call->stream) || gpu_synchronize())
		return KB_NATIVE_FAILED;
	return in[0] == 0 && in[1] == 0 ? KB_NATIVE_FAILED : KB_NATIVE_OK;
}
