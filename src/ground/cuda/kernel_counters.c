#include "cuda/kernel_counters.h"

#include <string.h>

static const struct {
	const char *name, *metric;
} counters[KB_KERNEL_COUNTER_COUNT] = {
#define ENTRY(counter, name, metric) [KB_KERNEL_##counter] = { name, metric },
	KB_KERNEL_COUNTERS(ENTRY)
#undef ENTRY
};

const char *kb_kernel_counter_name(enum kb_kernel_counter c)
{
	return counters[c].name;
}

const char *kb_kernel_counter_metric(enum kb_kernel_counter c)
{
	return counters[c].metric;
}

bool kb_kernel_counter_is_share(enum kb_kernel_counter c)
{
	return strstr(counters[c].metric, ".pct_");
}
