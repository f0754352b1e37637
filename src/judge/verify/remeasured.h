#ifndef KB_VERIFY_REMEASURED_H
#define KB_VERIFY_REMEASURED_H

#include "verify/checks.h"

struct kb_json;
struct kb_remeasurement;

/*
 * A remeasurement as one more thing that is asked of a bundle, beside the
 * layers: those ask the bytes, this a machine.
 */

/* OK if every candidate is the same, not checked if nothing was compared,
 * else no. */
enum kb_answer kb_remeasurement_answer(const struct kb_remeasurement *m);

/* The object that kb-verify(1) specifies, with all that the answers follow
 * from; of one that was interrupted the verdict is null. The caller owns it. */
struct kb_json *kb_remeasurement_to_json(const struct kb_remeasurement *m);

#endif
