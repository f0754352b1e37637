#include "sheet/aspects.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/score.h"
#include "score/preset.h"
#include "score/sums.h"
#include "score/times.h"
#include "sheet/format.h"
#include "sheet/notes.h"
#include "sheet/score_sheet.h"

#define LABEL_FIELDS_MAX 2	/* of a match key; more do not fit */

static char *clean_text(const char *text)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;

	kb_format_text(&out, text);
	return kb_buf_detach(&out);
}

/* Takes `title`. The aspect, without texts yet, is borrowed until the next. */
static struct kb_aspect *add_aspect(struct kb_aspects *all, char *title)
{
	struct kb_aspect *a;

	all->items = kb_grow(all->items, all->count, &all->capacity,
			     sizeof(*all->items));
	a = &all->items[all->count++];
	*a = (struct kb_aspect){
		.title = title,
		.texts = kb_xcalloc(all->rows, sizeof(*a->texts)),
	};
	return a;
}

/* An aspect is made first and dropped if it says the same of all rows: whether
 * it does is known from its texts alone. */
static void release_last(struct kb_aspects *all)
{
	struct kb_aspect *a = &all->items[--all->count];

	for (size_t row = 0; row < all->rows; row++)
		free(a->texts[row]);
	free(a->texts);
	free(a->title);
	free(a->label_prefix);
}

bool kb_aspect_differs(const struct kb_aspects *all, const struct kb_aspect *a)
{
	for (size_t row = 1; row < all->rows; row++)
		if (strcmp(a->texts[row], a->texts[0]))
			return true;
	return false;
}

/* --- what a single score's table says ---------------------------------- */

/* Warnings about what the rows seem to say. */
static void add_warnings(struct kb_aspects *all)
{
	struct kb_aspect *a = add_aspect(all, kb_xstrdup("WARNING"));

	a->is_note = a->is_warning = true;
	for (size_t i = 0; i < all->rows; i++) {
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

		kb_warnings_join(&text, all->sheets[i].score);
		a->texts[i] = kb_xstrdup(text.data);
	}
}

/* How many problems the rates are of. */
static void add_problems(struct kb_aspects *all)
{
	struct kb_aspect *a = add_aspect(all, kb_xstrdup("problems"));

	a->is_note = true;
	for (size_t i = 0; i < all->rows; i++) {
		const struct kb_score_sheet *s = &all->sheets[i];
		const size_t last = kb_sheet_overall(s);
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

		for (size_t row = 0; row < last; row++) {
			kb_buf_addf(&text, "%" PRId64 " of level ",
				    kb_sheet_part(s, row)->problems);
			kb_sheet_part_print(&text, s, row);
			kb_buf_addstr(&text, ", ");
		}
		kb_buf_addf(&text, "%" PRId64 " overall",
			    kb_sheet_part(s, last)->problems);
		a->texts[i] = kb_buf_detach(&text);
	}
}

/* A label begins with the model, and a preset is the same in all rows. */
static void add_sheet_notes(struct kb_aspects *all)
{
	static const char *const before[KB_NOTES_EXPORTED] = {
		[KB_NOTE_HARDWARE] = "", [KB_NOTE_MODE] = "",
		[KB_NOTE_CLOCK] = "clock ", [KB_NOTE_SAMPLE] = "sample ",
		[KB_NOTE_MISMATCHES] = "allowed mismatches ",
	};

	for (int i = 0; i < KB_NOTES_EXPORTED; i++) {
		const enum kb_note note = (enum kb_note)i;
		kb_auto(buf) struct kb_buf title = KB_BUF_INIT;
		struct kb_aspect *a;

		if (note == KB_NOTE_MODEL)
			continue;
		kb_note_title(&title, note);
		a = add_aspect(all, kb_buf_detach(&title));
		a->is_note = true;
		a->is_id = kb_note_is_id(note);
		a->label_prefix = kb_xstrdup(before[i]);
		for (size_t row = 0; row < all->rows; row++) {
			kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

			kb_note_print(&text, &all->sheets[row], note);
			a->texts[row] = kb_buf_detach(&text);
		}
	}
}

/* --- what it need not say ----------------------------------------------- */

static size_t count_untimed(const struct kb_score_sheet *s)
{
	kb_auto(mem) struct kb_key *keys = NULL;
	struct kb_choice choice;
	size_t count, untimed = 0;

	if (kb_preset_read(&choice, s->score->definition, NULL) < 0)
		KB_BUG("sheets that were not checked");
	keys = kb_problems_of(&count, choice.preset, s->evaluation,
			      s->baseline);
	for (size_t i = 0; i < count; i++) {
		const struct kb_reference_result *r =
			kb_baseline_find(s->baseline, keys[i]);
		const bool is_judged = !choice.is_of_sound ||
			kb_key_find(s->score->lines, s->score->line_count,
				    sizeof(*s->score->lines), keys[i], NULL);
		const struct kb_timing *times = r ? kb_timing_by(
			kb_problem_clock(choice.clock, r->timing,
					 r->device_timing),
			r->timing, r->device_timing) : NULL;

		untimed += is_judged &&
			   kb_times_median_ns(times) == KB_UNKNOWN;
	}
	return untimed;
}

/* Some presets leave these out of what fast_p is a share of. */
static void add_untimed(struct kb_aspects *all)
{
	struct kb_aspect *a = add_aspect(all, kb_xstrdup("untimed references"));

	a->is_note = a->is_extra = true;
	a->label_prefix = kb_xstrdup("untimed references ");
	for (size_t row = 0; row < all->rows; row++)
		a->texts[row] = kb_xasprintf("%zu",
					     count_untimed(&all->sheets[row]));
	if (!kb_aspect_differs(all, a))
		release_last(all);
}

/* One evaluation may have a score for each. */
static void add_backends(struct kb_aspects *all)
{
	struct kb_aspect *a = add_aspect(all, kb_xstrdup("backend"));

	a->is_note = a->is_extra = true;
	a->label_prefix = kb_xstrdup("in ");
	for (size_t row = 0; row < all->rows; row++) {
		a->texts[row] = clean_text(kb_json_text_or(
			all->sheets[row].score->definition, "backend", "any"));
	}
	if (!kb_aspect_differs(all, a))
		release_last(all);
}

static const struct kb_json *policy_of(const struct kb_score_sheet *s)
{
	return s->evaluation->conditions.policy;
}

static const struct kb_json *match_key_of(const struct kb_score_sheet *s)
{
	return s->score->match_key;
}

/* A string, integer or boolean; "absent" if there is no such member. The caller
 * frees. */
static char *member_text(const struct kb_json *object, const char *key)
{
	const struct kb_json *v = kb_json_find(object, key);

	if (!v)
		return kb_xstrdup("absent");
	if (kb_json_type(v) == KB_JSON_STRING)
		return clean_text(kb_json_string_value(v));
	if (kb_json_type(v) == KB_JSON_INT)
		return kb_xasprintf("%" PRId64, kb_json_int_value(v));
	return kb_xstrdup(kb_json_bool_value(v) ? "true" : "false");
}

/* Objects that every sheet has, flat ones, and which of their members are
 * worth a note. */
struct members {
	const struct kb_json *(*object_of)(const struct kb_score_sheet *s);
	const char *prefix;
	bool (*is_told)(const struct kb_aspects *all,
			const struct kb_aspect *a);
};

static void add_member(struct kb_aspects *all, const struct members *m,
		       const char *key)
{
	kb_auto(mem) char *title = kb_xasprintf("%s%s", m->prefix, key);
	struct kb_aspect *a = add_aspect(all, clean_text(title));

	a->is_note = a->is_extra = true;
	for (size_t row = 0; row < all->rows; row++)
		a->texts[row] = member_text(m->object_of(&all->sheets[row]),
					    key);
	if (!m->is_told(all, a))
		release_last(all);
}

static bool is_in_earlier_row(const struct kb_aspects *all,
			      const struct members *m, size_t row,
			      const char *key)
{
	for (size_t i = 0; i < row; i++)
		if (kb_json_find(m->object_of(&all->sheets[i]), key))
			return true;
	return false;
}

static void add_members(struct kb_aspects *all, const struct members *m)
{
	for (size_t row = 0; row < all->rows; row++) {
		const struct kb_json *object = m->object_of(&all->sheets[row]);

		for (const struct kb_json *v = kb_json_first(object); v;
		     v = kb_json_next(v))
			if (!is_in_earlier_row(all, m, row, kb_json_key(v)))
				add_member(all, m, kb_json_key(v));
	}
}

/* Under another tolerance or other seeds "correct" is another word. */
static void add_policies(struct kb_aspects *all)
{
	static const struct members policy = {
		policy_of, "policy.", kb_aspect_differs,
	};
	size_t i = all->count;

	add_members(all, &policy);
	for (; i < all->count; i++) {
		struct kb_aspect *a = &all->items[i];

		if (!strcmp(a->title, "policy.tolerance"))
			a->label_prefix = kb_xstrdup("tolerance ");
		else if (!strcmp(a->title, "policy.seeds"))
			a->label_prefix = kb_xstrdup("seeds ");
	}
}

static bool is_same_hardware(const struct kb_aspects *all, size_t row,
			     size_t other)
{
	kb_auto(buf) struct kb_buf a = KB_BUF_INIT, b = KB_BUF_INIT;

	kb_note_print(&a, &all->sheets[row], KB_NOTE_HARDWARE);
	kb_note_print(&b, &all->sheets[other], KB_NOTE_HARDWARE);
	return !strcmp(a.data, b.data);
}

/* Ignore machines with two names, which differ in nearly everything. */
static bool differs_on_one_hardware(const struct kb_aspects *all,
				    const struct kb_aspect *a)
{
	for (size_t row = 0; row < all->rows; row++)
		for (size_t other = 0; other < row; other++)
			if (strcmp(a->texts[row], a->texts[other]) &&
			    is_same_hardware(all, row, other))
				return true;
	return false;
}

static bool is_same_match_key(const struct kb_aspects *all, size_t row,
			      size_t other)
{
	kb_auto(mismatches) struct kb_mismatches m = KB_MISMATCHES_INIT;

	kb_match_key_diff(&m, match_key_of(&all->sheets[row]),
			  match_key_of(&all->sheets[other]));
	return !m.count;
}

/* For labels alone: notes have the fields. Numbers from 1, in the order in
 * which the rows have them. */
static void number_match_keys(struct kb_aspects *all)
{
	struct kb_aspect *a = add_aspect(all, kb_xstrdup("match key"));
	size_t numbers = 0;

	a->label_prefix = kb_xstrdup("match key ");
	for (size_t row = 0; row < all->rows; row++) {
		size_t other = 0;

		while (other < row && !is_same_match_key(all, row, other))
			other++;
		a->texts[row] = other < row
			? kb_xstrdup(a->texts[other])
			: kb_xasprintf("%zu", ++numbers);
	}
}

static void add_match_keys(struct kb_aspects *all)
{
	static const struct members match_key = {
		match_key_of, "", differs_on_one_hardware,
	};
	const size_t first = all->count;

	add_members(all, &match_key);
	if (all->count - first > LABEL_FIELDS_MAX) {
		number_match_keys(all);
		return;
	}
	for (size_t i = first; i < all->count; i++)
		all->items[i].label_prefix = kb_xasprintf("%s ",
						    all->items[i].title);
}

void kb_aspects_find(struct kb_aspects *all,
		     const struct kb_score_sheet *sheets, size_t rows)
{
	*all = (struct kb_aspects){ .sheets = sheets, .rows = rows };
	add_warnings(all);
	add_problems(all);
	add_sheet_notes(all);
	add_backends(all);
	add_untimed(all);
	add_policies(all);
	add_match_keys(all);
}

void kb_aspects_release(struct kb_aspects *all)
{
	while (all->count)
		release_last(all);
	free(all->items);
	*all = (struct kb_aspects)KB_ASPECTS_INIT;
}
