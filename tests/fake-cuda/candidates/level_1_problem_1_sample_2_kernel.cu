/* Writes an element too many. */
int kb_forward(const struct kb_native_call *call)
{
	struct test_scale a = gpu_scale(call);

	a.count++;
	gpu_launch("test_scale", &a, call->stream);
	return KB_NATIVE_OK;
}
