/* The tensors of a slot, mapped. */

#include <stdbool.h>
#include <sys/mman.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "runtime/lib/internal.h"
#include "runtime/lib/kbrt.h"

static int map_tensor(struct kbrt *rt, const struct kb_tensor_spec *spec,
		      void **out, struct kb_err *err)
{
	const uint64_t bytes = kb_tensor_file_bytes(kb_tensor_bytes(spec));
	kb_auto(fd) int fd = kbrt_fd_take(rt);
	void *file;
	int ret;

	if (rt->cuda)
		ret = kbrt_device_map(&file, rt,
				      rt->request.first_slot < KB_MASTER_SLOT ?
				      KBRT_REGION_SLOTS : KBRT_REGION_MASTERS,
				      fd, bytes, "a tensor", err);
	else
		ret = kbrt_map(&file, fd, bytes, PROT_READ | PROT_WRITE,
			       MAP_SHARED, "a tensor", err);
	if (ret < 0)
		return ret;
	*out = (char *)file + KB_GUARD_BYTES;
	return 0;
}

static bool is_mapped(const struct kbrt *rt, uint32_t slot)
{
	return slot < rt->slot_count && rt->slots[slot].mapped;
}

static struct kbrt_slot *make_slot(struct kbrt *rt, uint32_t slot)
{
	if (slot >= rt->slot_count) {
		rt->slots = kb_xreallocarray(rt->slots, slot + 1,
					     sizeof(*rt->slots));
		for (uint32_t i = rt->slot_count; i <= slot; i++)
			rt->slots[i] = (struct kbrt_slot){ .mapped = false };
		rt->slot_count = slot + 1;
	}
	return &rt->slots[slot];
}

/* On a device there may be none: they go to the pool. */
static bool brings_outputs(const struct kbrt *rt)
{
	return !rt->cuda || rt->fd_count != rt->plan.input_count;
}

int kbrt_slot_map(struct kbrt *rt, struct kb_err *err)
{
	const uint32_t index = rt->request.first_slot;
	const struct kb_plan *plan = &rt->plan;
	const uint32_t output_count = brings_outputs(rt) ? plan->output_count
							 : 0;
	const uint32_t slots_max = rt->cuda ? 2 * KB_MASTER_SLOT
					    : KBRT_SLOTS_MAX;
	struct kbrt_slot *slot;
	int ret;

	if (index >= slots_max || is_mapped(rt, index))
		return kb_err(err, KB_ERR_CORRUPT, "slot %u cannot be mapped",
			      index);
	slot = make_slot(rt, index);
	for (uint32_t i = 0; i < plan->input_count; i++) {
		ret = map_tensor(rt, &plan->inputs[i], &slot->inputs[i], err);
		if (ret < 0)
			return ret;
	}
	for (uint32_t i = 0; i < output_count; i++) {
		ret = map_tensor(rt, &plan->outputs[i], &slot->outputs[i], err);
		if (ret < 0)
			return ret;
	}
	slot->mapped = true;
	return 0;
}

int kbrt_slots_check(const struct kbrt *rt, struct kb_err *err)
{
	const uint32_t first = rt->request.first_slot;

	for (uint32_t i = 0; i < rt->request.slot_count; i++)
		if (!is_mapped(rt, first + i))
			return kb_err(err, KB_ERR_CORRUPT,
				      "slot %u is not mapped", first + i);
	return 0;
}

void *kbrt_input_data(const struct kbrt *rt, uint32_t slot, uint32_t i)
{
	return rt->slots[slot].inputs[i];
}

void *kbrt_output_data(const struct kbrt *rt, uint32_t slot, uint32_t i)
{
	return rt->slots[slot].outputs[i];
}
