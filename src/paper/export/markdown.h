#ifndef KB_EXPORT_MARKDOWN_H
#define KB_EXPORT_MARKDOWN_H

struct kb_buf;
struct kb_comparison;
struct kb_score_sheet;

/*
 * A score as a Markdown table, with shares in percent beside counts, and a
 * list of notes below it. What a record says in words cannot become markup.
 */
void kb_markdown_print(struct kb_buf *out, const struct kb_score_sheet *s);

/* Several scores, a row each: the brief columns and the mean, of every level
 * and of all. */
void kb_markdown_comparison_print(struct kb_buf *out,
				  const struct kb_comparison *c);

/* Append a line of text, cleaned by kb_utf8_clean_line(), in which nothing will
 * be markup or a link. */
void kb_markdown_text_print(struct kb_buf *out, const char *text);

#endif
