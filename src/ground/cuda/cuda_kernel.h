#ifndef KB_CUDA_CUDA_KERNEL_H
#define KB_CUDA_CUDA_KERNEL_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/*
 * The first header of a .cu file. These are written in what C and CUDA C++
 * have in common: nvcc makes device code of them, and tests compile them
 * for the CPU with tests/lib/on-cpu.h in front, which defines what nvcc
 * brings along.
 *
 * A kernel has one argument, a struct by value, which a header describes
 * to both sides; addresses in it are numbers. The threads of a block talk
 * through shared memory and barriers, never as lanes of a warp.
 */
#ifdef __CUDACC__
#define KB_KERNEL extern "C" __global__ void
/* So many blocks of so many threads are to fit on a multiprocessor. */
#define KB_KERNEL_FITS(blocks, threads) \
	extern "C" __global__ void __launch_bounds__(threads, blocks)
/* In front of a loop whose body is large and seldom runs. */
#define KB_NOT_UNROLLED _Pragma("unroll 1")

/* From here on: our headers' inline functions are C, and the arithmetic in
 * them has one spelling. In a .cu file they are the device's. */
#define inline __device__ __forceinline__
#endif

#endif
