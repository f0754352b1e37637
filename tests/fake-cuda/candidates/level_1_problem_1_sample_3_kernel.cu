/* Its kernel stores where nothing is. */
int kb_forward(const struct kb_native_call *call)
{
	struct test_none none = { 0 };

	gpu_launch("test_fault", &none, call->stream);
	return KB_NATIVE_OK;
}
