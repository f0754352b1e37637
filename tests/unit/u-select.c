#include "manifest/select.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "lib/tap.h"
#include "manifest/problem_audit.h"

static char suite_name[] = "s";

static struct kb_problem problems[] = {
	{ .key = { 1, 2 } }, { .key = { 1, 10 } }, { .key = { 2, 2 } },
	{ .key = { 4, 1 } },
};

static const struct kb_suite suite = {
	.name = suite_name,
	.problems = problems,
	.problem_count = KB_ARRAY_LEN(problems),
};

/* "1/2 1/10", or what is wrong. */
static void select_text(struct kb_buf *out, const struct kb_suite *from,
			const char *problem_list, const char *level_list,
			int *ret)
{
	kb_auto(mem) struct kb_key *keys = NULL;
	struct kb_err err = KB_ERR_INIT;
	size_t count = 0;

	*ret = kb_select(&keys, &count, from, problem_list, level_list, &err);
	if (*ret < 0) {
		check(!keys);
		kb_buf_addstr(out, err.msg);
		return;
	}
	check_str(err.msg, "");
	for (size_t i = 0; i < count; i++) {
		char key[KB_KEY_SIZE];

		kb_key_format(key, keys[i]);
		kb_buf_addf(out, "%s%s", i ? " " : "", key);
	}
}

static const struct {
	const char *problems, *levels;
	int ret;
	const char *want;
} cases[] = {
	{ NULL, NULL, 0, "1/2 1/10 2/2 4/1" },
	{ "1/2", NULL, 0, "1/2" },
	{ "4/1,1/10", NULL, 0, "1/10 4/1" },
	{ "1/2,1/2", NULL, 0, "1/2" },
	{ NULL, "1", 0, "1/2 1/10" },
	{ NULL, "4,2", 0, "2/2 4/1" },
	{ NULL, "1,1", 0, "1/2 1/10" },
	{ "1/2,2/2", "2,4", 0, "2/2" },

	{ "1/2", "2", -KB_ERR_INPUT, "no problem of suite 's' is selected" },
	{ "1/3", NULL, -KB_ERR_INPUT, "suite 's' has no problem '1/3'" },
	{ "1/2,3/1", NULL, -KB_ERR_INPUT, "suite 's' has no problem '3/1'" },
	{ NULL, "3", -KB_ERR_INPUT, "suite 's' has no level 3" },
	{ NULL, "1,5", -KB_ERR_INPUT, "suite 's' has no level 5" },

	{ "", NULL, -KB_ERR_USAGE,
	  "option '--problems': problem '' is not of the form '1/19'" },
	{ "1/2,", NULL, -KB_ERR_USAGE,
	  "option '--problems': problem '' is not of the form '1/19'" },
	{ ",1/2", NULL, -KB_ERR_USAGE,
	  "option '--problems': problem '' is not of the form '1/19'" },
	{ "1/2,,2/2", NULL, -KB_ERR_USAGE,
	  "option '--problems': problem '' is not of the form '1/19'" },
	{ "1/2 ,2/2", NULL, -KB_ERR_USAGE,
	  "option '--problems': problem '1/2 ' is not of the form '1/19'" },
	{ "1", NULL, -KB_ERR_USAGE,
	  "option '--problems': problem '1' is not of the form '1/19'" },
	{ "1/02", NULL, -KB_ERR_USAGE,
	  "option '--problems': problem '1/02' is not of the form '1/19'" },
	{ NULL, "", -KB_ERR_USAGE, "'' is not a level" },
	{ NULL, "1,", -KB_ERR_USAGE, "'' is not a level" },
	{ NULL, "0", -KB_ERR_USAGE, "'0' is not a level" },
	{ NULL, "01", -KB_ERR_USAGE, "'01' is not a level" },
	{ NULL, "-1", -KB_ERR_USAGE, "'-1' is not a level" },
	{ NULL, "1/2", -KB_ERR_USAGE, "'1/2' is not a level" },
	{ NULL, "1-4", -KB_ERR_USAGE, "'1-4' is not a level" },
	{ NULL, "99999999999999999999", -KB_ERR_USAGE,
	  "'99999999999999999999' is not a level" },
};

static void test_lists_select(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(buf) struct kb_buf got = KB_BUF_INIT;
		int ret;

		select_text(&got, &suite, cases[i].problems, cases[i].levels,
			    &ret);
		check_int(ret, cases[i].ret);
		check_str(got.data, cases[i].want);
	}
}

/* --- sound ---------------------------------------------------------------- */

static char evidence[] = "all of them";

static struct kb_problem_audit
	fine = { .findings = KB_FINDINGS_INIT },
	loose = { .findings.evidence[KB_FINDING_TOLERANCE_LOOSE] = evidence },
	zeros = { .findings.evidence[KB_FINDING_ZEROS_PASS] = evidence };

static struct kb_problem_facts
	of_fine = { .audit = &fine }, of_loose = { .audit = &loose },
	of_zeros = { .audit = &zeros }, of_nobody = { .audit = NULL };

static struct kb_problem audited[] = {
	{ .key = { 1, 1 }, .facts = &of_fine },
	{ .key = { 1, 2 }, .facts = &of_zeros },
	{ .key = { 1, 3 } },
	{ .key = { 2, 1 }, .facts = &of_nobody },
	{ .key = { 2, 2 }, .facts = &of_loose },
	{ .key = { 3, 1 }, .facts = &of_zeros },
};

static const struct {
	size_t first, count;		/* of the suite above */
	const char *problems, *levels;
	int ret;
	const char *want;
} of_audits[] = {
	{ 0, 0, "sound", NULL, -KB_ERR_INPUT,
	  "suite 's' has no audit that says which problems are sound" },
	{ 0, 1, "sound", NULL, 0, "1/1" },
	{ 0, 6, "sound", NULL, 0, "1/1 2/2" },
	{ 0, 6, "sound", "2,3", 0, "2/2" },
	{ 0, 6, "sound", "3", -KB_ERR_INPUT,
	  "no problem of suite 's' is selected" },
	{ 1, 3, "sound", NULL, -KB_ERR_INPUT,
	  "no problem of suite 's' is selected" },
	{ 2, 2, "sound", NULL, -KB_ERR_INPUT,
	  "suite 's' has no audit that says which problems are sound" },
	{ 0, 6, "sound,1/1", NULL, -KB_ERR_USAGE,
	  "option '--problems': problem 'sound' is not of the form '1/19'" },
	{ 0, 6, "Sound", NULL, -KB_ERR_USAGE,
	  "option '--problems': problem 'Sound' is not of the form '1/19'" },
};

static void test_sound_is_what_the_audit_of_the_suite_says(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(of_audits); i++) {
		const struct kb_suite part = {
			.name = suite_name,
			.problems = audited + of_audits[i].first,
			.problem_count = of_audits[i].count,
		};
		kb_auto(buf) struct kb_buf got = KB_BUF_INIT;
		int ret;

		select_text(&got, &part, of_audits[i].problems,
			    of_audits[i].levels, &ret);
		check_int(ret, of_audits[i].ret);
		check_str(got.data, of_audits[i].want);
	}
}

TAP_MAIN(
	TAP(test_lists_select),
	TAP(test_sound_is_what_the_audit_of_the_suite_says),
);
