#include "export/unseen_sizes.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "lib/tap.h"
#include "manifest/suite.h"

static struct kb_result result(int level, int problem_id, int sample_id,
			       enum kb_status status)
{
	return (struct kb_result){
		.key = { level, problem_id }, .sample_id = sample_id,
		.outcome.status = status,
	};
}

/* Who knew the sizes fails on others; of what is judged on one side alone there
 * is one verdict. */
static void test_rows_are_of_the_samples_of_either(void)
{
	struct kb_result seen[] = {
		result(1, 1, 0, KB_STATUS_CORRECT),
		result(1, 1, 1, KB_STATUS_CORRECT),
		result(1, 2, 0, KB_STATUS_MISSING),
		result(2, 1, 0, KB_STATUS_CRASHED),
	};
	struct kb_result unseen[] = {
		result(1, 1, 0, KB_STATUS_CORRECT),
		result(1, 1, 1, KB_STATUS_MISMATCH),
		result(1, 10, 0, KB_STATUS_CORRECT),
		result(2, 1, 0, KB_STATUS_CORRECT),
	};
	const struct kb_evaluation a = { .results = seen,
					 .result_count = KB_ARRAY_LEN(seen) };
	const struct kb_evaluation b = { .results = unseen,
					 .result_count = KB_ARRAY_LEN(unseen) };
	const struct kb_evaluation none = KB_EVALUATION_INIT;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_unseen_sizes_print(&out, &a, &b);
	check_str(out.data,
		  "problem\tsample\tstatus\tstatus_on_unseen_sizes\n"
		  "1/1\t0\tcorrect\tcorrect\n"
		  "1/1\t1\tcorrect\tmismatch\n"
		  "1/2\t0\tmissing\t-\n"
		  "1/10\t0\t-\tcorrect\n"
		  "2/1\t0\tcrashed\tcorrect\n");
	kb_buf_clear(&out);
	kb_unseen_sizes_print(&out, &none, &none);
	check_str(out.data,
		  "problem\tsample\tstatus\tstatus_on_unseen_sizes\n");
}

static struct kb_digest id(uint8_t first)
{
	return (struct kb_digest){ .bytes = { first } };
}

static void test_evaluations_of_other_things_are_refused(void)
{
	static const struct {
		uint8_t seen_suite, seen_submission, parent;
		size_t sizes;
		const char *why;
	} cases[] = {
		{ 1, 2, 1, 1, "" },
		{ 1, 2, 1, 0, "the second evaluation's suite is not derived "
			      "by sizes" },
		{ 1, 2, 3, 1, "the second evaluation's suite is not derived "
			      "from the first's" },
		{ 1, 3, 1, 1, "the evaluations are of two submissions" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		const struct kb_evaluation seen = {
			.suite = id(cases[i].seen_suite),
			.submission = id(cases[i].seen_submission),
		};
		const struct kb_evaluation unseen = { .submission = id(2) };
		const struct kb_suite suite = {
			.parent = id(cases[i].parent),
			.sizes.count = cases[i].sizes,
		};
		struct kb_err err = KB_ERR_INIT;

		check_int(kb_unseen_sizes_check(&seen, &unseen, &suite, &err),
			  *cases[i].why ? -KB_ERR_INPUT : 0);
		check_str(err.msg, cases[i].why);
	}
}

TAP_MAIN(
	TAP(test_rows_are_of_the_samples_of_either),
	TAP(test_evaluations_of_other_things_are_refused),
);
