#include "serving/request.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "answers/block.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/numbers.h"
#include "json/json.h"
#include "manifest/backend.h"
#include "manifest/suite.h"
#include "store/quote.h"

/* An id, all of it escaped, and what is before it. */
#define FIRST_BYTES_MAX ((size_t)6 * KB_REQUEST_ID_BYTES_MAX + 100)

static const char where[] = "request";

void kb_serve_request_release(struct kb_serve_request *r)
{
	kb_json_free(r->id);
	free(r->code);
	*r = (struct kb_serve_request)KB_SERVE_REQUEST_INIT;
}

static int read_id(struct kb_serve_request *r, const struct kb_json *v,
		   struct kb_err *err)
{
	const struct kb_json *id = kb_json_find(v, "id");

	if (!id)
		return kb_err(err, KB_ERR_INPUT, "request: 'id' is missing");
	if (kb_json_type(id) != KB_JSON_INT &&
	    (kb_json_type(id) != KB_JSON_STRING ||
	     strlen(kb_json_string_value(id)) > KB_REQUEST_ID_BYTES_MAX))
		return kb_err(err, KB_ERR_INPUT, "request: 'id' must be an "
			      "integer below 2^53 or a string of at most %d "
			      "bytes", KB_REQUEST_ID_BYTES_MAX);
	r->id = kb_json_copy(id);
	return 0;
}

/* Take the id of a line that cannot be read as a whole, if the id is its first
 * member, which ends at one of the first commas. The client then knows which request
 * is refused. */
static void read_first_id(struct kb_serve_request *r, const char *line, size_t len)
{
	const char *const most = line + kb_min_u64(len, FIRST_BYTES_MAX);
	const char *end = line;

	while (!r->id && end < most &&
	       (end = memchr(end, ',', (size_t)(most - end)))) {
		kb_auto(buf) struct kb_buf first = KB_BUF_INIT;
		kb_auto(json) struct kb_json *v = NULL;

		kb_buf_add(&first, line, (size_t)(end++ - line));
		kb_buf_addch(&first, '}');
		if (kb_json_parse(&v, first.data, first.len, KB_JSON_FOREIGN,
				  where, NULL) >= 0 &&
		    kb_json_type(v) == KB_JSON_OBJECT)
			(void)read_id(r, v, NULL);
	}
}

/* --- the problem ------------------------------------------------------- */

static const struct kb_problem *find_number(const struct kb_suite *suite,
					    int64_t number, size_t *count)
{
	const struct kb_problem *found = NULL;

	*count = 0;
	for (size_t i = 0; i < suite->problem_count; i++)
		if (suite->problems[i].key.problem_id == number) {
			found = &suite->problems[i];
			++*count;
		}
	return found;
}

/* A key or a name, which has no '/'. */
static const struct kb_problem *find_text(const struct kb_suite *suite,
					  const char *text)
{
	struct kb_key key;

	if (kb_key_parse(&key, text, NULL) >= 0)
		return kb_suite_find(suite, key);
	for (size_t i = 0; i < suite->problem_count; i++)
		if (!strcmp(suite->problems[i].name, text))
			return &suite->problems[i];
	return NULL;
}

static int find_problem(const struct kb_problem **out, const struct kb_json *v,
			const struct kb_suite *suite, struct kb_err *err)
{
	const struct kb_json *problem = kb_json_find(v, "problem");
	size_t count = 1;

	if (!problem)
		return kb_err(err, KB_ERR_INPUT, "request: 'problem' is missing");
	if (kb_json_type(problem) == KB_JSON_INT)
		*out = find_number(suite, kb_json_int_value(problem), &count);
	else if (kb_json_type(problem) == KB_JSON_STRING)
		*out = find_text(suite, kb_json_string_value(problem));
	else
		return kb_err(err, KB_ERR_INPUT, "request: 'problem' must be a "
			      "string, such as \"1/19\", or an integer");
	if (count > 1)
		return kb_err(err, KB_ERR_INPUT, "request: several levels have "
			      "a problem of this number; write \"%d/%d\"",
			      (*out)->key.level, (*out)->key.problem_id);
	return *out ? 0 : kb_err(err, KB_ERR_INPUT,
				 "request: 'problem' is not in the suite");
}

/* --- the candidate ----------------------------------------------------- */

static void set_code(struct kb_serve_request *r, const char *text)
{
	r->code_bytes = strlen(text);
	r->code = kb_xstrdup(text);
}

static int read_code(struct kb_serve_request *r, const struct kb_json *v,
		     struct kb_err *err)
{
	const char *text;
	int ret = kb_json_read_string(&text, v, "code", where, err);

	if (ret >= 0)
		set_code(r, text);
	return ret;
}

static int read_files(struct kb_serve_request *r, const struct kb_json *v,
		      struct kb_err *err)
{
	const struct kb_json *files, *file;
	int ret = kb_json_read(&files, v, "files", KB_JSON_OBJECT, where, err);

	if (ret < 0)
		return ret;
	file = kb_json_first(files);
	if (!file || kb_json_next(file) || kb_json_type(file) != KB_JSON_STRING)
		return kb_err(err, KB_ERR_INPUT, "request: 'files' must have "
			      "one member, a file's name and text");
	r->runtime = kb_runtime_of_file(kb_json_key(file), NULL);
	if (r->runtime == KB_RUNTIME_COUNT)
		return kb_err(err, KB_ERR_INPUT, "request: the file '%s' does "
			      "not end with .py, .c or .cu",
			      kb_quote_str(kb_json_key(file)).text);
	set_code(r, kb_json_string_value(file));
	return 0;
}

static enum kb_backend backend_of(enum kb_runtime runtime)
{
	return runtime == KB_RUNTIME_TORCH ? KB_BACKEND_TRITON :
	       runtime == KB_RUNTIME_CUDA ? KB_BACKEND_NATIVE_CUDA :
					    KB_BACKEND_NATIVE_C;
}

static int read_answer(struct kb_serve_request *r, const struct kb_json *v,
		       struct kb_err *err)
{
	const struct kb_extraction how = { backend_of(r->runtime),
					   KB_EXTRACTION_RULE_LAST };
	kb_auto(buf) struct kb_buf code = KB_BUF_INIT;
	const char *text;
	int ret = kb_json_read_string(&text, v, "answer", where, err);

	if (ret < 0)
		return ret;
	if (kb_extract(&code, text, strlen(text), false, how) !=
	    KB_EXTRACTED_CODE)
		return kb_err(err, KB_ERR_INPUT,
			      "request: 'answer' has no block of code");
	set_code(r, code.data);
	return 0;
}

static int read_candidate(struct kb_serve_request *r, const struct kb_json *v,
			  struct kb_err *err)
{
	static const struct {
		const char *member;
		int (*read)(struct kb_serve_request *r, const struct kb_json *v,
			    struct kb_err *err);
	} forms[] = {
		{ "code", read_code }, { "files", read_files },
		{ "answer", read_answer },
	};
	int form = -1;

	for (size_t i = 0; i < KB_ARRAY_LEN(forms); i++) {
		if (!kb_json_find(v, forms[i].member))
			continue;
		if (form >= 0)
			return kb_err(err, KB_ERR_INPUT, "request: '%s' and "
				      "'%s' exclude each other",
				      forms[form].member, forms[i].member);
		form = (int)i;
	}
	if (form < 0)
		return kb_err(err, KB_ERR_INPUT, "request: needs 'code', "
			      "'files' or 'answer'");
	return forms[form].read(r, v, err);
}

/* --- how --------------------------------------------------------------- */

/* The place of a member's word in a list that NULL ends; `otherwise` if it is
 * absent. */
static int read_word(int *out, const struct kb_json *v, const char *member,
		     const char *const words[], int otherwise,
		     struct kb_err *err)
{
	kb_auto(buf) struct kb_buf list = KB_BUF_INIT;
	const char *word;
	int ret;

	*out = otherwise;
	if (!kb_json_find(v, member))
		return 0;
	ret = kb_json_read_string(&word, v, member, where, err);
	for (int i = 0; ret >= 0 && words[i]; i++) {
		kb_buf_addf(&list, "%s'%s'", i ? ", " : "", words[i]);
		*out = i;
		if (!strcmp(words[i], word))
			return 0;
	}
	return ret < 0 ? ret : kb_err(err, KB_ERR_INPUT,
				      "request: '%s' must be one of %s", member,
				      list.data);
}

static int read_deadline(struct kb_serve_request *r, const struct kb_json *v,
			 struct kb_err *err)
{
	const struct kb_json *s = kb_json_find(v, "deadline_s");
	double value;

	if (!s)
		return 0;
	if (kb_json_type(s) != KB_JSON_INT && kb_json_type(s) != KB_JSON_FLOAT)
		return kb_err(err, KB_ERR_INPUT,
			      "request: 'deadline_s' must be a number");
	value = kb_json_number_value(s);
	if (!(value >= 0.001 && value <= KB_REQUEST_DEADLINE_S_MAX))
		return kb_err(err, KB_ERR_INPUT, "request: 'deadline_s' must be "
			      "from 0.001 to %d", KB_REQUEST_DEADLINE_S_MAX);
	r->deadline_ns = (int64_t)(value * 1e9);
	return 0;
}

static int read_members(struct kb_serve_request *r, const struct kb_suite *suite,
			const struct kb_json *v, struct kb_err *err)
{
	static const char *const known[] = {
		"id", "problem", "code", "files", "answer", "policy",
		"deadline_s", "priority", NULL,
	};
	static const char *const policies[] = { "full", "screen", NULL };
	static const char *const priorities[] = { "low", "normal", "high", NULL };
	const struct kb_problem *problem = NULL;
	int policy = 0, priority = 0;
	int ret = read_id(r, v, err);

	if (ret >= 0)
		ret = kb_json_only(v, known, where, err);
	if (ret >= 0)
		ret = find_problem(&problem, v, suite, err);
	if (ret < 0)
		return ret;
	r->key = problem->key;
	r->runtime = problem->runtime;
	ret = read_candidate(r, v, err);
	if (ret >= 0)
		ret = read_word(&policy, v, "policy", policies, 0, err);
	if (ret >= 0)
		ret = read_word(&priority, v, "priority", priorities, 1, err);
	r->is_quick = policy == 1;
	r->priority = priority - 1;
	return ret < 0 ? ret : read_deadline(r, v, err);
}

int kb_serve_request_parse(struct kb_serve_request *r, const struct kb_suite *suite,
		     const void *line, size_t len, struct kb_err *err)
{
	kb_auto(json) struct kb_json *v = NULL;
	int ret;

	*r = (struct kb_serve_request)KB_SERVE_REQUEST_INIT;
	ret = len > KB_REQUEST_LINE_BYTES_MAX ?
		kb_err(err, KB_ERR_INPUT, "request: longer than %zu bytes",
		       KB_REQUEST_LINE_BYTES_MAX) :
		kb_json_parse(&v, line, len, KB_JSON_FOREIGN, where, err);
	if (ret < 0)
		read_first_id(r, line, len);
	else
		ret = kb_json_want_object(v, where, err);
	return ret < 0 ? ret : read_members(r, suite, v, err);
}
