/*
 * Any bytes as the answer of an audit's program, and as a file of reduced
 * forms. What is taken of an answer prints to what is taken again, and gives
 * the same findings every time, which follow from it by every policy.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "audit/answer.h"
#include "audit/judge.h"
#include "audit/reduced.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "device/tolerance.h"
#include "fuzz/must.h"
#include "json/json.h"
#include "manifest/audit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void print(struct kb_buf *out, const struct kb_audit_line *l)
{
	kb_auto(json) struct kb_json *v = kb_audit_line_to_json(l);

	kb_json_print(out, v);
}

static void judge(struct kb_audit_line *l, const char *policy)
{
	const struct kb_tolerance_policy *p = NULL;

	must(kb_tolerance_policy_find(&p, policy, NULL) == 0);
	kb_findings_release(&l->findings);
	kb_audit_judge(&l->findings, l->evidence, p);
	for (int i = 0; i < KB_FINDING_COUNT; i++)
		must(!l->findings.evidence[i] || *l->findings.evidence[i]);
}

/* A line of what was taken reads back as itself. */
static void check_line(struct kb_audit_line *l)
{
	kb_auto(audit_line) struct kb_audit_line again = KB_AUDIT_LINE_INIT;
	kb_auto(buf) struct kb_buf before = KB_BUF_INIT;
	kb_auto(buf) struct kb_buf after = KB_BUF_INIT;
	kb_auto(json) struct kb_json *v = NULL;

	print(&before, l);
	must(kb_json_parse(&v, before.data, before.len, KB_JSON_CANONICAL,
			   "line", NULL) == 0);
	must(kb_audit_line_from_json(&again, v, "line", NULL) == 0);
	print(&after, &again);
	must(!strcmp(before.data, after.data));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const policies[] = { "kernelbench", "paper" };
	kb_auto(audit_line) struct kb_audit_line l = KB_AUDIT_LINE_INIT;
	struct kb_err err = KB_ERR_INIT;
	int ret;

	ret = kb_reduced_check(data, size, "reduced", &err);
	must(ret == 0 || (ret == -KB_ERR_INPUT && err.msg[0]));

	err = (struct kb_err)KB_ERR_INIT;
	l.key = (struct kb_key){ 1, 1 };
	ret = kb_audit_answer_parse(&l, data, size, &err);
	if (ret < 0) {
		must(ret == -KB_ERR_INPUT && err.msg[0]);
		return 0;
	}
	must(!l.evidence == (l.outcome.status != KB_STATUS_AUDITED));
	for (size_t i = 0; i < KB_ARRAY_LEN(policies); i++) {
		if (l.evidence)
			judge(&l, policies[i]);
		check_line(&l);
	}
	return 0;
}
