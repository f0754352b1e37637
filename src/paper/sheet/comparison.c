#include "sheet/comparison.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "sheet/notes.h"
#include "sheet/score_sheet.h"

#define ID_DIGITS 8	/* of a score, in a label */

/* The caller frees. */
static char *make_label(const struct kb_comparison *c, size_t row,
			bool with_id)
{
	kb_auto(buf) struct kb_buf label = KB_BUF_INIT, id = KB_BUF_INIT;
	const char *separator = " (";

	kb_note_print(&label, &c->sheets[row], KB_NOTE_MODEL);
	for (size_t i = 0; i < c->aspects.count; i++) {
		const struct kb_aspect *a = &c->aspects.items[i];

		if (!a->label_prefix || !kb_aspect_differs(&c->aspects, a))
			continue;
		kb_buf_addf(&label, "%s%s%s", separator, a->label_prefix,
			    a->texts[row]);
		separator = ", ";
	}
	if (with_id) {
		kb_note_print(&id, &c->sheets[row], KB_NOTE_SCORE);
		kb_buf_addf(&label, "%sscore %.*s", separator, ID_DIGITS,
			    id.data);
		separator = ", ";
	}
	if (*separator == ',')
		kb_buf_addch(&label, ')');
	return kb_buf_detach(&label);
}

static bool has_twin(const struct kb_comparison *c, char *const labels[],
		     size_t row)
{
	for (size_t i = 0; i < c->count; i++)
		if (i != row && !strcmp(labels[i], labels[row]))
			return true;
	return false;
}

static void add_labels(struct kb_comparison *c)
{
	kb_auto(mem) char **labels = kb_xcalloc(c->count, sizeof(*labels));

	c->labels = kb_xcalloc(c->count, sizeof(*c->labels));
	for (size_t row = 0; row < c->count; row++)
		labels[row] = make_label(c, row, false);
	for (size_t row = 0; row < c->count; row++)
		c->labels[row] = make_label(c, row, has_twin(c, labels, row));
	for (size_t row = 0; row < c->count; row++)
		free(labels[row]);
}

/* The title for the rows that have the same aspect as `row`, the first of them.
 * The caller frees. */
static char *note_title(const struct kb_comparison *c,
			const struct kb_aspect *a, size_t row)
{
	kb_auto(buf) struct kb_buf title = KB_BUF_INIT;
	const char *separator = " (";

	kb_buf_addstr(&title, a->title);
	if (!kb_aspect_differs(&c->aspects, a))
		return kb_buf_detach(&title);
	for (size_t i = row; i < c->count; i++) {
		if (strcmp(a->texts[i], a->texts[row]))
			continue;
		kb_buf_addf(&title, "%s%zu", separator, i + 1);
		separator = ", ";
	}
	kb_buf_addch(&title, ')');
	return kb_buf_detach(&title);
}

static bool is_said_before(const struct kb_aspect *a, size_t row)
{
	for (size_t i = 0; i < row; i++)
		if (!strcmp(a->texts[i], a->texts[row]))
			return true;
	return false;
}

static void add_notes_of(struct kb_comparison *c, const struct kb_aspect *a)
{
	for (size_t row = 0; row < c->count; row++) {
		if ((a->is_warning && !*a->texts[row]) ||
		    is_said_before(a, row))
			continue;
		c->notes = kb_grow(c->notes, c->note_count, &c->note_capacity,
				   sizeof(*c->notes));
		c->notes[c->note_count++] = (struct kb_comparison_note){
			.title = note_title(c, a, row),
			.text = a->texts[row], .is_id = a->is_id,
		};
	}
}

void kb_comparison_init(struct kb_comparison *c,
			const struct kb_score_sheet *sheets, size_t count)
{
	*c = (struct kb_comparison){ .sheets = sheets, .count = count };
	kb_aspects_find(&c->aspects, sheets, count);
	add_labels(c);
	for (size_t i = 0; i < c->aspects.count; i++)
		if (c->aspects.items[i].is_note)
			add_notes_of(c, &c->aspects.items[i]);
}

void kb_comparison_release(struct kb_comparison *c)
{
	for (size_t row = 0; c->labels && row < c->count; row++)
		free(c->labels[row]);
	for (size_t i = 0; i < c->note_count; i++)
		free(c->notes[i].title);
	free(c->labels);
	free(c->notes);
	kb_aspects_release(&c->aspects);
	*c = (struct kb_comparison)KB_COMPARISON_INIT;
}
