#ifndef KB_EXPORT_LATEX_H
#define KB_EXPORT_LATEX_H

struct kb_buf;
struct kb_comparison;
struct kb_score_sheet;

/*
 * A score as LaTeX tabulars for booktabs, a column a level, with notes below.
 * Of levels that do not fit beside each other into a column of article there
 * are several. Ids are cut to their first KB_LATEX_ID_DIGITS digits, by which a
 * store finds a bundle too; comments have them whole. What a record says in
 * words cannot become a command, and wraps.
 */
#define KB_LATEX_ID_DIGITS 16
void kb_latex_print(struct kb_buf *out, const struct kb_score_sheet *s);

/* Several scores: of each a line with its label, and below it a row for every
 * level and for all, with the brief columns and the mean. */
void kb_latex_comparison_print(struct kb_buf *out,
			       const struct kb_comparison *c);

#endif
