#ifndef KB_PAGES_HTML_H
#define KB_PAGES_HTML_H

#include <stddef.h>

struct kb_buf;

/*
 * Markup, in pages and in figures. The format is a literal, and its arguments
 * may be foreign text. escape.h escapes every string; no conversion leaves one
 * unescaped. NULL is "-".
 *
 * 	%s		a string, escaped
 * 	%d %zu %ld	integers (PRId64 is one of them)
 * 	%.1f		a coordinate, never "-0.0"
 * 	%%
 */
void kb_html_addf(struct kb_buf *out, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* In the head of each page, before its style; kb-report's version follows. */
#define KB_PAGE_GENERATOR "<meta name=\"generator\" content=\"kb-report"

/*
 * The frame of a page: everything that it needs is in it. A policy allows
 * the browser our style and our script, by their digests, and nothing else:
 * no request leaves the page, and nothing that it quotes can run.
 */
struct kb_page {
	const char *title;
	const char *home;	/* the file of the first page; NULL on it */
	const char *home_title;
};

void kb_page_begin(struct kb_buf *out, const struct kb_page *p);
void kb_page_end(struct kb_buf *out);

#endif
