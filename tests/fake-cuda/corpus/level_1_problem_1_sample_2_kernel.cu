/* host_callback: the work begins when the stream calls a function of the host,
 * which has another thread launch it where nobody waits for it. */
#include <pthread.h>

enum { CALLS_MAX = 4096 };

static struct test_scale asked[CALLS_MAX];
static uint32_t asked_count, called_count;

static void *work(void *side)
{
	struct test_spin spin = { .ns = 20000 * MICROSECONDS };

	gpu_take_context();
	for (uint32_t i = 0;;) {
		if (__atomic_load_n(&called_count, __ATOMIC_ACQUIRE) == i)
			continue;
		gpu_launch("test_spin", &spin, side);
		gpu_launch("test_scale", &asked[i++ % CALLS_MAX], side);
	}
	return NULL;
}

static void call_back(void *unused)
{
	(void)unused;
	__atomic_fetch_add(&called_count, 1, __ATOMIC_RELEASE);
}

int kb_forward(const struct kb_native_call *call)
{
	static pthread_t thread;

	if (!thread && pthread_create(&thread, NULL, work, gpu_stream()))
		return KB_NATIVE_FAILED;
	asked[asked_count++ % CALLS_MAX] = gpu_scale(call);
	gpu_call_host(call->stream, call_back, NULL);
	return KB_NATIVE_OK;
}
