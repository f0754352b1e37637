#include "serving/request.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "lib/tap.h"
#include "manifest/suite.h"

static struct kb_problem problems[] = {
	{ .key = { 1, 9 }, .name = (char[]){ "9_Add" }, .runtime = KB_RUNTIME_NATIVE },
	{ .key = { 1, 19 }, .name = (char[]){ "19_ReLU" }, .runtime = KB_RUNTIME_TORCH },
	{ .key = { 2, 9 }, .name = (char[]){ "9_Linear" }, .runtime = KB_RUNTIME_TORCH },
};

static const struct kb_suite suite = {
	.problems = problems, .problem_count = KB_ARRAY_LEN(problems),
};

static const struct {
	const char *line;
	const char *id;
	struct kb_key key;
	enum kb_runtime runtime;
	const char *code;
	bool is_quick;
	int priority;
	int64_t deadline_ns;
} good[] = {
	{ "{\"id\":1,\"problem\":\"1/19\",\"code\":\"x\"}",
	  "1", { 1, 19 }, KB_RUNTIME_TORCH, "x", false, 0, 0 },
	{ " {\"id\":\"a b\",\"problem\":\"9_Add\",\"code\":\"\"} ",
	  "\"a b\"", { 1, 9 }, KB_RUNTIME_NATIVE, "", false, 0, 0 },
	{ "{\"id\":-3,\"problem\":19,\"code\":\"x\",\"policy\":\"screen\","
	  "\"priority\":\"high\",\"deadline_s\":1.5}",
	  "-3", { 1, 19 }, KB_RUNTIME_TORCH, "x", true, 1, 1500000000 },
	{ "{\"id\":\"\",\"problem\":\"2/9\",\"files\":{\"a.cu\":\"k\"},"
	  "\"policy\":\"full\",\"priority\":\"low\",\"deadline_s\":2}",
	  "\"\"", { 2, 9 }, KB_RUNTIME_CUDA, "k", false, -1, 2000000000 },
	{ "{\"id\":1,\"problem\":\"1/19\",\"answer\":"
	  "\"Two:\\n```python\\nx = 1\\n```\\nand\\n```python\\ny = 2\\n```\\n\"}",
	  "1", { 1, 19 }, KB_RUNTIME_TORCH, "y = 2\n", false, 0, 0 },
	{ "{\"id\":1,\"problem\":\"1/9\",\"answer\":\"```c\\nint i;\\n```\"}",
	  "1", { 1, 9 }, KB_RUNTIME_NATIVE, "int i;\n", false, 0, 0 },
};

static void test_a_request_is_read(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(good); i++) {
		kb_auto(serve_request) struct kb_serve_request r =
			KB_SERVE_REQUEST_INIT;
		kb_auto(buf) struct kb_buf id = KB_BUF_INIT;
		struct kb_err err = KB_ERR_INIT;

		check_int(kb_serve_request_parse(&r, &suite, good[i].line,
						 strlen(good[i].line), &err), 0);
		check_str(err.msg, "");
		if (err.msg[0])
			continue;
		kb_json_print(&id, r.id);
		check_str(id.data, good[i].id);
		check(!kb_key_compare(r.key, good[i].key));
		check_int(r.runtime, good[i].runtime);
		check_str(r.code, good[i].code);
		check_int(r.code_bytes, strlen(good[i].code));
		check_int(r.is_quick, good[i].is_quick);
		check_int(r.priority, good[i].priority);
		check_int(r.deadline_ns, good[i].deadline_ns);
	}
}

#define ASK "{\"id\":1,\"problem\":\"1/9\",\"code\":\"\""

static const struct {
	const char *line, *why;
} bad[] = {
	{ "", "cannot parse 'request': ends too soon at byte 0" },
	{ "[]", "request: is an array, want an object" },
	{ "{}", "request: 'id' is missing" },
	{ "{\"id\":1.5}", "request: 'id' must be an integer below 2^53 or a string of at most 200 bytes" },
	{ "{\"id\":9007199254740992}", "request: 'id' must be an integer below 2^53 or a string of at most 200 bytes" },
	{ "{\"id\":1}", "request: 'problem' is missing" },
	{ "{\"id\":1,\"problem\":[]}", "request: 'problem' must be a string, such as \"1/19\", or an integer" },
	{ "{\"id\":1,\"problem\":9}", "request: several levels have a problem of this number; write \"2/9\"" },
	{ "{\"id\":1,\"problem\":7}", "request: 'problem' is not in the suite" },
	{ "{\"id\":1,\"problem\":\"01/9\"}", "request: 'problem' is not in the suite" },
	{ "{\"id\":1,\"problem\":\"1/9\"}", "request: needs 'code', 'files' or 'answer'" },
	{ "{\"id\":1,\"problem\":\"1/9\",\"code\":1}", "request: 'code' is an integer, want a string" },
	{ ASK ",\"files\":{}}", "request: 'code' and 'files' exclude each other" },
	{ "{\"id\":1,\"problem\":\"1/9\",\"files\":{}}", "request: 'files' must have one member, a file's name and text" },
	{ "{\"id\":1,\"problem\":\"1/9\",\"files\":{\"a.c\":\"\",\"b.c\":\"\"}}", "request: 'files' must have one member, a file's name and text" },
	{ "{\"id\":1,\"problem\":\"1/9\",\"files\":{\"a.rs\":\"\"}}", "request: the file 'a.rs' does not end with .py, .c or .cu" },
	{ "{\"id\":1,\"problem\":\"1/9\",\"answer\":\"none\"}", "request: 'answer' has no block of code" },
	{ ASK ",\"policy\":\"quick\"}", "request: 'policy' must be one of 'full', 'screen'" },
	{ ASK ",\"priority\":1}", "request: 'priority' is an integer, want a string" },
	{ ASK ",\"deadline_s\":0}", "request: 'deadline_s' must be from 0.001 to 2592000" },
	{ ASK ",\"deadline_s\":\"1\"}", "request: 'deadline_s' must be a number" },
	{ ASK ",\"reward\":1}", "request: 'reward' is not a known member" },
};

static void test_a_bad_request_is_refused(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(bad); i++) {
		kb_auto(serve_request) struct kb_serve_request r =
			KB_SERVE_REQUEST_INIT;
		struct kb_err err = KB_ERR_INIT;

		check_int(kb_serve_request_parse(&r, &suite, bad[i].line,
						 strlen(bad[i].line), &err),
			  -KB_ERR_INPUT);
		check_str(err.msg, bad[i].why);
	}
}

/* So that who asked knows which of his requests it is. */
static void test_a_bad_request_has_its_id(void)
{
	static const struct {
		const char *line, *id;
	} rows[] = {
		{ "{\"id\":\"x\",\"problem\":0}", "\"x\"" },
		{ "{\"id\": 7, \"code\":\"\\u0000\"}", "7" },
		{ " {\"id\":\"\\n\",\"code\":\"\\ud800\"}", "\"\\n\"" },
		{ "{\"id\":1,,", "1" },
		{ "{\"id\":\"a,b\",\"code\":\"\\u0000\"}", "\"a,b\"" },
		{ "{\"id\":\",\\\",\\\",\",,", "\",\\\",\\\",\"" },
		{ "{\"id\":[1,2],,", "" },
		{ "{\"code\":\"\\u0000\",\"id\":1}", "" },
		{ "{\"id\":1.5,,", "" },
		{ "{\"id\":1", "" },
		{ "[1,", "" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(rows); i++) {
		kb_auto(serve_request) struct kb_serve_request r =
			KB_SERVE_REQUEST_INIT;
		kb_auto(buf) struct kb_buf id = KB_BUF_INIT;

		check(kb_serve_request_parse(&r, &suite, rows[i].line,
					     strlen(rows[i].line), NULL) < 0);
		if (r.id)
			kb_json_print(&id, r.id);
		check_str(id.data, rows[i].id);
	}
}

static void test_a_long_line_is_refused(void)
{
	const size_t len = KB_REQUEST_LINE_BYTES_MAX + 1;
	kb_auto(mem) char *line = kb_xcalloc(1, len);
	kb_auto(serve_request) struct kb_serve_request r = KB_SERVE_REQUEST_INIT;
	struct kb_err err = KB_ERR_INIT;

	strcpy(line, "{\"id\":5,");
	check(kb_serve_request_parse(&r, &suite, line, len, &err) < 0);
	check_str(err.msg, "request: longer than 1048576 bytes");
	check(r.id && kb_json_int_value(r.id) == 5);
}

TAP_MAIN(
	TAP(test_a_request_is_read),
	TAP(test_a_bad_request_is_refused),
	TAP(test_a_bad_request_has_its_id),
	TAP(test_a_long_line_is_refused),
);
