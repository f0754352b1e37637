/* The drawing of inputs, recorded as a CUDA graph and replayed. */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "random/cuda_random.h"
#include "random/random_kernels.h"
#include "runtime/lib/internal.h"
#include "runtime/lib/kbrt.h"

/* Where a recording finds the seed and the slots of the request. */
struct kbrt_recordings {
	const struct kb_cuda_api *api;
	struct kb_cuda_random *random;
	kb_cu_address control;
	kb_cu_stream stream;		/* NULL unless one is being made */
	kb_cu_graph_exec graphs[KBRT_RECORDINGS_MAX];
	uint32_t count;
	uint32_t calls[KBRT_RECORDINGS_MAX];
	uint32_t slots_left;		/* of the request */
};

kb_cu_stream kbrt_draw_stream(const struct kbrt *rt)
{
	return rt->recordings ? rt->recordings->stream : NULL;
}

static uint64_t control_bytes(const struct kbrt *rt, uint32_t calls)
{
	return sizeof(struct kb_random_control) +
		sizeof(uint64_t) * calls * rt->plan.input_count;
}

/* A driver may load a kernel when it is first launched, which a capture might
 * not survive. The seed and all else is 0 until there is a request. */
static int launch_all(const struct kbrt_recordings *r, uint64_t bytes,
		      struct kb_err *err)
{
	const struct kb_draw zeros = { KB_DRAW_ZEROS, 0, 0 };
	const struct kb_random_stream from = { .slot = 0 };
	const struct kb_random_put nothing = { .bytes = 0 };
	const struct kb_cuda_tensor control = { r->control, KB_UINT8, bytes };
	int ret = kb_cuda_random_fill(r->random, NULL, &control, &zeros, &from,
				      err);

	r->random->control = r->control;
	if (!ret)
		ret = kb_cuda_random_put(r->random, NULL, &nothing, err);
	if (!ret)
		ret = kb_cuda_random_advance(r->random, NULL, 0, err);
	r->random->control = 0;
	return ret;
}

/* Only what is complete is kept. */
static int open_recordings(struct kbrt *rt, struct kb_err *err)
{
	kb_auto(mem) struct kbrt_recordings *r = kb_xcalloc(1, sizeof(*r));
	const uint64_t bytes = control_bytes(rt, KB_MASTER_SLOT);
	kb_cu_result result;
	int ret = kbrt_cuda_random(&r->random, rt, err);

	if (ret < 0)
		return ret;
	r->api = r->random->api;
	result = r->api->MemAlloc(&r->control, bytes);
	if (result)
		return kb_cuda_err(err, r->api, result,
				   "make room for recordings");
	ret = launch_all(r, bytes, err);
	if (ret < 0)
		(void)r->api->MemFree(r->control);
	else
		rt->recordings = kb_steal(r);
	return ret;
}

int kbrt_record_begin(struct kbrt *rt, uint64_t stream, struct kb_err *err)
{
	struct kbrt_recordings *r;
	kb_cu_result result;
	int ret = rt->recordings ? 0 : open_recordings(rt, err);

	if (ret < 0)
		return ret;
	r = rt->recordings;
	if (r->count == KBRT_RECORDINGS_MAX)
		return kb_err(err, KB_ERR_INPUT, "there are %d recordings",
			      KBRT_RECORDINGS_MAX);
	result = r->api->StreamBeginCapture((kb_cu_stream)(uintptr_t)stream,
					    KB_CU_CAPTURE_THREAD_LOCAL);
	if (result)
		return kb_cuda_err(err, r->api, result, "begin a recording");
	r->stream = (kb_cu_stream)(uintptr_t)stream;
	r->random->control = r->control;
	return 0;
}

int kbrt_record_input(struct kbrt *rt, uint32_t call, uint32_t i,
		      uint64_t address, struct kb_err *err)
{
	struct kbrt_recordings *r = rt->recordings;
	const struct kb_random_put put = {
		.from = address,
		.bytes = kb_tensor_bytes(&rt->plan.inputs[i]),
		.call = call,
		.input = i,
		.input_count = rt->plan.input_count,
	};

	return put.bytes ? kb_cuda_random_put(r->random, r->stream, &put, err)
			 : 0;
}

/* The graph of what was recorded; NULL if that failed. */
static kb_cu_result end_capture(struct kbrt_recordings *r, kb_cu_graph *graph)
{
	kb_cu_result result = r->api->StreamEndCapture(r->stream, graph);

	r->stream = NULL;
	r->random->control = 0;
	if (result)
		*graph = NULL;
	return result;
}

int kbrt_record_end(struct kbrt *rt, uint32_t call_count, struct kb_err *err)
{
	struct kbrt_recordings *r = rt->recordings;
	kb_cu_graph graph = NULL;
	kb_cu_result result;
	int ret = kb_cuda_random_advance(r->random, r->stream, call_count,
					 err);

	result = end_capture(r, &graph);
	if (!ret && !result)
		result = r->api->GraphInstantiateWithFlags(
			&r->graphs[r->count], graph, 0);
	if (graph)
		(void)r->api->GraphDestroy(graph);
	if (ret < 0)
		return ret;
	if (result)
		return kb_cuda_err(err, r->api, result, "end a recording");
	r->calls[r->count] = call_count;
	return (int)r->count++;
}

void kbrt_record_drop(struct kbrt *rt)
{
	struct kbrt_recordings *r = rt->recordings;
	kb_cu_graph graph = NULL;

	if (!r || !r->stream)
		return;
	(void)end_capture(r, &graph);
	if (graph)
		(void)r->api->GraphDestroy(graph);
}

int kbrt_replay_begin(struct kbrt *rt, struct kb_err *err)
{
	struct kbrt_recordings *r = rt->recordings;
	const uint32_t first = rt->request.first_slot;
	const uint32_t slots = rt->request.slot_count;
	const uint32_t inputs = rt->plan.input_count;
	kb_auto(mem) struct kb_random_control *control = NULL;
	uint64_t *places;
	kb_cu_result result;

	if (!r || slots > KB_MASTER_SLOT)
		return kb_err(err, KB_ERR_INPUT,
			      "nothing was recorded for %u slots", slots);
	control = kb_xcalloc(1, control_bytes(rt, slots));
	memcpy(control->key, rt->request.seed, sizeof(control->key));
	places = (uint64_t *)(control + 1);
	for (uint32_t i = 0; i < slots * inputs; i++)
		places[i] = (uintptr_t)kbrt_input_data(rt, first + i / inputs,
						       i % inputs);
	r->slots_left = slots;
	/* The driver has taken what it copies when this returns. */
	result = r->api->MemcpyHtoDAsync(r->control, control,
					 control_bytes(rt, slots), NULL);
	return result ? kb_cuda_err(err, r->api, result,
				    "say what is to be made") : 0;
}

int kbrt_replay(struct kbrt *rt, uint32_t recording, struct kb_err *err)
{
	struct kbrt_recordings *r = rt->recordings;
	kb_cu_result result;

	if (recording >= r->count ||
	    r->calls[recording] > r->slots_left)
		return kb_err(err, KB_ERR_INPUT,
			      "there is no recording %u for the %u slots "
			      "that are left", recording, r->slots_left);
	r->slots_left -= r->calls[recording];
	result = r->api->GraphLaunch(r->graphs[recording], NULL);
	return result ? kb_cuda_err(err, r->api, result,
				    "make inputs by a recording") : 0;
}

void kbrt_recordings_free(struct kbrt *rt)
{
	struct kbrt_recordings *r = rt->recordings;

	if (!r)
		return;
	kbrt_record_drop(rt);
	for (uint32_t i = 0; i < r->count; i++)
		(void)r->api->GraphExecDestroy(r->graphs[i]);
	(void)r->api->MemFree(r->control);
	free(r);
	rt->recordings = NULL;
}
