#include "measure/alternate.h"

#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "lib/tap.h"
#include "worker/protocol.h"
#include "worker/worker.h"

/* How many rounds on alternate inputs come before the last counted one. */
static uint32_t alternate_among(const struct kb_alternate_rounds *r)
{
	uint32_t alternate = 0, round = 0;

	for (uint32_t counted = 0; counted < r->counted; round++) {
		if (kb_alternate_rounds_has(r, round))
			alternate++;
		else
			counted++;
	}
	return alternate;
}

static void test_without_alternate_trials_no_round_is_one(void)
{
	struct kb_alternate_rounds r;

	check_int(kb_alternate_rounds_draw(&r, 10, 0, NULL), 0);
	for (uint32_t i = 0; i < 1000; i++)
		check(!kb_alternate_rounds_has(&r, i));
}

static void test_there_are_never_too_few(void)
{
	static const struct {
		uint32_t counted, least;
	} cases[] = { { 1, 1 }, { 1, 3 }, { 10, 3 }, { 10, 1 }, { 3, 100 } };

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		for (int k = 0; k < 50; k++) {
			struct kb_alternate_rounds r;

			check_int(kb_alternate_rounds_draw(&r, cases[i].counted,
							   cases[i].least, NULL),
				  0);
			if (alternate_among(&r) < cases[i].least)
				tap_fail("case %zu has too few", i);
		}
	}
}

/* Of 100000 rounds with probability 3/13 the share is within 6 standard
 * deviations, 0.8 %, of that; and after three in a row it is the same. */
static void test_every_round_may_be_on_it(void)
{
	uint32_t alternate = 0, after_three = 0, of_those = 0;
	struct kb_alternate_rounds r;

	check_int(kb_alternate_rounds_draw(&r, 10, 3, NULL), 0);
	for (uint32_t i = 3; i < 100000; i++) {
		const bool has = kb_alternate_rounds_has(&r, i);

		alternate += has;
		if (!kb_alternate_rounds_has(&r, i - 1) ||
		    !kb_alternate_rounds_has(&r, i - 2) ||
		    !kb_alternate_rounds_has(&r, i - 3))
			continue;
		after_three++;
		of_those += has;
	}
	check(alternate > 22200 && alternate < 24000);
	check(after_three > 800 && of_those * 100 > after_three * 14 &&
	      of_those * 100 < after_three * 33);
}

static void test_seeds_differ(void)
{
	struct kb_alternate_rounds a, b;

	check_int(kb_alternate_rounds_draw(&a, 10, 3, NULL), 0);
	check_int(kb_alternate_rounds_draw(&b, 10, 3, NULL), 0);
	check(memcmp(a.seed, b.seed, sizeof(a.seed)) != 0);
}

static void test_arguments_number_the_inputs(void)
{
	struct kb_remedy items[] = {
		{ NULL, 2, (char *)"4", (char *)"-2" },
		{ NULL, 0, (char *)"1e2", (char *)"0.5" },
	};
	struct kb_remedies remedies = KB_REMEDIES_INIT;
	kb_auto(mem) char *both = NULL, *one = NULL;

	check(!kb_alternate_argument(&remedies, 1e30));
	remedies.items = items;
	remedies.count = 1;
	one = kb_alternate_argument(&remedies, 1e30);
	check_str(one, "2:4:-2");
	remedies.count = 2;
	both = kb_alternate_argument(&remedies, 1e30);
	check_str(both, "2:4:-2,0:1e2:0.5");
}

static void test_what_the_type_cannot_hold_is_no_change(void)
{
	static const struct {
		const char *scale, *shift;
		bool fits;
	} cases[] = {
		{ "65504", "0", true }, { "65505", "0", false },
		{ "-65504", "-65504", true }, { "-65505", "0", false },
		{ "4", "-65505", false }, { "0.5", "1e400", false },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_remedy r = { NULL, 0, (char *)cases[i].scale,
				       (char *)cases[i].shift };
		const struct kb_remedies remedies = { &r, 1 };
		kb_auto(mem) char *text =
			kb_alternate_argument(&remedies, 65504);

		if ((text != NULL) != cases[i].fits)
			tap_fail("case %zu is %s", i, text ? text : "none");
	}
}

static void test_blame_comes_before_what_was_said(void)
{
	static const struct kb_output_error errors[] = {
		{ .elements = 8, .mismatched = 3, .max_abs_error = 1.5 },
	};
	static const struct kb_plan plan = { .output_count = 1 };
	struct kb_fault fault = { .detail = "" };

	kb_alternate_blame(&fault, &plan, NULL);
	check_str(fault.detail, "on alternate inputs");
	kb_fault_set(&fault, KB_SIDE_CANDIDATE, KB_STATUS_MISMATCH, KB_PHASE_RUN, "too far off");
	kb_alternate_blame(&fault, &plan, errors);
	check_str(fault.detail,
		  "on alternate inputs: too far off; output 0: 3 of 8 elements, "
		  "by up to 1.50e+00");
	check_int(fault.status, KB_STATUS_MISMATCH);
}

TAP_MAIN(
	TAP(test_without_alternate_trials_no_round_is_one),
	TAP(test_there_are_never_too_few),
	TAP(test_every_round_may_be_on_it),
	TAP(test_seeds_differ),
	TAP(test_arguments_number_the_inputs),
	TAP(test_what_the_type_cannot_hold_is_no_change),
	TAP(test_blame_comes_before_what_was_said),
);
