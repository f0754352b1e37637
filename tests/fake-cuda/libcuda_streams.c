#include "fake-cuda/libcuda.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cuda/cupti_api.h"
#include "fake-cuda/kernels.h"
#include "fake-cuda/listener.h"

static const struct {
	const char *name;
	size_t bytes;			/* of its argument */
} kernels[] = {
#define ENTRY(name, type, blocks) { #name, sizeof(type) },
	FAKE_KERNELS(ENTRY)
#undef ENTRY
};

extern fake_cuda_listener *listener __asm__(FAKE_CUDA_LISTENER)
	__attribute__((visibility("default")));
fake_cuda_listener *listener;

/* A stream's handle is its number, in units that no number of the driver's
 * own, 1 or 2, is one of. */
static kb_cu_stream stream_of(uint64_t number)
{
	return (kb_cu_stream)(uintptr_t)(number << 12);
}

uint32_t number_of(kb_cu_stream stream)
{
	uintptr_t handle = (uintptr_t)stream;

	return handle & 0xfff ? UINT32_MAX : (uint32_t)(handle >> 12);
}

struct kb_cu_graph_st {
	struct fake_request *launches;
	size_t count, capacity;
	bool broken;
};

struct kb_cu_graph_exec_st {
	struct kb_cu_graph_st graph;
};

/* One at a time, of one thread. */
static struct kb_cu_graph_st *capture;
static kb_cu_stream captured;

static bool is_captured(kb_cu_stream stream)
{
	return capture && stream == captured;
}

/* Does the device see the memory of this process at `p`? */
static bool is_pinned(const void *p)
{
	return (uintptr_t)p - FAKE_ARENA < FAKE_ARENA_BYTES;
}

kb_cu_result fake_MemcpyDtoDAsync(kb_cu_address to, kb_cu_address from,
				  size_t bytes, kb_cu_stream stream)
{
	return CALL(NULL, .op = FAKE_COPY, .stream = number_of(stream),
		    .address = to, .from = from, .bytes = bytes);
}

static size_t part_of(size_t bytes, size_t done)
{
	return bytes - done < FAKE_STAGE_BYTES ? bytes - done
					       : FAKE_STAGE_BYTES;
}

/* The memory can be used again when this returns, as with the driver. */
kb_cu_result fake_MemcpyHtoDAsync(kb_cu_address to, const void *from,
				  size_t bytes, kb_cu_stream stream)
{
	kb_cu_result result = FAKE_OK;
	size_t n;

	if (is_pinned(from))
		return fake_MemcpyDtoDAsync(to, (uintptr_t)from, bytes, stream);
	if (!link_is_open())
		return FAKE_NOT_INITIALIZED;
	for (size_t done = 0; !result && done < bytes; done += n) {
		struct fake_request r = {
			.op = FAKE_COPY_IN, .stream = number_of(stream),
			.address = to + done,
		};

		r.bytes = n = part_of(bytes, done);
		result = link_call_staged(&r, (const char *)from + done, NULL);
	}
	return result;
}

/* It is there when this returns, unless the memory is pinned: likewise. */
kb_cu_result fake_MemcpyDtoHAsync(void *to, kb_cu_address from, size_t bytes,
				  kb_cu_stream stream)
{
	kb_cu_result result = FAKE_OK;
	size_t n;

	if (is_pinned(to))
		return fake_MemcpyDtoDAsync((uintptr_t)to, from, bytes, stream);
	if (!link_is_open())
		return FAKE_NOT_INITIALIZED;
	for (size_t done = 0; !result && done < bytes; done += n) {
		struct fake_request r = {
			.op = FAKE_COPY_OUT, .stream = number_of(stream),
			.from = from + done,
		};

		r.bytes = n = part_of(bytes, done);
		result = link_call_staged(&r, NULL, (char *)to + done);
	}
	return result;
}

kb_cu_result fake_StreamCreate(kb_cu_stream *stream, unsigned flags)
{
	struct fake_reply reply;
	kb_cu_result result;

	if (flags & ~(unsigned)KB_CU_STREAM_NON_BLOCKING)
		return FAKE_INVALID_VALUE;
	result = CALL(&reply, .op = FAKE_STREAM_NEW, .value = flags);
	if (!result)
		*stream = stream_of(reply.address);
	return result;
}

kb_cu_result fake_StreamDestroy(kb_cu_stream stream)
{
	return CALL(NULL, .op = FAKE_STREAM_END, .stream = number_of(stream));
}

kb_cu_result fake_StreamSynchronize(kb_cu_stream stream)
{
	if (is_captured(stream)) {
		capture->broken = true;
		return FAKE_CAPTURE_UNSUPPORTED;
	}
	return CALL(NULL, .op = FAKE_SYNCHRONIZE,
		    .stream = number_of(stream));
}

/* A handle is the event's number. */
static kb_cu_event event_of(uint64_t number)
{
	return (kb_cu_event)(uintptr_t)number;
}

kb_cu_result fake_EventCreate(kb_cu_event *event, unsigned flags)
{
	struct fake_reply reply;
	kb_cu_result result;

	if (flags)
		return FAKE_INVALID_VALUE;
	result = CALL(&reply, .op = FAKE_EVENT_NEW);
	if (!result)
		*event = event_of(reply.address);
	return result;
}

kb_cu_result fake_EventDestroy(kb_cu_event event)
{
	return CALL(NULL, .op = FAKE_EVENT_END, .address = (uintptr_t)event);
}

kb_cu_result fake_EventRecord(kb_cu_event event, kb_cu_stream stream)
{
	return CALL(NULL, .op = FAKE_RECORD, .stream = number_of(stream),
		    .address = (uintptr_t)event);
}

kb_cu_result fake_EventElapsedTime(float *ms, kb_cu_event start,
				   kb_cu_event end)
{
	struct fake_reply reply;
	kb_cu_result result = CALL(&reply, .op = FAKE_ELAPSED,
				   .from = (uintptr_t)start,
				   .address = (uintptr_t)end);

	if (!result)
		*ms = (float)((double)reply.bytes / 1e6);
	return result;
}

kb_cu_result fake_StreamWaitValue32(kb_cu_stream stream,
				    kb_cu_address address, uint32_t value,
				    unsigned flags)
{
	if (flags != KB_CU_WAIT_VALUE_GEQ || address % 4)
		return FAKE_INVALID_VALUE;
	return CALL(NULL, .op = FAKE_WAIT_VALUE, .stream = number_of(stream),
		    .address = address, .value = value);
}

kb_cu_result fake_StreamWriteValue32(kb_cu_stream stream,
				     kb_cu_address address, uint32_t value,
				     unsigned flags)
{
	if (flags || address % 4)
		return FAKE_INVALID_VALUE;
	return CALL(NULL, .op = FAKE_WRITE_VALUE, .stream = number_of(stream),
		    .address = address, .value = value);
}

/* --- graphs: launches, in a row -------------------------------------- */

static kb_cu_result capture_launch(const struct fake_request *launch)
{
	capture->launches = kb_grow(capture->launches, capture->count,
				    &capture->capacity, sizeof(*launch));
	capture->launches[capture->count++] = *launch;
	return FAKE_OK;
}

kb_cu_result fake_StreamBeginCapture(kb_cu_stream stream, int mode)
{
	(void)mode;
	if (capture || !stream)
		return FAKE_NOT_SUPPORTED;
	capture = kb_xcalloc(1, sizeof(*capture));
	captured = stream;
	return FAKE_OK;
}

kb_cu_result fake_StreamEndCapture(kb_cu_stream stream, kb_cu_graph *graph)
{
	if (!is_captured(stream))
		return FAKE_INVALID_VALUE;
	*graph = capture;
	capture = NULL;
	if (!(*graph)->broken)
		return FAKE_OK;
	fake_GraphDestroy(*graph);
	*graph = NULL;
	return FAKE_CAPTURE_INVALIDATED;
}

kb_cu_result fake_GraphInstantiateWithFlags(kb_cu_graph_exec *exec,
					    kb_cu_graph graph,
					    unsigned long long flags)
{
	const size_t bytes = graph->count * sizeof(*graph->launches);

	(void)flags;
	*exec = kb_xcalloc(1, sizeof(**exec));
	(*exec)->graph.count = graph->count;
	(*exec)->graph.launches = kb_xmalloc(bytes + 1);
	if (bytes)
		memcpy((*exec)->graph.launches, graph->launches, bytes);
	return FAKE_OK;
}

kb_cu_result fake_GraphDestroy(kb_cu_graph graph)
{
	free(graph->launches);
	free(graph);
	return FAKE_OK;
}

kb_cu_result fake_GraphLaunch(kb_cu_graph_exec exec, kb_cu_stream stream)
{
	kb_cu_result result = FAKE_OK;

	if (listener)
		listener(KB_CUPTI_GRAPH_LAUNCH, NULL, exec->graph.count);
	for (size_t i = 0; !result && i < exec->graph.count; i++) {
		struct fake_request r = exec->graph.launches[i];

		r.stream = number_of(stream);
		result = link_call(&r, NULL);
	}
	return result;
}

kb_cu_result fake_GraphExecDestroy(kb_cu_graph_exec exec)
{
	free(exec->graph.launches);
	free(exec);
	return FAKE_OK;
}

/* --- kernels --------------------------------------------------------- */

/* Any address will do for the one module. */
static char module;

kb_cu_result fake_ModuleLoadData(kb_cu_module *out, const void *image)
{
	if (!image)
		return FAKE_INVALID_VALUE;
	*out = (kb_cu_module)&module;
	return check_device(0);
}

kb_cu_result fake_ModuleUnload(kb_cu_module m)
{
	return m == (kb_cu_module)&module ? FAKE_OK : FAKE_INVALID_HANDLE;
}

kb_cu_result fake_ModuleGetFunction(kb_cu_function *function, kb_cu_module m,
				    const char *name)
{
	if (m != (kb_cu_module)&module)
		return FAKE_INVALID_HANDLE;
	for (size_t i = 0; i < KB_ARRAY_LEN(kernels); i++) {
		if (!strcmp(kernels[i].name, name)) {
			*function = (kb_cu_function)(uintptr_t)(i + 1);
			return FAKE_OK;
		}
	}
	return FAKE_NOT_FOUND;
}

kb_cu_result launch_kernel(kb_cu_function f, const unsigned grid[3],
			   const unsigned block[3], unsigned shared_bytes,
			   kb_cu_stream stream, void **arguments, void **extra,
			   bool early)
{
	const uintptr_t number = (uintptr_t)f - 1;
	struct fake_request r = {
		.op = FAKE_LAUNCH, .stream = number_of(stream),
		.value = number, .from = early,
		.grid = { grid[0], grid[1], grid[2] },
		.block = { block[0], block[1], block[2] },
	};

	if (number >= KB_ARRAY_LEN(kernels))
		return FAKE_INVALID_HANDLE;
	if (!grid[0] || !grid[1] || !grid[2] || !block[0] || !block[1] ||
	    !block[2] || (uint64_t)block[0] * block[1] * block[2] > 1024 ||
	    grid[1] > 65535 || grid[2] > 65535 || shared_bytes > 48 << 10 ||
	    extra)
		return FAKE_INVALID_VALUE;
	memcpy(r.argument, arguments[0], kernels[number].bytes);
	return is_captured(stream) ? capture_launch(&r) : link_call(&r, NULL);
}

void tell_launch(uint32_t function, kb_cu_function f, kb_cu_stream stream)
{
	const uintptr_t number = (uintptr_t)f - 1;

	if (listener && number < KB_ARRAY_LEN(kernels) && !is_captured(stream))
		listener(function, kernels[number].name, 1);
}

kb_cu_result fake_LaunchKernel(kb_cu_function f, unsigned grid_x,
			       unsigned grid_y, unsigned grid_z,
			       unsigned block_x, unsigned block_y,
			       unsigned block_z, unsigned shared_bytes,
			       kb_cu_stream stream, void **arguments,
			       void **extra)
{
	const unsigned grid[] = { grid_x, grid_y, grid_z };
	const unsigned block[] = { block_x, block_y, block_z };

	tell_launch(KB_CUPTI_LAUNCH_KERNEL, f, stream);
	return launch_kernel(f, grid, block, shared_bytes, stream, arguments,
			     extra, false);
}
