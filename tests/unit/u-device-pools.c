/* How large output pools are by policy. */

#include "measure/device_pools.h"

#include "base/alloc.h"
#include "lib/tap.h"
#include "measure/bench_state.h"

#define GIB (UINT64_C(1) << 30)

static const struct {
	uint32_t others;
	enum kb_runtime runtime;
	uint64_t grown_bytes;		/* of a reference that had too little */
	uint64_t bytes;
} references[] = {
	{ 0, KB_RUNTIME_TORCH, 0, 24 * GIB },
	{ 1, KB_RUNTIME_TORCH, 0, 12 * GIB },
	{ 3, KB_RUNTIME_TORCH, 0, 12 * GIB },
	{ 5, KB_RUNTIME_TORCH, 0, 12 * GIB },
	{ 7, KB_RUNTIME_TORCH, 0, 9 * GIB },
	{ 0, KB_RUNTIME_TORCH, 40 * GIB, 40 * GIB },
	{ 0, KB_RUNTIME_CUDA, 0, KB_PAGE_BYTES },
	{ 7, KB_RUNTIME_CUDA, 0, KB_PAGE_BYTES },
};

static void test_lanes_that_screen_share_what_pools_have_alone(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(references); i++) {
		const struct kb_policy policy = {
			.pool_bytes = 24 * GIB, .others = references[i].others,
		};
		const struct kb_bench b = {
			.policy = &policy,
			.problem.runtime = references[i].runtime,
			.pool_bytes[KB_SIDE_REFERENCE] =
				references[i].grown_bytes,
		};

		check(kb_pools_reference_bytes(&b) == references[i].bytes);
	}
}

TAP_MAIN(TAP(test_lanes_that_screen_share_what_pools_have_alone));
