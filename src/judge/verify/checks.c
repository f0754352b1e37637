#include "verify/checks.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "json/utf8.h"

static const char *const layers[KB_LAYER_COUNT] = {
	[KB_LAYER_BYTES] = "bytes",
	[KB_LAYER_CHAIN] = "chain",
	[KB_LAYER_ARITHMETIC] = "arithmetic",
	[KB_LAYER_PLAUSIBILITY] = "plausibility",
	[KB_LAYER_SIGNATURE] = "signature",
};

static const struct {
	const char *line;		/* for people */
	const char *member;		/* in JSON */
} answers[KB_ANSWER_COUNT] = {
	[KB_ANSWER_OK] = { "ok", "ok" },
	[KB_ANSWER_NOTE] = { "note", "note" },
	[KB_ANSWER_NOT_CHECKED] = { "not checked", "not_checked" },
	[KB_ANSWER_NO] = { "no", "no" },
};

const char *kb_layer_name(enum kb_layer layer)
{
	return layers[layer];
}

const char *kb_answer_verdict(enum kb_answer answer)
{
	return answers[answer == KB_ANSWER_NOTE ? KB_ANSWER_OK : answer].member;
}

void kb_checks_release(struct kb_checks *c)
{
	for (size_t i = 0; i < c->count; i++)
		free(c->items[i].words);
	free(c->items);
	*c = (struct kb_checks)KB_CHECKS_INIT;
}

/* Strangers must not add lines of their own. The caller frees. */
static char *clean_text(const char *text)
{
	struct kb_buf out = KB_BUF_INIT;

	kb_utf8_clean(&out, text, strlen(text));
	for (size_t i = 0; i < out.len; i++)
		if (out.data[i] == '\n' || out.data[i] == '\t')
			out.data[i] = '?';
	return kb_buf_detach(&out);
}

static bool is_alike(const struct kb_check *a, const struct kb_check *b)
{
	return a->layer == b->layer && a->answer == b->answer &&
	       !strcmp(a->what, b->what);
}

/* Like the last one, of which enough are kept? Then it is counted. */
static bool is_counted(struct kb_checks *c, const struct kb_check *check)
{
	if (!c->count || !is_alike(&c->items[c->count - 1], check)) {
		c->alike = 0;
		return false;
	}
	if (c->alike < KB_CHECKS_ALIKE_MAX)
		return false;
	c->items[c->count - 1].more += 1 + check->more;
	return true;
}

static void append_check(struct kb_checks *c, const struct kb_check *check)
{
	c->alike++;
	c->items = kb_grow(c->items, c->count, &c->capacity,
			   sizeof(*c->items));
	c->items[c->count++] = *check;
}

void kb_checks_move(struct kb_checks *c, struct kb_checks *from)
{
	for (size_t i = 0; i < from->count; i++) {
		if (is_counted(c, &from->items[i]))
			free(from->items[i].words);
		else
			append_check(c, &from->items[i]);
	}
	free(from->items);
	*from = (struct kb_checks)KB_CHECKS_INIT;
}

void kb_checks_add(struct kb_checks *c, enum kb_layer layer, const char *what,
		   enum kb_answer answer, const char *fmt, ...)
{
	struct kb_check check = { .layer = layer, .what = what,
				  .answer = answer };
	char words[KB_ERR_MSG_MAX];
	va_list args;

	if ((c->first_no && (answer != KB_ANSWER_NO || c->count)) ||
	    is_counted(c, &check))
		return;
	va_start(args, fmt);
	vsnprintf(words, sizeof(words), fmt, args);
	va_end(args);

	check.words = *words ? clean_text(words) : NULL;
	append_check(c, &check);
}

enum kb_answer kb_checks_layer(const struct kb_checks *c, enum kb_layer layer)
{
	enum kb_answer worst = KB_ANSWER_OK;
	bool any = false;

	for (size_t i = 0; i < c->count; i++) {
		if (c->items[i].layer != layer)
			continue;
		any = true;
		if (c->items[i].answer > worst)
			worst = c->items[i].answer;
	}
	return any ? worst : KB_ANSWER_NOT_CHECKED;
}

enum kb_answer kb_checks_answer(const struct kb_checks *c)
{
	enum kb_answer worst = KB_ANSWER_OK;

	for (int i = 0; i < KB_LAYER_COUNT; i++) {
		enum kb_answer a = kb_checks_layer(c, (enum kb_layer)i);

		if (a > worst)
			worst = a;
	}
	return worst;
}

size_t kb_checks_count(const struct kb_checks *c, const char *what,
		       enum kb_answer answer)
{
	size_t count = 0;

	for (size_t i = 0; i < c->count; i++)
		if (c->items[i].answer == answer &&
		    !strcmp(c->items[i].what, what))
			count += 1 + c->items[i].more;
	return count;
}

int kb_checks_refuse(const struct kb_checks *c, struct kb_err *err)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct kb_check *check = &c->items[i];

		if (check->answer == KB_ANSWER_NO)
			return kb_err(err, KB_ERR_INPUT, "%s%s%s", check->what,
				      check->words ? ": " : "",
				      check->words ? check->words : "");
	}
	return 0;
}

static void begin_line(struct kb_buf *out, const char *name,
		       const struct kb_check *c)
{
	kb_buf_addf(out, "%s: %s: ", name, layers[c->layer]);
	if (strcmp(c->what, layers[c->layer]))
		kb_buf_addf(out, "%s: ", c->what);
	kb_buf_addstr(out, answers[c->answer].line);
}

/* Print the checks that are like the first; returns how many. */
static size_t print_alike(struct kb_buf *out, const char *name,
			  const struct kb_check *c, size_t count)
{
	size_t alike = 0, all = 0;

	for (; alike < count && is_alike(&c[0], &c[alike]); alike++)
		all += 1 + c[alike].more;
	for (size_t i = 0; i < alike && i < KB_CHECKS_LINES_MAX; i++) {
		begin_line(out, name, &c[i]);
		if (c[i].words)
			kb_buf_addf(out, "%s %s",
				    c[i].answer == KB_ANSWER_OK ? "," : ":",
				    c[i].words);
		kb_buf_addch(out, '\n');
	}
	if (all > KB_CHECKS_LINES_MAX) {
		begin_line(out, name, c);
		kb_buf_addf(out, ": and %zu more\n",
			    all - KB_CHECKS_LINES_MAX);
	}
	return alike;
}

void kb_checks_print(struct kb_buf *out, const char *name,
		     const struct kb_checks *c)
{
	for (size_t i = 0; i < c->count;)
		i += print_alike(out, name, &c->items[i], c->count - i);
}

void kb_checks_print_no(struct kb_buf *out, const char *name,
			const struct kb_checks *c)
{
	for (size_t i = 0; i < c->count;) {
		if (c->items[i].answer == KB_ANSWER_NO)
			i += print_alike(out, name, &c->items[i], c->count - i);
		else
			i++;
	}
}

static bool has_answer(const struct kb_checks *c, enum kb_layer layer,
		       enum kb_answer answer)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->items[i].layer == layer && c->items[i].answer == answer)
			return true;
	return false;
}

/* One question may have been asked of many lines; there are no more of them
 * than there are literals. */
struct questions {
	const struct kb_check **items;
	size_t count, capacity;
};

static bool is_first(struct questions *q, const struct kb_check *check)
{
	for (size_t i = 0; i < q->count; i++)
		if (is_alike(q->items[i], check))
			return false;
	q->items = kb_grow(q->items, q->count, &q->capacity,
			   sizeof(*q->items));
	q->items[q->count++] = check;
	return true;
}

size_t kb_checks_print_questions(struct kb_buf *out, const struct kb_checks *c,
				 enum kb_layer layer, enum kb_answer answer)
{
	struct questions q = { .items = NULL };
	size_t count;

	for (size_t i = 0; i < c->count; i++)
		if ((layer == KB_LAYER_COUNT || c->items[i].layer == layer) &&
		    c->items[i].answer == answer && is_first(&q, &c->items[i]))
			kb_buf_addf(out, "%s%s", q.count > 1 ? ", " : "",
				    c->items[i].what);
	count = q.count;
	free(q.items);
	return count;
}

static void add_questions(struct kb_buf *out, const struct kb_checks *c,
			  enum kb_answer answer, const char *participle)
{
	kb_auto(buf) struct kb_buf list = KB_BUF_INIT;
	const size_t count = kb_checks_print_questions(&list, c,
						       KB_LAYER_COUNT, answer);

	if (count)
		kb_buf_addf(out, "; %zu %s: %s", count, participle, list.data);
}

enum kb_answer kb_checks_in_short(const struct kb_checks *c, enum kb_layer layer)
{
	if (has_answer(c, layer, KB_ANSWER_NO))
		return KB_ANSWER_NO;
	return has_answer(c, layer, KB_ANSWER_OK) ||
	       has_answer(c, layer, KB_ANSWER_NOTE) ? KB_ANSWER_OK
						    : KB_ANSWER_NOT_CHECKED;
}

void kb_checks_print_summary(struct kb_buf *out, const struct kb_checks *c)
{
	const bool is_no = kb_checks_answer(c) == KB_ANSWER_NO;
	const enum kb_answer named = is_no ? KB_ANSWER_NO : KB_ANSWER_OK;
	const char *space = "";

	for (int i = 0; i < KB_LAYER_COUNT; i++) {
		if (kb_checks_in_short(c, (enum kb_layer)i) != named)
			continue;
		kb_buf_addf(out, "%s%s", space, layers[i]);
		space = " ";
	}
	if (is_no)
		return;
	add_questions(out, c, KB_ANSWER_NOTE, "noted");
	add_questions(out, c, KB_ANSWER_NOT_CHECKED, "not checked");
}

static struct kb_json *more_to_json(const struct kb_check *check)
{
	kb_auto(mem) char *words = kb_xasprintf("and %zu more", check->more);
	struct kb_json *item = kb_json_object();

	kb_json_set_string(item, "check", check->what);
	kb_json_set_string(item, "verdict", answers[check->answer].member);
	kb_json_set_string(item, "detail", words);
	return item;
}

static struct kb_json *layer_to_json(const struct kb_checks *c,
				     enum kb_layer layer)
{
	struct kb_json *v = kb_json_object(), *array = kb_json_array();

	for (size_t i = 0; i < c->count; i++) {
		const struct kb_check *check = &c->items[i];
		struct kb_json *item;

		if (check->layer != layer)
			continue;
		item = kb_json_object();
		kb_json_set_string(item, "check", check->what);
		kb_json_set_string(item, "verdict",
				   answers[check->answer].member);
		kb_json_set_string(item, "detail", check->words);
		kb_json_append(array, item);
		if (check->more)
			kb_json_append(array, more_to_json(check));
	}
	kb_json_set_string(v, "verdict",
			   kb_answer_verdict(kb_checks_layer(c, layer)));
	kb_json_set(v, "checks", array);
	return v;
}

struct kb_json *kb_checks_to_json(const struct kb_checks *c)
{
	struct kb_json *v = kb_json_object();

	for (int i = 0; i < KB_LAYER_COUNT; i++)
		kb_json_set(v, layers[i], layer_to_json(c, (enum kb_layer)i));
	return v;
}
