/* Its kernel does not end, from its first call on. */
int kb_forward(const struct kb_native_call *call)
{
	struct test_none none = { 0 };

	gpu_launch("test_hang", &none, call->stream);
	return KB_NATIVE_OK;
}
