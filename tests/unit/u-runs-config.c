#include "import/kernelbench_runs.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "lib/tap.h"
#include "manifest/provenance.h"
#include "manifest/record.h"

static void test_runs_config_gives_what_it_knows(void)
{
	static const char text[] =
		"api_query_interval: 0.0\n"
		"max_tokens: 4096\n"
		"model_name: 'it''s: a model'\n"
		"num_samples: 2\n"
		"run_name: \"a \\u00e9\"\n"
		"server_type: null\n"
		"subset: !!python/tuple\n"
		"- null\n"
		"- null\n"
		"temperature: 0.70\r\n"
		"precision: bf16\n"
		"backend: tilelang\n"
		"top_p: None";
	kb_auto(provenance) struct kb_provenance p = KB_PROVENANCE_INIT;

	check_int(kb_runs_config_parse(&p, text, strlen(text), "c", NULL), 0);
	check_int(p.max_tokens, 4096);
	check_int(p.samples_per_problem, 2);
	check_str(p.model, "it's: a model");
	check_str(p.run_name, "a \xc3\xa9");
	check_str(p.temperature, "0.70");
	check_str(p.precision, "bf16");
	check_str(p.backend, "tilelang");
	check(!p.server_type && !p.top_p && !p.display_name);
	check(p.seed == KB_UNKNOWN);
}

#define NONE "(not known)"

/* The forms in which PyYAML writes a text, and others of YAML's. */
static void test_runs_config_has_every_form_of_a_text(void)
{
	static const struct {
		const char *text, *model;
	} cases[] = {
		{ "model_name: \"mod\\xE8le\"\n", "mod\xc3\xa8le" },
		{ "model_name: \"\\u6D4B\\u8BD5\"\n",
		  "\xe6\xb5\x8b\xe8\xaf\x95" },
		{ "model_name: \"\\U0001F680\"\n", "\xf0\x9f\x9a\x80" },
		{ "model_name: a long name\n  that is folded,\n  twice\nz: 1\n",
		  "a long name that is folded, twice" },
		{ "model_name: \"folded \\\n  \\ here\"\n", "folded  here" },
		{ "model_name: 'folded\n\n  here'\n", "folded\nhere" },
		{ "model_name: |\n  two\n  lines\n", "two\nlines\n" },
		{ "model_name: >-\n  two\n  lines\n", "two lines" },
		{ "{level: 1, model_name: m, subset: [1, {a: b}]}", "m" },
		{ "\xef\xbb\xbfmodel_name: m\n", "m" },
		{ "---\nlevel: 1\nmodel_name: m # a note\n...\n", "m" },
		{ "%YAML 1.1\n---\nmodel_name: m\n", "m" },
		{ "model_name: !!str null\n", "null" },
		{ "model_name: !!python/unicode 'm'\n", "m" },
		{ "model_name: 'null'\n", "null" },
		{ "model_name: &a m\nother: *a\n", "m" },
		{ "? model_name\n: m\n", "m" },
		{ "[a, b]: c\n? {d: e}\n: f\nmodel_name: m\n", "m" },
		{ "other: {deep: {model_name: n}}\nmodel_name: m\n", "m" },
		{ "model_name: !!null ''\n", NONE },
		{ "model_name: ~\n", NONE },
		{ "model_name:\n", NONE },
		{ "model_name: ''\n", NONE },
		{ "model_name: 'None'\n", NONE },
		{ "--- null\n", NONE },
		{ "# nothing\n", NONE },
		{ "", NONE },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		kb_auto(provenance) struct kb_provenance p =
			KB_PROVENANCE_INIT;
		struct kb_err err = KB_ERR_INIT;

		check_int(kb_runs_config_parse(&p, cases[i].text,
					       strlen(cases[i].text), "c",
					       &err), 0);
		check_str(err.msg, "");
		check_str(p.model ? p.model : NONE, cases[i].model);
	}
}

static void test_runs_config_reads_utf_16(void)
{
	static const char text[] = "\xff\xfe" "r\0u\0n\0_\0n\0a\0m\0e\0:\0 \0x\0";
	kb_auto(provenance) struct kb_provenance p = KB_PROVENANCE_INIT;

	check_int(kb_runs_config_parse(&p, text, sizeof(text) - 1, "c", NULL),
		  0);
	check_str(p.run_name, "x");
}

static void test_runs_config_reads_back_what_it_prints(void)
{
	static const char *const texts[] = {
		"plain", "it's \"so\": #1\\", "tab\there", "two\nlines", "null",
		"0.5", "\x7f", "\xc2\x85 and \xe2\x80\xa8", "\xef\xbb\xbf",
		"\xc3\xa8", "\xf0\x9f\x9a\x80", " blanks ",
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(texts); i++) {
		kb_auto(provenance) struct kb_provenance p =
			KB_PROVENANCE_INIT;
		kb_auto(provenance) struct kb_provenance again =
			KB_PROVENANCE_INIT;
		kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

		p.model = kb_xstrdup(texts[i]);
		p.temperature = kb_xstrdup("1e-05");
		p.max_tokens = 7;
		kb_runs_config_print(&out, &p, 2);
		check_int(kb_runs_config_parse(&again, out.data, out.len, "c",
					       NULL), 0);
		check_str(again.model, texts[i]);
		check_str(again.temperature, "1e-05");
		check_int(again.max_tokens, 7);
	}
}

static void test_runs_config_refuses_what_it_would_misread(void)
{
	static const struct {
		const char *text, *msg;
	} cases[] = {
		{ "model_name", "line 1 of c: is not a mapping of keys to values" },
		{ "- model_name: a\n",
		  "line 1 of c: is not a mapping of keys to values" },
		{ "a: 1\nmodel_name:\n- a\n",
		  "line 2 of c: 'model_name' is not text" },
		{ "model_name: {a: b}\n", "line 1 of c: 'model_name' is not text" },
		{ "a: &a x\nmodel_name: *a\n",
		  "line 2 of c: 'model_name' is not text" },
		{ "model_name: \"a\\0b\"\n",
		  "line 1 of c: 'model_name' is not text" },
		{ "model_name: !!python/name:os.path ''\n",
		  "line 1 of c: 'model_name' is not text" },
		{ "model_name: 'a\n",
		  "line 2 of c: is not YAML: found unexpected end of stream" },
		{ "level: 1\nmodel_name: a: b\n",
		  "line 2 of c: is not YAML: mapping values are not allowed in "
		  "this context" },
		{ "model_name: \"\\ud800\"\n",
		  "line 1 of c: is not YAML: found invalid Unicode character "
		  "escape code" },
		{ "level: 1\nmodel_name: \xff\n",
		  "line 1 of c: is not YAML: invalid leading UTF-8 octet" },
		{ "run_name: a\nrun_name: b\n",
		  "line 2 of c: 'run_name' is there twice" },
		{ "max_tokens: 1.5\n",
		  "line 1 of c: 'max_tokens' is not a whole number" },
		{ "max_tokens: 99999999999999999999\n",
		  "line 1 of c: 'max_tokens' is not a whole number" },
		{ "temperature: warm\n",
		  "c: 'temperature' is not a decimal of 0 or more" },
		{ "num_samples: 0\n",
		  "c: 'samples_per_problem' is out of range" },
		{ "run_name: a\n---\nrun_name: b\n",
		  "line 2 of c: a second document begins" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_provenance p;
		struct kb_err err = KB_ERR_INIT;

		check_int(kb_runs_config_parse(&p, cases[i].text,
					       strlen(cases[i].text), "c",
					       &err), -KB_ERR_INPUT);
		check_str(err.msg, cases[i].msg);
	}
}

/* Each open level costs libyaml time for each token. */
static void test_runs_config_is_not_read_to_any_depth(void)
{
	static const char *const opens[] = { "[", "{a: ", "- ", "? " };

	for (size_t i = 0; i < KB_ARRAY_LEN(opens); i++) {
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
		struct kb_provenance p;
		struct kb_err err = KB_ERR_INIT;

		kb_buf_addstr(&text, "other:\n ");
		for (size_t n = 0; n < 100000; n++)
			kb_buf_addstr(&text, opens[i]);
		check_int(kb_runs_config_parse(&p, text.data, text.len, "c",
					       &err), -KB_ERR_INPUT);
		check_str(err.msg, "line 2 of c: is nested too deeply");
	}
}

TAP_MAIN(TAP(test_runs_config_gives_what_it_knows),
	 TAP(test_runs_config_has_every_form_of_a_text),
	 TAP(test_runs_config_reads_utf_16),
	 TAP(test_runs_config_reads_back_what_it_prints),
	 TAP(test_runs_config_refuses_what_it_would_misread),
	 TAP(test_runs_config_is_not_read_to_any_depth));
