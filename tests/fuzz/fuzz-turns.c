/*
 * Any bytes as what a refinement reads beside records: a line as a goal, a line
 * as the list of what is told, and the rest as JSON, as words and as verdicts of
 * a journal. What is taken is what it says, and of it a model can be told.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "fuzz/must.h"
#include "json/json.h"
#include "json/utf8.h"
#include "manifest/result.h"
#include "turns/feedback.h"
#include "turns/tell.h"
#include "turns/turns.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_goal(const char *text)
{
	struct kb_err err = KB_ERR_INIT;
	struct kb_goal goal;

	if (kb_goal_parse(&goal, text, &err) < 0) {
		must(err.msg[0]);
		return;
	}
	must(goal.kind != KB_GOAL_NONE);
	must((goal.kind == KB_GOAL_CORRECT) == !strcmp(text, "correct"));
	must(goal.kind == KB_GOAL_CORRECT || goal.micro > 0);
}

static void check_told(const char *text)
{
	unsigned int told;

	if (kb_told_parse(&told, text, NULL) == 0)
		must(told > 0 && told < 1u << KB_TOLD_PARTS);
}

/* Of a candidate that was wrong, all that there is. */
static void check_words(const struct kb_json *words)
{
	char log[] = "x\n";
	struct kb_output_error off = { 8, 3, 0, 0.5, 0.25, 0.1 };
	const struct kb_result result = {
		.outcome = { .status = KB_STATUS_MISMATCH, .log = log },
		.outputs = &off, .output_count = 1,
	};
	const struct kb_generated line = { .turn = 2,
					   .reply.outcome = KB_REPLY_CODE };
	const struct kb_attempt a = { .line = &line, .result = &result };
	const struct kb_judged judged = { .status = KB_STATUS_MISMATCH,
					  .time_ns = 5, .baseline_ns = 9 };
	const struct kb_refinement r = {
		.told = (1u << KB_TOLD_PARTS) - 1,
		.words = (struct kb_json *)words,
	};
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	if (kb_words_check(words, "words", NULL) < 0)
		return;
	must(kb_attempt_tell(&text, &a, &judged, &r, NULL) == 0);
	must(kb_utf8_valid(text.data, text.len));
}

/* One sample of one problem, asked once. */
static void check_verdicts(const struct kb_json *v)
{
	kb_auto(generation) struct kb_generation g = KB_GENERATION_INIT;
	struct kb_err err = KB_ERR_INIT;
	int ret;

	g.asked.has_refinement = true;
	g.lines = kb_xcalloc(1, sizeof(*g.lines));
	g.lines[g.line_count++] = (struct kb_generated){
		.key = { 1, 19 }, .turn = 1, .is_refined = true,
		.reply = KB_REPLY_INIT,
	};
	ret = kb_tell_take(&g, v, "a journal", &err);
	if (ret < 0)
		must(ret == -KB_ERR_INPUT && err.msg[0]);
	else
		must(ret == 1 && g.line_count == 1);
}

/* The next line, without its end; the caller frees. */
static char *next_line(const uint8_t **data, size_t *size)
{
	const uint8_t *end = memchr(*data, '\n', *size);
	const size_t len = end ? (size_t)(end - *data) : *size;
	char *line = kb_xstrndup((const char *)*data, len);

	*size -= end ? len + 1 : len;
	*data += end ? len + 1 : len;
	return line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	kb_auto(mem) char *goal = NULL, *list = NULL;
	kb_auto(json) struct kb_json *v = NULL;

	if (!size)
		return 0;
	goal = next_line(&data, &size);
	list = next_line(&data, &size);
	check_goal(goal);
	check_told(list);
	if (kb_json_parse(&v, data, size, KB_JSON_OURS, "words", NULL) < 0)
		return 0;
	if (kb_json_type(v) == KB_JSON_OBJECT)
		check_words(v);
	check_verdicts(v);
	return 0;
}
