#include "exchange/latex.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "exchange/comparison.h"
#include "exchange/score_sheet.h"

static const char *escape_of(char c)
{
	switch (c) {
	case '\\':
		return "\\textbackslash{}";
	case '~':
		return "\\textasciitilde{}";
	case '^':
		return "\\textasciicircum{}";
	case '#': return "\\#";
	case '$': return "\\$";
	case '%': return "\\%";
	case '&': return "\\&";
	case '_': return "\\_";
	case '{': return "\\{";
	case '}': return "\\}";
	default: return NULL;
	}
}

static void print_text(struct kb_buf *out, const char *text)
{
	for (; *text; text++) {
		const char *escape = escape_of(*text);

		if (escape)
			kb_buf_addstr(out, escape);
		else
			kb_buf_addch(out, *text);
	}
}

static void print_ids_in_full(struct kb_buf *out,
			      const struct kb_score_sheet *s)
{
	for (int i = 0; i < KB_NOTE_COUNT; i++) {
		if (!kb_sheet_note_is_id((enum kb_sheet_note)i))
			continue;
		kb_buf_addf(out, "%% %s ",
			    kb_sheet_note_name((enum kb_sheet_note)i));
		kb_sheet_note_print(out, s, (enum kb_sheet_note)i);
		kb_buf_addch(out, '\n');
	}
}

static void print_column(struct kb_buf *out, size_t column)
{
	if (!kb_sheet_column_is_fast(column)) {
		kb_sheet_column_print(out, column);
		return;
	}
	kb_buf_addstr(out, "$\\mathrm{fast}_{");
	kb_sheet_p_print(out, column);
	kb_buf_addstr(out, "}$");
}

static void print_head(struct kb_buf *out)
{
	kb_buf_addstr(out, "\\begin{tabular}{lr");
	for (size_t i = 0; i <= KB_SHEET_COUNTS; i++)
		kb_buf_addch(out, 'r');
	kb_buf_addstr(out, "}\n\\toprule\nlevel & problems");
	for (size_t i = 0; i < KB_SHEET_COUNTS; i++) {
		kb_buf_addstr(out, " & ");
		print_column(out, i);
	}
	kb_buf_addstr(out, " & geomean \\\\\n\\midrule\n");
}

static void print_row(struct kb_buf *out, const struct kb_score_sheet *s,
		      size_t row)
{
	const struct kb_metrics *m = kb_sheet_metrics(s, row);

	kb_sheet_row_print(out, s, row);
	kb_buf_addf(out, " & %" PRId64, m->problems);
	for (size_t i = 0; i < KB_SHEET_COUNTS; i++) {
		kb_buf_addf(out, " & %" PRId64, kb_sheet_count(m, i));
		kb_sheet_share_print(out, m, i, "\\%");
	}
	kb_buf_addstr(out, " & ");
	if (m->geomean_speedup_micro == KB_UNKNOWN) {
		kb_buf_addstr(out, "--");
	} else {
		kb_buf_addch(out, '$');
		kb_micro_print(out, m->geomean_speedup_micro, 3);
		kb_buf_addstr(out, "\\times$");
	}
	kb_buf_addstr(out, " \\\\\n");
}

static void print_note(struct kb_buf *out, const char *title,
		       const char *text, bool is_id)
{
	print_text(out, title);
	kb_buf_addstr(out, ": ");
	if (is_id)
		kb_buf_addf(out, "\\texttt{%.*s}", KB_LATEX_ID_DIGITS, text);
	else
		print_text(out, text);
}

void kb_latex_print(struct kb_buf *out, const struct kb_score_sheet *s)
{
	const size_t rows = kb_sheet_row_count(s);

	kb_buf_addstr(out, "% needs \\usepackage{booktabs}\n");
	print_ids_in_full(out, s);
	print_head(out);
	for (size_t row = 0; row < rows; row++) {
		if (row == rows - 1)
			kb_buf_addstr(out, "\\midrule\n");
		print_row(out, s, row);
	}
	kb_buf_addstr(out, "\\bottomrule\n\\end{tabular}\n\n"
			   "\\smallskip\n{\\footnotesize\n");
	for (int i = 0; i < KB_NOTE_COUNT; i++) {
		const enum kb_sheet_note note = (enum kb_sheet_note)i;
		kb_auto(buf) struct kb_buf title = KB_BUF_INIT;
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

		kb_sheet_note_title(&title, note);
		kb_sheet_note_print(&text, s, note);
		print_note(out, title.data, text.data,
			   kb_sheet_note_is_id(note));
		kb_buf_addstr(out, i + 1 < KB_NOTE_COUNT ? ";\n" : ".\n");
	}
	kb_buf_addstr(out, "\\par}\n");
}

/* --- several scores ----------------------------------------------------- */

/* A head over `width` columns, the first of them `*at`, and the rule below
 * it. */
static void print_group(struct kb_buf *out, struct kb_buf *rules, size_t *at,
			size_t width, const char *what)
{
	kb_buf_addf(out, " & \\multicolumn{%zu}{c}{%s}", width, what);
	kb_buf_addf(rules, "\\cmidrule(lr){%zu-%zu}", *at, *at + width - 1);
	*at += width;
}

/* What is measured, and how many times the levels stand below that. */
static size_t print_groups(struct kb_buf *out, size_t width)
{
	kb_auto(buf) struct kb_buf rules = KB_BUF_INIT;
	size_t at = 2, groups = 1;

	for (size_t i = 0; i < KB_SHEET_COUNTS; i++) {
		kb_auto(buf) struct kb_buf what = KB_BUF_INIT;

		if (!kb_sheet_column_is_brief(i))
			continue;
		print_column(&what, i);
		kb_buf_addstr(&what, " (\\%)");
		print_group(out, &rules, &at, width, what.data);
		groups++;
	}
	print_group(out, &rules, &at, width, "geomean ($\\times$)");
	kb_buf_addf(out, " \\\\\n%s\n", rules.data);
	return groups;
}

static void print_levels(struct kb_buf *out, const struct kb_score_sheet *s)
{
	const size_t last = kb_sheet_row_count(s) - 1;

	for (size_t row = 0; row < last; row++) {
		kb_buf_addstr(out, " & ");
		kb_sheet_row_print(out, s, row);
	}
	kb_buf_addstr(out, " & all");
}

static void print_comparison_head(struct kb_buf *out,
				  const struct kb_score_sheet *s)
{
	const size_t width = kb_sheet_row_count(s);
	kb_auto(buf) struct kb_buf heads = KB_BUF_INIT;
	size_t groups = print_groups(&heads, width);

	kb_buf_addf(out, "\\begin{tabular}{l*{%zu}{r}}\n\\toprule\n%s",
		    groups * width, heads.data);
	kb_buf_addstr(out, "model \\hfill level");
	while (groups--)
		print_levels(out, s);
	kb_buf_addstr(out, " \\\\\n\\midrule\n");
}

/* The first cell of a row. After the end of another "[" or "*", with or
 * without spaces before it, would be an argument of that. */
static void print_label(struct kb_buf *out, const char *label)
{
	const char *word = label + strspn(label, " ");

	if (*word == '[' || *word == '*')
		kb_buf_addstr(out, "{}");
	print_text(out, label);
}

static void print_score(struct kb_buf *out, const struct kb_comparison *c,
			size_t score)
{
	const struct kb_score_sheet *s = &c->sheets[score];
	const size_t rows = kb_sheet_row_count(s);

	print_label(out, c->labels[score]);
	kb_buf_addf(out, "\\textsuperscript{%zu}", score + 1);
	for (size_t i = 0; i < KB_SHEET_COUNTS; i++)
		for (size_t row = 0; kb_sheet_column_is_brief(i) && row < rows;
		     row++) {
			kb_buf_addstr(out, " & ");
			if (!kb_sheet_percent_print(
				    out, kb_sheet_metrics(s, row), i))
				kb_buf_addstr(out, "--");
		}
	for (size_t row = 0; row < rows; row++) {
		const int64_t micro =
			kb_sheet_metrics(s, row)->geomean_speedup_micro;

		kb_buf_addstr(out, " & ");
		if (micro == KB_UNKNOWN)
			kb_buf_addstr(out, "--");
		else
			kb_micro_print(out, micro, 3);
	}
	kb_buf_addstr(out, " \\\\\n");
}

void kb_latex_comparison_print(struct kb_buf *out,
			       const struct kb_comparison *c)
{
	kb_buf_addstr(out, "% needs \\usepackage{booktabs}\n");
	for (size_t i = 0; i < c->note_count; i++)
		if (c->notes[i].is_id)
			kb_buf_addf(out, "%% %s %s\n", c->notes[i].title,
				    c->notes[i].text);
	kb_buf_addstr(out, "{\\footnotesize\\setlength{\\tabcolsep}{3pt}%\n");
	print_comparison_head(out, &c->sheets[0]);
	for (size_t i = 0; i < c->count; i++)
		print_score(out, c, i);
	kb_buf_addstr(out, "\\bottomrule\n\\end{tabular}}\n\n"
			   "\\smallskip\n{\\footnotesize\n");
	for (size_t i = 0; i < c->note_count; i++) {
		const struct kb_comparison_note *n = &c->notes[i];

		print_note(out, n->title, n->text, n->is_id);
		kb_buf_addstr(out, i + 1 < c->note_count ? ";\n" : ".\n");
	}
	kb_buf_addstr(out, "\\par}\n");
}
