#ifndef KB_PAGES_PDF_DRAW_H
#define KB_PAGES_PDF_DRAW_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* What a chart's markup comes to in PDF: operators in the chart's own
 * coordinates, which point down, and what else its page needs. */
struct kb_pdf_chart {
	struct kb_buf operators;
	struct kb_buf width, height;	/* as they are spelled: digits */
	bool opacities[101];		/* in hundredths, those that are used */
};

#define KB_PDF_CHART_INIT { .operators = KB_BUF_INIT, \
			    .width = KB_BUF_INIT, .height = KB_BUF_INIT }

void kb_pdf_chart_read(struct kb_pdf_chart *c, const char *svg, size_t len);
void kb_pdf_chart_release(struct kb_pdf_chart *c);

#endif
