/* Looks at its inputs from the host, which has none of them. */
int kb_forward(const struct kb_native_call *call)
{
	const volatile float *in = call->inputs[0].data;

	return in[0] > 2 ? KB_NATIVE_FAILED : KB_NATIVE_OK;
}
