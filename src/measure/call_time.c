#include "measure/call_time.h"

#include <stdbool.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "manifest/record.h"
#include "manifest/timing.h"
#include "measure/stats.h"

int64_t kb_call_time_of(const struct kb_timing *t)
{
	bool slope = t->method == KB_METHOD_SLOPE;
	size_t count = t->small_count;
	kb_auto(mem) int64_t *quotients_ns = NULL;
	kb_auto(mem) int64_t *zeros_ns = NULL;
	int64_t time_ns;

	if (!count || (slope && t->large_count != count))
		return KB_UNKNOWN;

	quotients_ns = kb_xcalloc(count, sizeof(*quotients_ns));
	if (slope) {
		kb_slopes_ns(quotients_ns, t->small_ns, t->large_ns, count,
			     t->n_small, t->n_large);
	} else {
		/* A slope from the origin: no calls take no time. */
		zeros_ns = kb_xcalloc(count, sizeof(*zeros_ns));
		kb_slopes_ns(quotients_ns, zeros_ns, t->small_ns, count, 0,
			     t->n_small);
	}

	time_ns = kb_call_time_ns(quotients_ns, count);
	return time_ns == KB_NO_TIME ? KB_UNKNOWN : time_ns;
}
