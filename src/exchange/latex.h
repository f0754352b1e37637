#ifndef KB_EXCHANGE_LATEX_H
#define KB_EXCHANGE_LATEX_H

struct kb_buf;
struct kb_comparison;
struct kb_score_sheet;

/*
 * A score as a LaTeX tabular for booktabs, with notes below it. Ids are cut to
 * their first KB_LATEX_ID_DIGITS digits, by which a store finds a bundle too;
 * comments have them whole. What a record says in words cannot become a
 * command.
 */
#define KB_LATEX_ID_DIGITS 16
void kb_latex_print(struct kb_buf *out, const struct kb_score_sheet *s);

/* Several scores, a row each: the brief columns and the mean, of every level
 * and of all. */
void kb_latex_comparison_print(struct kb_buf *out,
			       const struct kb_comparison *c);

#endif
