#include "verify/claimed_runs.h"

#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "lib/tap.h"
#include "verify/checks.h"
#include "verify/trials.h"

#define MARKS_MAX 3

/* Evaluations one after the other, with the marks of their runs, and whose runs each has;
 * 0: its own only. */
static const struct {
	const char *what;
	uint8_t id, marks[MARKS_MAX], want;
} evaluations[] = {
	{ "the first", 1, { 1, 2, 3 }, 0 },
	{ "no mark in common", 2, { 4, 5, 6 }, 0 },
	{ "the first once more", 1, { 1, 2, 3 }, 0 },
	{ "one mark in common", 3, { 7, 2, 8 }, 1 },
	{ "of two the first that is met", 4, { 9, 7, 1 }, 3 },
	{ "no runs", 5, { 0 }, 0 },
	{ "no runs either", 6, { 0 }, 0 },
};

static struct kb_digest digest(uint8_t id)
{
	struct kb_digest d;

	memset(d.bytes, id, sizeof(d.bytes));
	return d;
}

static void fill(struct kb_trial_lines *l, const uint8_t marks[MARKS_MAX])
{
	*l = (struct kb_trial_lines){ .kind = KB_KIND_EVALUATION };
	for (int i = 0; i < MARKS_MAX && marks[i]; i++)
		l->marks[l->mark_count++] = marks[i];
}

static void test_a_run_belongs_to_one_evaluation(void)
{
	kb_auto(claimed_runs) struct kb_claimed_runs c =
		KB_CLAIMED_RUNS_INIT;

	for (size_t i = 0; i < KB_ARRAY_LEN(evaluations); i++) {
		const struct kb_digest id = digest(evaluations[i].id),
				       want = digest(evaluations[i].want);
		const struct kb_digest *got;
		struct kb_trial_lines l;

		fill(&l, evaluations[i].marks);
		got = kb_claimed_runs_add(&c, &l, &id);
		check_int(got != NULL, evaluations[i].want != 0);
		if (got)
			check(kb_digest_equal(got, &want));
	}
}

static void test_common_runs_are_a_note(void)
{
	kb_auto(claimed_runs) struct kb_claimed_runs c =
		KB_CLAIMED_RUNS_INIT;
	kb_auto(checks) struct kb_checks checks = KB_CHECKS_INIT;
	struct kb_trial_lines l;

	fill(&l, evaluations[0].marks);
	for (uint8_t i = 0; i < 2; i++) {
		const struct kb_digest id = digest(i);

		kb_claimed_runs_check(&checks, &c, &l, &id);
		check_int(checks.count, i);
	}
	check_int(kb_checks_count(&checks, "seeds", KB_ANSWER_NOTE), 1);
}

TAP_MAIN(TAP(test_a_run_belongs_to_one_evaluation),
	 TAP(test_common_runs_are_a_note));
