#ifndef KB_PAGES_DIFF_H
#define KB_PAGES_DIFF_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The difference of two texts, by lines: a shortest edit script (Myers, "An
 * O(ND) Difference Algorithm", 1986). Bytes in, pure; a line ends with a line
 * feed or with the text.
 */
struct kb_text_line {
	const char *text;	/* borrowed; without its line feed */
	size_t len;
};

struct kb_text_lines {
	struct kb_text_line *items;
	size_t count;
};

void kb_text_lines_split(struct kb_text_lines *out, const char *text, size_t len);
void kb_text_lines_release(struct kb_text_lines *l);

enum kb_edit {
	KB_EDIT_KEEP,		/* of both */
	KB_EDIT_DELETE,		/* of the first alone */
	KB_EDIT_INSERT,		/* of the second alone */
};

struct kb_diff {
	enum kb_edit *items;	/* in order; owned */
	size_t count;
	size_t changed;		/* how many are no KEEP */
};

/*
 * False, and an empty diff, if they differ in more than KB_DIFF_MAX lines:
 * what is that different is better read twice. Release in any case.
 */
#define KB_DIFF_MAX 2000
bool kb_diff_lines(struct kb_diff *out, const struct kb_text_lines *a,
		   const struct kb_text_lines *b);
void kb_diff_release(struct kb_diff *d);

#endif
