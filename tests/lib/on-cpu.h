#ifndef KB_TESTS_ON_CPU_H
#define KB_TESTS_ON_CPU_H

/*
 * Kernels on the CPU: what nvcc brings along, for a .cu file of ours that
 * is included after this. on_cpu_launch() runs one launch: block after
 * block, and in a block the threads take turns from one barrier to the
 * next, each on a stack of its own. A kernel may be left by siglongjmp().
 */

/* glibc's check of longjmp() knows of one stack. Include this first. */
#undef _FORTIFY_SOURCE

#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <ucontext.h>

#include "base/alloc.h"

#define KB_KERNEL static void
#define KB_KERNEL_FITS(blocks, threads) static void
#define KB_NOT_UNROLLED
#define __shared__ static

struct on_cpu_dim {
	unsigned x, y, z;
};

static struct on_cpu_dim threadIdx, blockIdx, blockDim, gridDim;

#define ON_CPU_STACK_BYTES ((size_t)32 << 10)
#define ON_CPU_THREADS 256

/* The threads stay, parked, from one block and launch to the next. */
static struct on_cpu {
	jmp_buf scheduler;
	jmp_buf thread[ON_CPU_THREADS];
	int parked;			/* all are, where a block begins */
	int ended[ON_CPU_THREADS];
	unsigned left;			/* that have not ended */
	void (*start)(const void *argument);
	const void *argument;
	char stack[ON_CPU_THREADS][ON_CPU_STACK_BYTES]
		__attribute__((aligned(16)));
} on_cpu;

/* Goes on with the next thread of the block that has not ended, from i on, or after
 * the last one with the scheduler. */
static inline void on_cpu_resume(unsigned i)
{
	while (i < blockDim.x && on_cpu.ended[i])
		i++;
	if (i >= blockDim.x)
		_longjmp(on_cpu.scheduler, 1);
	threadIdx.x = i;
	_longjmp(on_cpu.thread[i], 1);
}

/* swapcontext() would ask the kernel for the signal mask, every time. */
static inline void on_cpu_pause(void)
{
	if (!_setjmp(on_cpu.thread[threadIdx.x]))
		on_cpu_resume(threadIdx.x + 1);
}

static inline void __syncthreads(void)
{
	on_cpu_pause();
}

static inline void __threadfence(void)
{
}

static inline void __threadfence_system(void)
{
}

static inline unsigned long long atomicAdd(unsigned long long *p,
					   unsigned long long x)
{
	const unsigned long long was = *p;

	*p += x;
	return was;
}

static inline unsigned long long atomicMax(unsigned long long *p,
					   unsigned long long x)
{
	const unsigned long long was = *p;

	*p = x > was ? x : was;
	return was;
}

static inline unsigned atomicInc(unsigned *p, unsigned last)
{
	const unsigned was = *p;

	*p = was >= last ? 0 : was + 1;
	return was;
}

static inline uint64_t __umul64hi(uint64_t a, uint64_t b)
{
	return (uint64_t)((unsigned __int128)a * b >> 64);
}

static inline int __popc(unsigned x)
{
	return __builtin_popcount(x);
}

static inline void on_cpu_thread(void)
{
	for (;;) {
		on_cpu_pause();
		on_cpu.start(on_cpu.argument);
		on_cpu.ended[threadIdx.x] = 1;
		on_cpu.left--;
	}
}

static inline void on_cpu_park(unsigned i)
{
	ucontext_t fresh;

	getcontext(&fresh);
	fresh.uc_stack.ss_sp = on_cpu.stack[i];
	fresh.uc_stack.ss_size = ON_CPU_STACK_BYTES;
	makecontext(&fresh, on_cpu_thread, 0);
	threadIdx.x = i;
	if (!_setjmp(on_cpu.scheduler))
		setcontext(&fresh);
}

static inline void on_cpu_block(void)
{
	on_cpu.left = blockDim.x;
	for (unsigned i = 0; i < blockDim.x; i++)
		on_cpu.ended[i] = 0;
	while (on_cpu.left)
		if (!_setjmp(on_cpu.scheduler))
			on_cpu_resume(0);
}

static inline void on_cpu_launch(void (*start)(const void *),
				 const void *argument, unsigned x, unsigned y,
				 unsigned threads)
{
	if (threads > ON_CPU_THREADS)
		KB_BUG("more threads than there are stacks");
	/* Whoever left a kernel left threads in the middle of it. None is next to one
	 * that is parked. */
	blockDim.x = 0;
	for (unsigned i = 0; !on_cpu.parked && i < ON_CPU_THREADS; i++)
		on_cpu_park(i);
	on_cpu.parked = 0;
	on_cpu.start = start;
	on_cpu.argument = argument;
	blockDim = (struct on_cpu_dim){ threads, 1, 1 };
	gridDim = (struct on_cpu_dim){ x, y, 1 };
	for (unsigned row = 0; row < y; row++)
		for (unsigned i = 0; i < x; i++) {
			blockIdx = (struct on_cpu_dim){ i, row, 0 };
			on_cpu_block();
		}
	on_cpu.parked = 1;
}

/* A function that on_cpu_launch() takes, for a kernel of `type`. */
#define ON_CPU_START(kernel, type)					\
	static void start_##kernel(const void *argument)		\
	{								\
		kernel(*(const type *)argument);			\
	}

#endif
