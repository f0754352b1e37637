/* After how long a line may say that its code timed out. */

#include "verify/line_rules.h"

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "json/json.h"
#include "lib/tap.h"
#include "manifest/baseline.h"
#include "manifest/conditions.h"
#include "manifest/result.h"

#define S KB_NS_PER_S

/* By the policy, and of each the limit that is the least for the phase: 0 if any time
 * will do. */
static const struct {
	int64_t build_s, run_s, slow_s;	/* the last 0: of 0.2.0 */
	bool is_cuda;
	enum kb_phase phase;
	int64_t least_s;
} rows[] = {
	{ 600, 60, 10, false, KB_PHASE_BUILD, 10 },
	{ 600, 60, 10, false, KB_PHASE_LOAD, 10 },
	{ 600, 60, 10, false, KB_PHASE_RUN, 10 },
	{ 600, 60, 10, true, KB_PHASE_LOAD, 10 },
	{ 600, 60, 10, true, KB_PHASE_RUN, 5 },
	{ 600, 3, 10, false, KB_PHASE_BUILD, 10 },
	{ 600, 3, 10, false, KB_PHASE_LOAD, 3 },
	{ 600, 3, 10, true, KB_PHASE_LOAD, 3 },
	{ 600, 3, 10, false, KB_PHASE_RUN, 3 },
	{ 2, 60, 10, false, KB_PHASE_BUILD, 2 },
	{ 2, 60, 10, false, KB_PHASE_LOAD, 2 },
	{ 600, 3, 0, false, KB_PHASE_LOAD, 600 },
	{ 600, 60, 0, false, KB_PHASE_RUN, 60 },
	{ 600, 60, 0, false, KB_PHASE_BUILD, 0 },
};

static void test_not_before_the_least_limit(void)
{
	for (size_t i = 0; i < 2 * KB_ARRAY_LEN(rows); i++) {
		const int64_t least_ns = rows[i / 2].least_s ?
			rows[i / 2].least_s * S : 1;
		const struct kb_line_rules rules = {
			.is_cuda = rows[i / 2].is_cuda, .trials = KB_UNKNOWN,
			.batch_calls_max = KB_UNKNOWN,
			.build_timeout_ns = rows[i / 2].build_s * S,
			.run_timeout_ns = rows[i / 2].run_s * S,
			.slow_call_ns = rows[i / 2].slow_s ?
				rows[i / 2].slow_s * S : KB_UNKNOWN,
			.is_before_0_3 = !rows[i / 2].slow_s,
		};
		char seed[1][KB_TRIAL_SEED_SIZE] = { "5" };
		struct kb_result r = KB_RESULT_INIT;
		struct kb_err err = KB_ERR_INIT;

		r.key = (struct kb_key){ 1, 1 };
		r.outcome.status = KB_STATUS_TIMED_OUT;
		r.outcome.phase = rows[i / 2].phase;
		r.outcome.trial_seeds.items = seed;
		r.outcome.trial_seeds.count = 1;
		r.outcome.wall_ns = least_ns - (int64_t)(i % 2);
		check_int(kb_line_rules_check(&rules, &r, &err),
			  i % 2 ? -KB_ERR_INPUT : 0);
	}
}

/* Baselines of 0.2.0 tell no time of a reference that did not load, and not all of one
 * that was built ahead. Those of 0.3.0 tell all. */
static const struct {
	enum kb_phase phase;
	int64_t wall_ns;
	bool can_be_of_0_2, can_be_of_0_3;
} references[] = {
	{ KB_PHASE_BUILD, 0, true, false },
	{ KB_PHASE_BUILD, 600 * S, true, true },
	{ KB_PHASE_LOAD, 0, true, false },
	{ KB_PHASE_LOAD, 1, false, false },
	{ KB_PHASE_LOAD, 600 * S, true, true },
	{ KB_PHASE_RUN, 0, false, false },
	{ KB_PHASE_RUN, 60 * S, true, true },
};

static void check_references(const char *version, bool is_before)
{
	kb_auto(json) struct kb_json *tool = kb_json_object();
	kb_auto(json) struct kb_json *policy = kb_json_object();
	struct kb_line_rules rules;

	kb_json_set_string(tool, "version", version);
	kb_json_set_int(policy, "build_timeout_ns", 600 * S);
	kb_json_set_int(policy, "run_timeout_ns", 60 * S);
	kb_line_rules_init(&rules, &(struct kb_conditions){
		.tool = tool, .policy = policy }, NULL);
	for (size_t i = 0; i < KB_ARRAY_LEN(references); i++) {
		struct kb_reference_result r = { .outcome = KB_OUTCOME_INIT };
		struct kb_err err = KB_ERR_INIT;

		r.key = (struct kb_key){ 1, 1 };
		r.outcome.status = KB_STATUS_TIMED_OUT;
		r.outcome.phase = references[i].phase;
		r.outcome.wall_ns = references[i].wall_ns;
		if ((kb_line_rules_check_reference(&rules, &r, &err) == 0) !=
		    (is_before ? references[i].can_be_of_0_2 :
				 references[i].can_be_of_0_3))
			tap_fail("%s, row %zu: %s", version, i, err.msg);
	}
}

static void test_early_versions_may_leave_out_time_before_a_run(void)
{
	check_references("0.1.0", true);
	check_references("0.2.0", true);
	check_references("0.3.0", false);
	check_references("0.20.0", false);
}

TAP_MAIN(TAP(test_not_before_the_least_limit),
	 TAP(test_early_versions_may_leave_out_time_before_a_run));
