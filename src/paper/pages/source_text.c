#include "pages/source_text.h"

#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "pages/diff.h"
#include "pages/escape.h"
#include "pages/html.h"

static void tell_cut(struct kb_buf *out, size_t len, size_t max_bytes)
{
	if (len > max_bytes)
		kb_html_addf(out, "<p class=\"soft\">The first %zu of %zu "
			     "bytes; the rest is in the bundle.</p>\n",
			     max_bytes, len);
}

void kb_source_print(struct kb_buf *out, const char *text, size_t len,
		     size_t max_bytes)
{
	struct kb_text_lines lines;

	kb_text_lines_split(&lines, text, len < max_bytes ? len : max_bytes);
	kb_buf_addstr(out, "<pre class=\"code\" tabindex=\"0\" role=\"region\" "
		      "aria-label=\"Source\">");
	for (size_t i = 0; i < lines.count; i++) {
		kb_buf_addstr(out, "<span>");
		kb_escape(out, lines.items[i].text, lines.items[i].len);
		kb_buf_addstr(out, "\n</span>");
	}
	kb_buf_addstr(out, "</pre>\n");
	kb_text_lines_release(&lines);
	tell_cut(out, len, max_bytes);
}

void kb_log_print(struct kb_buf *out, const char *text, size_t max_bytes)
{
	const size_t len = strlen(text);

	kb_buf_addstr(out, "<pre class=\"log\" tabindex=\"0\" role=\"region\" "
		      "aria-label=\"Log\">");
	kb_escape(out, text, len < max_bytes ? len : max_bytes);
	kb_buf_addstr(out, "</pre>\n");
	tell_cut(out, len, max_bytes);
}

/* --- differences ------------------------------------------------------ */

#define CONTEXT 3

struct walk {
	struct kb_buf *out;
	const struct kb_text_lines *a, *b;
	const struct kb_diff *diff;
	size_t in_a, in_b;		/* lines passed */
};

/* A change lies within CONTEXT lines of this edit. */
static bool is_near_change(const struct kb_diff *d, size_t i)
{
	const size_t from = i > CONTEXT ? i - CONTEXT : 0;

	for (size_t j = from; j < d->count && j <= i + CONTEXT; j++)
		if (d->items[j] != KB_EDIT_KEEP)
			return true;
	return false;
}

static void add_line(struct walk *w, enum kb_edit edit)
{
	static const char *const classes[] = { "", "minus", "plus" };
	static const char signs[] = " -+";
	const struct kb_text_line *line = edit == KB_EDIT_INSERT ?
		&w->b->items[w->in_b] : &w->a->items[w->in_a];

	kb_html_addf(w->out, "<span class=\"%s\">", classes[edit]);
	kb_buf_addch(w->out, signs[edit]);
	kb_escape(w->out, line->text, line->len);
	kb_buf_addstr(w->out, "\n</span>");
}

static void add_edits(struct walk *w)
{
	bool shown = false;

	for (size_t i = 0; i < w->diff->count; i++) {
		const enum kb_edit edit = w->diff->items[i];
		const bool near = is_near_change(w->diff, i);

		if (near && !shown)
			kb_html_addf(w->out, "<span class=\"where\">@@ -%zu "
				     "+%zu @@\n</span>", w->in_a + 1,
				     w->in_b + 1);
		if (near)
			add_line(w, edit);
		shown = near;
		w->in_a += edit != KB_EDIT_INSERT;
		w->in_b += edit != KB_EDIT_DELETE;
	}
}

static void print_lines(struct kb_buf *out, const struct kb_text_lines *a,
			const struct kb_text_lines *b)
{
	struct kb_diff diff;
	struct walk w = { .out = out, .a = a, .b = b, .diff = &diff };

	if (!kb_diff_lines(&diff, a, b)) {
		kb_html_addf(out, "<p>They differ in more than %d lines.</p>\n",
			     KB_DIFF_MAX);
	} else if (!diff.changed) {
		kb_buf_addstr(out, "<p>They have the same lines.</p>\n");
	} else {
		kb_buf_addstr(out, "<pre class=\"diff\" tabindex=\"0\" "
			      "role=\"region\" aria-label=\"Difference\">");
		add_edits(&w);
		kb_buf_addstr(out, "</pre>\n");
	}
	kb_diff_release(&diff);
}

void kb_diff_print(struct kb_buf *out, const struct kb_buf *a,
		   const struct kb_buf *b)
{
	struct kb_text_lines of_a, of_b;

	kb_text_lines_split(&of_a, a->data, a->len);
	kb_text_lines_split(&of_b, b->data, b->len);
	print_lines(out, &of_a, &of_b);
	kb_text_lines_release(&of_a);
	kb_text_lines_release(&of_b);
}
