#include "worker/slots.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/dtype.h"
#include "base/err.h"
#include "device/pattern.h"

/* Memory that is filled when it is made. Of more the faults are cheap beside
 * what is done with it, and the kernel is not to be asked for all of it in one
 * call that only a fatal signal ends. */
#define POPULATED_BYTES_MAX ((uint64_t)64 << 20)

/* Since Linux 5.14; libc may be older. */
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

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

/* Add a rank's tensors, which must be as many as rank 0's. */
static int count_all(uint32_t *all, uint32_t each, uint32_t of_rank,
		     uint32_t rank, const char *what, struct kb_err *err)
{
	if (of_rank != each)
		return kb_err(err, KB_ERR_INPUT,
			      "rank %u has %u %ss, and rank 0 has %u", rank,
			      of_rank, what, each);
	*all += each;
	return 0;
}

int kb_plan_join(struct kb_plan *plan, const struct kb_plan of_ranks[],
		 uint32_t ranks, struct kb_err *err)
{
	const uint32_t inputs = of_ranks->input_count;
	const uint32_t outputs = of_ranks->output_count;

	*plan = (struct kb_plan){ .version = KB_PLAN_VERSION, .ranks = ranks };
	for (uint32_t i = 0; i < ranks; i++) {
		const struct kb_plan *p = &of_ranks[i];
		int ret = count_all(&plan->input_count, inputs, p->input_count,
				    i, "input", err);

		if (ret == 0)
			ret = count_all(&plan->output_count, outputs,
					p->output_count, i, "output", err);
		if (ret < 0)
			return ret;
	}
	if (plan->input_count > KB_GROUP_INPUTS_MAX ||
	    plan->output_count > KB_GROUP_OUTPUTS_MAX)
		return kb_err(err, KB_ERR_INPUT,
			      "%u ranks have %u inputs and %u outputs together, "
			      "more than %d", ranks, plan->input_count,
			      plan->output_count, KB_GROUP_INPUTS_MAX);
	for (uint32_t i = 0; i < ranks; i++) {
		memcpy(plan->inputs + i * inputs, of_ranks[i].inputs,
		       inputs * sizeof(*plan->inputs));
		memcpy(plan->outputs + i * outputs, of_ranks[i].outputs,
		       outputs * sizeof(*plan->outputs));
	}
	return 0;
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

static int make_memory(struct kb_slot_memory *m, uint64_t bytes,
		       struct kb_err *err)
{
	m->bytes = bytes;
	/*
	 * A worker has this descriptor. If it could make the file shorter, our
	 * next access to the mapping would end us by SIGBUS (mmap(2)); if
	 * longer, it would have memory that nobody counts. F_SEAL_SEAL keeps it
	 * from adding seals of its own.
	 */
	m->fd = memfd_create("kb-slots", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (m->fd < 0 || ftruncate(m->fd, (off_t)bytes) < 0 ||
	    fcntl(m->fd, F_ADD_SEALS,
		  F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0)
		return kb_err_sys(err, "cannot make slots of %llu bytes",
				  (unsigned long long)bytes);
	m->base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, m->fd,
		       0);
	if (m->base == MAP_FAILED) {
		m->base = NULL;
		return kb_err_sys(err, "cannot map slots of %llu bytes",
				  (unsigned long long)bytes);
	}
	/* Monitors are forked from us and need none of this. */
	(void)madvise(m->base, bytes, MADV_DONTFORK);
	/* Every page is written before the first run: at once is cheaper than by
	 * a fault for each. An older kernel has the faults. */
	if (bytes <= POPULATED_BYTES_MAX)
		(void)madvise(m->base, bytes, MADV_POPULATE_WRITE);
	return 0;
}

static void free_memory(struct kb_slot_memory *m)
{
	if (m->base)
		munmap(m->base, m->bytes);
	if (m->fd >= 0)
		close(m->fd);
}

/* The rank of a slot's tensor `i`. */
static uint32_t rank_of(const struct kb_plan *p, uint32_t i)
{
	return i < p->input_count ?
		i / (p->input_count / kb_plan_ranks(p)) :
		kb_plan_rank_of_output(p, i - p->input_count);
}

const char *kb_plan_name_tensor(char out[KB_TENSOR_NAME_SIZE],
				const struct kb_plan *plan, uint32_t i)
{
	const bool is_input = i < plan->input_count;
	char rank[16] = "";

	if (kb_plan_ranks(plan) > 1)
		snprintf(rank, sizeof(rank), "rank %u, ",
			 rank_of(plan, i) % KB_RANKS_MAX);
	snprintf(out, KB_TENSOR_NAME_SIZE, "%s%sput %u", rank,
		 is_input ? "in" : "out",
		 is_input ? i : i - plan->input_count);
	return out;
}

/* Bytes of a slot in a rank's memory. */
static uint64_t rank_bytes(const struct kb_slots *s, uint32_t rank)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < kb_plan_tensors(s->plan); i++)
		if (rank_of(s->plan, i) == rank)
			total += kb_tensor_file_bytes(
				kb_tensor_bytes(spec_of(s->plan, i)));
	return total;
}

/* Assign this memory to the rank's tensors of its slots. */
static void place_tensors(struct kb_slots *s, const struct kb_slot_memory *m)
{
	const uint32_t per_slot = kb_plan_tensors(s->plan);
	struct kb_slot_tensor *t = s->tensors + (size_t)m->first * per_slot;
	uint8_t *base = m->base;

	for (size_t i = 0; i < (size_t)m->count * per_slot; i++, t++) {
		const uint32_t tensor = (uint32_t)(i % per_slot);

		if (rank_of(s->plan, tensor) != m->rank)
			continue;
		t->base = base;
		t->data_bytes = kb_tensor_bytes(spec_of(s->plan, tensor));
		t->file_bytes = kb_tensor_file_bytes(t->data_bytes);
		base += t->file_bytes;
	}
}

static int grow_rank(struct kb_slots *s, uint32_t count, uint32_t rank,
		     struct kb_err *err)
{
	struct kb_slot_memory m = {
		.fd = -1, .first = s->count, .count = count - s->count,
		.rank = rank,
	};
	uint64_t bytes;
	int ret;

	if (__builtin_mul_overflow(rank_bytes(s, rank), m.count, &bytes) ||
	    bytes > INT64_MAX)
		return kb_err(err, KB_ERR_SYS, "%u slots have too many bytes",
			      m.count);
	ret = make_memory(&m, bytes, err);
	if (ret < 0) {
		free_memory(&m);
		return ret;
	}
	s->memory = kb_xreallocarray(s->memory, s->memory_count + 1,
				     sizeof(*s->memory));
	s->memory[s->memory_count++] = m;
	place_tensors(s, &m);
	return 0;
}

int kb_slots_grow(struct kb_slots *s, uint32_t count, struct kb_err *err)
{
	int ret = 0;

	if (count <= s->count)
		return 0;
	s->tensors = kb_xreallocarray(s->tensors, (size_t)count *
				      kb_plan_tensors(s->plan),
				      sizeof(*s->tensors));
	for (uint32_t i = 0; i < kb_plan_ranks(s->plan) && ret >= 0; i++)
		ret = grow_rank(s, count, i, err);
	if (ret >= 0)
		s->count = count;
	return ret;
}

void kb_slots_release(struct kb_slots *s)
{
	for (uint32_t i = 0; i < s->memory_count; i++)
		free_memory(&s->memory[i]);
	free(s->memory);
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
	kb_auto(mem) struct kb_request *requests =
		kb_xcalloc(s->memory_count + 1, sizeof(*requests));
	kb_auto(mem) int *fds = kb_xcalloc(s->memory_count + 1, sizeof(*fds));
	const uint32_t ranks = kb_plan_ranks(s->plan);
	size_t n = 0;

	for (uint32_t i = 0; i < s->memory_count; i++) {
		const struct kb_slot_memory *m = &s->memory[i];

		if (m->first < first)
			continue;
		requests[n / ranks] = (struct kb_request){
			.op = KB_OP_SLOT, .first_slot = m->first,
			.slot_count = m->count,
		};
		fds[n++] = m->fd;
	}
	return n ? kb_worker_ask_all(w, requests, n / ranks, fds, ranks, fault,
				     err) : 1;
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

static void take_specs(const struct kb_slots *s, struct kind k, uint32_t count,
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
	take_specs(s, inputs_of(s), count, to);
}

void kb_slots_take_outputs(const struct kb_slots *s, uint32_t count,
			   uint8_t *to)
{
	take_specs(s, outputs_of(s), count, to);
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
