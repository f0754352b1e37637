/* honest_streams: a third of the work in each of three streams, which begin when
 * the call's stream is there, and for which it waits. */
enum { STREAMS = 3 };

static void *streams[STREAMS], *begun, *ended[STREAMS];

static void make_streams(void)
{
	begun = gpu_event();
	for (int i = 0; i < STREAMS; i++) {
		streams[i] = gpu_stream();
		ended[i] = gpu_event();
	}
}

int kb_forward(const struct kb_native_call *call)
{
	const struct test_scale all = gpu_scale(call);

	if (!begun)
		make_streams();
	gpu_record(begun, call->stream);
	for (uint64_t i = 0, first = 0; i < STREAMS; i++) {
		const uint64_t end = all.count * (i + 1) / STREAMS;
		struct test_scale a = all;

		a.busy_ns = 30 * MICROSECONDS;
		a.out += first * sizeof(float);
		a.in += first * sizeof(float);
		a.bias += first * sizeof(float);
		a.count = end - first;
		first = end;
		gpu_wait_event(streams[i], begun);
		gpu_launch("test_scale", &a, streams[i]);
		gpu_record(ended[i], streams[i]);
		gpu_wait_event(call->stream, ended[i]);
	}
	return KB_NATIVE_OK;
}
