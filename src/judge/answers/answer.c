#include "answers/answer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "answers/block.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/submission.h"

void kb_answer_release(struct kb_answer *a)
{
	free(a->custom_id);
	free(a->text);
	free(a->code);
	kb_reply_release(&a->reply);
	*a = (struct kb_answer)KB_ANSWER_INIT;
}

/* --- what may be there ------------------------------------------------- */

/* Answers are other people's JSON in OpenAI's form, of which servers leave out,
 * rename and add members. Whatever is not there or of another type is not
 * known, and only a line without its id is refused. */
static const struct kb_json *find_typed(const struct kb_json *v, const char *key,
					enum kb_json_type want)
{
	if (!v || kb_json_type(v) != KB_JSON_OBJECT)
		return NULL;
	v = kb_json_find(v, key);
	return v && kb_json_type(v) == want ? v : NULL;
}

/* NULL for one that is empty, too. */
static const char *find_text(const struct kb_json *v, const char *key)
{
	const struct kb_json *text = find_typed(v, key, KB_JSON_STRING);
	const char *s = text ? kb_json_string_value(text) : NULL;

	return s && *s ? s : NULL;
}

static char *copy_text(const struct kb_json *v, const char *key)
{
	return kb_xstrdup(find_text(v, key));
}

static int64_t find_tokens(const struct kb_json *v, const char *key)
{
	const struct kb_json *n = find_typed(v, key, KB_JSON_INT);
	const int64_t count = n ? kb_json_int_value(n) : -1;

	return count < 0 || count > KB_TOKENS_MAX ? KB_UNKNOWN : count;
}

/* --- usage ------------------------------------------------------------- */

static void read_usage(struct kb_usage *u, const struct kb_json *body)
{
	const struct kb_json *usage = find_typed(body, "usage", KB_JSON_OBJECT);
	const struct kb_json *input =
		find_typed(usage, "prompt_tokens_details", KB_JSON_OBJECT);
	const struct kb_json *output =
		find_typed(usage, "completion_tokens_details", KB_JSON_OBJECT);

	u->input_tokens = find_tokens(usage, "prompt_tokens");
	u->cached_tokens = find_tokens(input, "cached_tokens");
	u->output_tokens = find_tokens(usage, "completion_tokens");
	/* Some servers have this count one level higher than OpenAI. */
	u->reasoning_tokens = find_tokens(output, "reasoning_tokens");
	if (u->reasoning_tokens == KB_UNKNOWN)
		u->reasoning_tokens = find_tokens(usage, "reasoning_tokens");
	/* A part that is more than the whole tells nothing. */
	if (u->cached_tokens > u->input_tokens)
		u->cached_tokens = KB_UNKNOWN;
	if (u->reasoning_tokens > u->output_tokens)
		u->reasoning_tokens = KB_UNKNOWN;
}

/* --- failures ---------------------------------------------------------- */

static void fail_answer(struct kb_answer *a, const char *why)
{
	a->reply.outcome = KB_REPLY_FAILED;
	a->reply.message = kb_xstrdup(why && *why ? why : "no reason given");
}

/* The error in `v`, which may be any value; NULL if it has none. */
static const char *error_text(const struct kb_json *v)
{
	const char *text;

	if (!v || kb_json_type(v) == KB_JSON_NULL)
		return NULL;
	if (kb_json_type(v) == KB_JSON_STRING)
		return *kb_json_string_value(v) ? kb_json_string_value(v)
						: NULL;
	text = find_text(v, "message");
	if (!text)
		text = find_text(v, "code");
	return text ? text : "";
}

static const char *member_error(const struct kb_json *v)
{
	if (!v || kb_json_type(v) != KB_JSON_OBJECT)
		return NULL;
	return error_text(kb_json_find(v, "error"));
}

/* A body may hold its error, or be it. */
static const char *body_error(const struct kb_json *body)
{
	const char *text = member_error(body);
	const char *object = find_text(body, "object");

	if (!text && object && !strcmp(object, "error"))
		text = error_text(body);
	return text;
}

/* A batch file has the status beside the body, and servers answer 200 with an
 * error inside as well. */
static bool take_status(struct kb_answer *a, const struct kb_json *response,
			const char *error)
{
	const struct kb_json *v = find_typed(response, "status_code", KB_JSON_INT);
	const int64_t status = v ? kb_json_int_value(v) : 200;
	const bool is_good = status >= 200 && status < 300;
	kb_auto(mem) char *why = NULL;

	if (is_good && !error)
		return false;
	if (!is_good)
		why = kb_xasprintf("status %" PRId64 "%s%s", status,
				   error && *error ? ": " : "",
				   error ? error : "");
	fail_answer(a, why ? why : error);
	return true;
}

/* --- text -------------------------------------------------------------- */

static void add_part(struct kb_buf *out, const struct kb_json *part)
{
	if (kb_json_type(part) == KB_JSON_STRING)
		kb_buf_addstr(out, kb_json_string_value(part));
	else if (find_text(part, "text"))
		kb_buf_addstr(out, find_text(part, "text"));
}

static void read_content(struct kb_buf *out, const struct kb_json *message)
{
	const struct kb_json *list = find_typed(message, "content", KB_JSON_ARRAY);

	if (find_text(message, "content"))
		kb_buf_addstr(out, find_text(message, "content"));
	for (const struct kb_json *v = list ? kb_json_first(list) : NULL; v;
	     v = kb_json_next(v))
		add_part(out, v);
}

static void take_code(struct kb_answer *a, struct kb_buf *code)
{
	/* No submission could hold it. */
	if (code->len > KB_CANDIDATE_BYTES_MAX) {
		a->reply.outcome = KB_REPLY_NO_CODE;
		a->reply.message = kb_xstrdup("the block of code is too large");
		return;
	}
	a->reply.outcome = KB_REPLY_CODE;
	a->reply.code_bytes = code->len;
	kb_digest_of(&a->reply.code, code->data, code->len);
	a->code_bytes = code->len;
	a->code = kb_buf_detach(code);
}

/* Reasoning, in whatever member, is no answer: nothing is extracted from it. */
static void read_message(struct kb_answer *a, const struct kb_json *message,
			 struct kb_extraction how)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT, code = KB_BUF_INIT;
	const char *reason = a->reply.finish_reason;

	read_content(&text, message);
	if (!text.len) {
		a->reply.outcome = KB_REPLY_NO_TEXT;
		a->reply.message = copy_text(message, "refusal");
		return;
	}
	switch (kb_extract(&code, text.data, text.len,
			   reason && !strcmp(reason, "length"), how)) {
	case KB_EXTRACTED_CODE:
		take_code(a, &code);
		break;
	case KB_EXTRACTED_NONE:
		a->reply.outcome = KB_REPLY_NO_CODE;
		break;
	case KB_EXTRACTED_CUT_OFF:
		a->reply.outcome = KB_REPLY_CUT_OFF;
	}
	a->text = kb_buf_detach(&text);
}

static void read_body(struct kb_answer *a, const struct kb_json *body,
		      struct kb_extraction how)
{
	const struct kb_json *choices = find_typed(body, "choices", KB_JSON_ARRAY);
	const struct kb_json *choice = choices ? kb_json_first(choices) : NULL;

	a->reply.model = copy_text(body, "model");
	a->reply.fingerprint = copy_text(body, "system_fingerprint");
	read_usage(&a->reply.usage, body);
	if (!choice) {
		fail_answer(a, "the answer has no choices");
		return;
	}
	/* One sample is one request: of several choices the first is taken, and
	 * that there were more is said. */
	a->has_several = kb_json_next(choice) != NULL;
	a->reply.finish_reason = copy_text(choice, "finish_reason");
	read_message(a, find_typed(choice, "message", KB_JSON_OBJECT), how);
}

/* --- the line ---------------------------------------------------------- */

static void read_line(struct kb_answer *a, const struct kb_json *line,
		      struct kb_extraction how)
{
	const struct kb_json *response = find_typed(line, "response",
						    KB_JSON_OBJECT);
	const struct kb_json *body = find_typed(response, "body", KB_JSON_OBJECT);
	const char *error = member_error(line);

	if (!body && find_typed(response, "choices", KB_JSON_ARRAY))
		body = response;
	if (!error && response)
		error = body ? body_error(body) : body_error(response);
	if (take_status(a, response, error))
		return;
	if (!body)
		fail_answer(a, "there is neither a response nor an error");
	else
		read_body(a, body, how);
}

int kb_answer_parse(struct kb_answer *out, const char *text, size_t len,
		    struct kb_extraction how, const char *name,
		    struct kb_err *err)
{
	kb_auto(json) struct kb_json *line = NULL;
	int ret = kb_json_parse(&line, text, len, KB_JSON_FOREIGN, name, err);

	*out = (struct kb_answer)KB_ANSWER_INIT;
	if (ret < 0)
		return ret;
	if (!find_text(line, "custom_id"))
		return kb_err(err, KB_ERR_INPUT, "%s: has no 'custom_id'",
			      name);
	out->custom_id = copy_text(line, "custom_id");
	read_line(out, line, how);
	return 0;
}
