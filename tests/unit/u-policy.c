#include "measure/policy.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "lib/tap.h"

#define MS INT64_C(1000000)

static struct kb_policy usual(void)
{
	struct kb_policy p = {
		.trials = 10,
		.alternate_trials = 3,
		.weights_seed = 42,
		.batch_min_ns = 4 * MS,
		.batch_calls_max = 96,
		.tensor_bytes_max = 1 << 20,
	};

	check_int(kb_tolerance_policy_find(&p.tolerance, "kernelbench", NULL),
		  0);
	return p;
}

static void test_batch_sizes(void)
{
	static const struct {
		int64_t call_ns;
		uint64_t slot_bytes;
		int64_t calls_max;
		uint32_t small, large;
	} cases[] = {
		/* two more calls of 2 ms are 4 ms */
		{ 2 * MS, 1024, 96, 1, 3 },
		{ 2 * MS - 1, 1024, 96, 2, 6 },
		{ 1 * MS, 1024, 96, 2, 6 },
		{ 1 * MS - 1, 1024, 96, 4, 12 },
		{ 100 * 1000, 1024, 96, 32, 96 },
		/* a call that is long enough by itself */
		{ 4 * MS - 1, 1024, 96, 1, 3 },
		{ 4 * MS, 1024, 96, 1, 2 },
		{ 1000 * MS, 1024, 96, 1, 2 },
		{ INT64_MAX, 1024, 96, 1, 2 },
		/* never long enough: as many as are allowed */
		{ 1, 1024, 96, 32, 96 },
		{ 0, 1024, 96, 32, 96 },
		{ -5, 1024, 96, 32, 96 },
		{ 1, 1024, 95, 16, 48 },
		{ 1, 1024, 97, 32, 96 },
		{ 1, 1024, 5, 1, 3 },
		{ 1, 1024, 3, 1, 3 },
		{ 1, 1024, 2, 1, 2 },
		{ 1, 1024, 1, 0, 1 },
		{ 1, 1024, 0, 0, 1 },
		/* memory for so many slots */
		{ 1, 0, 96, 32, 96 },
		{ 1, (1 << 20) / 96, 96, 32, 96 },
		{ 1, (1 << 20) / 95, 96, 16, 48 },
		{ 1, (1 << 20) / 3, 96, 1, 3 },
		{ 1, (1 << 20) / 2, 96, 1, 2 },
		{ 1, (1 << 20) / 2 + 1, 96, 0, 1 },
		{ 1, 1 << 20, 96, 0, 1 },
		{ 1, UINT64_MAX, 96, 0, 1 },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_policy p = usual();
		struct kb_batches n;

		p.batch_calls_max = cases[i].calls_max;
		n = kb_policy_batches(&p, cases[i].call_ns,
				      cases[i].slot_bytes);
		if (n.small != cases[i].small || n.large != cases[i].large)
			tap_fail("case %zu is %u and %u, want %u and %u", i,
				 n.small, n.large, cases[i].small,
				 cases[i].large);
	}
}

/* What policy.h promises, over a grid. */
static void test_batches_are_large_enough_or_as_large_as_allowed(void)
{
	static const int64_t calls_ns[] = {
		1, 10, 999, 5000, 41666, 123456, 999999, 3 * MS, 9 * MS,
	};
	struct kb_policy p = usual();

	for (size_t c = 0; c < KB_ARRAY_LEN(calls_ns); c++) {
		for (uint64_t fit = 1; fit <= 200; fit++) {
			struct kb_batches n = kb_policy_batches(
				&p, calls_ns[c], p.tensor_bytes_max / fit);
			uint64_t most = p.tensor_bytes_max /
					(p.tensor_bytes_max / fit);

			if (most > 96)
				most = 96;
			check(n.small < n.large);
			check(n.large <= most);
			check((n.small == 0) == (most < 2));
			check((n.large - n.small) * calls_ns[c] >= 4 * MS ||
			      2 * n.large > most);
		}
	}
}

static void test_record_is_flat_and_exact(void)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	kb_auto(json) struct kb_json *v = NULL;
	struct kb_policy p = usual();

	v = kb_policy_to_json(&p);
	kb_json_print(&text, v);
	check_str(text.data,
		  "{\"alternate_trials\":3,\"batch_calls_max\":96,"
		  "\"batch_min_ns\":4000000,\"clock\":\"call\","
		  "\"one_call_pairs\":11,\"one_call_pairs_max\":31,"
		  "\"tensor_bytes_max\":1048576,"
		  "\"tolerance\":\"kernelbench\",\"trials\":10,"
		  "\"weights_seed\":42}");
}

/* kb-verify asks a record for what its policy says. */
static void test_record_of_a_gpu_has_what_is_made_there(void)
{
	static const struct {
		const char *member;
		int64_t value;
	} members[] = {
		{ "one_call_pairs", 12 }, { "one_call_pairs_max", 48 },
		{ "alone_runs", 8 }, { "trials_max", 200 },
		{ "interval_ppm", 5000 }, { "budget_ns", 1000 * MS },
		{ "output_pool_bytes", 1 << 30 },
	};
	kb_auto(json) struct kb_json *v = NULL;
	struct kb_policy p = usual();

	p.trials_max = 200;
	p.interval_ppm = 5000;
	p.budget_ns = 1000 * MS;
	p.pool_bytes = 1 << 30;
	v = kb_policy_to_json(&p);
	for (size_t i = 0; i < KB_ARRAY_LEN(members); i++)
		check_int(kb_json_int_value(kb_json_find(v, members[i].member)),
			  members[i].value);
	check_str(kb_json_string_value(kb_json_find(v, "clock")),
		  "call, device");
}

static void test_record_has_a_rule_if_somebody_may_be_too_slow(void)
{
	kb_auto(json) struct kb_json *v = NULL;
	struct kb_policy p = usual();

	p.slow_factor = 7;
	p.slow_call_ns = 3 * MS;
	v = kb_policy_to_json(&p);
	check_int(kb_json_int_value(kb_json_find(v, "stopping_rule")), 2);
	check_int(kb_json_int_value(kb_json_find(v, "slow_factor")), 7);
	check_int(kb_json_int_value(kb_json_find(v, "slow_call_ns")), 3 * MS);
}

static void test_record_has_a_list_of_seeds_if_there_is_one(void)
{
	kb_auto(json) struct kb_json *v = NULL;
	struct kb_policy p = usual();

	p.seeds = (struct kb_seeds){ { 42, 123 }, 2 };
	v = kb_policy_to_json(&p);
	check_str(kb_json_string_value(kb_json_find(v, "seeds")), "42,123");
	check_int(kb_json_int_value(kb_json_find(v, "weights_seed")), 42);
}

static void test_what_is_quick_asks_for_less_of_times_alone(void)
{
	static const struct {
		int64_t trials, interval_ppm, pool_bytes;
		int64_t want_trials, want_interval_ppm;
		const char *want_clock;
	} rows[] = {
		{ 10, 0, 0, 7, 0, "call" },
		{ 3, 0, 0, 3, 0, "call" },
		{ 10, 5000, 1 << 30, 7, 20000, "device" },
		{ 2, 50000, 1 << 30, 2, 50000, "device" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		kb_auto(json) struct kb_json *v = NULL, *again = NULL;
		struct kb_policy asked = usual(), p = asked;

		asked.trials = rows[i].trials;
		asked.interval_ppm = rows[i].interval_ppm;
		asked.pool_bytes = p.pool_bytes = (uint64_t)rows[i].pool_bytes;
		kb_policy_quicken(&p, &asked, true);
		check(p.is_quick);
		v = kb_policy_to_json(&p);
		check_int(p.trials, rows[i].want_trials);
		check_int(p.interval_ppm, rows[i].want_interval_ppm);
		check_str(kb_json_text(v, "clock"), rows[i].want_clock);
		kb_policy_quicken(&p, &asked, false);
		kb_json_free(kb_steal(v));
		v = kb_policy_to_json(&p);
		again = kb_policy_to_json(&asked);
		check(!p.is_quick);
		check(kb_json_equal(v, again));
	}
}

TAP_MAIN(
	TAP(test_batch_sizes),
	TAP(test_batches_are_large_enough_or_as_large_as_allowed),
	TAP(test_record_is_flat_and_exact),
	TAP(test_record_of_a_gpu_has_what_is_made_there),
	TAP(test_record_has_a_rule_if_somebody_may_be_too_slow),
	TAP(test_record_has_a_list_of_seeds_if_there_is_one),
	TAP(test_what_is_quick_asks_for_less_of_times_alone),
);
