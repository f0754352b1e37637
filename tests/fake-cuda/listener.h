#ifndef KB_TESTS_FAKE_CUDA_LISTENER_H
#define KB_TESTS_FAKE_CUDA_LISTENER_H

#include <stddef.h>
#include <stdint.h>

/*
 * Who is told of launches by the stand-in for the driver: the number that
 * CUPTI has for the function that was called, the kernel's name, NULL for a
 * graph, and how many kernels there are. The symbol is a pointer to it.
 */
typedef void fake_cuda_listener(uint32_t function, const char *kernel,
				size_t kernels);

#define FAKE_CUDA_LISTENER "fake_cuda_listener_of_launches"

#endif
