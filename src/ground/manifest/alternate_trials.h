#ifndef KB_MANIFEST_ALTERNATE_TRIALS_H
#define KB_MANIFEST_ALTERNATE_TRIALS_H

#include <stddef.h>
#include <stdint.h>

#include "manifest/fp64_error.h"
#include "manifest/output_error.h"
#include "manifest/trial_seeds.h"

struct kb_fields;
struct kb_json;

/* The member of results that has them. */
#define KB_ALTERNATE_MEMBER "alternate_inputs"

/*
 * A candidate's trials on the alternate inputs of its problem: verified as all
 * are, and not timed. It passed them if it is correct; a failure of one of
 * them, the last, is the candidate's.
 */
struct kb_alternate_trials {
	int64_t trials;			/* that were compared */
	struct kb_trial_seeds trial_seeds;	/* none on a device, where
						   they derive from the run's */
	struct kb_output_error *outputs;	/* the worst of them; owned */
	size_t output_count;		/* 0 without trials */
	struct kb_fp64_error *fp64_error;	/* of these inputs, if that
						   decides; owned */
};

struct kb_alternate_trials *kb_alternate_trials_new(void);
void kb_alternate_trials_free(struct kb_alternate_trials *t);	/* or NULL */

/* The caller owns the result. */
struct kb_json *kb_alternate_trials_to_json(const struct kb_alternate_trials *t);

/* The member `key`; NULL if it is not there. The caller frees. */
struct kb_alternate_trials *kb_alternate_trials_read(struct kb_fields *f,
						     const char *key);

#endif
