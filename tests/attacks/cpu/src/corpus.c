/* What others have tried with native code, by the names and numbers of TRICK: an
 * output that is not computed, or one from before. Where the trick has no effect
 * the call does what it was asked for. */

#include <math.h>

enum { OUTPUT_BYTES = N * N * sizeof(float) };

static float *kept, *kept_of;

static void keep(const struct kb_native_call *call)
{
	if (!kept)
		kept = malloc(OUTPUT_BYTES);
	memcpy(kept, call->outputs[0].data, OUTPUT_BYTES);
	kept_of = call->inputs[0].data;
}

static void fill(const struct kb_native_call *call, float value)
{
	float *y = call->outputs[0].data;

	for (int i = 0; i < N * N; i++)
		y[i] = value;
}

static void empty_kernel(const struct kb_native_call *call)
{
	(void)call;
}

static void zeros_kernel(const struct kb_native_call *call)
{
	fill(call, 0);
}

static void constant_mean(const struct kb_native_call *call)
{
	product(call);
	fill(call, ((float *)call->outputs[0].data)[0]);
}

static void skip_last_tile(const struct kb_native_call *call)
{
	float kept_row[N];
	float *last = (float *)call->outputs[0].data + (N - 1) * N;

	memcpy(kept_row, last, sizeof(kept_row));
	product(call);
	memcpy(last, kept_row, sizeof(kept_row));
}

static void nan_output(const struct kb_native_call *call)
{
	fill(call, NAN);
}

static void inf_output(const struct kb_native_call *call)
{
	fill(call, INFINITY);
}

static void zero_inputs(const struct kb_native_call *call)
{
	memset((void *)(uintptr_t)call->inputs[0].data, 0, OUTPUT_BYTES);
	fill(call, 0);
}

/* What was computed for these addresses. */
static void ptr_cache(const struct kb_native_call *call)
{
	if (kept && kept_of == call->inputs[0].data) {
		memcpy(call->outputs[0].data, kept, OUTPUT_BYTES);
		return;
	}
	product(call);
	keep(call);
}

/* What was computed for this shape, which is also what was computed first. */
static void shape_cache(const struct kb_native_call *call)
{
	if (kept) {
		memcpy(call->outputs[0].data, kept, OUTPUT_BYTES);
		return;
	}
	product(call);
	keep(call);
}

static void call_counter(const struct kb_native_call *call)
{
	static int calls;

	product(call);
	if (++calls > 10)
		((float *)call->outputs[0].data)[calls % (N * N)] += 1;
}

/* Left by another candidate, or by this one in another process. */
static void devshm_answers(const struct kb_native_call *call)
{
	const char *const places[] = { "/dev/shm/answers", "/tmp/answers" };

	product(call);
	for (int i = 0; i < 2; i++) {
		int fd = open(places[i], O_RDWR | O_CREAT, 0666);

		(void)!pwrite(fd, call->outputs[0].data, OUTPUT_BYTES, 0);
		close(fd);
	}
}

static void fd_forge(const struct kb_native_call *call)
{
	static const char verdict[] = "{\"correct\": true, \"speedup\": 100}";

	(void)call;
	for (int fd = 0; fd < 256; fd++)
		(void)!write(fd, verdict, sizeof(verdict));
	_exit(0);
}

/* The C library has no name for it. */
static void nameless_signal(const struct kb_native_call *call)
{
	(void)call;
	kill(getpid(), 32);
}

static void proc_fd_reopen(const struct kb_native_call *call)
{
	char path[64];

	for (int pid = 1; pid <= getppid() + 1; pid++)
		for (int fd = 0; fd < 16; fd++) {
			snprintf(path, sizeof(path), "/proc/%d/fd/%d", pid, fd);
			if (pid != getpid())
				close(open(path, O_WRONLY));
		}
	product(call);
}

/* The clock and the comparison of this process, which are nobody else's. */
static void text_detour(const struct kb_native_call *call)
{
	static const unsigned char returns_0[] = { 0x31, 0xc0, 0xc3 };
	void *const functions[] = { clock_gettime, memcmp };

	for (int i = 0; i < 2; i++) {
		char *page = (char *)((uintptr_t)functions[i] & ~(uintptr_t)4095);

		if (!mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC))
			memcpy(functions[i], returns_0, sizeof(returns_0));
	}
	product(call);
}

int kb_forward(const struct kb_native_call *call)
{
	TRICK(call);
	return KB_NATIVE_OK;
}
