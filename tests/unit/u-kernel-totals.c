#include "manifest/kernels.h"

#include "json/json.h"
#include "lib/tap.h"
#include "manifest/record.h"

/* Two kernels, of which one takes three times as long as the other. */
static void test_totals_weigh_shares_by_time(void)
{
	struct kb_kernel items[2] = {
		{ .launch_count = 1,
		  .counters = { [KB_KERNEL_TIME] = 100, [KB_KERNEL_L2] = 7,
				[KB_KERNEL_TENSOR] = 400000 } },
		{ .launch_count = 1,
		  .counters = { [KB_KERNEL_TIME] = 300, [KB_KERNEL_L2] = 4,
				[KB_KERNEL_TENSOR] = 800000 } },
	};
	struct kb_kernels k = { .items = items, .count = 2 };

	check_int(kb_kernels_total(&k, KB_KERNEL_TIME), 400);
	check_int(kb_kernels_total(&k, KB_KERNEL_L2), 11);
	check_int(kb_kernels_total(&k, KB_KERNEL_TENSOR), 700000);
	check_int(kb_kernels_total(&k, KB_KERNEL_DRAM), 0);
	items[1].counters[KB_KERNEL_L2] = KB_UNKNOWN;
	check_int(kb_kernels_total(&k, KB_KERNEL_L2), KB_UNKNOWN);
	items[0].counters[KB_KERNEL_DRAM_READ] = KB_JSON_INT_MAX;
	items[1].counters[KB_KERNEL_DRAM_READ] = 1;
	check_int(kb_kernels_total(&k, KB_KERNEL_DRAM_READ), KB_UNKNOWN);
	items[1].counters[KB_KERNEL_TIME] = KB_UNKNOWN;
	check_int(kb_kernels_total(&k, KB_KERNEL_TENSOR), KB_UNKNOWN);
	k.count = 0;
	check_int(kb_kernels_total(&k, KB_KERNEL_TIME), KB_UNKNOWN);
}

static void test_a_fused_operation_is_two(void)
{
	struct kb_kernel k = {
		.counters = { [KB_KERNEL_FP32_ADD] = 1, [KB_KERNEL_FP32_MUL] = 2,
			      [KB_KERNEL_FP32_FMA] = 10 },
	};

	check_int(kb_kernel_fp32_operations(&k), 23);
	k.counters[KB_KERNEL_FP32_MUL] = KB_UNKNOWN;
	check_int(kb_kernel_fp32_operations(&k), KB_UNKNOWN);
}

TAP_MAIN(TAP(test_totals_weigh_shares_by_time),
	 TAP(test_a_fused_operation_is_two));
