#ifndef KB_RUNTIME_LIB_LAUNCHES_H
#define KB_RUNTIME_LIB_LAUNCHES_H

#include <stdbool.h>
#include <stddef.h>

#include "runtime/lib/range_counters.h"

/*
 * The launches of kernels in a context, in their order, as CUPTI's callbacks
 * tell them, whichever thread makes them. Those beyond KBRT_LAUNCHES_MAX are
 * not kept.
 */
struct kbrt_launches;

#define KBRT_LAUNCHES_MAX KBRT_RANGES_MAX

/*
 * Watch from now on. If somebody else is subscribed, which only one can be,
 * nothing is seen, and kbrt_launches_name() says so. `cupti` is borrowed until
 * kbrt_launches_free().
 */
struct kbrt_launches *kbrt_launches_watch(const struct kb_cupti_api *cupti,
					  kb_cu_context context);
void kbrt_launches_free(struct kbrt_launches *l);	/* NULL is allowed */

/*
 * Say which kernel each of so many ranges is of, in the order of launches: as
 * it is written in the source, where this process has who can tell, else as
 * the linker has it. All ranges of graphs have one name, because no callback
 * names a graph's kernels. The texts are borrowed from `l`. False, and all of
 * them "(unknown)", if launches and ranges do not go together.
 */
bool kbrt_launches_name(const char *names[], size_t ranges,
			struct kbrt_launches *l);

#endif
