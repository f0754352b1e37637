#ifndef KB_TESTS_FAKE_CUDA_GPU_H
#define KB_TESTS_FAKE_CUDA_GPU_H

#include <dlfcn.h>
#include <kb_native.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test_kernels.h"

/*
 * What a .cu file of tests calls in place of <<<>>>, with the driver as the
 * worker has loaded it. Functions that fail end the process.
 */

static inline void *gpu_driver(const char *name)
{
	void *driver = dlopen("libcuda.so.1", RTLD_NOW);
	void *f = driver ? dlsym(driver, name) : NULL;

	if (!f) {
		fprintf(stderr, "no %s\n", name);
		exit(99);
	}
	return f;
}

static inline void gpu_launch(const char *name, const void *argument,
			      void *stream)
{
	int (*load)(void **, const void *) = gpu_driver("cuModuleLoadData");
	int (*get)(void **, void *, const char *) =
		gpu_driver("cuModuleGetFunction");
	int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned,
		      unsigned, unsigned, void *, void **, void **) =
		gpu_driver("cuLaunchKernel");
	void *arguments[] = { (void *)(uintptr_t)argument };
	void *module, *function;

	if (load(&module, "") || get(&function, module, name) ||
	    launch(function, 1, 1, 1, 1, 1, 1, 0, stream, arguments, NULL)) {
		fprintf(stderr, "cannot launch %s\n", name);
		exit(99);
	}
}

static inline int gpu_synchronize(void)
{
	int (*f)(void) = gpu_driver("cuCtxSynchronize");

	return f();
}

static inline void *gpu_stream(void)
{
	int (*f)(void **, unsigned) = gpu_driver("cuStreamCreate");
	void *stream;

	if (f(&stream, 1))
		exit(99);
	return stream;
}

static inline void gpu_wait(void *stream, const uint32_t *word, uint32_t value)
{
	int (*f)(void *, uint64_t, uint32_t, unsigned) =
		gpu_driver("cuStreamWaitValue32_v2");

	if (f(stream, (uintptr_t)word, value, 0))
		exit(99);
}

static inline void gpu_write(void *stream, const uint32_t *word, uint32_t value)
{
	int (*f)(void *, uint64_t, uint32_t, unsigned) =
		gpu_driver("cuStreamWriteValue32_v2");

	if (f(stream, (uintptr_t)word, value, 0))
		exit(99);
}

/* A word of the device, 0 at first. */
static inline uint32_t *gpu_word(void)
{
	int (*f)(uint64_t *, size_t) = gpu_driver("cuMemAlloc_v2");
	uint64_t address;

	if (f(&address, 4))
		exit(99);
	return (uint32_t *)(uintptr_t)address;
}

/* The page on which the supervisor says go, at 0, and hears done, at 64. */
static inline uint32_t *gpu_control(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long page;
	char line[512];

	while (maps && fgets(line, sizeof(line), maps))
		if (strstr(line, "kb-control") &&
		    sscanf(line, "%lx", &page) == 1) {
			fclose(maps);
			return (uint32_t *)page;
		}
	fprintf(stderr, "no control page\n");
	exit(99);
}

#define MICROSECONDS 1000

/* The work of the problem in suite/, by the book. */
static inline struct test_scale gpu_scale(const struct kb_native_call *call)
{
	struct test_scale a = {
		.out = (uintptr_t)call->outputs[0].data,
		.in = (uintptr_t)call->inputs[0].data,
		.bias = (uintptr_t)call->params[0].data,
		.count = call->inputs[0].dims[0],
		.busy_ns = 1000 * MICROSECONDS,
		.scale = 2,
		.offset = 1,
	};

	return a;
}

#endif
