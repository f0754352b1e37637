#include "worker/limit.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "lib/tap.h"

#define MS KB_NS_PER_MS
#define S KB_NS_PER_S
#define BEGIN (1000 * S)

static void test_which_limit_is_over(void)
{
	static const struct {
		const char *what;
		int64_t quiet_ns, most_ns, after_ns, over_ns;
	} all[] = {
		{ "at once", 10 * S, 600 * S, 0, 0 },
		{ "just before", 10 * S, 600 * S, 10 * S - 1, 0 },
		{ "what is quiet", 10 * S, 600 * S, 10 * S, 10 * S },
		{ "both", 10 * S, 600 * S, 600 * S, 600 * S },
		{ "one alone", 0, 600 * S, 600 * S - 1, 0 },
		{ "which is over", 0, 600 * S, 600 * S, 600 * S },
		{ "no more than all", 700 * S, 600 * S, 600 * S, 600 * S },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(all); i++) {
		struct kb_limit l;

		kb_limit_begin(&l, BEGIN, all[i].quiet_ns, all[i].most_ns);
		if (kb_limit_over_ns(&l, BEGIN + all[i].after_ns) !=
		    all[i].over_ns)
			tap_fail("%s", all[i].what);
	}
}

static void test_it_is_time_to_look_each_tenth_of_a_second(void)
{
	struct kb_limit l;

	kb_limit_begin(&l, BEGIN, 10 * S, 600 * S);
	check(!kb_limit_wants_look(&l, BEGIN + 99 * MS));
	check(kb_limit_wants_look(&l, BEGIN + 100 * MS));
	kb_limit_note(&l, BEGIN + 100 * MS, false);
	check(!kb_limit_wants_look(&l, BEGIN + 199 * MS));
	kb_limit_begin(&l, BEGIN, 600 * S, 600 * S);
	check(!kb_limit_wants_look(&l, BEGIN + 300 * S));
}

/* What was seen at the end of each second; and for how long it may then be
 * quiet, from the beginning. */
static void test_time_in_which_a_compiler_was_seen_is_not_quiet(void)
{
	static const struct {
		const char *seen;
		int64_t quiet_until_s;
	} all[] = {
		{ "", 10 }, { "nn", 10 }, { "y", 11 }, { "yy", 12 },
		{ "yny", 12 }, { "ynny", 12 }, { "nnnnnnnnny", 11 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(all); i++) {
		int64_t granted_ns = 0, now_ns = BEGIN;
		struct kb_limit l;

		kb_limit_begin(&l, BEGIN, 10 * S, 600 * S);
		for (const char *p = all[i].seen; *p; p++) {
			now_ns += S;
			granted_ns += kb_limit_note(&l, now_ns, *p == 'y');
		}
		check_int(granted_ns, (all[i].quiet_until_s - 10) * S);
		check(!kb_limit_over_ns(&l, BEGIN + all[i].quiet_until_s * S -
						    1));
		check_int(kb_limit_over_ns(&l, BEGIN + all[i].quiet_until_s * S),
			  10 * S);
	}
}

/* It waits for a file for half a second. */
static void test_a_compiler_that_was_just_seen_is_at_work(void)
{
	struct kb_limit l;

	kb_limit_begin(&l, BEGIN, 10 * S, 600 * S);
	check_int(kb_limit_note(&l, BEGIN + 100 * MS, true), 100 * MS);
	check_int(kb_limit_note(&l, BEGIN + 600 * MS, false), 500 * MS);
	check_int(kb_limit_note(&l, BEGIN + 1100 * MS, false), 0);
}

static void test_a_compiler_has_no_more_than_all(void)
{
	struct kb_limit l;

	kb_limit_begin(&l, BEGIN, 10 * S, 20 * S);
	for (int i = 1; i <= 20; i++)
		kb_limit_note(&l, BEGIN + i * S, true);
	check_int(kb_limit_over_ns(&l, BEGIN + 20 * S - 1), 0);
	check_int(kb_limit_over_ns(&l, BEGIN + 20 * S), 20 * S);
}

TAP_MAIN(
	TAP(test_which_limit_is_over),
	TAP(test_it_is_time_to_look_each_tenth_of_a_second),
	TAP(test_time_in_which_a_compiler_was_seen_is_not_quiet),
	TAP(test_a_compiler_that_was_just_seen_is_at_work),
	TAP(test_a_compiler_has_no_more_than_all)
);
