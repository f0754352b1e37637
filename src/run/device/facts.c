#include "device/facts.h"

#include <errno.h>
#include <gnu/libc-version.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "device/match_fields.h"
#include "device/sys_fact.h"
#include "json/json.h"
#include "manifest/conditions.h"
#include "manifest/provenance.h"

#define CPU_DIR "/sys/devices/system/cpu/"

static struct kb_json *cores_online(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? kb_unavailable("sysconf does not say") : kb_json_int(n);
}

/* Fails where there are more cores than a cpu_set_t has bits. */
static struct kb_json *cores_allowed(void)
{
	cpu_set_t allowed;

	if (sched_getaffinity(0, sizeof(allowed), &allowed) < 0)
		return kb_unavailable(strerror(errno));
	return kb_json_int(CPU_COUNT(&allowed));
}

/* Intel's driver has a switch of its own, the other way round. */
static struct kb_json *boost_fact(const char *root)
{
	struct kb_json *v = kb_sys_fact_switch(root, CPU_DIR
					       "intel_pstate/no_turbo", "0",
					       "1");

	if (kb_json_type(v) == KB_JSON_BOOL)
		return v;
	kb_json_free(v);
	return kb_sys_fact_switch(root, CPU_DIR "cpufreq/boost", "1", "0");
}

static struct kb_json *load_average_milli(void)
{
	double load;

	if (getloadavg(&load, 1) != 1)
		return kb_unavailable("getloadavg does not say");
	return kb_json_int((int64_t)(load * 1000 + 0.5));
}

/* When these facts were taken, in the form of KB_TIME_EXAMPLE: the beginning of
 * the run that records them. */
static struct kb_json *begun_utc(void)
{
	const time_t now = time(NULL);
	char text[sizeof(KB_TIME_EXAMPLE)];
	struct tm utc;

	if (!gmtime_r(&now, &utc) ||
	    !strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc))
		return kb_unavailable("the clock is beyond the year 9999");
	return kb_json_string(text);
}

static struct kb_json *device_section(const char *root)
{
	struct kb_json *v = kb_json_object();

	kb_json_set_string(v, "kind", "cpu");
	kb_json_set(v, "memory_bytes",
		    kb_sys_fact_field_kb(root, "/proc/meminfo", "MemTotal"));
	return v;
}

enum { VENDOR, MODEL };

/* As the first core describes itself: on x86, and on Arm, where vendor and model
 * are numbers. */
static const struct {
	const char *fact;
	const char *field, *arm_field;
} cpuinfo[] = {
	[VENDOR] = { "vendor", "vendor_id", "CPU implementer" },
	[MODEL] = { "model", "model name", "CPU part" },
	{ "family", "cpu family", "CPU architecture" },
	{ "model_number", "model", "CPU part" },
	{ "stepping", "stepping", "CPU revision" },
	{ "microcode", "microcode", NULL },
};

/* Arm's numbers of cores in servers, by their technical reference manuals and by
 * Linux's asm/cputype.h. Others stay numbers. */
static const struct {
	const char *implementer, *part, *vendor, *model;
} arm_cores[] = {
	{ "0x41", "0xd0c", "Arm", "Neoverse-N1" },
	{ "0x41", "0xd40", "Arm", "Neoverse-V1" },
	{ "0x41", "0xd49", "Arm", "Neoverse-N2" },
	{ "0x41", "0xd4f", "Arm", "Neoverse-V2" },
	{ "0x41", "0xd84", "Arm", "Neoverse-V3" },
	{ "0x41", "0xd8e", "Arm", "Neoverse-N3" },
	{ "0x4e", "0x010", "NVIDIA", "Olympus" },
};

static bool is_text(const struct kb_json *v, const char *text)
{
	return kb_json_type(v) == KB_JSON_STRING &&
	       !strcmp(kb_json_string_value(v), text);
}

/* Replace numbers that have a name. */
static void name_arm_core(struct kb_json **vendor, struct kb_json **model)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(arm_cores); i++) {
		if (!is_text(*vendor, arm_cores[i].implementer) ||
		    !is_text(*model, arm_cores[i].part))
			continue;
		kb_json_free(*vendor);
		kb_json_free(*model);
		*vendor = kb_json_string(arm_cores[i].vendor);
		*model = kb_json_string(arm_cores[i].model);
		return;
	}
}

static struct kb_json *cpuinfo_fact(const char *root, const char *field,
				    const char *arm_field)
{
	struct kb_json *v = kb_sys_fact_field(root, "/proc/cpuinfo", field);
	struct kb_json *arm;

	if (kb_json_type(v) == KB_JSON_STRING || !arm_field)
		return v;
	arm = kb_sys_fact_field(root, "/proc/cpuinfo", arm_field);
	if (kb_json_type(arm) != KB_JSON_STRING) {
		kb_json_free(arm);
		return v;
	}
	kb_json_free(v);
	return arm;
}

static struct kb_json *cpu_section(const char *root)
{
	struct kb_json *facts[KB_ARRAY_LEN(cpuinfo)], *v = kb_json_object();

	for (size_t i = 0; i < KB_ARRAY_LEN(cpuinfo); i++)
		facts[i] = cpuinfo_fact(root, cpuinfo[i].field,
					cpuinfo[i].arm_field);
	name_arm_core(&facts[VENDOR], &facts[MODEL]);
	for (size_t i = 0; i < KB_ARRAY_LEN(cpuinfo); i++)
		kb_json_set(v, cpuinfo[i].fact, facts[i]);
	kb_json_set(v, "cores_online", cores_online());
	kb_json_set(v, "cores_allowed", cores_allowed());
	kb_json_set(v, "smt",
		    kb_sys_fact_switch(root, CPU_DIR "smt/active", "1", "0"));
	kb_json_set(v, "l1d_cache_bytes", kb_sys_fact_cache_bytes(root, "1"));
	kb_json_set(v, "l2_cache_bytes", kb_sys_fact_cache_bytes(root, "2"));
	kb_json_set(v, "l3_cache_bytes", kb_sys_fact_cache_bytes(root, "3"));
	kb_json_set(v, "governor",
		    kb_sys_fact_line(root, CPU_DIR
				     "cpu0/cpufreq/scaling_governor"));
	kb_json_set(v, "boost", boost_fact(root));
	kb_json_set(v, "max_clock_khz",
		    kb_sys_fact_number(root, CPU_DIR
				       "cpu0/cpufreq/cpuinfo_max_freq"));
	return v;
}

static struct kb_json *os_section(const char *root)
{
	kb_auto(mem) char *libc = kb_xasprintf("glibc %s",
					       gnu_get_libc_version());
	struct kb_json *v = kb_json_object();
	struct utsname u;

	if (uname(&u) < 0)
		KB_BUG("uname fails only for a bad address");
	kb_json_set_string(v, "kernel", u.release);
	kb_json_set_string(v, "machine", u.machine);
	kb_json_set_int(v, "page_bytes", sysconf(_SC_PAGESIZE));
	kb_json_set(v, "distribution",
		    kb_sys_fact_variable(root, "/etc/os-release",
					 "PRETTY_NAME"));
	kb_json_set_string(v, "libc", libc);
	kb_json_set(v, "transparent_hugepages",
		    kb_sys_fact_line(root,
				     "/sys/kernel/mm/transparent_hugepage/enabled"));
	kb_json_set(v, "load_average_1min_milli", load_average_milli());
	kb_json_set(v, "begun_utc", begun_utc());
	return v;
}

struct kb_json *kb_environment_cpu_at(const char *root)
{
	struct kb_json *v = kb_json_object();

	kb_json_set(v, "device", device_section(root));
	kb_json_set(v, "cpu", cpu_section(root));
	kb_json_set(v, "os", os_section(root));
	return v;
}

struct kb_json *kb_environment_cpu(void)
{
	return kb_environment_cpu_at("");
}

static const struct kb_match_field match_key[] = {
	{ "device", "kind" },
	{ "cpu", "vendor" },
	{ "cpu", "model" },
	{ "cpu", "cores_allowed" },
	{ "cpu", "smt" },
	{ "cpu", "governor" },
	{ "cpu", "boost" },
	{ "os", "machine" },
	{ "os", "libc" },
	{ "python", "version" },
	{ "torch", "version" },
	{ "torch", "threads_count" },
	{ "compiler", "version" },
};

struct kb_json *kb_match_key_cpu(const struct kb_json *environment)
{
	return kb_match_fields(environment, match_key,
			       KB_ARRAY_LEN(match_key));
}
