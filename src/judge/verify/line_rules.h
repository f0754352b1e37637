#ifndef KB_VERIFY_LINE_RULES_H
#define KB_VERIFY_LINE_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "manifest/conditions.h"
#include "manifest/suite.h"

struct kb_err;
struct kb_reference_result;
struct kb_result;
struct kb_tolerance_policy;

/*
 * Could a stage have written this line under its conditions, about this
 * problem? What a line says of its end goes with what it says was compared
 * and timed:
 *
 *	compared	every output of a candidate that is correct, and nothing
 *			beyond the tolerance; of a mismatch something was.
 *			Elements are those of the suite's outputs, times the
 *			calls of a run
 *	seeds		one a run, as many as the timings had runs; one for all
 *			on a CUDA device
 *	alternate	trials on alternate inputs, where the suite's problem
 *			has a remedy that the precision can hold, and the
 *			policy asks for any
 *	timed		by every clock of the policy if it is correct (of a
 *			reference: timed), and not otherwise
 *	in place	nobody modified inputs where the policy accepts it
 *	device		a line that says on which GPU names one of the
 *			environment's
 *	output pool	one that is told of is on a CUDA device, not of the
 *			policy's size, and not larger than the memory; a
 *			reference's is of a problem in torch
 *	wall time	is not less than what its runs took, with what was
 *			subtracted of them
 *	cpu time	is not more than all processors had in the wall time
 *	copying in	is one function of the calls: verify/runs.h
 *	ended		by a limit that was reached; nothing ran before it was
 *			built and loaded
 *	ranks		named in a reason of the supervisor's are ranks of the
 *			suite's problems
 *
 * Times themselves are not looked at here.
 */
struct kb_line_rules {
	bool is_cuda;
	int64_t trials;			/* KB_UNKNOWN without a policy's; */
	int64_t alternate_trials;	/* so are these */
	bool accepts_in_place;
	int64_t batch_calls_max;
	int64_t run_timeout_ns, build_timeout_ns;	/* likewise */
	int64_t slow_call_ns;				/* likewise */
	bool is_before_0_3;		/* the version that wrote the record */
	bool has_seeds;			/* several, of weights */
	bool by_device_alone;		/* as kb_policy_quicken() */
	int64_t output_pool_bytes;	/* KB_UNKNOWN on a CPU */
	int64_t memory_bytes;		/* of a GPU; KB_UNKNOWN: not recorded */
	const struct kb_tolerance_policy *tolerance;	/* NULL: unknown */
	bool of_tensor;			/* and it is of outputs as a whole */
	enum kb_precision precision;
	const struct kb_suite *suite;	/* NULL: absent */
	const struct kb_json *gpu;	/* of the environment, or NULL */
};

/* The rules of conditions that kb_conditions_verify() accepts, or that look
 * like such conditions. Both are borrowed. */
void kb_line_rules_init(struct kb_line_rules *rules,
			const struct kb_conditions *conditions,
			const struct kb_suite *suite);

/* Fail with KB_ERR_INPUT; the message says of which candidate, and why not. */
int kb_line_rules_check(const struct kb_line_rules *rules,
			const struct kb_result *r, struct kb_err *err);
int kb_line_rules_check_reference(const struct kb_line_rules *rules,
				  const struct kb_reference_result *r,
				  struct kb_err *err);

#endif
