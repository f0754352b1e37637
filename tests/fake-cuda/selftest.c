/*
 * Does the stand-in do what a GPU does? Run by `device`. Every test has a
 * process, so a context, of its own.
 */

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/err.h"
#include "cuda/cuda_api.h"
#include "fake-cuda/test_kernels.h"
#include "fake-cuda/wire.h"
#include "lib/tap.h"

#define MIB ((uint64_t)1 << 20)
#define PAGE (2 * MIB)
#define LONG_NS (20 * KB_NS_PER_S)

static const struct kb_cuda_api *cu;

static const struct kb_cu_allocation_prop prop = {
	.type = KB_CU_ALLOCATION_PINNED,
	.handle_types = KB_CU_HANDLE_FD,
	.location = { .type = KB_CU_LOCATION_DEVICE },
};
static const struct kb_cu_access_desc access_desc = {
	.location = { .type = KB_CU_LOCATION_DEVICE },
	.flags = KB_CU_ACCESS_READ_WRITE,
};

static kb_cu_result open_device(void)
{
	struct kb_err err = KB_ERR_INIT;
	kb_cu_context context;
	kb_cu_result result;

	cu = kb_cuda_api(&err);
	if (!cu)
		KB_BUG("there is no stand-in");
	result = cu->Init(0);
	if (!result)
		result = cu->DevicePrimaryCtxRetain(&context, 0);
	return result ? result : cu->CtxSetCurrent(context);
}

static kb_cu_function function(const char *name)
{
	static const char image[] = "any";
	kb_cu_function f = NULL;
	kb_cu_module module;

	check_int(cu->ModuleLoadData(&module, image), 0);
	check_int(cu->ModuleGetFunction(&f, module, name), 0);
	return f;
}

static kb_cu_result launch(const char *name, const void *argument,
			   kb_cu_stream stream)
{
	void *arguments[] = { (void *)(uintptr_t)argument };

	return cu->LaunchKernel(function(name), 1, 1, 1, 1, 1, 1, 0, stream,
				arguments, NULL);
}

/* out[i] = 2 in[i] + 1 for `n` floats, and then busy. */
static kb_cu_result launch_scale(uint64_t out, uint64_t in, uint64_t n,
				 uint64_t busy_ns, kb_cu_stream stream)
{
	const struct test_scale a = {
		.out = out, .in = in, .count = n, .busy_ns = busy_ns,
		.scale = 2, .offset = 1,
	};

	return launch("test_scale", &a, stream);
}

static kb_cu_address map_handle(kb_cu_handle handle, uint64_t bytes)
{
	kb_cu_address p = 0;

	check_int(cu->MemAddressReserve(&p, bytes, 0, 0, 0), 0);
	check_int(cu->MemMap(p, bytes, 0, handle, 0), 0);
	check_int(cu->MemSetAccess(p, bytes, &access_desc, 1), 0);
	return p;
}

static bool await(const uint32_t *word, uint32_t value)
{
	const int64_t deadline_ns = kb_clock_ns() + LONG_NS;

	while (__atomic_load_n(word, __ATOMIC_ACQUIRE) != value)
		if (kb_clock_ns() > deadline_ns)
			return false;
	return true;
}

/* --- processes ------------------------------------------------------- */

static void alone(void (*test)(void))
{
	int status = -1;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		test();
		fflush(stdout);
		_exit(tap_failed ? 1 : tap_skipped ? 2 : 0);
	}
	check(pid > 0 && waitpid(pid, &status, 0) == pid);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
		tap_skip("no process may look into another here");
	else
		check_int(status, 0);
}

#define TEST_ALONE(name)						\
	static void test_##name(void)					\
	{								\
		alone(name);						\
	}								\
	struct tap_swallow_semicolon

/* A second process, as workers are: it has a socket and a control page. */
struct worker {
	pid_t pid;
	int fd;
	struct words {
		uint32_t go, done;
	} *words;
};

static void worker_start(struct worker *w, void (*run)(const struct worker *))
{
	int fds[2];

	w->words = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (w->words == MAP_FAILED ||
	    socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
		KB_BUG("cannot share with a process");
	fflush(stdout);
	w->pid = fork();
	w->fd = fds[w->pid ? 0 : 1];
	close(fds[w->pid ? 1 : 0]);
	if (w->pid)
		return;
	run(w);
	fflush(stdout);
	_exit(tap_failed);
}

static void say(const struct worker *w, int word)
{
	check_int(send(w->fd, &word, sizeof(word), MSG_NOSIGNAL), sizeof(word));
}

/* What the other side says; -1 if it is gone. */
static int hear(const struct worker *w)
{
	int word;

	return recv(w->fd, &word, sizeof(word), 0) == sizeof(word) ? word : -1;
}

static bool is_silent(const struct worker *w)
{
	char byte;

	usleep(50000);
	return recv(w->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0;
}

static void send_fd(const struct worker *w, int fd)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = { .bytes = { 0 } };
	struct iovec iov = { .iov_base = &fd, .iov_len = sizeof(fd) };
	struct msghdr m = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};

	control.align = (struct cmsghdr){
		.cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS,
		.cmsg_len = CMSG_LEN(sizeof(int)),
	};
	memcpy(CMSG_DATA(&control.align), &fd, sizeof(fd));
	check(sendmsg(w->fd, &m, MSG_NOSIGNAL) > 0);
}

static int receive_fd(const struct worker *w)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control;
	int fd = -1;
	struct iovec iov = { .iov_base = &fd, .iov_len = sizeof(fd) };
	struct msghdr m = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};

	check(recvmsg(w->fd, &m, 0) > 0 && CMSG_FIRSTHDR(&m));
	memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof(fd));
	return fd;
}

static void stop(const struct worker *w)
{
	int status = 0;

	check_int(kill(w->pid, SIGSTOP), 0);
	check_int(waitpid(w->pid, &status, WUNTRACED), w->pid);
	check(WIFSTOPPED(status));
}

static void check_ends_well(const struct worker *w)
{
	int status = -1;

	check_int(waitpid(w->pid, &status, 0), w->pid);
	check_int(status, 0);
}

/* A worker's device, with its control page on it. */
static kb_cu_result open_worker(const struct worker *w)
{
	kb_cu_result result = open_device();
	kb_cu_address p;

	if (!result)
		result = cu->MemHostRegister(w->words, 4096,
					     KB_CU_HOST_MAPPED);
	if (!result)
		result = cu->MemHostGetDevicePointer(&p, w->words, 0);
	return result;
}

static kb_cu_result queue_gate(const struct worker *w)
{
	return cu->StreamWaitValue32(NULL, (uintptr_t)&w->words->go, 1,
				     KB_CU_WAIT_VALUE_GEQ);
}

static kb_cu_result queue_done(const struct worker *w)
{
	return cu->StreamWriteValue32(NULL, (uintptr_t)&w->words->done, 1, 0);
}

static void open_gate(const struct worker *w)
{
	__atomic_store_n(&w->words->go, 1, __ATOMIC_RELEASE);
}

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

/* Two words of device memory, both 0. */
static kb_cu_address new_words(void)
{
	static const uint32_t zeros[2];
	kb_cu_address p = 0;

	check_int(cu->MemAlloc(&p, sizeof(zeros)), 0);
	check_int(cu->MemcpyHtoDAsync(p, zeros, sizeof(zeros), NULL), 0);
	check_int(cu->CtxSynchronize(), 0);
	return p;
}

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

static void kernels_take_time(void)
{
	int64_t start_ns;
	kb_cu_address p;

	check_int(open_device(), 0);
	p = new_words();
	start_ns = kb_clock_ns();
	check_int(launch_scale(p, p, 1, 30 * KB_NS_PER_MS, NULL), 0);
	check(kb_clock_ns() - start_ns < 25 * KB_NS_PER_MS);
	check_int(cu->StreamSynchronize(NULL), 0);
	check(kb_clock_ns() - start_ns >= 30 * KB_NS_PER_MS);
}
TEST_ALONE(kernels_take_time);

/* --- two processes --------------------------------------------------- */

static void run_gated(const struct worker *w)
{
	kb_cu_result result = open_worker(w);
	kb_cu_handle handle;
	kb_cu_address p;
	int fd = receive_fd(w);

	if (result) {
		say(w, result);
		return;
	}
	check_int(cu->MemImportFromShareableHandle(
			  &handle, (void *)(intptr_t)fd, KB_CU_HANDLE_FD), 0);
	close(fd);
	p = map_handle(handle, PAGE);
	check_int(cu->MemRelease(handle), 0);
	check_int(queue_gate(w), 0);
	check_int(launch_scale(p + MIB, p, 4, 0, NULL), 0);
	check_int(queue_done(w), 0);
	say(w, 0);
	check_int(cu->CtxSynchronize(), 0);
	say(w, 0);
}

static void a_stopped_process_has_its_work_done(void)
{
	const float in[] = { 1, 2, 3, 4 };
	float out[4] = { 0 };
	kb_cu_stream stream;
	kb_cu_handle handle;
	kb_cu_address p;
	struct worker w;
	int fd, said;

	worker_start(&w, run_gated);
	check_int(open_device(), 0);
	check_int(cu->StreamCreate(&stream, KB_CU_STREAM_NON_BLOCKING), 0);
	check_int(cu->MemCreate(&handle, PAGE, &prop, 0), 0);
	check_int(cu->MemExportToShareableHandle(&fd, handle, KB_CU_HANDLE_FD,
						 0), 0);
	p = map_handle(handle, PAGE);
	send_fd(&w, fd);
	close(fd);
	said = hear(&w);
	if (said == FAKE_NOT_SUPPORTED)
		tap_skip("a process may not look into another");
	if (said)
		return;

	stop(&w);
	check_int(cu->MemcpyHtoDAsync(p, in, sizeof(in), stream), 0);
	check_int(cu->MemcpyDtoHAsync(out, p + MIB, sizeof(out), stream), 0);
	check(out[0] == 0);
	check_int(w.words->done, 0);
	open_gate(&w);
	check(await(&w.words->done, 1));
	check_int(cu->MemcpyDtoHAsync(out, p + MIB, sizeof(out), stream), 0);
	check(out[0] == 3 && out[3] == 9);
	check(is_silent(&w));

	check_int(kill(w.pid, SIGCONT), 0);
	check_int(hear(&w), 0);
	check_ends_well(&w);
}
TEST_ALONE(a_stopped_process_has_its_work_done);

/* What cannot be queued before the gate opens. */
static void check_waits_for_the_gate(void (*run)(const struct worker *))
{
	struct worker w;
	int said;

	worker_start(&w, run);
	said = hear(&w);
	if (said == FAKE_NOT_SUPPORTED)
		tap_skip("a process may not look into another");
	if (said)
		return;
	check(is_silent(&w));
	open_gate(&w);
	check_int(hear(&w), 0);
	check_ends_well(&w);
}

static void run_synchronizing(const struct worker *w)
{
	kb_cu_result result = open_worker(w);

	if (!result)
		result = queue_gate(w);
	say(w, result);
	say(w, cu->CtxSynchronize());
}

static void synchronizing_waits_for_the_gate(void)
{
	check_waits_for_the_gate(run_synchronizing);
}
TEST_ALONE(synchronizing_waits_for_the_gate);

static void run_many(const struct worker *w)
{
	kb_cu_result result = open_worker(w);

	if (!result)
		result = queue_gate(w);
	say(w, result);
	for (int i = 0; i < 1500 && !result; i++)
		result = queue_done(w);
	say(w, result);
}

static void a_full_queue_waits_for_the_gate(void)
{
	check_waits_for_the_gate(run_many);
}
TEST_ALONE(a_full_queue_waits_for_the_gate);

static void run_faulting(const struct worker *w)
{
	const struct test_none none = { 0 };
	kb_cu_address p;

	check_int(open_device(), 0);
	p = new_words();
	check_int(launch("test_fault", &none, NULL), 0);
	check_int(cu->CtxSynchronize(), FAKE_ILLEGAL_ADDRESS);
	check_int(cu->StreamWriteValue32(NULL, p, 1, 0), FAKE_ILLEGAL_ADDRESS);
	check_int(cu->MemAlloc(&p, 64), FAKE_ILLEGAL_ADDRESS);
	say(w, 0);
}

static void a_fault_stays_in_its_process(void)
{
	struct worker w;

	worker_start(&w, run_faulting);
	check_int(open_device(), 0);
	check_int(hear(&w), 0);
	(void)new_words();
	check_ends_well(&w);
}
TEST_ALONE(a_fault_stays_in_its_process);

static void run_hanging(const struct worker *w)
{
	const struct test_none none = { 0 };

	check_int(open_device(), 0);
	check_int(launch("test_hang", &none, NULL), 0);
	say(w, 0);
	say(w, cu->CtxSynchronize());
}

static void killing_ends_a_kernel_that_hangs(void)
{
	struct worker w;

	worker_start(&w, run_hanging);
	check_int(open_device(), 0);
	check_int(hear(&w), 0);
	check(is_silent(&w));
	check_int(kill(w.pid, SIGKILL), 0);
	check_int(waitpid(w.pid, NULL, 0), w.pid);
	(void)new_words();
}
TEST_ALONE(killing_ends_a_kernel_that_hangs);

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
	 TAP(test_unknown_streams_are_refused),
	 TAP(test_kernels_take_time),
	 TAP(test_a_stopped_process_has_its_work_done),
	 TAP(test_synchronizing_waits_for_the_gate),
	 TAP(test_a_full_queue_waits_for_the_gate),
	 TAP(test_a_fault_stays_in_its_process),
	 TAP(test_killing_ends_a_kernel_that_hangs));
