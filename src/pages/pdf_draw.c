#include "pages/pdf_draw.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "pages/assets.h"

/* A piece of the markup, or of the style. */
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

/* The style for light paper, which is before that for everything else. */
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

	kb_buf_addstr(&c->operators, "q\n");
	paint = set_paint(c, tag);
	add_outline(&c->operators, name, tag);
	kb_buf_addf(&c->operators, "%s\nQ\n", paint);
}

/* --- markup ------------------------------------------------------------ */

static void take_element(struct kb_pdf_chart *c, struct piece name,
			 struct piece tag)
{
	if (is(name, "svg")) {
		const struct piece w = attribute(tag, "width");
		const struct piece h = attribute(tag, "height");

		kb_buf_add(&c->width, w.at, w.len);
		kb_buf_add(&c->height, h.at, h.len);
	} else if (is(name, "path") || is(name, "rect") ||
		   is(name, "circle")) {
		add_shape(c, name, tag);
	}
}

/* Each start tag. */
void kb_pdf_chart_read(struct kb_pdf_chart *c, const char *svg, size_t len)
{
	struct piece rest = { svg, len };

	for (;;) {
		const struct piece tag = between(rest, "<", ">");
		struct piece name = tag;

		if (!tag.len)
			return;
		rest.len -= (size_t)(tag.at + tag.len + 1 - rest.at);
		rest.at = tag.at + tag.len + 1;
		name.len = 0;
		while (name.len < tag.len && !strchr(" /", tag.at[name.len]))
			name.len++;
		take_element(c, name, tag);
	}
}

void kb_pdf_chart_release(struct kb_pdf_chart *c)
{
	kb_buf_release(&c->operators);
	kb_buf_release(&c->width);
	kb_buf_release(&c->height);
}
