#include "device/cuda_facts.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "device/cuda.h"
#include "device/facts.h"
#include "device/match_key.h"
#include "device/nvml.h"
#include "fake-nvml/fake_nvml.h"
#include "json/json.h"
#include "lib/records.h"
#include "lib/tap.h"

KB_DEFINE_CLEANUP(nvml, struct kb_nvml *, kb_nvml_close);

static const struct kb_cuda_facts_options plain = { .salt = NULL };
static const struct kb_cuda_facts_options salted = { .salt = "pepper" };

static struct kb_cuda_device known_device(void)
{
	struct kb_cuda_device d = {
		.name = "NVIDIA H200",
		.pci_bus_id = "0000:18:00.0",
		.driver_version = 13010,
		.capability_major = 9, .capability_minor = 0,
		.multiprocessors = 132,
		.memory_bytes = UINT64_C(150110011392),
		.l2_cache_bytes = 62914560,
	};

	memcpy(d.uuid, fake_nvml_uuid, sizeof(d.uuid));
	return d;
}

static struct kb_nvml *open_fake(const char *name)
{
	struct kb_nvml *n = NULL;

	if (kb_nvml_open_at(&n, fake_nvml_path(name), fake_nvml_uuid,
			    NULL) < 0)
		KB_BUG("cannot open the stand-in");
	return n;
}

static void check_section(const struct kb_json *environment,
			  const char *section, const char *want)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	kb_json_print(&text, kb_json_find(environment, section));
	check_str(text.data, want);
}

static const struct kb_json *fact(const struct kb_json *environment,
				  const char *section, const char *name)
{
	return kb_json_find(kb_json_find(environment, section), name);
}

static void check_text(const struct kb_json *environment, const char *section,
		       const char *name, const char *want)
{
	check_str(kb_json_string_value(fact(environment, section, name)),
		  want);
}

static void check_reason(const struct kb_json *environment,
			 const char *section, const char *name,
			 const char *want)
{
	const struct kb_json *v = fact(environment, section, name);

	if (kb_json_type(v) != KB_JSON_OBJECT)
		tap_fail("%s.%s is there", section, name);
	else
		check_str(kb_json_string_value(kb_json_find(v, "unavailable")),
			  want);
}

static void test_everything_known(void)
{
	struct kb_cuda_device device = known_device();
	kb_auto(nvml) struct kb_nvml *n = NULL;
	kb_auto(json) struct kb_json *v = NULL;

	fake_nvml_reset(FAKE_NVML);
	n = open_fake(FAKE_NVML);
	v = kb_environment_cuda(&device, n, NULL, &plain);
	check_section(v, "gpu",
		      "{\"board_part_number\":\"692-2G520-0280-001\","
		      "\"compute_capability\":\"9.0\","
		      "\"compute_mode\":\"default\",\"ecc\":true,"
		      "\"gsp_firmware\":\"580.159.04\","
		      "\"inforom\":\"G520.0280.00.05\","
		      "\"l2_cache_bytes\":62914560,"
		      "\"max_memory_clock_mhz\":3201,"
		      "\"max_sm_clock_mhz\":1980,"
		      "\"memory_bus_width_bits\":6144,"
		      "\"memory_bytes\":150110011392,\"mig\":false,"
		      "\"multiprocessors\":132,\"name\":\"NVIDIA H200\","
		      "\"other_processes\":0,\"pci_bus_id\":\"0000:18:00.0\","
		      "\"pcie_generation\":4,\"pcie_generation_max\":5,"
		      "\"pcie_width\":16,\"persistence\":true,"
		      "\"power_default_limit_mw\":700000,"
		      "\"power_limit_mw\":650000,\"serial\":\"1650000000001\","
		      "\"uuid\":\"" FAKE_NVML_UUID "\","
		      "\"vbios\":\"96.00.A5.00.1A\"}");
	check_section(v, "driver",
		      "{\"cuda_version\":\"13.1\","
		      "\"nvml_version\":\"13.580.159.04\","
		      "\"version\":\"580.159.04\"}");
	check_text(v, "device", "kind", "cuda");
	check_int(kb_json_int_value(fact(v, "device", "memory_bytes")),
		  150110011392);
	check_int(kb_json_type(fact(v, "device", "host_memory_bytes")),
		  KB_JSON_INT);
	check_int(kb_json_type(fact(v, "cpu", "cores_allowed")), KB_JSON_INT);
	check_int(kb_json_type(fact(v, "os", "kernel")), KB_JSON_STRING);
	check_int(kb_json_count(v), 5);
}

/* Of all that only NVML tells. */
static const char *const of_nvml[] = {
	"serial", "vbios", "inforom", "board_part_number", "gsp_firmware",
	"memory_bus_width_bits", "ecc", "mig", "persistence", "compute_mode",
	"power_limit_mw", "power_default_limit_mw", "max_sm_clock_mhz",
	"max_memory_clock_mhz", "pcie_generation", "pcie_generation_max",
	"pcie_width", "other_processes",
};

static void test_no_nvml(void)
{
	struct kb_cuda_device device = known_device();
	struct kb_err err = KB_ERR_INIT;
	struct kb_nvml *n = NULL;
	kb_auto(json) struct kb_json *v = NULL;

	check_int(kb_nvml_open_at(&n, "/nonexistent", device.uuid, &err),
		  -KB_ERR_MISSING);
	v = kb_environment_cuda(&device, NULL, err.msg, &salted);
	for (size_t i = 0; i < KB_ARRAY_LEN(of_nvml); i++)
		check_reason(v, "gpu", of_nvml[i],
			     "there is no NVML: '/nonexistent' cannot be "
			     "loaded");
	check_reason(v, "driver", "version",
		     "there is no NVML: '/nonexistent' cannot be loaded");
	check_reason(v, "driver", "nvml_version",
		     "there is no NVML: '/nonexistent' cannot be loaded");
	check_text(v, "driver", "cuda_version", "13.1");
	check_text(v, "gpu", "name", "NVIDIA H200");
	check_int(kb_json_count(kb_json_find(v, "gpu")),
		  7 + KB_ARRAY_LEN(of_nvml));
}

static void test_device_that_nvml_does_not_know(void)
{
	struct kb_cuda_device device = known_device();
	struct kb_err err = KB_ERR_INIT;
	struct kb_nvml *n = NULL;
	kb_auto(json) struct kb_json *v = NULL;

	device.uuid[0] = 0xff;
	check_int(kb_nvml_open_at(&n, fake_nvml_path(FAKE_NVML), device.uuid,
				  &err), -KB_ERR_MISSING);
	v = kb_environment_cuda(&device, NULL, err.msg, &plain);
	check_reason(v, "gpu", "ecc",
		     "NVML does not know this device: Not Found");
	check_text(v, "gpu", "uuid", "GPU-ff234567-89ab-cdef-1032-547698badcfe");
}

static void test_old_nvml(void)
{
	struct kb_cuda_device device = known_device();
	kb_auto(nvml) struct kb_nvml *n = NULL;
	kb_auto(json) struct kb_json *v = NULL;

	fake_nvml_reset(FAKE_NVML_OLD);
	n = open_fake(FAKE_NVML_OLD);
	v = kb_environment_cuda(&device, n, NULL, &plain);
	check_reason(v, "gpu", "gsp_firmware",
		     "this NVML has no 'nvmlDeviceGetGspFirmwareVersion'");
	check_reason(v, "gpu", "mig",
		     "this NVML has no 'nvmlDeviceGetMigMode'");
	check_reason(v, "gpu", "other_processes",
		     "this NVML has no "
		     "'nvmlDeviceGetComputeRunningProcesses_v3'");
	check_text(v, "gpu", "serial", "1650000000001");
	check(kb_json_bool_value(fact(v, "gpu", "ecc")));
}

static void test_what_nvml_refuses_has_a_reason(void)
{
	struct kb_cuda_device device = known_device();
	struct fake_nvml *fake = fake_nvml_reset(FAKE_NVML);
	kb_auto(nvml) struct kb_nvml *n = open_fake(FAKE_NVML);
	kb_auto(json) struct kb_json *v = NULL;

	fake->result = FAKE_NVML_GPU_IS_LOST;
	v = kb_environment_cuda(&device, n, NULL, &salted);
	check_reason(v, "gpu", "serial",
		     "'nvmlDeviceGetSerial' fails: GPU is lost");
	check_reason(v, "gpu", "ecc",
		     "'nvmlDeviceGetEccMode' fails: GPU is lost");
	check_reason(v, "gpu", "other_processes",
		     "'nvmlDeviceGetComputeRunningProcesses_v3' fails: "
		     "GPU is lost");
	check_reason(v, "driver", "version",
		     "'nvmlSystemGetDriverVersion' fails: GPU is lost");
}

static void test_values_without_a_meaning_have_a_reason(void)
{
	static const char *const modes[] = {
		"default", "exclusive_thread", "prohibited",
		"exclusive_process",
	};
	struct kb_cuda_device device = known_device();
	struct fake_nvml *fake = fake_nvml_reset(FAKE_NVML);
	kb_auto(nvml) struct kb_nvml *n = open_fake(FAKE_NVML);
	kb_auto(json) struct kb_json *v = NULL;

	for (unsigned i = 0; i < KB_ARRAY_LEN(modes); i++) {
		kb_auto(json) struct kb_json *e = NULL;

		fake->compute_mode = i;
		e = kb_environment_cuda(&device, n, NULL, &plain);
		check_text(e, "gpu", "compute_mode", modes[i]);
	}
	fake->compute_mode = 4;
	fake->ecc = 2;
	strcpy(device.name, "\x1b[1m");
	strcpy(device.pci_bus_id, "");
	v = kb_environment_cuda(&device, n, NULL, &salted);
	check_reason(v, "gpu", "compute_mode", "compute mode 4 has no name");
	check_reason(v, "gpu", "ecc", "NVML says 2, neither 0 nor 1");
	check_reason(v, "gpu", "name",
		     "the first line in 'cuDeviceGetName' is not printable "
		     "ASCII");
	check_reason(v, "gpu", "pci_bus_id",
		     "'cuDeviceGetPCIBusId' is empty");
}

/* As printf %s%s pepper VALUE | sha256sum says. */
static void test_salted_identity(void)
{
	struct kb_cuda_device device = known_device();
	kb_auto(nvml) struct kb_nvml *n = NULL;
	kb_auto(json) struct kb_json *v = NULL;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	fake_nvml_reset(FAKE_NVML);
	n = open_fake(FAKE_NVML);
	v = kb_environment_cuda(&device, n, NULL, &salted);
	check_text(v, "gpu", "uuid",
		   "sha256:29801f2c3b40a7dd0dc2133c5c31b19c"
		   "2da84bd3071d279f8c95695def87f846");
	check_text(v, "gpu", "serial",
		   "sha256:a820b51a5944ff79ec983b87b13056af"
		   "f93e0f67bff9b1014de305cb0d914c4a");
	check_text(v, "gpu", "pci_bus_id",
		   "sha256:117228e5d5035774dcab962f1c096ec1"
		   "aa86ca545c7f07f35d64f422488085a2");

	kb_json_print(&text, v);
	check(!strstr(text.data, FAKE_NVML_UUID));
	check(!strstr(text.data, "1650000000001"));
	check(!strstr(text.data, "0000:18:00.0"));
}

/* Reasons go into records too. */
static void test_salted_identity_is_not_in_reasons(void)
{
	struct kb_cuda_device device = known_device();
	struct kb_err err = KB_ERR_INIT;
	struct kb_nvml *n = NULL;
	kb_auto(json) struct kb_json *v = NULL;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	device.uuid[0] = 0xff;
	check_int(kb_nvml_open_at(&n, fake_nvml_path(FAKE_NVML), device.uuid,
				  &err), -KB_ERR_MISSING);
	v = kb_environment_cuda(&device, NULL, err.msg, &salted);
	kb_json_print(&text, v);
	check(!strstr(text.data, "89ab-cdef"));
}

static void test_match_key_is_flat_and_complete(void)
{
	static const char environment[] =
		"{\"device\":{\"kind\":\"cuda\",\"memory_bytes\":7},"
		"\"gpu\":{\"name\":\"NVIDIA H200\",\"uuid\":\"U\","
		"\"compute_capability\":\"9.0\",\"multiprocessors\":132,"
		"\"memory_bytes\":150110011392,\"ecc\":true,\"mig\":false,"
		"\"power_limit_mw\":650000,\"max_sm_clock_mhz\":1980,"
		"\"max_memory_clock_mhz\":3201,\"pcie_generation\":4},"
		"\"driver\":{\"version\":{\"unavailable\":\"why\"}},"
		"\"cuda\":{\"runtime_version\":\"13.0\","
		"\"cublas_version\":\"13.0.2\",\"cudnn_version\":91002,"
		"\"nvcc_version\":{\"unavailable\":\"there is no nvcc\"}},"
		"\"cpu\":{\"vendor\":\"V\",\"model\":\"M\",\"cores_allowed\":4,"
		"\"governor\":\"performance\"},"
		"\"os\":{\"kernel\":\"6.1\",\"machine\":\"x86_64\","
		"\"libc\":\"glibc 2.39\"},"
		"\"python\":{\"unavailable\":\"not used\"},"
		"\"torch\":{\"version\":\"2.11.0+cu130\","
		"\"cuda_version\":\"13.0\",\"precision\":\"fp32\","
		"\"tf32\":false}}";
	kb_auto(json) struct kb_json *v = NULL, *key = NULL;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	check_int(kb_json_parse(&v, environment, strlen(environment),
				KB_JSON_OURS, "x", NULL), 0);
	key = kb_match_key_cuda(v);
	kb_json_print(&text, key);
	check_str(text.data,
		  "{\"cpu.cores_allowed\":\"4\",\"cpu.model\":\"M\","
		  "\"cpu.vendor\":\"V\",\"cuda.cublas_version\":\"13.0.2\","
		  "\"cuda.cudnn_version\":\"91002\","
		  "\"cuda.nvcc_version\":\"unavailable\","
		  "\"cuda.runtime_version\":\"13.0\","
		  "\"device.kind\":\"cuda\",\"driver.version\":\"unavailable\","
		  "\"gpu.compute_capability\":\"9.0\",\"gpu.ecc\":\"true\","
		  "\"gpu.max_memory_clock_mhz\":\"3201\","
		  "\"gpu.max_sm_clock_mhz\":\"1980\","
		  "\"gpu.memory_bytes\":\"150110011392\",\"gpu.mig\":\"false\","
		  "\"gpu.multiprocessors\":\"132\","
		  "\"gpu.name\":\"NVIDIA H200\","
		  "\"gpu.power_limit_mw\":\"650000\","
		  "\"os.libc\":\"glibc 2.39\",\"os.machine\":\"x86_64\","
		  "\"python.version\":\"unavailable\","
		  "\"torch.cuda_version\":\"13.0\","
		  "\"torch.deterministic\":\"not recorded\","
		  "\"torch.precision\":\"fp32\",\"torch.tf32\":\"false\","
		  "\"torch.version\":\"2.11.0+cu130\"}");
}

static bool is_part_of_a_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool says(const char *page, const char *name)
{
	const size_t len = strlen(name);

	for (const char *p = page; (p = strstr(p, name)); p += len)
		if (p > page && !is_part_of_a_name(p[-1]) &&
		    !is_part_of_a_name(p[len]))
			return true;
	return false;
}

static void check_says_keys(const char *file, const struct kb_json *object)
{
	const char *root = getenv("KB_SRC") ? getenv("KB_SRC") : ".";
	kb_auto(mem) char *path = kb_xasprintf("%s/%s", root, file);
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	check_int(kb_file_read(&text, AT_FDCWD, path, 1 << 20, NULL), 0);
	for (const struct kb_json *v = kb_json_first(object); v;
	     v = kb_json_next(v))
		if (!says(text.data, kb_json_key(v)))
			tap_fail("%s does not say '%s'", file, kb_json_key(v));
}

static void test_facts_and_key_are_listed(void)
{
	static const char page[] = "doc/kb-manifest.5";
	struct kb_cuda_device device = known_device();
	kb_auto(json) struct kb_json *v = kb_environment_cuda(&device, NULL,
							      "x", &plain);
	kb_auto(json) struct kb_json *cuda = kb_match_key_cuda(v);
	kb_auto(json) struct kb_json *cpu = kb_match_key_cpu(v);

	for (const struct kb_json *s = kb_json_first(v); s; s = kb_json_next(s))
		check_says_keys("manifests/members.tsv", s);
	check_says_keys(page, v);
	check_says_keys(page, cuda);
	check_says_keys(page, cpu);
}

/* What only candidates are written in changes no baseline's times. */
static void test_no_language_of_candidates_is_in_a_key(void)
{
	kb_auto(json) struct kb_json *policy = record_parse("{\"threads\":1}");
	kb_auto(json) struct kb_json *v = record_parse(
		"{\"device\":{\"kind\":\"cuda\"},\"torch\":{"
		"\"version\":\"2.11.0\",\"triton_version\":\"3.6.0\","
		"\"tilelang_version\":\"0.1\"}}");
	kb_auto(json) struct kb_json *key = kb_match_key_of(v, policy);

	check_str(kb_json_string_value(kb_json_find(key, "torch.version")),
		  "2.11.0");
	check(!kb_json_find(key, "torch.triton_version"));
	check(!kb_json_find(key, "torch.tilelang_version"));
}

TAP_MAIN(TAP(test_everything_known), TAP(test_no_nvml),
	 TAP(test_device_that_nvml_does_not_know), TAP(test_old_nvml),
	 TAP(test_what_nvml_refuses_has_a_reason),
	 TAP(test_values_without_a_meaning_have_a_reason),
	 TAP(test_salted_identity), TAP(test_salted_identity_is_not_in_reasons),
	 TAP(test_match_key_is_flat_and_complete),
	 TAP(test_facts_and_key_are_listed),
	 TAP(test_no_language_of_candidates_is_in_a_key));
