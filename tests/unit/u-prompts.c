#include "prompts/prompts.h"

#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "lib/tap.h"

#define SAYS(text) "\"messages\":[{\"content\":\"" text "\",\"role\":\"user\"}]"
#define ONE "{\"problem\":\"1/1\"," SAYS("a") "}"
#define TWO "{ " SAYS("b") ", \"problem\": \"2/10\" }"

static void test_lines_are_found_by_problem(void)
{
	static const char text[] = TWO "\r\n\n \t\n" ONE;
	kb_auto(prompts) struct kb_prompts p = KB_PROMPTS_INIT;
	const struct kb_prompt *one, *two;

	check_int(kb_prompts_parse(&p, text, strlen(text), "p", NULL), 0);
	check_int((int)p.count, 2);
	one = kb_prompts_find(&p, (struct kb_key){ 1, 1 });
	two = kb_prompts_find(&p, (struct kb_key){ 2, 10 });
	check(one && two && !kb_digest_equal(&one->digest, &two->digest));
	check(two && kb_json_count(two->messages) == 1);
	check(!kb_prompts_find(&p, (struct kb_key){ 1, 2 }));
}

static void test_the_digest_is_of_the_bytes(void)
{
	kb_auto(prompts) struct kb_prompts a = KB_PROMPTS_INIT,
					   b = KB_PROMPTS_INIT;

	check_int(kb_prompts_parse(&a, ONE, strlen(ONE), "p", NULL), 0);
	check_int(kb_prompts_parse(&b, ONE "\n", strlen(ONE) + 1, "p", NULL),
		  0);
	check(!kb_digest_equal(&a.digest, &b.digest));
	check(kb_digest_equal(&a.of[0].prompt.digest, &b.of[0].prompt.digest));
}

static void test_what_is_no_prompt_is_refused_by_its_line(void)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
		{ "", "'p' has no prompt" },
		{ "\n\n", "'p' has no prompt" },
		{ "{", "line 1 of p" },
		{ ONE "\nprompt", "line 2 of p" },
		{ "[]", "line 1 of p" },
		{ "{\"problem\":\"1/1\"}", "'messages'" },
		{ "{" SAYS("a") "}", "'problem'" },
		{ "{\"problem\":1," SAYS("a") "}", "'problem'" },
		{ "{\"problem\":\"1-1\"," SAYS("a") "}", "line 1 of p" },
		{ "{\"problem\":\"1/1\",\"messages\":[]}",
		  "'messages' is empty" },
		{ "{\"problem\":\"1/1\",\"messages\":[{\"role\":\"user\"}]}",
		  "'content'" },
		{ "{\"problem\":\"1/1\",\"messages\":[{\"content\":\"\",\"role\":\"tool\"}]}",
		  "'role'" },
		{ "{\"problem\":\"1/1\",\"more\":1," SAYS("a") "}", "'more'" },
		{ ONE "\n" TWO "\n" ONE,
		  "'p' has two prompts for problem '1/1'" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(cases); i++) {
		struct kb_prompts p;
		struct kb_err err = KB_ERR_INIT;

		check_int(kb_prompts_parse(&p, cases[i].text,
					   strlen(cases[i].text), "p", &err),
			  -KB_ERR_INPUT);
		if (!strstr(err.msg, cases[i].why))
			tap_fail("\"%s\" does not have \"%s\"", err.msg,
				 cases[i].why);
		check(!p.of);
	}
}

TAP_MAIN(
	TAP(test_lines_are_found_by_problem),
	TAP(test_the_digest_is_of_the_bytes),
	TAP(test_what_is_no_prompt_is_refused_by_its_line),
);
