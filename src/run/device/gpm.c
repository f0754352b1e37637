#include "device/gpm.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/err.h"
#include "device/nvml.h"
#include "device/nvml_internal.h"

/* The library's binary interface, version 1 of both structs. */
#define SUCCESS 0
#define NOT_SUPPORTED 3
#define NO_PERMISSION 4
#define VERSION 1

typedef void *sample;

struct support {
	unsigned version;
	unsigned is_supported;
};

struct metric {
	unsigned id;
	kb_nvml_result result;
	double value;
	char *short_name, *long_name, *unit;
};

/* The library reads `metric_count` of the metrics. Headers have room for 98 to
 * 333 of them, and libraries may take it for granted. */
#define METRICS_MAX 512

struct metrics_get {
	unsigned version;
	unsigned metric_count;
	sample first, second;
	struct metric metrics[METRICS_MAX];
};

/* The library's numbers of them. */
static const unsigned ids[KB_GPM_METRIC_COUNT] = {
	[KB_GPM_GRAPHICS] = 1,
	[KB_GPM_SM] = 2,
	[KB_GPM_SM_OCCUPANCY] = 3,
	[KB_GPM_INTEGER] = 4,
	[KB_GPM_TENSOR] = 5,
	[KB_GPM_TENSOR_FP64] = 6,
	[KB_GPM_TENSOR_FLOAT] = 7,
	[KB_GPM_TENSOR_INTEGER] = 9,
	[KB_GPM_DRAM_BANDWIDTH] = 10,
	[KB_GPM_FP64] = 11,
	[KB_GPM_FP32] = 12,
	[KB_GPM_FP16] = 13,
};

enum function { QUERY, ALLOC, FREE, GET, METRICS, FUNCTION_COUNT };

static const char *const symbols[FUNCTION_COUNT] = {
	[QUERY] = "nvmlGpmQueryDeviceSupport",
	[ALLOC] = "nvmlGpmSampleAlloc",
	[FREE] = "nvmlGpmSampleFree",
	[GET] = "nvmlGpmSampleGet",
	[METRICS] = "nvmlGpmMetricsGet",
};

struct kb_gpm {
	const struct kb_nvml *nvml;
	void *functions[FUNCTION_COUNT];
	sample samples[2];		/* the older one first */
};

static int nvml_failure(const struct kb_gpm *g, enum function which, kb_nvml_result r,
			struct kb_err *err)
{
	(void)kb_nvml_refused(err, g->nvml, symbols[which], r);
	if (r == NO_PERMISSION)
		return kb_err_wrap(
			err, "reading a GPU's counters needs root, "
			"CAP_SYS_ADMIN, or the option "
			"NVreg_RestrictProfilingToAdminUsers=0 of the module "
			"nvidia (RmProfilingAdminOnly in "
			"/proc/driver/nvidia/params says how it is set)");
	return -KB_ERR_DEVICE;
}

static int find_functions(struct kb_gpm *g, struct kb_err *err)
{
	for (int i = 0; i < FUNCTION_COUNT; i++) {
		g->functions[i] = kb_nvml_symbol(g->nvml, symbols[i]);
		if (!g->functions[i])
			return kb_nvml_too_old(err, symbols[i]);
	}
	return 0;
}

static int check_support(const struct kb_gpm *g, struct kb_err *err)
{
	kb_nvml_result (*query)(void *, struct support *) =
		g->functions[QUERY];
	struct support s = { .version = VERSION };
	kb_nvml_result r = query(kb_nvml_handle(g->nvml), &s);

	if (r == NOT_SUPPORTED || (r == SUCCESS && !s.is_supported))
		return kb_err(err, KB_ERR_MISSING,
			      "this GPU has no performance monitoring (GPM): "
			      "Hopper and newer have");
	return r == SUCCESS ? 0 : nvml_failure(g, QUERY, r, err);
}

static int alloc_samples(struct kb_gpm *g, struct kb_err *err)
{
	kb_nvml_result (*alloc)(sample *) = g->functions[ALLOC];

	for (int i = 0; i < 2; i++) {
		kb_nvml_result r = alloc(&g->samples[i]);

		if (r != SUCCESS)
			return nvml_failure(g, ALLOC, r, err);
	}
	return 0;
}

int kb_gpm_open(struct kb_gpm **out, const struct kb_nvml *n,
		struct kb_err *err)
{
	struct kb_gpm *g = kb_xcalloc(1, sizeof(*g));
	int ret;

	g->nvml = n;
	ret = find_functions(g, err);
	if (ret >= 0)
		ret = check_support(g, err);
	if (ret >= 0)
		ret = alloc_samples(g, err);
	if (ret >= 0)
		ret = kb_gpm_mark(g, err);
	if (ret < 0) {
		kb_gpm_close(g);
		return ret;
	}
	*out = g;
	return 0;
}

void kb_gpm_close(struct kb_gpm *g)
{
	kb_nvml_result (*release)(sample);

	if (!g)
		return;
	release = g->functions[FREE];
	for (int i = 0; i < 2; i++)
		if (g->samples[i])
			(void)release(g->samples[i]);
	free(g);
}

int kb_gpm_mark(struct kb_gpm *g, struct kb_err *err)
{
	kb_nvml_result (*get)(void *, sample) = g->functions[GET];
	sample oldest = g->samples[0];
	kb_nvml_result r = get(kb_nvml_handle(g->nvml), oldest);

	if (r != SUCCESS)
		return nvml_failure(g, GET, r, err);
	g->samples[0] = g->samples[1];
	g->samples[1] = oldest;
	return 0;
}

/* Percent, as a double that may be anything. */
static int64_t to_ppm(const struct metric *m)
{
	if (m->result != SUCCESS || !(m->value >= 0 && m->value <= 1000))
		return KB_NVML_UNKNOWN;
	return llround(m->value * 10000);
}

int kb_gpm_read(const struct kb_gpm *g, int64_t ppm[KB_GPM_METRIC_COUNT],
		struct kb_err *err)
{
	kb_nvml_result (*compute)(struct metrics_get *) =
		g->functions[METRICS];
	struct metrics_get q = {
		.version = VERSION, .metric_count = KB_GPM_METRIC_COUNT,
		.first = g->samples[0], .second = g->samples[1],
	};
	kb_nvml_result r;

	for (int i = 0; i < KB_GPM_METRIC_COUNT; i++)
		q.metrics[i].id = ids[i];
	r = compute(&q);
	if (r != SUCCESS)
		return nvml_failure(g, METRICS, r, err);
	for (int i = 0; i < KB_GPM_METRIC_COUNT; i++)
		ppm[i] = to_ppm(&q.metrics[i]);
	return 0;
}
