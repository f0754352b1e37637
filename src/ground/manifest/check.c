/* A record of any kind, read whole. */

#include "manifest/record.h"

#include "manifest/audit.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/generation.h"
#include "manifest/report.h"
#include "manifest/score.h"
#include "manifest/submission.h"
#include "manifest/suite.h"

static int check_suite(const struct kb_bundle *b, struct kb_err *err)
{
	struct kb_suite s = KB_SUITE_INIT;
	int ret = kb_suite_load(&s, b, err);

	kb_suite_release(&s);
	return ret;
}

static int check_submission(const struct kb_bundle *b, struct kb_err *err)
{
	struct kb_submission s = KB_SUBMISSION_INIT;
	int ret = kb_submission_load(&s, b, err);

	kb_submission_release(&s);
	return ret;
}

static int check_baseline(const struct kb_bundle *b, struct kb_err *err)
{
	struct kb_baseline baseline = KB_BASELINE_INIT;
	int ret = kb_baseline_load(&baseline, b, err);

	kb_baseline_release(&baseline);
	return ret;
}

/* Results are not kept: there may be more than there is memory for. */
static void drop_result(void *into, struct kb_result *r)
{
	(void)into, (void)r;
}

static int check_evaluation(const struct kb_bundle *b, struct kb_err *err)
{
	struct kb_evaluation e = KB_EVALUATION_INIT;
	int ret = kb_evaluation_load_record(&e, b, err);

	if (ret == 0)
		ret = kb_evaluation_each(&e, b, drop_result, NULL, err);
	kb_evaluation_release(&e);
	return ret;
}

static int check_score(const struct kb_bundle *b, struct kb_err *err)
{
	struct kb_score s = KB_SCORE_INIT;
	int ret = kb_score_load(&s, b, err);

	kb_score_release(&s);
	return ret;
}

static int check_audit(const struct kb_bundle *b, struct kb_err *err)
{
	struct kb_audit a = KB_AUDIT_INIT;
	int ret = kb_audit_load(&a, b, err);

	kb_audit_release(&a);
	return ret;
}

static int check_report(const struct kb_bundle *b, struct kb_err *err)
{
	struct kb_report r = KB_REPORT_INIT;
	int ret = kb_report_load(&r, b, err);

	kb_report_release(&r);
	return ret;
}

static int check_generation(const struct kb_bundle *b, struct kb_err *err)
{
	struct kb_generation g = KB_GENERATION_INIT;
	int ret = kb_generation_load(&g, b, err);

	kb_generation_release(&g);
	return ret;
}

static int (*const checks[KB_KIND_COUNT])(const struct kb_bundle *b,
					  struct kb_err *err) = {
	[KB_KIND_SUITE] = check_suite,
	[KB_KIND_SUBMISSION] = check_submission,
	[KB_KIND_BASELINE] = check_baseline,
	[KB_KIND_EVALUATION] = check_evaluation,
	[KB_KIND_SCORE] = check_score,
	[KB_KIND_AUDIT] = check_audit,
	[KB_KIND_REPORT] = check_report,
	[KB_KIND_GENERATION] = check_generation,
};

int kb_record_check(enum kb_kind *kind, const struct kb_bundle *b,
		    struct kb_err *err)
{
	int ret = kb_record_kind(kind, b, err);

	if (ret < 0)
		return ret;
	return checks[*kind](b, err);
}
