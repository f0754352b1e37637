#include "cli/wrap.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"

/* Behind the bytes of a colour, ESC [ ... m, if there is one at `text`. */
static const char *skip_colour(const char *text)
{
	if (text[0] != '\033' || text[1] != '[')
		return text;
	return text + strcspn(text, "m") + (strchr(text, 'm') != NULL);
}

static size_t width_of(const char *text, size_t len)
{
	const char *end = text + len;
	size_t width = 0;

	while (text < end) {
		const char *behind = skip_colour(text);

		if (behind == text)
			width += (*text++ & 0xc0) != 0x80;
		else
			text = behind;
	}
	return width;
}

size_t kb_text_width(const char *text)
{
	return width_of(text, strlen(text));
}

void kb_wrap_print(struct kb_buf *out, const char *text, size_t at,
		   size_t indent, size_t columns)
{
	bool is_first = true;

	while (*text) {
		const size_t blanks = strspn(text, " ");
		const size_t len = strcspn(text + blanks, " ");
		const size_t width = width_of(text + blanks, len);

		if (columns && !is_first && at + blanks + width > columns) {
			kb_buf_addf(out, "\n%*s", (int)indent, "");
			at = indent;
		} else {
			kb_buf_add(out, text, blanks);
			at += blanks;
		}
		kb_buf_add(out, text + blanks, len);
		at += width;
		text += blanks + len;
		is_first = false;
	}
}

/* Where a line has its second column, or `otherwise`. */
static size_t second_column(const char *line, size_t otherwise, size_t columns)
{
	const char *gap = strstr(line + strspn(line, " "), "  ");
	size_t at;

	if (!gap)
		return otherwise;
	at = width_of(line, (size_t)(gap - line)) + strspn(gap, " ");
	return at <= columns / 3 ? at : otherwise;
}

void kb_wrap_lines_print(struct kb_buf *out, const char *text, size_t indent,
			 size_t columns)
{
	while (*text) {
		const size_t len = strcspn(text, "\n");
		struct kb_buf line = KB_BUF_INIT;

		kb_buf_add(&line, text, len);
		kb_wrap_print(out, line.data, 0,
			      second_column(line.data, indent, columns),
			      columns);
		kb_buf_release(&line);
		if (text[len])
			kb_buf_addch(out, '\n');
		text += len + (text[len] == '\n');
	}
}
