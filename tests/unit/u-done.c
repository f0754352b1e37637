#include "session/done.h"

#include "base/alloc.h"
#include "lib/tap.h"

static void test_what_was_added_is_there_once(void)
{
	static const struct {
		struct kb_key key;
		int sample_id;
		bool is_new;
	} rows[] = {
		{ { 1, 1 }, 0, true },
		{ { 1, 1 }, 0, false },
		{ { 1, 1 }, 1, true },
		{ { 1, 2 }, 0, true },
		{ { 2, 1 }, 0, true },
		{ { 1, 1 }, 1, false },
		{ { KB_LEVEL_MAX, KB_PROBLEM_ID_MAX }, KB_SAMPLE_ID_MAX, true },
		{ { KB_LEVEL_MAX, KB_PROBLEM_ID_MAX }, KB_SAMPLE_ID_MAX, false },
		{ { KB_LEVEL_MAX, KB_PROBLEM_ID_MAX }, 0, true },
		/* neighbours across the ends of their ranges */
		{ { 1, KB_PROBLEM_ID_MAX }, KB_SAMPLE_ID_MAX, true },
		{ { 2, 0 }, 0, true },
	};
	struct kb_done d = KB_DONE_INIT;
	size_t count = 0;

	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		check_int(kb_done_has(&d, rows[i].key, rows[i].sample_id),
			  !rows[i].is_new);
		check_int(kb_done_add(&d, rows[i].key, rows[i].sample_id),
			  rows[i].is_new);
		count += rows[i].is_new;
		check(kb_done_has(&d, rows[i].key, rows[i].sample_id));
	}
	check_int((intmax_t)d.count, (intmax_t)count);
	kb_done_release(&d);
	check(!kb_done_has(&d, rows[0].key, 0));
}

/* Beside a table with a flag for each. */
static void test_many_in_any_order(void)
{
	static bool there[4][50][40];
	struct kb_done d = KB_DONE_INIT;
	uint32_t x = 1;
	size_t count = 0;

	for (int i = 0; i < 20000; i++) {
		const struct kb_key key = { 1 + (int)(x >> 8) % 4,
					    1 + (int)(x >> 12) % 50 };
		const int sample = (int)(x >> 20) % 40;
		bool *flag = &there[key.level - 1][key.problem_id - 1][sample];

		check_int(kb_done_has(&d, key, sample), *flag);
		check_int(kb_done_add(&d, key, sample), !*flag);
		count += !*flag;
		*flag = true;
		x = x * 1664525 + 1013904223;
	}
	check_int((intmax_t)d.count, (intmax_t)count);
	kb_done_release(&d);
}

/* At most so full, whatever its size, and so never without an end. */
static void test_half_of_it_stays_free(void)
{
	struct kb_done d = KB_DONE_INIT;

	for (int i = 0; i < 5000; i++) {
		kb_done_add(&d, (struct kb_key){ 1, 1 }, i);
		check(2 * d.count <= d.slot_count);
	}
	kb_done_release(&d);
}

TAP_MAIN(
	TAP(test_what_was_added_is_there_once),
	TAP(test_many_in_any_order),
	TAP(test_half_of_it_stays_free)
);
