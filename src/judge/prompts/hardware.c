#include "prompts/hardware.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "json/json.h"

void kb_hardware_release(struct kb_hardware *h)
{
	free(h->name);
	free(h->architecture);
	free(h->specs);
	*h = (struct kb_hardware)KB_HARDWARE_INIT;
}

static const char *text_of(const struct kb_json *v)
{
	return v && kb_json_type(v) == KB_JSON_STRING ?
		       kb_json_string_value(v) : NULL;
}

enum unit { AS_IT_IS, MIB, KIB, WATTS, MHZ, BITS };

/* The facts of kb-manifest(5) that a model can use. */
static const struct {
	const char *section, *fact, *label;
	enum unit unit;
} facts[] = {
	{ "gpu", "compute_capability", "compute capability", AS_IT_IS },
	{ "gpu", "multiprocessors", "streaming multiprocessors", AS_IT_IS },
	{ "gpu", "memory_bytes", "device memory", MIB },
	{ "gpu", "memory_bus_width_bits", "memory bus", BITS },
	{ "gpu", "l2_cache_bytes", "L2 cache", MIB },
	{ "gpu", "max_sm_clock_mhz", "highest SM clock", MHZ },
	{ "gpu", "max_memory_clock_mhz", "highest memory clock", MHZ },
	{ "gpu", "power_limit_mw", "power limit", WATTS },
	{ "driver", "cuda_version", "newest CUDA of the driver", AS_IT_IS },
	{ "cuda", "nvcc_version", "nvcc", AS_IT_IS },
	{ "torch", "triton_version", "Triton", AS_IT_IS },
	{ "torch", "version", "PyTorch", AS_IT_IS },
};

static const struct {
	const char *fact, *label;
	enum unit unit;
} cpu_facts[] = {
	{ "cores_allowed", "cores", AS_IT_IS },
	{ "l1d_cache_bytes", "L1 data cache", KIB },
	{ "l2_cache_bytes", "L2 cache", KIB },
	{ "l3_cache_bytes", "L3 cache", KIB },
};

static const struct kb_json *find_fact(const struct kb_json *environment,
				       const char *section, const char *name)
{
	const struct kb_json *s = kb_json_find(environment, section);

	return s && kb_json_type(s) == KB_JSON_OBJECT ? kb_json_find(s, name)
						      : NULL;
}

static void add_number(struct kb_buf *out, int64_t n, enum unit unit)
{
	switch (unit) {
	case MIB:
		kb_buf_addf(out, "%" PRId64 " MiB", n >> 20);
		break;
	case KIB:
		kb_buf_addf(out, "%" PRId64 " KiB", n >> 10);
		break;
	case WATTS:
		kb_buf_addf(out, "%" PRId64 " W", n / 1000);
		break;
	case MHZ:
		kb_buf_addf(out, "%" PRId64 " MHz", n);
		break;
	case BITS:
		kb_buf_addf(out, "%" PRId64 " bits", n);
		break;
	case AS_IT_IS:
		kb_buf_addf(out, "%" PRId64, n);
	}
}

/* Leave out unreadable facts. */
static void add_fact(struct kb_buf *out, const char *label,
		     const struct kb_json *v, enum unit unit)
{
	const bool is_int = v && kb_json_type(v) == KB_JSON_INT;

	if (!is_int && !text_of(v))
		return;
	kb_buf_addf(out, "%s- %s: ", out->len ? "\n" : "", label);
	if (is_int)
		add_number(out, kb_json_int_value(v), unit);
	else
		kb_buf_addstr(out, text_of(v));
}

static char *or_unknown(const char *text)
{
	return kb_xstrdup(text ? text : "unknown");
}

static void read_gpu_facts(struct kb_hardware *h,
			   const struct kb_json *environment)
{
	const char *capability = text_of(find_fact(environment, "gpu",
						   "compute_capability"));
	kb_auto(buf) struct kb_buf specs = KB_BUF_INIT;

	for (size_t i = 0; i < KB_ARRAY_LEN(facts); i++)
		add_fact(&specs, facts[i].label,
			 find_fact(environment, facts[i].section, facts[i].fact),
			 facts[i].unit);
	h->name = or_unknown(text_of(find_fact(environment, "gpu", "name")));
	h->architecture = capability ?
		kb_xasprintf("compute capability %s", capability) :
		or_unknown(NULL);
	h->specs = kb_buf_detach(&specs);
}

static void read_cpu_facts(struct kb_hardware *h,
			   const struct kb_json *environment)
{
	kb_auto(buf) struct kb_buf specs = KB_BUF_INIT;

	for (size_t i = 0; i < KB_ARRAY_LEN(cpu_facts); i++)
		add_fact(&specs, cpu_facts[i].label,
			 find_fact(environment, "cpu", cpu_facts[i].fact),
			 cpu_facts[i].unit);
	add_fact(&specs, "C compiler",
		 find_fact(environment, "compiler", "version"), AS_IT_IS);
	h->name = or_unknown(text_of(find_fact(environment, "cpu", "model")));
	h->architecture = or_unknown(text_of(find_fact(environment, "os",
						       "machine")));
	h->specs = kb_buf_detach(&specs);
}

void kb_hardware_of_environment(struct kb_hardware *h,
				const struct kb_json *environment)
{
	const char *kind = text_of(find_fact(environment, "device", "kind"));

	*h = (struct kb_hardware)KB_HARDWARE_INIT;
	if (kind && !strcmp(kind, "cuda"))
		read_gpu_facts(h, environment);
	else
		read_cpu_facts(h, environment);
}
