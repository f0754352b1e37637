/* What an audit found, as a table. */

#include "tables/audit_table.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "lib/tap.h"
#include "manifest/audit.h"
#include "manifest/suite.h"

static struct kb_evidence nothing_known = {
	.stated = { .no_float64 = (char *)"x\x1b[2J",
		    .no_noise = (char *)"y" },
	.no_signs = (char *)"z",
};
static struct kb_evidence all_known;
static struct kb_audit_line audit_lines[] = {
	{ .key = { 1, 2 }, .outcome = { .status = KB_STATUS_AUDITED },
	  .evidence = &all_known },
	{ .key = { 1, 19 }, .outcome = { .status = KB_STATUS_AUDITED },
	  .findings.evidence = {
		[KB_FINDING_IDENTITY] = (char *)"output 0 is input 0",
		[KB_FINDING_REMOVABLE] = (char *)"relu",
	  }, .evidence = &nothing_known },
	{ .key = { 2, 7 }, .outcome = { .status = KB_STATUS_AUDITED },
	  .findings.evidence = { [KB_FINDING_REMOVABLE] = (char *)"tanh" },
	  .evidence = &all_known },
	{ .key = { 3, 1 }, .outcome = { .status = KB_STATUS_RUN_FAILED,
					.detail = (char *)"a\nb" } },
	{ .key = { 3, 2 }, .outcome = { .status = KB_STATUS_EXITED } },
};
static struct kb_problem audit_problems[] = {
	{ .key = { 1, 2 }, .name = (char *)"2_Fine" },
	{ .key = { 1, 19 }, .name = (char *)"19_ReLU" },
	{ .key = { 2, 7 }, .name = (char *)"7_Deep" },
	{ .key = { 3, 1 }, .name = (char *)"1_Bad" },
};
static const struct kb_suite audit_suite = {
	.problems = audit_problems,
	.problem_count = KB_ARRAY_LEN(audit_problems),
};

static void test_audit_table(void)
{
	const struct kb_audit a = { .lines = audit_lines,
				    .line_count = KB_ARRAY_LEN(audit_lines) };
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_audit_table_print(&out, &a, &audit_suite, KB_LOOK_PLAIN);
	check_str(out.data,
		  "problem  name     sound  findings\n"
		  "1/2      2_Fine   yes\n"
		  "1/19     19_ReLU  no     identity, removable\n"
		  "2/7      7_Deep   yes    removable\n"
		  "3/1      1_Bad    -      not audited: run_failed: a?b\n"
		  "3/2      -        -      not audited: exited\n"
		  "\n5 problems: 2 sound, 1 not sound, 2 not audited\n");
}

static void test_audit_table_of_nothing(void)
{
	const struct kb_audit a = KB_AUDIT_INIT;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_audit_table_print(&out, &a, &audit_suite, KB_LOOK_PLAIN);
	check_str(out.data, "problem  name  sound  findings\n\n"
		  "0 problems: 0 sound, 0 not sound, 0 not audited\n");
}

static void test_audit_table_counts_reduced_forms(void)
{
	const struct kb_audit a = { .lines = audit_lines, .line_count = 2 };
	kb_auto(json) struct kb_json *names = kb_json_object();
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	audit_lines[0].reduced = names;
	kb_audit_table_print(&out, &a, &audit_suite, KB_LOOK_PLAIN);
	audit_lines[0].reduced = NULL;
	check(strstr(out.data, "\n2 problems: 1 sound, 1 not sound, "
			       "0 not audited; 1 in reduced form\n"));
}

static void test_audit_evidence_is_a_line_for_each_finding(void)
{
	const struct kb_audit a = { .lines = audit_lines,
				    .line_count = KB_ARRAY_LEN(audit_lines) };
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_audit_table_print_evidence(&out, &a);
	check_str(out.data, "1/19 identity: output 0 is input 0\n"
		  "1/19 removable: relu\n"
		  "1/19 float64: not known: x?[2J\n"
		  "1/19 noise: not known: y\n"
		  "1/19 signs: not known: z\n"
		  "2/7 removable: tanh\n");
}

TAP_MAIN(TAP(test_audit_table), TAP(test_audit_table_of_nothing),
	 TAP(test_audit_table_counts_reduced_forms),
	 TAP(test_audit_evidence_is_a_line_for_each_finding));
