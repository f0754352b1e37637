#ifndef KB_TESTS_FAKE_CUDA_SELFTEST_H
#define KB_TESTS_FAKE_CUDA_SELFTEST_H

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

/*
 * What the tests of the stand-in share: its functions, its test kernels, a
 * process for each test, and a second one beside it.
 */

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

static inline kb_cu_result open_device(void)
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

static inline kb_cu_function function(const char *name)
{
	static const char image[] = "any";
	kb_cu_function f = NULL;
	kb_cu_module module;

	check_int(cu->ModuleLoadData(&module, image), 0);
	check_int(cu->ModuleGetFunction(&f, module, name), 0);
	return f;
}

static inline kb_cu_result launch(const char *name, const void *argument,
				  kb_cu_stream stream)
{
	void *arguments[] = { (void *)(uintptr_t)argument };

	return cu->LaunchKernel(function(name), 1, 1, 1, 1, 1, 1, 0, stream,
				arguments, NULL);
}

/* out[i] = 2 in[i] + 1 for `n` floats, and then busy. */
static inline kb_cu_result launch_scale(uint64_t out, uint64_t in, uint64_t n,
					uint64_t busy_ns, kb_cu_stream stream)
{
	const struct test_scale a = {
		.out = out, .in = in, .count = n, .busy_ns = busy_ns,
		.scale = 2, .offset = 1,
	};

	return launch("test_scale", &a, stream);
}

static inline kb_cu_address map_handle(kb_cu_handle handle, uint64_t bytes)
{
	kb_cu_address p = 0;

	check_int(cu->MemAddressReserve(&p, bytes, 0, 0, 0), 0);
	check_int(cu->MemMap(p, bytes, 0, handle, 0), 0);
	check_int(cu->MemSetAccess(p, bytes, &access_desc, 1), 0);
	return p;
}

static inline bool await(const uint32_t *word, uint32_t value)
{
	const int64_t deadline_ns = kb_clock_ns() + LONG_NS;

	while (__atomic_load_n(word, __ATOMIC_ACQUIRE) != value)
		if (kb_clock_ns() > deadline_ns)
			return false;
	return true;
}

static inline void alone(void (*test)(void))
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

static inline void worker_start(struct worker *w,
				void (*run)(const struct worker *))
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

static inline void say(const struct worker *w, int word)
{
	check_int(send(w->fd, &word, sizeof(word), MSG_NOSIGNAL), sizeof(word));
}

/* What the other side says; -1 if it is gone. */
static inline int hear(const struct worker *w)
{
	int word;

	return recv(w->fd, &word, sizeof(word), 0) == sizeof(word) ? word : -1;
}

static inline bool is_silent(const struct worker *w)
{
	char byte;

	usleep(50000);
	return recv(w->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0;
}

static inline bool send_fd(const struct worker *w, int fd)
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
	return sendmsg(w->fd, &m, MSG_NOSIGNAL) > 0;
}

static inline int receive_fd(const struct worker *w)
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

static inline void stop(const struct worker *w)
{
	int status = 0;

	check_int(kill(w->pid, SIGSTOP), 0);
	check_int(waitpid(w->pid, &status, WUNTRACED), w->pid);
	check(WIFSTOPPED(status));
}

static inline void check_ends_well(const struct worker *w)
{
	int status = -1;

	check_int(waitpid(w->pid, &status, 0), w->pid);
	check_int(status, 0);
}

/* A worker's device, with its control page on it. */
static inline kb_cu_result open_worker(const struct worker *w)
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

static inline kb_cu_result queue_gate(const struct worker *w)
{
	return cu->StreamWaitValue32(NULL, (uintptr_t)&w->words->go, 1,
				     KB_CU_WAIT_VALUE_GEQ);
}

static inline kb_cu_result queue_done(const struct worker *w)
{
	return cu->StreamWriteValue32(NULL, (uintptr_t)&w->words->done, 1, 0);
}

static inline void open_gate(const struct worker *w)
{
	__atomic_store_n(&w->words->go, 1, __ATOMIC_RELEASE);
}

/* Two words of device memory, both 0. */
static inline kb_cu_address new_words(void)
{
	static const uint32_t zeros[2];
	kb_cu_address p = 0;

	check_int(cu->MemAlloc(&p, sizeof(zeros)), 0);
	check_int(cu->MemcpyHtoDAsync(p, zeros, sizeof(zeros), NULL), 0);
	check_int(cu->CtxSynchronize(), 0);
	return p;
}

#endif
