/*
 * What the candidates that look behind the gate have in common. A candidate
 * is one file: its line that includes this one is replaced by this text when
 * the submission is put together.
 *
 * The page that the supervisor shares with a worker is mapped in this
 * process. Candidates learn from it when the gate opens, and where to say
 * that the calls are done. Before a run the supervisor sets `done` to what
 * `go` is; the gate opens at the next value, and the one after it says that
 * the process may go on.
 */
#include <cuda_runtime.h>
#include <dlfcn.h>
#include <kb_native.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* First runs load and build. */
#define HONEST_BATCHES 3

/* More than a batch has. */
#define SLOTS_MAX 2048

/* What was queued without a gate is over by then. */
#define OPEN_GATE_NS 1000000

#define WAIT_GEQ 0u
#define WAIT_NONZERO 2u			/* any of the bits of the value */

struct control {
	alignas(64) volatile uint32_t go;
	alignas(64) volatile uint32_t done;
};

struct task {
	float *out;
	const float *in;
	uint64_t n;
};

typedef int stream_value32(cudaStream_t stream, unsigned long long address,
			   uint32_t value, unsigned flags);

static struct control *control;		/* as the host sees it */
static struct control *control_seen;	/* as the device does */
static cudaStream_t aside;		/* does not wait for other streams */
static cudaStream_t copies;		/* nor does this */
[[maybe_unused]] static stream_value32 *wait_value32, *write_value32;

static uint32_t batches;		/* begun, with the one under way */
static uint32_t calls;			/* of this batch, with this one */
static uint32_t ticket;			/* what `go` and `done` will be */
static bool trick;			/* queued behind a closed gate? */
[[maybe_unused]] static bool timed_call;	/* called behind one that is open? */
[[maybe_unused]] static uint32_t sizes[3]; /* of batches behind a gate: the
					   last, the one before, .. */
static uint32_t *told, *told_seen;	/* `calls`, for the device */
static struct task *noted, *noted_seen;	/* of this batch, likewise */

/* Of each slot that was seen; slots keep their addresses. */
[[maybe_unused]] static __device__ struct task tasks[SLOTS_MAX];

/* --- clocks ----------------------------------------------------------- */

[[maybe_unused]] static uint64_t host_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static __device__ uint64_t now_ns(void)
{
	uint64_t t;

	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
	return t;
}

/* One thread that waits. */
[[maybe_unused]] static __global__ void spin(uint64_t ns)
{
	const uint64_t start = now_ns();

	while (now_ns() - start < ns)
		;
}

/* --- work ------------------------------------------------------------- */

static __global__ void work(float *out, const float *in, uint64_t n)
{
	uint64_t step = (uint64_t)gridDim.x * blockDim.x;
	uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;

	for (; i < n; i += step)
		out[i] = in[i] * 2.0f + 1.0f;
}

[[maybe_unused]] static void work_on(const struct task *t, cudaStream_t stream)
{
	work<<<132 * 8, 256, 0, stream>>>(t->out, t->in, t->n);
}

/* All calls of the batch, by what the host has noted. */
[[maybe_unused]] static __global__ void
work_on_noted(const volatile struct task *list, const volatile uint32_t *count)
{
	const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
	__shared__ struct task t;
	__shared__ uint32_t tasks_count;

	if (!threadIdx.x)
		tasks_count = *count;
	__syncthreads();
	for (uint32_t k = 0; k < tasks_count; k++) {
		uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;

		__syncthreads();
		if (!threadIdx.x) {
			t.out = list[k].out;
			t.in = list[k].in;
			t.n = list[k].n;
		}
		__syncthreads();
		for (; i < t.n; i += step)
			t.out[i] = t.in[i] * 2.0f + 1.0f;
	}
}

/*
 * Says `done` so long after the gate has opened, if the batch is of one call.
 * The supervisor then sets out for the device before it is free.
 */
[[maybe_unused]] static __global__ void
announce(const volatile uint32_t *count, volatile uint32_t *done,
	 uint32_t ticket, uint64_t after_ns)
{
	const uint64_t start = now_ns();

	if (*count != 1)
		return;
	while (now_ns() - start < after_ns)
		;
	*done = ticket;
	__threadfence_system();
}

[[maybe_unused]] static void announce_aside(uint64_t after_ns)
{
	wait_value32(aside, (unsigned long long)&control_seen->go, ticket,
		     WAIT_GEQ);
	announce<<<1, 1, 0, aside>>>(told_seen, &control_seen->done, ticket,
				     after_ns);
}

/* --- finding things --------------------------------------------------- */

static bool find_control(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long start;
	char line[1024];

	while (maps && !control && fgets(line, sizeof(line), maps))
		if (strstr(line, "kb-control") && sscanf(line, "%lx", &start) == 1)
			control = (struct control *)start;
	if (maps)
		fclose(maps);
	if (!control)
		return false;
	if (cudaHostGetDevicePointer((void **)&control_seen, control, 0) ==
	    cudaSuccess)
		return true;
	cudaGetLastError();
	return cudaHostRegister(control, 4096, cudaHostRegisterMapped) ==
		       cudaSuccess &&
	       cudaHostGetDevicePointer((void **)&control_seen, control, 0) ==
		       cudaSuccess;
}

static bool find_driver(void)
{
	void *driver = dlopen("libcuda.so.1", RTLD_NOW);

	if (!driver)
		return false;
	wait_value32 = (stream_value32 *)dlsym(driver, "cuStreamWaitValue32_v2");
	write_value32 = (stream_value32 *)dlsym(driver, "cuStreamWriteValue32_v2");
	return wait_value32 && write_value32;
}

/* Memory of the host that the device sees. */
static bool make_shared(void *host, void *seen, size_t bytes)
{
	return cudaHostAlloc((void **)host, bytes, cudaHostAllocMapped) ==
		       cudaSuccess &&
	       cudaHostGetDevicePointer((void **)seen, *(void **)host, 0) ==
		       cudaSuccess;
}

/* The first launch of a kernel loads it, for which the device must be idle.
 * That is too late behind a closed gate. */
[[maybe_unused]] static bool load(const void *kernel)
{
	cudaFuncAttributes unused;

	return cudaFuncGetAttributes(&unused, kernel) == cudaSuccess;
}

static bool set_up(void)
{
	return find_control() && find_driver() &&
	       make_shared(&told, &told_seen, sizeof(*told)) &&
	       make_shared(&noted, &noted_seen, SLOTS_MAX * sizeof(*noted)) &&
	       cudaStreamCreateWithFlags(&aside, cudaStreamNonBlocking) ==
		       cudaSuccess &&
	       cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking) ==
		       cudaSuccess &&
	       load((const void *)work) && load((const void *)spin) &&
	       load((const void *)work_on_noted) && load((const void *)announce);
}

/* --- the worker's own functions --------------------------------------- */

/* A function of the driver in the worker's table, and what is called instead. */
struct hook {
	const char *symbol;
	void *real, *ours;
	bool done;
};

static int (*real_sync)(void);
[[maybe_unused]] static void (*before_sync)(void);

/* At the start of a run, and when the process may go on after one. */
static int our_sync(void)
{
	if (before_sync)
		before_sync();
	return cudaStreamSynchronize(cudaStreamLegacy) == cudaSuccess ?
		       0 : real_sync();
}

static int patch_object(struct dl_phdr_info *info, size_t, void *data)
{
	struct hook *h = (struct hook *)data;

	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		uintptr_t at = info->dlpi_addr + p->p_vaddr;
		const uintptr_t end = at + p->p_memsz;

		if (p->p_type != PT_LOAD || !(p->p_flags & PF_W))
			continue;
		for (at = (at + 7) & ~(uintptr_t)7; at + 8 <= end; at += 8)
			if (*(void **)at == h->real) {
				*(void **)at = h->ours;
				h->done = true;
			}
	}
	return 1;	/* of the program alone */
}

static bool find_hook(struct hook *h)
{
	h->real = dlsym(dlopen("libcuda.so.1", RTLD_NOW), h->symbol);
	if (h->real)
		dl_iterate_phdr(patch_object, h);
	if (!h->done)
		fprintf(stderr, "attack: the worker's %s was not found\n",
			h->symbol);
	return h->done;
}

/* Afterwards the worker waits for the legacy stream only. */
[[maybe_unused]] static bool hook_sync(void)
{
	static struct hook hook = { "cuCtxSynchronize", NULL, (void *)our_sync };

	if (!hook.done && find_hook(&hook))
		real_sync = (int (*)(void))hook.real;
	return hook.done;
}

/* --- a call ----------------------------------------------------------- */

/* To be said whenever the trick is really tried: an attack that never was
 * proves nothing. */
[[maybe_unused]] static void armed(void)
{
	static uint32_t times;

	times++;
	if (!(times & (times - 1)))
		fprintf(stderr, "attack: armed %u\n", times);
}

/* Is what is queued on the stream held up? */
static bool is_waiting(cudaStream_t stream)
{
	static cudaEvent_t here;
	const uint64_t start = host_ns();

	if (!here && cudaEventCreateWithFlags(&here, cudaEventDisableTiming) !=
			     cudaSuccess)
		return false;
	cudaEventRecord(here, stream);
	while (cudaEventQuery(here) == cudaErrorNotReady)
		if (host_ns() - start > OPEN_GATE_NS)
			return true;
	return false;
}

static void begin_batch(cudaStream_t stream)
{
	if (trick) {
		sizes[2] = sizes[1];
		sizes[1] = sizes[0];
		sizes[0] = calls;
	}
	batches++;
	calls = 0;
	ticket = control->done + 1;
	timed_call = control->go == ticket && batches > HONEST_BATCHES;
	trick = control->go != ticket && is_waiting(stream) &&
		batches > HONEST_BATCHES;
	cudaGetLastError();
}

/*
 * To be called first in each call: fills in `t` and the variables above.
 * A batch begins where the first slot comes again.
 */
[[maybe_unused]] static bool begin(const struct kb_native_call *call, struct task *t)
{
	static const void *first;

	t->out = (float *)call->outputs[0].data;
	t->in = (const float *)call->inputs[0].data;
	t->n = 1;
	for (uint32_t i = 0; i < call->inputs[0].ndim; i++)
		t->n *= call->inputs[0].dims[i];
	if (!first) {
		first = t->in;
		if (!set_up()) {
			fprintf(stderr, "attack: no way to the gate\n");
			return false;
		}
	}
	if (t->in == first)
		begin_batch((cudaStream_t)call->stream);
	if (calls == SLOTS_MAX)
		return false;
	noted[calls++] = *t;
	__atomic_store_n(told, calls, __ATOMIC_RELEASE);
	return true;
}

/* Into `tasks`. */
[[maybe_unused]] static void remember(const struct task *t)
{
	static uint32_t known;

	if (calls <= known)
		return;
	known = calls;
	cudaMemcpyToSymbolAsync(tasks, t, sizeof(*t), (calls - 1) * sizeof(*t),
				cudaMemcpyHostToDevice, copies);
	cudaStreamSynchronize(copies);
}

/* As it is in memory: a kernel may have begun before it was put there. */
[[maybe_unused]] static __device__ struct task recall(uint32_t k)
{
	const volatile struct task *t = &tasks[k];
	struct task copy = { t->out, t->in, t->n };

	return copy;
}

/*
 * Blocks behind a closed gate, so that no more than `most` calls a batch are
 * ever asked for. Did it?
 */
[[maybe_unused]] static bool refuse_above(uint32_t most)
{
	const uint64_t start = host_ns();

	if (!trick || calls <= most)
		return false;
	trick = false;
	while (control->go != ticket && host_ns() - start < 5000000000u)
		;
	return true;
}

/* Nanoseconds of what `launch` queues `aside`; to be asked in the first call,
 * when nothing waits. */
[[maybe_unused]] static uint64_t time_aside(void (*launch)(const struct task *t,
							   cudaStream_t stream),
					    const struct task *t)
{
	cudaEvent_t start, end;
	float ms = 0;

	cudaEventCreate(&start);
	cudaEventCreate(&end);
	for (int i = 0; i < 2; i++) {		/* the first one is cold */
		cudaEventRecord(start, aside);
		launch(t, aside);
		cudaEventRecord(end, aside);
		cudaStreamSynchronize(aside);
	}
	cudaEventElapsedTime(&ms, start, end);
	return (uint64_t)(ms * 1e6f);
}

[[maybe_unused]] static int result(void)
{
	const cudaError_t error = cudaGetLastError();

	if (error != cudaSuccess)
		fprintf(stderr, "attack: %s\n", cudaGetErrorString(error));
	return error == cudaSuccess ? KB_NATIVE_OK : KB_NATIVE_FAILED;
}
