/* What an audit of one problem answers, and the reduced forms of problems. */

#include "audit/answer.h"

#include <stdlib.h>

#include "audit/reduced.h"
#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "lib/tap.h"
#include "manifest/audit.h"
#include "unit/audit_evidence.h"

#define ANSWER(failure, evidence, reduced)				\
	"{\"evidence\":" evidence ",\"failure\":" failure ",\"reduced\":" \
	reduced "}"
#define FAILURE(status, phase)						\
	"{\"detail\":\"why\",\"phase\":\"" phase "\",\"status\":\"" status "\"}"

static int answer(struct kb_audit_line *l, const char *text,
		  struct kb_err *err)
{
	return kb_audit_answer_parse(l, text, strlen(text), err);
}

static void test_answer_with_evidence_is_taken(void)
{
	kb_auto(audit_line) struct kb_audit_line l = KB_AUDIT_LINE_INIT;
	struct kb_err err = KB_ERR_INIT;

	check_int(answer(&l, ANSWER("null", SOUND, "{\"n\":\"3\"}"), &err), 0);
	check_str(err.msg, "");
	check_int(l.outcome.status, KB_STATUS_AUDITED);
	check_int(l.outcome.phase, KB_PHASE_NONE);
	check(!l.outcome.detail);
	check(l.evidence && l.evidence->stated.output_count == 1);
	check(l.reduced && kb_json_count(l.reduced) == 1);

	check_int(answer(&l, ANSWER("null", SOUND, "null"), &err), 0);
	check(!l.reduced);
}

static void test_answer_with_a_failure_is_taken(void)
{
	static const struct {
		const char *text;
		enum kb_status status;
		enum kb_phase phase;
	} cases[] = {
		{ ANSWER(FAILURE("load_failed", "load"), "null", "null"),
		  KB_STATUS_LOAD_FAILED, KB_PHASE_LOAD },
		{ ANSWER(FAILURE("run_failed", "run"), "null", "null"),
		  KB_STATUS_RUN_FAILED, KB_PHASE_RUN },
		{ ANSWER(FAILURE("out_of_memory", "load"), "null", "null"),
		  KB_STATUS_OUT_OF_MEMORY, KB_PHASE_LOAD },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(audit_line) struct kb_audit_line l =
			KB_AUDIT_LINE_INIT;

		check_int(answer(&l, cases[i].text, NULL), 0);
		check_int(l.outcome.status, cases[i].status);
		check_int(l.outcome.phase, cases[i].phase);
		check_str(l.outcome.detail, "why");
		check(!l.evidence);
	}
}

static const struct {
	const char *text, *msg;
} bad_answers[] = {
	{ "", "cannot parse 'the answer': ends too soon at byte 0" },
	{ "[]", "the answer: is an array, want an object" },
	{ "{}", "the answer: 'failure' is missing" },
	{ ANSWER("null", "null", "null"),
	  "the answer: there must be a failure or evidence" },
	{ ANSWER(FAILURE("run_failed", "run"), SOUND, "null"),
	  "the answer: there must be a failure or evidence" },
	{ ANSWER("null", "{}", "null"), "the answer: 'stated' is missing" },
	{ ANSWER(FAILURE("correct", "run"), "null", "null"),
	  "the answer: a problem does not fail as 'correct' in phase 'run'" },
	{ ANSWER(FAILURE("audited", "run"), "null", "null"),
	  "the answer: a problem does not fail as 'audited' in phase 'run'" },
	{ ANSWER(FAILURE("crashed", "run"), "null", "null"),
	  "the answer: a problem does not fail as 'crashed' in phase 'run'" },
	{ ANSWER(FAILURE("run_failed", "load"), "null", "null"),
	  "the answer: a problem does not fail as 'run_failed' in phase "
	  "'load'" },
	{ ANSWER(FAILURE("run_failed", "walk"), "null", "null"),
	  "the answer: 'phase' is 'walk', which is not known" },
	{ ANSWER("{}", "null", "null"), "the answer: 'status' is missing" },
	{ ANSWER("1", "null", "null"),
	  "the answer: 'failure' is an integer, want an object" },
	{ ANSWER("null", SOUND, "{\"n\":3}"),
	  "the answer: 'reduced.n' is an integer" },
	{ "{\"evidence\":" SOUND ",\"failure\":null,\"more\":1,"
	  "\"reduced\":null}", "the answer: 'more' is not a known member" },
};

static void test_answer_is_refused_whole(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(bad_answers); i++) {
		kb_auto(audit_line) struct kb_audit_line l =
			KB_AUDIT_LINE_INIT;
		struct kb_err err = KB_ERR_INIT;

		check_int(answer(&l, bad_answers[i].text, &err),
			  -KB_ERR_INPUT);
		check_str(err.msg, bad_answers[i].msg);
		check_int(l.outcome.status, KB_STATUS_MISSING);
		check(!l.evidence && !l.reduced && !l.outcome.detail);
	}
}

static const struct {
	const char *text, *msg;
} reduced_files[] = {
	{ "", "cannot parse 'x': ends too soon at byte 0" },
	{ "{}", NULL },
	{ "{\"1/2\": {}, \"2/3\": {\"n\": [1, 0.25, \"a\"]}}", NULL },
	{ "[]", "'x': is an array, want an object" },
	{ "{\"1/2\": 3}", "'x': '1/2' is an integer, want an object" },
	{ "{\"n\": {}}", "'x': 'n' is no problem: want '1/12'" },
	{ "{\"01/2\": {}}", "'x': '01/2' is no problem: want '1/12'" },
};

static void test_reduced_forms_are_objects_of_problems(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(reduced_files); i++) {
		const char *text = reduced_files[i].text;
		const char *msg = reduced_files[i].msg;
		struct kb_err err = KB_ERR_INIT;

		check_int(kb_reduced_check(text, strlen(text), "x", &err),
			  msg ? -KB_ERR_INPUT : 0);
		check_str(err.msg, msg ? msg : "");
	}
}

TAP_MAIN(TAP(test_answer_with_evidence_is_taken),
	 TAP(test_answer_with_a_failure_is_taken),
	 TAP(test_answer_is_refused_whole),
	 TAP(test_reduced_forms_are_objects_of_problems));
