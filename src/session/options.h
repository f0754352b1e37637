#ifndef KB_SESSION_OPTIONS_H
#define KB_SESSION_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/made.h"
#include "cli/options.h"
#include "store/store.h"

/*
 * What a session is asked for: a member for each option, set by the parser,
 * which owns no texts. A number of 0 that has no such default follows from the
 * machine.
 */
struct kb_session_options {
	const char *suite_name;		/* an operand; NULL: none is needed */
	const char *device, *problem_list, *level_list;
	const char *tolerance, *python, *cc, *weights, *store, *events, *shard;
	bool merge_only;
	struct kb_made_options made;
	int64_t trials, seed, timeout_s, build_timeout_s;
	int64_t memory_mib, tensor_mib, log_kib, threads;

	/* on a CUDA device */
	const char *precision, *tf32, *deterministic, *nvcc, *salt_file;
	int64_t trials_max, interval_ppm, budget_s, output_pool_mib;

	/* of candidates only */
	int64_t alternate_trials;
	const char *seed_list;
	int64_t jobs, build_cache_mib;	/* jobs below 0: not asked for */
	bool no_build_cache;

	/* set by kb_session_open() */
	const struct kb_option *table;	/* the program's; borrowed */
	bool memory_is_asked, tensors_are_asked;	/* or follow from the
							   node */
};

/* Every option at its default. */
#define KB_SESSION_OPTIONS_INIT {					\
	.device = "cpu", .tolerance = "kernelbench",			\
	.store = KB_STORE_DEFAULT, .trials = 10, .seed = 42,		\
	.alternate_trials = 3, .jobs = -1, .build_cache_mib = 4096,	\
	.timeout_s = 60, .build_timeout_s = 600, .log_kib = 1024,	\
	.precision = "fp32", .tf32 = "off", .deterministic = "off",	\
	.trials_max = 200, .interval_ppm = 5000, .budget_s = 1,		\
}

#endif
