#include "audit/judge.h"

#include <stdlib.h>

#include "audit/verdicts.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "device/tolerance.h"
#include "json/json.h"
#include "lib/tap.h"
#include "manifest/audit.h"
#include "unit/audit_evidence.h"

static void judge(struct kb_findings *f, const char *text, const char *policy)
{
	kb_auto(evidence) struct kb_evidence e = KB_EVIDENCE_INIT;
	const struct kb_tolerance_policy *p = NULL;

	check_int(kb_tolerance_policy_find(&p, policy, NULL), 0);
	read_evidence(&e, text);
	kb_audit_judge(f, &e, p);
}

static void check_findings(const char *text, const char *policy,
			   const char *want)
{
	kb_auto(findings) struct kb_findings f = KB_FINDINGS_INIT;
	kb_auto(buf) struct kb_buf names = KB_BUF_INIT;

	judge(&f, text, policy);
	for (int i = 0; i < KB_FINDING_COUNT; i++)
		if (f.evidence[i])
			kb_buf_addf(&names, "%s%s", names.len ? " " : "",
				    kb_finding_name((enum kb_finding)i));
	if (strcmp(names.data, want))
		tap_fail("\"%s\", want \"%s\", of %s", names.data, want, text);
}

/* Each threshold from both sides. */
static const struct {
	const char *from, *to, *findings;
} thresholds[] = {
	{ "\"rms\"", "\"rms\"", "" },
	{ "\"max_rel\":\"1.5\"", "\"max_rel\":\"1e-06\"",
	  "input_independent" },
	{ "\"max_rel\":\"1.5\"", "\"max_rel\":\"1.00000001e-06\"", "" },
	{ "\"zero\":" NEAR(1, 1, 3), "\"zero\":" NEAR(100, 100, 100),
	  "zero_output zeros_pass" },
	{ "\"zero\":" NEAR(1, 1, 3), "\"zero\":" NEAR(99, 100, 100),
	  "zeros_pass" },
	{ "\"zero\":" NEAR(1, 1, 3), "\"zero\":" NEAR(99, 99, 100),
	  "zeros_pass_loose" },
	{ "\"zero\":" NEAR(1, 1, 3), "\"zero\":" NEAR(99, 99, 99), "" },
	{ "\"min\":\"-1\"", "\"min\":\"2\"", "constant_output" },
	{ "\"min\":\"-1\"", "\"min\":\"1.99999999\"", "" },
	{ "\"midrange\":" NEAR(0, 1, 2), "\"midrange\":" NEAR(0, 100, 100),
	  "constant_passes" },
	{ "\"midrange\":" NEAR(0, 1, 2), "\"midrange\":" NEAR(0, 99, 100),
	  "constant_passes_loose" },
	{ "\"midrange\":" NEAR(0, 1, 2), "\"midrange\":" NEAR(0, 99, 99), "" },
	{ "\"mean\":" NEAR(0, 0, 2), "\"mean\":" NEAR(0, 100, 100),
	  "constant_passes" },
	{ "\"mean\":" NEAR(0, 0, 2), "\"mean\":" NEAR(0, 0, 100),
	  "constant_passes_loose" },
	{ NEAR(0, 0, 4), NEAR(0, 100, 100), "other_input_passes" },
	{ NEAR(0, 0, 4), NEAR(0, 99, 100), "other_input_passes_loose" },
	{ NEAR(0, 0, 4), NEAR(0, 99, 99), "" },
	{ "\"identity\":null", "\"identity\":0", "identity" },
	{ "\"operations\":[]",
	  "\"operations\":[" OPERATION(3, "torch.relu", "", "1e-06") "]",
	  "removable" },
	{ "\"operations\":[]", "\"operations\":["
	  OPERATION(3, "torch.relu", "", "1.00000001e-06") "]", "" },
	{ "\"repeat\":" SAME, "\"repeat\":"
	  DIFFERENCE("1e-09", "1e-09", NEAR(0, 100, 100)), "" },
	{ "\"repeat\":" SAME, "\"repeat\":"
	  DIFFERENCE("1", "0.5", NEAR(99, 99, 100)), "not_reproducible" },
	{ "\"redraw\":" SAME, "\"redraw\":"
	  DIFFERENCE("1", "0.5", NEAR(99, 99, 100)), "random" },
	{ "\"redraw\":" SAME ",\"repeat\":" SAME, "\"redraw\":"
	  DIFFERENCE("1", "0.5", NEAR(99, 99, 100)) ",\"repeat\":"
	  DIFFERENCE("1", "0.5", NEAR(99, 99, 100)), "not_reproducible" },
	{ ERROR("1e-06"), ERROR("9.99999999e-08"), "tolerance_loose" },
	{ ERROR("1e-06"), ERROR("1.00000001e-07"), "" },
	{ ERROR("1e-06"), ERROR("0"), "tolerance_loose" },
	{ ERROR("1e-06"), ERROR("9.99999999e-05"), "" },
	{ ERROR("1e-06"), ERROR("0.000100000001"), "tolerance_tight" },
	{ ERROR("1e-06"), ERROR("inf"), "tolerance_tight" },
	{ "{\"outputs\":[" ERROR("1e-06") "]}",
	  "{\"unavailable\":\"out of memory\"}", "" },
	{ "\"finite\":100", "\"finite\":99", "not_finite" },
	{ "]},\"outputs\"", "]}," NOISE(NOISE_OF(
		MOVED("0", "0"), MOVED("0", "0"))), "" },
	{ "]},\"outputs\"", "]}," NOISE(NOISE_OF(
		MOVED("0.0001", "0.0001"), MOVED("0.0128", "0.0128"))), "" },
	{ "]},\"outputs\"", "]}," NOISE(NOISE_OF(
		MOVED("0.001", "0"), MOVED("0.512", "0.5"))), "" },
	{ "]},\"outputs\"", "]}," NOISE(NOISE_OF(
		MOVED("0.001", "0"), MOVED("0.513", "0.5"))),
	  "rounding_chooses" },
	{ "]},\"outputs\"", "]}," NOISE(NOISE_OF(
		MOVED("0.001", "0"), MOVED("0.032", "0.5"))), "" },
	{ "]},\"outputs\"", "]}," NOISE(NOISE_OF(
		MOVED("0.001", "0"), MOVED("0.0319", "0.5"))),
	  "rounding_chooses" },
	{ "]},\"outputs\"", "]}," NOISE(NOISE_OF(
		MOVED("0", "0"), MOVED("1", "0.000100000001"))),
	  "rounding_chooses" },
	{ "]},\"outputs\"", "]}," NOISE(NOISE_OF(
		MOVED("0", "0"), MOVED("1", "0.0001"))), "" },
	{ "]},\"outputs\"", "]}," NOISE(NOISE_OF(
		MOVED("1", "0.5"), MOVED("1", "0"))), "rounding_chooses" },
	{ "]},\"outputs\"", "]},\"noise\":{\"unavailable\":\"x\"},"
	  "\"outputs\"", "" },
};

static void test_thresholds_hold_on_both_sides(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(thresholds); i++) {
		kb_auto(mem) char *text = change(sound_text,
						 thresholds[i].from,
						 thresholds[i].to);

		check_findings(text, "kernelbench", thresholds[i].findings);
	}
}

/* Outputs of which next to nothing is not trivial: what is offered in place
 * of an answer may be wrong in one element of a million; a second call may
 * not. */
#define MANY(elements, zero, other, repeat)				\
	"{\"signed\":null,\"stated\":" DISTRIBUTION(			\
	"{\"dtype\":\"float32\",\"elements\":" #elements ",\"finite\":"	\
	#elements ",\"identity\":null,\"max\":\"2\",\"mean\":\"0.5\","	\
	"\"min\":\"-1\",\"near\":{\"mean\":" NEAR(0, 0, 2)		\
	",\"midrange\":" NEAR(0, 1, 2) ",\"zero\":" NEAR(0, zero, zero)	\
	"},\"other_input\":" DIFFERENCE("3", "1.5", NEAR(0, other, other)) \
	",\"redraw\":" DIFFERENCE("0", "0", NEAR(0, elements, elements)) \
	",\"repeat\":" DIFFERENCE("3", "1", NEAR(0, repeat, repeat))	\
	",\"std\":\"0.7\"}", ERROR("1e-06"), "") "}"

static const struct {
	const char *text, *findings, *evidence;
} rare[] = {
	{ MANY(999999, 999999, 0, 999999), "zeros_pass",
	  "zero is within 0.0001 of all 999999 elements, range -1 to 2" },
	{ MANY(999999, 999998, 0, 999999), "", "" },
	{ MANY(1000000, 999999, 0, 1000000), "zeros_pass",
	  "zero is within 0.0001 of all but 1 of 1000000 elements, "
	  "range -1 to 2" },
	{ MANY(1000000, 999998, 0, 1000000), "", "" },
	{ MANY(3000000, 0, 2999997, 3000000), "other_input_passes",
	  "largest change for another input 3, range -1 to 2, beyond 0.0001 "
	  "in 3 of 3000000 elements" },
	{ MANY(3000000, 0, 2999996, 3000000), "", "" },
	{ MANY(3000000, 0, 0, 2999999), "not_reproducible",
	  "1 of 3000000 elements differ beyond 0.0001 in a second call, by up "
	  "to 3, range -1 to 2" },
};

static void test_one_in_a_million_is_no_answer(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(rare); i++) {
		kb_auto(findings) struct kb_findings f = KB_FINDINGS_INIT;
		const char *evidence = "";

		check_findings(rare[i].text, "kernelbench", rare[i].findings);
		judge(&f, rare[i].text, "kernelbench");
		for (int k = 0; k < KB_FINDING_COUNT; k++)
			if (f.evidence[k])
				evidence = f.evidence[k];
		check_str(evidence, rare[i].evidence);
	}
}

/* Two changes at a time: what takes a finding away, or makes it another. */
static const struct {
	const char *from[2], *to[2], *policy, *findings;
} contexts[] = {
	/* The older policy's own tolerance is the loose one. */
	{ { "\"dtype\"", NEAR(0, 0, 4) }, { "\"dtype\"", NEAR(0, 0, 100) },
	  "paper", "other_input_passes tolerance_loose" },
	/* Nothing is near an integer, but itself. */
	{ { "float32", ERROR("1e-06") }, { "int64", ERROR("0") },
	  "kernelbench", "" },
	{ { "float32", ERROR("1e-06") }, { "int64", ERROR("1e-09") },
	  "kernelbench", "tolerance_tight" },
	{ { "float32\"", "\"zero\":" NEAR(1, 1, 3) },
	  { "int64\"", "\"zero\":" NEAR(99, 100, 100) },
	  "kernelbench", "tolerance_tight" },
	/* 1e-2 for 16 bits. */
	{ { "float32", NEAR(0, 0, 4) }, { "float16", NEAR(0, 0, 100) },
	  "kernelbench", "other_input_passes tolerance_loose" },
	/* An error means nothing where numbers are drawn. */
	{ { "\"redraw\":" SAME, ERROR("1e-06") },
	  { "\"redraw\":" DIFFERENCE("1e-09", "1e-09", NEAR(99, 100, 100)),
	    ERROR("1") }, "kernelbench", "" },
	{ { "\"redraw\":" SAME, "]},\"outputs\"" },
	  { "\"redraw\":" DIFFERENCE("1e-09", "1e-09", NEAR(99, 100, 100)),
	    "]}," NOISE(NOISE_OF(MOVED("1", "1"), MOVED("1", "1"))) },
	  "kernelbench", "" },
	/* Every index that differs is wrong. */
	{ { "float32", "]},\"outputs\"" },
	  { "int64", "]}," NOISE(NOISE_OF(MOVED("0", "0"), MOVED("3", "1"))) },
	  "kernelbench", "tolerance_tight rounding_chooses" },
	/* The same number everywhere, or NaN. */
	{ { "\"finite\":100", "\"min\":\"-1\"" },
	  { "\"finite\":99", "\"min\":\"2\"" }, "kernelbench", "not_finite" },
};

static void test_contexts_matter(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(contexts); i++) {
		kb_auto(mem) char *half = change(sound_text,
						 contexts[i].from[0],
						 contexts[i].to[0]);
		kb_auto(mem) char *text = change(half, contexts[i].from[1],
						 contexts[i].to[1]);

		check_findings(text, contexts[i].policy, contexts[i].findings);
	}
}

static void test_every_output_has_to_have_it(void)
{
	static const char *const zero[2] = {
		"\"zero\":" NEAR(1, 1, 3), "\"zero\":" NEAR(100, 100, 100),
	};
	kb_auto(mem) char *one = change(two_text, zero[0], zero[1]);
	kb_auto(mem) char *both = change(one, zero[0], zero[1]);
	kb_auto(mem) char *first = change(two_text, "\"identity\":null",
					  "\"identity\":0");
	kb_auto(mem) char *half = change(
		two_text, "\"finite\":100,\"identity\":null,\"max\":\"2\","
		"\"mean\":\"0.5\",\"min\":\"-1\"",
		"\"finite\":0,\"identity\":null,\"max\":null,"
		"\"mean\":null,\"min\":null");
	kb_auto(mem) char *bad = change(half, "\"std\":\"0.7\"",
					"\"std\":null");

	check_findings(two_text, "kernelbench", "");
	check_findings(one, "kernelbench", "");
	check_findings(both, "kernelbench", "zero_output zeros_pass");
	check_findings(first, "kernelbench", "");
	check_findings(bad, "kernelbench", "not_finite");
}

/* A loss is one number: that it is the same everywhere says nothing. */
static void test_one_element_is_no_constant(void)
{
	static const char single[] =
		"{\"signed\":null,\"stated\":{\"float64\":{\"outputs\":["
		ERROR("1e-06") "]},\"outputs\":[{\"dtype\":\"float32\","
		"\"elements\":1,\"finite\":1,\"identity\":null,\"max\":\"2\","
		"\"mean\":\"2\",\"min\":\"2\",\"near\":{\"mean\":"
		NEAR(1, 1, 1) ",\"midrange\":" NEAR(1, 1, 1) ",\"zero\":"
		NEAR(0, 0, 0) "},\"other_input\":"
		DIFFERENCE("0.5", "0.25", NEAR(0, 0, 0)) ",\"redraw\":"
		DIFFERENCE("0", "0", NEAR(1, 1, 1)) ",\"repeat\":"
		DIFFERENCE("0", "0", NEAR(1, 1, 1)) ",\"std\":\"0\"}],"
		"\"removal\":{\"operations\":[],\"untried\":0}}}";

	check_findings(single, "kernelbench", "");
}

static const struct {
	enum kb_finding finding;
	const char *from, *to, *words;
} words[] = {
	{ KB_FINDING_INPUT_INDEPENDENT,
	  DIFFERENCE("3", "1.5", NEAR(0, 0, 4)),
	  DIFFERENCE("4.41e-07", "0", NEAR(0, 0, 4)),
	  "largest change for another input 4.4e-07, range -1 to 2" },
	{ KB_FINDING_ZERO_OUTPUT,
	  "\"zero\":" NEAR(1, 1, 3), "\"zero\":" NEAR(100, 100, 100),
	  "all 100 elements are zero" },
	{ KB_FINDING_CONSTANT_OUTPUT, "\"min\":\"-1\"", "\"min\":\"2\"",
	  "all 100 elements are 2" },
	{ KB_FINDING_ZEROS_PASS,
	  "\"zero\":" NEAR(1, 1, 3), "\"zero\":" NEAR(1, 100, 100),
	  "zero is within 0.0001 of all 100 elements, range -1 to 2" },
	{ KB_FINDING_ZEROS_PASS_LOOSE,
	  "\"zero\":" NEAR(1, 1, 3), "\"zero\":" NEAR(1, 1, 100),
	  "zero is within 0.01 of all 100 elements, range -1 to 2" },
	{ KB_FINDING_CONSTANT_PASSES,
	  "\"midrange\":" NEAR(0, 1, 2), "\"midrange\":" NEAR(0, 100, 100),
	  "the midrange is within 0.0001 of all 100 elements, "
	  "range -1 to 2" },
	{ KB_FINDING_CONSTANT_PASSES_LOOSE,
	  "\"mean\":" NEAR(0, 0, 2), "\"mean\":" NEAR(0, 0, 100),
	  "the mean is within 0.01 of all 100 elements, range -1 to 2" },
	{ KB_FINDING_OTHER_INPUT_PASSES,
	  NEAR(0, 0, 4), NEAR(0, 100, 100),
	  "largest change for another input 3, range -1 to 2" },
	{ KB_FINDING_OTHER_INPUT_PASSES_LOOSE,
	  NEAR(0, 0, 4), NEAR(0, 0, 100),
	  "largest change for another input 3, range -1 to 2" },
	{ KB_FINDING_IDENTITY, "\"identity\":null", "\"identity\":7",
	  "output 0 is input 7, bit by bit" },
	{ KB_FINDING_REMOVABLE, "\"operations\":[],\"untried\":0",
	  "\"operations\":["
	  OPERATION(0, "torch.nn.functional.relu", "act.1", "0") ","
	  OPERATION(1, "torch.tanh", "", "0.3") ","
	  OPERATION(5, "torch.clamp", "", "1e-07") "],\"untried\":2",
	  "relu (call 0 in act.1) changes 0; clamp (call 5) changes 1e-07; "
	  "2 not tried" },
	{ KB_FINDING_NOT_REPRODUCIBLE, "\"repeat\":" SAME,
	  "\"repeat\":" DIFFERENCE("0.25", "0.1", NEAR(0, 97, 100)),
	  "3 of 100 elements differ beyond 0.0001 in a second call, by up to "
	  "0.25, range -1 to 2" },
	{ KB_FINDING_RANDOM, "\"redraw\":" SAME,
	  "\"redraw\":" DIFFERENCE("0.25", "0.1", NEAR(0, 97, 100)),
	  "3 of 100 elements differ beyond 0.0001 by chance, by up to 0.25, "
	  "range -1 to 2" },
	{ KB_FINDING_TOLERANCE_LOOSE, ERROR("1e-06"), ERROR("2e-08"),
	  "the tolerance 0.0001 is 5e+03 times the largest error against "
	  "float64" },
	{ KB_FINDING_TOLERANCE_LOOSE, ERROR("1e-06"), ERROR("0"),
	  "the tolerance is 0.0001, float64 gives the same" },
	{ KB_FINDING_TOLERANCE_TIGHT, ERROR("1e-06"), ERROR("0.0012"),
	  "the largest error against float64 is 2e-06 and 12 times the "
	  "tolerance 0.0001, range -1 to 2" },
	{ KB_FINDING_ROUNDING_CHOOSES, "]},\"outputs\"",
	  "]}," NOISE(NOISE_OF(MOVED("1e-06", "1e-06"), MOVED("0.6", "0.5"))),
	  "noise of 2^-18 in results changes 1e-06, noise of 2^-11 0.6, "
	  "range -1 to 2" },
	{ KB_FINDING_NOT_FINITE, "\"finite\":100", "\"finite\":97",
	  "3 of 100 elements are NaN or infinite" },
};

static void test_words_tell_the_numbers(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(words); i++) {
		kb_auto(findings) struct kb_findings f = KB_FINDINGS_INIT;
		kb_auto(mem) char *text = change(sound_text, words[i].from,
						 words[i].to);
		const char *got;

		judge(&f, text, "kernelbench");
		got = f.evidence[words[i].finding];
		check_str(got ? got : "none", words[i].words);
	}
}

static void test_of_many_operations_eight_are_named(void)
{
	kb_auto(findings) struct kb_findings f = KB_FINDINGS_INIT;
	kb_auto(buf) struct kb_buf list = KB_BUF_INIT;
	kb_auto(mem) char *text = NULL;
	const char *got;

	kb_buf_addstr(&list, "\"operations\":[");
	for (int i = 0; i < 10; i++)
		kb_buf_addf(&list, "%s{\"call\":%d,\"max_rel\":\"0\","
			    "\"module\":\"\",\"name\":\"f\"}", i ? "," : "", i);
	kb_buf_addch(&list, ']');
	text = change(sound_text, "\"operations\":[]", list.data);
	judge(&f, text, "kernelbench");
	got = f.evidence[KB_FINDING_REMOVABLE];
	check(got && strstr(got, "f (call 7) changes 0; and 2 more"));
	check(got && !strstr(got, "call 8"));
}

static void test_words_tell_of_signs(void)
{
	static const char plain[] = DISTRIBUTION(OUTPUT, ERROR("1e-06"), "");
	kb_auto(findings) struct kb_findings f = KB_FINDINGS_INIT;
	kb_auto(findings) struct kb_findings g = KB_FINDINGS_INIT;
	kb_auto(mem) char *one = change(sound_text, "\"identity\":null",
					"\"identity\":0");
	kb_auto(mem) char *two = change(
		one, "\"operations\":[]", "\"operations\":["
		OPERATION(0, "relu", "", "0") "," OPERATION(1, "abs", "", "0")
		"]");
	kb_auto(mem) char *other = change(plain, "\"operations\":[]",
		"\"operations\":[" OPERATION(0, "relu", "", "0.9") ","
		OPERATION(1, "tanh", "", "0.8") "]");
	kb_auto(mem) char *text = change(two, "null", other);
	kb_auto(mem) char *both = change(text, "\"identity\":null",
					 "\"identity\":0");

	judge(&f, text, "kernelbench");
	check_str(f.evidence[KB_FINDING_IDENTITY],
		  "output 0 is input 0, bit by bit; not with signs");
	check_str(f.evidence[KB_FINDING_REMOVABLE],
		  "relu (call 0) changes 0, with signs 0.9; "
		  "abs (call 1) changes 0");
	judge(&g, both, "kernelbench");
	check_str(g.evidence[KB_FINDING_IDENTITY],
		  "output 0 is input 0, bit by bit; so with signs");
}

static void test_sound_is_without_the_grave_findings(void)
{
	static const char *const grave =
		" input_independent zero_output constant_output zeros_pass"
		" constant_passes other_input_passes identity"
		" not_reproducible random rounding_chooses not_finite ";

	for (int i = 0; i < KB_FINDING_COUNT; i++) {
		const char *name = kb_finding_name((enum kb_finding)i);
		kb_auto(mem) char *word = kb_xasprintf(" %s ", name);
		struct kb_findings f = KB_FINDINGS_INIT;
		const bool is_grave = strstr(grave, word);

		check(kb_findings_sound(&f));
		f.evidence[i] = kb_xstrdup("x");
		check_int(kb_findings_sound(&f), !is_grave);
		check_int(kb_finding_is_unsound((enum kb_finding)i), is_grave);
		kb_findings_release(&f);
	}
}

/* One sound problem, one that is not, one that was not audited. */
static void make_audit(struct kb_audit *a, const char *policy,
		       const char *environment)
{
	kb_auto(mem) char *weak = change(sound_text, NEAR(0, 0, 4),
					 NEAR(0, 100, 100));
	const char *const texts[] = { sound_text, weak, NULL };

	a->conditions.tool = parse("{\"git_commit\":\"abc\"}");
	a->conditions.environment = parse(environment);
	a->conditions.policy = parse(policy);
	a->lines = kb_xcalloc(3, sizeof(*a->lines));
	for (int i = 0; i < 3; i++) {
		struct kb_audit_line *l = &a->lines[a->line_count++];

		*l = (struct kb_audit_line)KB_AUDIT_LINE_INIT;
		l->key = (struct kb_key){ 1, i + 1 };
		if (!texts[i])
			continue;
		l->evidence = kb_xcalloc(1, sizeof(*l->evidence));
		read_evidence(l->evidence, texts[i]);
		judge(&l->findings, texts[i], "kernelbench");
	}
}

static void test_verdicts_are_of_what_was_audited(void)
{
	static const struct {
		const char *environment, *device;
	} cases[] = {
		{ "{\"cpu\":{\"model\":\"C\"},\"gpu\":{\"name\":\"G\"}}", "G" },
		{ "{\"cpu\":{\"model\":\"C\"},\"gpu\":"
		  "{\"name\":{\"unavailable\":\"x\"}}}", "C" },
		{ "{\"cpu\":{\"unavailable\":\"x\"},"
		  "\"device\":{\"kind\":\"cpu\"}}", "cpu" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(audit) struct kb_audit a = KB_AUDIT_INIT;
		kb_auto(json) struct kb_json *v = NULL;
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
		kb_auto(mem) char *want = kb_xasprintf(
			"{\"1/1\":{\"device\":\"%s\",\"findings\":[],"
			"\"sound\":true,\"tool_commit\":\"abc\"},"
			"\"1/2\":{\"device\":\"%s\",\"findings\":["
			"{\"evidence\":\"largest change for another input 3, "
			"range -1 to 2\",\"finding\":\"other_input_passes\"}],"
			"\"sound\":false,\"tool_commit\":\"abc\"}}",
			cases[i].device, cases[i].device);

		make_audit(&a, "{}", cases[i].environment);
		v = kb_audit_verdicts(&a);
		kb_json_print(&out, v);
		check_str(out.data, want);
	}
}

static void test_findings_are_judged_again(void)
{
	static const struct {
		const char *policy, *msg;
	} cases[] = {
		{ "{\"tolerance\":\"kernelbench\"}", "" },
		{ "{\"tolerance\":\"paper\"}",
		  "1/1: 'tolerance_loose' is not what the evidence gives" },
		{ "{\"tolerance\":\"mine\"}",
		  "no tolerance policy is called 'mine'" },
		{ "{}", "policy: 'tolerance' is missing" },
	};
	kb_auto(audit) struct kb_audit forged = KB_AUDIT_INIT;
	struct kb_err why = KB_ERR_INIT;

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(audit) struct kb_audit a = KB_AUDIT_INIT;
		struct kb_err err = KB_ERR_INIT;

		make_audit(&a, cases[i].policy, "{}");
		check_int(kb_audit_judge_again(&a, &err),
			  *cases[i].msg ? -KB_ERR_INPUT : 0);
		check_str(err.msg, cases[i].msg);
	}
	make_audit(&forged, cases[0].policy, "{}");
	kb_findings_release(&forged.lines[1].findings);
	check_int(kb_audit_judge_again(&forged, &why), -KB_ERR_INPUT);
	check_str(why.msg,
		  "1/2: 'other_input_passes' is not what the evidence gives");
}

TAP_MAIN(TAP(test_thresholds_hold_on_both_sides),
	 TAP(test_one_in_a_million_is_no_answer), TAP(test_contexts_matter),
	 TAP(test_every_output_has_to_have_it),
	 TAP(test_one_element_is_no_constant), TAP(test_words_tell_the_numbers),
	 TAP(test_of_many_operations_eight_are_named),
	 TAP(test_words_tell_of_signs),
	 TAP(test_sound_is_without_the_grave_findings),
	 TAP(test_verdicts_are_of_what_was_audited),
	 TAP(test_findings_are_judged_again));
