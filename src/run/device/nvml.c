#include "device/nvml.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/hex.h"
#include "device/nvml_internal.h"
#include "device/text_fact.h"

/*
 * The library's binary interface, which NVIDIA keeps compatible (NVML API
 * Reference). Every function returns 0 or an error.
 */
typedef kb_nvml_result result;
typedef struct nvml_device_st *device;

#define SUCCESS 0
#define INSUFFICIENT_SIZE 7

#define TEXT_MAX_BYTES 128

/* No library has this many; one that wants more room is broken. */
#define PROCESSES_MAX 65536

struct process {
	unsigned pid;
	unsigned long long used_bytes;
	unsigned gpu_instance, compute_instance;
};

enum shape {
	OF_SYSTEM,		/* (text, size) */
	OF_DEVICE,		/* (device, text, size) */
	OF_DEVICE_UNSIZED,	/* (device, text) */
	VALUE,			/* (device, &value) */
	VALUE_AND_PENDING,	/* (device, &value, &after the next reset) */
	VALUE_OF_KIND,		/* (device, kind, &value) */
};

#define CLOCK_SM 1
#define CLOCK_MEMORY 2
#define SENSOR_GPU 0

struct function {
	const char *symbol;
	enum shape shape;
	int kind;
};

static const struct function texts[KB_NVML_TEXT_COUNT] = {
	[KB_NVML_DRIVER_VERSION] =
		{ "nvmlSystemGetDriverVersion", OF_SYSTEM, 0 },
	[KB_NVML_LIBRARY_VERSION] =
		{ "nvmlSystemGetNVMLVersion", OF_SYSTEM, 0 },
	[KB_NVML_SERIAL] = { "nvmlDeviceGetSerial", OF_DEVICE, 0 },
	[KB_NVML_VBIOS] = { "nvmlDeviceGetVbiosVersion", OF_DEVICE, 0 },
	[KB_NVML_INFOROM] =
		{ "nvmlDeviceGetInforomImageVersion", OF_DEVICE, 0 },
	[KB_NVML_BOARD_PART_NUMBER] =
		{ "nvmlDeviceGetBoardPartNumber", OF_DEVICE, 0 },
	[KB_NVML_GSP_FIRMWARE] =
		{ "nvmlDeviceGetGspFirmwareVersion", OF_DEVICE_UNSIZED, 0 },
};

static const struct function numbers[KB_NVML_NUMBER_COUNT] = {
	[KB_NVML_MEMORY_BUS_WIDTH_BITS] =
		{ "nvmlDeviceGetMemoryBusWidth", VALUE, 0 },
	[KB_NVML_ECC] = { "nvmlDeviceGetEccMode", VALUE_AND_PENDING, 0 },
	[KB_NVML_MIG] = { "nvmlDeviceGetMigMode", VALUE_AND_PENDING, 0 },
	[KB_NVML_PERSISTENCE] = { "nvmlDeviceGetPersistenceMode", VALUE, 0 },
	[KB_NVML_COMPUTE_MODE] = { "nvmlDeviceGetComputeMode", VALUE, 0 },
	[KB_NVML_POWER_LIMIT_MW] =
		{ "nvmlDeviceGetEnforcedPowerLimit", VALUE, 0 },
	[KB_NVML_POWER_DEFAULT_LIMIT_MW] =
		{ "nvmlDeviceGetPowerManagementDefaultLimit", VALUE, 0 },
	[KB_NVML_MAX_SM_CLOCK_MHZ] =
		{ "nvmlDeviceGetMaxClockInfo", VALUE_OF_KIND, CLOCK_SM },
	[KB_NVML_MAX_MEMORY_CLOCK_MHZ] =
		{ "nvmlDeviceGetMaxClockInfo", VALUE_OF_KIND, CLOCK_MEMORY },
	[KB_NVML_PCIE_GENERATION] =
		{ "nvmlDeviceGetCurrPcieLinkGeneration", VALUE, 0 },
	[KB_NVML_PCIE_GENERATION_MAX] =
		{ "nvmlDeviceGetMaxPcieLinkGeneration", VALUE, 0 },
	[KB_NVML_PCIE_WIDTH] =
		{ "nvmlDeviceGetCurrPcieLinkWidth", VALUE, 0 },
	[KB_NVML_SM_CLOCK_MHZ] =
		{ "nvmlDeviceGetClockInfo", VALUE_OF_KIND, CLOCK_SM },
	[KB_NVML_MEMORY_CLOCK_MHZ] =
		{ "nvmlDeviceGetClockInfo", VALUE_OF_KIND, CLOCK_MEMORY },
	[KB_NVML_TEMPERATURE_C] =
		{ "nvmlDeviceGetTemperature", VALUE_OF_KIND, SENSOR_GPU },
	[KB_NVML_POWER_MW] = { "nvmlDeviceGetPowerUsage", VALUE, 0 },
};

struct kb_nvml {
	void *library;
	bool started;
	device device;
	const char *(*error_string)(result r);
	void *texts[KB_NVML_TEXT_COUNT];	/* NULL: it has no such */
	void *numbers[KB_NVML_NUMBER_COUNT];
	result (*reasons)(device d, unsigned long long *reasons);
	result (*processes)(device d, unsigned *count, struct process *list);
};

static const char *const libraries[] = {
	"libnvidia-ml.so.1",
	/* NixOS keeps the driver where no loader looks. */
	"/run/opengl-driver/lib/libnvidia-ml.so.1",
};

void kb_nvml_uuid_format(char out[KB_NVML_UUID_SIZE], const uint8_t uuid[16])
{
	char hex[2 * 16 + 1];

	kb_hex_format(hex, uuid, 16);
	snprintf(out, KB_NVML_UUID_SIZE, "GPU-%.8s-%.4s-%.4s-%.4s-%.12s", hex,
		 hex + 8, hex + 12, hex + 16, hex + 20);
}

void *kb_nvml_symbol(const struct kb_nvml *n, const char *symbol)
{
	return dlsym(n->library, symbol);
}

void *kb_nvml_handle(const struct kb_nvml *n)
{
	return n->device;
}

int kb_nvml_too_old(struct kb_err *err, const char *symbol)
{
	return kb_err(err, KB_ERR_MISSING, "this NVML has no '%s'", symbol);
}

int kb_nvml_refused(struct kb_err *err, const struct kb_nvml *n,
		    const char *symbol, result r)
{
	return kb_err(err, KB_ERR_DEVICE, "'%s' fails: %s", symbol,
		      n->error_string(r));
}

int kb_nvml_has_nvlink(const struct kb_nvml *a, const struct kb_nvml *b,
		       bool *has, struct kb_err *err)
{
	/* NVML_P2P_CAPS_INDEX_NVLINK; a status of 0 is NVML_P2P_STATUS_OK. */
	enum { NVLINK = 2 };
	static const char symbol[] = "nvmlDeviceGetP2PStatus";
	result (*ask)(device x, device y, int index, int *status) =
		kb_nvml_symbol(a, symbol);
	int status = -1;
	result r;

	if (!ask)
		return kb_nvml_too_old(err, symbol);
	r = ask(a->device, b->device, NVLINK, &status);
	if (r != SUCCESS)
		return kb_nvml_refused(err, a, symbol, r);
	*has = !status;
	return 0;
}

static int init_library(struct kb_nvml *n, struct kb_err *err)
{
	result (*init)(void) = dlsym(n->library, "nvmlInit_v2");
	result r;

	n->error_string = dlsym(n->library, "nvmlErrorString");
	if (!init)
		return kb_nvml_too_old(err, "nvmlInit_v2");
	if (!n->error_string)
		return kb_nvml_too_old(err, "nvmlErrorString");
	r = init();
	if (r != SUCCESS)
		return kb_err(err, KB_ERR_MISSING, "NVML does not start: %s",
			      n->error_string(r));
	n->started = true;
	return 0;
}

static int find_device(struct kb_nvml *n, const uint8_t uuid[16],
		       struct kb_err *err)
{
	static const char symbol[] = "nvmlDeviceGetHandleByUUID";
	result (*find)(const char *uuid, device *d) = dlsym(n->library, symbol);
	char text[KB_NVML_UUID_SIZE];
	result r;

	if (!find)
		return kb_nvml_too_old(err, symbol);
	kb_nvml_uuid_format(text, uuid);
	r = find(text, &n->device);
	if (r != SUCCESS)	/* not named: reasons go into records */
		return kb_err(err, KB_ERR_MISSING,
			      "NVML does not know this device: %s",
			      n->error_string(r));
	return 0;
}

static void find_functions(struct kb_nvml *n)
{
	for (size_t i = 0; i < KB_NVML_TEXT_COUNT; i++)
		n->texts[i] = dlsym(n->library, texts[i].symbol);
	for (size_t i = 0; i < KB_NVML_NUMBER_COUNT; i++)
		n->numbers[i] = dlsym(n->library, numbers[i].symbol);
	n->processes = dlsym(n->library,
			     "nvmlDeviceGetComputeRunningProcesses_v3");
	n->reasons = dlsym(n->library,
			   "nvmlDeviceGetCurrentClocksEventReasons");
	if (!n->reasons)	/* its name before driver 535 */
		n->reasons = dlsym(n->library,
				   "nvmlDeviceGetCurrentClocksThrottleReasons");
}

/* Takes ownership of `library`, also on failure. */
static int open_library(struct kb_nvml **out, void *library,
			const uint8_t uuid[16], struct kb_err *err)
{
	struct kb_nvml *n = kb_xcalloc(1, sizeof(*n));
	int ret;

	n->library = library;
	ret = init_library(n, err);
	if (ret >= 0)
		ret = find_device(n, uuid, err);
	if (ret < 0) {
		kb_nvml_close(n);
		return ret;
	}
	find_functions(n);
	*out = n;
	return 0;
}

static int open_first(struct kb_nvml **out, const char *const paths[],
		      size_t count, const uint8_t uuid[16], struct kb_err *err)
{
	void *library = NULL;

	for (size_t i = 0; i < count && !library; i++)
		/* Loaded and not linked: these programs run where there is no
		 * NVIDIA driver, too. */
		library = dlopen(paths[i], RTLD_NOW | RTLD_LOCAL);
	if (!library)
		return kb_err(err, KB_ERR_MISSING,
			      "there is no NVML: '%s' cannot be loaded",
			      paths[0]);
	return open_library(out, library, uuid, err);
}

int kb_nvml_open_at(struct kb_nvml **out, const char *path,
		    const uint8_t uuid[16], struct kb_err *err)
{
	return open_first(out, &path, 1, uuid, err);
}

int kb_nvml_open(struct kb_nvml **out, const uint8_t uuid[16],
		 struct kb_err *err)
{
	return open_first(out, libraries, KB_ARRAY_LEN(libraries), uuid, err);
}

void kb_nvml_close(struct kb_nvml *n)
{
	result (*stop)(void);

	if (!n)
		return;
	stop = dlsym(n->library, "nvmlShutdown");
	if (n->started && stop)
		(void)stop();
	dlclose(n->library);
	free(n);
}

static result call_text(const struct kb_nvml *n, enum kb_nvml_text which,
			char text[TEXT_MAX_BYTES])
{
	void *const f = n->texts[which];

	switch (texts[which].shape) {
	case OF_SYSTEM:
		return ((result (*)(char *, unsigned))f)(text, TEXT_MAX_BYTES);
	case OF_DEVICE:
		return ((result (*)(device, char *, unsigned))f)(
			n->device, text, TEXT_MAX_BYTES);
	case OF_DEVICE_UNSIZED:	/* 64 bytes at most */
		return ((result (*)(device, char *))f)(n->device, text);
	default:
		KB_BUG("the function does not give a text");
	}
}

int kb_nvml_text(const struct kb_nvml *n, enum kb_nvml_text which,
		 struct kb_buf *out, struct kb_err *err)
{
	const char *const symbol = texts[which].symbol;
	char text[TEXT_MAX_BYTES] = "";
	result r;

	if (!n->texts[which])
		return kb_nvml_too_old(err, symbol);
	r = call_text(n, which, text);
	if (r != SUCCESS)
		return kb_nvml_refused(err, n, symbol, r);
	return kb_text_fact_line(out, text, strnlen(text, sizeof(text)),
				 symbol, err);
}

static result call_number(const struct kb_nvml *n, enum kb_nvml_number which,
			  unsigned *value)
{
	void *const f = n->numbers[which];
	unsigned pending;

	switch (numbers[which].shape) {
	case VALUE:
		return ((result (*)(device, unsigned *))f)(n->device, value);
	case VALUE_AND_PENDING:
		return ((result (*)(device, unsigned *, unsigned *))f)(
			n->device, value, &pending);
	case VALUE_OF_KIND:
		return ((result (*)(device, int, unsigned *))f)(
			n->device, numbers[which].kind, value);
	default:
		KB_BUG("the function does not give a number");
	}
}

int kb_nvml_number(const struct kb_nvml *n, enum kb_nvml_number which,
		   int64_t *out, struct kb_err *err)
{
	unsigned value = 0;
	result r;

	if (!n->numbers[which])
		return kb_nvml_too_old(err, numbers[which].symbol);
	r = call_number(n, which, &value);
	if (r != SUCCESS)
		return kb_nvml_refused(err, n, numbers[which].symbol, r);
	*out = value;
	return 0;
}

static uint32_t count_others(const struct process list[], unsigned count)
{
	const unsigned self = (unsigned)getpid();
	uint32_t others = 0;

	for (unsigned i = 0; i < count; i++)
		others += list[i].pid != self;
	return others;
}

/* The caller frees `*list`, whatever is returned. */
static int list_processes(const struct kb_nvml *n, struct process **list,
			  unsigned *count, struct kb_err *err)
{
	static const char symbol[] = "nvmlDeviceGetComputeRunningProcesses_v3";
	unsigned room = 8, filled;
	result r;

	if (!n->processes)
		return kb_nvml_too_old(err, symbol);
	do {
		room *= 2;
		*list = kb_xreallocarray(*list, room, sizeof(**list));
		filled = room;
		r = n->processes(n->device, &filled, *list);
	} while (r == INSUFFICIENT_SIZE && room < PROCESSES_MAX);
	if (r != SUCCESS)
		return kb_nvml_refused(err, n, symbol, r);
	*count = filled < room ? filled : room;
	return 0;
}

int kb_nvml_processes(const struct kb_nvml *n, uint32_t *count,
		      struct kb_err *err)
{
	kb_auto(mem) struct process *list = NULL;
	unsigned all = 0;
	int ret = list_processes(n, &list, &all, err);

	if (ret >= 0)
		*count = count_others(list, all);
	return ret;
}

int kb_nvml_dead_processes(const struct kb_nvml *n, int64_t *count,
			   struct kb_err *err)
{
	kb_auto(mem) struct process *list = NULL;
	unsigned all = 0;
	int ret = list_processes(n, &list, &all, err);

	if (ret < 0)
		return ret;
	/* The list has numbers of the driver's PID namespace. If our own is not
	 * among them they may be other processes' here, and kill(2) would tell
	 * of those. */
	*count = count_others(list, all) == all ? KB_NVML_UNKNOWN : 0;
	for (unsigned i = 0; i < all && *count != KB_NVML_UNKNOWN; i++)
		*count += kill((pid_t)list[i].pid, 0) < 0 && errno == ESRCH;
	return 0;
}

static int64_t number_or_unknown(const struct kb_nvml *n,
				 enum kb_nvml_number which)
{
	int64_t value = KB_NVML_UNKNOWN;

	(void)kb_nvml_number(n, which, &value, NULL);
	return value;
}

/* Bits that no driver has yet are left out rather than taken for a sign. */
static int64_t reasons_or_unknown(const struct kb_nvml *n)
{
	unsigned long long reasons = 0;

	if (!n->reasons || n->reasons(n->device, &reasons) != SUCCESS)
		return KB_NVML_UNKNOWN;
	return (int64_t)(reasons & UINT32_MAX);
}

void kb_nvml_sample(const struct kb_nvml *n, struct kb_nvml_sample *out)
{
	*out = (struct kb_nvml_sample){
		.sm_clock_mhz = number_or_unknown(n, KB_NVML_SM_CLOCK_MHZ),
		.memory_clock_mhz =
			number_or_unknown(n, KB_NVML_MEMORY_CLOCK_MHZ),
		.temperature_c = number_or_unknown(n, KB_NVML_TEMPERATURE_C),
		.power_mw = number_or_unknown(n, KB_NVML_POWER_MW),
		.reasons = reasons_or_unknown(n),
	};
}

bool kb_nvml_is_slowdown(int64_t reasons)
{
	const int64_t bits = KB_NVML_HARDWARE_SLOWDOWN |
			     KB_NVML_SOFTWARE_THERMAL |
			     KB_NVML_HARDWARE_THERMAL | KB_NVML_POWER_BRAKE;

	return reasons != KB_NVML_UNKNOWN && (reasons & bits);
}
