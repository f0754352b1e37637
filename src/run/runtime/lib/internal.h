#ifndef KB_RUNTIME_LIB_INTERNAL_H
#define KB_RUNTIME_LIB_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "worker/protocol.h"

/* The part that the files of this library share; runtime/lib/kbrt.h is the
 * contract. */

/* SLOT carries the most: one descriptor a tensor. */
#define KBRT_FDS_MAX (KB_GROUP_INPUTS_MAX + KB_GROUP_OUTPUTS_MAX)

struct kbrt_slot {
	bool mapped;			/* all of it */
	void *inputs[KB_INPUTS_MAX];	/* first element, after the guard */
	void *outputs[KB_OUTPUTS_MAX];	/* NULL if they go to the pool */
};

struct kb_cuda_random;
struct kb_cu_stream_st;
struct kbrt_cuda;
struct kbrt_kernels;
struct kbrt_recordings;

struct kbrt {
	int channel_fd;
	struct kb_request request;
	uint32_t fd_count;
	int fds[KBRT_FDS_MAX];		/* -1 once used */

	uint32_t rank, rank_count;	/* 0 of 1, but in a group */
	bool leads;			/* one, and looks into no request */
	struct kb_control *control;
	bool is_reference;		/* since LOAD */
	int plan_fd, state_fd;		/* reference: until kbrt_publish() */
	int program_fd;
	struct kb_plan plan;

	/* Before kbrt_state_map() the entries are here, after it in `state`. */
	struct kb_state_entry *entries;
	size_t entry_count, entry_capacity;
	uint64_t entries_bytes;		/* their tensors, each aligned */
	char *state;
	uint64_t state_bytes;		/* of the mapping; 0 while there is none */

	struct kbrt_slot *slots;
	uint32_t slot_count;

	struct kbrt_cuda *cuda;		/* NULL: tensors are on the CPU */
	struct kbrt_recordings *recordings;	/* NULL before the first */

	struct kbrt_kernels *kernels;	/* NULL but while they are counted */

	struct kb_fp64_error_report report;	/* until it is published */

	struct kb_err err;		/* for callers without structs */
};

/* The next descriptor of the request, now the caller's; -1 if none is left. */
int kbrt_fd_take(struct kbrt *rt);

/* Map all of `fd`, which must have exactly `bytes`. `what` is for messages. */
int kbrt_map(void **out, int fd, uint64_t bytes, int prot, int flags,
	     const char *what, struct kb_err *err);

/* The same for an allocation of a device: `bytes` are rounded up to whole
 * pages. kbrt_device_unmap() takes what this returned, and the same size. */
enum kbrt_region {
	KBRT_REGION_SLOTS,
	KBRT_REGION_MASTERS,
	KBRT_REGION_POOL,
	KBRT_REGION_COUNT,
};

int kbrt_device_map(void **out, struct kbrt *rt, enum kbrt_region region,
		    int fd, uint64_t bytes, const char *what,
		    struct kb_err *err);
void kbrt_device_unmap(struct kbrt *rt, void *p, uint64_t bytes);

/* The primary context; what slots, recordings and the pool are in. */
struct kb_cu_context_st *kbrt_cuda_context(const struct kbrt *rt);

/* The generator on the device, loaded when first wanted. */
int kbrt_cuda_random(struct kb_cuda_random **out, const struct kbrt *rt,
		     struct kb_err *err);

/* Where draws go: to what is being recorded, or to NULL. */
struct kb_cu_stream_st *kbrt_draw_stream(const struct kbrt *rt);
void kbrt_recordings_free(struct kbrt *rt);

/* No slot is mapped any more. Fine if it was never open. */
void kbrt_cuda_close(struct kbrt *rt);

#endif
