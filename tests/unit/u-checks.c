#include "verify/checks.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "unit/verify_world.h"

static const struct {
	enum kb_answer answers[4];
	size_t count;
	enum kb_answer layer;
} answered[] = {
	{ { 0 }, 0, SKIP },			/* nobody asked */
	{ { OK }, 1, OK },
	{ { NOTE }, 1, NOTE },
	{ { OK, NOTE, OK }, 3, NOTE },
	{ { OK, SKIP, NOTE }, 3, SKIP },
	{ { SKIP, NO, OK, OK }, 4, NO },
	{ { NO }, 1, NO },
};

static void test_the_worst_answer_is_the_layers(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(answered); i++) {
		kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;

		for (size_t k = 0; k < answered[i].count; k++)
			kb_checks_add(&c, KB_LAYER_CHAIN, "suite",
				      answered[i].answers[k], "x");
		check_int(kb_checks_layer(&c, KB_LAYER_CHAIN),
			  answered[i].layer);
		check_int(kb_checks_layer(&c, KB_LAYER_BYTES), SKIP);
		/* The other layers have not been asked. */
		check_int(kb_checks_answer(&c),
			  answered[i].layer == NO ? NO : SKIP);
	}
}

static void test_a_bundle_is_ok_if_every_layer_is(void)
{
	kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;

	for (int i = 0; i < KB_LAYER_COUNT; i++)
		kb_checks_add(&c, (enum kb_layer)i, "x", OK, "%s", "");
	check_int(kb_checks_answer(&c), OK);
	check_str(kb_answer_verdict(OK), "ok");
	check_str(kb_answer_verdict(NOTE), "ok");
	check_str(kb_answer_verdict(SKIP), "not_checked");
	check_str(kb_answer_verdict(NO), "no");
}

static void test_lines_are_grouped_cut_and_harmless(void)
{
	kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_checks_print(&out, "b", &c);
	check_str(out.data, "");
	kb_checks_add(&c, KB_LAYER_BYTES, "bag", OK, "%s", "");
	kb_checks_add(&c, KB_LAYER_BYTES, "record", NO, "a\nb\x1b");
	for (int i = 0; i < KB_CHECKS_LINES_MAX + 2; i++)
		kb_checks_add(&c, KB_LAYER_CHAIN, "suite", NOTE, "%d", i);
	kb_checks_add(&c, KB_LAYER_CHAIN, "suite", OK, "six");
	kb_checks_add(&c, KB_LAYER_SIGNATURE, "signature", SKIP, "no key");
	kb_checks_print(&out, "b", &c);
	check_str(out.data,
		  "b: bytes: bag: ok\n"
		  "b: bytes: record: no: a?b?\n"
		  "b: chain: suite: note: 0\n"
		  "b: chain: suite: note: 1\n"
		  "b: chain: suite: note: 2\n"
		  "b: chain: suite: note: 3\n"
		  "b: chain: suite: note: and 2 more\n"
		  "b: chain: suite: ok, six\n"
		  "b: signature: not checked: no key\n");
	check_int(kb_checks_count(&c, "suite", NOTE), KB_CHECKS_LINES_MAX + 2);
}

static void test_only_what_says_no_is_cut_the_same(void)
{
	kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_checks_add(&c, KB_LAYER_BYTES, "bag", OK, "%s", "");
	kb_checks_print_no(&out, "b", &c);
	check_str(out.data, "");
	for (int i = 0; i < KB_CHECKS_LINES_MAX + 1; i++)
		kb_checks_add(&c, KB_LAYER_CHAIN, "line", NO, "%d", i);
	kb_checks_add(&c, KB_LAYER_CHAIN, "line", NOTE, "odd");
	kb_checks_add(&c, KB_LAYER_ARITHMETIC, "arithmetic", NO, "%s", "");
	kb_checks_print_no(&out, "b", &c);
	check_str(out.data,
		  "b: chain: line: no: 0\n"
		  "b: chain: line: no: 1\n"
		  "b: chain: line: no: 2\n"
		  "b: chain: line: no: 3\n"
		  "b: chain: line: no: and 1 more\n"
		  "b: arithmetic: no\n");
}

static void test_a_summary_has_layers_and_what_is_open(void)
{
	static const struct {
		enum kb_layer layer;
		const char *what;
		enum kb_answer answer;
		const char *summary;	/* with those before */
	} rows[] = {
		{ KB_LAYER_SIGNATURE, "signature", SKIP,
		  "; 1 not checked: signature" },
		{ KB_LAYER_CHAIN, "drift", NOTE,
		  "chain; 1 noted: drift; 1 not checked: signature" },
		{ KB_LAYER_BYTES, "bag", OK,
		  "bytes chain; 1 noted: drift; 1 not checked: signature" },
		{ KB_LAYER_CHAIN, "drift", NOTE,
		  "bytes chain; 1 noted: drift; 1 not checked: signature" },
		{ KB_LAYER_CHAIN, "suite", SKIP,
		  "bytes chain; 1 noted: drift; 2 not checked: signature, "
		  "suite" },
		{ KB_LAYER_ARITHMETIC, "score", NO, "arithmetic" },
		{ KB_LAYER_BYTES, "record", NO, "bytes arithmetic" },
	};
	kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;

	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

		kb_checks_add(&c, rows[i].layer, rows[i].what, rows[i].answer,
			      "x");
		kb_checks_print_summary(&out, &c);
		check_str(out.data, rows[i].summary);
	}
}

static void test_json_has_every_layer_and_every_check(void)
{
	kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
	kb_auto(json) struct kb_json *v = NULL;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_checks_add(&c, KB_LAYER_BYTES, "bag", OK, "%s", "");
	kb_checks_add(&c, KB_LAYER_CHAIN, "suite", NOTE, "odd");
	v = kb_checks_to_json(&c);
	kb_json_print(&out, v);
	check_str(out.data,
		  "{\"arithmetic\":{\"checks\":[],\"verdict\":\"not_checked\"},"
		  "\"bytes\":{\"checks\":[{\"check\":\"bag\",\"detail\":null,"
		  "\"verdict\":\"ok\"}],\"verdict\":\"ok\"},"
		  "\"chain\":{\"checks\":[{\"check\":\"suite\",\"detail\":"
		  "\"odd\",\"verdict\":\"note\"}],\"verdict\":\"ok\"},"
		  "\"plausibility\":{\"checks\":[],\"verdict\":"
		  "\"not_checked\"},"
		  "\"signature\":{\"checks\":[],\"verdict\":\"not_checked\"}}");
}

static void test_what_is_moved_comes_behind(void)
{
	kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
	kb_auto(checks) struct kb_checks from = KB_CHECKS_INIT;
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_checks_add(&c, KB_LAYER_BYTES, "bag", OK, "a");
	kb_checks_add(&from, KB_LAYER_CHAIN, "suite", NOTE, "b");
	kb_checks_add(&from, KB_LAYER_CHAIN, "problems", NO, "c");
	kb_checks_move(&c, &from);
	check_int(from.count, 0);
	kb_checks_move(&c, &from);
	kb_checks_print(&out, "x", &c);
	check_str(out.data, "x: bytes: bag: ok, a\n"
		  "x: chain: suite: note: b\nx: chain: problems: no: c\n");
}

static void test_one_no_is_enough(void)
{
	kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
	struct kb_err err = KB_ERR_INIT;

	c.first_no = true;
	kb_checks_add(&c, KB_LAYER_CHAIN, "suite", OK, "a");
	kb_checks_add(&c, KB_LAYER_CHAIN, "suite", NOTE, "b");
	kb_checks_add(&c, KB_LAYER_CHAIN, "suite", SKIP, "c");
	check_int(c.count, 0);
	kb_checks_add(&c, KB_LAYER_CHAIN, "suite", NO, "d");
	kb_checks_add(&c, KB_LAYER_CHAIN, "suite", NO, "e");
	check_int(c.count, 1);
	check_int(kb_checks_refuse(&c, &err), -KB_ERR_INPUT);
	check_str(err.msg, "suite: d");
}

static void test_a_refusal_may_be_without_words(void)
{
	kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
	struct kb_err err = KB_ERR_INIT;

	kb_checks_add(&c, KB_LAYER_CHAIN, "suite", OK, "a");
	kb_checks_add(&c, KB_LAYER_CHAIN, "problems", NO, "%s", "");
	check_int(kb_checks_refuse(&c, &err), -KB_ERR_INPUT);
	check_str(err.msg, "problems");
}

TAP_MAIN(TAP(test_what_is_moved_comes_behind),
	 TAP(test_one_no_is_enough),
	 TAP(test_a_refusal_may_be_without_words),
	 TAP(test_the_worst_answer_is_the_layers),
	 TAP(test_a_bundle_is_ok_if_every_layer_is),
	 TAP(test_lines_are_grouped_cut_and_harmless),
	 TAP(test_only_what_says_no_is_cut_the_same),
	 TAP(test_a_summary_has_layers_and_what_is_open),
	 TAP(test_json_has_every_layer_and_every_check));
