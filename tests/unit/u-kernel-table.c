#include "tables/kernel_table.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "lib/tap.h"
#include "manifest/record.h"

/* What an H200 counted of a product of matrices and a clamp behind it. */
static struct kb_kernel counted[] = {
	{ .name = (char *)"sgemm", .launch_count = 1,
	  .counters = {
		[KB_KERNEL_TIME] = 348736, [KB_KERNEL_DRAM_READ] = 24156928,
		[KB_KERNEL_DRAM_WRITE] = 20609536, [KB_KERNEL_DRAM] = 26680,
		[KB_KERNEL_L2] = 410345280, [KB_KERNEL_FP32_MUL] = 4194304,
		[KB_KERNEL_FP32_FMA] = 8589934592,
		[KB_KERNEL_OCCUPANCY] = 124996 } },
	{ .name = (char *)"clamp", .launch_count = 1,
	  .counters = {
		[KB_KERNEL_TIME] = 9472, [KB_KERNEL_DRAM_READ] = 16786688,
		[KB_KERNEL_DRAM_WRITE] = 9394688, [KB_KERNEL_DRAM] = 577591,
		[KB_KERNEL_L2] = 51022688, [KB_KERNEL_TENSOR] = KB_UNKNOWN,
		[KB_KERNEL_OCCUPANCY] = 705756 } },
};

struct world {
	struct kb_profile_interval interval;
	struct kb_kernels kernels;
	struct kb_profile_item items[2];
	struct kb_profile profile;
};

static void set_gpu(struct world *w, const char *capability,
		    const char *multiprocessors)
{
	kb_json_free(w->profile.match_key);
	w->profile.match_key = kb_json_object();
	kb_json_set_string(w->profile.match_key, "gpu.compute_capability",
			   capability);
	kb_json_set_string(w->profile.match_key, "gpu.multiprocessors",
			   multiprocessors);
}

static void set_up(struct world *w)
{
	*w = (struct world){
		.interval = { .sm_clock_mhz = 1980 },
		.kernels = { .chip = (char *)"GH100", .pass_count = 2,
			     .items = counted, .count = 2 },
		.profile = { .items = w->items, .item_count = 2 },
	};
	w->items[0] = (struct kb_profile_item){
		.key = { 1, 1 }, .sample_id = 3, .status = KB_STATUS_CORRECT,
		.intervals = &w->interval, .interval_count = 1,
		.kernels = &w->kernels,
	};
	w->items[1] = (struct kb_profile_item){
		.key = { 1, 2 }, .status = KB_STATUS_TIMED_OUT,
	};
	set_gpu(w, "9.0", "132");
}

static void check_table(const struct world *w, const char *want)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	kb_buf_addstr(&text, "");
	kb_kernel_table_print(&text, &w->profile, KB_LOOK_PLAIN);
	check_str(text.data ? text.data : "", want);
}

/* 17184063488 operations in 348736 ns of 132 SMs at 1.98 GHz: 73.6 %. */
static void test_a_row_a_kernel_and_one_for_all(void)
{
	struct world w;

	set_up(&w);
	check_table(&w,
"problem  sample  launches       us  of time  MB read  MB written   DRAM    L2 MB   fp32  tensor  occupancy  kernel\n"
"1/1           3         2  358.208   100.0%   40.944      30.004   4.1%  461.368  71.7%       -      14.0%  (all)\n"
"1/1           3         1  348.736    97.4%   24.157      20.610   2.7%  410.345  73.6%    0.0%      12.5%  sgemm\n"
"1/1           3         1    9.472     2.6%   16.787       9.395  57.8%   51.023   0.0%       -      70.6%  clamp\n");
	w.kernels.count = 1;
	w.kernels.left_out_count = 7;
	check_table(&w,
"problem  sample  launches       us  of time  MB read  MB written  DRAM    L2 MB   fp32  tensor  occupancy  kernel\n"
"1/1           3         1  348.736   100.0%   24.157      20.610  2.7%  410.345  73.6%    0.0%      12.5%  sgemm\n"
"1/1           3         7        -        -        -           -     -        -      -       -          -  (not counted)\n");
	kb_json_free(w.profile.match_key);
}

#define HEADS "problem  sample  launches  us  of time  MB read  MB written  " \
	      "DRAM  L2 MB  fp32  tensor  occupancy  kernel\n"

static void test_where_there_are_none_a_row_says_why(void)
{
	struct world w;

	set_up(&w);
	w.kernels = (struct kb_kernels){ .unavailable = (char *)"no\033CUPTI" };
	check_table(&w, HEADS
"1/1           3         -   -        -        -           -     -      -     -       -          -  (not counted: no?CUPTI)\n");
	w.kernels.unavailable = NULL;
	check_table(&w, HEADS
"1/1           3         0   -        -        -           -     -      -     -       -          -  (none was launched)\n");
	w.items[0].kernels = NULL;
	check_table(&w, "");
	kb_json_free(w.profile.match_key);
}

/* By characters, and never through the middle of one. */
static void test_long_names_are_cut_and_controls_are_not_printed(void)
{
	char name[300], want[512];
	struct kb_kernel k = counted[0];
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	struct world w;

	set_up(&w);
	w.kernels.items = &k;
	w.kernels.count = 1;
	k.name = name;
	strcpy(name, "a\033[31m");
	for (size_t i = 6; i < 206; i += 2)
		memcpy(name + i, "\xc3\xa9", 3);
	snprintf(want, sizeof(want), "  a?[31m%.*s...\n", 66 * 2, name + 6);
	kb_kernel_table_print(&text, &w.profile, KB_LOOK_PLAIN);
	check(text.len > strlen(want));
	check_str(text.data + text.len - strlen(want), want);
	kb_json_free(w.profile.match_key);
}

static const struct {
	const char *capability, *multiprocessors;
	int64_t clock_mhz, fma, time_ns, want;
} rates[] = {
	/* 256 operations for each SM and cycle are all that there can be. */
	{ "9.0", "132", 1000, 132 * 128 * 1000, 1000, 1000000 },
	{ "9.0", "132", 2000, 132 * 128 * 1000, 1000, 500000 },
	{ "10.0", "148", 1000, 148 * 64 * 1000, 1000, 500000 },
	{ "9.0", "132", 1000, 0, 1000, 0 },
	{ "8.0", "108", 1000, 108 * 64 * 1000, 1000, 1000000 },
	{ "99.0", "132", 1000, 1000, 1000, KB_UNKNOWN },
	{ "9.0", "none", 1000, 1000, 1000, KB_UNKNOWN },
	{ "9.0", "-5", 1000, 1000, 1000, KB_UNKNOWN },
	{ "9.0", "132", KB_UNKNOWN, 1000, 1000, KB_UNKNOWN },
	{ "9.0", "132", 0, 1000, 1000, KB_UNKNOWN },
	{ "9.0", "132", 1000, KB_UNKNOWN, 1000, KB_UNKNOWN },
	{ "9.0", "132", 1000, 1000, 0, KB_UNKNOWN },
	{ "9.0", "132", 1000, 1000, KB_UNKNOWN, KB_UNKNOWN },
	{ "9.0", "1", 1, KB_JSON_INT_MAX, 1, KB_UNKNOWN },	/* forged */
};

static void test_fp32_is_of_the_pipes_at_the_clock(void)
{
	struct world w;
	struct kb_kernel k = { .launch_count = 1 };

	set_up(&w);
	for (size_t i = 0; i < KB_ARRAY_LEN(rates); i++) {
		set_gpu(&w, rates[i].capability, rates[i].multiprocessors);
		w.interval.sm_clock_mhz = rates[i].clock_mhz;
		k.counters[KB_KERNEL_FP32_FMA] = rates[i].fma;
		k.counters[KB_KERNEL_TIME] = rates[i].time_ns;
		check_int(kb_kernel_fp32_ppm(&w.profile, &w.items[0], &k),
			  rates[i].want);
	}
	kb_json_free(w.profile.match_key);
}

/* Anybody's file: its key may say anything or nothing. */
static void test_a_key_of_other_types_says_nothing(void)
{
	struct world w;

	set_up(&w);
	kb_json_free(w.profile.match_key);
	w.profile.match_key = kb_json_object();
	check_int(kb_kernel_fp32_ppm(&w.profile, &w.items[0], &counted[0]),
		  KB_UNKNOWN);
	kb_json_set_string(w.profile.match_key, "gpu.compute_capability", "9.0");
	kb_json_set_int(w.profile.match_key, "gpu.multiprocessors", 132);
	check_int(kb_kernel_fp32_ppm(&w.profile, &w.items[0], &counted[0]),
		  KB_UNKNOWN);
	kb_json_free(w.profile.match_key);
}

TAP_MAIN(TAP(test_a_row_a_kernel_and_one_for_all),
	 TAP(test_where_there_are_none_a_row_says_why),
	 TAP(test_long_names_are_cut_and_controls_are_not_printed),
	 TAP(test_fp32_is_of_the_pipes_at_the_clock),
	 TAP(test_a_key_of_other_types_says_nothing));
