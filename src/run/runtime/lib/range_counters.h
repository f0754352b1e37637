#ifndef KB_RUNTIME_LIB_RANGE_COUNTERS_H
#define KB_RUNTIME_LIB_RANGE_COUNTERS_H

#include <stddef.h>

#include "cuda/cupti_api.h"
#include "cuda/kernel_counters.h"
#include "worker/protocol.h"

struct kb_err;

/*
 * CUPTI's range profiler in a context, with a range around each kernel that is
 * launched, or around each graph. It runs a kernel as often as the counters
 * need, with memory as it was before the first time, so that a call is made
 * once. All that can fail fails with KB_ERR_DEVICE, and CUPTI is not asked
 * again after a failure but to let go.
 */
struct kbrt_range_counters;

#define KBRT_RANGES_MAX 2048		/* further ones are dropped */

/* `report` is told what chip this is, CUPTI's version and how often each
 * kernel will run. Fails with KB_ERR_MISSING, too; close it in any case. */
int kbrt_range_counters_open(struct kbrt_range_counters **out,
			     kb_cu_context context,
			     struct kb_kernels_report *report,
			     struct kb_err *err);
void kbrt_range_counters_close(struct kbrt_range_counters *c);	/* NULL is
								   allowed */

const struct kb_cupti_api *
kbrt_range_counters_cupti(const struct kbrt_range_counters *c);

/* Around the call. */
int kbrt_range_counters_start(struct kbrt_range_counters *c,
			      struct kb_err *err);
int kbrt_range_counters_stop(struct kbrt_range_counters *c,
			     struct kb_err *err);

/* Behind the call: how many ranges were counted, and how many there was no
 * room for. */
int kbrt_range_counters_fetch(struct kbrt_range_counters *c,
			      size_t *range_count, size_t *dropped_count,
			      struct kb_err *err);

/* One range's, as CUPTI has them: a share in percent, NaN for what this GPU
 * does not count. */
int kbrt_range_counters_read(double values[KB_KERNEL_COUNTER_COUNT],
			     const struct kbrt_range_counters *c, size_t range,
			     struct kb_err *err);

#endif
