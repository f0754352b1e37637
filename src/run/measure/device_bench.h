#ifndef KB_MEASURE_DEVICE_BENCH_H
#define KB_MEASURE_DEVICE_BENCH_H

#include <stdbool.h>

#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "measure/bench_state.h"

/*
 * Inside the bench: what measure/bench.h promises, on a CUDA device. The
 * reference has been loaded, the plan checked. All return and fail as the
 * functions there.
 */
int kb_device_bench_start(struct kb_bench *b, struct kb_fault *fault,
			  struct kb_err *err);
void kb_device_bench_stop(struct kb_bench *b);

/* Did a call of the reference not fit its pool, and can that be larger if the
 * reference is started anew? Asked when one of the next two has returned 0. */
bool kb_device_bench_wants_more(const struct kb_bench *b);

/* A candidate in torch that ran out of memory, with a pool that may be larger, is
 * to be judged once more if `b->pool_bytes` says how large: this happens once. */
int kb_device_bench_candidate(struct kb_bench *b,
			      const struct kb_source *candidate, bool is_timed,
			      struct kb_result *r, struct kb_err *err);
int kb_device_bench_reference(struct kb_bench *b,
			      struct kb_reference_result *r,
			      struct kb_err *err);

#endif
