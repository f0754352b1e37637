#include "device/cuda_facts.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "device/cuda.h"
#include "device/facts.h"
#include "device/match_fields.h"
#include "device/nvml.h"
#include "device/text_fact.h"
#include "json/json.h"
#include "manifest/conditions.h"
#include "store/digest.h"

/* Where facts come from. */
struct source {
	const struct kb_cuda_device *device;
	const struct kb_nvml *nvml;
	const char *why_no_nvml;
	const struct kb_cuda_facts_options *options;
};

enum form {
	NUMBER,
	SWITCH,
	COMPUTE_MODE,
};

static struct kb_json *switch_fact(int64_t value)
{
	if (value != 0 && value != 1) {
		kb_auto(mem) char *why =
			kb_xasprintf("NVML says %" PRId64
				     ", neither 0 nor 1", value);

		return kb_unavailable(why);
	}
	return kb_json_bool(value);
}

static struct kb_json *compute_mode_fact(int64_t value)
{
	static const char *const names[] = {
		"default", "exclusive_thread", "prohibited",
		"exclusive_process",
	};

	if (value >= (int64_t)KB_ARRAY_LEN(names)) {
		kb_auto(mem) char *why =
			kb_xasprintf("compute mode %" PRId64 " has no name",
				     value);

		return kb_unavailable(why);
	}
	return kb_json_string(names[value]);
}

static struct kb_json *form_fact(enum form form, int64_t value)
{
	switch (form) {
	case NUMBER:
		return kb_json_int(value);
	case SWITCH:
		return switch_fact(value);
	case COMPUTE_MODE:
		return compute_mode_fact(value);
	}
	KB_BUG("no such form");
}

static struct kb_json *text_of(const struct source *s, enum kb_nvml_text which)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;

	if (!s->nvml)
		return kb_unavailable(s->why_no_nvml);
	if (kb_nvml_text(s->nvml, which, &text, &err) < 0)
		return kb_unavailable(err.msg);
	return kb_json_string(text.data);
}

static struct kb_json *number_of(const struct source *s,
				 enum kb_nvml_number which, enum form form)
{
	struct kb_err err = KB_ERR_INIT;
	int64_t value = 0;

	if (!s->nvml)
		return kb_unavailable(s->why_no_nvml);
	if (kb_nvml_number(s->nvml, which, &value, &err) < 0)
		return kb_unavailable(err.msg);
	return form_fact(form, value);
}

static struct kb_json *other_processes(const struct source *s)
{
	struct kb_err err = KB_ERR_INIT;
	uint32_t count = 0;

	if (!s->nvml)
		return kb_unavailable(s->why_no_nvml);
	if (kb_nvml_processes(s->nvml, &count, &err) < 0)
		return kb_unavailable(err.msg);
	return kb_json_int(count);
}

/* Text of the driver, which may be hostile. */
static struct kb_json *driver_text(const char *text, const char *what)
{
	kb_auto(buf) struct kb_buf line = KB_BUF_INIT;
	struct kb_err err = KB_ERR_INIT;

	if (kb_text_fact_line(&line, text, strlen(text), what, &err) < 0)
		return kb_unavailable(err.msg);
	return kb_json_string(line.data);
}

/* An identity of this device. Takes `id`. */
static struct kb_json *salted_identity(const struct source *s, struct kb_json *id)
{
	kb_auto(mem) char *salted = NULL, *text = NULL;
	char hex[KB_DIGEST_HEX_SIZE];
	struct kb_digest digest;

	if (!s->options->salt || kb_json_type(id) != KB_JSON_STRING)
		return id;
	salted = kb_xasprintf("%s%s", s->options->salt, kb_json_string_value(id));
	kb_json_free(id);
	kb_digest_of(&digest, salted, strlen(salted));
	kb_digest_format(&digest, hex);
	text = kb_xasprintf("sha256:%s", hex);
	return kb_json_string(text);
}

static void set_version(struct kb_json *section, const char *fact, int major,
			int minor)
{
	kb_auto(mem) char *text = kb_xasprintf("%d.%d", major, minor);

	kb_json_set_string(section, fact, text);
}

static void add_driver_facts(struct kb_json *gpu, const struct source *s)
{
	const struct kb_cuda_device *d = s->device;
	char uuid[KB_NVML_UUID_SIZE];

	kb_nvml_uuid_format(uuid, d->uuid);
	kb_json_set(gpu, "name", driver_text(d->name, "cuDeviceGetName"));
	kb_json_set(gpu, "uuid", salted_identity(s, kb_json_string(uuid)));
	kb_json_set(gpu, "serial", salted_identity(s, text_of(s, KB_NVML_SERIAL)));
	kb_json_set(gpu, "pci_bus_id",
		    salted_identity(s, driver_text(d->pci_bus_id,
						   "cuDeviceGetPCIBusId")));
	set_version(gpu, "compute_capability", d->capability_major,
		    d->capability_minor);
	kb_json_set_int(gpu, "multiprocessors", d->multiprocessors);
	kb_json_set_int(gpu, "memory_bytes", (int64_t)d->memory_bytes);
	kb_json_set_int(gpu, "l2_cache_bytes", (int64_t)d->l2_cache_bytes);
}

static const struct {
	const char *fact;
	enum kb_nvml_text which;
} texts[] = {
	{ "vbios", KB_NVML_VBIOS },
	{ "inforom", KB_NVML_INFOROM },
	{ "board_part_number", KB_NVML_BOARD_PART_NUMBER },
	{ "gsp_firmware", KB_NVML_GSP_FIRMWARE },
};

static const struct {
	const char *fact;
	enum kb_nvml_number which;
	enum form form;
} numbers[] = {
	{ "memory_bus_width_bits", KB_NVML_MEMORY_BUS_WIDTH_BITS, NUMBER },
	{ "ecc", KB_NVML_ECC, SWITCH },
	{ "mig", KB_NVML_MIG, SWITCH },
	{ "persistence", KB_NVML_PERSISTENCE, SWITCH },
	{ "compute_mode", KB_NVML_COMPUTE_MODE, COMPUTE_MODE },
	{ "power_limit_mw", KB_NVML_POWER_LIMIT_MW, NUMBER },
	{ "power_default_limit_mw", KB_NVML_POWER_DEFAULT_LIMIT_MW, NUMBER },
	{ "max_sm_clock_mhz", KB_NVML_MAX_SM_CLOCK_MHZ, NUMBER },
	{ "max_memory_clock_mhz", KB_NVML_MAX_MEMORY_CLOCK_MHZ, NUMBER },
	{ "pcie_generation", KB_NVML_PCIE_GENERATION, NUMBER },
	{ "pcie_generation_max", KB_NVML_PCIE_GENERATION_MAX, NUMBER },
	{ "pcie_width", KB_NVML_PCIE_WIDTH, NUMBER },
};

static struct kb_json *gpu_section(const struct source *s)
{
	struct kb_json *v = kb_json_object();

	add_driver_facts(v, s);
	for (size_t i = 0; i < KB_ARRAY_LEN(texts); i++)
		kb_json_set(v, texts[i].fact, text_of(s, texts[i].which));
	for (size_t i = 0; i < KB_ARRAY_LEN(numbers); i++)
		kb_json_set(v, numbers[i].fact,
			    number_of(s, numbers[i].which, numbers[i].form));
	kb_json_set(v, "other_processes", other_processes(s));
	if (s->options->links)
		kb_json_set_string(v, "links", s->options->links);
	else if (s->options->why_no_links)
		kb_json_set(v, "links",
			    kb_unavailable(s->options->why_no_links));
	return v;
}

static struct kb_json *driver_section(const struct source *s)
{
	const int version = s->device->driver_version;
	struct kb_json *v = kb_json_object();

	kb_json_set(v, "version", text_of(s, KB_NVML_DRIVER_VERSION));
	set_version(v, "cuda_version", version / 1000, version % 1000 / 10);
	kb_json_set(v, "nvml_version", text_of(s, KB_NVML_LIBRARY_VERSION));
	return v;
}

static struct kb_json *device_section(const struct source *s,
				      const struct kb_json *host)
{
	struct kb_json *v = kb_json_object();

	kb_json_set_string(v, "kind", "cuda");
	kb_json_set_int(v, "memory_bytes", (int64_t)s->device->memory_bytes);
	kb_json_set(v, "host_memory_bytes",
		    kb_json_copy(kb_json_find(kb_json_find(host, "device"),
					      "memory_bytes")));
	return v;
}

struct kb_json *
kb_environment_cuda(const struct kb_cuda_device *device,
		    const struct kb_nvml *nvml, const char *why_no_nvml,
		    const struct kb_cuda_facts_options *options)
{
	const struct source s = { device, nvml, why_no_nvml, options };
	kb_auto(json) struct kb_json *host = kb_environment_cpu();
	struct kb_json *v = kb_json_object();

	kb_json_set(v, "device", device_section(&s, host));
	kb_json_set(v, "gpu", gpu_section(&s));
	kb_json_set(v, "driver", driver_section(&s));
	kb_json_set(v, "cpu", kb_json_copy(kb_json_find(host, "cpu")));
	kb_json_set(v, "os", kb_json_copy(kb_json_find(host, "os")));
	return v;
}

static const struct kb_match_field match_key[] = {
	{ "device", "kind" },
	{ "gpu", "name" },
	{ "gpu", "compute_capability" },
	{ "gpu", "multiprocessors" },
	{ "gpu", "memory_bytes" },
	{ "gpu", "ecc" },
	{ "gpu", "mig" },
	{ "gpu", "power_limit_mw" },
	{ "gpu", "max_sm_clock_mhz" },
	{ "gpu", "max_memory_clock_mhz" },
	{ "driver", "version" },
	{ "cuda", "runtime_version" },
	{ "cuda", "cublas_version" },
	{ "cuda", "cudnn_version" },
	{ "cuda", "nvcc_version" },
	{ "cpu", "vendor" },
	{ "cpu", "model" },
	{ "cpu", "cores_allowed" },
	{ "python", "version" },
	{ "torch", "version" },
	{ "torch", "cuda_version" },
	{ "torch", "precision" },
	{ "torch", "tf32" },
	{ "torch", "deterministic" },
	{ "os", "machine" },
	{ "os", "libc" },
	{ "gpu", "links" },		/* the last: of groups alone */
};

struct kb_json *kb_match_key_cuda(const struct kb_json *environment)
{
	const struct kb_json *gpu = kb_json_find(environment, "gpu");
	const bool is_group = gpu && kb_json_find(gpu, "links");

	return kb_match_fields(environment, match_key,
			       KB_ARRAY_LEN(match_key) - !is_group);
}
