#include "manifest/policy_options.h"

#include <stddef.h>

#include "base/clock.h"

#define KIB 1024
#define MIB (1024 * KIB)

const struct kb_policy_option kb_policy_options[] = {
	{ "alternate_trials", "alternate-trials", 1 },
	{ "budget_ns", "budget", KB_NS_PER_S },
	{ "build_timeout_ns", "build-timeout", KB_NS_PER_S },
	{ "candidate_weights", "candidate-weights", 0 },
	{ "deterministic", "deterministic", 0 },
	{ "in_place", "in-place", 0 },
	{ "interval_ppm", "interval-ppm", 1 },
	{ "like", "like", 0 },
	{ "log_limit_bytes", "log-kib", KIB },
	{ "memory_bytes", "memory-mib", MIB },
	{ "output_pool_bytes", "output-pool-mib", MIB },
	{ "precision", "precision", 0 },
	{ "run_timeout_ns", "timeout", KB_NS_PER_S },
	{ "sandbox", "sandbox", 0 },
	{ "seeds", "seeds", 0 },
	{ "slow_call_ns", "slow-seconds", KB_NS_PER_S },
	{ "slow_factor", "slow-factor", 1 },
	{ "tensor_bytes_max", "tensor-mib", MIB },
	{ "tf32", "tf32", 0 },
	{ "threads", "threads", 1 },
	{ "tolerance", "tolerance", 0 },
	{ "trials", "trials", 1 },
	{ "trials_max", "trials-max", 1 },
	{ "weights_seed", "seed", 1 },
	{ NULL, NULL, 0 },
};

const char *const kb_precision_words[] = { "fp32", "fp16", "bf16", NULL };
const char *const kb_tf32_words[] = { "off", "torch", "on", NULL };
const char *const kb_switch_words[] = { "on", "off", NULL };
