#ifndef KB_WORKER_KERNELS_H
#define KB_WORKER_KERNELS_H

#include "manifest/kernels.h"
#include "worker/protocol.h"

/* Read a report, which the worker wrote and may have forged: one that makes no
 * sense is one without kernels. The caller frees. */
struct kb_kernels *kb_kernels_of_report(const struct kb_kernels_report *report);

#endif
