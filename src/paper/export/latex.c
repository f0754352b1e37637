#include "export/latex.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "manifest/score.h"
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

/* --- one score: what is measured downwards, levels to the right --------- */

enum { ROW_PROBLEMS, ROW_MISSING, ROW_COUNT,
       ROW_GEOMEAN = ROW_COUNT + KB_SHEET_COUNTS, ROW_CERTAIN,
       ROW_INTERVAL = ROW_CERTAIN + KB_SHEET_COUNTS, ROWS };

static size_t column_of(int row)
{
	return (size_t)(row - (row < ROW_GEOMEAN ? ROW_COUNT : ROW_CERTAIN));
}

static bool has_row(const struct kb_score_sheet *s, int row)
{
	if (row <= ROW_GEOMEAN)
		return true;
	if (!s->score->overall.has_certainty)
		return false;
	return row == ROW_INTERVAL ||
	       kb_sheet_column_has_certainty(column_of(row));
}

static void print_mean(struct kb_buf *out, const struct kb_metrics *m)
{
	if (m->geomean_speedup_micro == KB_UNKNOWN)
		kb_buf_addstr(out, "--");
	else
		kb_micro_print(out, m->geomean_speedup_micro, 3);
	if (kb_metrics_untimed(m))
		kb_buf_addf(out, " (%" PRId64 ")", kb_metrics_untimed(m));
}

static void print_interval(struct kb_buf *out, const struct kb_metrics *m)
{
	if (!kb_sheet_mean_interval_print(out, m))
		kb_buf_addstr(out, "--");
}

static void print_cell(struct kb_buf *out, const struct kb_metrics *m, int row)
{
	const size_t column = column_of(row);

	if (row == ROW_PROBLEMS) {
		kb_buf_addf(out, "%" PRId64, m->problems);
	} else if (row == ROW_MISSING) {
		kb_buf_addf(out, "%" PRId64,
			    m->status_counts[KB_STATUS_MISSING]);
	} else if (row < ROW_GEOMEAN) {
		kb_buf_addf(out, "%" PRId64, kb_sheet_count(m, column));
		kb_sheet_share_print(out, m, column, "");
	} else if (row == ROW_GEOMEAN) {
		print_mean(out, m);
	} else if (row == ROW_INTERVAL) {
		print_interval(out, m);
	} else {
		kb_sheet_certain_print(out, m, column);
	}
}

static void print_row_head(struct kb_buf *out, int row)
{
	switch (row) {
	case ROW_PROBLEMS:
		kb_buf_addstr(out, "problems");
		return;
	case ROW_MISSING:
		kb_buf_addstr(out, "missing");
		return;
	case ROW_GEOMEAN:
		kb_buf_addstr(out, "geomean (untimed)");
		return;
	case ROW_INTERVAL:
		kb_buf_addstr(out, "geomean");
		return;
	default:
		print_column(out, column_of(row));
		if (row < ROW_GEOMEAN)
			kb_buf_addstr(out, " (\\%)");
	}
}

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

static int column_width(const struct kb_score_sheet *s, size_t level)
{
	const struct kb_metrics *m = kb_sheet_metrics(s, level);
	int width = width_of("all");

	for (int row = 0; row < ROWS; row++) {
		kb_auto(buf) struct kb_buf cell = KB_BUF_INIT;

		if (!has_row(s, row))
			continue;
		print_cell(&cell, m, row);
		if (width_of(cell.data) > width)
			width = width_of(cell.data);
	}
	return width + COLUMN_SEP;
}

/* How many levels from `first` on fit beside each other: one at least. */
static size_t count_fitting(const struct kb_score_sheet *s, size_t first)
{
	int width = HEAD_WIDTH + COLUMN_SEP + column_width(s, first);
	size_t n = 1;

	for (; first + n < kb_sheet_row_count(s); n++) {
		width += column_width(s, first + n);
		if (width > TEXT_WIDTH)
			break;
	}
	return n;
}

static void print_level(struct kb_buf *out, const struct kb_score_sheet *s,
			size_t level)
{
	if (level == kb_sheet_overall_row(s))
		kb_buf_addstr(out, "all");
	else
		kb_sheet_row_print(out, s, level);
}

static void print_levels(struct kb_buf *out, const struct kb_score_sheet *s,
			 size_t first, size_t count)
{
	kb_buf_addf(out, "\\begin{tabular}{l*{%zu}{r}}\n\\toprule\nlevel",
		    count);
	for (size_t i = 0; i < count; i++) {
		kb_buf_addstr(out, " & ");
		print_level(out, s, first + i);
	}
	kb_buf_addstr(out, " \\\\\n\\midrule\n");
	for (int row = 0; row < ROWS; row++) {
		if (!has_row(s, row))
			continue;
		print_row_head(out, row);
		for (size_t i = 0; i < count; i++) {
			kb_buf_addstr(out, " & ");
			print_cell(out, kb_sheet_metrics(s, first + i), row);
		}
		kb_buf_addstr(out, " \\\\\n");
		if (row == ROW_GEOMEAN && has_row(s, ROW_INTERVAL))
			kb_buf_addf(out, "\\midrule\n\\multicolumn{%zu}{l}"
				    "{certain at 95\\%%} \\\\\n", count + 1);
	}
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
	for (size_t n, i = 0; i < kb_sheet_row_count(s); i += n) {
		n = count_fitting(s, i);
		print_levels(out, s, i, n);
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

/* Shares of the few columns that there is room for, and the mean; with
 * intervals, what is certain of these. */
static size_t print_comparison_head(struct kb_buf *out, bool has_certainty)
{
	kb_auto(buf) struct kb_buf above = KB_BUF_INIT, heads = KB_BUF_INIT;
	size_t shares = 0, certain = 0;

	for (int part = 0; part < 1 + has_certainty; part++) {
		for (size_t i = 0; i < KB_SHEET_COUNTS; i++) {
			if (!kb_sheet_column_is_brief(i) ||
			    (part && !kb_sheet_column_has_certainty(i)))
				continue;
			*(part ? &certain : &shares) += 1;
			kb_buf_addstr(&heads, " & ");
			print_column(&heads, i);
		}
		kb_buf_addstr(&heads, " & geomean");
	}
	kb_buf_addf(&above, " & \\multicolumn{%zu}{c}{\\%%} & (untimed)",
		    shares);
	if (has_certainty)
		kb_buf_addf(&above, " & \\multicolumn{%zu}{c}{certain at 95\\%%}",
			    ++certain);
	kb_buf_addf(out, "\\begin{tabular}{l*{%zu}{r}}\n\\toprule\n%s \\\\\n"
		    "level%s \\\\\n", shares + 1 + certain, above.data,
		    heads.data);
	return shares + 2 + certain;
}

static void print_comparison_cells(struct kb_buf *out,
				   const struct kb_metrics *m)
{
	for (size_t i = 0; i < KB_SHEET_COUNTS; i++) {
		if (!kb_sheet_column_is_brief(i))
			continue;
		kb_buf_addstr(out, " & ");
		if (!kb_sheet_percent_print(out, m, i))
			kb_buf_addstr(out, "--");
	}
	kb_buf_addstr(out, " & ");
	print_mean(out, m);
	if (!m->has_certainty)
		return;
	for (size_t i = 0; i < KB_SHEET_COUNTS; i++) {
		if (!kb_sheet_column_is_brief(i) ||
		    !kb_sheet_column_has_certainty(i))
			continue;
		kb_buf_addstr(out, " & ");
		kb_sheet_certain_print(out, m, i);
	}
	kb_buf_addstr(out, " & ");
	print_interval(out, m);
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
	for (size_t level = 0; level < kb_sheet_row_count(s); level++) {
		print_level(out, s, level);
		print_comparison_cells(out, kb_sheet_metrics(s, level));
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
	columns = print_comparison_head(
		out, c->sheets[0].score->overall.has_certainty);
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
