#include "pages/verdict.h"

#include "base/buf.h"
#include "pages/html.h"

static const char *words_of(enum kb_answer answer)
{
	switch (answer) {
	case KB_ANSWER_OK:
		return "ok";
	case KB_ANSWER_NOTE:
		return "ok, with notes";
	case KB_ANSWER_NOT_CHECKED:
		return "not checked";
	default:
		return "no";
	}
}

const char *kb_answer_class(enum kb_answer answer)
{
	switch (answer) {
	case KB_ANSWER_OK:
	case KB_ANSWER_NOTE:
		return "ok";
	case KB_ANSWER_NOT_CHECKED:
		return "open";
	default:
		return "no";
	}
}

static void add_layer(struct kb_buf *out, const struct kb_checks *c,
		      enum kb_layer layer)
{
	const enum kb_answer a = kb_checks_layer(c, layer);

	kb_html_addf(out, "<li class=\"%s\"><b>%s</b>%s</li>\n",
		     kb_answer_class(a), kb_layer_name(layer), words_of(a));
}

static void add_checks(struct kb_buf *out, const struct kb_checks *c)
{
	kb_buf_addstr(out, "<details><summary>What was checked</summary>\n"
		      "<div class=\"wide\" tabindex=\"0\" role=\"region\" "
		      "aria-label=\"Checks\"><table id=\"checks\"><thead><tr>"
		      "<th scope=\"col\" class=\"t\">layer</th>"
		      "<th scope=\"col\" class=\"t\">check</th>"
		      "<th scope=\"col\" class=\"t\">answer</th>"
		      "<th scope=\"col\" class=\"t\">detail</th>"
		      "</tr></thead><tbody>\n");
	for (size_t i = 0; i < c->count; i++)
		kb_html_addf(out, "<tr><td class=\"t\">%s</td>"
			     "<td class=\"t\">%s</td><td class=\"t\">"
			     "<span class=\"%s\">%s</span></td>"
			     "<td class=\"words\">%s</td></tr>\n",
			     kb_layer_name(c->items[i].layer), c->items[i].what,
			     kb_answer_class(c->items[i].answer),
			     c->items[i].answer == KB_ANSWER_NOTE ? "note" :
			     words_of(c->items[i].answer), c->items[i].words);
	kb_buf_addstr(out, "</tbody></table></div></details>\n");
}

void kb_verdict_print(struct kb_buf *out, const struct kb_checks *c)
{
	kb_buf_addstr(out, "<ul class=\"layers\">\n");
	for (int i = 0; i < KB_LAYER_COUNT; i++)
		add_layer(out, c, (enum kb_layer)i);
	kb_buf_addstr(out, "</ul>\n");
	add_checks(out, c);
}

static enum kb_answer worst_of(const struct kb_checks *c)
{
	enum kb_answer worst = KB_ANSWER_OK;

	for (int i = 0; i < KB_LAYER_SIGNATURE; i++) {
		enum kb_answer a = kb_checks_layer(c, (enum kb_layer)i);

		worst = a > worst ? a : worst;
	}
	return worst;
}

void kb_verdict_brief_print(struct kb_buf *out, const struct kb_checks *c)
{
	const enum kb_answer worst = worst_of(c);
	const char *separator = ": ";

	if (worst == KB_ANSWER_OK || worst == KB_ANSWER_NOTE) {
		kb_buf_addstr(out, "holds");
		return;
	}
	kb_buf_addstr(out, words_of(worst));
	for (int i = 0; i < KB_LAYER_SIGNATURE; i++) {
		if (kb_checks_layer(c, (enum kb_layer)i) != worst)
			continue;
		kb_buf_addf(out, "%s%s", separator,
			    kb_layer_name((enum kb_layer)i));
		separator = ", ";
	}
}
