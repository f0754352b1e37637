#include "pages/board.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "lib/tap.h"
#include "manifest/metrics.h"
#include "pages/cost_chart.h"
#include "pages/heatmap.h"
#include "pages/remarks.h"
#include "pages/verdict.h"
#include "pages/view.h"

#define FAST_1 3
#define ENTRIES_MAX 4

static const struct {
	const char *what;
	size_t count;
	struct {
		int64_t certain, undecided;
		struct kb_rank want;
	} of[ENTRIES_MAX];
} boards[] = {
	{ "one alone is first", 1, { { 3, 2, { 1, 1 } } } },
	{ "apart, each has a rank", 3,
	  { { 9, 1, { 1, 1 } }, { 5, 2, { 2, 2 } }, { 0, 3, { 3, 3 } } } },
	{ "ends that meet decide nothing", 2,
	  { { 5, 2, { 1, 2 } }, { 3, 2, { 1, 2 } } } },
	{ "who overlaps shares ranks, who does not is ahead", 3,
	  { { 8, 0, { 1, 2 } }, { 6, 3, { 1, 2 } }, { 2, 3, { 3, 3 } } } },
	{ "in the middle of two that are apart", 3,
	  { { 8, 0, { 1, 2 } }, { 3, 6, { 1, 3 } }, { 2, 2, { 2, 3 } } } },
	{ "all the same", 4,
	  { { 4, 0, { 1, 4 } }, { 4, 0, { 1, 4 } }, { 4, 0, { 1, 4 } },
	    { 4, 0, { 1, 4 } } } },
};

static void test_what_is_undecided_shares_ranks(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(boards); i++) {
		struct kb_metrics m[ENTRIES_MAX];
		const struct kb_metrics *of[ENTRIES_MAX];
		struct kb_rank ranks[ENTRIES_MAX];

		for (size_t j = 0; j < boards[i].count; j++) {
			m[j] = (struct kb_metrics)KB_METRICS_INIT;
			m[j].has_certainty = true;
			m[j].certainty.certain[FAST_1] = boards[i].of[j].certain;
			m[j].certainty.undecided[FAST_1] =
				boards[i].of[j].undecided;
			of[j] = &m[j];
		}
		kb_board_rank(ranks, of, boards[i].count);
		for (size_t j = 0; j < boards[i].count; j++) {
			check_int(ranks[j].first, boards[i].of[j].want.first);
			check_int(ranks[j].last, boards[i].of[j].want.last);
		}
	}
}

static void test_without_intervals_counts_decide(void)
{
	struct kb_metrics m[2] = { KB_METRICS_INIT, KB_METRICS_INIT };
	const struct kb_metrics *of[] = { &m[0], &m[1] };
	struct kb_rank ranks[2];

	m[0].fast[FAST_1] = 1;
	m[1].fast[FAST_1] = 2;
	kb_board_rank(ranks, of, 2);
	check_int(ranks[0].first, 2);
	check_int(ranks[1].last, 1);
}

static const struct {
	int64_t micro;
	int shade;
} shades[] = {
	{ 1, 0 }, { 250000, 0 }, { 250001, 1 }, { 500000, 1 }, { 707107, 2 },
	{ 1000000, 3 }, { 1000001, 4 }, { 1414214, 4 }, { 2000000, 5 },
	{ 4000000, 6 }, { 4000001, 7 }, { INT64_MAX, 7 },
};

static void test_shades_are_powers_of_two_apart(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(shades); i++)
		check_int(kb_heat_shade(shades[i].micro), shades[i].shade);
}

#define ROW { .status = KB_STATUS_CORRECT, .candidate_ns = 1000,	\
	      .noise_micro = 1000000, .drift_micro = 1000000,		\
	      .stated_ns = KB_UNKNOWN, .has_speedup = true,		\
	      .speedup = { 2000000, 1900000, 2100000 } }

static const struct {
	struct kb_view_row row;
	const char *words;
	size_t count;
} remarks[] = {
	{ ROW, "", 0 },
	{ { .status = KB_STATUS_MISSING, .candidate_ns = KB_UNKNOWN,
	    .noise_micro = KB_UNKNOWN, .drift_micro = KB_UNKNOWN,
	    .stated_ns = KB_UNKNOWN }, "", 0 },
	{ { .status = KB_STATUS_CORRECT, .candidate_ns = 1000,
	    .noise_micro = 1050000, .drift_micro = 950000,
	    .stated_ns = 1000, .has_speedup = true,
	    .speedup = { 10000000, 9000000, 11000000 } }, "", 0 },
	{ { .status = KB_STATUS_CORRECT, .candidate_ns = 999,
	    .noise_micro = 1050001, .drift_micro = 949999,
	    .stated_ns = 1000, .has_speedup = true,
	    .speedup = { 10000001, 5000000, 11000000 } },
	  "10.000x the baseline; the problem as it is stated takes 1.000 us "
	  "at the device's peaks; drift 0.950x; noise 1.050x; wide interval",
	  5 },
	{ { .status = KB_STATUS_CORRECT, .candidate_ns = 1000,
	    .noise_micro = KB_UNKNOWN, .drift_micro = KB_UNKNOWN,
	    .stated_ns = KB_UNKNOWN, .has_speedup = true,
	    .speedup = { 1000000, 0, INT64_MAX } }, "no interval", 1 },
	{ { .status = KB_STATUS_GUARD_DAMAGED, .candidate_ns = KB_UNKNOWN,
	    .noise_micro = KB_UNKNOWN, .drift_micro = KB_UNKNOWN,
	    .stated_ns = KB_UNKNOWN }, "guard_damaged", 1 },
};

static void test_remarks_begin_beyond_their_limits(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(remarks); i++) {
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

		check_int(kb_remarks_print(&out, &remarks[i].row),
			  remarks[i].count);
		check_str(out.data, remarks[i].words);
	}
}

static void test_a_verdict_in_brief_names_the_worst_layers(void)
{
	kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	for (int i = 0; i < KB_LAYER_SIGNATURE; i++)
		kb_checks_add(&c, (enum kb_layer)i, "x", KB_ANSWER_NOTE, "n");
	kb_verdict_brief_print(&out, &c);
	check_str(out.data, "holds");
	/* Of a layer that was checked in part no more is said than in kb-verify's
	 * summary. */
	kb_checks_add(&c, KB_LAYER_CHAIN, "suite", KB_ANSWER_NOT_CHECKED, "a");
	kb_buf_clear(&out);
	kb_verdict_brief_print(&out, &c);
	check_str(out.data, "holds");
	kb_checks_add(&c, KB_LAYER_BYTES, "bag", KB_ANSWER_NO, "b");
	kb_checks_add(&c, KB_LAYER_PLAUSIBILITY, "floor", KB_ANSWER_NO, "c");
	kb_buf_clear(&out);
	kb_verdict_brief_print(&out, &c);
	check_str(out.data, "no: bytes, plausibility");
	kb_checks_add(&c, KB_LAYER_SIGNATURE, "signature", KB_ANSWER_NO, "d");
	kb_buf_clear(&out);
	kb_verdict_brief_print(&out, &c);
	check_str(out.data, "no: bytes, plausibility, signature");
	kb_checks_release(&c);
	kb_checks_add(&c, KB_LAYER_BYTES, "bag", KB_ANSWER_OK, "e");
	kb_buf_clear(&out);
	kb_verdict_brief_print(&out, &c);
	check_str(out.data, "not checked: chain, arithmetic, plausibility");
}

static const struct {
	const char *what;
	size_t count;
	struct {
		int64_t tokens, fast_1, problems;
		bool is_best;
	} of[ENTRIES_MAX];
} costs[] = {
	{ "one alone", 1, { { 10, 0, 4, true } } },
	{ "more for more", 3,
	  { { 10, 1, 4, true }, { 20, 2, 4, true }, { 30, 4, 4, true } } },
	{ "less for more", 2, { { 10, 2, 4, true }, { 20, 1, 4, false } } },
	{ "as much for more", 2, { { 10, 2, 4, true }, { 20, 2, 4, false } } },
	{ "more for as much", 2, { { 10, 2, 4, false }, { 10, 3, 4, true } } },
	{ "the same", 2, { { 10, 2, 4, true }, { 10, 2, 4, true } } },
	{ "shares, not counts", 2,
	  { { 10, 2, 2, true }, { 20, 3, 4, false } } },
};

static void test_the_frontier_is_what_nothing_beats(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(costs); i++) {
		struct kb_cost_point points[ENTRIES_MAX];

		for (size_t j = 0; j < costs[i].count; j++)
			points[j] = (struct kb_cost_point){
				.output_tokens = costs[i].of[j].tokens,
				.fast_1 = costs[i].of[j].fast_1,
				.problems = costs[i].of[j].problems,
			};
		for (size_t j = 0; j < costs[i].count; j++)
			check_int(kb_cost_is_best(points, costs[i].count, j),
				  costs[i].of[j].is_best);
	}
}

TAP_MAIN(TAP(test_what_is_undecided_shares_ranks),
	 TAP(test_without_intervals_counts_decide),
	 TAP(test_the_frontier_is_what_nothing_beats),
	 TAP(test_shades_are_powers_of_two_apart),
	 TAP(test_remarks_begin_beyond_their_limits),
	 TAP(test_a_verdict_in_brief_names_the_worst_layers));
