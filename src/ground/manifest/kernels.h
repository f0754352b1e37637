#ifndef KB_MANIFEST_KERNELS_H
#define KB_MANIFEST_KERNELS_H

#include <stddef.h>
#include <stdint.h>

#include "cuda/kernel_counters.h"

struct kb_fields;
struct kb_json;

/* Ten times what a GPU can do: no count is as much. */
#define KB_KERNEL_SHARE_MAX_PPM INT64_C(10000000)

/*
 * The kernels of one call, by name, in the order in which they were first
 * launched. CUPTI counted them in the candidate's process, so the counts are
 * what that process says.
 */
struct kb_kernel {
	char *name;			/* owned; printable ASCII */
	int64_t launch_count;
	int64_t counters[KB_KERNEL_COUNTER_COUNT];	/* of all launches;
							   KB_UNKNOWN */
};

struct kb_kernels {
	char *unavailable;		/* why there are none, one line; or
					   NULL */
	char *chip;			/* as CUPTI calls it; owned */
	int64_t cupti_version;		/* 130001: 13.0, the first of it */
	int64_t pass_count;		/* in which each kernel was run */
	int64_t left_out_count;		/* launches beyond what has room */
	struct kb_kernel *items;	/* owned */
	size_t count;
};

struct kb_kernels *kb_kernels_new_unavailable(const char *why);
void kb_kernels_free(struct kb_kernels *k);	/* NULL is allowed */

/* The greatest value of a counter. */
int64_t kb_kernel_counter_max(enum kb_kernel_counter c);

/* The mean of a share over the time of all kernels; KB_UNKNOWN if a kernel was
 * not counted, or there are none. */
int64_t kb_kernels_total(const struct kb_kernels *k, enum kb_kernel_counter c);

/* Floating point operations in fp32 outside tensor cores: a fused one is two. */
int64_t kb_kernel_fp32_operations(const struct kb_kernel *k);

/* NULL gives null. The caller owns the result. */
struct kb_json *kb_kernels_to_json(const struct kb_kernels *k);

/* The member `key`, which must be there: null gives NULL. Refuses kernels with a
 * reason why there are none. The caller frees. */
struct kb_kernels *kb_kernels_read(struct kb_fields *f, const char *key);

static inline void kb_cleanup_kernels(struct kb_kernels **k)
{
	kb_kernels_free(*k);
}

#endif
