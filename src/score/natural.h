#ifndef KB_SCORE_NATURAL_H
#define KB_SCORE_NATURAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kb_buf;

/*
 * Natural numbers of any size: as much of them as exact fractions of
 * binomial coefficients take. Starts as KB_NATURAL_INIT, which is 0 and
 * allocates nothing, and ends with kb_natural_release().
 */
struct kb_natural {
	uint64_t *limbs;	/* lowest first, the last is not 0; owned */
	size_t count, capacity;
};

#define KB_NATURAL_INIT { .limbs = NULL }

void kb_natural_release(struct kb_natural *n);
void kb_natural_set(struct kb_natural *n, uint64_t value);

void kb_natural_multiply(struct kb_natural *n, uint64_t factor);
void kb_natural_add(struct kb_natural *n, const struct kb_natural *other);

/* `other` is at most `n`. */
void kb_natural_subtract(struct kb_natural *n, const struct kb_natural *other);

/* Returns the remainder. `divisor` is at least 1. */
uint64_t kb_natural_divide(struct kb_natural *n, uint64_t divisor);

/* Divide if that leaves nothing; false, and `n` as it was, otherwise. */
bool kb_natural_divides(struct kb_natural *n, uint64_t divisor);

/* As strcmp(). */
int kb_natural_compare(const struct kb_natural *a, const struct kb_natural *b);

/* Append its decimal digits. */
void kb_natural_print(struct kb_buf *out, const struct kb_natural *n);

static inline void kb_cleanup_natural(struct kb_natural *n)
{
	kb_natural_release(n);
}

#endif
