#include "worker/device_slots.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "device/pattern.h"
#include "worker/slots.h"

static uint64_t page_up(uint64_t bytes)
{
	return (bytes + KB_PAGE_BYTES - 1) / KB_PAGE_BYTES * KB_PAGE_BYTES;
}

static uint64_t allocated_bytes(const struct kb_tensor_spec *spec)
{
	return page_up(kb_tensor_file_bytes(kb_tensor_bytes(spec)));
}

uint64_t kb_device_slot_bytes(const struct kb_plan *plan)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < plan->input_count; i++)
		total += 2 * allocated_bytes(&plan->inputs[i]);
	return total;
}

uint64_t kb_device_output_bytes(const struct kb_plan *plan)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < plan->output_count; i++)
		total += allocated_bytes(&plan->outputs[i]);
	return total;
}

/* Append one tensor for each of `specs` to a list that holds `had`, each on the
 * device of its rank. */
static int add_tensors(struct kb_device_slots *s, struct kb_cuda_memory **list,
		       size_t had, const struct kb_tensor_spec *specs,
		       uint32_t count, struct kb_err *err)
{
	const uint32_t each = count / kb_plan_ranks(s->plan);

	*list = kb_xreallocarray(*list, had + count + 1, sizeof(**list));
	for (uint32_t i = 0; i < count; i++) {
		struct kb_cuda_memory *m = &(*list)[had + i];
		int ret;

		*m = (struct kb_cuda_memory)KB_CUDA_MEMORY_INIT;
		ret = kb_cuda_memory_new(kb_cuda_of_rank(s->cuda, i / each), m,
					 allocated_bytes(&specs[i]), true,
					 err);
		if (ret < 0) {
			while (i--)
				kb_cuda_memory_free(s->cuda,
						    &(*list)[had + i]);
			return ret;
		}
	}
	return 0;
}

static void drop_tensors(struct kb_device_slots *s,
			 struct kb_cuda_memory *list, size_t count)
{
	for (size_t i = 0; list && i < count; i++)
		kb_cuda_memory_free(s->cuda, &list[i]);
}

/* Calls before the gate opens may look at their inputs. A slot that no run has
 * had yet gets slot 0's, of an earlier run. */
static int copy_first(const struct kb_device_slots *s, uint32_t slot,
		      struct kb_err *err)
{
	const uint32_t inputs = s->plan->input_count;
	const struct kb_cuda_memory *first = s->masters;
	const struct kb_cuda_memory *master = first + (size_t)slot * inputs;
	const struct kb_cuda_memory *input = s->inputs + (size_t)slot * inputs;
	kb_auto(mem) struct kb_cuda_copy *list =
		kb_xcalloc(2 * (size_t)inputs + 1, sizeof(*list));

	for (uint32_t i = 0; i < 2 * inputs; i++) {
		const uint32_t at = i / 2;

		list[i] = (struct kb_cuda_copy){
			.to = (i % 2 ? input : master)[at].address +
			      KB_GUARD_BYTES,
			.from = first[at].address + KB_GUARD_BYTES,
			.bytes = kb_tensor_bytes(&s->plan->inputs[at]),
		};
	}
	return kb_cuda_copy(s->cuda, list, 2 * (size_t)inputs, err);
}

int kb_device_slots_grow(struct kb_device_slots *s, uint32_t count,
			 struct kb_err *err)
{
	const uint32_t inputs = s->plan->input_count;
	int ret = 0;

	while (s->count < count && !ret) {
		size_t had = (size_t)s->count * inputs;

		ret = add_tensors(s, &s->masters, had, s->plan->inputs, inputs,
				  err);
		if (ret < 0)
			return ret;
		ret = add_tensors(s, &s->inputs, had, s->plan->inputs, inputs,
				  err);
		if (ret < 0)
			drop_tensors(s, s->masters + had, inputs);
		else if (s->count++)
			ret = copy_first(s, s->count - 1, err);
	}
	return ret;
}

int kb_device_slots_grow_outputs(struct kb_device_slots *s, uint32_t count,
				 bool masters, struct kb_err *err)
{
	const uint32_t outputs = s->plan->output_count;
	uint32_t *had = masters ? &s->master_output_slots : &s->output_slots;
	int ret = 0;

	while (*had < count && !ret) {
		ret = add_tensors(s, masters ? &s->master_outputs : &s->outputs,
				  (size_t)*had * outputs, s->plan->outputs,
				  outputs, err);
		if (!ret)
			(*had)++;
	}
	return ret;
}

static uint64_t bytes_of(const struct kb_cuda_memory *list, size_t count)
{
	uint64_t bytes = 0;

	for (size_t i = 0; list && i < count; i++)
		bytes += list[i].bytes;
	return bytes;
}

uint64_t kb_device_slots_bytes(const struct kb_device_slots *s)
{
	const size_t inputs = s->plan ?
		(size_t)s->count * s->plan->input_count : 0;
	const size_t outputs = s->plan ? s->plan->output_count : 0;

	return bytes_of(s->masters, inputs) + bytes_of(s->inputs, inputs) +
	       bytes_of(s->outputs, s->output_slots * outputs) +
	       bytes_of(s->master_outputs, s->master_output_slots * outputs);
}

void kb_device_slots_release(struct kb_device_slots *s)
{
	if (s->plan) {
		const size_t inputs = (size_t)s->count * s->plan->input_count;

		drop_tensors(s, s->masters, inputs);
		drop_tensors(s, s->inputs, inputs);
		drop_tensors(s, s->outputs, (size_t)s->output_slots *
			     s->plan->output_count);
		drop_tensors(s, s->master_outputs,
			     (size_t)s->master_output_slots *
			     s->plan->output_count);
	}
	free(s->masters);
	free(s->inputs);
	free(s->outputs);
	free(s->master_outputs);
	*s = (struct kb_device_slots)KB_DEVICE_SLOTS_INIT;
}

static const struct kb_cuda_memory *
master_memory(const struct kb_device_slots *s, uint32_t slot, uint32_t i)
{
	return &s->masters[(size_t)slot * s->plan->input_count + i];
}

static const struct kb_cuda_memory *
input_memory(const struct kb_device_slots *s, uint32_t slot, uint32_t i)
{
	return &s->inputs[(size_t)slot * s->plan->input_count + i];
}

static const struct kb_cuda_memory *
output_memory(const struct kb_device_slots *s, uint32_t slot, uint32_t i)
{
	return &s->outputs[(size_t)slot * s->plan->output_count + i];
}

static uint64_t master_of(const struct kb_device_slots *s, uint32_t slot,
			  uint32_t i)
{
	return master_memory(s, slot, i)->address + KB_GUARD_BYTES;
}

static uint64_t input_of(const struct kb_device_slots *s, uint32_t slot,
			 uint32_t i)
{
	return input_memory(s, slot, i)->address + KB_GUARD_BYTES;
}

uint64_t kb_device_output(const struct kb_device_slots *s, uint32_t slot,
			  uint32_t i)
{
	return output_memory(s, slot, i)->address + KB_GUARD_BYTES;
}

/* The descriptors of a rank's tensors of one slot, from number `n` on. */
static size_t add_share(const struct kb_device_slots *s, int *fds, size_t n,
			const struct kb_cuda_memory *inputs,
			const struct kb_cuda_memory *outputs, uint32_t rank)
{
	const uint32_t ranks = kb_plan_ranks(s->plan);
	const uint32_t in = s->plan->input_count / ranks;
	const uint32_t out = s->plan->output_count / ranks;

	for (uint32_t i = 0; i < in; i++)
		fds[n++] = inputs[rank * in + i].fd;
	for (uint32_t i = 0; outputs && i < out; i++)
		fds[n++] = outputs[rank * out + i].fd;
	return n;
}

int kb_device_slots_send(const struct kb_device_slots *s, uint32_t first,
			 bool masters, bool outputs, struct kb_worker *w,
			 struct kb_fault *fault, struct kb_err *err)
{
	const uint32_t in = s->plan->input_count, out = s->plan->output_count;
	const uint32_t ranks = kb_plan_ranks(s->plan);
	const struct kb_cuda_memory *from = masters ? s->masters : s->inputs;
	const struct kb_cuda_memory *to = masters ? s->master_outputs
						  : s->outputs;
	const uint32_t count = s->count - first;
	kb_auto(mem) struct kb_request *requests =
		kb_xcalloc(count, sizeof(*requests));
	kb_auto(mem) int *fds = kb_xcalloc((size_t)count * (in + out),
					   sizeof(*fds));
	size_t n = 0;

	if (!count)
		return 1;
	for (uint32_t slot = first; slot < s->count; slot++) {
		requests[slot - first] = (struct kb_request){
			.op = KB_OP_SLOT,
			.slot_count = 1,
			.first_slot = slot + (masters ? KB_MASTER_SLOT : 0),
		};
		for (uint32_t rank = 0; rank < ranks; rank++)
			n = add_share(s, fds, n, from ? from + (size_t)slot * in : NULL,
				      outputs ? to + (size_t)slot * out : NULL,
				      rank);
	}
	return kb_worker_ask_all(w, requests, count, fds, n / count, fault,
				 err);
}

/* Each slot's input beside its master. The caller frees. */
static struct kb_cuda_copy *pairs_of(const struct kb_device_slots *s,
				     uint32_t count, size_t *n)
{
	struct kb_cuda_copy *pairs =
		kb_xcalloc((size_t)count * s->plan->input_count + 1,
			   sizeof(*pairs));

	*n = 0;
	for (uint32_t slot = 0; slot < count; slot++)
		for (uint32_t i = 0; i < s->plan->input_count; i++)
			pairs[(*n)++] = (struct kb_cuda_copy){
				.to = input_of(s, slot, i),
				.from = master_of(s, slot, i),
				.bytes = kb_tensor_bytes(&s->plan->inputs[i]),
			};
	return pairs;
}

int kb_device_slots_copy_in(const struct kb_device_slots *s, uint32_t count,
			    struct kb_err *err)
{
	size_t n;
	kb_auto(mem) struct kb_cuda_copy *pairs = pairs_of(s, count, &n);

	return kb_cuda_copy(s->cuda, pairs, n, err);
}

int kb_device_slots_chain(const struct kb_device_slots *s, uint32_t count,
			  const struct kb_cuda_span spans[], size_t span_count,
			  struct kb_err *err)
{
	size_t n;
	kb_auto(mem) struct kb_cuda_copy *pairs = pairs_of(s, count, &n);
	const struct kb_cuda_chain_plan plan = {
		.copies = pairs, .copy_count = n,
		.spans = spans, .span_count = span_count,
	};

	return kb_cuda_chain_prepare(s->cuda, &plan, err);
}

int kb_device_slots_agree(const struct kb_device_slots *s, uint32_t count,
			  struct kb_err *err)
{
	size_t n;
	kb_auto(mem) struct kb_cuda_copy *pairs = pairs_of(s, count, &n);
	kb_auto(mem) uint64_t *differing = kb_xcalloc(n + 1,
						      sizeof(*differing));
	int ret = kb_cuda_differ(s->cuda, pairs, n, differing, err);

	for (size_t i = 0; i < n && ret >= 0; i++)
		if (differing[i])
			return 0;
	return ret < 0 ? ret : 1;
}

/* The two guards of one tensor; the back one starts with the padding. */
static void add_guards(struct kb_cuda_pattern *list, size_t *n,
		       const struct kb_cuda_memory *m,
		       const struct kb_tensor_spec *spec, uint64_t key)
{
	const uint64_t bytes = kb_tensor_bytes(spec);

	list[(*n)++] = (struct kb_cuda_pattern){
		.base = m->address, .end = KB_GUARD_BYTES, .key = key,
	};
	list[(*n)++] = (struct kb_cuda_pattern){
		.base = m->address, .first = KB_GUARD_BYTES + bytes,
		.end = kb_tensor_file_bytes(bytes), .key = key,
	};
}

/*
 * Guards, in pairs, tensor by tensor: inputs, then outputs if there are
 * any. Tensor number t of all has pattern key 2t, and its elements 2t + 1.
 */
static uint32_t guarded_per_slot(const struct kb_device_slots *s,
				 const struct kb_device_guards *g)
{
	return s->plan->input_count + (g->outputs ? s->plan->output_count : 0);
}

static struct kb_cuda_pattern *guards_of(const struct kb_device_slots *s,
					 const struct kb_device_guards *g,
					 size_t *n)
{
	const struct kb_plan *plan = s->plan;
	const uint32_t per_slot = guarded_per_slot(s, g);
	struct kb_cuda_pattern *list =
		kb_xcalloc(2 * (size_t)g->count * per_slot + 1, sizeof(*list));

	*n = 0;
	for (uint32_t k = 0; k < g->count * per_slot; k++) {
		const uint32_t slot = k / per_slot, i = k % per_slot;
		const uint32_t o = i - plan->input_count;
		const bool is_input = i < plan->input_count;

		add_guards(list, n,
			   is_input ? input_memory(s, slot, i)
				    : output_memory(s, slot, o),
			   is_input ? &plan->inputs[i] : &plan->outputs[o],
			   kb_pattern_key(g->key, 2 * k));
	}
	return list;
}

static int poison_outputs(const struct kb_device_slots *s, uint32_t count,
			  uint64_t key, struct kb_err *err)
{
	const uint32_t outputs = s->plan->output_count;
	kb_auto(mem) struct kb_cuda_pattern *list =
		kb_xcalloc((size_t)count * outputs, sizeof(*list));

	for (uint32_t k = 0; k < count * outputs; k++)
		list[k] = (struct kb_cuda_pattern){
			.base = s->outputs[k].address,
			.first = KB_GUARD_BYTES,
			.end = KB_GUARD_BYTES +
			       kb_tensor_bytes(&s->plan->outputs[k % outputs]),
			.key = kb_pattern_key(key, 2 * k + 1),
		};
	return kb_cuda_pattern_fill(s->cuda, list, (size_t)count * outputs,
				    err);
}

int kb_device_slots_poison(const struct kb_device_slots *s,
			   const struct kb_device_guards *g,
			   struct kb_err *err)
{
	size_t n;
	kb_auto(mem) struct kb_cuda_pattern *list = guards_of(s, g, &n);
	int ret = kb_cuda_pattern_fill(s->cuda, list, n, err);

	if (ret >= 0 && g->outputs)
		ret = poison_outputs(s, g->count, g->key, err);
	return ret;
}

int kb_device_slots_guards_hold(const struct kb_device_slots *s,
				const struct kb_device_guards *g,
				struct kb_guarded_tensor *damaged,
				struct kb_err *err)
{
	const uint32_t per_slot = guarded_per_slot(s, g);
	size_t n;
	kb_auto(mem) struct kb_cuda_pattern *list = guards_of(s, g, &n);
	kb_auto(mem) uint64_t *changed = kb_xcalloc(n + 1, sizeof(*changed));
	int ret = kb_cuda_pattern_check(s->cuda, list, n, changed, err);

	for (size_t i = 0; i < n && ret >= 0; i++) {
		if (!changed[i])
			continue;
		damaged->slot = (uint32_t)(i / 2 / per_slot);
		damaged->tensor = (uint32_t)(i / 2 % per_slot);
		return 0;
	}
	return ret < 0 ? ret : 1;
}
