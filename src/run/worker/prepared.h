#ifndef KB_WORKER_PREPARED_H
#define KB_WORKER_PREPARED_H

#include <stdbool.h>
#include <stddef.h>

#include "manifest/key.h"
#include "source/runtime.h"
#include "store/digest.h"

struct kb_buf;
struct kb_fault;
struct kb_kept;
struct kb_launcher;
struct kb_source;

/*
 * Builds that another process made ahead (crew/builds.h). A launcher looks for
 * them in folders of kept builds (store/kept.h), under keys that it is told,
 * and builds itself what is absent or damaged.
 */
struct kb_prepared {
	struct kb_digest source;	/* of the code's bytes */
	enum kb_runtime runtime;
	struct kb_digest key;
};

#define KB_PREPARED_DIRS 2

struct kb_preparations {
	const char *dirs[KB_PREPARED_DIRS];	/* or NULL */
	struct kb_prepared *items;		/* owned */
	size_t count, capacity;
};

void kb_preparations_add(struct kb_preparations *p,
			 const struct kb_prepared *item);
void kb_preparations_release(struct kb_preparations *p);

/* Into `k`, which is KB_KEPT_INIT. */
bool kb_prepared_find(struct kb_kept *k, const struct kb_launcher *l,
		      const struct kb_source *code);

/* Did its compiler fail for want of memory or room, or was it killed? Then it has to be
 * built where it runs. */
bool kb_built_is_of_machine(const struct kb_kept *k);

/* Did it come to a status other than being made? Then `fault` says which; its
 * side is the reference's. */
bool kb_built_fault(struct kb_fault *fault, const struct kb_kept *k);

#endif
