#include "device/facts.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "device/text_fact.h"
#include "json/json.h"
#include "lib/scratch.h"
#include "lib/tap.h"
#include "manifest/conditions.h"

/* What was asked for: a field, a variable, or the first line (NULL). */
static const struct {
	const char *text;
	const char *key;
	int ret;
	const char *want;	/* the value or the message */
} fields[] = {
	{ "", "model", -KB_ERR_MISSING, "'x' has no field 'model'" },
	{ "model\t\t: 17\n", "model", 0, "17" },
	{ "model name: a\nmodel: b\nmodel: c\n", "model", 0, "b" },
	{ "model name\t: AMD  EPYC \n", "model name", 0, "AMD  EPYC" },
	{ "Model: 1\nmodels: 2\n", "model", -KB_ERR_MISSING,
	  "'x' has no field 'model'" },
	{ "url: http://a:b\n", "url", 0, "http://a:b" },
	{ "model: last line", "model", 0, "last line" },
	{ "model\n", "model", -KB_ERR_MISSING, "'x' has no field 'model'" },
	{ "model:\n", "model", -KB_ERR_INPUT,
	  "model in 'x' is not printable ASCII" },
	{ "model: caf\xc3\xa9\n", "model", -KB_ERR_INPUT,
	  "model in 'x' is not printable ASCII" },
	{ "model: a\x1b[1m\n", "model", -KB_ERR_INPUT,
	  "model in 'x' is not printable ASCII" },
}, variables[] = {
	{ "", "ID", -KB_ERR_MISSING, "'x' does not set 'ID'" },
	{ "ID=debian\n", "ID", 0, "debian" },
	{ "ID=debian", "ID", 0, "debian" },
	{ "ID=debian \t\n", "ID", 0, "debian" },
	{ "ID=\"Debian GNU/Linux 12 (bookworm)\"\n", "ID", 0,
	  "Debian GNU/Linux 12 (bookworm)" },
	{ "ID='a \"b\" $c'\n", "ID", 0, "a \"b\" $c" },
	{ "ID=\"a \\\"b\\\" \\$c \\\\ \\`\"\n", "ID", 0, "a \"b\" $c \\ `" },
	{ "ID=a\nID=b\n", "ID", 0, "b" },
	{ "#ID=a\n ID=b\nID =c\nVERSION_ID=d\n", "ID", -KB_ERR_MISSING,
	  "'x' does not set 'ID'" },
	{ "ID=a=b\n", "ID", 0, "a=b" },
	{ "ID=\n", "ID", -KB_ERR_INPUT, "ID in 'x' is not printable ASCII" },
	{ "ID=\"\"\n", "ID", -KB_ERR_INPUT, "ID in 'x' is not printable ASCII" },
	{ "ID=\"\n", "ID", -KB_ERR_INPUT,
	  "ID in 'x' is not quoted as it must be" },
	{ "ID=\"a\n", "ID", -KB_ERR_INPUT,
	  "ID in 'x' is not quoted as it must be" },
	{ "ID=\"a\"b\n", "ID", -KB_ERR_INPUT,
	  "ID in 'x' is not quoted as it must be" },
	{ "ID=\"a\"b\"\n", "ID", -KB_ERR_INPUT,
	  "ID in 'x' is not quoted as it must be" },
	{ "ID=\"a\\\"\n", "ID", -KB_ERR_INPUT,
	  "ID in 'x' is not quoted as it must be" },
	{ "ID=\"a\\n\"\n", "ID", -KB_ERR_INPUT,
	  "ID in 'x' is not quoted as it must be" },
	{ "ID=\"$HOME\"\n", "ID", -KB_ERR_INPUT,
	  "ID in 'x' is not quoted as it must be" },
	{ "ID=$(id)\n", "ID", -KB_ERR_INPUT,
	  "ID in 'x' is not quoted as it must be" },
	{ "ID=two words\n", "ID", -KB_ERR_INPUT,
	  "ID in 'x' is not quoted as it must be" },
	{ "ID='it's'\n", "ID", -KB_ERR_INPUT,
	  "ID in 'x' is not quoted as it must be" },
}, lines[] = {
	{ "", NULL, -KB_ERR_MISSING, "'x' is empty" },
	{ "performance\n", NULL, 0, "performance" },
	{ "always [madvise] never\nmore\n", NULL, 0, "always [madvise] never" },
	{ " \n", NULL, -KB_ERR_INPUT,
	  "the first line in 'x' is not printable ASCII" },
};

static void check_fact(const char *text, const char *key, int ret,
		       const struct kb_buf *got, const struct kb_err *err,
		       int want_ret, const char *want)
{
	if (ret != want_ret)
		tap_fail("'%s' in '%s' returns %d, want %d", key ? key : "line",
			 text, ret, want_ret);
	else
		check_str(ret < 0 ? err->msg : got->data, want);
	if (ret < 0)
		check_int(got->len, 0);
}

static void test_fields(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(fields); i++) {
		kb_auto(buf) struct kb_buf got = KB_BUF_INIT;
		struct kb_err err = KB_ERR_INIT;
		int ret = kb_text_fact_field(&got, fields[i].text,
					     strlen(fields[i].text),
					     fields[i].key, "x", &err);

		check_fact(fields[i].text, fields[i].key, ret, &got, &err,
			   fields[i].ret, fields[i].want);
	}
}

static void test_variables(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(variables); i++) {
		kb_auto(buf) struct kb_buf got = KB_BUF_INIT;
		struct kb_err err = KB_ERR_INIT;
		int ret = kb_text_fact_variable(&got, variables[i].text,
						strlen(variables[i].text),
						variables[i].key, "x", &err);

		check_fact(variables[i].text, variables[i].key, ret, &got,
			   &err, variables[i].ret, variables[i].want);
	}
}

static void test_lines(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(lines); i++) {
		kb_auto(buf) struct kb_buf got = KB_BUF_INIT;
		struct kb_err err = KB_ERR_INIT;
		int ret = kb_text_fact_line(&got, lines[i].text,
					    strlen(lines[i].text), "x", &err);

		check_fact(lines[i].text, NULL, ret, &got, &err, lines[i].ret,
			   lines[i].want);
	}
}

static void test_nul_is_not_printable(void)
{
	static const char text[] = "ID=a\0b\n";
	kb_auto(buf) struct kb_buf got = KB_BUF_INIT;

	check_int(kb_text_fact_variable(&got, text, sizeof(text) - 1, "ID",
					"x", NULL), -KB_ERR_INPUT);
}

/* A machine of which everything is known. */
static const struct {
	const char *path;
	const char *text;
} known_machine[] = {
	{ "proc/cpuinfo",
	  "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\n"
	  "model\t\t: 1\nmodel name\t: AMD EPYC 7763 64-Core Processor\n"
	  "stepping\t: 1\nmicrocode\t: 0xa0011d1\n\n"
	  "processor\t: 1\nmodel name\t: another\n" },
	{ "proc/meminfo", "MemTotal:       16384256 kB\nMemFree: 1 kB\n" },
	{ "etc/os-release",
	  "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nID=debian\n" },
	{ "sys/devices/system/cpu/smt/active", "1\n" },
	{ "sys/devices/system/cpu/cpufreq/boost", "0\n" },
	{ "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
	  "performance\n" },
	{ "sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq",
	  "3529052\n" },
	{ "sys/devices/system/cpu/cpu0/cache/index0/level", "1\n" },
	{ "sys/devices/system/cpu/cpu0/cache/index0/type", "Instruction\n" },
	{ "sys/devices/system/cpu/cpu0/cache/index0/size", "64K\n" },
	{ "sys/devices/system/cpu/cpu0/cache/index1/level", "1\n" },
	{ "sys/devices/system/cpu/cpu0/cache/index1/type", "Data\n" },
	{ "sys/devices/system/cpu/cpu0/cache/index1/size", "32K\n" },
	{ "sys/devices/system/cpu/cpu0/cache/index2/level", "2\n" },
	{ "sys/devices/system/cpu/cpu0/cache/index2/type", "Unified\n" },
	{ "sys/devices/system/cpu/cpu0/cache/index2/size", "512K\n" },
	{ "sys/devices/system/cpu/cpu0/cache/index3/level", "3\n" },
	{ "sys/devices/system/cpu/cpu0/cache/index3/type", "Unified\n" },
	{ "sys/devices/system/cpu/cpu0/cache/index3/size", "32768K\n" },
	{ "sys/kernel/mm/transparent_hugepage/enabled",
	  "always [madvise] never\n" },
};

static void make_known_machine(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(known_machine); i++) {
		kb_auto(mem) char *path =
			kb_xasprintf("m/%s", known_machine[i].path);

		scratch_print(path, known_machine[i].text);
	}
}

static void check_section(const struct kb_json *environment,
			  const char *section, const char *const dropped[],
			  const char *want)
{
	const struct kb_json *v = kb_json_find(environment, section);
	struct kb_json *kept = kb_json_object();
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	for (const struct kb_json *m = kb_json_first(v); m;
	     m = kb_json_next(m)) {
		size_t i = 0;

		while (dropped[i] && strcmp(dropped[i], kb_json_key(m)))
			i++;
		if (!dropped[i])
			kb_json_set(kept, kb_json_key(m), kb_json_copy(m));
	}
	kb_json_print(&text, kept);
	kb_json_free(kept);
	check_str(text.data, want);
}

/* Facts that do not come from files are this machine's. */
static const char *const not_from_files[] = {
	"cores_online", "cores_allowed", "kernel", "machine", "page_bytes", "libc",
	"load_average_1min_milli", "begun_utc", NULL,
};

static void test_known_machine(void)
{
	kb_auto(json) struct kb_json *v = NULL;

	scratch_enter();
	make_known_machine();
	v = kb_environment_cpu_at("m");
	check_section(v, "device", not_from_files,
		      "{\"kind\":\"cpu\",\"memory_bytes\":16777478144}");
	check_section(v, "cpu", not_from_files,
		      "{\"boost\":false,\"family\":\"25\","
		      "\"governor\":\"performance\","
		      "\"l1d_cache_bytes\":32768,\"l2_cache_bytes\":524288,"
		      "\"l3_cache_bytes\":33554432,\"max_clock_khz\":3529052,"
		      "\"microcode\":\"0xa0011d1\","
		      "\"model\":\"AMD EPYC 7763 64-Core Processor\","
		      "\"model_number\":\"1\",\"smt\":true,\"stepping\":\"1\","
		      "\"vendor\":\"AuthenticAMD\"}");
	check_section(v, "os", not_from_files,
		      "{\"distribution\":\"Debian GNU/Linux 12 (bookworm)\","
		      "\"transparent_hugepages\":\"always [madvise] never\"}");
	scratch_leave();
}

static const struct kb_json *fact(const struct kb_json *environment,
				  const char *section, const char *name)
{
	return kb_json_find(kb_json_find(environment, section), name);
}

/* Where vendor and model are numbers, and which of them have a name. */
static void test_arm_cores(void)
{
	static const struct {
		const char *implementer, *part, *vendor, *model;
	} table[] = {
		{ "0x41", "0xd4f", "Arm", "Neoverse-V2" },
		{ "0x4e", "0x010", "NVIDIA", "Olympus" },
		{ "0x4e", "0xd4f", "0x4e", "0xd4f" },
		{ "0x41", "0x051", "0x41", "0x051" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(table); i++) {
		kb_auto(json) struct kb_json *v = NULL;
		kb_auto(mem) char *cpuinfo = kb_xasprintf(
			"processor\t: 0\nBogoMIPS\t: 2000.00\n"
			"CPU implementer\t: %s\nCPU architecture: 8\n"
			"CPU variant\t: 0x0\nCPU part\t: %s\n"
			"CPU revision\t: 1\n", table[i].implementer,
			table[i].part);

		scratch_enter();
		make_known_machine();
		scratch_print("m/proc/cpuinfo", cpuinfo);
		v = kb_environment_cpu_at("m");
		check_str(kb_json_string_value(fact(v, "cpu", "vendor")),
			  table[i].vendor);
		check_str(kb_json_string_value(fact(v, "cpu", "model")),
			  table[i].model);
		check_str(kb_json_string_value(fact(v, "cpu", "model_number")),
			  table[i].part);
		check_str(kb_json_string_value(fact(v, "cpu", "family")), "8");
		check_str(kb_json_string_value(fact(v, "cpu", "stepping")),
			  "1");
		check_int(kb_json_type(fact(v, "cpu", "microcode")),
			  KB_JSON_OBJECT);
		scratch_leave();
	}
}

static void check_reason(const struct kb_json *environment,
			 const char *section, const char *name,
			 const char *want)
{
	const struct kb_json *v = fact(environment, section, name);

	check_int(kb_json_type(v), KB_JSON_OBJECT);
	check_str(kb_json_string_value(kb_json_find(v, "unavailable")), want);
}

static void test_what_cannot_be_read_has_a_reason(void)
{
	kb_auto(json) struct kb_json *v = NULL;

	scratch_enter();
	scratch_print("m/proc/cpuinfo", "processor: 0\n");
	scratch_print("m/proc/meminfo", "MemTotal: 12 MB\n");
	scratch_print("m/etc/os-release", "PRETTY_NAME=`id`\n");
	scratch_print("m/sys/devices/system/cpu/smt/active", "-1\n");
	scratch_print("m/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq",
		      "99999999999999999999\n");
	v = kb_environment_cpu_at("m");

	check_reason(v, "cpu", "model",
		     "'/proc/cpuinfo' has no field 'model name'");
	check_reason(v, "device", "memory_bytes",
		     "'12 MB' is not a number of kB");
	check_reason(v, "os", "distribution",
		     "PRETTY_NAME in '/etc/os-release' is not quoted as it must be");
	check_reason(v, "cpu", "smt",
		     "'/sys/devices/system/cpu/smt/active' says '-1'");
	check_reason(v, "cpu", "max_clock_khz",
		     "'99999999999999999999' is not a number");
	check_reason(v, "cpu", "governor",
		     "cannot open 'm/sys/devices/system/cpu/cpu0/cpufreq/"
		     "scaling_governor': No such file or directory");
	check_reason(v, "cpu", "l2_cache_bytes",
		     "cannot open 'm/sys/devices/system/cpu/cpu0/cache/"
		     "index0/level': No such file or directory");
	scratch_leave();
}

static void test_no_turbo_means_no_boost(void)
{
	kb_auto(json) struct kb_json *v = NULL;

	scratch_enter();
	make_known_machine();
	scratch_print("m/sys/devices/system/cpu/intel_pstate/no_turbo", "0\n");
	v = kb_environment_cpu_at("m");
	check(kb_json_bool_value(fact(v, "cpu", "boost")));
	scratch_leave();
}

static void add_other_sections(struct kb_json *environment)
{
	static const char *const sections[] = {
		"python", "torch", "compiler", "isolation",
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(sections); i++)
		kb_json_set(environment, sections[i],
			    kb_unavailable("not used"));
}

static void test_this_machine_has_a_valid_environment(void)
{
	kb_auto(json) struct kb_json *v = kb_environment_cpu();

	add_other_sections(v);
	check_int(kb_environment_check(v, "x", NULL), 0);
	check(kb_json_int_value(fact(v, "cpu", "cores_online")) >= 1);
	check(kb_json_int_value(fact(v, "cpu", "cores_allowed")) >= 1);
	check_int(kb_json_type(fact(v, "os", "kernel")), KB_JSON_STRING);
	check(!strncmp(kb_json_string_value(fact(v, "os", "libc")), "glibc 2.",
		       strlen("glibc 2.")));
}

static void test_match_key_is_flat_and_complete(void)
{
	static const char environment[] =
		"{\"device\":{\"kind\":\"cpu\"},"
		"\"cpu\":{\"vendor\":\"V\",\"model\":\"M\",\"cores_allowed\":4,"
		"\"smt\":false,\"governor\":{\"unavailable\":\"why\"}},"
		"\"os\":{\"kernel\":\"6.1\",\"machine\":\"x86_64\","
		"\"libc\":\"glibc 2.36\"},"
		"\"torch\":{\"unavailable\":\"not used\"},"
		"\"compiler\":{\"version\":\"cc 12\"}}";
	kb_auto(json) struct kb_json *v = NULL, *key = NULL;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	check_int(kb_json_parse(&v, environment, strlen(environment),
				KB_JSON_OURS, "x", NULL), 0);
	key = kb_match_key_cpu(v);
	kb_json_print(&text, key);
	check_str(text.data,
		  "{\"compiler.version\":\"cc 12\","
		  "\"cpu.boost\":\"not recorded\",\"cpu.cores_allowed\":\"4\","
		  "\"cpu.governor\":\"unavailable\",\"cpu.model\":\"M\","
		  "\"cpu.smt\":\"false\",\"cpu.vendor\":\"V\","
		  "\"device.kind\":\"cpu\",\"os.libc\":\"glibc 2.36\","
		  "\"os.machine\":\"x86_64\","
		  "\"python.version\":\"not recorded\","
		  "\"torch.threads_count\":\"unavailable\","
		  "\"torch.version\":\"unavailable\"}");
}

TAP_MAIN(TAP(test_fields), TAP(test_variables), TAP(test_lines),
	 TAP(test_nul_is_not_printable),
	 TAP(test_known_machine),
	 TAP(test_arm_cores),
	 TAP(test_what_cannot_be_read_has_a_reason),
	 TAP(test_no_turbo_means_no_boost),
	 TAP(test_this_machine_has_a_valid_environment),
	 TAP(test_match_key_is_flat_and_complete));
