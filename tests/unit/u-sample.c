#include "score/sample.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "lib/tap.h"
#include "manifest/evaluation.h"
#include "manifest/timing.h"
#include "store/digest.h"

/* Candidates by the time of their reference, in ns; their own is 1000 ns. 0
 * is one that is not correct, -1 a correct one without a time. */
static void make(struct kb_evaluation *e, const int reference_ns[],
		 size_t count)
{
	*e = (struct kb_evaluation)KB_EVALUATION_INIT;
	e->result_count = count;
	e->results = kb_xcalloc(count + 1, sizeof(*e->results));
	for (size_t i = 0; i < count; i++) {
		struct kb_result *r = &e->results[i];

		*r = (struct kb_result)KB_RESULT_INIT;
		r->outcome.status = reference_ns[i] ? KB_STATUS_CORRECT
						    : KB_STATUS_MISMATCH;
		if (reference_ns[i] <= 0)
			continue;
		r->timing = kb_timing_new(KB_CLOCK_CALL, 0, 1);
		r->timing->time_ns = 1000;
		r->reference_timing = kb_timing_new(KB_CLOCK_CALL, 0, 1);
		r->reference_timing->time_ns = reference_ns[i];
	}
}

/* "1 4 of 5" */
static void draw(struct kb_buf *out, const int reference_ns[], size_t of,
		 size_t count, int64_t seed)
{
	struct kb_evaluation e;
	kb_auto(mem) size_t *places = NULL;
	size_t correct, drawn;

	make(&e, reference_ns, of);
	drawn = kb_sample_draw(&places, &correct, &e, KB_CLOCK_CALL, count,
			       seed);
	kb_buf_clear(out);
	for (size_t i = 0; i < drawn; i++)
		kb_buf_addf(out, "%zu ", places[i]);
	kb_buf_addf(out, "of %zu", correct);
	kb_evaluation_release(&e);
}

static const struct {
	int reference_ns[8];
	size_t of, count;
	const char *drawn;
} cases[] = {
	{ { 0 }, 0, 0, "of 0" },
	{ { 0 }, 0, 3, "of 0" },
	{ { 0, 0 }, 2, 1, "of 0" },
	{ { 5, 0, -1, 7 }, 4, 0, "0 2 3 of 3" },
	{ { 5, 0, -1, 7 }, 4, 3, "0 2 3 of 3" },
	{ { 5, 0, -1, 7 }, 4, 1000000, "0 2 3 of 3" },
	/* one is the fastest; the first of two as fast; with a time */
	{ { 1, 2, 9, 3, 4 }, 5, 1, "2 of 5" },
	{ { 1, 9, 9, 3, 4 }, 5, 1, "1 of 5" },
	{ { -1, 0, 1 }, 3, 1, "2 of 2" },
	{ { -1, -1, 0 }, 3, 1, "0 of 2" },
};

static void test_fastest_come_first(void)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		draw(&text, cases[i].reference_ns, cases[i].of,
		     cases[i].count, 0);
		check_str(text.data, cases[i].drawn);
	}
}

/* Half of them the fastest, rounded up; computed once apart from this. */
static void test_others_are_drawn_by_the_seed(void)
{
	static const int reference_ns[8] = { 1, 2, 3, 4, 80, 6, 90, 8 };
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	draw(&text, reference_ns, 8, 4, 0);
	check_str(text.data, "1 2 4 6 of 8");
	draw(&text, reference_ns, 8, 4, 2);
	check_str(text.data, "0 4 6 7 of 8");
	draw(&text, reference_ns, 8, 4, INT64_C(9007199254740991));
	check_str(text.data, "0 4 5 6 of 8");
}

static void test_every_slow_one_is_drawn_as_often(void)
{
	static const int reference_ns[8] = { 1, 1, 9, 1, 1, 1, 1, 1 };
	size_t often[8] = { 0 };
	struct kb_evaluation e;

	make(&e, reference_ns, 8);
	for (int64_t seed = 0; seed < 7000; seed++) {
		kb_auto(mem) size_t *places = NULL;
		size_t correct;

		check_int(kb_sample_draw(&places, &correct, &e, KB_CLOCK_CALL,
					 2, seed), 2);
		often[places[0]]++;
		often[places[1]]++;
	}
	for (size_t i = 0; i < 8; i++)		/* 1000 each, +- 5 sigma */
		check(i == 2 ? often[i] == 7000
			     : often[i] > 850 && often[i] < 1150);
	kb_evaluation_release(&e);
}

static void test_seed_is_the_first_52_bits_of_the_id(void)
{
	struct kb_digest id = { { 0 } };

	check_int(kb_sample_seed_of(&id), 0);
	memset(id.bytes, 0xff, sizeof(id.bytes));
	check_int(kb_sample_seed_of(&id), (INT64_C(1) << 52) - 1);
	for (int i = 0; i < 8; i++)
		id.bytes[i] = (uint8_t)(0x11 * i);
	check_int(kb_sample_seed_of(&id), INT64_C(0x0011223344556));
}

TAP_MAIN(TAP(test_fastest_come_first),
	 TAP(test_others_are_drawn_by_the_seed),
	 TAP(test_every_slow_one_is_drawn_as_often),
	 TAP(test_seed_is_the_first_52_bits_of_the_id));
