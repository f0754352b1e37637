#include "runtime/lib/kbrt.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "random/random.h"
#include "runtime/lib/internal.h"

struct kbrt *kbrt_new(int channel_fd)
{
	struct kbrt *rt = kb_xcalloc(1, sizeof(*rt));

	rt->channel_fd = channel_fd;
	rt->plan_fd = rt->state_fd = rt->program_fd = -1;
	rt->rank_count = 1;
	rt->plan.version = KB_PLAN_VERSION;
	return rt;
}

static void unmap_tensor(struct kbrt *rt, void *data,
			 const struct kb_tensor_spec *spec)
{
	const uint64_t bytes = kb_tensor_file_bytes(kb_tensor_bytes(spec));

	if (rt->cuda)
		kbrt_device_unmap(rt, (char *)data - KB_GUARD_BYTES, bytes);
	else
		munmap((char *)data - KB_GUARD_BYTES, bytes);
}

static void unmap_slot(struct kbrt *rt, struct kbrt_slot *s)
{
	for (uint32_t i = 0; i < rt->plan.input_count && s->inputs[i]; i++)
		unmap_tensor(rt, s->inputs[i], &rt->plan.inputs[i]);
	for (uint32_t i = 0; i < rt->plan.output_count && s->outputs[i]; i++)
		unmap_tensor(rt, s->outputs[i], &rt->plan.outputs[i]);
}

static void close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

void kbrt_free(struct kbrt *rt)
{
	if (!rt)
		return;
	for (uint32_t i = 0; i < rt->slot_count; i++)
		unmap_slot(rt, &rt->slots[i]);
	kbrt_recordings_free(rt);
	kbrt_kernels_drop(rt);
	kbrt_cuda_close(rt);
	if (rt->control)
		munmap(rt->control, KB_CONTROL_BYTES);
	if (rt->state_bytes)
		munmap(rt->state, rt->state_bytes);
	for (uint32_t i = 0; i < rt->fd_count; i++)
		close_fd(rt->fds[i]);
	close_fd(rt->plan_fd);
	close_fd(rt->state_fd);
	close_fd(rt->program_fd);
	close_fd(rt->channel_fd);
	free(rt->slots);
	free(rt->entries);
	free(rt);
}

struct kb_err *kbrt_err(struct kbrt *rt)
{
	return &rt->err;
}

const char *kbrt_err_text(const struct kbrt *rt)
{
	return rt->err.msg;
}

/* A worker reports a failure by one of a few numbers; the rest,
 * KB_ACK_CODE_COUNT, ends it. */
uint32_t kbrt_code_of(const struct kb_err *err)
{
	if (err->kind == KB_ERR_INPUT)
		return KB_ACK_UNSUPPORTED;
	if (err->kind == KB_ERR_DEVICE)
		return KB_ACK_RUN_FAILED;
	if (err->kind != KB_ERR_SYS)
		return KB_ACK_CODE_COUNT;

	switch (err->sys_errno) {
	case ENOMEM:
	case ENOSPC:
	case EFBIG:
	case EAGAIN:		/* RLIMIT_MEMLOCK */
		return KB_ACK_NO_MEMORY;
	default:
		return KB_ACK_CODE_COUNT;
	}
}

/* For Python, which reads no headers: the names are looked up when a worker
 * starts, so that a number stands in one place. */
#define NUMBER(n) { #n, (n) }

static const struct {
	const char *name;
	int64_t value;
} numbers[] = {
	NUMBER(KB_CHANNEL_FD),
	NUMBER(KB_DIMS_MAX),
	NUMBER(KB_INPUTS_MAX),
	NUMBER(KB_MASTER_SLOT),
	NUMBER(KB_OUTPUTS_MAX),
	NUMBER(KB_RANKS_MAX),
	NUMBER(KB_STATE_NAME_BYTES),
	NUMBER(KB_TENSOR_IS_SCALAR),
	NUMBER(KB_FLOAT64),
	NUMBER(KB_FLOAT32),
	NUMBER(KB_FLOAT16),
	NUMBER(KB_BFLOAT16),
	NUMBER(KB_INT64),
	NUMBER(KB_INT32),
	NUMBER(KB_INT16),
	NUMBER(KB_INT8),
	NUMBER(KB_UINT8),
	NUMBER(KB_BOOL),
	NUMBER(KB_FLOAT8_E4M3FN),
	NUMBER(KB_FLOAT8_E5M2),
	NUMBER(KB_OP_LOAD),
	NUMBER(KB_OP_SLOT),
	NUMBER(KB_OP_GENERATE),
	NUMBER(KB_OP_RUN),
	NUMBER(KB_OP_POOL),
	NUMBER(KB_OP_FP64_ERROR),
	NUMBER(KB_OP_KERNELS),
	NUMBER(KB_OP_TRY),
	NUMBER(KB_GATE_HOST),
	NUMBER(KB_GATE_STREAM),
	NUMBER(KB_GATE_NONE),
	NUMBER(KB_SIDE_REFERENCE),
	NUMBER(KB_SIDE_CANDIDATE),
	NUMBER(KB_ACK_OK),
	NUMBER(KB_ACK_BUILD_FAILED),
	NUMBER(KB_ACK_LOAD_FAILED),
	NUMBER(KB_ACK_RUN_FAILED),
	NUMBER(KB_ACK_WRONG_SHAPE),
	NUMBER(KB_ACK_WRONG_DTYPE),
	NUMBER(KB_ACK_NO_MEMORY),
	NUMBER(KB_ACK_UNSUPPORTED),
	NUMBER(KB_ACK_NO_GATE),
	NUMBER(KB_ACK_DIFFERS),
	NUMBER(KB_ACK_CODE_COUNT),
	NUMBER(KB_DRAW_UNIFORM),
	NUMBER(KB_DRAW_NORMAL),
	NUMBER(KB_DRAW_INTEGERS),
	NUMBER(KBRT_EXIT_LOST),
	NUMBER(KBRT_RANK_ENDED),
	{ "sizeof(struct kb_tensor_spec)", sizeof(struct kb_tensor_spec) },
	{ "sizeof(struct kbrt_drawing)", sizeof(struct kbrt_drawing) },
};

int64_t kbrt_number(const char *name)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(numbers); i++)
		if (!strcmp(numbers[i].name, name))
			return numbers[i].value;
	return -1;
}
