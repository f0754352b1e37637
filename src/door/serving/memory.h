#ifndef KB_SERVING_MEMORY_H
#define KB_SERVING_MEMORY_H

#include "manifest/key.h"
#include "serving/verdict.h"
#include "source/runtime.h"

/* Verdicts of screens, by problem and code: the last ones, for whoever sends the same
 * code again and does not want it measured twice. */
struct kb_memory;

struct kb_memory *kb_memory_new(void);
void kb_memory_free(struct kb_memory *m);	/* NULL is allowed */

/* NULL if it is not there. Borrowed until the next is kept. */
const struct kb_served *kb_memory_find(const struct kb_memory *m,
				       struct kb_key key, enum kb_runtime runtime,
				       const char *candidate);

/* Copied, unless it may end otherwise another time. */
void kb_memory_keep(struct kb_memory *m, struct kb_key key,
		    enum kb_runtime runtime, const struct kb_served *v);

#endif
