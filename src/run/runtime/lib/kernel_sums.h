#ifndef KB_RUNTIME_LIB_KERNEL_SUMS_H
#define KB_RUNTIME_LIB_KERNEL_SUMS_H

#include "worker/protocol.h"

/*
 * Launches of kernels, summed up by name into a report. Numbers are CUPTI's:
 * a share is in percent, what it has no number for is NaN.
 */
struct kbrt_kernel_sums {
	struct kb_kernels_report report;
	double sums[KB_KERNELS_MAX][KB_KERNEL_COUNTER_COUNT];
};

/* Add one launch. The name is cut to what the report has room for; there may
 * be no room for a further one. */
void kbrt_kernel_sums_add(struct kbrt_kernel_sums *s, const char *name,
			  const double values[KB_KERNEL_COUNTER_COUNT]);

/* Fill in the report's counters. */
void kbrt_kernel_sums_end(struct kbrt_kernel_sums *s);

#endif
