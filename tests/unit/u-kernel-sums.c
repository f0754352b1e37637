#include "runtime/lib/kernel_sums.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "lib/tap.h"

/* All counters of a launch that took so long: sums are `sum`, shares `pct`. */
static void add(struct kbrt_kernel_sums *s, const char *name, double time_ns,
		double sum, double pct)
{
	double values[KB_KERNEL_COUNTER_COUNT];

	for (int c = 0; c < KB_KERNEL_COUNTER_COUNT; c++)
		values[c] = kb_kernel_counter_is_share(c) ? pct : sum;
	values[KB_KERNEL_TIME] = time_ns;
	kbrt_kernel_sums_add(s, name, values);
}

static void test_counters_have_names_of_their_own(void)
{
	static const enum kb_kernel_counter shares[] = {
		KB_KERNEL_DRAM, KB_KERNEL_TENSOR, KB_KERNEL_OCCUPANCY,
	};
	int share_count = 0;

	for (int i = 0; i < KB_KERNEL_COUNTER_COUNT; i++) {
		share_count += kb_kernel_counter_is_share(i);
		for (int k = 0; k < i; k++) {
			check(strcmp(kb_kernel_counter_name(i),
				     kb_kernel_counter_name(k)));
			check(strcmp(kb_kernel_counter_metric(i),
				     kb_kernel_counter_metric(k)));
		}
	}
	check_int(share_count, KB_ARRAY_LEN(shares));
	for (size_t i = 0; i < KB_ARRAY_LEN(shares); i++)
		check(kb_kernel_counter_is_share(shares[i]));
	check_str(kb_kernel_counter_name(KB_KERNEL_TIME), "time_ns");
}

/* What has a number and what has none, side by side. */
static void test_launches_are_summed_up_by_name(void)
{
	kb_auto(mem) struct kbrt_kernel_sums *s = kb_xcalloc(1, sizeof(*s));
	const struct kb_kernel_entry *e = s->report.kernels;

	add(s, "a", 100, 10, 20);
	add(s, "b", 7, NAN, 1);
	add(s, "a", 300, 5, 60.5);
	kbrt_kernel_sums_end(s);
	check_int(s->report.kernel_count, 2);
	check_str(e[0].name, "a");
	check_int(e[0].launch_count, 2);
	check_int(e[0].counters[KB_KERNEL_TIME], 400);
	check_int(e[0].counters[KB_KERNEL_L2], 15);
	/* (20 * 100 + 60.5 * 300) / 400 percent */
	check_int(e[0].counters[KB_KERNEL_DRAM], 503750);
	check_str(e[1].name, "b");
	check_int(e[1].launch_count, 1);
	check(e[1].counters[KB_KERNEL_L2] == KB_NOT_COUNTED);
	check_int(e[1].counters[KB_KERNEL_DRAM], 10000);
}

static const struct {
	double time_ns, sum, pct;
	uint64_t want_sum, want_share;
} odd[] = {
	{ 1, 0.4, 0, 0, 0 },
	{ 1, 0.5, 0.00005, 1, 1 },
	{ 0, 1, 50, 1, KB_NOT_COUNTED },	/* no time to weigh it by */
	{ NAN, 1, 50, 1, KB_NOT_COUNTED },
	{ 1, -1, -1, KB_NOT_COUNTED, KB_NOT_COUNTED },
	{ 1, INFINITY, INFINITY, KB_NOT_COUNTED, KB_NOT_COUNTED },
	{ 1, 9007199254740990.0, 1, 9007199254740990, 10000 },
	{ 1, 9007199254740991.0, 1, KB_NOT_COUNTED, 10000 },
};

static void test_what_is_no_number_is_not_counted(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(odd); i++) {
		kb_auto(mem) struct kbrt_kernel_sums *s =
			kb_xcalloc(1, sizeof(*s));
		const uint64_t *counters = s->report.kernels[0].counters;

		add(s, "a", odd[i].time_ns, odd[i].sum, odd[i].pct);
		kbrt_kernel_sums_end(s);
		check(counters[KB_KERNEL_L2] == odd[i].want_sum);
		check(counters[KB_KERNEL_OCCUPANCY] == odd[i].want_share);
	}
}

static void test_names_are_cut_and_room_ends(void)
{
	kb_auto(mem) struct kbrt_kernel_sums *s = kb_xcalloc(1, sizeof(*s));
	char name[2 * KB_KERNEL_NAME_BYTES];

	memset(name, 'n', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	add(s, name, 1, 1, 1);
	name[KB_KERNEL_NAME_BYTES] = 'm';	/* behind the cut */
	add(s, name, 1, 1, 1);
	check_int(s->report.kernel_count, 1);
	check_int(strlen(s->report.kernels[0].name), KB_KERNEL_NAME_BYTES - 1);
	check_int(s->report.kernels[0].launch_count, 2);
	for (int i = 1; i < KB_KERNELS_MAX + 3; i++) {
		snprintf(name, sizeof(name), "%d", i);
		add(s, name, 1, 1, 1);
	}
	kbrt_kernel_sums_end(s);
	check_int(s->report.kernel_count, KB_KERNELS_MAX);
	check_int(s->report.left_out_count, 3);
}

TAP_MAIN(TAP(test_counters_have_names_of_their_own),
	 TAP(test_launches_are_summed_up_by_name),
	 TAP(test_what_is_no_number_is_not_counted),
	 TAP(test_names_are_cut_and_room_ends));
