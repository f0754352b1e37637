#include "runtime/lib/kernel_sums.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PPM_OF_PERCENT 10000

/* From there on a half is lost to a double's gaps, and JSON's integers end. */
#define VALUE_MAX 9007199254740991.0

/* The index of a kernel's entry, which is made if need be; -1: no room. */
static int find_kernel(struct kb_kernels_report *r, const char *name)
{
	char cut[KB_KERNEL_NAME_BYTES];

	snprintf(cut, sizeof(cut), "%s", name);
	for (uint32_t i = 0; i < r->kernel_count; i++)
		if (!strcmp(r->kernels[i].name, cut))
			return (int)i;
	if (r->kernel_count == KB_KERNELS_MAX)
		return -1;
	memcpy(r->kernels[r->kernel_count].name, cut, sizeof(cut));
	return (int)r->kernel_count++;
}

/* Shares are weighted by time, so that their sum by the sum of times is the
 * mean over it. */
void kbrt_kernel_sums_add(struct kbrt_kernel_sums *s, const char *name,
			  const double values[KB_KERNEL_COUNTER_COUNT])
{
	const int at = find_kernel(&s->report, name);

	if (at < 0) {
		s->report.left_out_count++;
		return;
	}
	s->report.kernels[at].launch_count++;
	for (int c = 0; c < KB_KERNEL_COUNTER_COUNT; c++)
		s->sums[at][c] += kb_kernel_counter_is_share(c) ?
			values[c] * PPM_OF_PERCENT * values[KB_KERNEL_TIME] :
			values[c];
}

static uint64_t round_up(double value)
{
	return value >= 0 && value < VALUE_MAX ? (uint64_t)(value + 0.5)
						: KB_NOT_COUNTED;
}

void kbrt_kernel_sums_end(struct kbrt_kernel_sums *s)
{
	for (uint32_t i = 0; i < s->report.kernel_count; i++)
		for (int c = 0; c < KB_KERNEL_COUNTER_COUNT; c++)
			s->report.kernels[i].counters[c] = round_up(
				kb_kernel_counter_is_share(c) ?
				s->sums[i][c] / s->sums[i][KB_KERNEL_TIME] :
				s->sums[i][c]);
}
