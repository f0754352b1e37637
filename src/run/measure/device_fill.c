/* Patterns around and in outputs before a run, and the first chain. */

#include "measure/device_run_state.h"

#include <sys/random.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/numbers.h"
#include "device/cuda.h"

static bool is_in_pool(const struct kb_run_state *x, uint64_t address)
{
	return kb_output_pool_has(x->s->pool, address);
}

/* Where output `k` is before it is there. */
static uint64_t place_of(const struct kb_run_state *x, uint32_t k)
{
	const uint32_t outputs = x->b->plan.output_count;

	return x->r->clock == KB_RUN_DEVICE ? x->outputs[k] :
		kb_device_output(&x->b->device_slots, k / outputs,
				 k % outputs);
}

/* Patterns are of whole words; their ends are not. */
static struct kb_cuda_pattern pattern_at(uint64_t address, uint64_t bytes,
					 uint64_t key)
{
	const uint64_t base = address / 8 * 8;

	return (struct kb_cuda_pattern){
		.base = base, .first = address - base,
		.end = address - base + bytes, .key = key,
	};
}

static int fill_found(const struct kb_run_state *x, struct kb_err *err)
{
	kb_auto(mem) struct kb_cuda_pattern *list =
		kb_xcalloc(kb_run_outputs(x) + (size_t)1, sizeof(*list));
	size_t count = 0;

	for (uint32_t k = 0; k < kb_run_outputs(x); k++)
		if (is_in_pool(x, x->outputs[k]))
			list[count++] = pattern_at(x->outputs[k],
						   kb_run_output_bytes(x, k),
						   x->guards.key + k);
	return kb_cuda_pattern_fill(x->b->gpu->cuda, list, count, err);
}

static int fill_spans(const struct kb_run_state *x, struct kb_err *err)
{
	const struct kb_spans *s = &x->s->filled;
	kb_auto(mem) struct kb_cuda_pattern *list =
		kb_xcalloc(s->count + 1, sizeof(*list));

	for (size_t i = 0; i < s->count; i++)
		list[i] = pattern_at(s->items[i].start,
				     s->items[i].end - s->items[i].start,
				     x->guards.key + i);
	return kb_cuda_pattern_fill(x->b->gpu->cuda, list, s->count, err);
}

/*
 * By the device clock it is known where outputs will be: the calls are
 * queued. By the call clock it is not, and what else lies in the pool is the
 * candidate's to keep: there, those places are filled that outputs have had
 * before, which are free again when a run begins.
 */
int kb_run_fill(struct kb_run_state *x, struct kb_err *err)
{
	struct kb_device_guards *g = &x->guards;
	int ret;

	g->count = x->r->n;
	g->outputs = x->s->outputs_in_slots;
	if (getrandom(&g->key, sizeof(g->key), 0) != sizeof(g->key))
		return kb_err_sys(err, "cannot draw random bytes");
	ret = kb_device_slots_poison(&x->b->device_slots, g, err);
	/* The reference's pool holds what is expected as well; and nobody
	 * doubts that it writes its outputs. */
	if (ret < 0 || x->r->clock == KB_RUN_UNGATED || kb_run_is_reference(x))
		return ret;
	return x->r->clock == KB_RUN_CALL ? fill_spans(x, err)
					  : fill_found(x, err);
}

/* The filled memory, in parts as large as an output. */
static size_t parts_of_spans(const struct kb_run_state *x,
			     struct kb_cuda_span *parts, size_t room)
{
	const struct kb_spans *s = &x->s->filled;
	const uint64_t most =
		kb_max_u64(kb_device_output_bytes(&x->b->plan), 1);
	size_t count = 0;

	for (size_t i = 0; i < s->count; i++)
		for (uint64_t at = s->items[i].start;
		     at < s->items[i].end && count < room; at += most)
			parts[count++] = (struct kb_cuda_span){
				at, kb_min_u64(most, s->items[i].end - at),
			};
	return count;
}

/* Where the chain writes, as many spans as there are outputs; somewhere if it
 * is not known where these will be. */
int kb_run_prepare_chain(const struct kb_run_state *x, struct kb_err *err)
{
	const uint32_t room = kb_run_outputs(x);
	kb_auto(mem) struct kb_cuda_span *spans = kb_xcalloc(room,
							     sizeof(*spans));
	const bool is_known = x->r->clock == KB_RUN_DEVICE ||
			      x->s->outputs_in_slots;
	size_t count = 0;

	if (!is_known && !kb_run_is_reference(x))
		count = parts_of_spans(x, spans, room);
	for (; count < room; count++)
		spans[count] = !is_known ? kb_cuda_scratch(x->b->gpu->cuda) :
			(struct kb_cuda_span){
				place_of(x, (uint32_t)count),
				kb_run_output_bytes(x, (uint32_t)count),
			};
	return kb_device_slots_chain(&x->b->device_slots, x->r->n, spans, room,
				     err);
}

/* An output in a place that was not filled may be older than this run: such a
 * run is void, but its places will be filled in the next. */
void kb_run_note_places(struct kb_run_state *x)
{
	struct kb_spans *filled = &x->s->filled;

	if (kb_run_is_reference(x))
		return;
	for (uint32_t k = 0; k < kb_run_outputs(x); k++)
		if (is_in_pool(x, x->outputs[k]) &&
		    !kb_spans_have(filled, x->outputs[k],
				   kb_run_output_bytes(x, k)))
			x->r->is_void = true;
	for (uint32_t k = 0; k < kb_run_outputs(x) && x->r->is_void; k++)
		if (is_in_pool(x, x->outputs[k]))
			kb_spans_add(filled, x->outputs[k],
				     kb_run_output_bytes(x, k));
}
