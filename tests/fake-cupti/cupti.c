/*
 * A stand-in for CUPTI's range profiler, of the chip FAKE100: the functions of
 * cuda/cupti_api.h, with the signatures of that table. It hears of launches
 * from the stand-in for the driver, if that is in the process, and counts a
 * thousand of everything for each kernel, and half of what is a share.
 *
 * FAKE_CUPTI, or where that is not handed on a file fake-cupti beside this
 * library, has words "SYMBOL=RESULT", a function that fails and how, or "abort";
 * "METRIC=0", one that the chip lacks; "METRIC=N", what it counts; "passes=N";
 * "calls=N", so often a call has to be made; "graph=each", a range for each
 * kernel of a graph and not one for all; and "launches=A,B", kernels that are
 * launched in each call without any driver, where "graph:N" is a graph of N.
 *
 * As CUPTI 13.0 it crashes if it is asked for more when it could not be
 * started.
 */

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/cupti_api.h"
#include "fake-cuda/listener.h"

#define DECLARE(member, symbol, arguments)				\
	kb_cupti_result fake_##member arguments __asm__(symbol)		\
		__attribute__((visibility("default")));
KB_CUPTI_FUNCTIONS(DECLARE)
#undef DECLARE

#define INVALID_PARAMETER 1
#define INVALID_OPERATION 7
#define CONFIG_BYTES 7
#define RANGE_BYTES 8
#define TEXT_BYTES 4096

struct kb_cupti_host_st {
	size_t metrics;
};

struct kb_cupti_ranges_st {
	size_t ranges, ranges_max;
	int calls;
	bool is_set, is_started;
};

static struct kb_cupti_ranges_st profiler;
static kb_cu_context context;
static kb_cupti_callback *callback;
static void *callback_user;
static bool is_heard[1024];		/* by the number of a function */
static bool is_broken;

/* --- what it is told to do ------------------------------------------ */

static void read_file(char *text)
{
	char path[TEXT_BYTES + 16];
	Dl_info here;
	size_t n = 0;
	FILE *f;

	if (!dladdr((void *)read_file, &here))
		return;
	snprintf(path, sizeof(path), "%.*sfake-cupti",
		 (int)(strrchr(here.dli_fname, '/') + 1 - here.dli_fname),
		 here.dli_fname);
	f = fopen(path, "r");
	if (f) {
		n = fread(text, 1, TEXT_BYTES - 1, f);
		fclose(f);
	}
	text[n] = '\0';
}

/* The value of `name`, up to a blank; NULL if nothing is said of it. */
static const char *told(const char *name)
{
	static char text[TEXT_BYTES];
	const char *own = getenv("FAKE_CUPTI");
	const size_t len = strlen(name);

	if (own)
		snprintf(text, sizeof(text), "%s", own);
	else
		read_file(text);
	for (const char *p = text; *p; p += strcspn(p, " \n")) {
		p += strspn(p, " \n");
		if (!strncmp(p, name, len) && p[len] == '=')
			return p + len + 1;
	}
	return NULL;
}

static kb_cupti_result result_of(const char *symbol, bool makes_sense)
{
	const char *result = told(symbol);

	if (is_broken || (result && *result == 'a'))
		abort();
	if (result)
		return atoi(result);
	return makes_sense ? KB_CUPTI_SUCCESS : INVALID_PARAMETER;
}

/* --- what it is ----------------------------------------------------- */

kb_cupti_result fake_GetVersion(uint32_t *version)
{
	*version = 130001;
	return result_of("cuptiGetVersion", true);
}

kb_cupti_result fake_GetResultString(kb_cupti_result result, const char **text)
{
	switch (result) {
	case INVALID_PARAMETER:
		*text = "CUPTI_ERROR_INVALID_PARAMETER";
		break;
	case 999:
		*text = "CUPTI_ERROR_UNKNOWN";
		break;
	case KB_CUPTI_INSUFFICIENT_PRIVILEGES:
		*text = "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES";
		break;
	default:
		return INVALID_PARAMETER;
	}
	return KB_CUPTI_SUCCESS;
}

kb_cupti_result fake_ProfilerInitialize(struct kb_cupti_initialize *a)
{
	kb_cupti_result result =
		result_of("cuptiProfilerInitialize", a->size == 16);

	is_broken = result;
	return result;
}

kb_cupti_result fake_DeviceGetChipName(struct kb_cupti_chip_name *a)
{
	a->name = "FAKE100";
	return result_of("cuptiDeviceGetChipName", !a->device);
}

/* --- callbacks ------------------------------------------------------ */

kb_cupti_result fake_Subscribe(kb_cupti_subscriber *subscriber,
			       kb_cupti_callback *f, void *user)
{
	kb_cupti_result result = result_of("cuptiSubscribe", !callback);

	if (result)
		return result;
	callback = f;
	callback_user = user;
	*subscriber = (kb_cupti_subscriber)&callback;
	return KB_CUPTI_SUCCESS;
}

kb_cupti_result fake_Unsubscribe(kb_cupti_subscriber subscriber)
{
	callback = NULL;
	return result_of("cuptiUnsubscribe",
			 subscriber == (kb_cupti_subscriber)&callback);
}

kb_cupti_result fake_EnableCallback(uint32_t enable,
				    kb_cupti_subscriber subscriber, int domain,
				    uint32_t id)
{
	const bool makes_sense = subscriber && id < 1024 &&
				 domain == KB_CUPTI_DRIVER_API;

	if (makes_sense)
		is_heard[id] = enable;
	return result_of("cuptiEnableCallback", makes_sense);
}

static void tell(uint32_t id, int site, const char *symbol)
{
	const struct kb_cupti_call call = {
		.site = site, .function = "", .symbol = symbol,
		.context = context,
	};

	if (callback && is_heard[id])
		callback(callback_user, KB_CUPTI_DRIVER_API, id, &call);
}

/* A range for each launch of the first call; in later ones they are the same. */
static void on_launch(uint32_t id, const char *symbol, size_t kernels)
{
	tell(id, KB_CUPTI_ENTER, symbol);
	if (profiler.is_started && !profiler.calls)
		profiler.ranges += told("graph") ? kernels : 1;
	tell(id, !KB_CUPTI_ENTER, symbol);
}

static void listen(fake_cuda_listener *listener)
{
	void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
	fake_cuda_listener **place =
		driver ? dlsym(driver, FAKE_CUDA_LISTENER) : NULL;

	if (place)
		*place = listener;
}

static void launch_told(void)
{
	const char *names = told("launches");
	char name[64];
	size_t n;

	for (; names && *names && *names != ' '; names += n) {
		names += *names == ',';
		n = strcspn(names, ", \n");
		snprintf(name, sizeof(name), "%.*s", (int)n, names);
		if (!strncmp(name, "graph:", 6))
			on_launch(KB_CUPTI_GRAPH_LAUNCH, NULL,
				  (size_t)atoi(name + 6));
		else
			on_launch(KB_CUPTI_LAUNCH_KERNEL, name, 1);
	}
}

/* --- what is to be counted ------------------------------------------ */

kb_cupti_result fake_HostInitialize(struct kb_cupti_host_initialize *a)
{
	a->host = calloc(1, sizeof(*a->host));
	return result_of("cuptiProfilerHostInitialize",
			 a->size == 48 && !strcmp(a->chip, "FAKE100"));
}

kb_cupti_result fake_HostDeinitialize(struct kb_cupti_host_deinitialize *a)
{
	free(a->host);
	return result_of("cuptiProfilerHostDeinitialize", true);
}

kb_cupti_result fake_HostConfigAddMetrics(struct kb_cupti_add_metrics *a)
{
	for (size_t i = 0; i < a->name_count; i++)
		if (told(a->names[i]) && !atoi(told(a->names[i])))
			return INVALID_PARAMETER;
	a->host->metrics += a->name_count;
	return result_of("cuptiProfilerHostConfigAddMetrics", a->name_count);
}

kb_cupti_result fake_HostGetConfigImageSize(struct kb_cupti_config_size *a)
{
	a->bytes = CONFIG_BYTES;
	return result_of("cuptiProfilerHostGetConfigImageSize",
			 a->host->metrics);
}

kb_cupti_result fake_HostGetConfigImage(struct kb_cupti_config *a)
{
	memset(a->config, 'c', CONFIG_BYTES);
	return result_of("cuptiProfilerHostGetConfigImage",
			 a->bytes == CONFIG_BYTES);
}

kb_cupti_result fake_HostGetNumOfPasses(struct kb_cupti_passes *a)
{
	const char *passes = told("passes");

	a->count = passes ? (size_t)atoi(passes) : 2;
	return result_of("cuptiProfilerHostGetNumOfPasses",
			 a->bytes == CONFIG_BYTES && a->config[0] == 'c');
}

/* --- counting ------------------------------------------------------- */

kb_cupti_result fake_RangeProfilerEnable(struct kb_cupti_enable *a)
{
	profiler = (struct kb_cupti_ranges_st){ .ranges = 0 };
	context = a->context;
	a->ranges = &profiler;
	listen(on_launch);
	return result_of("cuptiRangeProfilerEnable", a->context);
}

kb_cupti_result fake_RangeProfilerDisable(struct kb_cupti_plain *a)
{
	listen(NULL);
	return result_of("cuptiRangeProfilerDisable", a->ranges == &profiler);
}

kb_cupti_result
fake_RangeProfilerGetCounterDataSize(struct kb_cupti_data_size *a)
{
	a->bytes = a->ranges_max * RANGE_BYTES;
	return result_of("cuptiRangeProfilerGetCounterDataSize",
			 a->nodes_max >= a->ranges_max && a->name_count);
}

kb_cupti_result fake_RangeProfilerCounterDataImageInitialize(
	struct kb_cupti_data_initialize *a)
{
	memset(a->data, 'd', a->bytes);
	return result_of("cuptiRangeProfilerCounterDataImageInitialize", true);
}

kb_cupti_result fake_RangeProfilerSetConfig(struct kb_cupti_set_config *a)
{
	profiler.is_set = true;
	profiler.ranges_max = a->ranges_max;
	return result_of("cuptiRangeProfilerSetConfig",
			 a->size == 90 && a->config[0] == 'c' &&
			 a->data[0] == 'd' && a->nesting_levels == 1 &&
			 a->range == KB_CUPTI_AUTO_RANGE &&
			 a->data_bytes == a->ranges_max * RANGE_BYTES);
}

kb_cupti_result fake_RangeProfilerStart(struct kb_cupti_plain *a)
{
	if (!a->ranges->is_set || a->ranges->is_started)
		return INVALID_OPERATION;
	a->ranges->is_started = true;
	return result_of("cuptiRangeProfilerStart", true);
}

/* Kernels are run again where they are launched: one call is all. */
kb_cupti_result fake_RangeProfilerStop(struct kb_cupti_stop *a)
{
	const char *calls = told("calls");

	if (!a->ranges->is_started)
		return INVALID_OPERATION;
	launch_told();
	a->ranges->is_started = false;
	a->ranges->calls++;
	a->is_last = a->ranges->calls >= (calls ? atoi(calls) : 1);
	return result_of("cuptiRangeProfilerStop", a->size == 41);
}

kb_cupti_result fake_RangeProfilerDecodeData(struct kb_cupti_decode *a)
{
	struct kb_cupti_ranges_st *p = a->ranges;

	a->dropped_count = p->ranges > p->ranges_max ?
		p->ranges - p->ranges_max : 0;
	p->ranges -= a->dropped_count;
	return result_of("cuptiRangeProfilerDecodeData", p->calls);
}

kb_cupti_result
fake_RangeProfilerGetCounterDataInfo(struct kb_cupti_data_info *a)
{
	a->range_count = profiler.ranges;
	return result_of("cuptiRangeProfilerGetCounterDataInfo",
			 a->data[0] == 'd');
}

static double value_of(const char *metric)
{
	const char *value = told(metric);

	if (value)
		return atof(value);
	return strstr(metric, ".pct_") ? 50 : 1000;
}

kb_cupti_result fake_HostEvaluateToGpuValues(struct kb_cupti_evaluate *a)
{
	for (size_t i = 0; i < a->name_count; i++)
		a->values[i] = value_of(a->names[i]);
	return result_of("cuptiProfilerHostEvaluateToGpuValues",
			 a->range < profiler.ranges && a->data[0] == 'd');
}
