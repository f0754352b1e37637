#include "pages/verdict.h"

#include "base/buf.h"
#include "base/cleanup.h"
#include "pages/html.h"

static const char *words_of(enum kb_answer answer)
{
	switch (answer) {
	case KB_ANSWER_OK:
		return "ok";
	case KB_ANSWER_NOTE:
		return "note";
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

/* The meaning of an ok in each layer. */
static const char *const about[KB_LAYER_COUNT] = {
	[KB_LAYER_BYTES] = "every file has the digest that names it",
	[KB_LAYER_CHAIN] = "it fits the bundles that it was made from",
	[KB_LAYER_ARITHMETIC] = "its numbers follow from its samples",
	[KB_LAYER_PLAUSIBILITY] = "its device can have been this fast",
	[KB_LAYER_SIGNATURE] = "the holder of a key answers for it",
};

static void add_layer(struct kb_buf *out, const struct kb_checks *c,
		      enum kb_layer layer)
{
	const enum kb_answer a = kb_checks_in_short(c, layer);
	kb_auto(buf) struct kb_buf open = KB_BUF_INIT;

	kb_html_addf(out, "<li class=\"%s\"><b>%s</b>%s",
		     kb_answer_class(a), kb_layer_name(layer), words_of(a));
	if (a == KB_ANSWER_OK &&
	    kb_checks_print_questions(&open, c, layer, KB_ANSWER_NOT_CHECKED))
		kb_html_addf(out, "; not checked: %s", open.data);
	kb_html_addf(out, "<br>\n<span>%s</span></li>\n", about[layer]);
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

void kb_verdict_line_print(struct kb_buf *out, const struct kb_checks *c)
{
	kb_buf_addstr(out, kb_checks_answer(c) == KB_ANSWER_NO ? "no: " :
							       "ok: ");
	kb_checks_print_summary(out, c);
}

static enum kb_answer worst_of(const struct kb_checks *c)
{
	enum kb_answer worst = kb_checks_in_short(c, KB_LAYER_SIGNATURE);

	/* Without a key the signature is not part of the verdict. */
	worst = worst == KB_ANSWER_NO ? worst : KB_ANSWER_OK;
	for (int i = 0; i < KB_LAYER_SIGNATURE; i++) {
		enum kb_answer a = kb_checks_in_short(c, (enum kb_layer)i);

		worst = a > worst ? a : worst;
	}
	return worst;
}

void kb_verdict_brief_print(struct kb_buf *out, const struct kb_checks *c)
{
	const enum kb_answer worst = worst_of(c);
	const char *separator = ": ";

	if (worst == KB_ANSWER_OK) {
		kb_buf_addstr(out, "holds");
		return;
	}
	kb_buf_addstr(out, words_of(worst));
	for (int i = 0; i < KB_LAYER_COUNT; i++) {
		if (kb_checks_in_short(c, (enum kb_layer)i) != worst ||
		    (i == KB_LAYER_SIGNATURE && worst != KB_ANSWER_NO))
			continue;
		kb_buf_addf(out, "%s%s", separator,
			    kb_layer_name((enum kb_layer)i));
		separator = ", ";
	}
}
