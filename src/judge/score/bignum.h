#ifndef KB_SCORE_BIGNUM_H
#define KB_SCORE_BIGNUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kb_buf;

/*
 * Natural numbers of any size (bignums): as much of them as exact fractions of
 * binomial coefficients take. Starts as KB_BIGNUM_INIT, which is 0 and
 * allocates nothing, and ends with kb_bignum_release().
 */
struct kb_bignum {
	uint64_t *limbs;	/* lowest first, the last is not 0; owned */
	size_t count, capacity;
};

#define KB_BIGNUM_INIT { .limbs = NULL }

void kb_bignum_release(struct kb_bignum *n);
void kb_bignum_set(struct kb_bignum *n, uint64_t value);

void kb_bignum_multiply(struct kb_bignum *n, uint64_t factor);
void kb_bignum_add(struct kb_bignum *n, const struct kb_bignum *other);

/* `other` is at most `n`. */
void kb_bignum_subtract(struct kb_bignum *n, const struct kb_bignum *other);

/* Returns the remainder. `divisor` is at least 1. */
uint64_t kb_bignum_divide(struct kb_bignum *n, uint64_t divisor);

/* Divide if that leaves nothing; false, and `n` as it was, otherwise. */
bool kb_bignum_divides(struct kb_bignum *n, uint64_t divisor);

/* As strcmp(). */
int kb_bignum_compare(const struct kb_bignum *a, const struct kb_bignum *b);

/* Append its decimal digits. */
void kb_bignum_print(struct kb_buf *out, const struct kb_bignum *n);

static inline void kb_cleanup_bignum(struct kb_bignum *n)
{
	kb_bignum_release(n);
}

#endif
