#include "device/nvml.h"

#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "fake-nvml/fake_nvml.h"
#include "lib/tap.h"

KB_DEFINE_CLEANUP(nvml, struct kb_nvml *, kb_nvml_close);

static struct kb_nvml *open_fake(const char *name)
{
	struct kb_nvml *n = NULL;
	struct kb_err err = KB_ERR_INIT;

	if (kb_nvml_open_at(&n, fake_nvml_path(name), fake_nvml_uuid,
			    &err) < 0) {
		printf("# %s\n", err.msg);
		KB_BUG("cannot open the stand-in");
	}
	return n;
}

static void test_uuid_is_spelt_as_nvidia_does(void)
{
	char text[KB_NVML_UUID_SIZE];

	kb_nvml_uuid_format(text, fake_nvml_uuid);
	check_str(text, FAKE_NVML_UUID);
}

static void check_no_open(const char *path, const uint8_t uuid[16],
			  const char *want)
{
	struct kb_nvml *n = NULL;
	struct kb_err err = KB_ERR_INIT;

	check_int(kb_nvml_open_at(&n, path, uuid, &err), -KB_ERR_MISSING);
	check_str(err.msg, want);
	check(!n);
}

static void test_what_is_missing_is_named(void)
{
	static const uint8_t other[16] = { 1 };
	struct fake_nvml *fake = fake_nvml_reset(FAKE_NVML);

	check_no_open("/nonexistent/nvml.so", fake_nvml_uuid,
		      "there is no NVML: '/nonexistent/nvml.so' cannot be "
		      "loaded");
	check_no_open("libm.so.6", fake_nvml_uuid,
		      "this NVML has no 'nvmlInit_v2'");
	check_no_open(fake_nvml_path(FAKE_NVML), other,
		      "NVML does not know this device: Not Found");
	check_int(fake->users, 0);

	fake->init_result = FAKE_NVML_DRIVER_NOT_LOADED;
	check_no_open(fake_nvml_path(FAKE_NVML), fake_nvml_uuid,
		      "NVML does not start: Driver Not Loaded");
	check_int(fake->users, 0);
}

/* Whatever this machine has: no device is called that. */
static void test_no_machine_has_device_zero(void)
{
	static const uint8_t zero[16] = { 0 };
	struct kb_nvml *n = NULL;

	check_int(kb_nvml_open(&n, zero, NULL), -KB_ERR_MISSING);
	check(!n);
}

static void test_open_and_close(void)
{
	struct fake_nvml *fake = fake_nvml_reset(FAKE_NVML);
	struct kb_nvml *n = open_fake(FAKE_NVML);

	check_int(fake->users, 1);
	kb_nvml_close(n);
	check_int(fake->users, 0);
	kb_nvml_close(NULL);
}

static const struct {
	const char *symbol;
	const char *want;
} texts[KB_NVML_TEXT_COUNT] = {
	[KB_NVML_DRIVER_VERSION] = { "nvmlSystemGetDriverVersion",
				     "580.159.04" },
	[KB_NVML_LIBRARY_VERSION] = { "nvmlSystemGetNVMLVersion",
				      "13.580.159.04" },
	[KB_NVML_SERIAL] = { "nvmlDeviceGetSerial", "1650000000001" },
	[KB_NVML_VBIOS] = { "nvmlDeviceGetVbiosVersion", "96.00.A5.00.1A" },
	[KB_NVML_INFOROM] = { "nvmlDeviceGetInforomImageVersion",
			      "G520.0280.00.05" },
	[KB_NVML_BOARD_PART_NUMBER] = { "nvmlDeviceGetBoardPartNumber",
					"692-2G520-0280-001" },
	[KB_NVML_GSP_FIRMWARE] = { "nvmlDeviceGetGspFirmwareVersion",
				   "580.159.04" },
};

static const struct {
	const char *symbol;
	int64_t want;
} numbers[KB_NVML_NUMBER_COUNT] = {
	[KB_NVML_MEMORY_BUS_WIDTH_BITS] = { "nvmlDeviceGetMemoryBusWidth",
					    6144 },
	[KB_NVML_ECC] = { "nvmlDeviceGetEccMode", 1 },
	[KB_NVML_MIG] = { "nvmlDeviceGetMigMode", 0 },
	[KB_NVML_PERSISTENCE] = { "nvmlDeviceGetPersistenceMode", 1 },
	[KB_NVML_COMPUTE_MODE] = { "nvmlDeviceGetComputeMode", 0 },
	[KB_NVML_POWER_LIMIT_MW] = { "nvmlDeviceGetEnforcedPowerLimit",
				     650000 },
	[KB_NVML_POWER_DEFAULT_LIMIT_MW] =
		{ "nvmlDeviceGetPowerManagementDefaultLimit", 700000 },
	[KB_NVML_MAX_SM_CLOCK_MHZ] = { "nvmlDeviceGetMaxClockInfo", 1980 },
	[KB_NVML_MAX_MEMORY_CLOCK_MHZ] = { "nvmlDeviceGetMaxClockInfo", 3201 },
	[KB_NVML_PCIE_GENERATION] = { "nvmlDeviceGetCurrPcieLinkGeneration",
				      4 },
	[KB_NVML_PCIE_GENERATION_MAX] = { "nvmlDeviceGetMaxPcieLinkGeneration",
					  5 },
	[KB_NVML_PCIE_WIDTH] = { "nvmlDeviceGetCurrPcieLinkWidth", 16 },
	[KB_NVML_SM_CLOCK_MHZ] = { "nvmlDeviceGetClockInfo", 1755 },
	[KB_NVML_MEMORY_CLOCK_MHZ] = { "nvmlDeviceGetClockInfo", 3200 },
	[KB_NVML_TEMPERATURE_C] = { "nvmlDeviceGetTemperature", 31 },
	[KB_NVML_POWER_MW] = { "nvmlDeviceGetPowerUsage", 118042 },
};

static void check_no_text(const struct kb_nvml *n, enum kb_nvml_text which,
			  int want_ret, const char *want)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;

	check_int(kb_nvml_text(n, which, &text, &err), want_ret);
	check_str(err.msg, want);
	check_int(text.len, 0);
}

static void check_no_number(const struct kb_nvml *n, enum kb_nvml_number which,
			    int want_ret, const char *want)
{
	struct kb_err err = KB_ERR_INIT;
	int64_t value = -7;

	check_int(kb_nvml_number(n, which, &value, &err), want_ret);
	check_str(err.msg, want);
	check_int(value, -7);
}

static void test_all_that_it_tells(void)
{
	kb_auto(nvml) struct kb_nvml *n = NULL;

	fake_nvml_reset(FAKE_NVML);
	n = open_fake(FAKE_NVML);
	for (size_t i = 0; i < KB_NVML_TEXT_COUNT; i++) {
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

		check_int(kb_nvml_text(n, i, &text, NULL), 0);
		check_str(text.data, texts[i].want);
	}
	for (size_t i = 0; i < KB_NVML_NUMBER_COUNT; i++) {
		int64_t value = -7;

		check_int(kb_nvml_number(n, i, &value, NULL), 0);
		check_int(value, numbers[i].want);
	}
}

static void test_all_that_it_refuses(void)
{
	struct fake_nvml *fake = fake_nvml_reset(FAKE_NVML);
	kb_auto(nvml) struct kb_nvml *n = open_fake(FAKE_NVML);

	fake->result = FAKE_NVML_NOT_SUPPORTED;
	for (size_t i = 0; i < KB_NVML_TEXT_COUNT; i++) {
		kb_auto(mem) char *want =
			kb_xasprintf("'%s' fails: Not Supported",
				     texts[i].symbol);

		check_no_text(n, i, -KB_ERR_DEVICE, want);
	}
	for (size_t i = 0; i < KB_NVML_NUMBER_COUNT; i++) {
		kb_auto(mem) char *want =
			kb_xasprintf("'%s' fails: Not Supported",
				     numbers[i].symbol);

		check_no_number(n, i, -KB_ERR_DEVICE, want);
	}
}

static void test_texts_that_are_no_facts(void)
{
	struct fake_nvml *fake = fake_nvml_reset(FAKE_NVML);
	kb_auto(nvml) struct kb_nvml *n = open_fake(FAKE_NVML);
	char endless[200];

	fake->serial = "";
	check_no_text(n, KB_NVML_SERIAL, -KB_ERR_MISSING,
		      "'nvmlDeviceGetSerial' is empty");
	fake->serial = "caf\xc3\xa9";
	check_no_text(n, KB_NVML_SERIAL, -KB_ERR_INPUT,
		      "the first line in 'nvmlDeviceGetSerial' is not "
		      "printable ASCII");

	memset(endless, 'x', sizeof(endless) - 1);
	endless[sizeof(endless) - 1] = '\0';
	fake->serial = endless;
	{
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

		check_int(kb_nvml_text(n, KB_NVML_SERIAL, &text, NULL), 0);
		check_int(text.len, 127);
	}
}

static void test_old_library_tells_the_rest(void)
{
	struct fake_nvml *fake = fake_nvml_reset(FAKE_NVML_OLD);
	kb_auto(nvml) struct kb_nvml *n = open_fake(FAKE_NVML_OLD);
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	struct kb_nvml_sample sample;
	struct kb_err err = KB_ERR_INIT;
	uint32_t count = 7;

	check_no_text(n, KB_NVML_GSP_FIRMWARE, -KB_ERR_MISSING,
		      "this NVML has no 'nvmlDeviceGetGspFirmwareVersion'");
	check_no_number(n, KB_NVML_MIG, -KB_ERR_MISSING,
			"this NVML has no 'nvmlDeviceGetMigMode'");
	check_int(kb_nvml_processes(n, &count, &err), -KB_ERR_MISSING);
	check_str(err.msg, "this NVML has no "
		  "'nvmlDeviceGetComputeRunningProcesses_v3'");
	check_int(count, 7);

	check_int(kb_nvml_text(n, KB_NVML_SERIAL, &text, NULL), 0);
	check_str(text.data, "1650000000001");
	fake->reasons = KB_NVML_POWER_CAP;
	kb_nvml_sample(n, &sample);
	check_int(sample.reasons, KB_NVML_POWER_CAP);
}

static void test_samples(void)
{
	struct fake_nvml *fake = fake_nvml_reset(FAKE_NVML);
	kb_auto(nvml) struct kb_nvml *n = open_fake(FAKE_NVML);
	struct kb_nvml_sample s;

	fake->reasons = UINT64_C(0xffffffff00000048);
	kb_nvml_sample(n, &s);
	check_int(s.sm_clock_mhz, 1755);
	check_int(s.memory_clock_mhz, 3200);
	check_int(s.temperature_c, 31);
	check_int(s.power_mw, 118042);
	check_int(s.reasons, 0x48);

	fake->result = FAKE_NVML_GPU_IS_LOST;
	kb_nvml_sample(n, &s);
	check_int(s.sm_clock_mhz, KB_NVML_UNKNOWN);
	check_int(s.memory_clock_mhz, KB_NVML_UNKNOWN);
	check_int(s.temperature_c, KB_NVML_UNKNOWN);
	check_int(s.power_mw, KB_NVML_UNKNOWN);
	check_int(s.reasons, KB_NVML_UNKNOWN);
}

static void test_what_a_slowdown_is(void)
{
	static const struct {
		int64_t reasons;
		bool is;
	} cases[] = {
		{ KB_NVML_UNKNOWN, false }, { 0, false },
		{ 0x1, false },		/* idle */
		{ 0x2, false },		/* clocks that somebody set */
		{ 0x4, false },		/* power cap */
		{ 0x8, true }, { 0x10, false }, { 0x20, true },
		{ 0x40, true }, { 0x80, true },
		{ 0x100, false },	/* a display's clocks */
		{ 0x117, false }, { 0x84, true }, { 0x48, true },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++)
		if (kb_nvml_is_slowdown(cases[i].reasons) != cases[i].is)
			tap_fail("reasons %" PRId64, cases[i].reasons);
}

static void test_processes(void)
{
	struct fake_nvml *fake = fake_nvml_reset(FAKE_NVML);
	kb_auto(nvml) struct kb_nvml *n = open_fake(FAKE_NVML);
	uint32_t count = 7;

	check_int(kb_nvml_processes(n, &count, NULL), 0);
	check_int(count, 0);

	/* Process 1 and this one. */
	fake->pid_count = 2;
	fake->pids[0] = (unsigned)getpid();
	fake->pids[1] = 1;
	check_int(kb_nvml_processes(n, &count, NULL), 0);
	check_int(count, 1);

	fake->pid_count = FAKE_NVML_PIDS_MAX;
	check_int(kb_nvml_processes(n, &count, NULL), 0);
	check_int(count, FAKE_NVML_PIDS_MAX - 1);
}

static void test_processes_that_cannot_be_counted(void)
{
	struct fake_nvml *fake = fake_nvml_reset(FAKE_NVML);
	kb_auto(nvml) struct kb_nvml *n = open_fake(FAKE_NVML);
	struct kb_err err = KB_ERR_INIT;
	uint32_t count = 7;

	fake->wants_ever_more_room = true;
	check_int(kb_nvml_processes(n, &count, &err), -KB_ERR_DEVICE);
	check_str(err.msg, "'nvmlDeviceGetComputeRunningProcesses_v3' fails: "
		  "Insufficient Size");
	fake->result = FAKE_NVML_NOT_SUPPORTED;
	check_int(kb_nvml_processes(n, &count, &err), -KB_ERR_DEVICE);
	check_str(err.msg, "'nvmlDeviceGetComputeRunningProcesses_v3' fails: "
		  "Not Supported");
	check_int(count, 7);
}

TAP_MAIN(TAP(test_uuid_is_spelt_as_nvidia_does),
	 TAP(test_what_is_missing_is_named),
	 TAP(test_no_machine_has_device_zero), TAP(test_open_and_close),
	 TAP(test_all_that_it_tells), TAP(test_all_that_it_refuses),
	 TAP(test_texts_that_are_no_facts),
	 TAP(test_old_library_tells_the_rest), TAP(test_samples),
	 TAP(test_what_a_slowdown_is), TAP(test_processes),
	 TAP(test_processes_that_cannot_be_counted));
