#include "score/bignum.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"

/* Limbs are of 64 bits, the least significant first, and the last is never 0:
 * zero has none. Numbers here are products of primes below a few thousand, for
 * which schoolbook arithmetic is fast enough. */
void kb_bignum_release(struct kb_bignum *n)
{
	free(n->limbs);
	*n = (struct kb_bignum)KB_BIGNUM_INIT;
}

static void push_limb(struct kb_bignum *n, uint64_t limb)
{
	n->limbs = kb_grow(n->limbs, n->count, &n->capacity,
			   sizeof(*n->limbs));
	n->limbs[n->count++] = limb;
}

static void trim_limbs(struct kb_bignum *n)
{
	while (n->count && !n->limbs[n->count - 1])
		n->count--;
}

void kb_bignum_set(struct kb_bignum *n, uint64_t value)
{
	n->count = 0;
	if (value)
		push_limb(n, value);
}

void kb_bignum_multiply(struct kb_bignum *n, uint64_t factor)
{
	unsigned __int128 carry = 0;

	for (size_t i = 0; i < n->count; i++) {
		carry += (unsigned __int128)n->limbs[i] * factor;
		n->limbs[i] = (uint64_t)carry;
		carry >>= 64;
	}
	if (carry)
		push_limb(n, (uint64_t)carry);
	trim_limbs(n);
}

void kb_bignum_add(struct kb_bignum *n, const struct kb_bignum *other)
{
	unsigned __int128 carry = 0;

	while (n->count < other->count)
		push_limb(n, 0);
	for (size_t i = 0; i < n->count; i++) {
		carry += n->limbs[i];
		if (i < other->count)
			carry += other->limbs[i];
		n->limbs[i] = (uint64_t)carry;
		carry >>= 64;
	}
	if (carry)
		push_limb(n, (uint64_t)carry);
}

void kb_bignum_subtract(struct kb_bignum *n, const struct kb_bignum *other)
{
	uint64_t borrow = 0;

	for (size_t i = 0; i < n->count; i++) {
		const uint64_t limb = i < other->count ? other->limbs[i] : 0;
		uint64_t difference;
		bool below = __builtin_sub_overflow(n->limbs[i], limb,
						    &difference);

		below |= __builtin_sub_overflow(difference, borrow,
						&n->limbs[i]);
		borrow = below;
	}
	if (borrow || other->count > n->count)
		KB_BUG("a natural number below 0");
	trim_limbs(n);
}

uint64_t kb_bignum_divide(struct kb_bignum *n, uint64_t divisor)
{
	unsigned __int128 rest = 0;

	for (size_t i = n->count; i-- > 0;) {
		rest = rest << 64 | n->limbs[i];
		n->limbs[i] = (uint64_t)(rest / divisor);
		rest %= divisor;
	}
	trim_limbs(n);
	return (uint64_t)rest;
}

bool kb_bignum_divides(struct kb_bignum *n, uint64_t divisor)
{
	unsigned __int128 rest = 0;

	for (size_t i = n->count; i-- > 0;)
		rest = (rest << 64 | n->limbs[i]) % divisor;
	if (rest)
		return false;
	kb_bignum_divide(n, divisor);
	return true;
}

int kb_bignum_compare(const struct kb_bignum *a, const struct kb_bignum *b)
{
	if (a->count != b->count)
		return a->count < b->count ? -1 : 1;
	for (size_t i = a->count; i-- > 0;)
		if (a->limbs[i] != b->limbs[i])
			return a->limbs[i] < b->limbs[i] ? -1 : 1;
	return 0;
}

/* As many digits as a limb has for certain. */
#define PIECE UINT64_C(1000000000000000000)
#define PIECE_DIGITS 18

void kb_bignum_print(struct kb_buf *out, const struct kb_bignum *n)
{
	kb_auto(bignum) struct kb_bignum rest = KB_BIGNUM_INIT;
	kb_auto(mem) uint64_t *pieces = NULL;
	size_t count = 0, capacity = 0;

	kb_bignum_add(&rest, n);
	do {
		pieces = kb_grow(pieces, count, &capacity, sizeof(*pieces));
		pieces[count++] = kb_bignum_divide(&rest, PIECE);
	} while (rest.count);

	kb_buf_addf(out, "%" PRIu64, pieces[--count]);
	while (count)
		kb_buf_addf(out, "%0*" PRIu64, PIECE_DIGITS, pieces[--count]);
}
