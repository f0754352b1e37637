#include "measure/mean_time.h"

#include "manifest/device_timing.h"
#include "manifest/record.h"
#include "manifest/timing.h"
#include "measure/call_time.h"

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

static int64_t mean_of(const struct kb_timing *t)
{
	const int64_t n = t->method == KB_METHOD_SLOPE ?
				  t->n_large - t->n_small : t->n_small;
	__int128 sum_ns = 0;
	int64_t mean_ns;

	for (size_t i = 0; i < t->small_count; i++)
		sum_ns += t->method == KB_METHOD_SLOPE ?
				  t->large_ns[i] - t->small_ns[i] :
				  t->small_ns[i];
	if (sum_ns <= 0)
		return KB_UNKNOWN;
	mean_ns = kb_three_digits(sum_ns, (__int128)n * (int64_t)t->small_count);
	return mean_ns ? mean_ns : KB_UNKNOWN;
}

static int64_t at_least(int64_t mean_ns, int64_t raised_ns)
{
	const int64_t least_ns = kb_three_digits(raised_ns, 1);

	return mean_ns > least_ns ? mean_ns : least_ns;
}

int64_t kb_mean_call_time(const struct kb_timing *t,
			  const struct kb_timing *reference)
{
	const int64_t own_ns = kb_call_time_of(t);
	const int64_t time_ns = kb_call_time_beside(t, reference);

	/* Without an own time there are no samples to take a mean of. */
	if (own_ns == KB_UNKNOWN)
		return KB_UNKNOWN;
	return time_ns > own_ns ? at_least(mean_of(t), time_ns) : mean_of(t);
}

int64_t kb_mean_device_time(const struct kb_device_timing *t)
{
	if (t->time_ns == KB_UNKNOWN)
		return KB_UNKNOWN;
	return t->decider == KB_DECIDER_BATCHES ?
		       mean_of(t->batches) :
		       at_least(mean_of(t->batches), t->time_ns);
}
