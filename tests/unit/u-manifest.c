#include <fcntl.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "lib/records.h"
#include "lib/tap.h"
#include "manifest/lines.h"
#include "manifest/problem_audit.h"
#include "source/code_backend.h"

static void test_status_names_are_read_back(void)
{
	for (int i = 0; i < KB_STATUS_COUNT; i++) {
		enum kb_status status = KB_STATUS_COUNT;

		check_int(kb_status_parse(&status,
					  kb_status_name((enum kb_status)i),
					  NULL), 0);
		check_int(status, i);
	}
	for (int i = KB_PHASE_NONE + 1; i < KB_PHASE_COUNT; i++) {
		enum kb_phase phase = KB_PHASE_COUNT;

		check_int(kb_phase_parse(&phase,
					 kb_phase_name((enum kb_phase)i),
					 NULL), 0);
		check_int(phase, i);
	}
}

static void test_status_unknown_is_refused(void)
{
	static const char *const unknown[] = { "", "Correct", "correct ",
					       "timedout", "null" };

	for (size_t i = 0; i < KB_ARRAY_LEN(unknown); i++) {
		enum kb_status status;
		enum kb_phase phase;

		check_int(kb_status_parse(&status, unknown[i], NULL),
			  -KB_ERR_INPUT);
		check_int(kb_phase_parse(&phase, unknown[i], NULL),
			  -KB_ERR_INPUT);
	}
}

static void test_compiled_is_what_got_as_far_as_running(void)
{
	static const struct {
		enum kb_status status;
		enum kb_phase phase;
		bool compiled;
	} cases[] = {
		{ KB_STATUS_CORRECT, KB_PHASE_NONE, true },
		{ KB_STATUS_MISMATCH, KB_PHASE_RUN, true },
		{ KB_STATUS_RUN_FAILED, KB_PHASE_RUN, true },
		{ KB_STATUS_CRASHED, KB_PHASE_RUN, true },
		{ KB_STATUS_CRASHED, KB_PHASE_LOAD, false },
		{ KB_STATUS_TIMED_OUT, KB_PHASE_BUILD, false },
		{ KB_STATUS_PROTOCOL_VIOLATION, KB_PHASE_LOAD, false },
		{ KB_STATUS_BUILD_FAILED, KB_PHASE_BUILD, false },
		{ KB_STATUS_BUILD_FAILED, KB_PHASE_LOAD, false },
		{ KB_STATUS_LOAD_FAILED, KB_PHASE_LOAD, false },
		{ KB_STATUS_REFERENCE_FAILED, KB_PHASE_NONE, false },
		{ KB_STATUS_MISSING, KB_PHASE_NONE, false },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		check(kb_status_fits_phase(cases[i].status, cases[i].phase));
		check_int(kb_status_compiled(cases[i].status, cases[i].phase),
			  cases[i].compiled);
	}
}

/* The same list stands in manifests/, for readers without our code. */
static void check_enum(const struct kb_json *defs, const char *name,
		       bool (*has)(enum kb_status status))
{
	const struct kb_json *v = kb_json_find(kb_json_find(defs, name),
					       "enum");
	int listed = 0, ours = 0;

	for (v = kb_json_first(v); v; v = kb_json_next(v), listed++) {
		enum kb_status status = KB_STATUS_MISSING;

		check_int(kb_status_parse(&status, kb_json_string_value(v),
					  NULL), 0);
		check(has(status));
	}
	for (int i = 0; i < KB_STATUS_COUNT; i++)
		ours += has((enum kb_status)i);
	check_int(listed, ours);
}

/* Names that are read back, each with its number. */
static void check_names(const struct kb_json *defs, const char *name,
			bool (*read)(int *number, const char *text), int count)
{
	const struct kb_json *v = kb_json_find(kb_json_find(defs, name),
					       "enum");
	int listed = 0;

	for (v = kb_json_first(v); v; v = kb_json_next(v), listed++) {
		int number = -1;

		check(read(&number, kb_json_string_value(v)));
		check_int(number, listed);
	}
	check_int(listed, count);
}

static bool read_mode(int *number, const char *text)
{
	enum kb_mode mode;

	if (kb_mode_parse(&mode, text, NULL) < 0)
		return false;
	*number = (int)mode;
	return true;
}

static bool read_runtime(int *number, const char *text)
{
	enum kb_runtime runtime;

	if (kb_runtime_parse(&runtime, text, NULL) < 0)
		return false;
	*number = (int)runtime;
	return true;
}

static bool read_dtype(int *number, const char *text)
{
	enum kb_dtype dtype;

	if (kb_dtype_parse(&dtype, text, NULL) < 0)
		return false;
	*number = (int)dtype - KB_FLOAT64;
	return true;
}

static bool read_finding(int *number, const char *text)
{
	for (int i = 0; i < KB_FINDING_COUNT; i++)
		if (!strcmp(kb_finding_name((enum kb_finding)i), text))
			*number = i;
	return *number >= 0;
}

static bool read_backend(int *number, const char *text)
{
	for (int i = 0; kb_code_backends[i]; i++)
		if (!strcmp(kb_code_backends[i], text))
			*number = i;
	return *number >= 0;
}

static int count_backends(void)
{
	int count = 0;

	while (kb_code_backends[count])
		count++;
	return count;
}

static void test_schema_lists_the_same_names(void)
{
	const char *root = getenv("KB_SRC") ? getenv("KB_SRC") : ".";
	kb_auto(mem) char *path =
		kb_xasprintf("%s/manifests/common.schema.json", root);
	kb_auto(buf) struct kb_buf buf = KB_BUF_INIT;
	kb_auto(json) struct kb_json *schema = NULL;
	const struct kb_json *defs;

	check_int(kb_file_read(&buf, AT_FDCWD, path, 1 << 20, NULL), 0);
	check_int(kb_json_parse(&schema, buf.data, buf.len, KB_JSON_FOREIGN,
				path, NULL), 0);
	if (!schema)
		return;
	defs = kb_json_find(schema, "$defs");
	check_enum(defs, "candidate_status", kb_status_of_candidate);
	check_enum(defs, "reference_status", kb_status_of_reference);
	check_names(defs, "mode", read_mode, KB_MODE_COUNT);
	check_enum(defs, "audit_status", kb_status_of_audit);
	check_names(defs, "runtime", read_runtime, KB_RUNTIME_COUNT);
	check_names(defs, "dtype", read_dtype, KB_DTYPE_COUNT - KB_FLOAT64);
	check_names(defs, "backend", read_backend, count_backends());
	check_names(defs, "finding", read_finding, KB_FINDING_COUNT);
}

static void test_mode_and_clock_names_are_read_back(void)
{
	struct kb_err err = KB_ERR_INIT;
	enum kb_clock clock;

	for (int i = 0; i < KB_MODE_COUNT; i++) {
		enum kb_mode mode = KB_MODE_COUNT;

		check_int(kb_mode_parse(&mode, kb_mode_name((enum kb_mode)i),
					NULL), 0);
		check_int(mode, i);
	}
	for (int i = 0; i < KB_CLOCK_COUNT; i++) {
		check_int(kb_clock_parse(&clock,
					 kb_clock_name((enum kb_clock)i),
					 NULL), 0);
		check_int(clock, i);
	}
	check_int(kb_clock_parse(&clock, "wall", &err), -KB_ERR_INPUT);
	check_str(err.msg, "no clock is called 'wall', there are: call, device");
}

static void test_signals_have_names(void)
{
	static const struct {
		int signal;
		const char *name;
	} known[] = {
		{ 11, "SIGSEGV" }, { 6, "SIGABRT" }, { 9, "SIGKILL" },
		{ 8, "SIGFPE" }, { 31, "SIGSYS" }, { 32, "SIG32" },
		{ 33, "SIG33" },
	};
	char name[KB_SIGNAL_NAME_SIZE];

	for (size_t i = 0; i < KB_ARRAY_LEN(known); i++) {
		kb_signal_name(name, known[i].signal);
		check_str(name, known[i].name);
	}
}

static void test_keys_have_one_spelling(void)
{
	static const struct {
		const char *text;
		int ret;
	} cases[] = {
		{ "", -KB_ERR_INPUT },		{ "1/19", 0 },
		{ "1/1", 0 },			{ "99/999999", 0 },
		{ "0/1", -KB_ERR_INPUT },	{ "1/0", -KB_ERR_INPUT },
		{ "01/1", -KB_ERR_INPUT },	{ "1/01", -KB_ERR_INPUT },
		{ "100/1", -KB_ERR_INPUT },	{ "1/1000000", -KB_ERR_INPUT },
		{ "1", -KB_ERR_INPUT },		{ "1/", -KB_ERR_INPUT },
		{ "/1", -KB_ERR_INPUT },	{ "1/2/3", -KB_ERR_INPUT },
		{ "+1/2", -KB_ERR_INPUT },	{ "1/-2", -KB_ERR_INPUT },
		{ " 1/2", -KB_ERR_INPUT },	{ "1/2 ", -KB_ERR_INPUT },
		{ "4294967297/1", -KB_ERR_INPUT },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_key key;
		char again[KB_KEY_SIZE];

		check_int(kb_key_parse(&key, cases[i].text, NULL),
			  cases[i].ret);
		if (cases[i].ret < 0)
			continue;
		kb_key_format(again, key);
		check_str(again, cases[i].text);
	}
}

static void test_key_find_gives_the_whole_run(void)
{
	static const struct kb_key keys[] = {
		{ 1, 1 }, { 1, 3 }, { 1, 3 }, { 1, 3 }, { 2, 1 },
	};
	size_t run;

	check(!kb_key_find(NULL, 0, sizeof(keys[0]), keys[0], &run));
	check_int(run, 0);
	check(kb_key_find(keys, 5, sizeof(keys[0]), keys[2], &run) == &keys[1]);
	check_int(run, 3);
	check(kb_key_find(keys, 5, sizeof(keys[0]), keys[4], &run) == &keys[4]);
	check_int(run, 1);
	check(!kb_key_find(keys, 5, sizeof(keys[0]),
			   (struct kb_key){ 1, 2 }, &run));
	check_int(run, 0);
}

static void test_fp64_errors_are_copied_whole(void)
{
	kb_auto(fp64_error) struct kb_fp64_error *o = kb_fp64_error_new(3, 2);
	kb_auto(fp64_error) struct kb_fp64_error *none =
		kb_fp64_error_new_unavailable("no reason");
	kb_auto(fp64_error) struct kb_fp64_error *a = NULL, *b = NULL;

	o->outputs[1] = (struct kb_fp64_error_output){ true, 4, 3, 2, 1 };
	a = kb_fp64_error_copy(o);
	b = kb_fp64_error_copy(none);
	check(!kb_fp64_error_copy(NULL));
	check_int(a->draws, 3);
	check(!kb_fp64_error_find(a, 0));
	check(kb_fp64_error_find(a, 1)->max_abs_error == 4);
	check(kb_fp64_error_find(a, 1)->rms == 1);
	check(!kb_fp64_error_find(a, 2));
	check_str(b->unavailable, "no reason");
	check(!kb_fp64_error_find(b, 0));
	check(!kb_fp64_error_find(NULL, 0));
}

static void test_match_keys_differ_field_by_field(void)
{
	kb_auto(json) struct kb_json *left =
		record_parse("{\"cpu\":\"x\",\"os\":\"1\",\"torch\":\"2.5\"}");
	kb_auto(json) struct kb_json *right =
		record_parse("{\"cpu\":\"x\",\"driver\":\"9\",\"torch\":\"2.6\"}");
	kb_auto(mismatches) struct kb_mismatches same = KB_MISMATCHES_INIT;
	kb_auto(mismatches) struct kb_mismatches m = KB_MISMATCHES_INIT;

	kb_match_key_diff(&same, left, left);
	check_int(same.count, 0);

	kb_match_key_diff(&m, left, right);
	check_int(m.count, 3);
	if (m.count != 3)
		return;
	check_str(m.items[0].field, "driver");
	check(!m.items[0].left);
	check_str(m.items[0].right, "9");
	check_str(m.items[1].field, "os");
	check_str(m.items[1].left, "1");
	check(!m.items[1].right);
	check_str(m.items[2].field, "torch");
	check_str(m.items[2].left, "2.5");
	check_str(m.items[2].right, "2.6");
}

static int count_line(void *into, const struct kb_json *line,
		      const char *where, struct kb_err *err)
{
	int *count = into;

	(void)line;
	if (*count == 2)
		return kb_err(err, KB_ERR_INPUT, "%s: enough", where);
	++*count;
	return 0;
}

static void test_lines_end_and_are_canonical(void)
{
	static const struct {
		const char *text;
		int count;
		const char *msg;
	} cases[] = {
		{ "", 0, "" },
		{ "1\n", 1, "" },
		{ "1\n[]\n", 2, "" },
		{ "1\n2\n3\n", 2, "line 3 of x: enough" },
		{ "1\n2", 1, "line 2 of x: does not end" },
		{ "1\n\n", 1,
		  "cannot parse 'line 2 of x': ends too soon at byte 0" },
		{ "1\n[ ]\n", 1,
		  "cannot parse 'line 2 of x': not canonical at byte 1" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_err err = KB_ERR_INIT;
		int count = 0;
		int ret = kb_lines_parse(cases[i].text, strlen(cases[i].text),
					 "x", count_line, &count, &err);

		check_int(ret, *cases[i].msg ? -KB_ERR_INPUT : 0);
		check_int(count, cases[i].count);
		check_str(err.msg, cases[i].msg);
	}
}

static void test_provenance_override_keeps_what_is_not_said(void)
{
	kb_auto(provenance) struct kb_provenance p = KB_PROVENANCE_INIT;
	kb_auto(provenance) struct kb_provenance over = KB_PROVENANCE_INIT;

	p.model = kb_xstrdup("old");
	p.notes = kb_xstrdup("kept");
	p.seed = 7;
	over.model = kb_xstrdup("new");
	over.max_tokens = 9;
	kb_provenance_override(&p, &over);
	check_str(p.model, "new");
	check_str(p.notes, "kept");
	check_int(p.seed, 7);
	check_int(p.max_tokens, 9);
	check(!p.organization);
}

TAP_MAIN(TAP(test_status_names_are_read_back),
	 TAP(test_status_unknown_is_refused),
	 TAP(test_compiled_is_what_got_as_far_as_running),
	 TAP(test_schema_lists_the_same_names),
	 TAP(test_mode_and_clock_names_are_read_back),
	 TAP(test_signals_have_names),
	 TAP(test_keys_have_one_spelling),
	 TAP(test_key_find_gives_the_whole_run),
	 TAP(test_fp64_errors_are_copied_whole),
	 TAP(test_match_keys_differ_field_by_field),
	 TAP(test_lines_end_and_are_canonical),
	 TAP(test_provenance_override_keeps_what_is_not_said));
