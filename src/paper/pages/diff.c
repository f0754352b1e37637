#include "pages/diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"

void kb_text_lines_split(struct kb_text_lines *out, const char *text, size_t len)
{
	size_t capacity = 0;

	*out = (struct kb_text_lines){ NULL, 0 };
	while (len) {
		const char *end = memchr(text, '\n', len);
		const size_t line = end ? (size_t)(end - text) : len;
		const size_t taken = line + (end != NULL);

		out->items = kb_grow(out->items, out->count, &capacity,
				     sizeof(*out->items));
		out->items[out->count++] = (struct kb_text_line){ text, line };
		text += taken;
		len -= taken;
	}
}

void kb_text_lines_release(struct kb_text_lines *l)
{
	free(l->items);
	*l = (struct kb_text_lines){ NULL, 0 };
}

void kb_diff_release(struct kb_diff *d)
{
	free(d->items);
	*d = (struct kb_diff){ NULL, 0, 0 };
}

static bool same_line(const struct kb_text_line *a,
		      const struct kb_text_line *b)
{
	return a->len == b->len && !memcmp(a->text, b->text, a->len);
}

/* How far along the first text one gets on each diagonal with so many edits:
 * row d of the triangle holds diagonals -d to d. */
struct trace {
	const struct kb_text_lines *a, *b;
	size_t *reach[KB_DIFF_MAX + 1];
	int edits;
};

static void release_trace(struct trace *t)
{
	for (int d = 0; d <= t->edits && d <= KB_DIFF_MAX; d++)
		free(t->reach[d]);
}

static size_t reach_of(const struct trace *t, int d, int k)
{
	return t->reach[d][k + d];
}

/* Whether the way to diagonal k with d edits ends in an insertion. A diagonal
 * that row d - 1 does not have is not come from. */
static bool is_inserted(const struct trace *t, int d, int k)
{
	return k == -d ||
	       (k != d && reach_of(t, d - 1, k - 1) < reach_of(t, d - 1, k + 1));
}

/* Where one stands after the d-th edit, before lines that are the same. */
static size_t after_edit(const struct trace *t, int d, int k)
{
	if (!d)
		return 0;
	return is_inserted(t, d, k) ? reach_of(t, d - 1, k + 1)
				    : reach_of(t, d - 1, k - 1) + 1;
}

/* Lines that are the same cost no edit, so that the way goes on along its
 * diagonal as long as there are any (a "snake" of Myers's). */
static size_t slide_down(const struct trace *t, size_t x, int k)
{
	while (x < t->a->count && x - (size_t)k < t->b->count &&
	       same_line(&t->a->items[x], &t->b->items[x - (size_t)k]))
		x++;
	return x;
}

/* Both ends are reached on this diagonal. */
static bool is_done(const struct trace *t, size_t x, int k)
{
	return x >= t->a->count && x - (size_t)k >= t->b->count;
}

static bool add_row(struct trace *t, int d)
{
	const int end = (int)t->a->count - (int)t->b->count;
	bool done = false;

	t->reach[d] = kb_xcalloc(2 * (size_t)d + 1, sizeof(**t->reach));
	/* Each edit leads to the next diagonal, so that d of them end on one
	 * that is odd as d is, or even. */
	for (int k = -d; k <= d; k += 2) {
		const size_t x = slide_down(t, after_edit(t, d, k), k);

		t->reach[d][k + d] = x;
		done = done || (k == end && is_done(t, x, k));
	}
	return done;
}

static bool find_edits(struct trace *t)
{
	for (t->edits = 0; t->edits <= KB_DIFF_MAX; t->edits++)
		if (add_row(t, t->edits))
			return true;
	return false;
}

/* Back from the end; what is found last comes first. */
static void walk_back(struct kb_diff *out, const struct trace *t)
{
	int k = (int)t->a->count - (int)t->b->count;
	size_t x = t->a->count;
	/* Kept lines are in both texts and each edit is in one of them, so that
	 * there are (a + b - edits) / 2 of the former. */
	size_t at = (t->a->count + t->b->count + (size_t)t->edits) / 2;

	out->count = at;
	out->changed = (size_t)t->edits;
	out->items = kb_xcalloc(at + 1, sizeof(*out->items));
	for (int d = t->edits; d >= 0; d--) {
		const size_t start = after_edit(t, d, k);
		const bool inserts = d && is_inserted(t, d, k);

		for (; x > start; x--)
			out->items[--at] = KB_EDIT_KEEP;
		if (!d)
			break;
		out->items[--at] = inserts ? KB_EDIT_INSERT : KB_EDIT_DELETE;
		x -= !inserts;
		k += inserts ? 1 : -1;
	}
}

#define LINES_MAX 1000000

bool kb_diff_lines(struct kb_diff *out, const struct kb_text_lines *a,
		   const struct kb_text_lines *b)
{
	kb_auto(mem) struct trace *t = kb_xcalloc(1, sizeof(*t));
	bool found;

	*out = (struct kb_diff){ NULL, 0, 0 };
	/* Positions are added to diagonals, which are int. */
	if (a->count > LINES_MAX || b->count > LINES_MAX)
		return false;
	t->a = a;
	t->b = b;
	found = find_edits(t);
	if (found)
		walk_back(out, t);
	release_trace(t);
	return found;
}
