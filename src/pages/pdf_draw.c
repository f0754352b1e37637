#include "pages/pdf_draw.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "json/utf8.h"
#include "pages/assets.h"

#define TEXT_SIZE 12		/* as the style has it */

/* The letter of what is correct, in outcomes. */
#define CHECK_MARK 0x2713

/* A piece of the markup, or of the style. The markup that is drawn here is our
 * own, of svg.c and those who use it: elements, classes and numbers in the few
 * forms that they write. What is not known is left out and no error, because
 * the same picture exists as SVG. */
struct piece {
	const char *at;
	size_t len;
};

static bool is(struct piece p, const char *text)
{
	return p.len == strlen(text) && !memcmp(p.at, text, p.len);
}

/* From behind `begin` to `end`; nothing if either is not there. */
static struct piece between(struct piece in, const char *begin,
			    const char *end)
{
	const char *from = memmem(in.at, in.len, begin, strlen(begin));
	const char *to;

	if (!from)
		return (struct piece){ in.at, 0 };
	from += strlen(begin);
	to = memmem(from, (size_t)(in.at + in.len - from), end, strlen(end));
	return (struct piece){ from, to ? (size_t)(to - from) : 0 };
}

static struct piece attribute(struct piece tag, const char *name)
{
	kb_auto(mem) char *begin = kb_xasprintf(" %s=\"", name);

	return between(tag, begin, "\"");
}

/* --- style ------------------------------------------------------------- */

/* The style for light paper, which is before that for everything else. Colours
 * and widths stand once, in the style sheet that pages have, and are looked up
 * in it. */
static struct piece style(void)
{
	const struct kb_asset a = kb_asset_chart_style();
	const char *media = memmem(a.data, a.len, "@media", 6);

	return (struct piece){ a.data, media ? (size_t)(media - a.data)
					     : a.len };
}

static struct piece property_of(const char *selector, const char *name)
{
	kb_auto(mem) char *rule = kb_xasprintf(".chart %s {", selector);
	kb_auto(mem) char *begin = kb_xasprintf(" %s: ", name);

	return between(between(style(), rule, "}"), begin, ";");
}

/* Of the classes, which blanks separate, the last that has it. */
static struct piece property(struct piece classes, const char *name)
{
	struct piece found = { NULL, 0 };
	size_t i = 0;

	while (i < classes.len) {
		const char *blank = memchr(classes.at + i, ' ',
					   classes.len - i);
		const size_t end = blank ? (size_t)(blank - classes.at)
					 : classes.len;
		kb_auto(mem) char *selector = kb_xasprintf(
			".%.*s", (int)(end - i), classes.at + i);
		const struct piece p = property_of(selector, name);

		if (p.len)
			found = p;
		i = end + 1;
	}
	return found;
}

/* "#rgb" or "#rrggbb" as PDF has colours; false for "none" and nothing. */
static bool add_colour(struct kb_buf *out, struct piece p, const char *operator)
{
	const size_t digits = p.len == 7 ? 2 : 1;

	if ((p.len != 4 && p.len != 7) || p.at[0] != '#')
		return false;
	for (size_t i = 1; i < p.len; i += digits) {
		const char hex[] = { p.at[i], p.at[i + digits - 1], '\0' };
		const long byte = strtol(hex, NULL, 16);

		kb_buf_addf(out, "%ld.%03ld ", byte / 255,
			    byte % 255 * 1000 / 255);
	}
	kb_buf_addf(out, "%s\n", operator);
	return true;
}

/* ".55" in hundredths; 100 if there is none. */
static unsigned opacity_of(struct piece p)
{
	unsigned hundredths = 0;

	if (p.len < 2 || p.at[0] != '.')
		return 100;
	for (size_t i = 1; i < 3; i++)
		hundredths = 10 * hundredths +
			(i < p.len && p.at[i] >= '0' && p.at[i] <= '9' ?
			 (unsigned)(p.at[i] - '0') : 0);
	return hundredths;
}

/* How a shape is painted: the operator that does it. */
static const char *set_paint(struct kb_pdf_chart *c, struct piece tag)
{
	struct kb_buf *out = &c->operators;
	const struct piece classes = attribute(tag, "class");
	const struct piece width = property(classes, "stroke-width");
	const struct piece own = attribute(tag, "stroke-dasharray");
	const struct piece dash =
		own.len ? own : property(classes, "stroke-dasharray");
	const unsigned opacity = opacity_of(property(classes, "opacity"));
	const bool fills = add_colour(out, property(classes, "fill"), "rg");
	const bool strokes = add_colour(out, property(classes, "stroke"), "RG");

	if (width.len)
		kb_buf_addf(out, "%.*s w\n", (int)width.len, width.at);
	if (dash.len)
		kb_buf_addf(out, "[%.*s] 0 d\n", (int)dash.len, dash.at);
	if (opacity < 100) {
		c->opacities[opacity] = true;
		kb_buf_addf(out, "/A%u gs\n", opacity);
	}
	/* B fills and strokes, f fills, S strokes and n does neither (ISO
	 * 32000-1, 8.5.3). */
	return fills && strokes ? "B" : fills ? "f" : strokes ? "S" : "n";
}

/* --- shapes ------------------------------------------------------------ */

static void add_piece(struct kb_buf *out, struct piece p)
{
	kb_buf_add(out, p.at, p.len);
	kb_buf_addch(out, ' ');
}

/* The next number of a path; it moves on. */
static struct piece next_number(struct piece *path)
{
	size_t skip = 0, len = 0;

	while (skip < path->len && path->at[skip] == ' ')
		skip++;
	while (skip + len < path->len &&
	       memchr("0123456789.-", path->at[skip + len], 12))
		len++;

	const struct piece number = { path->at + skip, len };

	path->at += skip + len;
	path->len -= skip + len;
	return number;
}

static void add_point(struct kb_buf *out, struct piece x, struct piece y,
		      char operator)
{
	if (!x.len || !y.len)
		return;
	add_piece(out, x);
	add_piece(out, y);
	kb_buf_addf(out, "%c\n", operator);
}

/* Moves and lines, to absolute points. */
static void add_path(struct kb_buf *out, struct piece d)
{
	struct piece x = { d.at, 0 }, y = x;

	while (d.len) {
		const char command = *d.at;

		d.at++;
		d.len--;
		if (command == 'M' || command == 'L' || command == 'H')
			x = next_number(&d);
		if (command == 'M' || command == 'L' || command == 'V')
			y = next_number(&d);
		if (command == 'Z')
			kb_buf_addstr(out, "h\n");
		else if (memchr("MLHV", command, 4))
			add_point(out, x, y, command == 'M' ? 'm' : 'l');
	}
}

static void add_rect(struct kb_buf *out, struct piece tag)
{
	static const char *const names[] = { "x", "y", "width", "height" };

	for (size_t i = 0; i < KB_ARRAY_LEN(names); i++)
		add_piece(out, attribute(tag, names[i]));
	kb_buf_addstr(out, "re\n");
}

/* The unit circle in four curves, moved and scaled. */
static void add_circle(struct kb_buf *out, struct piece tag)
{
	const struct piece r = attribute(tag, "r");

	add_piece(out, r);
	kb_buf_addstr(out, "0 0 ");
	add_piece(out, r);
	add_piece(out, attribute(tag, "cx"));
	add_piece(out, attribute(tag, "cy"));
	/* 0.5523 is 4/3 (sqrt 2 - 1), with which a cubic curve meets the
	 * quarter of a circle at its ends and in its middle. */
	kb_buf_addstr(out, "cm\n1 0 m\n"
		      "1 0.5523 0.5523 1 0 1 c\n-0.5523 1 -1 0.5523 -1 0 c\n"
		      "-1 -0.5523 -0.5523 -1 0 -1 c\n"
		      "0.5523 -1 1 -0.5523 1 0 c\n");
}

static void add_outline(struct kb_buf *out, struct piece name,
			struct piece tag)
{
	if (is(name, "path"))
		add_path(out, attribute(tag, "d"));
	else if (is(name, "rect"))
		add_rect(out, tag);
	else
		add_circle(out, tag);
}

static void add_shape(struct kb_pdf_chart *c, struct piece name,
		      struct piece tag)
{
	const char *paint;

	/* q and Q keep what is set here, a circle's scale included, from the
	 * shapes behind it. */
	kb_buf_addstr(&c->operators, "q\n");
	paint = set_paint(c, tag);
	add_outline(&c->operators, name, tag);
	kb_buf_addf(&c->operators, "%s\nQ\n", paint);
}

/* --- texts ------------------------------------------------------------- */

/* What an entity of ours stands for; its length in `*len`. */
static unsigned char entity(struct piece p, size_t *len)
{
	static const struct {
		const char *name;
		char is;
	} known[] = { { "&amp;", '&' }, { "&lt;", '<' }, { "&gt;", '>' },
		      { "&quot;", '"' }, { "&#39;", '\'' } };

	for (size_t i = 0; i < KB_ARRAY_LEN(known); i++) {
		*len = strlen(known[i].name);
		if (p.len >= *len && !memcmp(p.at, known[i].name, *len))
			return (unsigned char)known[i].is;
	}
	*len = 1;
	return '?';
}

/* Markup's text, in Latin-1. PDF's standard fonts have no other characters, and
 * to embed a font would add one to the program. */
static void add_latin1(struct kb_buf *out, struct piece p)
{
	while (p.len) {
		uint32_t point = 0;
		size_t len = kb_utf8_decode(&point, p.at, p.len);

		if (*p.at == '&')
			point = entity(p, &len);
		if (!len) {
			len = 1;
			point = '?';
		}
		if (point == CHECK_MARK)
			point = 'C';
		kb_buf_addch(out, (char)(point < 256 ? point : '?'));
		p.at += len;
		p.len -= len;
	}
}

static void add_text(struct kb_pdf_chart *c, struct piece tag,
		     struct piece content)
{
	struct kb_buf *out = &c->operators;
	const struct piece classes = attribute(tag, "class");
	const struct piece own = property(classes, "fill");
	const struct piece anchor = property(classes, "text-anchor");
	const bool is_bold = property(classes, "font-weight").len;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int shift;

	add_latin1(&text, content);
	/* PDF has no anchor for texts: they are moved back by their own width,
	 * or half of it. */
	shift = TEXT_SIZE * kb_pdf_text_width(text.data, text.len, is_bold);
	shift = is(anchor, "end") ? shift :
		is(anchor, "middle") ? shift / 2 : 0;
	kb_buf_addstr(out, "BT\n");
	(void)add_colour(out, own.len ? own : property_of("text", "fill"),
			 "rg");
	/* The page is turned over, and letters have to be turned back. */
	kb_buf_addf(out, "/F%d %d Tf\n1 0 0 -1 ", is_bold, TEXT_SIZE);
	add_piece(out, attribute(tag, "x"));
	add_piece(out, attribute(tag, "y"));
	kb_buf_addf(out, "Tm\n-%d.%03d 0 Td\n", shift / 1000, shift % 1000);
	kb_pdf_string_print(out, text.data, text.len);
	kb_buf_addstr(out, " Tj\nET\n");
}

/* --- markup ------------------------------------------------------------ */

static void take_element(struct kb_pdf_chart *c, struct piece name,
			 struct piece tag, struct piece content)
{
	if (is(name, "svg")) {
		const struct piece w = attribute(tag, "width");
		const struct piece h = attribute(tag, "height");

		kb_buf_add(&c->width, w.at, w.len);
		kb_buf_add(&c->height, h.at, h.len);
	} else if (is(name, "title") && !c->title.len) {
		add_latin1(&c->title, content);
	} else if (is(name, "text")) {
		add_text(c, tag, content);
	} else if (is(name, "path") || is(name, "rect") ||
		   is(name, "circle")) {
		add_shape(c, name, tag);
	}
}

/* Each start tag, with what follows it up to the next tag. */
void kb_pdf_chart_read(struct kb_pdf_chart *c, const char *svg, size_t len)
{
	struct piece rest = { svg, len };

	for (;;) {
		const struct piece tag = between(rest, "<", ">");
		struct piece name = tag, content;

		if (!tag.len)
			return;
		rest.len -= (size_t)(tag.at + tag.len + 1 - rest.at);
		rest.at = tag.at + tag.len + 1;
		content = (struct piece){ rest.at, rest.len };
		if (memchr(rest.at, '<', rest.len))
			content.len = (size_t)((const char *)memchr(
				rest.at, '<', rest.len) - rest.at);
		name.len = 0;
		while (name.len < tag.len && !strchr(" /", tag.at[name.len]))
			name.len++;
		take_element(c, name, tag, content);
	}
}

void kb_pdf_chart_release(struct kb_pdf_chart *c)
{
	kb_buf_release(&c->operators);
	kb_buf_release(&c->title);
	kb_buf_release(&c->width);
	kb_buf_release(&c->height);
}
