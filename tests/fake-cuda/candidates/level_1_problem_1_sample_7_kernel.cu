/* Leaves its work to a stream that nobody waits for. */
int kb_forward(const struct kb_native_call *call)
{
	static uint32_t *word, calls;
	static void *side;
	struct test_spin spin = { .ns = 20000 * MICROSECONDS };
	struct test_scale a = gpu_scale(call);

	if (!side) {
		side = gpu_stream();
		word = gpu_word();
	}
	gpu_write(call->stream, word, ++calls);
	gpu_wait(side, word, calls);
	gpu_launch("test_spin", &spin, side);
	gpu_launch("test_scale", &a, side);
	return KB_NATIVE_OK;
}
