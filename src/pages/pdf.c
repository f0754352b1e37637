#include "pages/pdf.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "pages/pdf_draw.h"

/* Of a chart's pixels, which are 1/96 inch, in points, of which 72 are one. */
#define POINTS "0.75"

/* Objects have fixed numbers and the file has no date and no identifier, so
 * that the same chart is the same bytes. */
enum { CATALOG = 1, PAGES, PAGE, CONTENT, PLAIN, BOLD, INFO, OBJECT_COUNT };

/* Objects are told apart by where they begin. */
struct document {
	struct kb_buf *out;
	size_t start;
	size_t offsets[OBJECT_COUNT];
};

static void begin_object(struct document *d, int number)
{
	d->offsets[number] = d->out->len - d->start;
	kb_buf_addf(d->out, "%d 0 obj\n", number);
}

/* One of the 14 standard fonts that every viewer has (ISO 32000-1, 9.6.2.2), so
 * that none has to be in the file. */
static void add_font(struct document *d, int number, const char *name)
{
	begin_object(d, number);
	kb_buf_addf(d->out, "<< /Type /Font /Subtype /Type1 /BaseFont /%s "
		    "/Encoding /WinAnsiEncoding >>\nendobj\n", name);
}

/* In points: three quarters of a number of pixels, which has digits alone. */
static void add_points(struct kb_buf *out, const struct kb_buf *pixels)
{
	unsigned long n = 0;

	for (size_t i = 0; i < pixels->len && n < 100000; i++)
		if (pixels->data[i] >= '0' && pixels->data[i] <= '9')
			n = 10 * n + (unsigned long)(pixels->data[i] - '0');
	kb_buf_addf(out, "%lu.%02lu", 75 * n / 100, 75 * n % 100);
}

static void add_page(struct document *d, const struct kb_pdf_chart *c)
{
	begin_object(d, PAGE);
	kb_buf_addf(d->out, "<< /Type /Page /Parent %d 0 R /MediaBox [0 0 ",
		    PAGES);
	add_points(d->out, &c->width);
	kb_buf_addch(d->out, ' ');
	add_points(d->out, &c->height);
	kb_buf_addf(d->out, "]\n/Contents %d 0 R /Resources << /Font << "
		    "/F0 %d 0 R /F1 %d 0 R >>\n/ExtGState <<", CONTENT, PLAIN,
		    BOLD);
	for (unsigned i = 0; i < KB_ARRAY_LEN(c->opacities); i++)
		if (c->opacities[i])
			kb_buf_addf(d->out, " /A%u << /ca 0.%02u /CA 0.%02u >>",
				    i, i, i);
	kb_buf_addstr(d->out, " >> >> >>\nendobj\n");
}

/* Down is down: the first operator turns the page over. */
static void add_content(struct document *d, const struct kb_pdf_chart *c)
{
	struct kb_buf stream = KB_BUF_INIT;

	kb_buf_addstr(&stream, POINTS " 0 0 -" POINTS " 0 ");
	add_points(&stream, &c->height);
	kb_buf_addstr(&stream, " cm\n");
	kb_buf_add(&stream, c->operators.data, c->operators.len);
	begin_object(d, CONTENT);
	kb_buf_addf(d->out, "<< /Length %zu >>\nstream\n", stream.len);
	kb_buf_add(d->out, stream.data, stream.len);
	kb_buf_addstr(d->out, "endstream\nendobj\n");
	kb_buf_release(&stream);
}

/* Entries of the table are of twenty bytes each, the blank before the line feed
 * included: readers compute where an entry is. */
static void add_ends(struct document *d)
{
	const size_t table = d->out->len - d->start;

	/* Object 0 is the head of the list of free objects, with generation
	 * 65535 (ISO 32000-1, 7.5.4). */
	kb_buf_addf(d->out, "xref\n0 %d\n0000000000 65535 f \n", OBJECT_COUNT);
	for (int i = 1; i < OBJECT_COUNT; i++)
		kb_buf_addf(d->out, "%010zu 00000 n \n", d->offsets[i]);
	kb_buf_addf(d->out, "trailer\n<< /Size %d /Root %d 0 R /Info %d 0 R >>\n"
		    "startxref\n%zu\n%%%%EOF\n", OBJECT_COUNT, CATALOG, INFO,
		    table);
}

void kb_pdf_print(struct kb_buf *out, const char *svg, size_t len)
{
	struct kb_pdf_chart c = KB_PDF_CHART_INIT;
	struct document d = { .out = out, .start = out->len };

	kb_pdf_chart_read(&c, svg, len);
	/* The first version that has opacity (`ca` and `CA`). */
	kb_buf_addstr(out, "%PDF-1.4\n");
	begin_object(&d, CATALOG);
	kb_buf_addf(out, "<< /Type /Catalog /Pages %d 0 R >>\nendobj\n", PAGES);
	begin_object(&d, PAGES);
	kb_buf_addf(out, "<< /Type /Pages /Kids [%d 0 R] /Count 1 >>\nendobj\n",
		    PAGE);
	add_page(&d, &c);
	add_content(&d, &c);
	add_font(&d, PLAIN, "Helvetica");
	add_font(&d, BOLD, "Helvetica-Bold");
	begin_object(&d, INFO);
	kb_buf_addstr(out, "<< /Producer (kb-report) /Title ");
	kb_pdf_string_print(out, c.title.data, c.title.len);
	kb_buf_addstr(out, " >>\nendobj\n");
	add_ends(&d);
	kb_pdf_chart_release(&c);
}
