#ifndef KB_IMPORT_CUDA_L1_H
#define KB_IMPORT_CUDA_L1_H

#include <stdbool.h>
#include <stddef.h>

struct kb_err;
struct kb_sources;

/*
 * The published kernels of CUDA-L1, a file for each GPU and a problem of
 * KernelBench's a line:
 *
 *	{"level_id": 1, "task_id": 19, "custom_code": "<source>", ...}
 *
 * "custom_code" is the candidate, torch code, or null where there is none. All
 * other members are passed over, among them the reference and what it calls
 * its scores: nothing of who made it how is said.
 */

/* The first line is one. */
bool kb_cuda_l1_is(const void *data, size_t len);

/* From bytes. Adds to `sources`, unsorted; `name` is only used in messages.
 * Fails with KB_ERR_INPUT. */
int kb_cuda_l1_parse(struct kb_sources *sources, const void *data, size_t len,
		     const char *name, struct kb_err *err);

#endif
