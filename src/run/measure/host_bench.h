#ifndef KB_MEASURE_HOST_BENCH_H
#define KB_MEASURE_HOST_BENCH_H

#include <stdbool.h>

#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "measure/bench_state.h"

/*
 * Inside the bench: what measure/bench.h promises, on the CPU. The reference
 * has been loaded, the plan checked. All return and fail as the functions
 * there.
 */
int kb_host_bench_start(struct kb_bench *b, struct kb_fault *fault,
			struct kb_err *err);
void kb_host_bench_stop(struct kb_bench *b);

int kb_host_bench_candidate(struct kb_bench *b,
			    const struct kb_source *candidate, bool is_timed,
			    struct kb_result *r, struct kb_err *err);
int kb_host_bench_reference(struct kb_bench *b, struct kb_reference_result *r,
			    struct kb_err *err);

#endif
