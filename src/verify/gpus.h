#ifndef KB_VERIFY_GPUS_H
#define KB_VERIFY_GPUS_H

#include <stdbool.h>

struct kb_err;
struct kb_json;

/* The GPUs of a record: the section `gpu` of its environment. */

/* Is that its id, or one of its ids? */
bool kb_gpus_have(const struct kb_json *gpu, const char *id);

/*
 * Does each GPU that was taken out of the run have an id that is in the
 * section, and a reason? Returns 1, 0 if none was taken out, or fails with
 * KB_ERR_INPUT.
 */
int kb_gpus_check_taken_out(const struct kb_json *gpu, struct kb_err *err);

#endif
