/*
 * Does the stand-in do what a GPU does, for one process? Run by `device`. Every
 * test has a process, so a context, of its own.
 */

#include "fake-cuda/selftest.h"

#include <dlfcn.h>

#include "fake-cuda/more.h"

/* --- device and errors ----------------------------------------------- */

static void facts(void)
{
	struct kb_cu_uuid uuid;
	const char *text;
	size_t bytes;
	char name[64];
	int value;

	check_int(open_device(), 0);
	check_int(cu->DeviceGetCount(&value), 0);
	check_int(value, 1);
	check_int(cu->DeviceGetName(name, sizeof(name), 0), 0);
	check_str(name, "Stand-in GPU");
	check_int(cu->DeviceGetUuid(&uuid, 0), 0);
	check_int(cu->DeviceTotalMem(&bytes, 0), 0);
	check_int(bytes, 2048 * MIB);
	check_int(cu->DeviceGetAttribute(&value, KB_CU_CAPABILITY_MAJOR, 0), 0);
	check_int(value, 9);
	check_int(cu->DeviceGet(&value, 1), FAKE_INVALID_DEVICE);
	check_int(cu->GetErrorName(700, &text), 0);
	check_str(text, "CUDA_ERROR_ILLEGAL_ADDRESS");
}
TEST_ALONE(facts);

static void there_can_be_several(void)
{
	struct kb_cu_uuid one, two;
	int value;

	setenv("FAKE_GPUS", "2", 1);
	check_int(open_device(), 0);
	check_int(cu->DeviceGetCount(&value), 0);
	check_int(value, 2);
	check_int(cu->DeviceGetUuid(&one, 0), 0);
	check_int(cu->DeviceGetUuid(&two, 1), 0);
	check(memcmp(&one, &two, sizeof(one)));
	check_int(cu->DeviceGet(&value, 1), 0);
	check_int(value, 1);
	check_int(cu->DeviceGet(&value, 2), FAKE_INVALID_DEVICE);
}
TEST_ALONE(there_can_be_several);

static void a_device_can_be_hidden(void)
{
	setenv("CUDA_VISIBLE_DEVICES", "1", 1);
	check_int(open_device(), FAKE_NO_DEVICE);
	setenv("CUDA_VISIBLE_DEVICES", "GPU-6b622d73", 1);
	check_int(open_device(), 0);
}
TEST_ALONE(a_device_can_be_hidden);

static void work_needs_a_context(void)
{
	kb_cu_address p;

	check_int(open_device(), 0);
	check_int(cu->CtxSetCurrent(NULL), 0);
	check_int(cu->MemAlloc(&p, 64), FAKE_INVALID_CONTEXT);
	check_int(cu->CtxSynchronize(), FAKE_INVALID_CONTEXT);
}
TEST_ALONE(work_needs_a_context);

static void a_forked_child_has_no_device(void)
{
	int status = -1;
	pid_t pid;

	check_int(open_device(), 0);
	pid = fork();
	if (!pid)
		_exit(cu->CtxSynchronize());
	check_int(waitpid(pid, &status, 0), pid);
	check_int(WEXITSTATUS(status), FAKE_NOT_INITIALIZED);
}
TEST_ALONE(a_forked_child_has_no_device);

static void other_kernels_are_not_found(void)
{
	kb_cu_function f;
	kb_cu_module module;

	check_int(open_device(), 0);
	check_int(cu->ModuleLoadData(&module, "any"), 0);
	check_int(cu->ModuleGetFunction(&f, module, "nobody"), FAKE_NOT_FOUND);
}
TEST_ALONE(other_kernels_are_not_found);

/* --- memory ---------------------------------------------------------- */

static void copies_arrive(void)
{
	const size_t n = 3 * MIB / 4 + 5;
	float *in = kb_xcalloc(n, sizeof(*in)), *out = kb_xcalloc(n, sizeof(*in));
	kb_cu_address a, b;

	for (size_t i = 0; i < n; i++)
		in[i] = (float)i;
	check_int(open_device(), 0);
	check_int(cu->MemAlloc(&a, 4 * n), 0);
	check_int(cu->MemAlloc(&b, 4 * n), 0);
	check_int(cu->MemcpyHtoDAsync(a, in, 4 * n, NULL), 0);
	check_int(launch_scale(b, a, n, 0, NULL), 0);
	check_int(cu->MemcpyDtoHAsync(out, b, 4 * n, NULL), 0);
	check(out[0] == 1 && out[1] == 3 && out[n - 1] == 2 * in[n - 1] + 1);
	check_int(cu->MemcpyDtoDAsync(b, a, 4 * n, NULL), 0);
	check_int(cu->MemcpyDtoHAsync(out, b, 4 * n, NULL), 0);
	check(!memcmp(in, out, 4 * n));
	check_int(cu->MemFree(a), 0);
	check_int(cu->MemFree(a), FAKE_INVALID_VALUE);
	check_int(cu->MemcpyDtoDAsync(b, a, 4, NULL), FAKE_INVALID_VALUE);
	free(in);
	free(out);
}
TEST_ALONE(copies_arrive);

static void memory_is_limited(void)
{
	size_t free_bytes, total;
	kb_cu_handle handle;
	kb_cu_address a, b;

	check_int(open_device(), 0);
	check_int(cu->MemAlloc(&a, 1500 * MIB), 0);
	check_int(cu->MemAlloc(&b, 1500 * MIB), FAKE_OUT_OF_MEMORY);
	check_int(cu->MemCreate(&handle, 1500 * MIB, &prop, 0),
		  FAKE_OUT_OF_MEMORY);
	check_int(cu->MemGetInfo(&free_bytes, &total), 0);
	check_int(free_bytes, 548 * MIB);
	check_int(cu->MemFree(a), 0);
	check_int(cu->MemCreate(&handle, 1500 * MIB, &prop, 0), 0);
	check_int(cu->MemRelease(handle), 0);
	check_int(cu->MemGetInfo(&free_bytes, &total), 0);
	check_int(free_bytes, total);
}
TEST_ALONE(memory_is_limited);

static void run_hoarder(const struct worker *w)
{
	kb_cu_address a;

	check_int(open_device(), 0);
	check_int(cu->MemAlloc(&a, 2000 * MIB), 0);
	say(w, 0);
}

static void memory_of_the_dead_is_free(void)
{
	size_t free_bytes = 0, total;
	struct worker w;

	worker_start(&w, run_hoarder);
	check_int(open_device(), 0);
	check_int(hear(&w), 0);
	check_ends_well(&w);
	for (int i = 0; i < 1000 && free_bytes < 2048 * MIB; i++) {
		check_int(cu->MemGetInfo(&free_bytes, &total), 0);
		usleep(1000);
	}
	check_int(free_bytes, 2048 * MIB);
}
TEST_ALONE(memory_of_the_dead_is_free);

static void mappings_keep_memory(void)
{
	size_t free_bytes, total;
	kb_cu_address p = 0;
	kb_cu_handle handle;

	check_int(open_device(), 0);
	check_int(cu->MemCreate(&handle, 1000, &prop, 0), FAKE_INVALID_VALUE);
	check_int(cu->MemCreate(&handle, PAGE, &prop, 0), 0);
	check_int(cu->MemMap(FAKE_ARENA, PAGE, 0, handle, 0),
		  FAKE_INVALID_VALUE);
	p = map_handle(handle, PAGE);
	check_int(cu->MemMap(p, PAGE, 0, handle, 0), FAKE_INVALID_VALUE);
	check_int(cu->MemRelease(handle), 0);
	check_int(cu->MemGetInfo(&free_bytes, &total), 0);
	check_int(total - free_bytes, PAGE);
	check_int(cu->MemAddressFree(p, PAGE), FAKE_INVALID_VALUE);
	check_int(cu->MemUnmap(p, PAGE), 0);
	check_int(cu->MemAddressFree(p, PAGE), 0);
	check_int(cu->MemGetInfo(&free_bytes, &total), 0);
	check_int(free_bytes, total);
}
TEST_ALONE(mappings_keep_memory);

static void mapped_memory_needs_access(void)
{
	kb_cu_handle handle;
	kb_cu_address p;

	check_int(open_device(), 0);
	check_int(cu->MemCreate(&handle, PAGE, &prop, 0), 0);
	check_int(cu->MemAddressReserve(&p, PAGE, 0, 0, 0), 0);
	check_int(cu->MemMap(p, PAGE, 0, handle, 0), 0);
	check_int(launch_scale(p, p, 1, 0, NULL), 0);
	check_int(cu->CtxSynchronize(), FAKE_ILLEGAL_ADDRESS);
}
TEST_ALONE(mapped_memory_needs_access);

static void touch_device_memory(void)
{
	kb_cu_address a;

	check_int(open_device(), 0);
	check_int(cu->MemAlloc(&a, 64), 0);
	*(volatile char *)(uintptr_t)a = 1;
}

static void test_device_memory_is_not_the_hosts(void)
{
	int status = -1;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		touch_device_memory();
		_exit(0);
	}
	check_int(waitpid(pid, &status, 0), pid);
	/* By a signal, or by a sanitizer. */
	check(status != 0);
}

static void pinned_memory_is_both(void)
{
	struct test_store store = { .value = 7 };
	kb_cu_address p;
	uint32_t *words;
	void *memory;

	check_int(open_device(), 0);
	check_int(cu->MemHostAlloc(&memory, 100, KB_CU_HOST_MAPPED), 0);
	words = memory;
	check_int(cu->MemHostGetDevicePointer(&p, words, 0), 0);
	store.address = p + 4;
	words[0] = 3;
	check_int(launch("test_store", &store, NULL), 0);
	check(await(&words[1], 7));
	check_int(cu->MemcpyDtoHAsync(words + 2, p, 4, NULL), 0);
	check_int(cu->StreamSynchronize(NULL), 0);
	check_int(words[2], 3);
	check_int(cu->MemFreeHost(memory), 0);
	check_int(cu->MemHostGetDevicePointer(&p, words, 0),
		  FAKE_INVALID_VALUE);
}
TEST_ALONE(pinned_memory_is_both);

/* --- streams --------------------------------------------------------- */

/* A word of the device, read past everything that is queued. */
static uint32_t word_of(kb_cu_address p)
{
	uint32_t word = 0;
	kb_cu_stream s;

	check_int(cu->StreamCreate(&s, KB_CU_STREAM_NON_BLOCKING), 0);
	check_int(cu->MemcpyDtoHAsync(&word, p, sizeof(word), s), 0);
	check_int(cu->StreamDestroy(s), 0);
	return word;
}

/* A stream waits for `p`; is what the other does then held up? */
static bool holds_up(kb_cu_stream waits, kb_cu_stream other)
{
	kb_cu_address p = new_words();
	kb_cu_stream opener;
	bool held;

	check_int(cu->StreamCreate(&opener, KB_CU_STREAM_NON_BLOCKING), 0);
	check_int(cu->StreamWaitValue32(waits, p, 1, KB_CU_WAIT_VALUE_GEQ), 0);
	check_int(cu->StreamWriteValue32(other, p + 4, 1, 0), 0);
	usleep(20000);
	held = !word_of(p + 4);
	check_int(cu->MemcpyHtoDAsync(p, &(uint32_t){ 1 }, 4, opener), 0);
	check_int(cu->CtxSynchronize(), 0);
	check_int(word_of(p + 4), 1);
	return held;
}

static void streams_are_ordered(void)
{
	kb_cu_stream blocking, blocking2, free_one;

	check_int(open_device(), 0);
	check_int(cu->StreamCreate(&blocking, 0), 0);
	check_int(cu->StreamCreate(&blocking2, 0), 0);
	check_int(cu->StreamCreate(&free_one, KB_CU_STREAM_NON_BLOCKING), 0);
	check(!holds_up(blocking, blocking2));
	check(!holds_up(NULL, free_one));
	check(!holds_up(free_one, NULL));
	check(holds_up(NULL, blocking));
	check(holds_up(blocking, NULL));
}
TEST_ALONE(streams_are_ordered);

/* A function that kb does not use. */
static void *more(const char *symbol)
{
	void *driver = dlopen("libcuda.so.1", RTLD_NOW);
	void *f = driver ? dlsym(driver, symbol) : NULL;

	if (!f)
		KB_BUG("the stand-in lacks a function");
	return f;
}

static void events_join_streams(void)
{
	int (*wait_event)(kb_cu_stream, kb_cu_event, unsigned);
	struct test_store a = { .value = 1 };
	kb_cu_address words;
	kb_cu_stream one, two;
	kb_cu_event event;

	check_int(open_device(), 0);
	words = new_words();
	a.address = words + sizeof(uint32_t);
	wait_event = more("cuStreamWaitEvent");
	check_int(cu->StreamCreate(&one, 1), 0);
	check_int(cu->StreamCreate(&two, 1), 0);
	check_int(cu->EventCreate(&event, 0), 0);
	/* Nothing was recorded: there is nothing to wait for. */
	check_int(wait_event(two, event, 0), 0);
	check_int(cu->StreamSynchronize(two), 0);
	check_int(cu->StreamWaitValue32(one, words, 1, KB_CU_WAIT_VALUE_GEQ), 0);
	check_int(cu->EventRecord(event, one), 0);
	check_int(wait_event(two, event, 0), 0);
	check_int(launch("test_store", &a, two), 0);
	usleep(20000);
	check_int(word_of(a.address), 0);
	check_int(cu->StreamWriteValue32(NULL, words, 1, 0), 0);
	check_int(cu->StreamSynchronize(two), 0);
	check_int(word_of(a.address), 1);
}
TEST_ALONE(events_join_streams);

static void count_up(void *count)
{
	__atomic_add_fetch((uint32_t *)count, 1, __ATOMIC_RELEASE);
}

static void functions_of_the_host_are_called_in_turn(void)
{
	int (*call)(kb_cu_stream, void (*)(void *), void *);
	kb_cu_address words;
	kb_cu_stream side;
	uint32_t count = 0;

	check_int(open_device(), 0);
	words = new_words();
	call = more("cuLaunchHostFunc");
	check_int(cu->StreamWaitValue32(NULL, words, 1, KB_CU_WAIT_VALUE_GEQ),
		  0);
	check_int(call(NULL, count_up, &count), 0);
	check_int(call(NULL, count_up, &count), 0);
	check_int(__atomic_load_n(&count, __ATOMIC_ACQUIRE), 0);
	check_int(cu->StreamCreate(&side, 1), 0);
	check_int(cu->StreamWriteValue32(side, words, 1, 0), 0);
	check_int(cu->CtxSynchronize(), 0);
	check_int(__atomic_load_n(&count, __ATOMIC_ACQUIRE), 2);
	/* More than there are places. */
	for (int i = 0; i < 200; i++)
		check_int(call(NULL, count_up, &count), 0);
	check_int(cu->CtxSynchronize(), 0);
	check_int(__atomic_load_n(&count, __ATOMIC_ACQUIRE), 202);
}
TEST_ALONE(functions_of_the_host_are_called_in_turn);

static void dependent_kernels_begin_early(void)
{
	int (*launch_ex)(const struct more_launch_config *, kb_cu_function,
			 void **, void **);
	struct more_launch_attribute early = {
		.id = MORE_PROGRAMMATIC_STREAM_SERIALIZATION,
		.value.allowed = 1,
	};
	struct more_launch_config config = {
		.grid = { 1, 1, 1 }, .block = { 1, 1, 1 },
		.attributes = &early, .attribute_count = 1,
	};
	const struct test_none none = { 0 };
	struct test_store first, second;
	uint32_t *words;
	void *p;

	check_int(open_device(), 0);
	launch_ex = more("cuLaunchKernelEx");
	check_int(cu->MemHostAlloc(&p, 2 * sizeof(*words), 0), 0);
	words = p;
	first = (struct test_store){ (uintptr_t)&words[0], 1 };
	second = (struct test_store){ (uintptr_t)&words[1], 1 };
	check_int(launch("test_hang", &none, NULL), 0);
	check_int(launch_ex(&config, function("test_store"),
			    (void *[]){ &first }, NULL), 0);
	check_int(launch("test_store", &second, NULL), 0);
	check(await(&words[0], 1));
	usleep(20000);
	check_int(__atomic_load_n(&words[1], __ATOMIC_ACQUIRE), 0);
	early.id++;
	check_int(launch_ex(&config, function("test_store"),
			    (void *[]){ &first }, NULL), FAKE_NOT_SUPPORTED);
}
TEST_ALONE(dependent_kernels_begin_early);

static void blocks_share_tiles(void)
{
	enum { N = 1000 };
	struct test_tiles a = {
		.scale = { .count = N, .scale = 2, .offset = 1 },
	};
	static float in[N], out[N];
	static const uint64_t zeros[2];
	uint64_t counters[2];
	kb_cu_address p;

	for (int i = 0; i < N; i++)
		in[i] = (float)i;
	check_int(open_device(), 0);
	check_int(cu->MemAlloc(&p, 4 * sizeof(in)), 0);
	a.scale.in = a.scale.bias = p;
	a.scale.out = p + sizeof(in);
	a.counters = p + 2 * sizeof(in);
	check_int(cu->MemcpyHtoDAsync(p, in, sizeof(in), NULL), 0);
	check_int(cu->MemcpyHtoDAsync(a.counters, zeros, sizeof(zeros), NULL),
		  0);
	check_int(cu->LaunchKernel(function("test_tiles"), 3, 1, 1, 64, 1, 1, 0,
				   NULL, (void *[]){ &a }, NULL), 0);
	check_int(cu->MemcpyDtoHAsync(out, a.scale.out, sizeof(out), NULL), 0);
	check(out[0] == 1 && out[64] == 193 && out[N - 1] == 3 * (N - 1) + 1);
	check_int(cu->MemcpyDtoHAsync(counters, a.counters, sizeof(counters),
				      NULL), 0);
	check(!counters[0] && !counters[1]);
}
TEST_ALONE(blocks_share_tiles);

static void unknown_streams_are_refused(void)
{
	kb_cu_stream s;

	check_int(open_device(), 0);
	check_int(cu->StreamCreate(&s, 0), 0);
	check_int(cu->StreamDestroy(s), 0);
	check_int(cu->StreamSynchronize(s), FAKE_INVALID_HANDLE);
	check_int(cu->StreamSynchronize((kb_cu_stream)2), FAKE_INVALID_HANDLE);
}
TEST_ALONE(unknown_streams_are_refused);

/* So long that a launch is over before, on a busy machine too. */
#define KERNEL_NS (KB_NS_PER_S / 2)

static void kernels_take_time(void)
{
	int64_t start_ns;
	kb_cu_address p;

	check_int(open_device(), 0);
	p = new_words();
	start_ns = kb_clock_ns();
	check_int(launch_scale(p, p, 1, KERNEL_NS, NULL), 0);
	check(kb_clock_ns() - start_ns < KERNEL_NS);
	check_int(cu->StreamSynchronize(NULL), 0);
	check(kb_clock_ns() - start_ns >= KERNEL_NS);
}
TEST_ALONE(kernels_take_time);

TAP_MAIN(TAP(test_facts),
	 TAP(test_there_can_be_several),
	 TAP(test_a_device_can_be_hidden),
	 TAP(test_work_needs_a_context),
	 TAP(test_a_forked_child_has_no_device),
	 TAP(test_other_kernels_are_not_found),
	 TAP(test_copies_arrive),
	 TAP(test_memory_is_limited),
	 TAP(test_memory_of_the_dead_is_free),
	 TAP(test_mappings_keep_memory),
	 TAP(test_mapped_memory_needs_access),
	 TAP(test_device_memory_is_not_the_hosts),
	 TAP(test_pinned_memory_is_both),
	 TAP(test_streams_are_ordered),
	 TAP(test_events_join_streams),
	 TAP(test_functions_of_the_host_are_called_in_turn),
	 TAP(test_dependent_kernels_begin_early),
	 TAP(test_blocks_share_tiles),
	 TAP(test_unknown_streams_are_refused),
	 TAP(test_kernels_take_time));
