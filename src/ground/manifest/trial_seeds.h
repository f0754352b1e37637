#ifndef KB_MANIFEST_TRIAL_SEEDS_H
#define KB_MANIFEST_TRIAL_SEEDS_H

#include <stddef.h>

struct kb_fields;
struct kb_json;

/* The seeds that the inputs of trials were drawn from, in the order of the
 * trials: the member "trial_seeds" of records. Zeros are none. */
#define KB_TRIAL_SEED_SIZE 65		/* 64 lower-case hex digits, and NUL */

struct kb_trial_seeds {
	char (*items)[KB_TRIAL_SEED_SIZE];
	size_t count;
};

void kb_trial_seeds_release(struct kb_trial_seeds *s);

/* Add a seed, of 64 digits; it is copied. */
void kb_trial_seeds_add(struct kb_trial_seeds *s, const char *hex);

/* Set the member of `object`. */
void kb_trial_seeds_to_json(struct kb_json *object,
			    const struct kb_trial_seeds *s);

/* Read the member; what is no list of seeds fails `f`. */
void kb_trial_seeds_read(struct kb_trial_seeds *s, struct kb_fields *f);

#endif
