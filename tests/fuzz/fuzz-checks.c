/*
 * Any bytes as what is said of a bundle: of each line the first byte chooses
 * the layer, the question and the answer, and the others are words, in which
 * strangers are quoted. What is printed are lines, and JSON, all the same, and
 * all layers together say what the worst of them does.
 */

#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "fuzz/must.h"
#include "json/json.h"
#include "json/utf8.h"
#include "verify/checks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Layers' own names are left out where they are printed. */
static const char *const questions[] = { "bytes", "chain", "seeds", "drift" };

static void add(struct kb_checks *c, uint8_t choice, const char *words)
{
	const enum kb_answer answer =
		(enum kb_answer)(choice % KB_ANSWER_COUNT);
	const enum kb_layer layer = (enum kb_layer)(
		choice / KB_ANSWER_COUNT % KB_LAYER_COUNT);
	const char *what = questions[choice / KB_ANSWER_COUNT / KB_LAYER_COUNT %
				     KB_ARRAY_LEN(questions)];

	kb_checks_add(c, layer, what, answer, "%s", words);
}

static void read_checks(struct kb_checks *c, const char *data, size_t size)
{
	while (size) {
		const char *eol = memchr(data, '\n', size);
		const size_t len = eol ? (size_t)(eol - data) : size;

		if (len) {
			kb_auto(mem) char *words = kb_xstrndup(data + 1,
							       len - 1);

			add(c, (uint8_t)*data, words);
		}
		data += len + (eol != NULL);
		size -= len + (eol != NULL);
	}
}

static size_t count_lines(const struct kb_buf *text)
{
	size_t n = 0;

	for (size_t i = 0; i < text->len; i++) {
		n += text->data[i] == '\n';
		must((uint8_t)text->data[i] >= ' ' || text->data[i] == '\n');
	}
	must(kb_utf8_valid(text->data, text->len));
	return n;
}

/* No more than there are, each beginning as it should. */
static void check_lines(const struct kb_buf *text, size_t most)
{
	const char *p = text->data;

	must(count_lines(text) <= most);
	for (; *p; p = strchr(p, '\n') + 1)
		must(!strncmp(p, "name: ", strlen("name: ")));
}

static void check_shown(const struct kb_checks *c)
{
	kb_auto(buf) struct kb_buf all = KB_BUF_INIT, no = KB_BUF_INIT;
	kb_auto(buf) struct kb_buf summary = KB_BUF_INIT;

	kb_checks_print(&all, "name", c);
	kb_checks_print_no(&no, "name", c);
	kb_checks_print_summary(&summary, c);
	check_lines(&all, c->count);
	check_lines(&no, c->count);
	must(count_lines(&summary) == 0);
	must((no.len > 0) == (kb_checks_answer(c) == KB_ANSWER_NO));
}

static void check_json(const struct kb_checks *c)
{
	kb_auto(json) struct kb_json *v = kb_checks_to_json(c), *again = NULL;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	kb_json_print(&text, v);
	must(kb_json_parse(&again, text.data, text.len, KB_JSON_CANONICAL,
			   "checks", NULL) == 0);
	must(kb_json_count(again) == KB_LAYER_COUNT);
}

/* The first that says no, cut to what a message may be. */
static void check_refused(const struct kb_checks *c)
{
	kb_auto(mem) char *want = NULL;
	struct kb_err err = KB_ERR_INIT;
	const struct kb_check *first = c->items;

	while (first->answer != KB_ANSWER_NO)
		first++;
	want = kb_xasprintf("%s%s%s", first->what, first->words ? ": " : "",
			    first->words ? first->words : "");
	must(kb_checks_refuse(c, &err) == -KB_ERR_INPUT);
	must(!strncmp(err.msg, want, strlen(err.msg)) && *err.msg);
}

static void check_answers(const struct kb_checks *c)
{
	const enum kb_answer worst = kb_checks_answer(c);
	bool is_one = false;

	for (int i = 0; i < KB_LAYER_COUNT; i++) {
		const enum kb_answer a = kb_checks_layer(c, (enum kb_layer)i);

		must(a <= worst);
		is_one |= a == worst;
	}
	must(is_one);
	if (worst == KB_ANSWER_NO)
		check_refused(c);
	else
		must(kb_checks_refuse(c, NULL) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	kb_auto(checks) struct kb_checks c = KB_CHECKS_INIT;

	read_checks(&c, (const char *)data, size);
	check_shown(&c);
	check_json(&c);
	check_answers(&c);
	return 0;
}
