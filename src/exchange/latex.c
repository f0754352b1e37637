#include "exchange/latex.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
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

static bool is_id(enum kb_sheet_note note)
{
	return note == KB_NOTE_SCORE || note == KB_NOTE_EVALUATION ||
	       note == KB_NOTE_BASELINE;
}

static void print_ids_in_full(struct kb_buf *out,
			      const struct kb_score_sheet *s)
{
	for (int i = 0; i < KB_NOTE_COUNT; i++) {
		if (!is_id((enum kb_sheet_note)i))
			continue;
		kb_buf_addf(out, "%% %s ",
			    kb_sheet_note_name((enum kb_sheet_note)i));
		kb_sheet_note_print(out, s, (enum kb_sheet_note)i);
		kb_buf_addch(out, '\n');
	}
}

static void print_head(struct kb_buf *out)
{
	kb_buf_addstr(out, "\\begin{tabular}{lr");
	for (size_t i = 0; i <= KB_SHEET_COUNTS; i++)
		kb_buf_addch(out, 'r');
	kb_buf_addstr(out, "}\n\\toprule\nlevel & problems");
	for (size_t i = 0; i < KB_SHEET_COUNTS; i++) {
		kb_buf_addstr(out, " & ");
		if (!kb_sheet_column_is_fast(i)) {
			kb_sheet_column_print(out, i);
			continue;
		}
		kb_buf_addstr(out, "$\\mathrm{fast}_{");
		kb_sheet_p_print(out, i);
		kb_buf_addstr(out, "}$");
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

static void print_note(struct kb_buf *out, const struct kb_score_sheet *s,
		       enum kb_sheet_note note)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	kb_sheet_note_print(&text, s, note);
	kb_sheet_note_title(out, note);
	kb_buf_addstr(out, ": ");
	if (is_id(note))
		kb_buf_addf(out, "\\texttt{%.*s}", KB_LATEX_ID_DIGITS,
			    text.data);
	else
		print_text(out, text.data);
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
		print_note(out, s, (enum kb_sheet_note)i);
		kb_buf_addstr(out, i + 1 < KB_NOTE_COUNT ? ";\n" : ".\n");
	}
	kb_buf_addstr(out, "\\par}\n");
}
