#include "measure/mean_time.h"

#include <stddef.h>

#include "base/cleanup.h"
#include "manifest/record.h"
#include "manifest/timing.h"
#include "measure/time_rule.h"

static __int128 divide_to_even(__int128 over, __int128 under)
{
	__int128 quotient = over / under, rest = over % under;

	/* rest > under - rest is 2 rest > under, without overflow. */
	return quotient + (rest > under - rest ||
			   (rest == under - rest && quotient % 2));
}

int64_t kb_three_digits(__int128 over, __int128 under)
{
	__int128 unit = 1;

	while (over / under / unit >= 1000)
		unit *= 10;
	return (int64_t)(divide_to_even(over, under * unit) * unit);
}

/* KB_UNKNOWN unless it is above zero. */
static int64_t rounded_mean(__int128 sum_ns, __int128 count)
{
	const int64_t mean_ns = sum_ns > 0 ? kb_three_digits(sum_ns, count) : 0;

	return mean_ns ? mean_ns : KB_UNKNOWN;
}

static int64_t mean_slope(const struct kb_timing *t)
{
	const int64_t n = t->n_large - t->n_small;
	__int128 sum_ns = 0;

	for (size_t i = 0; i < t->small_count; i++)
		sum_ns += t->large_ns[i] - t->small_ns[i];
	return rounded_mean(sum_ns, (__int128)n * (int64_t)t->small_count);
}

static int64_t mean_bound(const struct kb_timing *t,
			  const struct kb_timing *reference)
{
	size_t count;
	kb_auto(mem) int64_t *samples_ns =
		kb_time_samples_ns(t, reference, &count);
	__int128 sum_ns = 0;

	for (size_t i = 0; i < count; i++)
		sum_ns += samples_ns[i];
	return rounded_mean(sum_ns, (int64_t)count);
}

int64_t kb_mean_time(const struct kb_timing *t,
		     const struct kb_timing *reference)
{
	int64_t mean_ns, least_ns;

	if (t->time_ns == KB_UNKNOWN)
		return KB_UNKNOWN;
	if (t->basis == KB_BASIS_SLOPE)
		return mean_slope(t);
	mean_ns = mean_bound(t, reference);
	least_ns = kb_three_digits(t->time_ns, 1);
	return mean_ns > least_ns ? mean_ns : least_ns;
}
