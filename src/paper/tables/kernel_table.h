#ifndef KB_TABLES_KERNEL_TABLE_H
#define KB_TABLES_KERNEL_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "manifest/kernels.h"
#include "manifest/profile.h"
#include "cli/look.h"

struct kb_buf;

/*
 * The kernels of a profile's candidates as rows: one for each name, and before
 * them, if there are several, one for all together. Where there is none, one row
 * without numbers says why.
 */
struct kb_kernel_row {
	const struct kb_profile_item *item;	/* borrowed, as is the name */
	const char *name;		/* anybody's words */
	int64_t launch_count;		/* KB_UNKNOWN: no numbers */
	int64_t time_ns, share_ppm;	/* of the time of all its kernels */
	int64_t dram_read_bytes, dram_write_bytes, dram_ppm;
	int64_t l2_bytes;
	int64_t fp32_ppm, tensor_ppm, occupancy_ppm;
};

enum kb_kernel_unit {
	KB_KERNEL_UNIT_COUNT,
	KB_KERNEL_UNIT_NS,
	KB_KERNEL_UNIT_BYTES,
	KB_KERNEL_UNIT_PPM,
};

/* The columns behind problem and sample, in order; the name comes last. */
struct kb_kernel_column {
	size_t offset;			/* of an int64_t of the row */
	const char *of;			/* "dram_ppm" */
	const char *head;		/* "DRAM" */
	enum kb_kernel_unit unit;
};

extern const struct kb_kernel_column kb_kernel_columns[];
extern const int kb_kernel_column_count;

int64_t kb_kernel_row_number(const struct kb_kernel_row *r,
			     const struct kb_kernel_column *c);

/* Print the kernels of all correct candidates. The caller frees the list. */
size_t kb_kernel_rows(struct kb_kernel_row **out, const struct kb_profile *p);

/*
 * How much of what the device could do in fp32 outside tensor cores the kernel
 * did: operations by kb_fp32_per_cycle() for each SM and cycle, at the SM clock
 * that NVML told last in the candidate's loop. KB_UNKNOWN if anything of it is
 * not known.
 */
int64_t kb_kernel_fp32_ppm(const struct kb_profile *p,
			   const struct kb_profile_item *i,
			   const struct kb_kernel *k);

/* Nothing if no candidate is correct. */
void kb_kernel_table_print(struct kb_buf *out, const struct kb_profile *p,
			   struct kb_look look);

#endif
