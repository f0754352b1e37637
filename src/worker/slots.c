#include "worker/slots.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/dtype.h"
#include "base/err.h"
#include "device/pattern.h"

static int check_spec(const struct kb_tensor_spec *spec, const char *what,
		      uint32_t i, struct kb_err *err)
{
	if (!kb_dtype_is_valid(spec->dtype))
		return kb_err(err, KB_ERR_INPUT, "%s %u: no type has number %u",
			      what, i, spec->dtype);
	if (kb_tensor_bytes(spec) == UINT64_MAX)
		return kb_err(err, KB_ERR_INPUT,
			      "%s %u: dimensions that make no tensor", what, i);
	if (spec->flags & KB_TENSOR_IS_SCALAR && spec->ndim)
		return kb_err(err, KB_ERR_INPUT,
			      "%s %u: a plain number with dimensions", what, i);
	return 0;
}

int kb_plan_check(const struct kb_plan *plan, struct kb_err *err)
{
	int ret = 0;

	if (plan->version != KB_PLAN_VERSION)
		return kb_err(err, KB_ERR_INPUT, "the plan has version %u",
			      plan->version);
	if (plan->input_count > KB_INPUTS_MAX)
		return kb_err(err, KB_ERR_INPUT, "%u inputs, more than %d",
			      plan->input_count, KB_INPUTS_MAX);
	if (!plan->output_count || plan->output_count > KB_OUTPUTS_MAX)
		return kb_err(err, KB_ERR_INPUT, "%u outputs, not 1 to %d",
			      plan->output_count, KB_OUTPUTS_MAX);
	for (uint32_t i = 0; i < plan->input_count && !ret; i++)
		ret = check_spec(&plan->inputs[i], "input", i, err);
	for (uint32_t i = 0; i < plan->output_count && !ret; i++)
		ret = check_spec(&plan->outputs[i], "output", i, err);
	return ret;
}

static const struct kb_tensor_spec *spec_of(const struct kb_plan *plan,
					    uint32_t i)
{
	return i < plan->input_count ? &plan->inputs[i]
				     : &plan->outputs[i - plan->input_count];
}

uint64_t kb_plan_slot_bytes(const struct kb_plan *plan)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < kb_plan_tensors(plan); i++)
		total += kb_tensor_file_bytes(
			kb_tensor_bytes(spec_of(plan, i)));
	return total;
}

static int make_tensor(struct kb_slot_tensor *t, uint64_t bytes,
		       struct kb_err *err)
{
	t->data_bytes = bytes;
	t->file_bytes = kb_tensor_file_bytes(bytes);
	/*
	 * A worker has this descriptor. If it could make the file shorter, our
	 * next access to the mapping would end us by SIGBUS (mmap(2)); if
	 * longer, it would have memory that nobody counts. F_SEAL_SEAL keeps it
	 * from adding seals of its own.
	 */
	t->fd = memfd_create("kb-tensor", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (t->fd < 0 || ftruncate(t->fd, (off_t)t->file_bytes) < 0 ||
	    fcntl(t->fd, F_ADD_SEALS,
		  F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0)
		return kb_err_sys(err, "cannot make a tensor of %llu bytes",
				  (unsigned long long)bytes);
	t->base = mmap(NULL, t->file_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
		       t->fd, 0);
	if (t->base == MAP_FAILED) {
		t->base = NULL;
		return kb_err_sys(err, "cannot map a tensor of %llu bytes",
				  (unsigned long long)bytes);
	}
	/* Monitors are forked from us and need none of this. */
	(void)madvise(t->base, t->file_bytes, MADV_DONTFORK);
	return 0;
}

static void free_tensor(struct kb_slot_tensor *t)
{
	if (t->base)
		munmap(t->base, t->file_bytes);
	if (t->fd >= 0)
		close(t->fd);
	*t = (struct kb_slot_tensor){ .fd = -1 };
}

int kb_slots_grow(struct kb_slots *s, uint32_t count, struct kb_err *err)
{
	const uint32_t per_slot = kb_plan_tensors(s->plan);
	struct kb_slot_tensor *next;
	int ret = 0;

	if (count <= s->count)
		return 0;
	s->tensors = kb_xreallocarray(s->tensors, (size_t)count * per_slot,
				      sizeof(*s->tensors));
	while (s->count < count && !ret) {
		uint32_t made = 0;

		next = s->tensors + (size_t)s->count * per_slot;
		while (made < per_slot && !ret) {
			next[made] = (struct kb_slot_tensor){ .fd = -1 };
			ret = make_tensor(&next[made],
					  kb_tensor_bytes(spec_of(s->plan,
								  made)),
					  err);
			made++;
		}
		if (!ret)
			s->count++;
		else
			while (made--)
				free_tensor(&next[made]);
	}
	return ret;
}

void kb_slots_release(struct kb_slots *s)
{
	for (size_t i = 0; s->tensors &&
	     i < (size_t)s->count * kb_plan_tensors(s->plan); i++)
		free_tensor(&s->tensors[i]);
	free(s->tensors);
	*s = (struct kb_slots)KB_SLOTS_INIT;
}

const struct kb_slot_tensor *kb_slots_input(const struct kb_slots *s,
					    uint32_t slot, uint32_t i)
{
	return &s->tensors[(size_t)slot * kb_plan_tensors(s->plan) + i];
}

const struct kb_slot_tensor *kb_slots_output(const struct kb_slots *s,
					     uint32_t slot, uint32_t i)
{
	return kb_slots_input(s, slot, s->plan->input_count + i);
}

int kb_slots_send(const struct kb_slots *s, uint32_t first,
		  struct kb_worker *w, struct kb_fault *fault,
		  struct kb_err *err)
{
	const uint32_t per_slot = kb_plan_tensors(s->plan);
	const uint32_t count = s->count - first;
	kb_auto(mem) struct kb_request *requests =
		kb_xcalloc(count, sizeof(*requests));
	kb_auto(mem) int *fds = kb_xcalloc((size_t)count * per_slot,
					   sizeof(*fds));

	if (!count)
		return 1;
	for (uint32_t i = 0; i < count; i++)
		requests[i] = (struct kb_request){
			.op = KB_OP_SLOT, .first_slot = first + i,
		};
	for (size_t i = 0; i < (size_t)count * per_slot; i++)
		fds[i] = s->tensors[(size_t)first * per_slot + i].fd;
	return kb_worker_ask_all(w, requests, count, fds, per_slot, fault, err);
}

/* Both guards; the back one starts with the padding. */
static void set_guards(const struct kb_slot_tensor *t, uint64_t key)
{
	kb_pattern_fill(t->base, 0, KB_GUARD_BYTES, key);
	kb_pattern_fill(t->base, KB_GUARD_BYTES + t->data_bytes, t->file_bytes,
			key);
}

static bool guards_hold(const struct kb_slot_tensor *t, uint64_t key)
{
	uint64_t damaged;

	return kb_pattern_holds(t->base, 0, KB_GUARD_BYTES, key, &damaged) &&
	       kb_pattern_holds(t->base, KB_GUARD_BYTES + t->data_bytes,
				t->file_bytes, key, &damaged);
}

void kb_slots_poison(const struct kb_slots *s, uint32_t count, uint64_t key)
{
	const uint32_t per_slot = kb_plan_tensors(s->plan);

	for (uint32_t i = 0; i < count * per_slot; i++) {
		const struct kb_slot_tensor *t = &s->tensors[i];
		const uint64_t guard_key = kb_pattern_key(key, 2 * i);

		set_guards(t, guard_key);
		if (i % per_slot >= s->plan->input_count)
			kb_pattern_fill(t->base, KB_GUARD_BYTES,
					KB_GUARD_BYTES + t->data_bytes,
					kb_pattern_key(key, 2 * i + 1));
	}
}

bool kb_slots_guards_hold(const struct kb_slots *s, uint32_t count,
			  uint64_t key, uint32_t *slot, uint32_t *tensor)
{
	const uint32_t per_slot = kb_plan_tensors(s->plan);

	for (uint32_t i = 0; i < count * per_slot; i++) {
		if (guards_hold(&s->tensors[i], kb_pattern_key(key, 2 * i)))
			continue;
		*slot = i / per_slot;
		*tensor = i % per_slot;
		return false;
	}
	return true;
}

/* The tensors of one kind in a slot: those from `first` on. */
struct kind {
	uint32_t first, count;
};

static struct kind inputs_of(const struct kb_slots *s)
{
	return (struct kind){ 0, s->plan->input_count };
}

static struct kind outputs_of(const struct kb_slots *s)
{
	return (struct kind){ s->plan->input_count, s->plan->output_count };
}

/* The `i`-th of a kind, going through the slots one by one. */
static const struct kb_slot_tensor *tensor_of(const struct kb_slots *s,
					      struct kind k, uint32_t i)
{
	return kb_slots_input(s, i / k.count, k.first + i % k.count);
}

static uint64_t copy_bytes(const struct kb_slots *s, struct kind k,
			   uint32_t count)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < k.count; i++)
		total += kb_slot_copy_bytes(tensor_of(s, k, i));
	return count * total;
}

static void take(const struct kb_slots *s, struct kind k, uint32_t count,
		 uint8_t *to)
{
	for (uint32_t i = 0; i < count * k.count; i++) {
		const struct kb_slot_tensor *t = tensor_of(s, k, i);

		memcpy(to, kb_slot_data(t), t->data_bytes);
		to += kb_slot_copy_bytes(t);
	}
}

uint64_t kb_slots_inputs_bytes(const struct kb_slots *s, uint32_t count)
{
	return copy_bytes(s, inputs_of(s), count);
}

uint64_t kb_slots_outputs_bytes(const struct kb_slots *s, uint32_t count)
{
	return copy_bytes(s, outputs_of(s), count);
}

void kb_slots_take_inputs(const struct kb_slots *s, uint32_t count,
			  uint8_t *to)
{
	take(s, inputs_of(s), count, to);
}

void kb_slots_take_outputs(const struct kb_slots *s, uint32_t count,
			   uint8_t *to)
{
	take(s, outputs_of(s), count, to);
}

void kb_slots_put_inputs(const struct kb_slots *s, uint32_t count,
			 const uint8_t *from)
{
	const struct kind k = inputs_of(s);

	for (uint32_t i = 0; i < count * k.count; i++) {
		const struct kb_slot_tensor *t = tensor_of(s, k, i);

		memcpy(kb_slot_data(t), from, t->data_bytes);
		from += kb_slot_copy_bytes(t);
	}
}

bool kb_slots_have_inputs(const struct kb_slots *s, uint32_t count,
			  const uint8_t *from)
{
	const struct kind k = inputs_of(s);

	for (uint32_t i = 0; i < count * k.count; i++) {
		const struct kb_slot_tensor *t = tensor_of(s, k, i);

		if (memcmp(kb_slot_data(t), from, t->data_bytes))
			return false;
		from += kb_slot_copy_bytes(t);
	}
	return true;
}
