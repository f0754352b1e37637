#include "export/latex.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/numbers.h"
#include "sheet/comparison.h"
#include "sheet/notes.h"
#include "sheet/score_sheet.h"

/* With OT1, which is LaTeX's own, "<" and its like are other characters. */
static const char *escape_of(char c)
{
	switch (c) {
	case '\\':
		return "\\textbackslash{}";
	case '~':
		return "\\textasciitilde{}";
	case '^':
		return "\\textasciicircum{}";
	case '<':
		return "\\textless{}";
	case '>':
		return "\\textgreater{}";
	case '|':
		return "\\textbar{}";
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

/* So many characters of a word always fit where a line is left. */
#define UNBROKEN_MAX 24

static bool begins_character(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

static size_t word_length(const char *text)
{
	size_t n = 0;

	for (; *text && *text != ' '; text++)
		n += begins_character(*text);
	return n;
}

static void print_character(struct kb_buf *out, char c)
{
	const char *escape = escape_of(c);

	if (escape)
		kb_buf_addstr(out, escape);
	else
		kb_buf_addch(out, c);
}

/* In a long word, as names are, a line may end behind any separator, and
 * somewhere if there is none. */
static void print_text(struct kb_buf *out, const char *text)
{
	bool is_long = false, in_word = false;
	size_t unbroken = 0;

	for (; *text; text++) {
		if (!in_word)
			is_long = word_length(text) > UNBROKEN_MAX;
		in_word = *text != ' ';
		unbroken += begins_character(*text);
		print_character(out, *text);
		if (!in_word) {
			unbroken = 0;
		} else if (is_long && text[1] && begins_character(text[1]) &&
			   (strchr("-_/.:@+=", *text) ||
			    unbroken >= UNBROKEN_MAX)) {
			kb_buf_addstr(out, "\\allowbreak{}");
			unbroken = 0;
		}
	}
}

static void print_ids_in_full(struct kb_buf *out,
			      const struct kb_score_sheet *s)
{
	for (int i = 0; i < KB_NOTES_EXPORTED; i++) {
		if (!kb_note_is_id((enum kb_note)i))
			continue;
		kb_buf_addf(out, "%% %s ",
			    kb_note_name((enum kb_note)i));
		kb_note_print(out, s, (enum kb_note)i);
		kb_buf_addch(out, '\n');
	}
}

static void print_name(struct kb_buf *out, const struct kb_sheet_row *row)
{
	if (row->is_fast && !strcmp(row->title, row->name))
		kb_buf_addf(out, "$\\mathrm{fast}_{%s}$",
			    strchr(row->name, '_') + 1);
	else
		print_text(out, row->title);
}

/* --- one score: what is measured downwards, levels to the right --------- */

static const struct kb_cell_style style = {
	.percent = "", .times = "", .none = "--",
	.before_untimed = " (", .after_untimed = ")",
};

/* Tenths of a point, in Computer Modern of 8 points, or more. */
static int width_of(const char *text)
{
	int width = 0;

	for (; *text; text++)
		width += strchr("0123456789", *text) ? 43 :
			 strchr("().- t", *text) ? 34 : 50;
	return width;
}

#define TEXT_WIDTH 3450		/* of article's column */
#define COLUMN_SEP 60
#define HEAD_WIDTH 800		/* of "geomean (untimed)", the longest */

static int widest_cell(const struct kb_score_sheet *s, size_t part,
		       enum kb_row_choice which)
{
	const struct kb_sheet_rows rows = kb_sheet_rows(s, which);
	int widest = 0;

	for (size_t i = 0; i < rows.count; i++) {
		kb_auto(buf) struct kb_buf cell = KB_BUF_INIT;

		kb_sheet_cell_print(&cell, s, part, &rows.items[i], &style);
		if (width_of(cell.data) > widest)
			widest = width_of(cell.data);
	}
	return widest;
}

static int column_width(const struct kb_score_sheet *s, size_t part)
{
	const int cells = widest_cell(s, part, KB_ROWS_TABLE);
	const int intervals = widest_cell(s, part, KB_ROWS_INTERVALS);

	return (int)kb_max_i64(kb_max_i64(cells, intervals),
			       width_of("all")) + COLUMN_SEP;
}

/* How many levels from `first` on fit beside each other: one at least. */
static size_t count_fitting(const struct kb_score_sheet *s, size_t first)
{
	int width = HEAD_WIDTH + COLUMN_SEP + column_width(s, first);
	size_t n = 1;

	for (; first + n < kb_sheet_part_count(s); n++) {
		width += column_width(s, first + n);
		if (width > TEXT_WIDTH)
			break;
	}
	return n;
}

static void print_part(struct kb_buf *out, const struct kb_score_sheet *s,
		       size_t part)
{
	if (part == kb_sheet_overall(s))
		kb_buf_addstr(out, "all");
	else
		kb_sheet_part_print(out, s, part);
}

static void print_row_head(struct kb_buf *out, const struct kb_sheet_row *row)
{
	print_name(out, row);
	if (!row->is_interval && row->kind == KB_ROW_SHARE)
		kb_buf_addstr(out, " (\\%)");
	else if (!row->is_interval && row->kind == KB_ROW_MEAN)
		kb_buf_addstr(out, " (untimed)");
}

/* Parts of the sheet, which are columns here. */
struct span {
	size_t first, count;
};

static void print_rows(struct kb_buf *out, const struct kb_score_sheet *s,
		       const struct span *parts,
		       const struct kb_sheet_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		print_row_head(out, &rows->items[i]);
		for (size_t k = 0; k < parts->count; k++) {
			kb_buf_addstr(out, " & ");
			kb_sheet_cell_print(out, s, parts->first + k,
					    &rows->items[i], &style);
		}
		kb_buf_addstr(out, " \\\\\n");
	}
}

static void print_parts(struct kb_buf *out, const struct kb_score_sheet *s,
			const struct span *parts)
{
	const struct kb_sheet_rows rows = kb_sheet_rows(s, KB_ROWS_TABLE),
		intervals = kb_sheet_rows(s, KB_ROWS_INTERVALS);

	kb_buf_addf(out, "\\begin{tabular}{l*{%zu}{r}}\n\\toprule\nlevel",
		    parts->count);
	for (size_t i = 0; i < parts->count; i++) {
		kb_buf_addstr(out, " & ");
		print_part(out, s, parts->first + i);
	}
	kb_buf_addstr(out, " \\\\\n\\midrule\n");
	print_rows(out, s, parts, &rows);
	if (intervals.count)
		kb_buf_addf(out, "\\midrule\n\\multicolumn{%zu}{l}"
			    "{certain at 95\\%%} \\\\\n", parts->count + 1);
	print_rows(out, s, parts, &intervals);
	kb_buf_addstr(out, "\\bottomrule\n\\end{tabular}\n\n");
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

#define BEGIN_TABLES "{\\footnotesize\\setlength{\\tabcolsep}{3pt}%\n"
#define BEGIN_NOTES "}\n\\smallskip\n{\\footnotesize\\raggedright\n"

void kb_latex_print(struct kb_buf *out, const struct kb_score_sheet *s)
{
	kb_auto(warnings) struct kb_warnings w = { .count = 0 };

	kb_buf_addstr(out, "% needs \\usepackage{booktabs}\n");
	print_ids_in_full(out, s);
	kb_buf_addstr(out, BEGIN_TABLES);
	for (size_t n, i = 0; i < kb_sheet_part_count(s); i += n) {
		n = count_fitting(s, i);
		print_parts(out, s, &(struct span){ i, n });
	}
	kb_buf_addstr(out, BEGIN_NOTES);
	kb_warnings_of(&w, s->score);
	for (size_t i = 0; i < w.count; i++) {
		print_note(out, "WARNING", w.texts[i], false);
		kb_buf_addstr(out, ";\n");
	}
	for (int i = 0; i < KB_NOTES_EXPORTED; i++) {
		const enum kb_note note = (enum kb_note)i;
		kb_auto(buf) struct kb_buf title = KB_BUF_INIT;
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

		kb_note_title(&title, note);
		kb_note_print(&text, s, note);
		print_note(out, title.data, text.data,
			   kb_note_is_id(note));
		kb_buf_addstr(out, i + 1 < KB_NOTES_EXPORTED ? ";\n" : ".\n");
	}
	kb_buf_addstr(out, "\\par}\n");
}

/* --- several scores: a line of its own for each name, levels below it --- */

static void print_names(struct kb_buf *out, const struct kb_sheet_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		kb_buf_addstr(out, " & ");
		print_name(out, &rows->items[i]);
	}
}

/* Returns how many columns there are. */
static size_t print_comparison_head(struct kb_buf *out,
				    const struct kb_score_sheet *s)
{
	const struct kb_sheet_rows rows = kb_sheet_rows(s, KB_ROWS_BRIEF),
		intervals = kb_sheet_rows(s, KB_ROWS_BRIEF_INTERVALS);

	kb_buf_addf(out, "\\begin{tabular}{l*{%zu}{r}}\n\\toprule\n"
		    " & \\multicolumn{%zu}{c}{\\%%} & (untimed)",
		    rows.count + intervals.count, rows.count - 1);
	if (intervals.count)
		kb_buf_addf(out, " & \\multicolumn{%zu}{c}{certain at 95\\%%}",
			    intervals.count);
	kb_buf_addstr(out, " \\\\\nlevel");
	print_names(out, &rows);
	print_names(out, &intervals);
	kb_buf_addstr(out, " \\\\\n");
	return 1 + rows.count + intervals.count;
}

static void print_cells(struct kb_buf *out, const struct kb_score_sheet *s,
			size_t part, enum kb_row_choice which)
{
	const struct kb_sheet_rows rows = kb_sheet_rows(s, which);

	for (size_t i = 0; i < rows.count; i++) {
		kb_buf_addstr(out, " & ");
		kb_sheet_cell_print(out, s, part, &rows.items[i], &style);
	}
}

/* Its label wraps about where the columns end, but has room for a word of
 * UNBROKEN_MAX wide characters. */
static void print_score(struct kb_buf *out, const struct kb_comparison *c,
			size_t score, size_t columns)
{
	const int width_pt = columns > 6 ? 33 * (int)columns : 200;
	const struct kb_score_sheet *s = &c->sheets[score];

	kb_buf_addf(out, "\\midrule\n\\multicolumn{%zu}{@{}p{%dpt}@{}}"
		    "{\\raggedright ", columns, width_pt);
	print_text(out, c->labels[score]);
	kb_buf_addf(out, "\\textsuperscript{%zu}} \\\\\n", score + 1);
	for (size_t part = 0; part < kb_sheet_part_count(s); part++) {
		print_part(out, s, part);
		print_cells(out, s, part, KB_ROWS_BRIEF);
		print_cells(out, s, part, KB_ROWS_BRIEF_INTERVALS);
		kb_buf_addstr(out, " \\\\\n");
	}
}

void kb_latex_comparison_print(struct kb_buf *out,
			       const struct kb_comparison *c)
{
	size_t columns;

	kb_buf_addstr(out, "% needs \\usepackage{booktabs}\n");
	for (size_t i = 0; i < c->note_count; i++)
		if (c->notes[i].is_id)
			kb_buf_addf(out, "%% %s %s\n", c->notes[i].title,
				    c->notes[i].text);
	kb_buf_addstr(out, BEGIN_TABLES);
	columns = print_comparison_head(out, &c->sheets[0]);
	for (size_t i = 0; i < c->count; i++)
		print_score(out, c, i, columns);
	kb_buf_addstr(out, "\\bottomrule\n\\end{tabular}\n\n" BEGIN_NOTES);
	for (size_t i = 0; i < c->note_count; i++) {
		const struct kb_comparison_note *n = &c->notes[i];

		print_note(out, n->title, n->text, n->is_id);
		kb_buf_addstr(out, i + 1 < c->note_count ? ";\n" : ".\n");
	}
	kb_buf_addstr(out, "\\par}\n");
}
