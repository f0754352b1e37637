#include "tables/remeasure_table.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "score/remeasure.h"
#include "score/speedup.h"
#include "sheet/format.h"
#include "tables/table.h"

#define MARGIN_PCT (KB_REMEASURE_MARGIN_PPM / 10000)

/* The largest ratio that a record holds is what stands for one without a bound. */
static void format_bound(char out[KB_FORMAT_SIZE], int64_t micro)
{
	if (micro == KB_SPEEDUP_MICRO_MAX)
		strcpy(out, "inf");
	else
		kb_format_ratio(out, micro);
}

static void print_times(struct kb_buf *out, const struct kb_remeasured *r)
{
	char change[KB_FORMAT_SIZE], bounds[KB_FORMAT_BOUNDS_SIZE];

	if (r->change.micro == KB_UNKNOWN)
		return;
	kb_format_ratio(change, r->change.micro);
	kb_buf_addf(out, ", %s as long as claimed", change);
	if (r->change.low_micro == KB_UNKNOWN)
		return;
	kb_format_bounds(bounds,
			 r->change.low_micro ? r->change.low_micro : KB_UNKNOWN,
			 r->change.high_micro == KB_SPEEDUP_MICRO_MAX ?
				KB_UNKNOWN : r->change.high_micro);
	kb_buf_addf(out, " (%s)", bounds);
}

static void print_change_of_status(struct kb_buf *out,
				   const struct kb_remeasured *r)
{
	kb_buf_addf(out, ", from %s to %s",
		    kb_status_name(r->claimed.status),
		    kb_status_name(r->now.status));
	if (!r->detail)
		return;
	kb_buf_addstr(out, ": ");
	kb_format_text(out, r->detail);
}

void kb_remeasured_print(struct kb_buf *out, const struct kb_remeasured *r)
{
	char key[KB_KEY_SIZE];

	kb_key_format(key, r->key);
	kb_buf_addf(out, "%s sample %d: %s", key, r->sample_id,
		    kb_again_name(r->answer));
	if (r->answer == KB_AGAIN_CHANGED_STATUS)
		print_change_of_status(out, r);
	print_times(out, r);
	if (r->why)
		kb_buf_addf(out, ": %s", r->why);
}

static void print_stacks(struct kb_buf *out, const struct kb_mismatches *m,
			 struct kb_look look)
{
	static const struct kb_column columns[] = {
		{ "field", KB_ALIGN_LEFT },
		{ "evaluation", KB_ALIGN_LEFT },
		{ "here", KB_ALIGN_LEFT },
	};
	kb_auto(table) struct kb_table *t =
		kb_table_new(columns, KB_ARRAY_LEN(columns));

	for (size_t i = 0; i < m->count; i++) {
		const char *const cells[] = {
			m->items[i].field, m->items[i].left, m->items[i].right
		};

		for (size_t k = 0; k < KB_ARRAY_LEN(cells); k++) {
			kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

			kb_format_text(&text, cells[k] ? cells[k] : "absent");
			kb_table_add(t, text.data);
		}
	}
	kb_table_print(out, t, look);
	kb_buf_addch(out, '\n');
}

static void add_ratio(struct kb_table *t, int64_t micro)
{
	char text[KB_FORMAT_SIZE];

	format_bound(text, micro);
	kb_table_add(t, text);
}

static void add_time(struct kb_table *t, const struct kb_bounded_time *b)
{
	char text[KB_FORMAT_SIZE];

	kb_format_time(text, b->time_ns, b->at.low_ns, b->at.high_ns);
	kb_table_add(t, text);
}

/* A note after the numbers; "" for none. */
static void add_note(struct kb_table *t, const struct kb_remeasured *r)
{
	kb_auto(buf) struct kb_buf note = KB_BUF_INIT;

	if (r->why)
		kb_buf_addstr(&note, r->why);
	else if (r->detail)
		kb_format_text(&note, r->detail);
	kb_table_add(t, note.data);
}

static void add_item(struct kb_table *t, const struct kb_remeasured *r)
{
	char key[KB_KEY_SIZE];

	kb_key_format(key, r->key);
	kb_table_add(t, key);
	kb_table_addf(t, "%d", r->sample_id);
	kb_table_add(t, kb_again_name(r->answer));
	kb_table_add(t, r->answer == KB_AGAIN_DIFFERENT_STACK ?
				"-" : kb_status_name(r->now.status));
	add_time(t, &r->claimed.candidate);
	add_time(t, &r->now.candidate);
	add_ratio(t, r->candidate.micro);
	add_ratio(t, r->reference.micro);
	add_ratio(t, r->change.micro);
	add_ratio(t, r->change.low_micro);
	add_ratio(t, r->change.high_micro);
	add_note(t, r);
}

static void print_items(struct kb_buf *out, const struct kb_remeasurement *m,
			struct kb_look look)
{
	static const struct kb_column columns[] = {
		{ "problem", KB_ALIGN_LEFT },
		{ "sample", KB_ALIGN_RIGHT },
		{ "answer", KB_ALIGN_LEFT },
		{ "status", KB_ALIGN_LEFT },
		{ "claimed", KB_ALIGN_RIGHT },
		{ "now", KB_ALIGN_RIGHT },
		{ "candidate", KB_ALIGN_RIGHT },
		{ "reference", KB_ALIGN_RIGHT },
		{ "change", KB_ALIGN_RIGHT },
		{ "low", KB_ALIGN_RIGHT },
		{ "high", KB_ALIGN_RIGHT },
		{ "note", KB_ALIGN_LEFT },
	};
	kb_auto(table) struct kb_table *t =
		kb_table_new(columns, KB_ARRAY_LEN(columns));

	for (size_t i = 0; i < m->count; i++)
		add_item(t, &m->items[i]);
	kb_table_set_keys(t, 4);
	kb_table_print(out, t, look);
	kb_buf_addch(out, '\n');
}

static void print_noted(struct kb_buf *out, const struct kb_mismatches *m)
{
	for (size_t i = 0; i < m->count; i++) {
		kb_buf_addf(out, "%s: ", m->items[i].field);
		kb_format_text(out, m->items[i].left);
		kb_buf_addstr(out, " as claimed, ");
		kb_format_text(out, m->items[i].right);
		kb_buf_addstr(out, " here; no match key has it\n");
	}
	if (m->count)
		kb_buf_addch(out, '\n');
}

static void print_gpus(struct kb_buf *out, const struct kb_gpus_again *g)
{
	if (g->claimed)
		kb_buf_addf(out, "GPUs, by their ids: %zu as claimed, %zu here, "
			    "%zu of them the same\n\n",
			    g->claimed, g->here, g->same);
}

void kb_remeasure_table_print(struct kb_buf *out,
			      const struct kb_remeasurement *m,
			      struct kb_look look)
{
	if (m->why_not)
		return;
	/* First the stacks: of a machine that is another the rest of the table
	 * has nothing to say. */
	if (m->refused.count)
		print_stacks(out, &m->refused, look);
	if (m->allowed.count)
		print_stacks(out, &m->allowed, look);
	print_items(out, m, look);
	kb_buf_addf(out, "candidate, reference: time now / as claimed, by the "
		    "%s clock\nchange: candidate / reference, from low to high "
		    "at 95%%; same: within 1/1.%02d and 1.%02d\n\n",
		    kb_clock_name(m->clock), MARGIN_PCT, MARGIN_PCT);
	print_noted(out, &m->noted);
	print_gpus(out, &m->gpus);
}

void kb_remeasure_summary_print(struct kb_buf *out,
				const struct kb_remeasurement *m)
{
	size_t counts[KB_AGAIN_COUNT];
	const char *before = ":";

	if (m->why_not) {
		kb_buf_addstr(out, "not checked: ");
		kb_format_text(out, m->why_not);
		return;
	}
	kb_remeasurement_count(counts, m);
	kb_buf_addf(out, "%s %zu of %zu correct candidates",
		    counts[KB_AGAIN_SAME] == m->count ? "ok," : "no:",
		    m->count, m->correct_count);
	for (int a = 0; a < KB_AGAIN_COUNT; a++) {
		if (!counts[a])
			continue;
		kb_buf_addf(out, "%s %zu %s", before, counts[a],
			    kb_again_name((enum kb_again)a));
		before = ",";
	}
	if (m->count < m->correct_count)
		kb_buf_addf(out, "; sample seed %" PRId64, m->sample_seed);
	for (size_t i = 0; i < m->allowed.count; i++) {
		kb_buf_addstr(out, i ? ", " : "; allowed to differ: ");
		kb_format_text(out, m->allowed.items[i].field);
	}
}
