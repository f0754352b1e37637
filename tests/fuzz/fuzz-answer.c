/*
 * Any bytes as an answer, and as what a model wrote in one. Reading is a
 * function: twice the same. What is extracted is text of whole lines that was
 * there, and a fence that is put around it gives it again.
 */

#include <stdint.h>
#include <string.h>

#include "answers/answer.h"
#include "answers/block.h"
#include "answers/complete.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "fuzz/must.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const enum kb_backend backends[] = {
	KB_BACKEND_TRITON, KB_BACKEND_NATIVE_C, KB_BACKEND_NATIVE_CUDA,
};

/* No line of it can end such a block: its fence is longer than any. */
static void check_again(const struct kb_buf *code, struct kb_extraction how)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT, again = KB_BUF_INIT;

	for (size_t i = 0; i < code->len + 3; i++)
		kb_buf_addch(&text, '~');
	kb_buf_addch(&text, '\n');
	kb_buf_add(&text, code->data, code->len);
	must(kb_extract(&again, text.data, text.len, false, how) ==
	     KB_EXTRACTED_CODE);
	must(again.len == code->len);
	must(!memcmp(again.data, code->data, code->len));
}

static bool has_cr_at_line_end(const struct kb_buf *code)
{
	return strstr(code->data, "\r\n") || memchr(code->data, '\0',
						     code->len);
}

static void check_text(const char *text, size_t len, struct kb_extraction how)
{
	kb_auto(buf) struct kb_buf code = KB_BUF_INIT, cut = KB_BUF_INIT;
	enum kb_extracted got = kb_extract(&code, text, len, false, how);

	must(got != KB_EXTRACTED_CUT_OFF);
	must((got == KB_EXTRACTED_CODE) == (code.len > 0));
	must(!code.len || code.data[code.len - 1] == '\n');
	must(code.len <= len + 1);
	if (code.len && !has_cr_at_line_end(&code))
		check_again(&code, how);
	if (kb_extract(&cut, text, len, true, how) == KB_EXTRACTED_CODE)
		must(cut.len == code.len &&
		     !memcmp(cut.data, code.data, code.len));
}

static void check_answer(const char *text, size_t len,
			 struct kb_extraction how)
{
	kb_auto(answer) struct kb_answer a = KB_ANSWER_INIT;
	kb_auto(answer) struct kb_answer b = KB_ANSWER_INIT;
	struct kb_err err = KB_ERR_INIT;
	int ret = kb_answer_parse(&a, text, len, how, "fuzz", &err);

	if (ret < 0) {
		must(ret == -KB_ERR_INPUT && err.msg[0]);
		return;
	}
	must(kb_answer_parse(&b, text, len, how, "fuzz", &err) == 0);
	must(kb_reply_equal(&a.reply, &b.reply));
	must(!strcmp(a.custom_id, b.custom_id));
	must((a.reply.outcome == KB_REPLY_CODE) == (a.code != NULL));
	must(a.reply.outcome != KB_REPLY_MISSING);
	must((a.reply.outcome == KB_REPLY_FAILED) <= (a.reply.message != NULL));
	must(kb_usage_valid(&a.reply.usage));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;

	kb_complete_python(text, size);
	kb_complete_c(text, size);
	kb_defines_python(text, size, "ModelNew");
	kb_defines_c(text, size, "kb_forward");
	for (size_t i = 0; i < KB_ARRAY_LEN(backends); i++) {
		for (int rule = 0; rule < KB_EXTRACTION_RULE_COUNT; rule++) {
			const struct kb_extraction how = {
				backends[i], (enum kb_extraction_rule)rule,
			};

			check_text(text, size, how);
			check_answer(text, size, how);
		}
	}
	return 0;
}
