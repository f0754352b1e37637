#ifndef KB_TESTS_RECORDS_H
#define KB_TESTS_RECORDS_H

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/audit.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/generation.h"
#include "manifest/report.h"
#include "manifest/score.h"
#include "manifest/submission.h"
#include "manifest/suite.h"

/* A test's own text, as a tree that the caller frees. */
static inline struct kb_json *record_parse(const char *text)
{
	struct kb_json *v = NULL;
	struct kb_err err = KB_ERR_INIT;

	if (kb_json_parse(&v, text, strlen(text), KB_JSON_OURS, "text",
			  &err) < 0) {
		printf("# %s: %s\n", err.msg, text);
		KB_BUG("a test's own text does not parse");
	}
	return v;
}

/* Append `text` with the first `from` in it made `to`. */
static inline void record_change(struct kb_buf *out, const char *text,
				 const char *from, const char *to)
{
	const char *at = strstr(text, from);

	if (!at)
		KB_BUG("a test changes what is not there");
	kb_buf_add(out, text, (size_t)(at - text));
	kb_buf_addstr(out, to);
	kb_buf_addstr(out, at + strlen(from));
}

/*
 * Every reader of records and lines behind one face: read `v` and, if it is
 * taken, append what the struct prints as. Whatever a reader takes must
 * come out as it went in.
 */
#define RECORD_AGAIN(name, type, initial, read, print, release)		\
	static inline int name(struct kb_buf *out, const struct kb_json *v, \
			       struct kb_err *err)			\
	{								\
		struct type s = initial;				\
		struct kb_json *again;					\
		int ret = read;						\
									\
		if (ret < 0)						\
			return ret;					\
		again = print(&s);					\
		kb_json_print(out, again);				\
		kb_json_free(again);					\
		release;						\
		return 0;						\
	}								\
	struct kb_swallow_semicolon

RECORD_AGAIN(suite_again, kb_suite, KB_SUITE_INIT,
	     kb_suite_from_json(&s, v, "suite", err),
	     kb_suite_to_json, kb_suite_release(&s));
RECORD_AGAIN(submission_again, kb_submission, KB_SUBMISSION_INIT,
	     kb_submission_from_json(&s, v, "submission", err),
	     kb_submission_to_json, kb_submission_release(&s));
RECORD_AGAIN(baseline_again, kb_baseline, KB_BASELINE_INIT,
	     kb_baseline_from_json(&s, v, "baseline", err),
	     kb_baseline_to_json, kb_baseline_release(&s));
RECORD_AGAIN(evaluation_again, kb_evaluation, KB_EVALUATION_INIT,
	     kb_evaluation_from_json(&s, v, "evaluation", err),
	     kb_evaluation_to_json, kb_evaluation_release(&s));
RECORD_AGAIN(score_again, kb_score, KB_SCORE_INIT,
	     kb_score_from_json(&s, v, "score", err),
	     kb_score_to_json, kb_score_release(&s));
RECORD_AGAIN(result_again, kb_result, KB_RESULT_INIT,
	     kb_result_from_json(&s, v, "line", err),
	     kb_result_to_json, kb_result_release(&s));
RECORD_AGAIN(reference_again, kb_reference_result, KB_REFERENCE_RESULT_INIT,
	     kb_reference_result_from_json(&s, v, "line", err),
	     kb_reference_result_to_json, kb_reference_result_release(&s));
RECORD_AGAIN(score_line_again, kb_score_line, KB_SCORE_LINE_INIT,
	     kb_score_line_from_json(&s, v, "line", err),
	     kb_score_line_to_json, (void)0);

RECORD_AGAIN(audit_again, kb_audit, KB_AUDIT_INIT,
	     kb_audit_from_json(&s, v, "audit", err),
	     kb_audit_to_json, kb_audit_release(&s));
RECORD_AGAIN(audit_line_again, kb_audit_line, KB_AUDIT_LINE_INIT,
	     kb_audit_line_from_json(&s, v, "line", err),
	     kb_audit_line_to_json, kb_audit_line_release(&s));

RECORD_AGAIN(report_again, kb_report, KB_REPORT_INIT,
	     kb_report_from_json(&s, v, "report", err),
	     kb_report_to_json, kb_report_release(&s));

RECORD_AGAIN(generation_again, kb_generation, KB_GENERATION_INIT,
	     kb_generation_from_json(&s, v, "generation", err),
	     kb_generation_to_json, kb_generation_release(&s));
RECORD_AGAIN(generated_again, kb_generated, KB_GENERATED_INIT,
	     kb_generated_from_json(&s, v, "line", err),
	     kb_generated_to_json, kb_generated_release(&s));
RECORD_AGAIN(prompt_again, kb_prompt, { .messages = NULL },
	     kb_prompt_from_json(&s, v, "line", err),
	     kb_prompt_to_json, kb_prompt_release(&s));

static int (*const record_readers[])(struct kb_buf *out,
				     const struct kb_json *v,
				     struct kb_err *err) = {
	suite_again, submission_again, baseline_again, evaluation_again,
	score_again, result_again, reference_again, score_line_again,
	audit_again, audit_line_again, report_again, generation_again,
	generated_again, prompt_again,
};

#endif
