#include "manifest/profile.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "lib/scratch.h"
#include "lib/tap.h"
#include "manifest/record.h"
#include "store/bundle.h"
#include "tables/profile_table.h"

#define DIGEST "0000000000000000000000000000000000000000000000000000000000000007"
#define PPM								\
	"{\"dram_bandwidth\":700000,\"fp16\":0,\"fp32\":250000,"	\
	"\"fp64\":null,\"graphics\":800000,\"integer\":1,\"sm\":750000,"	\
	"\"sm_occupancy\":400000,\"tensor\":0,\"tensor_float\":0,"	\
	"\"tensor_fp64\":0,\"tensor_integer\":0}"
#define INTERVAL							\
	"{\"calls\":40,\"duration_ns\":200000000,"			\
	"\"memory_clock_mhz\":null,\"power_mw\":650400,\"ppm\":" PPM ","	\
	"\"running_ns\":160000000,\"sm_clock_mhz\":1755,"		\
	"\"temperature_c\":31}"
#define COUNTERS							\
	"{\"dram_ppm\":26680,\"dram_read_bytes\":24156928,"		\
	"\"dram_write_bytes\":20609536,\"fp32_add_count\":0,"		\
	"\"fp32_fma_count\":8589934592,\"fp32_mul_count\":4194304,"	\
	"\"l2_bytes\":410345280,\"occupancy_ppm\":124996,"		\
	"\"tensor_count\":null,\"tensor_ppm\":null,\"time_ns\":348736}"
#define KERNEL								\
	"{\"counters\":" COUNTERS ",\"launch_count\":1,"			\
	"\"name\":\"sgemm<float>(float*)\"}"
#define KERNELS								\
	"{\"chip\":\"GH100\",\"cupti_version\":130001,"			\
	"\"left_out_count\":0,\"list\":[" KERNEL "],\"pass_count\":2,"	\
	"\"unavailable\":null}"
#define UNAVAILABLE							\
	"{\"chip\":null,\"cupti_version\":0,\"left_out_count\":0,"	\
	"\"list\":[],\"pass_count\":0,\"unavailable\":\"no CUPTI\"}"
#define CORRECT								\
	"{\"batch_calls\":20,\"candidate\":\"" DIGEST "\",\"detail\":null,"	\
	"\"intervals\":[" INTERVAL "],\"kernels\":" KERNELS ","		\
	"\"key\":\"1/19\",\"level\":1,"					\
	"\"problem_id\":19,\"sample_id\":0,\"status\":\"correct\"}"
#define FAILED								\
	"{\"batch_calls\":0,\"candidate\":\"" DIGEST "\",\"detail\":\"why\","	\
	"\"intervals\":[],\"kernels\":null,\"key\":\"1/19\",\"level\":1,"	\
	"\"problem_id\":19,\"sample_id\":2,\"status\":\"timed_out\"}"
#define HEAD								\
	"{\"candidates\":["
#define TAIL								\
	"],\"counters\":\"NVML GPM\",\"counters_version\":\"13.580\","	\
	"\"evaluation\":\"" DIGEST "\",\"format\":\"kb-profile/1\","	\
	"\"match_key\":{\"gpu\":\"x\"},\"tool\":{\"git_commit\":null,"	\
	"\"git_dirty\":null,\"name\":\"kb-eval\",\"version\":\"0.1.0\"}}\n"
#define PROFILE HEAD CORRECT "," FAILED TAIL
#define WITHOUT								\
	"{\"batch_calls\":20,\"candidate\":\"" DIGEST "\",\"detail\":null,"	\
	"\"intervals\":[" INTERVAL "],\"kernels\":" UNAVAILABLE ","		\
	"\"key\":\"1/20\",\"level\":1,"					\
	"\"problem_id\":20,\"sample_id\":0,\"status\":\"correct\"}"
#define UNCOUNTED HEAD CORRECT "," WITHOUT TAIL

static int parse(struct kb_profile *p, const char *text, struct kb_err *err)
{
	return kb_profile_parse(p, text, strlen(text), "it", err);
}

static void test_it_is_printed_as_it_was_read(void)
{
	static const char *const texts[] = { HEAD TAIL, PROFILE, UNCOUNTED };

	for (size_t i = 0; i < KB_ARRAY_LEN(texts); i++) {
		kb_auto(profile) struct kb_profile p = KB_PROFILE_INIT;
		kb_auto(buf) struct kb_buf again = KB_BUF_INIT;
		struct kb_err err = KB_ERR_INIT;

		check_int(parse(&p, texts[i], &err), 0);
		check_str(err.msg, "");
		kb_profile_print(&again, &p);
		check_str(again.data, texts[i]);
	}
}

static void test_candidates_are_read(void)
{
	kb_auto(profile) struct kb_profile p = KB_PROFILE_INIT;
	const struct kb_profile_item *i;

	check_int(parse(&p, PROFILE, NULL), 0);
	check_int((int)p.item_count, 2);
	i = &p.items[0];
	check(i->sample_id == 0 && i->interval_count == 1);
	check(i->intervals[0].ppm[KB_GPM_FP64] == KB_UNKNOWN);
	check(i->intervals[0].memory_clock_mhz == KB_UNKNOWN);
	check(p.items[1].sample_id == 2 &&
	      p.items[1].status == KB_STATUS_TIMED_OUT);
}

/* Counted over the whole, shown of the part that batches took. */
static void test_means_are_of_the_running_part(void)
{
	struct kb_profile_interval v[] = {
		{ .duration_ns = 200, .running_ns = 100 },
		{ .duration_ns = 200, .running_ns = 200 },
		{ .duration_ns = 100, .running_ns = 100 },
	};
	const struct kb_profile_item i = { .intervals = v,
					   .interval_count = 3 };
	const struct kb_profile_item none = { .intervals = NULL };

	v[0].ppm[KB_GPM_SM] = 300000;
	v[1].ppm[KB_GPM_SM] = 600000;
	v[2].ppm[KB_GPM_SM] = KB_UNKNOWN;
	for (int k = 0; k < 3; k++)
		v[k].ppm[KB_GPM_FP64] = KB_UNKNOWN;
	check_int(kb_profile_mean_ppm(&i, KB_GPM_SM), 600000);
	check_int(kb_profile_mean_ppm(&i, KB_GPM_FP64), KB_UNKNOWN);
	check_int(kb_profile_running_ppm(&i), 800000);
	check_int(kb_profile_mean_ppm(&none, KB_GPM_SM), KB_UNKNOWN);
	check_int(kb_profile_running_ppm(&none), KB_UNKNOWN);
}

static void test_the_table(void)
{
	kb_auto(profile) struct kb_profile p = KB_PROFILE_INIT;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT, without = KB_BUF_INIT;
	const struct kb_profile_share shares[] = {
		kb_profile_share_of((struct kb_clocked_bound){ 50, 1980 }, 100,
				    200),
		kb_profile_share_of((struct kb_clocked_bound){ 50, KB_UNKNOWN },
				    200, KB_UNKNOWN),
	};

	check_int(parse(&p, PROFILE, NULL), 0);
	kb_profile_table_print(&text, &p, shares, KB_LOOK_PLAIN);
	check_str(text.data,
		  "problem  sample  status     batch  running     SM  "
		  "occupancy   DRAM  tensor   fp32  fp16  integer  SM MHz    W"
		  "  of bound    bound at  SOL score\n"
		  "1/19          0  correct       20    80.0%  93.8%      "
		  "50.0%  87.5%    0.0%  31.3%  0.0%     0.0%    1755  650"
		  "     50.0%    1980 MHz      75.0%\n"
		  "1/19          2  timed_out      0        -      -          "
		  "-      -       -      -     -        -       -    -"
		  "     25.0%  data sheet          -\n");
	kb_profile_table_print(&without, &p, NULL, KB_LOOK_PLAIN);
	check(strstr(without.data, "  650         -         -          -\n"));
}

static const struct {
	const char *from, *to;		/* in PROFILE */
	const char *want;
} bad[] = {
	{ "}\n", "}", "it: does not end in LF" },
	{ "kb-profile/1", "kb-profile/2",
	  "it: 'format' is 'kb-profile/2', which is not known" },
	{ "\"sm\":750000,", "", "candidate 1 of it: 'sm' is missing" },
	{ "\"sm\":750000,", "\"sm\":-1,",
	  "candidate 1 of it: 'sm' is -1, want 0 to 10000000" },
	{ "\"running_ns\":160000000", "\"running_ns\":200000001",
	  "candidate 1 of it: 'running_ns' is more than 'duration_ns'" },
	{ "\"calls\":40", "\"calls\":0",
	  "candidate 1 of it: 'calls' is 0, want 1 to 9007199254740991" },
	{ "\"batch_calls\":20", "\"batch_calls\":0",
	  "candidate 1 of it: status 'correct' with 1 intervals" },
	{ "[" INTERVAL "]", "[]",
	  "candidate 1 of it: status 'correct' with 0 intervals" },
	{ "\"kernels\":" KERNELS, "\"kernels\":null",
	  "candidate 1 of it: status 'correct' without 'kernels'" },
	{ "\"kernels\":null", "\"kernels\":" UNAVAILABLE,
	  "candidate 2 of it: status 'timed_out' with 'kernels'" },
	{ "\"kernels\":null,", "", "candidate 2 of it: 'kernels' is missing" },
	{ "\"time_ns\":348736", "\"time_ns\":-1",
	  "candidate 1 of it: 'time_ns' is -1, want 0 to 9007199254740991" },
	{ "\"dram_ppm\":26680", "\"dram_ppm\":10000001",
	  "candidate 1 of it: 'dram_ppm' is 10000001, want 0 to 10000000" },
	{ "\"launch_count\":1", "\"launch_count\":0",
	  "candidate 1 of it: 'launch_count' is 0, want 1 to 2147483647" },
	{ "\"unavailable\":null", "\"unavailable\":\"why\"",
	  "candidate 1 of it: 'list' does not go with 'unavailable'" },
	{ "timed_out", "missing",
	  "candidate 2 of it: no candidate has status 'missing'" },
	{ "\"sample_id\":2", "\"sample_id\":0",
	  "candidate 2 of it: is not behind the one before" },
	{ "\"counters\":\"NVML", "\"counter\":\"NVML", "it: 'counters' is missing" },
};

static void test_what_is_wrong_is_named(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(bad); i++) {
		kb_auto(profile) struct kb_profile p = KB_PROFILE_INIT;
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
		struct kb_err err = KB_ERR_INIT;
		const char *at = strstr(PROFILE, bad[i].from);

		if (!at)
			KB_BUG("not in the profile");
		kb_buf_add(&text, PROFILE, (size_t)(at - PROFILE));
		kb_buf_addf(&text, "%s%s", bad[i].to,
			    at + strlen(bad[i].from));
		check_int(parse(&p, text.data, &err), -KB_ERR_INPUT);
		check_str(err.msg, bad[i].want);
	}
}

/* The bundle that the profile is of, or not. */
static struct kb_bundle beside(char *path, uint8_t last)
{
	struct kb_bundle b = KB_BUNDLE_INIT;

	b.path = path;
	b.id.bytes[KB_DIGEST_SIZE - 1] = last;
	return b;
}

static void release_all(struct kb_profile *list, size_t count)
{
	for (size_t i = 0; i < count; i++)
		kb_profile_release(&list[i]);
	free(list);
}

static void test_files_lie_beside_the_bundle(void)
{
	kb_auto(profile) struct kb_profile p = KB_PROFILE_INIT;
	kb_auto(mem) char *file = NULL;
	char path[] = "b";
	struct kb_bundle b = beside(path, 7), other = beside(path, 8);
	struct kb_profile *list = NULL;
	struct kb_err err = KB_ERR_INIT;
	size_t count = 7;

	scratch_enter();
	check_int(parse(&p, PROFILE, NULL), 0);
	check_int(kb_profile_load_all(&list, &count, &b, NULL), 0);
	check_int(count, 0);
	check_int(kb_profile_write(&file, &b, &p, NULL), 0);
	check_int(kb_profile_load_all(&list, &count, &other, NULL), 0);
	check_int(count, 0);
	check_int(kb_profile_load_all(&list, &count, &b, NULL), 0);
	check_int(count, 1);
	check_int(list ? list[0].item_count : 0, 2);
	release_all(list, count);

	check_int(chmod(file, 0600), 0);
	check_int(truncate(file, 10), 0);
	check_int(kb_profile_load_all(&list, &count, &b, &err),
		  -KB_ERR_CORRUPT);
	check(!list);
	check(strstr(err.msg, "does not match the digest in its name"));
	scratch_leave();
}

static void test_one_of_another_evaluation_is_refused(void)
{
	kb_auto(profile) struct kb_profile p = KB_PROFILE_INIT;
	kb_auto(mem) char *file = NULL;
	char path[] = "b";
	struct kb_bundle other = beside(path, 8);
	struct kb_profile *list = NULL;
	struct kb_err err = KB_ERR_INIT;
	size_t count;

	scratch_enter();
	check_int(parse(&p, PROFILE, NULL), 0);
	check_int(kb_profile_write(&file, &other, &p, NULL), 0);
	check_int(kb_profile_load_all(&list, &count, &other, &err),
		  -KB_ERR_INPUT);
	check(strstr(err.msg, "is of another evaluation"));
	scratch_leave();
}

TAP_MAIN(TAP(test_it_is_printed_as_it_was_read), TAP(test_candidates_are_read),
	 TAP(test_means_are_of_the_running_part), TAP(test_the_table),
	 TAP(test_what_is_wrong_is_named),
	 TAP(test_files_lie_beside_the_bundle),
	 TAP(test_one_of_another_evaluation_is_refused));
