#ifndef KB_VERIFY_GPUS_H
#define KB_VERIFY_GPUS_H

#include <stdbool.h>
#include <stddef.h>

struct kb_err;
struct kb_gpus_again;
struct kb_json;

/* The GPUs of a record: the section `gpu` of its environment. */

/* GPUs of a run, and of those that were taken out of it: there are hosts of 16.
 * Lists that are longer are searched by nobody. */
#define KB_GPUS_MAX 1024

bool kb_gpus_are_few(const struct kb_json *gpu);

/* Is that its id, or one of its ids? */
bool kb_gpus_have(const struct kb_json *gpu, const char *id);

/*
 * How many of the GPUs whose ids are `here` are in the section, too? Ids that
 * are hashes tell nothing of others: all are 0 unless the section has hashes
 * where `is_salted` says that these are such, by the same salt, and else plain
 * ids; and if `gpu` is NULL or has none.
 */
void kb_gpus_compare(struct kb_gpus_again *out, const struct kb_json *gpu,
		     const char *const here[], size_t here_count,
		     bool is_salted);

/*
 * Is a list of ids one of several, each once, with the section's own? Does each
 * GPU that was taken out of the run have an id there, and a reason? Returns 1,
 * 0 if none was taken out, or fails with KB_ERR_INPUT.
 */
int kb_gpus_check(const struct kb_json *gpu, struct kb_err *err);

#endif
