#ifndef KB_MEASURE_ALTERNATE_H
#define KB_MEASURE_ALTERNATE_H

#include <stdbool.h>
#include <stdint.h>

#include "manifest/output_error.h"
#include "manifest/remedies.h"
#include "random/random.h"

struct kb_err;
struct kb_fault;
struct kb_plan;

/*
 * Alternate inputs: a second distribution of inputs, which a suite gives for a
 * problem whose own inputs let trivial answers pass.
 *
 * Counted trials come in rounds, a small batch and a large one. Beside them
 * there are rounds on alternate inputs, which to the candidate are like any
 * other: as many calls, behind the same gate. Each round is one with
 * probability K / (T + K), whatever those before it were, T being the counted
 * rounds and K the least on alternate inputs; so that neither a round's place
 * nor how many there have been already says what the next one is. Seeds with
 * which fewer than K are among the first T counted rounds are thrown away.
 */
struct kb_alternate_rounds {
	uint8_t seed[KB_RANDOM_SEED_BYTES];
	uint32_t counted, least;
};

/* Fails with KB_ERR_SYS. */
int kb_alternate_rounds_draw(struct kb_alternate_rounds *r, uint32_t counted,
			     uint32_t least, struct kb_err *err);

/* Is round `i`, from 0, one on alternate inputs? Never if `least` is 0. */
bool kb_alternate_rounds_has(const struct kb_alternate_rounds *r, uint32_t i);

/*
 * A problem's remedies as worker/protocol.h has them on a reference's command
 * line; NULL if it has none, or one with a scale or shift beyond `largest`,
 * the largest number of the type that inputs have: what is infinite tells
 * nothing of a candidate. The caller frees.
 */
char *kb_alternate_argument(const struct kb_remedies *remedies, double largest);

/* Say in `fault` that it was on alternate inputs, and by how much if `errors`,
 * one an output of `plan`, is not NULL. */
void kb_alternate_blame(struct kb_fault *fault, const struct kb_plan *plan,
			const struct kb_output_error *errors);

#endif
