#include "base/alloc.h"
#include "lib/tap.h"
#include "measure/spans.h"

static void test_no_bytes_are_in_every_set(void)
{
	struct kb_spans s = { .items = NULL };

	check(kb_spans_have(&s, 0, 0));
	check(kb_spans_have(&s, 7, 0));
	check(!kb_spans_have(&s, 0, 1));
	kb_spans_add(&s, 5, 0);
	check_int((intmax_t)s.count, 0);
	kb_spans_release(&s);
}

/* What is added to [10, 20) and [30, 40), and what that makes. */
static void test_spans_are_joined_where_they_touch(void)
{
	static const struct {
		uint64_t start, bytes;
		size_t count;
		struct kb_span first, last;
	} cases[] = {
		{ 0, 1, 3, { 0, 1 }, { 30, 40 } },
		{ 0, 9, 3, { 0, 9 }, { 30, 40 } },
		{ 0, 10, 2, { 0, 20 }, { 30, 40 } },
		{ 0, 100, 1, { 0, 100 }, { 0, 100 } },
		{ 10, 10, 2, { 10, 20 }, { 30, 40 } },
		{ 12, 2, 2, { 10, 20 }, { 30, 40 } },
		{ 15, 10, 2, { 10, 25 }, { 30, 40 } },
		{ 20, 5, 2, { 10, 25 }, { 30, 40 } },
		{ 21, 8, 3, { 10, 20 }, { 30, 40 } },
		{ 20, 10, 1, { 10, 40 }, { 10, 40 } },
		{ 15, 20, 1, { 10, 40 }, { 10, 40 } },
		{ 25, 6, 2, { 10, 20 }, { 25, 40 } },
		{ 40, 1, 2, { 10, 20 }, { 30, 41 } },
		{ 41, 1, 3, { 10, 20 }, { 41, 42 } },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_spans s = { .items = NULL };

		kb_spans_add(&s, 30, 10);
		kb_spans_add(&s, 10, 10);
		kb_spans_add(&s, cases[i].start, cases[i].bytes);
		check_int((intmax_t)s.count, (intmax_t)cases[i].count);
		check_int((intmax_t)s.items[0].start,
			  (intmax_t)cases[i].first.start);
		check_int((intmax_t)s.items[0].end,
			  (intmax_t)cases[i].first.end);
		check_int((intmax_t)s.items[s.count - 1].start,
			  (intmax_t)cases[i].last.start);
		check_int((intmax_t)s.items[s.count - 1].end,
			  (intmax_t)cases[i].last.end);
		check(kb_spans_have(&s, cases[i].start, cases[i].bytes));
		kb_spans_release(&s);
	}
}

/* Beside a map of single addresses, on random spans. */
static void test_a_set_has_what_was_added(void)
{
	enum { ADDRESSES = 64 };
	uint32_t random = 1;

	for (int round = 0; round < 2000; round++) {
		struct kb_spans s = { .items = NULL };
		bool in[2 * ADDRESSES] = { false };

		for (int i = 0; i < 8; i++) {
			uint64_t start, bytes;

			random = random * 1664525 + 1013904223;
			start = random >> 16 & (ADDRESSES - 1);
			bytes = random >> 24 & 15;
			kb_spans_add(&s, start, bytes);
			for (uint64_t k = 0; k < bytes; k++)
				in[start + k] = true;
		}
		for (uint64_t at = 0; at < ADDRESSES; at++)
			for (uint64_t n = 1; n < 20; n++) {
				bool all = true;

				for (uint64_t k = 0; k < n; k++)
					all = all && in[at + k];
				if (kb_spans_have(&s, at, n) != all)
					check_int((intmax_t)(at * 100 + n), -1);
			}
		for (size_t i = 1; i < s.count; i++)
			check(s.items[i - 1].end < s.items[i].start);
		kb_spans_release(&s);
	}
}

TAP_MAIN(TAP(test_no_bytes_are_in_every_set),
	 TAP(test_spans_are_joined_where_they_touch),
	 TAP(test_a_set_has_what_was_added));
