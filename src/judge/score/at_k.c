#include "score/at_k.h"

#include <openssl/bn.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"

KB_DEFINE_CLEANUP(bignum, BIGNUM *, BN_free);
KB_DEFINE_CLEANUP(bignum_context, BN_CTX *, BN_CTX_free);
KB_DEFINE_CLEANUP(digits, char *, OPENSSL_free);

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

/* Lack of memory is all that fails in OpenSSL's functions below. */
static void must(bool done)
{
	if (!done)
		KB_BUG("no memory for a bignum");
}

static BIGNUM *new_bignum(uint64_t value)
{
	BIGNUM *n = BN_new();

	must(n && BN_set_word(n, value));
	return n;
}

static void multiply_power(BIGNUM *n, int64_t p, int64_t exponent)
{
	while (exponent-- > 0)
		must(BN_mul_word(n, (uint64_t)p));
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
	BIGNUM *over, *under;
};

static void mean_start(struct mean *m, const int64_t samples[], size_t count,
		       int64_t k)
{
	int64_t max = k;

	*m = (struct mean){ .k = k, .over = new_bignum(0),
			    .under = new_bignum(1) };
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
	BN_free(m->over);
	BN_free(m->under);
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
static BIGNUM *scale_mean(const struct mean *m, int64_t some, int64_t n)
{
	BIGNUM *out = new_bignum(some >= m->k);

	if (some < m->k)
		return out;
	for (size_t i = 0; i < m->primes.count; i++) {
		const int64_t p = m->primes.primes[i];

		multiply_power(out, p, m->exponents[i] +
				       in_binomial(some, m->k, p) -
				       in_binomial(n, m->k, p));
	}
	return out;
}

/* Add `times` problems of which `right` of n samples are right. */
static void mean_add(struct mean *m, int64_t n, int64_t right, uint64_t times)
{
	kb_auto(bignum) BIGNUM *all = scale_mean(m, n, n);
	kb_auto(bignum) BIGNUM *wrong = scale_mean(m, n - right, n);

	must(BN_sub(all, all, wrong) && BN_mul_word(all, times) &&
	     BN_add(m->over, m->over, all));
}

static void reduce_mean(struct mean *m, uint64_t p)
{
	while (!BN_mod_word(m->under, p) && !BN_mod_word(m->over, p)) {
		BN_div_word(m->under, p);
		BN_div_word(m->over, p);
	}
}

/* Only primes of the denominator can be common to both: those of D, and those
 * of the number of problems, which is not known to the sieve. */
static void mean_reduce(struct mean *m, uint64_t problems)
{
	if (BN_is_zero(m->over)) {
		must(BN_one(m->under));
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
	kb_auto(bignum_context) BN_CTX *context = BN_CTX_new();
	kb_auto(bignum) BIGNUM *halves = new_bignum(2000000);

	must(context && BN_mul(halves, halves, m->over, context) &&
	     BN_div(halves, NULL, halves, m->under, context));
	return (int64_t)(BN_get_word(halves) + 1) / 2;
}

static void mean_tell(struct kb_share *out, struct mean *m,
		      uint64_t problems)
{
	kb_auto(digits) char *over = NULL;
	kb_auto(digits) char *under = NULL;

	for (size_t i = 0; i < m->primes.count; i++)
		multiply_power(m->under, m->primes.primes[i],
			       m->exponents[i]);
	must(BN_mul_word(m->under, problems ? problems : 1));
	mean_reduce(m, problems);

	over = BN_bn2dec(m->over);
	under = BN_bn2dec(m->under);
	must(over && under);
	out->exact = kb_xasprintf("%s/%s", over, under);
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
