#ifndef KB_TESTS_FAKE_CUDA_LIBCUDA_H
#define KB_TESTS_FAKE_CUDA_LIBCUDA_H

#include <stdbool.h>

#include "cuda/cuda_api.h"
#include "fake-cuda/wire.h"

/*
 * The parts of the stand-in driver: what it says of itself and of devices
 * (libcuda.c), memory, streams and what is queued in them, what only candidates
 * call (libcuda_more.c), and the one connection to the device that all of them talk through.
 */

#define DECLARE(member, symbol, arguments)				\
	kb_cu_result fake_##member arguments __asm__(symbol)		\
		__attribute__((visibility("default")));
KB_CUDA_FUNCTIONS(DECLARE)
#undef DECLARE

/* What is not the driver's interface is not seen from outside the library. */
#pragma GCC visibility push(hidden)

/* Connect this process to the device; FAKE_NO_DEVICE if none answers. Does
 * nothing if it is connected, and refuses a child of fork(), as the driver. */
kb_cu_result link_open(void);
bool link_is_open(void);

/* Has this thread a context? None at first. */
void link_set_current(bool is_current);

/* Whose context this process has; FAKE_BROKEN is about that one. */
void link_retain(kb_cu_device device);

/*
 * Ask the device. `reply` may be NULL. `fd`, if not NULL, is sent unless it is
 * negative, and becomes the descriptor that came back, which the caller closes.
 * Return what the device says, and fail as the driver does without a connection
 * or a context.
 */
kb_cu_result link_call_with_fd(const struct fake_request *r,
			       struct fake_reply *reply, int *fd);
kb_cu_result link_call(const struct fake_request *r, struct fake_reply *reply);

#define CALL(reply, ...)						\
	link_call(&(struct fake_request){ __VA_ARGS__ }, (reply))

/* Ask the device what can be asked without a context. */
kb_cu_result link_call_without_context(const struct fake_request *r,
				       struct fake_reply *reply);

/* Ask with r->bytes bytes, at most FAKE_STAGE_BYTES, of this process's memory:
 * they go there from `in`, or come back into `out`; the other is NULL. */
kb_cu_result link_call_staged(const struct fake_request *r, const void *in,
			      void *out);

/* FAKE_INVALID_DEVICE if there is no such one. */
kb_cu_result check_device(kb_cu_device device);

/* What a stream is called on the wire; UINT32_MAX if it is none. */
uint32_t number_of(kb_cu_stream stream);

/* cuLaunchKernel(); `early`: it need not wait for the end of the kernel before
 * it, if that one has begun. */
kb_cu_result launch_kernel(kb_cu_function f, const unsigned grid[3],
			   const unsigned block[3], unsigned shared_bytes,
			   kb_cu_stream stream, void **arguments, void **extra,
			   bool early);

/* See listener.h: of a kernel that is not captured. */
void tell_launch(uint32_t function, kb_cu_function f, kb_cu_stream stream);

#pragma GCC visibility pop

#endif
