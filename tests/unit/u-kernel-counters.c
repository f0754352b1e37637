#include "runtime/lib/range_counters.h"

#include <math.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "fake-cupti/fake_cupti.h"
#include "lib/tap.h"
#include "runtime/lib/launches.h"

static const kb_cu_context context = (kb_cu_context)&context;

struct rig {
	struct kb_kernels_report report;
	struct kbrt_range_counters *counters;
	struct kbrt_launches *launches;
	const char *names[8];
	size_t count, dropped;
	struct kb_err err;
};

static int counted(struct rig *r)
{
	int ret = kbrt_range_counters_start(r->counters, &r->err);

	if (ret >= 0)
		ret = kbrt_range_counters_stop(r->counters, &r->err);
	if (ret >= 0)
		ret = kbrt_range_counters_fetch(r->counters, &r->count,
						&r->dropped, &r->err);
	return ret;
}

/* A call on CUPTI as it is told to be. */
static int count(struct rig *r, const char *told)
{
	int ret;

	*r = (struct rig){ .count = 0 };
	fake_cupti_map(FAKE_CUPTI);
	setenv("FAKE_CUPTI", told, 1);
	ret = kbrt_range_counters_open(&r->counters, context, &r->report,
				       &r->err);
	if (ret < 0)
		return ret;
	r->launches = kbrt_launches_watch(
		kbrt_range_counters_cupti(r->counters), context);
	return counted(r);
}

static void release(struct rig *r)
{
	kbrt_launches_free(r->launches);
	kbrt_range_counters_close(r->counters);
}

static bool name(struct rig *r)
{
	if (r->count > KB_ARRAY_LEN(r->names))
		KB_BUG("more ranges than the test has room for");
	return kbrt_launches_name(r->names, r->count, r->launches);
}

static void test_chip_version_and_passes_are_told(void)
{
	struct rig r;

	check_int(count(&r, "passes=3"), 0);
	check_str(r.report.chip, "FAKE100");
	check_int(r.report.cupti_version, 130001);
	check_int(r.report.pass_count, 3);
	check_int(r.count, 0);
	release(&r);
}

static void test_what_a_gpu_does_not_count_is_nan(void)
{
	double v[KB_KERNEL_COUNTER_COUNT];
	struct rig r;

	check_int(count(&r, "launches=a lts__t_bytes.sum=0 "
			"gpu__time_duration.sum=2368"), 0);
	check_int(r.count, 1);
	check_int(kbrt_range_counters_read(v, r.counters, 0, NULL), 0);
	check(isnan(v[KB_KERNEL_L2]));
	check(v[KB_KERNEL_TIME] == 2368);
	check(v[KB_KERNEL_FP32_FMA] == 1000);
	check(v[KB_KERNEL_OCCUPANCY] == 50);
	check_int(kbrt_range_counters_read(v, r.counters, 1, &r.err),
		  -KB_ERR_DEVICE);
	check_str(r.err.msg, "cannot read what was counted: "
		  "CUPTI_ERROR_INVALID_PARAMETER");
	check(isnan(v[KB_KERNEL_TIME]));
	release(&r);
}

static const struct {
	const char *told, *want;
} failures[] = {
	/* It would crash if it were asked for anything more. */
	{ "cuptiProfilerInitialize=999",
	  "cannot start CUPTI: CUPTI_ERROR_UNKNOWN" },
	{ "cuptiDeviceGetChipName=1",
	  "cannot learn which GPU this is: CUPTI_ERROR_INVALID_PARAMETER" },
	{ "cuptiProfilerHostInitialize=1",
	  "cannot learn what this GPU counts: CUPTI_ERROR_INVALID_PARAMETER" },
	{ "cuptiProfilerHostConfigAddMetrics=1",
	  "cannot choose what is counted: CUPTI_ERROR_INVALID_PARAMETER" },
	{ "cuptiProfilerHostGetConfigImageSize=1",
	  "cannot size what is counted: CUPTI_ERROR_INVALID_PARAMETER" },
	{ "cuptiProfilerHostGetConfigImage=1",
	  "cannot say what is counted: CUPTI_ERROR_INVALID_PARAMETER" },
	{ "cuptiProfilerHostGetNumOfPasses=1",
	  "cannot learn how often kernels are to run: "
	  "CUPTI_ERROR_INVALID_PARAMETER" },
	{ "cuptiRangeProfilerEnable=1",
	  "cannot read the GPU's counters: CUPTI_ERROR_INVALID_PARAMETER" },
	{ "cuptiRangeProfilerGetCounterDataSize=1",
	  "cannot size the counters: CUPTI_ERROR_INVALID_PARAMETER" },
	{ "cuptiRangeProfilerCounterDataImageInitialize=1",
	  "cannot make room for the counters: CUPTI_ERROR_INVALID_PARAMETER" },
	{ "cuptiRangeProfilerSetConfig=1",
	  "cannot set up the counters: CUPTI_ERROR_INVALID_PARAMETER" },
	{ "cuptiRangeProfilerStart=1",
	  "cannot start counting: CUPTI_ERROR_INVALID_PARAMETER" },
	{ "cuptiRangeProfilerStop=1",
	  "cannot stop counting: CUPTI_ERROR_INVALID_PARAMETER" },
	{ "calls=2", "CUPTI needs a call more than once" },
	{ "cuptiRangeProfilerDecodeData=1",
	  "cannot fetch what was counted: CUPTI_ERROR_INVALID_PARAMETER" },
	{ "cuptiRangeProfilerGetCounterDataInfo=1",
	  "cannot learn how much was counted: CUPTI_ERROR_INVALID_PARAMETER" },
};

/* Each in a process of its own: CUPTI need not get over it. */
static void test_what_fails_is_named(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(failures); i++) {
		struct rig r;
		int status = -1;
		pid_t pid;

		fflush(stdout);
		pid = fork();
		if (!pid) {
			check_int(count(&r, failures[i].told), -KB_ERR_DEVICE);
			check_str(r.err.msg, failures[i].want);
			release(&r);
			fflush(stdout);
			_exit(tap_failed);
		}
		check_int(waitpid(pid, &status, 0), pid);
		check_int(status, 0);
	}
}

static void test_what_is_dropped_is_counted(void)
{
	char told[64];
	struct rig r;

	snprintf(told, sizeof(told), "graph=each launches=graph:%d",
		 KBRT_RANGES_MAX + 7);
	check_int(count(&r, told), 0);
	check_int(r.count, KBRT_RANGES_MAX);
	check_int(r.dropped, 7);
	release(&r);
}

static const struct {
	const char *told;
	bool want;
	const char *names[5];
} launched[] = {
	{ "launches=a,b,a", true, { "a", "b", "a" } },
	{ "launches=a,graph:2,b", true, { "a", "(in a graph)", "b" } },
	{ "graph=each launches=a,graph:2,b", true,
	  { "a", "(in a graph)", "(in a graph)", "b" } },
	{ "graph=each launches=graph:1,graph:2", false,
	  { "(unknown)", "(unknown)", "(unknown)" } },
	{ "launches=work", true, { "work" } },
	/* Somebody else has subscribed. */
	{ "launches=a,b cuptiSubscribe=39", false,
	  { "(unknown)", "(unknown)" } },
};

static void test_ranges_are_named_by_their_launches(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(launched); i++) {
		struct rig r;

		check_int(count(&r, launched[i].told), 0);
		check_int(name(&r), launched[i].want);
		for (size_t k = 0; k < r.count; k++)
			check_str(r.names[k], launched[i].names[k]);
		check(r.count < KB_ARRAY_LEN(launched[i].names) &&
		      !launched[i].names[r.count]);
		release(&r);
	}
}

static void test_names_are_as_in_the_source(void)
{
	struct rig r;

	if (!dlopen("libstdc++.so.6", RTLD_LAZY)) {
		tap_skip("no C++ runtime");
		return;
	}
	check_int(count(&r, "launches=_Z5twicePfj,_Zxyz,f"), 0);
	check(name(&r));
	check_int(r.count, 3);
	check_str(r.names[0], "twice(float*, unsigned int)");
	check_str(r.names[1], "_Zxyz");
	check_str(r.names[2], "f");
	release(&r);
}

TAP_MAIN(TAP(test_chip_version_and_passes_are_told),
	 TAP(test_what_a_gpu_does_not_count_is_nan),
	 TAP(test_what_fails_is_named), TAP(test_what_is_dropped_is_counted),
	 TAP(test_ranges_are_named_by_their_launches),
	 TAP(test_names_are_as_in_the_source));
