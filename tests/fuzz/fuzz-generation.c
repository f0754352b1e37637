/*
 * Any bytes as a generation: its record in the first line, its prompts in those
 * that follow, an empty line, and what was answered. What is taken goes together,
 * is in order, and prints as it was, and its sums count every line.
 */

#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "fuzz/must.h"
#include "fuzz/numbers.h"
#include "json/json.h"
#include "manifest/generation.h"
#include "manifest/lines.h"
#include "manifest/submission.h"
#include "turns/submit.h"
#include "turns/turns_again.h"
#include "verify/chain.h"
#include "verify/checks.h"
#include "verify/lineage.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A part of the input. */
struct text {
	const char *at;
	size_t len;
};

/* Up to and with the first `end`, or all; `rest` is what is behind it. */
static struct text take(struct text *rest, const char *end)
{
	const char *found = memmem(rest->at, rest->len, end, strlen(end));
	const struct text taken = {
		rest->at, found ? (size_t)(found - rest->at) + 1 : rest->len,
	};
	const size_t used = found ? taken.len + strlen(end) - 1 : taken.len;

	rest->at += used;
	rest->len -= used;
	return taken;
}

static bool is(const struct kb_buf *printed, struct text t)
{
	return printed->len == t.len && !memcmp(printed->data, t.at, t.len);
}

static void check_prints(const struct kb_generation *g, struct text prompts,
			 struct text results)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	for (size_t i = 0; i < g->prompt_count; i++)
		kb_lines_add(&out, kb_prompt_to_json(&g->prompts[i]));
	must(is(&out, prompts));
	kb_buf_clear(&out);
	for (size_t i = 0; i < g->line_count; i++)
		kb_lines_add(&out, kb_generated_to_json(&g->lines[i]));
	must(is(&out, results));
}

static void check_lines(const struct kb_generation *g)
{
	for (size_t i = 0; i < g->line_count; i++) {
		const struct kb_generated *l = &g->lines[i];

		must(kb_generation_prompt(g, &l->prompt) != NULL);
		must(l->sample_id >= 0 && l->sample_id < g->asked.samples);
		must(l->turn == 1 || (i > 0 && l->turn == l[-1].turn + 1));
		must(!i || kb_generated_compare(l - 1, l) < 0);
	}
}

static void check_sums(const struct kb_generation *g)
{
	struct kb_generation_totals sums;
	int64_t lines = 0;

	kb_generation_sum(&sums, g);
	for (int i = 0; i < KB_REPLY_OUTCOME_COUNT; i++)
		lines += sums.outcomes[i];
	must(lines == (int64_t)g->line_count);
	must(sums.without_usage >= 0 && sums.without_usage <= lines);
	must(kb_usage_valid(&sums.usage));
	must(sums.cost_nano == KB_UNKNOWN || sums.cost_nano >= 0);
}

/* --- as kb-verify does -------------------------------------------------- */

static void ask_turns(const struct kb_generation *g)
{
	struct kb_err err = KB_ERR_INIT;
	const int ret = kb_generation_turns_again(g, &err);

	must(ret == 0 ? !err.kind : ret == -KB_ERR_INPUT && err.msg[0]);
}

/* What was extracted is what would be extracted again. */
static void ask_submission(struct kb_generation *g)
{
	kb_auto(submission) struct kb_submission s = KB_SUBMISSION_INIT;
	kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
	struct kb_lineage l = KB_LINEAGE_INIT;
	struct kb_err err = KB_ERR_INIT;

	if (kb_submission_again(&s, g, &err) < 0) {
		must(err.kind == KB_ERR_INPUT && err.msg[0]);
		return;
	}
	s.has_generation = true;
	l.kind = KB_KIND_SUBMISSION;
	l.submission = &s;
	l.generation = g;
	kb_chain_check(&c, &l);
	must(kb_checks_count(&c, "extracted", KB_ANSWER_OK) == 1);
}

/* Of which no parent is there. */
static void ask_chain(struct kb_generation *g)
{
	kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;
	struct kb_lineage l = KB_LINEAGE_INIT;

	l.kind = KB_KIND_GENERATION;
	l.generation = g;
	kb_chain_check(&c, &l);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text rest = { (const char *)data, size };
	const struct text first = take(&rest, "\n");
	const struct text prompts = take(&rest, "\n\n");
	kb_auto(generation) struct kb_generation g = KB_GENERATION_INIT;
	kb_auto(json) struct kb_json *record = NULL;
	struct kb_err err = KB_ERR_INIT;

	if (!first.len || kb_json_parse(&record, first.at, first.len - 1,
					KB_JSON_CANONICAL, "record", NULL) < 0 ||
	    kb_generation_from_json(&g, record, "record", NULL) < 0)
		return 0;
	if (kb_generation_parse_lines(&g, prompts.at, prompts.len, rest.at,
				      rest.len, &err) < 0) {
		must(err.kind == KB_ERR_INPUT && err.msg[0]);
		return 0;
	}
	check_prints(&g, prompts, rest);
	check_lines(&g);
	check_sums(&g);
	ask_turns(&g);
	ask_submission(&g);
	ask_chain(&g);
	return 0;
}
