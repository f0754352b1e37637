#ifndef KB_TESTS_UNIT_RECORD_CASES_H
#define KB_TESTS_UNIT_RECORD_CASES_H

#include "base/cleanup.h"
#include "base/err.h"
#include "lib/records.h"
#include "lib/tap.h"
#include "unit/record_texts.h"

/* The records of record_texts.h with what reads and prints each again, and
 * what is wrong with each once a part of it is changed. */

static const struct {
	const char *text;
	int (*again)(struct kb_buf *out, const struct kb_json *v,
		     struct kb_err *err);
} good[] = {
	{ suite_text, suite_again },
	{ ranks_suite_text, suite_again },
	{ pkb_suite_text, suite_again },
	{ derived_suite_text, suite_again },
	{ gradients_suite_text, suite_again },
	{ odd_gradients_suite_text, suite_again },
	{ submission_text, submission_again },
	{ baseline_text, baseline_again },
	{ cuda_baseline_text, baseline_again },
	{ evaluation_text, evaluation_again },
	{ served_evaluation_text, evaluation_again },
	{ score_text, score_again },
	{ sound_text, score_again },
	{ not_sound_text, score_again },
	{ sure_score_text, score_again },
	{ shares_score_text, score_again },
	{ result_text, result_again },
	{ crash_text, result_again },
	{ reference_text, reference_again },
	{ device_result_text, result_again },
	{ not_queueable_text, result_again },
	{ alternate_text, result_again },
	{ not_alternate_text, result_again },
	{ seeds_text, result_again },
	{ device_reference_text, reference_again },
	{ score_line_text, score_line_again },
	{ audit_text, audit_again },
	{ audit_line_text, audit_line_again },
	{ not_audited_text, audit_line_again },
	{ sure_line_text, score_line_again },
	{ report_text, report_again },
	{ joined_report_text, report_again },
	{ v3_report_text, report_again },
	{ v3_run_text, report_again },
	{ extracted_text, submission_again },
	{ generation_text, generation_again },
	{ priced_text, generation_again },
	{ refined_text, generation_again },
	{ judged_text, generated_again },
	{ untold_text, generated_again },
	{ unjudged_text, generated_again },
	{ generated_text, generated_again },
	{ unanswered_text, generated_again },
	{ prompt_text, prompt_again },
};

struct contradiction {
	const char *text;		/* one of `good` */
	const char *from, *to;		/* the first of these is changed */
	const char *msg;
};

static inline void check_refused(const struct contradiction bad[], size_t count)
{
	for (size_t i = 0; i < count; i++) {
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
		kb_auto(json) struct kb_json *v = NULL;
		struct kb_err err = KB_ERR_INIT;
		size_t g = 0;

		while (good[g].text != bad[i].text)
			g++;
		record_change(&text, bad[i].text, bad[i].from, bad[i].to);
		v = record_parse(text.data);
		check_int(good[g].again(&out, v, &err), -KB_ERR_INPUT);
		check_str(err.msg, bad[i].msg);
	}
}

#endif
