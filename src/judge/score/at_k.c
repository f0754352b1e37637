#include "score/at_k.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "score/bignum.h"

/* pass@k of a problem is 1 - C(n - c, k) / C(n, k), the unbiased estimate of
 * Chen et al. (2021), and of a suite the mean over problems. It is kept as an
 * exact fraction, because two machines that add doubles in another order would
 * not write the same bytes. */
static const int ks[KB_AT_K_COUNT] = { 1, 2, 5, 10, 20, 50, 100 };

/* The primes up to a number, with an exponent for each. */
struct primes {
	int64_t *primes;
	size_t count;
};

static void primes_up_to(struct primes *out, int64_t max)
{
	kb_auto(mem) char *composite = kb_xcalloc((size_t)max + 1, 1);
	size_t capacity = 0;

	*out = (struct primes){ .count = 0 };
	for (int64_t i = 2; i <= max; i++) {
		if (composite[i])
			continue;
		out->primes = kb_grow(out->primes, out->count, &capacity,
				      sizeof(*out->primes));
		out->primes[out->count++] = i;
		for (int64_t j = i * i; j <= max; j += i)
			composite[j] = 1;
	}
}

/* How often `p` divides n!, after Legendre. */
static int64_t in_factorial(int64_t n, int64_t p)
{
	int64_t exponent = 0;

	while (n /= p)
		exponent += n;
	return exponent;
}

static int64_t in_binomial(int64_t n, int64_t k, int64_t p)
{
	return in_factorial(n, p) - in_factorial(k, p) -
	       in_factorial(n - k, p);
}

static void multiply_power(struct kb_bignum *n, int64_t p, int64_t exponent)
{
	while (exponent-- > 0)
		kb_bignum_multiply(n, (uint64_t)p);
}

/*
 * The sum of failures over a common denominator D, the least common multiple
 * of all C(n, k). Everything is a product of small primes, so nothing but
 * multiplication by them is needed, and division by them at the end.
 */
struct mean {
	struct primes primes;
	int64_t *exponents;		/* of D */
	int64_t k;
	struct kb_bignum over, under;
};

static void mean_start(struct mean *m, const int64_t samples[], size_t count,
		       int64_t k)
{
	int64_t max = k;

	*m = (struct mean){ .k = k };
	for (size_t i = 0; i < count; i++)
		if (samples[i] > max)
			max = samples[i];
	primes_up_to(&m->primes, max);
	m->exponents = kb_xcalloc(m->primes.count, sizeof(*m->exponents));
}

static void mean_end(struct mean *m)
{
	free(m->primes.primes);
	free(m->exponents);
	kb_bignum_release(&m->over);
	kb_bignum_release(&m->under);
}

static void mean_widen(struct mean *m, int64_t n)
{
	for (size_t i = 0; i < m->primes.count; i++) {
		int64_t e = in_binomial(n, m->k, m->primes.primes[i]);

		if (e > m->exponents[i])
			m->exponents[i] = e;
	}
}

/* D * C(some, k) / C(n, k) */
static void scale_mean(struct kb_bignum *out, const struct mean *m,
		       int64_t some, int64_t n)
{
	kb_bignum_set(out, some >= m->k);
	if (some < m->k)
		return;
	for (size_t i = 0; i < m->primes.count; i++) {
		const int64_t p = m->primes.primes[i];

		multiply_power(out, p, m->exponents[i] +
				       in_binomial(some, m->k, p) -
				       in_binomial(n, m->k, p));
	}
}

/* Add `times` problems of which `right` of n samples are right. */
static void mean_add(struct mean *m, int64_t n, int64_t right, uint64_t times)
{
	kb_auto(bignum) struct kb_bignum all = KB_BIGNUM_INIT;
	kb_auto(bignum) struct kb_bignum wrong = KB_BIGNUM_INIT;

	scale_mean(&all, m, n, n);
	scale_mean(&wrong, m, n - right, n);
	kb_bignum_subtract(&all, &wrong);
	kb_bignum_multiply(&all, times);
	kb_bignum_add(&m->over, &all);
}

static void reduce_mean(struct mean *m, uint64_t p)
{
	kb_auto(bignum) struct kb_bignum under = KB_BIGNUM_INIT;

	kb_bignum_add(&under, &m->under);
	while (kb_bignum_divides(&under, p) &&
	       kb_bignum_divides(&m->over, p))
		kb_bignum_divide(&m->under, p);
}

/* Only primes of the denominator can be common to both: those of D, and those
 * of the number of problems, which is not known to the sieve. */
static void mean_reduce(struct mean *m, uint64_t problems)
{
	if (!m->over.count) {
		kb_bignum_set(&m->under, 1);
		return;
	}
	for (size_t i = 0; i < m->primes.count; i++)
		reduce_mean(m, (uint64_t)m->primes.primes[i]);
	for (uint64_t p = 2; problems > 1; p++) {
		if (p * p > problems)
			p = problems;
		if (problems % p)
			continue;
		reduce_mean(m, p);
		while (problems % p == 0)
			problems /= p;
	}
}

/* The greatest r with (2r - 1) / (2 * 10^6) <= over / under. */
static int64_t ppm_of(const struct mean *m)
{
	int64_t low = 0, high = 1000000;

	while (low < high) {
		kb_auto(bignum) struct kb_bignum a = KB_BIGNUM_INIT;
		kb_auto(bignum) struct kb_bignum b = KB_BIGNUM_INIT;
		const int64_t middle = (low + high + 1) / 2;

		kb_bignum_add(&a, &m->under);
		kb_bignum_multiply(&a, (uint64_t)(2 * middle - 1));
		kb_bignum_add(&b, &m->over);
		kb_bignum_multiply(&b, 2000000);
		if (kb_bignum_compare(&a, &b) <= 0)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

static void mean_tell(struct kb_share *out, struct mean *m,
		      uint64_t problems)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	kb_bignum_set(&m->under, 1);
	for (size_t i = 0; i < m->primes.count; i++)
		multiply_power(&m->under, m->primes.primes[i],
			       m->exponents[i]);
	kb_bignum_multiply(&m->under, problems ? problems : 1);
	mean_reduce(m, problems);

	kb_bignum_print(&text, &m->over);
	kb_buf_addch(&text, '/');
	kb_bignum_print(&text, &m->under);
	out->exact = kb_buf_detach(&text);
	out->ppm = ppm_of(m);
}

struct pair {
	int64_t samples, right;
};

/* Problems with the same numbers add the same fraction, and are added once,
 * times their count: a thousand problems of ten samples are eleven additions at
 * most. */
static int compare_pairs(const void *pa, const void *pb)
{
	const struct pair *a = pa, *b = pb;

	if (a->samples != b->samples)
		return a->samples < b->samples ? -1 : 1;
	return (a->right > b->right) - (a->right < b->right);
}

void kb_at_k_mean(struct kb_share *out, const int64_t samples[],
		  const int64_t right[], size_t count, int64_t k)
{
	kb_auto(mem) struct pair *pairs = kb_xcalloc(count, sizeof(*pairs));
	struct mean m;

	for (size_t i = 0; i < count; i++)
		pairs[i] = (struct pair){ samples[i], right[i] };
	if (count)
		qsort(pairs, count, sizeof(*pairs), compare_pairs);

	mean_start(&m, samples, count, k);
	for (size_t i = 0; i < count; i++)
		if (pairs[i].samples &&
		    (!i || pairs[i].samples != pairs[i - 1].samples))
			mean_widen(&m, pairs[i].samples);
	for (size_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count; next++)
			if (compare_pairs(&pairs[i], &pairs[next]))
				break;
		if (pairs[i].samples)
			mean_add(&m, pairs[i].samples, pairs[i].right,
				 next - i);
	}
	mean_tell(out, &m, count);
	mean_end(&m);
}

static int compare_int64(const void *pa, const void *pb)
{
	const int64_t a = *(const int64_t *)pa, b = *(const int64_t *)pb;

	return (a > b) - (a < b);
}

/* The fewest samples that a problem has, if it has any; 0 if there are too
 * many different numbers of them. */
static int64_t fewest_samples(const int64_t samples[], size_t count)
{
	kb_auto(mem) int64_t *sorted = kb_xcalloc(count, sizeof(*sorted));
	int64_t least = 0;
	int sizes = 0;

	memcpy(sorted, samples, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), compare_int64);
	for (size_t i = 0; i < count; i++) {
		if (!sorted[i] || (i && sorted[i] == sorted[i - 1]))
			continue;
		if (!sizes++)
			least = sorted[i];
	}
	return sizes > KB_AT_K_SIZES ? 0 : least;
}

size_t kb_at_k_of(struct kb_at_k out[KB_AT_K_COUNT],
		  const struct kb_tries tries[], size_t count)
{
	kb_auto(mem) int64_t *samples = kb_xcalloc(count, sizeof(*samples));
	kb_auto(mem) int64_t *right = kb_xcalloc(count, sizeof(*right));
	int64_t least = 0;
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		samples[i] = tries[i].samples;
	if (count)
		least = fewest_samples(samples, count);
	for (; n < KB_AT_K_COUNT && ks[n] <= least; n++) {
		out[n].k = ks[n];
		for (size_t i = 0; i < count; i++)
			right[i] = tries[i].correct;
		kb_at_k_mean(&out[n].pass, samples, right, count, ks[n]);
		for (int p = 0; p < KB_FAST_COUNT; p++) {
			for (size_t i = 0; i < count; i++)
				right[i] = tries[i].fast[p];
			kb_at_k_mean(&out[n].fast[p], samples, right, count,
				     ks[n]);
		}
	}
	return n;
}
