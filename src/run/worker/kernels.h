#ifndef KB_WORKER_KERNELS_H
#define KB_WORKER_KERNELS_H

#include "manifest/kernels.h"
#include "worker/worker.h"

/*
 * Ask a candidate that has been run on a CUDA device to make a call on slot 0
 * while CUPTI counts its kernels. Returns and fails as kb_worker_ask(); with 1
 * the caller frees `*out`, which may say that there is nothing, and why.
 */
int kb_kernels_ask(struct kb_kernels **out, struct kb_worker *candidate,
		   const uint8_t seed[KB_SEED_BYTES], struct kb_fault *fault,
		   struct kb_err *err);

/* Read a report, which the worker wrote and may have forged: one that makes no
 * sense is one without kernels. The caller frees. */
struct kb_kernels *kb_kernels_of_report(const struct kb_kernels_report *report);

#endif
