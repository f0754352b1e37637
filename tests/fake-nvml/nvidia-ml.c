/* See fake_nvml.h. FAKE_NVML_IS_OLD leaves out what older drivers lack. */

#include "fake-nvml/fake_nvml.h"

#include <stddef.h>
#include <stdlib.h>

#define INVALID_ARGUMENT 2
#define NOT_FOUND 6
#define INSUFFICIENT_SIZE 7

struct fake_nvml_process {
	unsigned pid;
	unsigned long long used_bytes;
	unsigned gpu_instance, compute_instance;
};

extern struct fake_nvml fake_nvml;
struct fake_nvml fake_nvml = FAKE_NVML_INIT;

static int device;
static char name_end[3];		/* of what it was found by */

#define FUNCTION(name, ...) int name(__VA_ARGS__); int name(__VA_ARGS__)

FUNCTION(nvmlInit_v2, void)
{
	fake_nvml.users += !fake_nvml.init_result;
	return fake_nvml.init_result;
}

FUNCTION(nvmlShutdown, void)
{
	fake_nvml.users--;
	return 0;
}

const char *nvmlErrorString(int result);
const char *nvmlErrorString(int result)
{
	switch (result) {
	case INVALID_ARGUMENT:
		return "Invalid Argument";
	case FAKE_NVML_NOT_SUPPORTED:
		return "Not Supported";
	case FAKE_NVML_NO_PERMISSION:
		return "Insufficient Permissions";
	case NOT_FOUND:
		return "Not Found";
	case INSUFFICIENT_SIZE:
		return "Insufficient Size";
	case FAKE_NVML_DRIVER_NOT_LOADED:
		return "Driver Not Loaded";
	case FAKE_NVML_GPU_IS_LOST:
		return "GPU is lost";
	case FAKE_NVML_RESET_REQUIRED:
		return "GPU requires reset";
	default:
		return "Unknown Error";
	}
}

FUNCTION(nvmlDeviceGetHandleByUUID, const char *uuid, void **d)
{
	const char *too = getenv("FAKE_NVML_UUID");

	if (strcmp(uuid, FAKE_NVML_UUID) && !(too && !strncmp(uuid, too, strlen(too))))
		return NOT_FOUND;
	snprintf(name_end, sizeof(name_end), "%s", uuid + strlen(uuid) - 2);
	*d = &device;
	return 0;
}

static int tell_text(char *out, size_t size, const char *text)
{
	if (fake_nvml.result)
		return fake_nvml.result;
	snprintf(out, size, "%s", text);
	return 0;
}

static int tell(const void *d, unsigned *out, unsigned value)
{
	if (d != &device)
		return INVALID_ARGUMENT;
	if (!fake_nvml.result)
		*out = value;
	return fake_nvml.result;
}

#define SYSTEM_TEXT(name, text)						\
	FUNCTION(name, char *out, unsigned size)			\
	{								\
		return tell_text(out, size, text);			\
	}								\
	struct fake_nvml

static const char *board(void)
{
	const char *told = getenv("FAKE_NVML_BOARD");

	return told ? told : "692-2G520-0280-001";
}

#define DEVICE_TEXT(name, text)						\
	FUNCTION(name, const void *d, char *out, unsigned size)		\
	{								\
		return d == &device ? tell_text(out, size, text)	\
				    : INVALID_ARGUMENT;			\
	}								\
	struct fake_nvml

#define VALUE(name, value)						\
	FUNCTION(name, const void *d, unsigned *out)			\
	{								\
		return tell(d, out, value);				\
	}								\
	struct fake_nvml

#define VALUE_AND_PENDING(name, value)					\
	FUNCTION(name, const void *d, unsigned *out, unsigned *pending)	\
	{								\
		*pending = 7;						\
		return tell(d, out, value);				\
	}								\
	struct fake_nvml

#define VALUE_OF_KIND(name, first, second, third)			\
	FUNCTION(name, const void *d, int kind, unsigned *out)		\
	{								\
		static const unsigned values[] = { first, second, third }; \
									\
		return kind < 0 || kind > 2				\
			? INVALID_ARGUMENT : tell(d, out, values[kind]); \
	}								\
	struct fake_nvml

SYSTEM_TEXT(nvmlSystemGetDriverVersion, "580.159.04");
SYSTEM_TEXT(nvmlSystemGetNVMLVersion, "13.580.159.04");
DEVICE_TEXT(nvmlDeviceGetSerial, fake_nvml.serial);
DEVICE_TEXT(nvmlDeviceGetVbiosVersion, "96.00.A5.00.1A");
DEVICE_TEXT(nvmlDeviceGetInforomImageVersion, "G520.0280.00.05");
DEVICE_TEXT(nvmlDeviceGetBoardPartNumber, board());
VALUE(nvmlDeviceGetMemoryBusWidth, 6144);
VALUE_AND_PENDING(nvmlDeviceGetEccMode, fake_nvml.ecc);
VALUE(nvmlDeviceGetPersistenceMode, 1);
VALUE(nvmlDeviceGetComputeMode, fake_nvml.compute_mode);
VALUE(nvmlDeviceGetEnforcedPowerLimit, 650000);
VALUE(nvmlDeviceGetPowerManagementDefaultLimit, 700000);
VALUE_OF_KIND(nvmlDeviceGetMaxClockInfo, 1, 1980, 3201);
VALUE_OF_KIND(nvmlDeviceGetClockInfo, 2, 1755, 3200);
VALUE(nvmlDeviceGetCurrPcieLinkGeneration, 4);
VALUE(nvmlDeviceGetMaxPcieLinkGeneration, 5);
VALUE(nvmlDeviceGetCurrPcieLinkWidth, 16);
VALUE_OF_KIND(nvmlDeviceGetTemperature, 31, 3, 4);
VALUE(nvmlDeviceGetPowerUsage, 118042);

static int tell_reasons(const void *d, unsigned long long *out)
{
	if (d != &device)
		return INVALID_ARGUMENT;
	if (!fake_nvml.result)
		*out = fake_nvml.reasons;
	return fake_nvml.result;
}

static unsigned long long errors(void)
{
	const char *bad = getenv("FAKE_NVML_BAD");
	static int looks;

	looks++;
	if (bad && !strncmp(bad, name_end, 2) && looks >= atoi(bad + 3))
		return fake_nvml.errors + 1;
	return fake_nvml.errors;
}

FUNCTION(nvmlDeviceGetTotalEccErrors, const void *d, int type, int counter,
	 unsigned long long *out)
{
	if (d != &device || type != 1 || counter)
		return INVALID_ARGUMENT;
	if (!fake_nvml.result)
		*out = errors();
	return fake_nvml.result;
}

struct fake_nvml_data {
	void *device;
	unsigned long long type, data;
};

FUNCTION(nvmlEventSetCreate, void **set)
{
	*set = &fake_nvml.sets;
	fake_nvml.sets += !fake_nvml.set_result;
	return fake_nvml.set_result;
}

FUNCTION(nvmlEventSetFree, void *set)
{
	fake_nvml.sets -= set == &fake_nvml.sets;
	return 0;
}

FUNCTION(nvmlDeviceRegisterEvents, const void *d, unsigned long long types,
	 void *set)
{
	if (d != &device || set != &fake_nvml.sets || types != FAKE_NVML_XID_EVENT)
		return INVALID_ARGUMENT;
	return fake_nvml.register_result;
}

/* The Xid of the environment, by how often there were no more. */
static unsigned long long xid_of_environment(void)
{
	const char *xid = getenv("FAKE_NVML_XID");
	static unsigned looks;
	static bool is_told;
	unsigned by, number;

	if (xid && !is_told && !strncmp(xid, name_end, 2) &&
	    sscanf(xid + 3, "%u:%u", &by, &number) == 2 && looks + 1 >= by) {
		is_told = true;
		return number;
	}
	looks++;
	return 0;
}

static int wait_for_event(void *set, struct fake_nvml_data *e,
			  unsigned timeout_ms)
{
	unsigned long long xid;

	if (set != &fake_nvml.sets || timeout_ms)
		return INVALID_ARGUMENT;
	if (fake_nvml.wait_result)
		return fake_nvml.wait_result;
	*e = (struct fake_nvml_data){ .device = &device };
	if (fake_nvml.event_count) {
		e->type = fake_nvml.events[0].type;
		e->data = fake_nvml.events[0].data;
		if (fake_nvml.has_endless_events)
			return 0;
		memmove(fake_nvml.events, fake_nvml.events + 1,
			--fake_nvml.event_count * sizeof(*fake_nvml.events));
		return 0;
	}
	xid = xid_of_environment();
	if (!xid)
		return FAKE_NVML_TIMEOUT;
	e->type = FAKE_NVML_XID_EVENT;
	e->data = xid;
	return 0;
}

VALUE(nvmlDeviceGetRetiredPagesPendingStatus, fake_nvml.pages_pending);

#ifdef FAKE_NVML_IS_OLD

FUNCTION(nvmlEventSetWait, void *set, struct fake_nvml_data *e,
	 unsigned timeout_ms)
{
	return wait_for_event(set, e, timeout_ms);
}

FUNCTION(nvmlDeviceGetCurrentClocksThrottleReasons, const void *d,
	 unsigned long long *out)
{
	return tell_reasons(d, out);
}

#else

FUNCTION(nvmlEventSetWait_v2, void *set, struct fake_nvml_data *e,
	 unsigned timeout_ms)
{
	return wait_for_event(set, e, timeout_ms);
}

FUNCTION(nvmlDeviceGetCurrentClocksEventReasons, const void *d,
	 unsigned long long *out)
{
	return tell_reasons(d, out);
}

VALUE_AND_PENDING(nvmlDeviceGetMigMode, 0);

FUNCTION(nvmlDeviceGetRemappedRows, const void *d, unsigned *corrected,
	 unsigned *uncorrected, unsigned *pending, unsigned *failed)
{
	if (d != &device)
		return INVALID_ARGUMENT;
	*corrected = *uncorrected = 0;
	*pending = fake_nvml.rows_pending;
	*failed = fake_nvml.rows_failed;
	return fake_nvml.result ? fake_nvml.result : fake_nvml.rows_result;
}

FUNCTION(nvmlDeviceGetGspFirmwareVersion, const void *d, char *out)
{
	return d == &device ? tell_text(out, 64, "580.159.04")
			    : INVALID_ARGUMENT;
}

FUNCTION(nvmlDeviceGetComputeRunningProcesses_v3, const void *d,
	 unsigned *count, struct fake_nvml_process *list)
{
	const unsigned room = *count;

	if (d != &device)
		return INVALID_ARGUMENT;
	if (fake_nvml.result)
		return fake_nvml.result;
	*count = fake_nvml.pid_count;
	if (fake_nvml.wants_ever_more_room || room < fake_nvml.pid_count)
		return INSUFFICIENT_SIZE;
	for (unsigned i = 0; i < fake_nvml.pid_count; i++)
		list[i] = (struct fake_nvml_process){ .pid = fake_nvml.pids[i] };
	return 0;
}

struct gpm_support {
	unsigned version, is_supported;
};

struct gpm_metric {
	unsigned id;
	int result;
	double value;
	char *texts[3];
};

struct gpm_metrics {
	unsigned version, count;
	void *first, *second;
	struct gpm_metric metrics[];
};

FUNCTION(nvmlGpmQueryDeviceSupport, const void *d, struct gpm_support *out)
{
	if (d != &device || out->version != 1)
		return INVALID_ARGUMENT;
	out->is_supported = !fake_nvml.gpm_is_unsupported;
	return fake_nvml.gpm_query_result;
}

/* A sample is the number of the reading, from 1. */
FUNCTION(nvmlGpmSampleAlloc, void **out)
{
	if (fake_nvml.gpm_alloc_result)
		return fake_nvml.gpm_alloc_result;
	*out = calloc(1, sizeof(unsigned));
	fake_nvml.gpm_samples++;
	return 0;
}

FUNCTION(nvmlGpmSampleFree, void *sample)
{
	free(sample);
	fake_nvml.gpm_samples--;
	return 0;
}

FUNCTION(nvmlGpmSampleGet, const void *d, void *sample)
{
	static unsigned readings;
	const char *answer = getenv("FAKE_NVML_GPM");

	if (answer)
		return atoi(answer);
	if (d != &device || !sample)
		return INVALID_ARGUMENT;
	if (!fake_nvml.gpm_sample_result)
		*(unsigned *)sample = ++readings;
	return fake_nvml.gpm_sample_result;
}

static void tell_metric(struct gpm_metric *m)
{
	m->result = m->id == fake_nvml.gpm_id_refused ?
		FAKE_NVML_NOT_SUPPORTED : 0;
	m->value = m->id == fake_nvml.gpm_id_wild ? fake_nvml.gpm_wild
						  : m->id + 0.25;
}

/* An interval goes from one reading to the very next. */
FUNCTION(nvmlGpmMetricsGet, struct gpm_metrics *q)
{
	const unsigned *first = q->first, *second = q->second;

	if (q->version != 1 || !*first || *first + 1 != *second)
		return INVALID_ARGUMENT;
	for (unsigned i = 0; i < q->count; i++)
		tell_metric(&q->metrics[i]);
	return fake_nvml.gpm_metrics_result;
}

#endif
