/* Texts in PDF: the widths of Helvetica's characters, and strings. */

#include "pages/pdf_draw.h"

#include <stdint.h>

#define FIRST 32
#define LAST 126

/* Beyond ASCII most letters are about as wide as a digit. */
#define OTHER 556

/* Of Helvetica and Helvetica-Bold, as their metrics have it. */
static const uint16_t widths[2][LAST - FIRST + 1] = { {
	278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333,
	278, 278, 556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278,
	584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278,
	500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944,
	667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556,
	278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500,
	278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
}, {
	278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333,
	278, 278, 556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 333, 333,
	584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278,
	556, 722, 611, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944,
	667, 667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611, 556,
	333, 611, 611, 278, 278, 556, 278, 889, 611, 611, 611, 611, 389, 556,
	333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
} };

int kb_pdf_text_width(const char *text, size_t len, bool is_bold)
{
	int width = 0;

	for (size_t i = 0; i < len; i++) {
		const unsigned char c = (unsigned char)text[i];

		width += c >= FIRST && c <= LAST ? widths[is_bold][c - FIRST]
						 : OTHER;
	}
	return width;
}

/* Three octal digits always: with fewer a digit behind them would be taken for
 * one of them (ISO 32000-1, 7.3.4.2). */
void kb_pdf_string_print(struct kb_buf *out, const char *text, size_t len)
{
	kb_buf_addch(out, '(');
	for (size_t i = 0; i < len; i++) {
		const unsigned char c = (unsigned char)text[i];

		if (c == '(' || c == ')' || c == '\\')
			kb_buf_addf(out, "\\%c", c);
		else if (c < FIRST || c > LAST)
			kb_buf_addf(out, "\\%03o", c);
		else
			kb_buf_addch(out, (char)c);
	}
	kb_buf_addch(out, ')');
}
