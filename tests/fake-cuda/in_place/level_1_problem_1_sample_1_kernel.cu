/* Leaves its answer where its input was, and gives what it finds there. */
int kb_forward(const struct kb_native_call *call)
{
	struct test_scale a = gpu_scale(call), found = a;

	found.bias = 0;
	found.scale = 1;
	found.offset = 0;
	gpu_launch("test_scale", &found, call->stream);
	a.out = a.in;
	gpu_launch("test_scale", &a, call->stream);
	return KB_NATIVE_OK;
}
