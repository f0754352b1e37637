#ifndef KB_VERIFY_TRIALS_H
#define KB_VERIFY_TRIALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "manifest/key.h"
#include "manifest/record.h"
#include "manifest/timing.h"
#include "verify/checks.h"
#include "verify/trial_counts.h"

struct kb_json;
struct kb_outcome;
struct kb_timed;

/*
 * The checks "samples", "seeds" and "trials" of verify/plausible.h, of a
 * record's lines. They are begun with the record's policy, given everything that
 * was timed and how every line ended, and ended, which adds what came of it to
 * `c` and releases them. The struct stays where it was begun.
 *
 * Of each seed its beginning is kept, in case another begins so: of the eleven
 * million of a million lines two do by chance once in 300,000 records.
 */
#define KB_SEED_BEGINNING_BYTES 8
#define KB_MARKS_OF_EACH 16

/* A hash of the samples of a timing, their greatest common divisor, and whose
 * they are. */
struct kb_samples_seen {
	uint64_t hash;
	int64_t step_ns;
	enum kb_clock clock;
	struct kb_key key;
	int sample_id;
	bool is_reference;
};

struct kb_trial_lines {
	enum kb_kind kind;
	struct kb_checks of_samples;
	struct kb_trial_counts counts;
	uint8_t (*seeds)[KB_SEED_BEGINNING_BYTES];
	size_t seed_count, seed_capacity;
	struct kb_samples_seen *samples;
	size_t sample_count, sample_capacity;
	/* The least of the seeds, and the least hashes of samples, still there
	 * after the end. Who has some of another's lines has some of these. */
	uint64_t marks[2 * KB_MARKS_OF_EACH];
	size_t mark_count;
	int64_t step_ns[KB_CLOCK_COUNT];	/* of all of a clock's */
};

void kb_trial_lines_begin(struct kb_trial_lines *l, enum kb_kind kind,
			  const struct kb_json *policy);
void kb_trial_lines_take(struct kb_trial_lines *l, const struct kb_timed *t);
void kb_trial_lines_take_seeds(struct kb_trial_lines *l,
			       const struct kb_outcome *o);
void kb_trial_lines_end(struct kb_trial_lines *l, struct kb_checks *c);
void kb_trial_lines_release(struct kb_trial_lines *l);

#endif
