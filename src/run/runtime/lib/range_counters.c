#include "runtime/lib/range_counters.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/err.h"

struct kbrt_range_counters {
	const struct kb_cupti_api *cupti;
	kb_cupti_host host;
	kb_cupti_ranges ranges;
	bool is_started;
	enum kb_kernel_counter counters[KB_KERNEL_COUNTER_COUNT];
	const char *metrics[KB_KERNEL_COUNTER_COUNT];	/* of those */
	size_t metric_count;
	uint8_t *config, *data;
	size_t config_bytes, data_bytes;
};

static int check_result(const struct kbrt_range_counters *c,
			kb_cupti_result result, const char *what,
			struct kb_err *err)
{
	return result ? kb_cupti_err(err, c->cupti, result, what) : 0;
}

/* --- what is counted ------------------------------------------------ */

static int open_host(kb_cupti_host *host, const struct kbrt_range_counters *c,
		     const char *chip, const char *const names[], size_t count,
		     struct kb_err *err)
{
	struct kb_cupti_host_initialize h = KB_CUPTI_ARGS(
		kb_cupti_host_initialize, host,
		.profiler = KB_CUPTI_RANGE_PROFILER, .chip = chip);
	struct kb_cupti_add_metrics a = KB_CUPTI_ARGS(
		kb_cupti_add_metrics, name_count,
		.names = (const char **)names, .name_count = count);
	int ret = check_result(c, c->cupti->HostInitialize(&h),
			       "learn what this GPU counts", err);

	if (ret < 0)
		return ret;
	*host = a.host = h.host;
	return check_result(c, c->cupti->HostConfigAddMetrics(&a),
			    "choose what is counted", err);
}

static void close_host(const struct kbrt_range_counters *c, kb_cupti_host host)
{
	struct kb_cupti_host_deinitialize a = KB_CUPTI_ARGS(
		kb_cupti_host_deinitialize, host, .host = host);

	if (host)
		(void)c->cupti->HostDeinitialize(&a);
}

/* Choose the metrics that this GPU has. */
static void choose_metrics(struct kbrt_range_counters *c, const char *chip)
{
	for (int i = 0; i < KB_KERNEL_COUNTER_COUNT; i++) {
		const char *metric = kb_kernel_counter_metric(i);
		kb_cupti_host host = NULL;

		if (open_host(&host, c, chip, &metric, 1, NULL) >= 0) {
			c->counters[c->metric_count] = i;
			c->metrics[c->metric_count++] = metric;
		}
		close_host(c, host);
	}
}

static int make_config(struct kbrt_range_counters *c,
		       struct kb_kernels_report *report, struct kb_err *err)
{
	struct kb_cupti_config_size s = KB_CUPTI_ARGS(
		kb_cupti_config_size, bytes, .host = c->host);
	struct kb_cupti_config g;
	struct kb_cupti_passes p;
	int ret = check_result(c, c->cupti->HostGetConfigImageSize(&s),
			       "size what is counted", err);

	if (ret < 0)
		return ret;
	c->config_bytes = s.bytes;
	c->config = kb_xcalloc(s.bytes, 1);
	g = KB_CUPTI_ARGS(kb_cupti_config, config, .host = c->host,
			  .bytes = s.bytes, .config = c->config);
	p = KB_CUPTI_ARGS(kb_cupti_passes, count, .bytes = s.bytes,
			  .config = c->config);
	ret = check_result(c, c->cupti->HostGetConfigImage(&g),
			   "say what is counted", err);
	if (ret >= 0)
		ret = check_result(c, c->cupti->HostGetNumOfPasses(&p),
				   "learn how often kernels are to run", err);
	report->pass_count = (uint32_t)p.count;
	return ret;
}

/* --- setting up ----------------------------------------------------- */

static int make_data(struct kbrt_range_counters *c, struct kb_err *err)
{
	struct kb_cupti_data_size s = KB_CUPTI_ARGS(
		kb_cupti_data_size, bytes, .ranges = c->ranges,
		.names = c->metrics, .name_count = c->metric_count,
		.ranges_max = KBRT_RANGES_MAX,
		.nodes_max = KBRT_RANGES_MAX);
	struct kb_cupti_data_initialize d;
	int ret = check_result(c, c->cupti->RangeProfilerGetCounterDataSize(&s),
			       "size the counters", err);

	if (ret < 0)
		return ret;
	c->data_bytes = s.bytes;
	c->data = kb_xcalloc(s.bytes, 1);
	d = KB_CUPTI_ARGS(kb_cupti_data_initialize, data, .ranges = c->ranges,
			  .bytes = s.bytes, .data = c->data);
	return check_result(
		c, c->cupti->RangeProfilerCounterDataImageInitialize(&d),
		"make room for the counters", err);
}

static int set_config(struct kbrt_range_counters *c, struct kb_err *err)
{
	struct kb_cupti_set_config s = KB_CUPTI_ARGS(
		kb_cupti_set_config, nesting_target, .ranges = c->ranges,
		.config_bytes = c->config_bytes, .config = c->config,
		.data_bytes = c->data_bytes, .data = c->data,
		.range = KB_CUPTI_AUTO_RANGE, .replay = KB_CUPTI_KERNEL_REPLAY,
		.ranges_max = KBRT_RANGES_MAX, .nesting_levels = 1,
		.nesting_min = 1);

	return check_result(c, c->cupti->RangeProfilerSetConfig(&s),
			    "set up the counters", err);
}

/* The context is there by now: CUPTI 13.0 that is started before there is any
 * fails, and then crashes in whatever it is asked for. */
static int ask_chip(struct kbrt_range_counters *c,
		    struct kb_kernels_report *report, struct kb_err *err)
{
	struct kb_cupti_initialize i = KB_CUPTI_ARGS(
		kb_cupti_initialize, reserved, .reserved = NULL);
	struct kb_cupti_chip_name n = KB_CUPTI_ARGS(
		kb_cupti_chip_name, name, .device = 0);
	int ret;

	(void)c->cupti->GetVersion(&report->cupti_version);
	ret = check_result(c, c->cupti->ProfilerInitialize(&i), "start CUPTI",
			   err);
	if (ret >= 0)
		ret = check_result(c, c->cupti->DeviceGetChipName(&n),
				   "learn which GPU this is", err);
	if (ret >= 0)
		snprintf(report->chip, sizeof(report->chip), "%s", n.name);
	return ret;
}

static int enable_counters(struct kbrt_range_counters *c, kb_cu_context context,
			   struct kb_err *err)
{
	struct kb_cupti_enable e = KB_CUPTI_ARGS(
		kb_cupti_enable, ranges, .context = context);
	int ret = check_result(c, c->cupti->RangeProfilerEnable(&e),
			       "read the GPU's counters", err);

	c->ranges = ret < 0 ? NULL : e.ranges;
	return ret;
}

int kbrt_range_counters_open(struct kbrt_range_counters **out,
			     kb_cu_context context,
			     struct kb_kernels_report *report,
			     struct kb_err *err)
{
	struct kbrt_range_counters *c = kb_xcalloc(1, sizeof(*c));
	int ret;

	*out = c;
	c->cupti = kb_cupti_api(err);
	if (!c->cupti)
		return -KB_ERR_MISSING;
	ret = ask_chip(c, report, err);
	if (ret < 0)
		return ret;
	choose_metrics(c, report->chip);
	ret = open_host(&c->host, c, report->chip, c->metrics, c->metric_count,
			err);
	if (ret >= 0)
		ret = make_config(c, report, err);
	if (ret >= 0)
		ret = enable_counters(c, context, err);
	if (ret >= 0)
		ret = make_data(c, err);
	return ret < 0 ? ret : set_config(c, err);
}

void kbrt_range_counters_close(struct kbrt_range_counters *c)
{
	struct kb_cupti_plain p = KB_CUPTI_ARGS(kb_cupti_plain, ranges);

	if (!c)
		return;
	p.ranges = c->ranges;
	if (c->is_started)
		(void)kbrt_range_counters_stop(c, NULL);
	if (c->ranges)
		(void)c->cupti->RangeProfilerDisable(&p);
	close_host(c, c->host);
	free(c->config);
	free(c->data);
	free(c);
}

const struct kb_cupti_api *
kbrt_range_counters_cupti(const struct kbrt_range_counters *c)
{
	return c->cupti;
}

/* --- counting ------------------------------------------------------- */

int kbrt_range_counters_start(struct kbrt_range_counters *c,
			      struct kb_err *err)
{
	struct kb_cupti_plain p = KB_CUPTI_ARGS(kb_cupti_plain, ranges,
						.ranges = c->ranges);
	int ret = check_result(c, c->cupti->RangeProfilerStart(&p),
			       "start counting", err);

	c->is_started = ret >= 0;
	return ret;
}

int kbrt_range_counters_stop(struct kbrt_range_counters *c, struct kb_err *err)
{
	struct kb_cupti_stop s = KB_CUPTI_ARGS(kb_cupti_stop, is_last,
					       .ranges = c->ranges);
	int ret = check_result(c, c->cupti->RangeProfilerStop(&s),
			       "stop counting", err);

	c->is_started = false;
	if (ret < 0 || s.is_last)
		return ret;
	return kb_err(err, KB_ERR_DEVICE, "CUPTI needs a call more than once");
}

int kbrt_range_counters_fetch(struct kbrt_range_counters *c,
			      size_t *range_count, size_t *dropped_count,
			      struct kb_err *err)
{
	struct kb_cupti_decode d = KB_CUPTI_ARGS(
		kb_cupti_decode, dropped_count, .ranges = c->ranges);
	struct kb_cupti_data_info i = KB_CUPTI_ARGS(
		kb_cupti_data_info, range_count, .data = c->data,
		.data_bytes = c->data_bytes);
	int ret = check_result(c, c->cupti->RangeProfilerDecodeData(&d),
			       "fetch what was counted", err);

	if (ret >= 0)
		ret = check_result(
			c, c->cupti->RangeProfilerGetCounterDataInfo(&i),
			"learn how much was counted", err);
	*range_count = i.range_count;
	*dropped_count = d.dropped_count;
	return ret;
}

int kbrt_range_counters_read(double values[KB_KERNEL_COUNTER_COUNT],
			     const struct kbrt_range_counters *c, size_t range,
			     struct kb_err *err)
{
	double told[KB_KERNEL_COUNTER_COUNT];
	struct kb_cupti_evaluate e = KB_CUPTI_ARGS(
		kb_cupti_evaluate, values, .host = c->host, .data = c->data,
		.data_bytes = c->data_bytes, .range = range,
		.names = (const char **)c->metrics,
		.name_count = c->metric_count, .values = told);
	int ret = check_result(c, c->cupti->HostEvaluateToGpuValues(&e),
			       "read what was counted", err);

	for (int i = 0; i < KB_KERNEL_COUNTER_COUNT; i++)
		values[i] = NAN;
	for (size_t m = 0; m < c->metric_count && ret >= 0; m++)
		values[c->counters[m]] = told[m];
	return ret;
}
