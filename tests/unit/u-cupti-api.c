#include "cuda/cupti_api.h"

#include <stdbool.h>

#if defined(__has_include)
#if __has_include(<cupti_range_profiler.h>) && __has_include(<cuda.h>)
#include <cupti.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#endif
#endif

#include "base/err.h"
#include "fake-cupti/fake_cupti.h"
#include "lib/tap.h"

/* What the toolkit says, where there is one. */
#ifdef CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE

#define EQUAL(ours, theirs) \
	_Static_assert((int)(ours) == (int)(theirs), #ours)
#define SAME(type, ours, theirs_type, theirs)				\
	EQUAL(offsetof(struct type, ours), offsetof(theirs_type, theirs)); \
	EQUAL(sizeof(((struct type *)0)->ours),				\
	      sizeof(((theirs_type *)0)->theirs))
#define SIZE(type, last, theirs)					\
	EQUAL(offsetof(struct type, last) +				\
	      sizeof(((struct type *)0)->last), theirs##_STRUCT_SIZE)

EQUAL(KB_CUPTI_SUCCESS, CUPTI_SUCCESS);
EQUAL(KB_CUPTI_INSUFFICIENT_PRIVILEGES, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
EQUAL(KB_CUPTI_VIRTUAL_INSUFFICIENT_PRIVILEGES,
      CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES);
EQUAL(KB_CUPTI_DRIVER_API, CUPTI_CB_DOMAIN_DRIVER_API);
EQUAL(KB_CUPTI_ENTER, CUPTI_API_ENTER);
EQUAL(KB_CUPTI_LAUNCH_KERNEL, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel);
EQUAL(KB_CUPTI_LAUNCH_KERNEL_PTSZ, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz);
EQUAL(KB_CUPTI_LAUNCH_COOPERATIVE,
      CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel);
EQUAL(KB_CUPTI_LAUNCH_COOPERATIVE_PTSZ,
      CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz);
EQUAL(KB_CUPTI_GRAPH_LAUNCH, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch);
EQUAL(KB_CUPTI_GRAPH_LAUNCH_PTSZ, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz);
EQUAL(KB_CUPTI_LAUNCH_KERNEL_EX, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx);
EQUAL(KB_CUPTI_LAUNCH_KERNEL_EX_PTSZ,
      CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz);
EQUAL(KB_CUPTI_RANGE_PROFILER, CUPTI_PROFILER_TYPE_RANGE_PROFILER);
EQUAL(KB_CUPTI_AUTO_RANGE, CUPTI_AutoRange);
EQUAL(KB_CUPTI_KERNEL_REPLAY, CUPTI_KernelReplay);

SAME(kb_cupti_call, site, CUpti_CallbackData, callbackSite);
SAME(kb_cupti_call, symbol, CUpti_CallbackData, symbolName);
SAME(kb_cupti_call, context, CUpti_CallbackData, context);
SAME(kb_cupti_call, correlation_id, CUpti_CallbackData, correlationId);

SIZE(kb_cupti_initialize, reserved, CUpti_Profiler_Initialize_Params);
SIZE(kb_cupti_chip_name, name, CUpti_Device_GetChipName_Params);
SIZE(kb_cupti_host_initialize, host, CUpti_Profiler_Host_Initialize_Params);
SAME(kb_cupti_host_initialize, chip, CUpti_Profiler_Host_Initialize_Params,
     pChipName);
SIZE(kb_cupti_host_deinitialize, host, CUpti_Profiler_Host_Deinitialize_Params);
SIZE(kb_cupti_add_metrics, name_count,
     CUpti_Profiler_Host_ConfigAddMetrics_Params);
SIZE(kb_cupti_config_size, bytes,
     CUpti_Profiler_Host_GetConfigImageSize_Params);
SIZE(kb_cupti_config, config, CUpti_Profiler_Host_GetConfigImage_Params);
SIZE(kb_cupti_passes, count, CUpti_Profiler_Host_GetNumOfPasses_Params);
SIZE(kb_cupti_evaluate, values,
     CUpti_Profiler_Host_EvaluateToGpuValues_Params);
SAME(kb_cupti_evaluate, range, CUpti_Profiler_Host_EvaluateToGpuValues_Params,
     rangeIndex);
SIZE(kb_cupti_enable, ranges, CUpti_RangeProfiler_Enable_Params);
SIZE(kb_cupti_plain, ranges, CUpti_RangeProfiler_Disable_Params);
SIZE(kb_cupti_plain, ranges, CUpti_RangeProfiler_Start_Params);
SIZE(kb_cupti_data_size, bytes, CUpti_RangeProfiler_GetCounterDataSize_Params);
SAME(kb_cupti_data_size, nodes_max,
     CUpti_RangeProfiler_GetCounterDataSize_Params, maxNumRangeTreeNodes);
SIZE(kb_cupti_data_initialize, data,
     CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
SIZE(kb_cupti_set_config, nesting_target, CUpti_RangeProfiler_SetConfig_Params);
SAME(kb_cupti_set_config, replay, CUpti_RangeProfiler_SetConfig_Params,
     replayMode);
SAME(kb_cupti_set_config, ranges_max, CUpti_RangeProfiler_SetConfig_Params,
     maxRangesPerPass);
SAME(kb_cupti_set_config, nesting_levels, CUpti_RangeProfiler_SetConfig_Params,
     numNestingLevels);
SAME(kb_cupti_set_config, pass, CUpti_RangeProfiler_SetConfig_Params,
     passIndex);
SIZE(kb_cupti_stop, is_last, CUpti_RangeProfiler_Stop_Params);
SIZE(kb_cupti_decode, dropped_count, CUpti_RangeProfiler_DecodeData_Params);
SIZE(kb_cupti_data_info, range_count,
     CUpti_RangeProfiler_GetCounterDataInfo_Params);

static void test_the_interface_is_the_toolkits(void) {}
#else
static void test_the_interface_is_the_toolkits(void)
{
	tap_skip("no CUPTI headers");
}
#endif

/* It is loaded once, so that this comes first. */
static void test_one_that_is_too_old_is_refused(void)
{
	struct kb_err err = KB_ERR_INIT;

	fake_cupti_map(FAKE_CUPTI_OLD);
	check(!kb_cupti_api(&err));
	check_int(err.kind, KB_ERR_MISSING);
	check_str(err.msg, "CUPTI is too old: it has no 'cuptiGetResultString'");
}

static void test_one_that_is_mapped_is_used(void)
{
	const struct kb_cupti_api *cupti;
	uint32_t version = 0;

	fake_cupti_map(FAKE_CUPTI);
	cupti = kb_cupti_api(NULL);
	check(cupti);
	check_int(cupti ? cupti->GetVersion(&version) : -1, KB_CUPTI_SUCCESS);
	check_int(version, 130001);
	check(kb_cupti_api(NULL) == cupti);
}

#define GRANT								\
	": a worker has neither CAP_SYS_ADMIN nor CAP_PERFMON, and needs "	\
	"the option NVreg_RestrictProfilingToAdminUsers=0 of the module "	\
	"nvidia (RmProfilingAdminOnly in "				\
	"/proc/driver/nvidia/params says how it is set)"

static const struct {
	kb_cupti_result result;
	const char *want;
} failures[] = {
	{ 1, "cannot try: CUPTI_ERROR_INVALID_PARAMETER" },
	{ 12345, "cannot try: an error without a name" },
	{ KB_CUPTI_INSUFFICIENT_PRIVILEGES,
	  "cannot try: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES" GRANT },
	{ KB_CUPTI_VIRTUAL_INSUFFICIENT_PRIVILEGES,
	  "cannot try: an error without a name" GRANT },
};

static void test_who_may_not_is_told_what_is_wanted(void)
{
	const struct kb_cupti_api *cupti = kb_cupti_api(NULL);

	for (size_t i = 0; i < sizeof(failures) / sizeof(failures[0]); i++) {
		struct kb_err err = KB_ERR_INIT;

		check_int(kb_cupti_err(&err, cupti, failures[i].result, "try"),
			  -KB_ERR_DEVICE);
		check_str(err.msg, failures[i].want);
	}
}

TAP_MAIN(TAP(test_the_interface_is_the_toolkits),
	 TAP(test_one_that_is_too_old_is_refused),
	 TAP(test_one_that_is_mapped_is_used),
	 TAP(test_who_may_not_is_told_what_is_wanted));
