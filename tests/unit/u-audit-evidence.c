/* The form of evidence. */

#include "manifest/evidence.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "lib/tap.h"
#include "unit/audit_evidence.h"

static void check_same(const char *text)
{
	kb_auto(evidence) struct kb_evidence e = KB_EVIDENCE_INIT;
	kb_auto(json) struct kb_json *again = NULL;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	read_evidence(&e, text);
	again = kb_evidence_to_json(&e);
	kb_json_print(&out, again);
	check_str(out.data, text);
}

static void test_evidence_prints_as_it_was_read(void)
{
	static const struct {
		const char *from, *to;
		bool lacks_memory;
	} cases[] = {
		{ "\"signed\"", "\"signed\"", false },
		{ "{\"outputs\":[" ERROR("1e-06") "]}",
		  "{\"unavailable\":\"out of memory\"}", true },
		{ "{\"operations\":[],\"untried\":0}",
		  "{\"unavailable\":\"out of memory\"}", true },
		{ "{\"operations\":[],\"untried\":0}",
		  "{\"unavailable\":\"no such thing\"}", false },
		{ "\"signed\":null",
		  "\"signed\":{\"unavailable\":\"out of memory\"}", true },
		{ "\"signed\":null", "\"signed\":" DISTRIBUTION(
			OUTPUT "," OUTPUT, ERROR("0") "," ERROR("inf"),
			OPERATION(2, "a", "b", "inf")), false },
		{ "\"min\":\"-1\"", "\"min\":\"-0\"", false },
		{ "]},\"outputs\"", "]}," NOISE(NOISE_OF(
			MOVED("1e-06", "0"), MOVED("inf", "1"))), false },
		{ "]},\"outputs\"", "]},\"noise\":{\"unavailable\":"
		  "\"out of memory\"},\"outputs\"", true },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(evidence) struct kb_evidence e = KB_EVIDENCE_INIT;
		kb_auto(mem) char *text = change(sound_text, cases[i].from,
						 cases[i].to);

		check_same(text);
		read_evidence(&e, text);
		check_int(kb_evidence_lacks_memory(&e), cases[i].lacks_memory);
	}
}

static const struct {
	const char *from, *to, *msg;
} bad_evidence[] = {
	{ "\"signed\":null,", "", "'signed' is missing" },
	{ "\"signed\":null", "\"signed\":1",
	  "'signed' is an integer, want an object" },
	{ "\"signed\":null", "\"signed\":{\"unavailable\":\"\"}",
	  "'unavailable' is empty" },
	{ "\"signed\":null", "\"signed\":{\"unavailable\":\"x\",\"y\":1}",
	  "'y' is not a known member" },
	{ "\"outputs\":[" OUTPUT "]", "\"outputs\":[]",
	  "there are no outputs" },
	{ "\"dtype\":\"float32\",", "", "'dtype' is missing" },
	{ "\"float32\"", "\"float31\"",
	  "'dtype' is 'float31', which is not known" },
	{ "\"elements\":100", "\"elements\":-1",
	  "'elements' is -1, want 0 to 9007199254740991" },
	{ "\"finite\":100", "\"finite\":101", "'finite' is 101, want 0 to 100" },
	{ "\"finite\":100", "\"finite\":0",
	  "'min' is there though nothing is finite" },
	{ "\"max\":\"2\"", "\"max\":null", "'max' is null, want a string" },
	{ "\"max\":\"2\"", "\"max\":\"2.0\"",
	  "'max' is not a decimal as we write it" },
	{ "\"max\":\"2\"", "\"max\":\"nan\"",
	  "'max' is not a decimal as we write it" },
	{ "\"max\":\"2\"", "\"max\":\"inf\"",
	  "'max' is not a decimal as we write it" },
	{ "\"max\":\"2\"", "\"max\":\"-2\"", "'min' is above 'max'" },
	{ NEAR(0, 0, 4), NEAR(0, 101, 101),
	  "'1e-4' is 101, want 0 to 100" },
	{ NEAR(0, 0, 4), NEAR(5, 4, 4), "'1e-4' is less than 'equal'" },
	{ NEAR(0, 0, 4), NEAR(0, 5, 4), "'1e-2' is less than '1e-4'" },
	{ NEAR(0, 0, 4), "{}", "'equal' is missing" },
	{ "\"identity\":null", "\"identity\":-1",
	  "'identity' is -1, want 0 to 1000" },
	{ "\"max_rel\":\"1.5\"", "\"max_rel\":\"-1.5\"",
	  "'max_rel' is not a decimal as we write it" },
	{ ERROR("1e-06"), "", "'float64' has 0 outputs, want 1" },
	{ ERROR("1e-06"), "[]", "is an array, want an object" },
	{ "]},\"outputs\"", "]}," NOISE(""),
	  "'noise' has 0 outputs, want 1" },
	{ "]},\"outputs\"", "]}," NOISE("{\"large\":" MOVED("0", "0") "}"),
	  "'small' is missing" },
	{ "]},\"outputs\"", "]}," NOISE("{\"large\":" MOVED("0", "0")
	  ",\"middle\":1,\"small\":" MOVED("0", "0") "}"),
	  "'middle' is not a known member" },
	{ "]},\"outputs\"", "]}," NOISE(NOISE_OF(MOVED("-1", "0"),
						 MOVED("0", "0"))),
	  "'max_abs' is not a decimal as we write it" },
	{ "\"operations\":[]", "\"operations\":["
	  OPERATION(1, "a", "", "0") "," OPERATION(1, "b", "", "0") "]",
	  "'operations' is not sorted, or has one twice" },
	{ "\"operations\":[]", "\"operations\":["
	  OPERATION(1, "", "", "0") "]", "'name' is empty" },
	{ "\"untried\":0", "\"untried\":\"0\"",
	  "'untried' is a string, want an integer" },
};

static void test_evidence_refuses_what_makes_no_sense(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(bad_evidence); i++) {
		kb_auto(mem) char *text = change(sound_text,
						 bad_evidence[i].from,
						 bad_evidence[i].to);
		kb_auto(mem) char *msg = kb_xasprintf("evidence: %s",
						      bad_evidence[i].msg);
		kb_auto(json) struct kb_json *v = parse(text);
		struct kb_err err = KB_ERR_INIT;
		struct kb_evidence e;

		check_int(kb_evidence_from_json(&e, v, "evidence", &err),
			  -KB_ERR_INPUT);
		check_str(err.msg, msg);
	}
}

TAP_MAIN(TAP(test_evidence_prints_as_it_was_read),
	 TAP(test_evidence_refuses_what_makes_no_sense));
