#include "measure/policy.h"

#include <stdbool.h>

#include "base/cleanup.h"
#include "base/numbers.h"
#include "json/json.h"
#include "measure/stopping.h"

/* A large batch is three small ones: two thirds of its time is slope. */
#define LARGE_PER_SMALL 3

struct kb_batches kb_policy_batches(const struct kb_policy *policy,
				    int64_t call_ns, uint64_t slot_bytes)
{
	uint64_t fit = slot_bytes ? policy->tensor_bytes_max / slot_bytes
				  : UINT64_MAX;
	uint64_t most = (uint64_t)policy->batch_calls_max;
	uint64_t small = 1;

	if (most > fit)
		most = fit;
	if (most < 2)
		return (struct kb_batches){ 0, 1 };
	if (most < LARGE_PER_SMALL || call_ns >= policy->batch_min_ns)
		return (struct kb_batches){ 1, 2 };

	/* The smallest power of two that is enough. */
	if (call_ns < 1)
		call_ns = 1;
	while ((LARGE_PER_SMALL - 1) * small * (uint64_t)call_ns <
		       (uint64_t)policy->batch_min_ns &&
	       2 * small * LARGE_PER_SMALL <= most)
		small *= 2;
	return (struct kb_batches){ (uint32_t)small,
				    (uint32_t)(LARGE_PER_SMALL * small) };
}

void kb_policy_quicken(struct kb_policy *p, const struct kb_policy *asked,
		       bool quick)
{
	p->trials = asked->trials;
	p->interval_ppm = asked->interval_ppm;
	p->by_device_alone = asked->by_device_alone;
	p->is_quick = quick;
	if (!quick)
		return;
	p->trials = kb_min_i64(asked->trials, KB_QUICK_TRIALS);
	if (!asked->pool_bytes)
		return;
	p->interval_ppm = kb_max_i64(asked->interval_ppm, KB_QUICK_INTERVAL_PPM);
	p->by_device_alone = true;
}

static const char *clock_of(const struct kb_policy *policy)
{
	if (!policy->pool_bytes)
		return "call";
	return policy->by_device_alone ? "device" : "call, device";
}

static void put_one_calls(struct kb_json *v, bool on_gpu)
{
	kb_json_set_int(v, "one_call_pairs", on_gpu ? KB_ONE_CALL_PAIRS_MIN :
						      KB_HOST_ONE_CALLS_MIN);
	kb_json_set_int(v, "one_call_pairs_max",
			on_gpu ? KB_ONE_CALL_PAIRS_MAX :
				 KB_HOST_ONE_CALLS_MAX);
	if (on_gpu)
		kb_json_set_int(v, "alone_runs", 2 * KB_CONTROL_ONE_CALLS_MIN);
}

struct kb_json *kb_policy_to_json(const struct kb_policy *policy)
{
	kb_auto(mem) char *seeds = kb_seeds_format(&policy->seeds);
	struct kb_json *v = kb_json_object();

	kb_json_set_string(v, "tolerance",
			   kb_tolerance_policy_name(policy->tolerance));
	if (kb_tolerance_policy_multiple(policy->tolerance))
		kb_json_set_int(v, "error_multiple",
				kb_tolerance_policy_multiple(
					policy->tolerance));
	if (kb_tolerance_policy_is_of_tensor(policy->tolerance))
		kb_json_set_string(v, "tolerance_of", KB_TOLERANCE_OF_TENSOR);
	kb_json_set_int(v, "trials", policy->trials);
	kb_json_set_int(v, "alternate_trials", policy->alternate_trials);
	kb_json_set_int(v, "weights_seed", policy->weights_seed);
	if (policy->seeds.count)
		kb_json_set_string(v, "seeds", seeds);
	if (policy->keeps_own_weights)
		kb_json_set_string(v, "candidate_weights", "own");
	if (policy->accepts_in_place)
		kb_json_set_string(v, "in_place", "accept");
	if (policy->slow_factor) {
		kb_json_set_int(v, "stopping_rule", KB_STOPPING_RULE);
		kb_json_set_int(v, "slow_factor", policy->slow_factor);
		kb_json_set_int(v, "slow_call_ns", policy->slow_call_ns);
	}
	kb_json_set_int(v, "batch_min_ns", policy->batch_min_ns);
	kb_json_set_int(v, "batch_calls_max", policy->batch_calls_max);
	kb_json_set_int(v, "tensor_bytes_max",
			(int64_t)policy->tensor_bytes_max);
	kb_json_set_string(v, "clock", clock_of(policy));
	put_one_calls(v, policy->pool_bytes != 0);
	if (policy->pool_bytes) {
		kb_json_set_int(v, "trials_max", policy->trials_max);
		kb_json_set_int(v, "interval_ppm", policy->interval_ppm);
		kb_json_set_int(v, "budget_ns", policy->budget_ns);
		kb_json_set_int(v, "output_pool_bytes",
				(int64_t)policy->pool_bytes);
		kb_json_set_string(v, "l2_cache", "evicted before a batch");
	}
	return v;
}
