/* Answers in all the forms that servers give them. */

#include "answers/answer.h"

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "lib/tap.h"

#define LINE(rest) "{\"custom_id\":\"x\"," rest "}"
#define BODY(body) LINE("\"error\":null,\"response\":{\"status_code\":200," \
			"\"body\":" body "}")
#define CHOICE(message, reason)						\
	"\"choices\":[{\"index\":0,\"finish_reason\":" reason ",\"message\":" \
	message "}]"
#define SAYS(content) BODY("{" CHOICE("{\"content\":" content "}", "\"stop\"") "}")
#define CODE "\"```py\\na\\n```\""
#define CUT "\"```py\\na\""

static const struct kb_extraction how = {
	KB_BACKEND_CUDA, KB_EXTRACTION_RULE_LAST,
};

static const struct {
	const char *text;
	enum kb_reply_outcome outcome;
	const char *code, *message;	/* NULL: none */
} answers[] = {
	{ SAYS(CODE), KB_REPLY_CODE, "a\n", NULL },
	{ SAYS("\"no\""), KB_REPLY_NO_CODE, NULL, NULL },
	{ SAYS("\"\""), KB_REPLY_NO_TEXT, NULL, NULL },
	{ SAYS("null"), KB_REPLY_NO_TEXT, NULL, NULL },
	{ SAYS("7"), KB_REPLY_NO_TEXT, NULL, NULL },
	{ SAYS("[{\"type\":\"text\",\"text\":\"```py\\na\\n\"},"
	       "{\"type\":\"image\"},\"```\",7]"), KB_REPLY_CODE, "a\n", NULL },
	{ BODY("{" CHOICE("{\"content\":null,\"reasoning\":" CODE "}",
			  "\"stop\"") "}"), KB_REPLY_NO_TEXT, NULL, NULL },
	{ BODY("{" CHOICE("{\"reasoning_content\":" CODE "}", "\"length\"")
	       "}"), KB_REPLY_NO_TEXT, NULL, NULL },
	{ BODY("{" CHOICE("{\"content\":null,\"refusal\":\"never\"}",
			  "\"stop\"") "}"), KB_REPLY_NO_TEXT, NULL, "never" },
	{ BODY("{" CHOICE("{\"content\":" CUT "}", "\"length\"") "}"),
	  KB_REPLY_CUT_OFF, NULL, NULL },
	{ BODY("{" CHOICE("{\"content\":" CUT "}", "\"stop\"") "}"),
	  KB_REPLY_CODE, "a\n", NULL },
	{ BODY("{" CHOICE("{\"content\":" CUT "}", "null") "}"),
	  KB_REPLY_CODE, "a\n", NULL },
	{ BODY("{" CHOICE("null", "\"stop\"") "}"), KB_REPLY_NO_TEXT, NULL,
	  NULL },
	{ BODY("{\"choices\":[]}"), KB_REPLY_FAILED, NULL,
	  "the answer has no choices" },
	{ BODY("{}"), KB_REPLY_FAILED, NULL, "the answer has no choices" },
	{ BODY("\"<html>\""), KB_REPLY_FAILED, NULL,
	  "there is neither a response nor an error" },
	{ LINE("\"response\":{" CHOICE("{\"content\":" CODE "}", "\"stop\"")
	       "}"), KB_REPLY_CODE, "a\n", NULL },
	{ LINE("\"response\":null,\"error\":null"), KB_REPLY_FAILED, NULL,
	  "there is neither a response nor an error" },
	{ LINE("\"response\":null,\"error\":\"late\""), KB_REPLY_FAILED, NULL,
	  "late" },
	{ LINE("\"response\":null,\"error\":{\"code\":\"batch_expired\","
	       "\"message\":\"too late\"}"), KB_REPLY_FAILED, NULL,
	  "too late" },
	{ LINE("\"error\":{\"code\":\"batch_expired\"}"), KB_REPLY_FAILED,
	  NULL, "batch_expired" },
	{ LINE("\"error\":{}"), KB_REPLY_FAILED, NULL, "no reason given" },
	{ LINE("\"response\":{\"status_code\":429,\"body\":"
	       "{\"error\":{\"message\":\"slow down\"}}}"), KB_REPLY_FAILED,
	  NULL, "status 429: slow down" },
	{ LINE("\"response\":{\"status_code\":500,\"body\":"
	       "{\"object\":\"error\",\"message\":\"flat\"}}"),
	  KB_REPLY_FAILED, NULL, "status 500: flat" },
	{ LINE("\"response\":{\"status_code\":502,\"body\":\"<html>\"}"),
	  KB_REPLY_FAILED, NULL, "status 502" },
	{ LINE("\"response\":{\"status_code\":302,\"body\":{}}"),
	  KB_REPLY_FAILED, NULL, "status 302" },
	{ BODY("{\"error\":\"in a body of status 200\"}"), KB_REPLY_FAILED,
	  NULL, "in a body of status 200" },
	{ BODY("{\"object\":\"error\",\"message\":\"flat\"}"),
	  KB_REPLY_FAILED, NULL, "flat" },
};

static void test_every_form_has_an_outcome(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(answers); i++) {
		kb_auto(answer) struct kb_answer a = KB_ANSWER_INIT;
		struct kb_err err = KB_ERR_INIT;

		check_int(kb_answer_parse(&a, answers[i].text,
					  strlen(answers[i].text),
					  how, "line 1", &err), 0);
		check_str(err.msg, "");
		check_str(a.custom_id, "x");
		check_int(a.reply.outcome, answers[i].outcome);
		check_str(a.code ? a.code : "(none)",
			  answers[i].code ? answers[i].code : "(none)");
		check_str(a.reply.message ? a.reply.message : "(none)",
			  answers[i].message ? answers[i].message : "(none)");
	}
}

static const struct {
	const char *text, *msg;
} bad[] = {
	{ "", "cannot parse 'line 1': " },
	{ "[]", "line 1: has no 'custom_id'" },
	{ "{}", "line 1: has no 'custom_id'" },
	{ "{\"custom_id\":1}", "line 1: has no 'custom_id'" },
	{ "{\"custom_id\":\"\"}", "line 1: has no 'custom_id'" },
	{ SAYS("\"\xff\""), "cannot parse 'line 1': " },
	{ SAYS("\"\\ud800\""), "cannot parse 'line 1': " },
	{ SAYS("\"\\u0000\""), "cannot parse 'line 1': " },
	{ "<html>", "cannot parse 'line 1': " },
};

static void test_what_is_no_answer_is_refused(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(bad); i++) {
		kb_auto(answer) struct kb_answer a = KB_ANSWER_INIT;
		struct kb_err err = KB_ERR_INIT;

		check_int(kb_answer_parse(&a, bad[i].text, strlen(bad[i].text),
					  how, "line 1", &err),
			  -KB_ERR_INPUT);
		err.msg[strlen(bad[i].msg)] = '\0';
		check_str(err.msg, bad[i].msg);
	}
}

#define USED(usage) BODY("{" CHOICE("{}", "\"stop\"") ",\"usage\":" usage "}")
#define U KB_UNKNOWN

static const struct {
	const char *text;
	struct kb_usage usage;
} usages[] = {
	{ USED("null"), { U, U, U, U } },
	{ USED("{}"), { U, U, U, U } },
	{ USED("{\"prompt_tokens\":10,\"completion_tokens\":20,"
	       "\"total_tokens\":30}"), { 10, U, 20, U } },
	{ USED("{\"prompt_tokens\":10,\"completion_tokens\":20,"
	       "\"prompt_tokens_details\":{\"cached_tokens\":4},"
	       "\"completion_tokens_details\":{\"reasoning_tokens\":15}}"),
	  { 10, 4, 20, 15 } },
	{ USED("{\"prompt_tokens\":10,\"completion_tokens\":20,"
	       "\"prompt_tokens_details\":null,\"reasoning_tokens\":5}"),
	  { 10, U, 20, 5 } },
	{ USED("{\"prompt_tokens\":3,\"completion_tokens\":2,"
	       "\"prompt_tokens_details\":{\"cached_tokens\":4},"
	       "\"reasoning_tokens\":5}"), { 3, U, 2, U } },
	{ USED("{\"prompt_tokens\":-1,\"completion_tokens\":1.5}"),
	  { U, U, U, U } },
	{ USED("{\"prompt_tokens\":1e13,\"completion_tokens\":1e12}"),
	  { U, U, 1000000000000, U } },
};

static void test_usage_is_what_is_said_and_can_be(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(usages); i++) {
		kb_auto(answer) struct kb_answer a = KB_ANSWER_INIT;

		check_int(kb_answer_parse(&a, usages[i].text,
					  strlen(usages[i].text),
					  how, "line 1", NULL), 0);
		check_int(a.reply.usage.input_tokens,
			  usages[i].usage.input_tokens);
		check_int(a.reply.usage.cached_tokens,
			  usages[i].usage.cached_tokens);
		check_int(a.reply.usage.output_tokens,
			  usages[i].usage.output_tokens);
		check_int(a.reply.usage.reasoning_tokens,
			  usages[i].usage.reasoning_tokens);
	}
}

static void test_what_a_server_says_of_itself(void)
{
	static const char text[] =
		BODY("{\"model\":\"m-1\",\"system_fingerprint\":\"f\","
		     "\"choices\":[{\"finish_reason\":\"tool_calls\","
		     "\"message\":{\"content\":\"x\"}},{}]}");
	kb_auto(answer) struct kb_answer a = KB_ANSWER_INIT;

	check_int(kb_answer_parse(&a, text, strlen(text), how,
				  "line 1", NULL), 0);
	check_str(a.reply.model, "m-1");
	check_str(a.reply.fingerprint, "f");
	check_str(a.reply.finish_reason, "tool_calls");
	check(a.has_several);
}

TAP_MAIN(TAP(test_every_form_has_an_outcome),
	 TAP(test_what_is_no_answer_is_refused),
	 TAP(test_usage_is_what_is_said_and_can_be),
	 TAP(test_what_a_server_says_of_itself));
