#include "cmd/about.h"

#include <inttypes.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "manifest/audit.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/generation.h"
#include "manifest/report.h"
#include "manifest/score.h"
#include "manifest/submission.h"
#include "manifest/suite.h"
#include "sheet/format.h"
#include "sheet/hardware.h"
#include "store/one_member.h"

static const char *plural_s(size_t count)
{
	return count == 1 ? "" : "s";
}

/* The author of the candidates, or NULL. */
static const char *author_of(const struct kb_provenance *p)
{
	return p->display_name ? p->display_name :
	       p->model ? p->model : p->run_name;
}

static void add_text(struct kb_buf *out, const char *text)
{
	if (!text)
		return;
	kb_buf_addstr(out, ", ");
	kb_format_text(out, text);
}

static int about_suite(struct kb_buf *out, const struct kb_json *record,
		       struct kb_err *err)
{
	static const char *const derived[] = {
		[KB_DERIVATION_NONE] = "",
		[KB_DERIVATION_SIZES] = ", other sizes",
		[KB_DERIVATION_BACKWARD] = ", with gradients",
		[KB_DERIVATION_BOTH] = ", other sizes, with gradients",
	};
	kb_auto(suite) struct kb_suite s = KB_SUITE_INIT;
	const int ret = kb_suite_from_json(&s, record, KB_BUNDLE_RECORD, err);

	if (ret < 0)
		return ret;
	kb_buf_addf(out, "%zu problem%s of ", s.problem_count,
		    plural_s(s.problem_count));
	kb_format_text(out, s.name);
	kb_buf_addstr(out, derived[kb_suite_derivation(&s)]);
	return 0;
}

static int about_submission(struct kb_buf *out, const struct kb_json *record,
			    struct kb_err *err)
{
	kb_auto(submission) struct kb_submission s = KB_SUBMISSION_INIT;
	const int ret = kb_submission_from_json(&s, record, KB_BUNDLE_RECORD,
						err);

	if (ret < 0)
		return ret;
	kb_buf_addf(out, "%zu candidate%s", s.candidate_count,
		    plural_s(s.candidate_count));
	add_text(out, author_of(&s.provenance));
	return 0;
}

static int about_baseline(struct kb_buf *out, const struct kb_json *record,
			  struct kb_err *err)
{
	kb_auto(baseline) struct kb_baseline b = KB_BASELINE_INIT;
	const int ret = kb_baseline_from_json(&b, record, KB_BUNDLE_RECORD,
					      err);

	if (ret < 0)
		return ret;
	kb_buf_addf(out, "times of %zu reference%s, %s", b.problem_count,
		    plural_s(b.problem_count), kb_mode_name(b.mode));
	add_text(out, kb_hardware_name(b.conditions.environment));
	return 0;
}

/* The submission names the author, if the store has it. */
static void add_author(struct kb_buf *out, const struct kb_digest *id,
		       const char *store)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(json) struct kb_json *record = NULL;
	kb_auto(submission) struct kb_submission s = KB_SUBMISSION_INIT;

	if (kb_store_open_member(&b, store, id, KB_BUNDLE_RECORD, NULL) == 0 &&
	    kb_record_load(&record, &b, NULL) == 0 &&
	    kb_submission_from_json(&s, record, "", NULL) == 0)
		add_text(out, author_of(&s.provenance));
}

static int about_evaluation(struct kb_buf *out, const struct kb_json *record,
			    const char *store, struct kb_err *err)
{
	kb_auto(evaluation) struct kb_evaluation e = KB_EVALUATION_INIT;
	const int ret = kb_evaluation_from_json(&e, record, KB_BUNDLE_RECORD,
						err);
	int64_t count = 0;

	if (ret < 0)
		return ret;
	for (int s = 0; s < KB_STATUS_COUNT; s++)
		count += s == KB_STATUS_MISSING ? 0 : e.status_counts[s];
	kb_buf_addf(out, "%" PRId64 " of %" PRId64 " correct",
		    e.status_counts[KB_STATUS_CORRECT], count);
	add_author(out, &e.submission, store);
	add_text(out, kb_hardware_name(e.conditions.environment));
	return 0;
}

static int about_score(struct kb_buf *out, const struct kb_json *record,
		       struct kb_err *err)
{
	kb_auto(score) struct kb_score s = KB_SCORE_INIT;
	const int ret = kb_score_from_json(&s, record, KB_BUNDLE_RECORD, err);

	if (ret < 0)
		return ret;
	kb_buf_addf(out, "%" PRId64 " of %" PRId64 " problems correct, %" PRId64
		    " faster", s.overall.correct, s.overall.problems,
		    s.overall.fast[KB_FAST_1]);
	add_text(out, s.model);
	return 0;
}

static int about_audit(struct kb_buf *out, const struct kb_json *record,
		       struct kb_err *err)
{
	kb_auto(audit) struct kb_audit a = KB_AUDIT_INIT;
	const int ret = kb_audit_from_json(&a, record, KB_BUNDLE_RECORD, err);

	if (ret < 0)
		return ret;
	kb_buf_addf(out, "%zu problem%s", a.problem_count,
		    plural_s(a.problem_count));
	add_text(out, kb_hardware_name(a.conditions.environment));
	return 0;
}

static int about_report(struct kb_buf *out, const struct kb_json *record,
			struct kb_err *err)
{
	kb_auto(report) struct kb_report r = KB_REPORT_INIT;
	const int ret = kb_report_from_json(&r, record, KB_BUNDLE_RECORD, err);
	int64_t results = 0, correct = 0;

	if (ret < 0)
		return ret;
	for (size_t i = 0; i < r.level_count; i++) {
		results += r.levels[i].results;
		correct += r.levels[i].correct;
	}
	kb_buf_addf(out, "%" PRId64 " of %" PRId64 " correct, as others say",
		    correct, results);
	add_text(out, r.run);
	return 0;
}

static int about_generation(struct kb_buf *out, const struct kb_json *record,
			    struct kb_err *err)
{
	kb_auto(generation) struct kb_generation g = KB_GENERATION_INIT;
	const int ret = kb_generation_from_json(&g, record, KB_BUNDLE_RECORD,
						err);

	if (ret < 0)
		return ret;
	kb_buf_addf(out, "answers to %zu problem%s", g.asked.problem_count,
		    plural_s(g.asked.problem_count));
	add_text(out, g.asked.model);
	return 0;
}

int kb_about_print(struct kb_buf *out, enum kb_kind kind,
		   const struct kb_json *record, const char *store,
		   struct kb_err *err)
{
	switch (kind) {
	case KB_KIND_SUITE:
		return about_suite(out, record, err);
	case KB_KIND_SUBMISSION:
		return about_submission(out, record, err);
	case KB_KIND_BASELINE:
		return about_baseline(out, record, err);
	case KB_KIND_EVALUATION:
		return about_evaluation(out, record, store, err);
	case KB_KIND_SCORE:
		return about_score(out, record, err);
	case KB_KIND_AUDIT:
		return about_audit(out, record, err);
	case KB_KIND_REPORT:
		return about_report(out, record, err);
	case KB_KIND_GENERATION:
		return about_generation(out, record, err);
	case KB_KIND_COUNT:
		break;
	}
	KB_BUG("no such kind");
}

int kb_about_id_print(struct kb_buf *out, enum kb_kind *kind,
		      const struct kb_digest *id, const char *store,
		      struct kb_err *err)
{
	kb_auto(bundle) struct kb_bundle b = KB_BUNDLE_INIT;
	kb_auto(json) struct kb_json *record = NULL;
	struct kb_parent parents[KB_PARENTS_MAX];
	size_t count;
	int ret = kb_store_open_member(&b, store, id, KB_BUNDLE_RECORD, err);

	if (ret >= 0)
		ret = kb_record_load(&record, &b, err);
	if (ret >= 0)
		ret = kb_record_head(record, kind, parents, &count,
				     KB_BUNDLE_RECORD, err);
	return ret < 0 ? ret : kb_about_print(out, *kind, record, store, err);
}
