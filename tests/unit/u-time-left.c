/* How long a run goes on, and when nothing is to be said. */

#include "cli/time_left.h"

#include <stdbool.h>

#include "base/clock.h"
#include "lib/tap.h"

#define S KB_NS_PER_S

/* After `count` items of `each_s` seconds, and `wait_s` more. */
static int64_t left_after(const int each_s[], size_t count, int wait_s,
			  size_t left)
{
	struct kb_time_left t = KB_TIME_LEFT_INIT;
	int64_t now_ns = 1000 * S, guess_ns;

	kb_time_left_begin(&t, now_ns);
	for (size_t i = 0; i < count; i++) {
		now_ns += each_s[i] * S;
		kb_time_left_add(&t, now_ns);
	}
	guess_ns = kb_time_left_ns(&t, now_ns + wait_s * S, left);
	kb_time_left_release(&t);
	return guess_ns;
}

static void test_even_items_give_the_rest(void)
{
	static const int even[] = { 3, 3, 3, 3, 3, 3, 3, 3, 3, 3 };

	check_int(left_after(even, 10, 0, 20), 60 * S);
	check_int(left_after(even, 6, 0, 1), 3 * S);
	check_int(left_after(even, 6, 0, 0), 0);
}

static void test_few_items_give_nothing(void)
{
	static const int even[] = { 3, 3, 3, 3, 3 };

	check_int(left_after(even, 5, 0, 20), KB_TIME_LEFT_UNKNOWN);
	check_int(left_after(even, 0, 0, 20), KB_TIME_LEFT_UNKNOWN);
}

static void test_what_changes_gives_nothing(void)
{
	static const int slower[] = { 1, 1, 1, 1, 9, 9, 9, 9 };
	static const int faster[] = { 60, 60, 1, 1, 1, 1, 1, 1 };
	static const int even[] = { 3, 3, 3, 3, 3, 3, 3, 3 };

	check_int(left_after(slower, 8, 0, 20), KB_TIME_LEFT_UNKNOWN);
	check_int(left_after(faster, 8, 0, 20), KB_TIME_LEFT_UNKNOWN);
	/* One that hangs is noticed while it does. */
	check(left_after(even, 8, 3, 20) != KB_TIME_LEFT_UNKNOWN);
	check_int(left_after(even, 8, 600, 20), KB_TIME_LEFT_UNKNOWN);
}

static void test_guesses_are_printed_as_guesses(void)
{
	static const struct {
		int64_t s;
		const char *text;
	} cases[] = {
		{ 0, "0 s" }, { 9, "9 s" }, { 42, "40 s" }, { 89, "90 s" },
		{ 90, "2 min" }, { 290, "5 min" }, { 5399, "90 min" },
		{ 5400, "2 h" }, { 86400, "24 h" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char text[KB_TIME_LEFT_SIZE];

		kb_time_left_format(text, cases[i].s * S);
		check_str(text, cases[i].text);
	}
}

TAP_MAIN(TAP(test_even_items_give_the_rest),
	 TAP(test_few_items_give_nothing),
	 TAP(test_what_changes_gives_nothing),
	 TAP(test_guesses_are_printed_as_guesses));
