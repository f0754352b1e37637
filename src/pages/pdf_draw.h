#ifndef KB_PAGES_PDF_DRAW_H
#define KB_PAGES_PDF_DRAW_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* What a chart's markup comes to in PDF: operators in the chart's own
 * coordinates, which point down, and what else its page needs. */
struct kb_pdf_chart {
	struct kb_buf operators;
	struct kb_buf title;		/* in Latin-1 */
	struct kb_buf width, height;	/* as they are spelled: digits */
	bool opacities[101];		/* in hundredths, those that are used */
};

#define KB_PDF_CHART_INIT { .operators = KB_BUF_INIT, .title = KB_BUF_INIT, \
			    .width = KB_BUF_INIT, .height = KB_BUF_INIT }

void kb_pdf_chart_read(struct kb_pdf_chart *c, const char *svg, size_t len);
void kb_pdf_chart_release(struct kb_pdf_chart *c);

/* A string as PDF has it, from Latin-1, in parentheses. */
void kb_pdf_string_print(struct kb_buf *out, const char *text, size_t len);

/* How wide a text in Latin-1 is, in thousandths of its size. */
int kb_pdf_text_width(const char *text, size_t len, bool is_bold);

#endif
