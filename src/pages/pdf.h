#ifndef KB_PAGES_PDF_H
#define KB_PAGES_PDF_H

#include <stddef.h>

struct kb_buf;

/*
 * A figure for a paper: a PDF of one page with the size and, vector for vector,
 * the content of a chart that pages/svg.h drew, in the colours for light
 * paper. Of SVG it knows what these charts are made of, and skips the rest.
 * Texts are set in Helvetica, which every reader has; of what is not in Latin-1
 * the check mark is "C", and all else "?". The same chart gives the same bytes.
 */
void kb_pdf_print(struct kb_buf *out, const char *svg, size_t len);

#endif
