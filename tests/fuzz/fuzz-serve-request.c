/*
 * Any bytes as a request to kb-serve. A request that is taken has an id, a problem
 * of the suite and code, and its answer is one line that parses.
 */

#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "fuzz/must.h"
#include "json/json.h"
#include "manifest/suite.h"
#include "serving/request.h"
#include "serving/verdict.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct kb_problem problems[] = {
	{ .key = { 1, 9 }, .name = (char[]){ "9_Add" }, .runtime = KB_RUNTIME_NATIVE },
	{ .key = { 1, 19 }, .name = (char[]){ "19_ReLU" }, .runtime = KB_RUNTIME_TORCH },
};

static const struct kb_suite suite = {
	.problems = problems, .problem_count = KB_ARRAY_LEN(problems),
};

static void check_answer(const struct kb_serve_request *r, const char *why)
{
	kb_auto(buf) struct kb_buf line = KB_BUF_INIT;
	kb_auto(json) struct kb_json *v = NULL;
	const struct kb_json *id;

	kb_unserved_print(&line, r->id, why);
	must(line.len && line.data[line.len - 1] == '\n');
	must(!memchr(line.data, '\n', line.len - 1));
	must(kb_json_parse(&v, line.data, line.len, KB_JSON_OURS, "answer",
			   NULL) == 0);
	id = kb_json_find(v, "id");
	must(r->id ? kb_json_equal(id, r->id)
		   : kb_json_type(id) == KB_JSON_NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	kb_auto(serve_request) struct kb_serve_request r = KB_SERVE_REQUEST_INIT;
	struct kb_err err = KB_ERR_INIT;

	if (kb_serve_request_parse(&r, &suite, data, size, &err) < 0) {
		must(err.kind == KB_ERR_INPUT && err.msg[0]);
		check_answer(&r, err.msg);
		return 0;
	}
	must(r.id && kb_suite_find(&suite, r.key));
	must(r.code && strlen(r.code) == r.code_bytes && r.code_bytes <= size);
	must(r.runtime < KB_RUNTIME_COUNT && r.priority >= -1 && r.priority <= 1);
	must(r.deadline_ns >= 0);
	check_answer(&r, "");
	return 0;
}
