#include "worker/kernels.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "lib/tap.h"
#include "manifest/record.h"

static struct kb_kernels_report *good_report(void)
{
	struct kb_kernels_report *r = kb_xcalloc(1, sizeof(*r));

	r->version = KB_KERNELS_VERSION;
	r->cupti_version = 130001;
	r->pass_count = 2;
	r->kernel_count = 2;
	r->left_out_count = 3;
	strcpy(r->chip, "GH100");
	for (int i = 0; i < 2; i++) {
		strcpy(r->kernels[i].name, i ? "second" : "first");
		r->kernels[i].launch_count = (uint64_t)i + 1;
		for (int c = 0; c < KB_KERNEL_COUNTER_COUNT; c++)
			r->kernels[i].counters[c] = (uint64_t)(10 * i + c);
	}
	return r;
}

static void test_a_report_is_taken_as_it_is(void)
{
	kb_auto(mem) struct kb_kernels_report *r = good_report();
	kb_auto(kernels) struct kb_kernels *k = NULL;

	r->kernels[1].counters[KB_KERNEL_L2] = KB_NOT_COUNTED;
	k = kb_kernels_of_report(r);
	check(!k->unavailable);
	check_str(k->chip, "GH100");
	check_int(k->cupti_version, 130001);
	check_int(k->pass_count, 2);
	check_int(k->left_out_count, 3);
	check_int(k->count, 2);
	check_str(k->items[0].name, "first");
	check_int(k->items[0].launch_count, 1);
	check_int(k->items[0].counters[KB_KERNEL_L2], KB_KERNEL_L2);
	check_int(k->items[1].counters[KB_KERNEL_L2], KB_UNKNOWN);
	check_int(k->items[1].counters[KB_KERNEL_TIME], 10 + KB_KERNEL_TIME);
}

static void test_none_may_be_launched(void)
{
	kb_auto(mem) struct kb_kernels_report *r = good_report();
	kb_auto(kernels) struct kb_kernels *k = NULL;

	r->kernel_count = 0;
	k = kb_kernels_of_report(r);
	check(!k->unavailable);
	check_int(k->count, 0);
}

#define BEND(field, value)						\
	do {								\
		kb_auto(mem) struct kb_kernels_report *r = good_report(); \
		kb_auto(kernels) struct kb_kernels *k = NULL;		\
									\
		r->field = (value);					\
		k = kb_kernels_of_report(r);				\
		check(k->unavailable);					\
		check_str(k->unavailable ? k->unavailable : "",		\
			  "a report without meaning");			\
		check_int(k->count, 0);					\
		check(!k->chip);					\
	} while (0)

static void test_bent_reports_are_none(void)
{
	BEND(version, 0);
	BEND(version, KB_KERNELS_VERSION + 1);
	BEND(kernel_count, KB_KERNELS_MAX + 1);
	BEND(kernel_count, UINT32_MAX);
	BEND(kernel_count, 3);			/* the third is empty */
	BEND(cupti_version, UINT32_C(1) << 31);
	BEND(pass_count, UINT32_MAX);
	BEND(left_out_count, UINT64_MAX);
	BEND(kernels[0].name[0], '\0');
	BEND(kernels[1].launch_count, 0);
	BEND(kernels[1].launch_count, UINT64_C(1) << 31);
}

/* Of the worker's words nothing can drive a terminal or leave its place. */
static void test_texts_are_printable_and_end(void)
{
	kb_auto(mem) struct kb_kernels_report *r = good_report();
	kb_auto(kernels) struct kb_kernels *k = NULL;

	memset(r->kernels[0].name, '\xff', sizeof(r->kernels[0].name));
	strcpy(r->kernels[1].name, "a\033[31m\n<b>\x7f");
	memset(r->chip, 'c', sizeof(r->chip));
	k = kb_kernels_of_report(r);
	check_int(k->count, 2);
	check_int(strlen(k->items[0].name), KB_KERNEL_NAME_BYTES - 1);
	check_int(strspn(k->items[0].name, "?"), KB_KERNEL_NAME_BYTES - 1);
	check_str(k->items[1].name, "a?[31m?<b>?");
	check_int(strlen(k->chip), KB_KERNELS_CHIP_BYTES - 1);
}

static void test_a_reason_is_told_alone(void)
{
	kb_auto(mem) struct kb_kernels_report *r = good_report();
	kb_auto(kernels) struct kb_kernels *k = NULL;

	strcpy(r->why, "no\nCUPTI");
	k = kb_kernels_of_report(r);
	check_str(k->unavailable, "no?CUPTI");
	check_int(k->count, 0);
}

static void test_what_cannot_be_is_unknown(void)
{
	kb_auto(mem) struct kb_kernels_report *r = good_report();
	kb_auto(kernels) struct kb_kernels *k = NULL;

	r->kernels[0].counters[KB_KERNEL_L2] = KB_JSON_INT_MAX;
	r->kernels[1].counters[KB_KERNEL_L2] = (uint64_t)KB_JSON_INT_MAX + 1;
	r->kernels[0].counters[KB_KERNEL_DRAM] = 10000000;
	r->kernels[1].counters[KB_KERNEL_DRAM] = 10000001;
	k = kb_kernels_of_report(r);
	check_int(k->items[0].counters[KB_KERNEL_L2], KB_JSON_INT_MAX);
	check_int(k->items[1].counters[KB_KERNEL_L2], KB_UNKNOWN);
	check_int(k->items[0].counters[KB_KERNEL_DRAM],
		  KB_KERNEL_SHARE_MAX_PPM);
	check_int(k->items[1].counters[KB_KERNEL_DRAM], KB_UNKNOWN);
}

TAP_MAIN(TAP(test_a_report_is_taken_as_it_is), TAP(test_none_may_be_launched),
	 TAP(test_bent_reports_are_none), TAP(test_texts_are_printable_and_end),
	 TAP(test_a_reason_is_told_alone),
	 TAP(test_what_cannot_be_is_unknown));
