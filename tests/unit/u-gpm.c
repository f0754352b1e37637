#include "device/gpm.h"

#include <math.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "device/nvml.h"
#include "fake-nvml/fake_nvml.h"
#include "lib/tap.h"

KB_DEFINE_CLEANUP(nvml, struct kb_nvml *, kb_nvml_close);
KB_DEFINE_CLEANUP(gpm, struct kb_gpm *, kb_gpm_close);

static struct kb_nvml *open_fake(const char *name)
{
	struct kb_nvml *n = NULL;

	if (kb_nvml_open_at(&n, fake_nvml_path(name), fake_nvml_uuid, NULL) < 0)
		KB_BUG("cannot open the stand-in");
	return n;
}

static struct kb_gpm *open_gpm(const struct kb_nvml *n)
{
	struct kb_gpm *g = NULL;

	check_int(kb_gpm_open(&g, n, NULL), 0);
	return g;
}

static void test_names_are_told_apart(void)
{
	for (int i = 0; i < KB_GPM_METRIC_COUNT; i++)
		for (int k = 0; k < i; k++)
			check(strcmp(kb_gpm_metric_name(i),
				     kb_gpm_metric_name(k)));
	check_str(kb_gpm_metric_name(KB_GPM_DRAM_BANDWIDTH), "dram_bandwidth");
}

static void check_no_open(const struct kb_nvml *n, int want_ret,
			  const char *want)
{
	struct kb_gpm *g = NULL;
	struct kb_err err = KB_ERR_INIT;

	check_int(kb_gpm_open(&g, n, &err), want_ret);
	check_str(err.msg, want);
	check(!g);
}

static void test_old_library_has_none(void)
{
	kb_auto(nvml) struct kb_nvml *n = NULL;

	fake_nvml_reset(FAKE_NVML_OLD);
	n = open_fake(FAKE_NVML_OLD);
	check_no_open(n, -KB_ERR_MISSING,
		      "this NVML has no 'nvmlGpmQueryDeviceSupport'");
}

#define UNSUPPORTED							\
	"this GPU has no performance monitoring (GPM): Hopper and newer have"
#define WANTED								\
	"reading a GPU's counters needs root, CAP_SYS_ADMIN, or the option " \
	"NVreg_RestrictProfilingToAdminUsers=0 of the module nvidia "	\
	"(RmProfilingAdminOnly in /proc/driver/nvidia/params says "	\
	"how it is set): "

static void test_what_is_missing_is_said(void)
{
	struct fake_nvml *fake = fake_nvml_reset(FAKE_NVML);
	kb_auto(nvml) struct kb_nvml *n = open_fake(FAKE_NVML);

	fake->gpm_is_unsupported = true;
	check_no_open(n, -KB_ERR_MISSING, UNSUPPORTED);
	fake->gpm_is_unsupported = false;
	fake->gpm_query_result = FAKE_NVML_NOT_SUPPORTED;
	check_no_open(n, -KB_ERR_MISSING, UNSUPPORTED);
	fake->gpm_query_result = FAKE_NVML_NO_PERMISSION;
	check_no_open(n, -KB_ERR_DEVICE, WANTED
		      "'nvmlGpmQueryDeviceSupport' fails: Insufficient "
		      "Permissions");
	fake->gpm_query_result = 0;
	fake->gpm_alloc_result = FAKE_NVML_GPU_IS_LOST;
	check_no_open(n, -KB_ERR_DEVICE,
		      "'nvmlGpmSampleAlloc' fails: GPU is lost");
	/* A device may be supported and yet tell nothing. */
	fake->gpm_alloc_result = 0;
	fake->gpm_sample_result = FAKE_NVML_NO_PERMISSION;
	check_no_open(n, -KB_ERR_DEVICE, WANTED
		      "'nvmlGpmSampleGet' fails: Insufficient Permissions");
	check_int(fake->gpm_samples, 0);
}

static void test_an_interval_is_between_marks(void)
{
	struct fake_nvml *fake = fake_nvml_reset(FAKE_NVML);
	kb_auto(nvml) struct kb_nvml *n = open_fake(FAKE_NVML);
	struct kb_gpm *g = open_gpm(n);
	int64_t ppm[KB_GPM_METRIC_COUNT];

	for (int i = 0; i < 3; i++) {
		check_int(kb_gpm_mark(g, NULL), 0);
		check_int(kb_gpm_read(g, ppm, NULL), 0);
		check_int(ppm[KB_GPM_SM], 22500);
		check_int(ppm[KB_GPM_DRAM_BANDWIDTH], 102500);
		check_int(ppm[KB_GPM_INTEGER], 42500);
	}
	check_int(fake->gpm_samples, 2);
	kb_gpm_close(g);
	check_int(fake->gpm_samples, 0);
	kb_gpm_close(NULL);
}

static void test_what_a_device_does_not_tell(void)
{
	static const double wild[] = { NAN, INFINITY, -0.5, 1e9 };
	struct fake_nvml *fake = fake_nvml_reset(FAKE_NVML);
	kb_auto(nvml) struct kb_nvml *n = open_fake(FAKE_NVML);
	kb_auto(gpm) struct kb_gpm *g = open_gpm(n);
	int64_t ppm[KB_GPM_METRIC_COUNT];

	fake->gpm_id_refused = 11;
	fake->gpm_id_wild = 12;
	check_int(kb_gpm_mark(g, NULL), 0);
	for (size_t i = 0; i < KB_ARRAY_LEN(wild); i++) {
		fake->gpm_wild = wild[i];
		check_int(kb_gpm_read(g, ppm, NULL), 0);
		check_int(ppm[KB_GPM_FP64], KB_NVML_UNKNOWN);
		check_int(ppm[KB_GPM_FP32], KB_NVML_UNKNOWN);
		check_int(ppm[KB_GPM_FP16], 132500);
	}
}

static void test_what_fails_later(void)
{
	struct fake_nvml *fake = fake_nvml_reset(FAKE_NVML);
	kb_auto(nvml) struct kb_nvml *n = open_fake(FAKE_NVML);
	kb_auto(gpm) struct kb_gpm *g = open_gpm(n);
	int64_t ppm[KB_GPM_METRIC_COUNT];
	struct kb_err err = KB_ERR_INIT;

	fake->gpm_sample_result = FAKE_NVML_GPU_IS_LOST;
	check_int(kb_gpm_mark(g, &err), -KB_ERR_DEVICE);
	check_str(err.msg, "'nvmlGpmSampleGet' fails: GPU is lost");
	fake->gpm_sample_result = 0;
	check_int(kb_gpm_mark(g, NULL), 0);
	fake->gpm_metrics_result = FAKE_NVML_NO_PERMISSION;
	check_int(kb_gpm_read(g, ppm, &err), -KB_ERR_DEVICE);
	check_str(err.msg, WANTED
		  "'nvmlGpmMetricsGet' fails: Insufficient Permissions");
}

TAP_MAIN(TAP(test_names_are_told_apart), TAP(test_old_library_has_none),
	 TAP(test_what_is_missing_is_said),
	 TAP(test_an_interval_is_between_marks),
	 TAP(test_what_a_device_does_not_tell), TAP(test_what_fails_later));
