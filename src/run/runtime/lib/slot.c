/* The tensors of slots, mapped. */

#include <stdbool.h>
#include <sys/mman.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "runtime/lib/internal.h"
#include "runtime/lib/kbrt.h"

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

/* --- on a device ------------------------------------------------------- */

static int map_tensor(struct kbrt *rt, const struct kb_tensor_spec *spec,
		      void **out, struct kb_err *err)
{
	const uint64_t bytes = kb_tensor_file_bytes(kb_tensor_bytes(spec));
	kb_auto(fd) int fd = kbrt_fd_take(rt);
	void *memory;
	int ret = kbrt_device_map(&memory, rt,
				  rt->request.first_slot < KB_MASTER_SLOT ?
				  KBRT_REGION_SLOTS : KBRT_REGION_MASTERS,
				  fd, bytes, "a tensor", err);

	if (ret < 0)
		return ret;
	*out = (char *)memory + KB_GUARD_BYTES;
	return 0;
}

/* There may be none: they go to the pool. */
static bool brings_outputs(const struct kbrt *rt)
{
	return rt->fd_count != rt->plan.input_count;
}

static int map_on_device(struct kbrt *rt, struct kb_err *err)
{
	const uint32_t index = rt->request.first_slot;
	const struct kb_plan *plan = &rt->plan;
	const uint32_t output_count = brings_outputs(rt) ? plan->output_count
							 : 0;
	struct kbrt_slot *slot;
	int ret = 0;

	if (rt->request.slot_count != 1 || index >= 2 * KB_MASTER_SLOT ||
	    is_mapped(rt, index))
		return kb_err(err, KB_ERR_CORRUPT, "slot %u cannot be mapped",
			      index);
	slot = make_slot(rt, index);
	for (uint32_t i = 0; i < plan->input_count && ret >= 0; i++)
		ret = map_tensor(rt, &plan->inputs[i], &slot->inputs[i], err);
	for (uint32_t i = 0; i < output_count && ret >= 0; i++)
		ret = map_tensor(rt, &plan->outputs[i], &slot->outputs[i], err);
	slot->mapped = ret >= 0;
	return ret;
}

/* --- on the CPU -------------------------------------------------------- */

/* Returns what comes after it. */
static char *place_tensor(const struct kb_tensor_spec *spec, void **out,
			  char *at)
{
	*out = at + KB_GUARD_BYTES;
	return at + kb_tensor_file_bytes(kb_tensor_bytes(spec));
}

static char *place_slot(struct kbrt_slot *slot, const struct kb_plan *plan,
			char *at)
{
	for (uint32_t i = 0; i < plan->input_count; i++)
		at = place_tensor(&plan->inputs[i], &slot->inputs[i], at);
	for (uint32_t i = 0; i < plan->output_count; i++)
		at = place_tensor(&plan->outputs[i], &slot->outputs[i], at);
	slot->mapped = true;
	return at;
}

static uint64_t slot_bytes(const struct kb_plan *plan)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < plan->input_count; i++)
		total += kb_tensor_file_bytes(kb_tensor_bytes(&plan->inputs[i]));
	for (uint32_t i = 0; i < plan->output_count; i++)
		total += kb_tensor_file_bytes(
			kb_tensor_bytes(&plan->outputs[i]));
	return total;
}

static int map_on_host(struct kbrt *rt, struct kb_err *err)
{
	const uint32_t first = rt->request.first_slot;
	const uint32_t count = rt->request.slot_count;
	kb_auto(fd) int fd = kbrt_fd_take(rt);
	void *memory;
	char *at;
	int ret;

	if (!count || count > KBRT_SLOTS_MAX || first > KBRT_SLOTS_MAX - count)
		return kb_err(err, KB_ERR_CORRUPT,
			      "%u slots from %u on cannot be mapped", count,
			      first);
	for (uint32_t i = 0; i < count; i++)
		if (is_mapped(rt, first + i))
			return kb_err(err, KB_ERR_CORRUPT,
				      "slot %u cannot be mapped", first + i);
	ret = kbrt_map(&memory, fd, count * slot_bytes(&rt->plan),
		       PROT_READ | PROT_WRITE, MAP_SHARED, "memory of slots",
		       err);
	if (ret < 0)
		return ret;
	at = memory;
	for (uint32_t i = 0; i < count; i++)
		at = place_slot(make_slot(rt, first + i), &rt->plan, at);
	return 0;
}

int kbrt_slot_map(struct kbrt *rt, struct kb_err *err)
{
	return rt->cuda ? map_on_device(rt, err) : map_on_host(rt, err);
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
