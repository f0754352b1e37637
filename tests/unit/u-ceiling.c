#include "verify/ceiling.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "lib/tap.h"
#include "manifest/conditions.h"
#include "manifest/problem_facts.h"
#include "manifest/record.h"
#include "verify/peaks.h"

/* Of boards whose sheet's rate is at their boost clock: how many SMs and MHz
 * that is. */
static const struct {
	const char *name;
	int64_t multiprocessors, boost_mhz;
} boards[] = {
	{ "Tesla V100-SXM2-16GB", 80, 1530 },
	{ "Tesla T4", 40, 1590 },
	{ "NVIDIA A10", 72, 1695 },
	{ "NVIDIA L4", 58, 2040 },
	{ "NVIDIA L40S", 142, 2520 },
	{ "NVIDIA A100-SXM4-80GB", 108, 1410 },
	{ "NVIDIA H100 80GB HBM3", 132, 1830 },
	{ "NVIDIA H200", 132, 1830 },
};

static void test_cycles_and_boost_clock_give_the_sheets_rate(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(boards); i++) {
		const struct kb_ceiling c = {
			.peak = kb_peak_find(boards[i].name),
			.multiprocessors = boards[i].multiprocessors,
		};
		const int64_t at_boost =
			kb_ceiling_gop_per_s(&c, boards[i].boost_mhz);
		const int64_t sheet = kb_ceiling_gop_per_s(&c, KB_UNKNOWN);

		/* Sheets are rounded to three digits. */
		if (at_boost < sheet * 995 / 1000 ||
		    at_boost > sheet * 1005 / 1000)
			tap_fail("'%s': %" PRId64 " and %" PRId64,
				 boards[i].name, at_boost, sheet);
	}
}

/* With 10 SMs at 100 MHz 1000 operations a nanosecond; 1050 bytes, of which two
 * MiB are free. */
static const struct kb_peak peak = { "a peak", 1000000, 1000, 1000, 1 };
static const struct kb_ceiling ceiling = { &peak, KB_FP32, 10, 256 };

#define BYTES(ns) ((INT64_C(2) << 20) + 1050 * INT64_C(ns))

static const struct {
	const char *what;
	int64_t flops, bytes_min, mhz;
	int64_t bound_ns, bound_mhz;
} bounds[] = {
	{ "nothing is no bound", 0, 0, 100, KB_UNKNOWN, KB_UNKNOWN },
	{ "arithmetic at its clock", 5000, 0, 100, 5, 100 },
	{ "at half of it twice as long", 5000, 0, 50, 10, 50 },
	{ "rounded down", 5999, 0, 100, 5, 100 },
	{ "memory has a clock of its own", 0, BYTES(7), 100, 7, 100 },
	{ "and takes as long at half the SMs'", 0, BYTES(7), 50, 7, 50 },
	{ "the longer one is the bound", 5000, BYTES(7), 100, 7, 100 },
	{ "which the clock decides", 5000, BYTES(7), 50, 10, 50 },
	/* 1125 operations a nanosecond: what a sheet's rate is granted. */
	{ "without a clock it is the sheet's", 11250, 0, KB_UNKNOWN, 10,
	  KB_UNKNOWN },
	{ "a clock of 0 is none", 11250, 0, 0, 10, KB_UNKNOWN },
	{ "as much as a record can hold", KB_JSON_INT_MAX, 0, 1,
	  KB_JSON_INT_MAX / 10, 1 },
};

static void test_bounds_follow_the_clock(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(bounds); i++) {
		const struct kb_problem_facts facts = {
			.flops = bounds[i].flops,
			.bytes_min = { [KB_FP32] = bounds[i].bytes_min },
		};
		const struct kb_clocked_bound b =
			kb_ceiling_bound(&ceiling, &facts, bounds[i].mhz);

		if (b.bound_ns != bounds[i].bound_ns ||
		    b.sm_clock_mhz != bounds[i].bound_mhz)
			tap_fail("%s: %" PRId64 " at %" PRId64, bounds[i].what,
				 b.bound_ns, b.sm_clock_mhz);
	}
}

static void test_what_is_not_known_bounds_nothing(void)
{
	const struct kb_problem_facts facts = { .flops = 11250 };
	struct kb_ceiling c = ceiling;

	check_int(kb_ceiling_bound(&c, NULL, 100).bound_ns, KB_UNKNOWN);
	c.precision = KB_PRECISION_COUNT;
	check_int(kb_ceiling_bound(&c, &facts, 100).bound_ns, KB_UNKNOWN);
	c = ceiling;
	c.multiprocessors = KB_UNKNOWN;
	check_int(kb_ceiling_bound(&c, &facts, 100).bound_ns, 10);
	check_int(kb_ceiling_bound(&c, &facts, 100).sm_clock_mhz, KB_UNKNOWN);
	check_int(kb_ceiling_fp32_gop_per_s(&c, 100), KB_UNKNOWN);
	c.peak = NULL;
	check_int(kb_ceiling_bound(&c, &facts, 100).bound_ns, KB_UNKNOWN);
	check_int(kb_ceiling_gop_per_s(&c, 100), KB_UNKNOWN);
}

static const struct {
	const char *environment;
	bool has_peak;
	int64_t multiprocessors, fp32_gop_per_s;	/* at 1000 MHz */
} machines[] = {
	{ "{\"gpu\":{\"name\":\"NVIDIA H200\",\"multiprocessors\":132,"
	  "\"compute_capability\":\"9.0\"}}", true, 132, 33792 },
	{ "{\"gpu\":{\"name\":\"NVIDIA A100-SXM4-80GB\","
	  "\"multiprocessors\":108,\"compute_capability\":\"8.0\"}}", true, 108,
	  13824 },
	{ "{\"gpu\":{\"name\":\"NVIDIA H200\",\"multiprocessors\":\"132\","
	  "\"compute_capability\":\"9.0\"}}", true, KB_UNKNOWN, KB_UNKNOWN },
	{ "{\"gpu\":{\"name\":\"another\",\"multiprocessors\":0,"
	  "\"compute_capability\":9}}", false, KB_UNKNOWN, KB_UNKNOWN },
	{ "{\"device\":{\"kind\":\"cpu\"}}", false, KB_UNKNOWN, KB_UNKNOWN },
};

static void test_a_record_says_which_device_it_is(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(machines); i++) {
		kb_auto(json) struct kb_json *environment = NULL;
		kb_auto(json) struct kb_json *policy = kb_json_object();
		struct kb_conditions k = { .policy = policy };
		struct kb_ceiling c;

		check_int(kb_json_parse(&environment, machines[i].environment,
					strlen(machines[i].environment),
					KB_JSON_OURS, "it", NULL), 0);
		k.environment = environment;
		kb_ceiling_of(&c, &k);
		check(!c.peak == !machines[i].has_peak);
		check_int(c.precision, KB_PRECISION_COUNT);
		check_int(c.multiprocessors, machines[i].multiprocessors);
		check_int(kb_ceiling_fp32_gop_per_s(&c, 1000),
			  machines[i].fp32_gop_per_s);
		kb_json_set(policy, "precision", kb_json_string("bf16"));
		kb_ceiling_of(&c, &k);
		check_int(c.precision, KB_BF16);
	}
}

static const struct {
	int64_t bound_ns, time_ns, baseline_ns;
	int64_t share_micro, sol_micro;
} shares[] = {
	{ KB_UNKNOWN, 100, 200, KB_UNKNOWN, KB_UNKNOWN },
	{ 50, KB_UNKNOWN, 200, KB_UNKNOWN, KB_UNKNOWN },
	{ 50, 100, KB_UNKNOWN, 500000, KB_UNKNOWN },
	{ 50, 200, 200, 250000, 500000 },	/* as fast as the baseline */
	{ 50, 50, 200, 1000000, 1000000 },	/* at the bound */
	{ 50, 100, 200, 500000, 750000 },
	{ 50, 40, 200, 1250000, 1000000 },	/* below it */
	{ 50, 100, 50, 500000, 0 },	/* the baseline is there already */
	{ 50, 50, 50, 1000000, 1000000 },
};

static void test_shares_of_the_bound(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(shares); i++) {
		check_int(kb_share_of_bound_micro(shares[i].bound_ns,
						  shares[i].time_ns),
			  shares[i].share_micro);
		check_int(kb_sol_score_micro(shares[i].bound_ns,
					     shares[i].time_ns,
					     shares[i].baseline_ns),
			  shares[i].sol_micro);
	}
}

TAP_MAIN(TAP(test_cycles_and_boost_clock_give_the_sheets_rate),
	 TAP(test_bounds_follow_the_clock),
	 TAP(test_what_is_not_known_bounds_nothing),
	 TAP(test_a_record_says_which_device_it_is),
	 TAP(test_shares_of_the_bound));
