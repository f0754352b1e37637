#include "pages/pdf.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "lib/tap.h"
#include "pages/pdf_draw.h"

#define SVG(body)							\
	"<svg class=\"chart\" id=\"c\" width=\"100\" height=\"41\">\n"	\
	"<title id=\"c-t\">A (b) \xc3\xa9</title>\n<desc>no</desc>\n" body "</svg>\n"

static const struct {
	const char *body;
	const char *operators;
} shapes[] = {
	{ "", "" },
	{ "<g><title>1/1</title></g>", "" },
	{ "<path class=\"paper\" d=\"M1.0 2.0H5.0V3.0L-6.0 7.5Z\"/>",
	  "q\n1.0 2.0 m\n5.0 2.0 l\n5.0 3.0 l\n-6.0 7.5 l\nh\nn\nQ\n" },
	{ "<path class=\"one\" d=\"M1.0 2.0V3.0\"/>",
	  "q\n0.341 0.376 0.415 RG\n1 w\n[5 4] 0 d\n1.0 2.0 m\n1.0 3.0 l\nS\nQ\n" },
	{ "<path class=\"curve k1\" stroke-dasharray=\"5 3\" d=\"M1.0 2.0H3.0\"/>",
	  "q\n0.694 0.290 0.000 RG\n2 w\n[5 3] 0 d\n1.0 2.0 m\n3.0 2.0 l\nS\nQ\n" },
	{ "<path class=\"band p2\" d=\"M1.0 2.0Z\"/>",
	  "q\n0.101 0.478 0.298 rg\n/A20 gs\n1.0 2.0 m\nh\nf\nQ\n" },
	{ "<rect class=\"on\" x=\"1.0\" y=\"2.0\" width=\"3.0\" height=\"4.0\"/>",
	  "q\n1.000 1.000 1.000 rg\n1.0 2.0 3.0 4.0 re\nf\nQ\n" },
	{ "<circle class=\"paper\" cx=\"7.0\" cy=\"8.0\" r=\"4.0\"/>",
	  "q\n4.0 0 0 4.0 7.0 8.0 cm\n1 0 m\n1 0.5523 0.5523 1 0 1 c\n"
	  "-0.5523 1 -1 0.5523 -1 0 c\n-1 -0.5523 -0.5523 -1 0 -1 c\n"
	  "0.5523 -1 1 -0.5523 1 0 c\nn\nQ\n" },
	{ "<text class=\"e\" x=\"5.0\" y=\"6.0\">0.5x</text>",
	  "BT\n0.239 0.266 0.301 rg\n/F0 12 Tf\n1 0 0 -1 5.0 6.0 Tm\n"
	  "-22.680 0 Td\n(0.5x) Tj\nET\n" },
	{ "<text class=\"head m\" x=\"5.0\" y=\"6.0\">Wi</text>",
	  "BT\n0.105 0.121 0.141 rg\n/F1 12 Tf\n1 0 0 -1 5.0 6.0 Tm\n"
	  "-7.332 0 Td\n(Wi) Tj\nET\n" },
	{ "<text x=\"5.0\" y=\"6.0\">(&lt;&amp;&#39;\\\xc3\xa9\xe2\x9c\x93\xe2\x82\xac\xff</text>",
	  "BT\n0.239 0.266 0.301 rg\n/F0 12 Tf\n1 0 0 -1 5.0 6.0 Tm\n"
	  "-0.000 0 Td\n(\\(<&'\\\\\\351C?\?) Tj\nET\n" },
};

static void test_shapes_become_operators(void)
{
	for (size_t i = 0; i < KB_ARRAY_LEN(shapes); i++) {
		struct kb_pdf_chart c = KB_PDF_CHART_INIT;
		kb_auto(mem) char *svg = kb_xasprintf(
			"<svg class=\"chart\" width=\"100\" height=\"41\">\n"
			"<title id=\"c-t\">A (b) \xc3\xa9</title>\n%s</svg>\n",
			shapes[i].body);

		kb_pdf_chart_read(&c, svg, strlen(svg));
		check_str(c.operators.data, shapes[i].operators);
		check_str(c.title.data, "A (b) \xe9");
		check_str(c.width.data, "100");
		check_str(c.height.data, "41");
		kb_pdf_chart_release(&c);
	}
}

static void test_widths_are_those_of_the_font(void)
{
	check_int(kb_pdf_text_width("", 0, false), 0);
	check_int(kb_pdf_text_width(" ~", 2, false), 278 + 584);
	check_int(kb_pdf_text_width("Wi", 2, false), 944 + 222);
	check_int(kb_pdf_text_width("Wi", 2, true), 944 + 278);
	check_int(kb_pdf_text_width("\xe9", 1, true), 556);
}

/* A reader finds objects by the table at the end, and a stream by its length. */
static void check_document(const struct kb_buf *pdf)
{
	const char *start = strstr(pdf->data, "startxref\n");
	const char *table = start ? pdf->data + atol(start + 10) : "";
	const char *stream = strstr(pdf->data, "stream\n");
	const char *length = strstr(pdf->data, "/Length ");

	check(!strncmp(pdf->data, "%PDF-1.4\n", 9));
	check(!strncmp(table, "xref\n0 8\n", 9));
	for (int i = 1; i < 8 && *table; i++) {
		kb_auto(mem) char *want = kb_xasprintf("%d 0 obj\n", i);
		const char *object = pdf->data + atol(table + 9 + 20 * i);

		check(!strncmp(object, want, strlen(want)));
	}
	check(stream && length &&
	      !strncmp(stream + 7 + atol(length + 8), "endstream", 9));
	check(pdf->len > 6 && !strcmp(pdf->data + pdf->len - 6, "%%EOF\n"));
}

static void test_the_document_is_one(void)
{
	static const char *const svgs[] = {
		"", "<", "<svg", SVG(""),
		SVG("<path class=\"band p0\" d=\"M1.0 2.0Z\"/>"
		    "<path class=\"whisker k0\" d=\"M1.0 2.0V3.0\"/>"),
	};
	kb_auto(buf) struct kb_buf pdf = KB_BUF_INIT;

	for (size_t i = 0; i < KB_ARRAY_LEN(svgs); i++) {
		kb_buf_clear(&pdf);
		kb_pdf_print(&pdf, svgs[i], strlen(svgs[i]));
		check_document(&pdf);
	}
	check(strstr(pdf.data, "/MediaBox [0 0 75.00 30.75]"));
	check(strstr(pdf.data, "<< /A20 << /ca 0.20 /CA 0.20 >> "
		     "/A55 << /ca 0.55 /CA 0.55 >> >>"));
	check(strstr(pdf.data, "/Title (A \\(b\\) \\351) >>"));
}

TAP_MAIN(TAP(test_shapes_become_operators),
	 TAP(test_widths_are_those_of_the_font),
	 TAP(test_the_document_is_one));
