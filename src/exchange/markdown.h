#ifndef KB_EXCHANGE_MARKDOWN_H
#define KB_EXCHANGE_MARKDOWN_H

struct kb_buf;
struct kb_score_sheet;

/*
 * A score as a Markdown table, with shares in percent beside counts, and a
 * list of notes below it. What a record says in words cannot become markup.
 */
void kb_markdown_print(struct kb_buf *out, const struct kb_score_sheet *s);

/* Append a line of text, in which nothing will be markup. */
void kb_markdown_text_print(struct kb_buf *out, const char *text);

#endif
