#include "cmd/print_environment.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "lib/tap.h"

static struct kb_json *parse(const char *text)
{
	struct kb_json *v = NULL;

	check_int(kb_json_parse(&v, text, strlen(text), KB_JSON_OURS, "x",
				NULL), 0);
	return v;
}

static void check_listing(const char *environment, const char *match_key,
			  const char *want)
{
	kb_auto(json) struct kb_json *e = parse(environment);
	kb_auto(json) struct kb_json *key = parse(match_key);
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_print_environment(&out, e, key);
	check_str(out.data, want);
}

static void test_facts_of_every_type(void)
{
	check_listing("{\"device\":{\"kind\":\"cuda\",\"memory_bytes\":-7},"
		      "\"gpu\":{\"ecc\":true,\"mig\":false,"
		      "\"flags\":[\"a\",\"b c\"],\"none\":[],"
		      "\"serial\":{\"unavailable\":\"it is lost\"}}}",
		      "{\"device.kind\":\"cuda\",\"gpu.ecc\":\"true\","
		      "\"gpu.serial\":\"unavailable\"}",
		      "* device.kind:          cuda\n"
		      "  device.memory_bytes:  -7\n"
		      "\n"
		      "* gpu.ecc:              true\n"
		      "  gpu.mig:              false\n"
		      "  gpu.flags:            a, b c\n"
		      "  gpu.none:             \n"
		      "* gpu.serial:           unavailable: it is lost\n");
}

static void test_section_that_is_unavailable(void)
{
	check_listing("{\"python\":{\"version\":\"3.12\"},"
		      "\"torch\":{\"unavailable\":\"not used\"},"
		      "\"tor\":{\"unavailable\":\"why\"}}",
		      "{\"torch.version\":\"unavailable\"}",
		      "  python.version:     3.12\n"
		      "\n"
		      "* torch:              unavailable: not used\n"
		      "\n"
		      "  tor:                unavailable: why\n");
}

static void test_field_that_is_not_recorded(void)
{
	check_listing("{\"cpu\":{\"vendor\":\"V\"},"
		      "\"os\":{\"unavailable\":\"why\"}}",
		      "{\"cpu.boost\":\"not recorded\",\"cpu.vendor\":\"V\","
		      "\"gpu.name\":\"not recorded\","
		      "\"os.libc\":\"unavailable\"}",
		      "* cpu.vendor:      V\n"
		      "\n"
		      "* os:              unavailable: why\n"
		      "\n"
		      "* cpu.boost:       not recorded\n"
		      "* gpu.name:        not recorded\n");
}

static void test_further_lines_stand_below_the_first(void)
{
	check_listing("{\"torch\":{\"build\":\"PyTorch built with:\\n"
		      "  - GCC 12\\n\\n  - C++\\n\",\"version\":\"2\"}}", "{}",
		      "  torch.build:    PyTorch built with:\n"
		      "                    - GCC 12\n"
		      "                    - C++\n"
		      "  torch.version:  2\n");
}

static void test_nothing_drives_a_terminal(void)
{
	check_listing("{\"os\":{\"a\\u001b[1m\":\"b\\u001b[2J\\u009bc\\rd\"}}",
		      "{}", "  os.a?[1m:  b?[2J?c?d\n");
}

TAP_MAIN(TAP(test_facts_of_every_type), TAP(test_section_that_is_unavailable),
	 TAP(test_field_that_is_not_recorded),
	 TAP(test_further_lines_stand_below_the_first),
	 TAP(test_nothing_drives_a_terminal));
