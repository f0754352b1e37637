/* An output pool that a line says was not of the policy's size: where there can
 * be one, and of what code. */

#include "base/cleanup.h"
#include "base/err.h"
#include "manifest/evaluation.h"
#include "manifest/submission.h"
#include "unit/verify_world.h"
#include "verify/chain.h"
#include "verify/line_rules.h"

#define POLICY_BYTES 1000
#define MEMORY_BYTES 4000

static const struct {
	bool is_cuda;
	int64_t memory_bytes;
	int64_t bytes;
	const char *msg;		/* NULL: nothing against it */
} pools[] = {
	{ true, MEMORY_BYTES, 0, NULL },
	{ true, MEMORY_BYTES, 1, NULL },
	{ true, MEMORY_BYTES, POLICY_BYTES - 1, NULL },
	{ true, MEMORY_BYTES, POLICY_BYTES,
	  "sample 0 of problem '1/1': 'output_pool_bytes' is 1000, which the "
	  "policy tells" },
	{ true, MEMORY_BYTES, POLICY_BYTES + 1, NULL },
	{ true, MEMORY_BYTES, MEMORY_BYTES, NULL },
	{ true, MEMORY_BYTES, MEMORY_BYTES + 1,
	  "sample 0 of problem '1/1': 'output_pool_bytes' is 4001, and the GPU "
	  "has 4000 bytes" },
	{ true, KB_UNKNOWN, INT64_MAX, NULL },
	{ false, KB_UNKNOWN, 0, NULL },
	{ false, KB_UNKNOWN, 1,
	  "sample 0 of problem '1/1': 'output_pool_bytes' is there, on a CPU" },
};

static void test_a_pool_is_told_where_it_is_not_the_policys(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(pools); i++) {
		const struct kb_line_rules rules = {
			.is_cuda = pools[i].is_cuda,
			.trials = KB_UNKNOWN, .batch_calls_max = KB_UNKNOWN,
			.output_pool_bytes = pools[i].is_cuda ? POLICY_BYTES
							      : KB_UNKNOWN,
			.memory_bytes = pools[i].memory_bytes,
		};
		char seed[1][KB_TRIAL_SEED_SIZE] = { "5" };
		struct kb_result r = KB_RESULT_INIT;
		struct kb_err err = KB_ERR_INIT;

		r.key = (struct kb_key){ 1, 1 };
		r.outcome.status = KB_STATUS_CRASHED;
		r.outcome.trial_seeds.items = seed;
		r.outcome.trial_seeds.count = 1;
		r.outcome.wall_ns = 1;
		r.output_pool_bytes = pools[i].bytes;
		check_int(kb_line_rules_check(&rules, &r, &err),
			  pools[i].msg ? -KB_ERR_INPUT : 0);
		check_str(err.msg, pools[i].msg ? pools[i].msg : "");
	}
}

/* Of a problem's reference, in lines of evaluations and of baselines. */
static const struct {
	enum kb_runtime runtime;
	int64_t bytes;
	const char *why;		/* NULL: nothing against it */
} references[] = {
	{ KB_RUNTIME_TORCH, 0, NULL },
	{ KB_RUNTIME_TORCH, POLICY_BYTES + 1, NULL },
	{ KB_RUNTIME_TORCH, POLICY_BYTES, "is 1000, which the policy tells" },
	{ KB_RUNTIME_TORCH, MEMORY_BYTES + 1,
	  "is 4001, and the GPU has 4000 bytes" },
	{ KB_RUNTIME_CUDA, 0, NULL },
	{ KB_RUNTIME_CUDA, POLICY_BYTES + 1,
	  "is there, and native code leaves nothing in a pool" },
	{ KB_RUNTIME_NATIVE, POLICY_BYTES + 1,
	  "is there, and native code leaves nothing in a pool" },
};

static void test_a_references_pool_is_told_of_code_in_torch(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(references); i++) {
		struct kb_problem problem = {
			.key = { 1, 1 }, .runtime = references[i].runtime,
		};
		const struct kb_suite suite = {
			.problems = &problem, .problem_count = 1,
		};
		const struct kb_line_rules rules = {
			.is_cuda = true, .trials = KB_UNKNOWN,
			.batch_calls_max = KB_UNKNOWN, .suite = &suite,
			.output_pool_bytes = POLICY_BYTES,
			.memory_bytes = MEMORY_BYTES,
		};
		char seed[1][KB_TRIAL_SEED_SIZE] = { "5" };
		struct kb_result r = KB_RESULT_INIT;
		struct kb_reference_result alone = KB_REFERENCE_RESULT_INIT;
		struct kb_err err = KB_ERR_INIT;
		const char *why = references[i].why;
		char said[2][128] = { "", "" };

		if (why) {
			snprintf(said[0], sizeof(said[0]),
				 "sample 0 of problem '1/1': "
				 "'reference_output_pool_bytes' %s", why);
			snprintf(said[1], sizeof(said[1]),
				 "problem '1/1': 'output_pool_bytes' %s", why);
		}
		r.key = alone.key = problem.key;
		r.outcome.status = alone.outcome.status = KB_STATUS_CRASHED;
		r.outcome.trial_seeds.items = seed;
		r.outcome.trial_seeds.count = 1;
		r.outcome.wall_ns = 1;
		r.reference_output_pool_bytes = references[i].bytes;
		alone.output_pool_bytes = references[i].bytes;
		check_int(kb_line_rules_check(&rules, &r, &err),
			  why ? -KB_ERR_INPUT : 0);
		check_str(err.msg, said[0]);
		err = (struct kb_err)KB_ERR_INIT;
		check_int(kb_line_rules_check_reference(&rules, &alone, &err),
			  why ? -KB_ERR_INPUT : 0);
		check_str(err.msg, said[1]);
	}
}

static const struct {
	enum kb_runtime runtime;
	int64_t bytes;
	enum kb_answer answer;
	const char *words;
} codes[] = {
	{ KB_RUNTIME_TORCH, 1, OK, "1 lines, of the submission's 1" },
	{ KB_RUNTIME_CUDA, 0, OK, "1 lines, of the submission's 1" },
	{ KB_RUNTIME_CUDA, 1, NO,
	  "sample 0 of problem '1/1' has 'output_pool_bytes', and native code "
	  "leaves nothing in a pool" },
	{ KB_RUNTIME_NATIVE, 1, NO,
	  "sample 0 of problem '1/1' has 'output_pool_bytes', and native code "
	  "leaves nothing in a pool" },
};

static void test_native_code_has_no_pool_to_tell_of(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(codes); i++) {
		kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
		struct kb_key key = { 1, 1 };
		struct kb_candidate candidate = {
			.key = key, .runtime = codes[i].runtime,
		};
		const struct kb_submission s = {
			.candidates = &candidate, .candidate_count = 1,
		};
		struct kb_result line = KB_RESULT_INIT;
		const struct kb_evaluation e = {
			.problems = &key, .problem_count = 1,
			.results = &line, .result_count = 1,
		};

		line.key = key;
		line.outcome.status = KB_STATUS_CRASHED;
		line.output_pool_bytes = codes[i].bytes;
		kb_chain_check_candidates(&c, &e, &s);
		check_said(&c, "candidates", codes[i].answer, codes[i].words);
	}
}

TAP_MAIN(TAP(test_a_pool_is_told_where_it_is_not_the_policys),
	 TAP(test_a_references_pool_is_told_of_code_in_torch),
	 TAP(test_native_code_has_no_pool_to_tell_of));
