#ifndef KB_TESTS_FAKE_CUDA_GPU_H
#define KB_TESTS_FAKE_CUDA_GPU_H

#include <dlfcn.h>
#include <kb_native.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "more.h"
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

static inline void *gpu_kernel(const char *name)
{
	int (*load)(void **, const void *) = gpu_driver("cuModuleLoadData");
	int (*get)(void **, void *, const char *) =
		gpu_driver("cuModuleGetFunction");
	void *module, *function;

	if (load(&module, "") || get(&function, module, name)) {
		fprintf(stderr, "no kernel %s\n", name);
		exit(99);
	}
	return function;
}

static inline void gpu_launch_blocks(const char *name, const void *argument,
				     void *stream, unsigned blocks,
				     unsigned threads)
{
	int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned,
		      unsigned, unsigned, void *, void **, void **) =
		gpu_driver("cuLaunchKernel");
	void *arguments[] = { (void *)(uintptr_t)argument };

	if (launch(gpu_kernel(name), blocks, 1, 1, threads, 1, 1, 0, stream,
		   arguments, NULL)) {
		fprintf(stderr, "cannot launch %s\n", name);
		exit(99);
	}
}

static inline void gpu_launch(const char *name, const void *argument,
			      void *stream)
{
	gpu_launch_blocks(name, argument, stream, 1, 1);
}

/* Programmatic dependent launch: it may begin when the kernel before it has
 * stored what it stores. */
static inline void gpu_launch_dependent(const char *name, const void *argument,
					void *stream)
{
	int (*launch)(const struct more_launch_config *, void *, void **,
		      void **) = gpu_driver("cuLaunchKernelEx");
	struct more_launch_attribute attribute = {
		.id = MORE_PROGRAMMATIC_STREAM_SERIALIZATION,
		.value.allowed = 1,
	};
	const struct more_launch_config config = {
		.grid = { 1, 1, 1 }, .block = { 1, 1, 1 }, .stream = stream,
		.attributes = &attribute, .attribute_count = 1,
	};
	void *arguments[] = { (void *)(uintptr_t)argument };

	if (launch(&config, gpu_kernel(name), arguments, NULL))
		exit(99);
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

static inline void *gpu_event(void)
{
	int (*f)(void **, unsigned) = gpu_driver("cuEventCreate");
	void *event;

	if (f(&event, 0))
		exit(99);
	return event;
}

static inline void gpu_record(void *event, void *stream)
{
	int (*f)(void *, void *) = gpu_driver("cuEventRecord");

	if (f(event, stream))
		exit(99);
}

static inline void gpu_wait_event(void *stream, void *event)
{
	int (*f)(void *, void *, unsigned) = gpu_driver("cuStreamWaitEvent");

	if (f(stream, event, 0))
		exit(99);
}

static inline void gpu_call_host(void *stream, void (*function)(void *),
				 void *argument)
{
	int (*f)(void *, void (*)(void *), void *) =
		gpu_driver("cuLaunchHostFunc");

	if (f(stream, function, argument))
		exit(99);
}

/* For a thread of one's own, which has no context at first. */
static inline void gpu_take_context(void)
{
	int (*retain)(void **, int) = gpu_driver("cuDevicePrimaryCtxRetain");
	int (*set)(void *) = gpu_driver("cuCtxSetCurrent");
	void *context;

	if (retain(&context, 0) || set(context))
		exit(99);
}

/* A graph of one launch in a stream of its own. */
static inline void *gpu_captured(const char *name, const void *argument,
				 void *stream)
{
	int (*begin)(void *, int) = gpu_driver("cuStreamBeginCapture_v2");
	int (*end)(void *, void **) = gpu_driver("cuStreamEndCapture");
	int (*make)(void **, void *, unsigned long long) =
		gpu_driver("cuGraphInstantiateWithFlags");
	int (*destroy)(void *) = gpu_driver("cuGraphDestroy");
	void *graph, *made;

	if (begin(stream, 1))
		exit(99);
	gpu_launch(name, argument, stream);
	if (end(stream, &graph) || make(&made, graph, 0) || destroy(graph))
		exit(99);
	return made;
}

static inline void gpu_replay(void *made, void *stream)
{
	int (*f)(void *, void *) = gpu_driver("cuGraphLaunch");

	if (f(made, stream))
		exit(99);
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

/* Memory of the device, 0 at first. */
static inline void *gpu_memory(size_t bytes)
{
	int (*f)(uint64_t *, size_t) = gpu_driver("cuMemAlloc_v2");
	uint64_t address;

	if (f(&address, bytes))
		exit(99);
	return (void *)(uintptr_t)address;
}

static inline uint32_t *gpu_word(void)
{
	return gpu_memory(sizeof(uint32_t));
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
