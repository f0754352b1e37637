/* A problem as it is loaded: program, plan and state. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "runtime/lib/internal.h"
#include "runtime/lib/kbrt.h"

static uint64_t align_state(uint64_t bytes)
{
	return (bytes + KB_STATE_ALIGN_BYTES - 1) / KB_STATE_ALIGN_BYTES *
	       KB_STATE_ALIGN_BYTES;
}

/* --- reading: a candidate ------------------------------------------- */

static int read_plan(struct kbrt *rt, int fd, struct kb_err *err)
{
	if (pread(fd, &rt->plan, sizeof(rt->plan), 0) != sizeof(rt->plan))
		return kb_err(err, KB_ERR_CORRUPT, "cannot read the plan");
	return kbrt_plan_check(&rt->plan, err);
}

/* Private, because a shared mapping of a descriptor that was once
 * writable counts as a writer and would keep the state from being sealed. */
static int map_state_for_reading(struct kbrt *rt, int fd, struct kb_err *err)
{
	struct stat st;
	void *state;
	int ret;

	if (fstat(fd, &st) < 0)
		return kb_err_sys(err, "cannot look at the state");
	if (!st.st_size)
		return kb_err(err, KB_ERR_CORRUPT, "the state is empty");
	ret = kbrt_map(&state, fd, (uint64_t)st.st_size, PROT_READ, MAP_PRIVATE,
		       "the state", err);
	if (ret < 0)
		return ret;

	rt->state = state;
	rt->state_bytes = (uint64_t)st.st_size;
	return 0;
}

static int read_state(struct kbrt *rt, int fd, struct kb_err *err)
{
	int ret = map_state_for_reading(rt, fd, err);

	if (ret < 0)
		return ret;
	return kbrt_state_check(rt->state, rt->state_bytes, err);
}

int kbrt_load(struct kbrt *rt, uint32_t fd_count, struct kb_err *err)
{
	kb_auto(fd) int control_fd = -1;
	void *control;
	int ret;

	if (rt->control || rt->fd_count != fd_count)
		return kb_err(err, KB_ERR_CORRUPT,
			      "a load with %u descriptors, not %u",
			      rt->fd_count, fd_count);
	control_fd = kbrt_fd_take(rt);
	rt->plan_fd = kbrt_fd_take(rt);
	rt->state_fd = kbrt_fd_take(rt);
	rt->program_fd = kbrt_fd_take(rt);

	ret = kbrt_map(&control, control_fd, KB_CONTROL_BYTES,
		       PROT_READ | PROT_WRITE, MAP_SHARED, "the control page",
		       err);
	if (ret < 0)
		return ret;
	rt->control = control;
	rt->is_reference = rt->request.side == KB_SIDE_REFERENCE;
	if (rt->is_reference)
		return 0;

	ret = read_plan(rt, rt->plan_fd, err);
	if (ret < 0)
		return ret;
	return read_state(rt, rt->state_fd, err);
}

int kbrt_program_fd(const struct kbrt *rt)
{
	return rt->program_fd;
}

/* --- writing: a reference ------------------------------------------- */

/* These are failures of the problem, which anybody may have written, and have
 * to say what it should not have. */
static int check_spec(const struct kb_tensor_spec *spec, const char *what,
		      struct kb_err *err)
{
	if (spec->ndim > KB_DIMS_MAX)
		return kb_err(err, KB_ERR_INPUT,
			      "%s has %u dimensions, more than %d", what,
			      spec->ndim, KB_DIMS_MAX);
	if (!kb_dtype_is_valid(spec->dtype))
		return kb_err(err, KB_ERR_INPUT, "%s has no type that we know",
			      what);
	if (kb_tensor_bytes(spec) == UINT64_MAX)
		return kb_err(err, KB_ERR_INPUT, "%s is too large", what);
	return 0;
}

static int spec_add(struct kb_tensor_spec *specs, uint32_t *count, uint32_t max,
		    const struct kb_tensor_spec *spec, const char *noun,
		    struct kb_err *err)
{
	char what[32];
	int ret;

	if (*count == max)
		return kb_err(err, KB_ERR_INPUT, "more than %u %ss", max, noun);
	snprintf(what, sizeof(what), "%s %u", noun, *count);
	ret = check_spec(spec, what, err);
	if (ret < 0)
		return ret;
	specs[(*count)++] = *spec;
	return 0;
}

int kbrt_input_add(struct kbrt *rt, const struct kb_tensor_spec *spec,
		   struct kb_err *err)
{
	return spec_add(rt->plan.inputs, &rt->plan.input_count, KB_INPUTS_MAX,
			spec, "input", err);
}

int kbrt_output_add(struct kbrt *rt, const struct kb_tensor_spec *spec,
		    struct kb_err *err)
{
	return spec_add(rt->plan.outputs, &rt->plan.output_count,
			KB_OUTPUTS_MAX, spec, "output", err);
}

int kbrt_state_add(struct kbrt *rt, const char *name,
		   const struct kb_tensor_spec *spec, struct kb_err *err)
{
	struct kb_state_entry e = { .spec = *spec };
	size_t len = strlen(name);
	char what[KB_STATE_NAME_BYTES + 16];
	int ret;

	if (!len || len >= sizeof(e.name))
		return kb_err(err, KB_ERR_INPUT,
			      "the name '%.32s...' has %zu bytes, not 1 to %zu",
			      name, len, sizeof(e.name) - 1);
	snprintf(what, sizeof(what), "'%s'", name);
	ret = check_spec(spec, what, err);
	if (ret < 0)
		return ret;

	if (rt->entries_bytes > KB_TENSOR_BYTES_MAX)
		return kb_err(err, KB_ERR_INPUT, "the state is too large");

	memcpy(e.name, name, len);
	e.offset_bytes = rt->entries_bytes;	/* from the first tensor on */
	rt->entries_bytes += align_state(kb_tensor_bytes(spec));
	rt->entries = kb_grow(rt->entries, rt->entry_count,
			      &rt->entry_capacity, sizeof(*rt->entries));
	rt->entries[rt->entry_count++] = e;
	return 0;
}

static void write_header(struct kbrt *rt, uint64_t header_bytes)
{
	struct kb_state_header *header = (void *)rt->state;

	*header = (struct kb_state_header){
		.magic = KB_STATE_MAGIC,
		.count = (uint32_t)rt->entry_count,
		.bytes = rt->state_bytes,
	};
	for (size_t i = 0; i < rt->entry_count; i++)
		rt->entries[i].offset_bytes += header_bytes;
	if (rt->entry_count)
		memcpy(header + 1, rt->entries,
		       rt->entry_count * sizeof(*rt->entries));
}

int kbrt_state_map(struct kbrt *rt, struct kb_err *err)
{
	uint64_t header_bytes = align_state(sizeof(struct kb_state_header) +
		rt->entry_count * sizeof(struct kb_state_entry));
	uint64_t bytes = header_bytes + rt->entries_bytes;
	void *state;
	int ret;

	/* fallocate, not ftruncate: memory that is not there must be an
	 * error here and not a SIGBUS at the first store. */
	do
		ret = posix_fallocate(rt->state_fd, 0, (off_t)bytes);
	while (ret == EINTR);
	if (ret) {
		errno = ret;
		return kb_err_sys(err, "cannot make room for the state");
	}
	ret = kbrt_map(&state, rt->state_fd, bytes, PROT_READ | PROT_WRITE,
		       MAP_SHARED, "the state", err);
	if (ret < 0)
		return ret;

	rt->state = state;
	rt->state_bytes = bytes;
	write_header(rt, header_bytes);
	return 0;
}

int kbrt_publish(struct kbrt *rt, struct kb_err *err)
{
	kb_auto(fd) int plan_fd = rt->plan_fd;
	kb_auto(fd) int state_fd = rt->state_fd;

	rt->plan_fd = rt->state_fd = -1;
	if (rt->state_bytes)
		munmap(rt->state, rt->state_bytes);
	rt->state_bytes = 0;
	if (pwrite(plan_fd, &rt->plan, sizeof(rt->plan), 0) != sizeof(rt->plan))
		return kb_err_sys(err, "cannot write the plan");
	return map_state_for_reading(rt, state_fd, err);
}

/* --- looking -------------------------------------------------------- */

uint32_t kbrt_input_count(const struct kbrt *rt)
{
	return rt->plan.input_count;
}

uint32_t kbrt_output_count(const struct kbrt *rt)
{
	return rt->plan.output_count;
}

const struct kb_tensor_spec *kbrt_input_spec(const struct kbrt *rt, uint32_t i)
{
	return &rt->plan.inputs[i];
}

const struct kb_tensor_spec *kbrt_output_spec(const struct kbrt *rt, uint32_t i)
{
	return &rt->plan.outputs[i];
}

static const struct kb_state_entry *entries_of(const void *state)
{
	return (const void *)((const struct kb_state_header *)state + 1);
}

uint32_t kbrt_state_count(const struct kbrt *rt)
{
	return ((const struct kb_state_header *)(void *)rt->state)->count;
}

const char *kbrt_state_name(const struct kbrt *rt, uint32_t i)
{
	return entries_of(rt->state)[i].name;
}

const struct kb_tensor_spec *kbrt_state_spec(const struct kbrt *rt, uint32_t i)
{
	return &entries_of(rt->state)[i].spec;
}

void *kbrt_state_data(const struct kbrt *rt, uint32_t i)
{
	return rt->state + entries_of(rt->state)[i].offset_bytes;
}
