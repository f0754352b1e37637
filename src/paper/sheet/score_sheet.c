#include "sheet/score_sheet.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/numbers.h"
#include "manifest/score.h"
#include "score/preset.h"

/* --- parts -------------------------------------------------------------- */

size_t kb_sheet_overall(const struct kb_score_sheet *s)
{
	return s->score->level_count;
}

size_t kb_sheet_part_count(const struct kb_score_sheet *s)
{
	/* Without the suite's verdicts a part of zeros would read as if no
	 * problem were sound. */
	const bool has_sound = s->score->has_sound &&
		s->score->sound.verdicts == KB_VERDICTS_KNOWN;

	return kb_sheet_overall(s) + 1 + has_sound;
}

const struct kb_metrics *kb_sheet_part(const struct kb_score_sheet *s,
				       size_t part)
{
	if (part < kb_sheet_overall(s))
		return &s->score->levels[part].metrics;
	return part == kb_sheet_overall(s) ? &s->score->overall :
					     &s->score->sound.metrics;
}

void kb_sheet_part_print(struct kb_buf *out, const struct kb_score_sheet *s,
			 size_t part)
{
	if (part < kb_sheet_overall(s))
		kb_buf_addf(out, "%d", s->score->levels[part].level);
	else
		kb_buf_addstr(out, part == kb_sheet_overall(s) ? "overall"
							       : "sound");
}

void kb_sheet_part_title(struct kb_buf *out, const struct kb_score_sheet *s,
			 size_t part)
{
	if (part < kb_sheet_overall(s))
		kb_buf_addstr(out, "level ");
	kb_sheet_part_print(out, s, part);
}

/* --- rows --------------------------------------------------------------- */

/* In the order of all tables. */
enum { ROW_PROBLEMS, ROW_MISSING, ROW_COMPILED, ROW_CORRECT, ROW_FAST,
       ROW_GEOMEAN = ROW_FAST + KB_FAST_COUNT, ROW_AT_K };

static enum kb_row_kind kind_of(size_t i)
{
	return i < ROW_COMPILED ? KB_ROW_COUNT : i < ROW_GEOMEAN ?
		KB_ROW_SHARE : i == ROW_GEOMEAN ? KB_ROW_MEAN : KB_ROW_AT_K;
}

static void name_fast(struct kb_sheet_row *row, const struct kb_fast_rows *fast)
{
	char p[KB_FORMAT_SIZE];

	kb_format_milli(p, kb_fast_p_milli[row->i - ROW_FAST]);
	snprintf(row->name, sizeof(row->name), "fast_%s", p);
	if (fast->title)
		snprintf(row->title, sizeof(row->title), "%s", fast->title);
	else
		snprintf(row->title, sizeof(row->title), "%s%s",
			 fast->before_p ? fast->before_p : "fast_", p);
}

static void name_row(struct kb_sheet_row *row, const struct kb_score *s,
		     const struct kb_fast_rows *fast)
{
	static const char *const names[] = {
		[ROW_PROBLEMS] = "problems", [ROW_MISSING] = "missing",
		[ROW_COMPILED] = "compiled", [ROW_CORRECT] = "correct",
		[ROW_GEOMEAN] = "geomean",
	};

	if (row->is_fast) {
		name_fast(row, fast);
		return;
	}
	if (row->kind == KB_ROW_AT_K)
		snprintf(row->name, sizeof(row->name), "pass@%d",
			 s->overall.at_k[row->i - ROW_AT_K].k);
	else
		snprintf(row->name, sizeof(row->name), "%s", names[row->i]);
	memcpy(row->title, row->name, sizeof(row->title));
}

static int p_milli(const struct kb_sheet_row *row)
{
	return row->is_fast ? kb_fast_p_milli[row->i - ROW_FAST] : 0;
}

/* Two of fast_p fit a page of a paper, beside what is correct. */
static bool is_brief(const struct kb_sheet_row *row)
{
	return row->i == ROW_CORRECT || row->kind == KB_ROW_MEAN ||
	       p_milli(row) == 1000 || p_milli(row) == 2000;
}

/* The rows that the preset has, or all rows if it is not known. */
static const struct kb_fast_rows *fast_rows_of(const struct kb_score *s)
{
	struct kb_choice choice = { .preset = KB_PRESET_FIRST };

	(void)kb_preset_read(&choice, s->definition, NULL);
	return &kb_preset_rules(choice.preset)->fast;
}

static bool is_of_preset(const struct kb_sheet_row *row,
			 const struct kb_fast_rows *fast)
{
	return !row->is_fast || !fast->to_milli ||
	       (p_milli(row) >= fast->from_milli &&
		p_milli(row) <= fast->to_milli);
}

static bool is_chosen(const struct kb_sheet_row *row,
		      const struct kb_score *s, enum kb_row_choice which)
{
	switch (which) {
	case KB_ROWS_TABLE:
		return row->kind != KB_ROW_AT_K;
	case KB_ROWS_INTERVALS:
		return s->overall.has_certainty && row->has_interval;
	case KB_ROWS_BRIEF:
		return is_brief(row);
	case KB_ROWS_BRIEF_INTERVALS:
		return s->overall.has_certainty && row->has_interval &&
		       is_brief(row);
	default:
		return row->i != ROW_MISSING;
	}
}

struct kb_sheet_rows kb_sheet_rows(const struct kb_score_sheet *s,
				   enum kb_row_choice which)
{
	const size_t count = ROW_AT_K + s->score->overall.at_k_count;
	const struct kb_fast_rows *fast = fast_rows_of(s->score);
	struct kb_sheet_rows rows = { .count = 0 };

	for (size_t i = 0; i < count && rows.count < KB_SHEET_ROWS_MAX; i++) {
		struct kb_sheet_row *row = &rows.items[rows.count];

		*row = (struct kb_sheet_row){
			.i = i, .kind = kind_of(i),
			.is_fast = i >= ROW_FAST && i < ROW_GEOMEAN,
			.is_interval = which == KB_ROWS_INTERVALS ||
				       which == KB_ROWS_BRIEF_INTERVALS,
			.is_share_alone = which == KB_ROWS_BRIEF,
		};
		/* Everybody with a time is faster than 0. */
		row->has_interval = i == ROW_GEOMEAN || p_milli(row);
		name_row(row, s->score, fast);
		rows.count += is_of_preset(row, fast) &&
			      is_chosen(row, s->score, which);
	}
	return rows;
}

/* --- cells -------------------------------------------------------------- */

static int64_t count_of(const struct kb_metrics *m, size_t i)
{
	switch (i) {
	case ROW_PROBLEMS:
		return m->problems;
	case ROW_MISSING:
		return m->status_counts[KB_STATUS_MISSING];
	case ROW_COMPILED:
		return m->compiled;
	case ROW_CORRECT:
		return m->correct;
	default:
		return m->fast[i - ROW_FAST];
	}
}

static const struct kb_share *share_of(const struct kb_metrics *m, size_t i)
{
	return i == ROW_COMPILED ? &m->shares.compiled :
	       i == ROW_CORRECT ? &m->shares.correct :
				  &m->shares.fast[i - ROW_FAST];
}

/* A share of all problems, unless the score's definition has another share. */
static struct kb_sheet_cell share_cell(const struct kb_metrics *m,
				       const struct kb_sheet_row *row)
{
	struct kb_sheet_cell c = { .value = count_of(m, row->i) };

	c.part = c.value;
	c.whole = m->problems;
	if (m->has_shares) {
		c.share = share_of(m, row->i);
		c.part = c.share->ppm;
		c.whole = KB_PPM;
	}
	c.has_interval = m->has_certainty && row->is_fast;
	if (c.has_interval) {
		c.low = m->certainty.certain[row->i - ROW_FAST];
		c.high = c.low + m->certainty.undecided[row->i - ROW_FAST];
	}
	return c;
}

static struct kb_sheet_cell mean_cell(const struct kb_metrics *m)
{
	return (struct kb_sheet_cell){
		.value = m->geomean_speedup_micro,
		.untimed = kb_metrics_untimed(m),
		.has_interval = m->has_certainty &&
			(m->certainty.geomean_low_micro != KB_UNKNOWN ||
			 m->certainty.geomean_high_micro != KB_UNKNOWN),
		.low = m->certainty.geomean_low_micro,
		.high = m->certainty.geomean_high_micro,
	};
}

/* The least number of samples of a problem decides up to which k. So a level
 * has each that is there of all problems, but if it has no samples at all. */
static struct kb_sheet_cell at_k_cell(const struct kb_metrics *m, size_t k)
{
	struct kb_sheet_cell c = { .value = KB_UNKNOWN };

	if (k < m->at_k_count) {
		c.share = &m->at_k[k].pass;
		c.value = c.part = c.share->ppm;
		c.whole = KB_PPM;
	}
	return c;
}

struct kb_sheet_cell kb_sheet_cell(const struct kb_score_sheet *s, size_t part,
				   const struct kb_sheet_row *row)
{
	const struct kb_metrics *m = kb_sheet_part(s, part);

	switch (row->kind) {
	case KB_ROW_COUNT:
		return (struct kb_sheet_cell){ .value = count_of(m, row->i) };
	case KB_ROW_SHARE:
		return share_cell(m, row);
	case KB_ROW_MEAN:
		return mean_cell(m);
	default:
		return at_k_cell(m, row->i - ROW_AT_K);
	}
}

/* --- cells as texts ----------------------------------------------------- */

static void print_micro(struct kb_buf *out, int64_t micro, const char *unknown,
			const char *unit)
{
	char text[KB_FORMAT_SIZE];

	if (micro == KB_UNKNOWN) {
		kb_buf_addstr(out, unknown);
		return;
	}
	kb_format_micro(text, micro, 3);
	kb_buf_addf(out, "%s%s", text, unit);
}

static void print_interval(struct kb_buf *out, const struct kb_sheet_row *row,
			   const struct kb_sheet_cell *c,
			   const struct kb_cell_style *style)
{
	if (!c->has_interval) {
		kb_buf_addstr(out, style->none);
	} else if (row->kind == KB_ROW_MEAN) {
		print_micro(out, c->low, "unknown", "");
		kb_buf_addstr(out, " to ");
		print_micro(out, c->high, "unknown", "");
	} else {
		kb_buf_addf(out, "%" PRId64 " to %" PRId64, c->low, c->high);
	}
}

static void print_mean(struct kb_buf *out, const struct kb_sheet_cell *c,
		       const struct kb_cell_style *style)
{
	print_micro(out, c->value, style->none, style->times);
	if (c->untimed)
		kb_buf_addf(out, "%s%" PRId64 "%s", style->before_untimed,
			    c->untimed, style->after_untimed);
}

static void print_share(struct kb_buf *out, const struct kb_sheet_cell *c,
			const struct kb_cell_style *style)
{
	char text[KB_FORMAT_SIZE];

	if (!c->whole) {
		kb_buf_addstr(out, style->none);
		return;
	}
	kb_format_percent(text, c->part, c->whole);
	kb_buf_addf(out, "%s%s", text, style->percent);
}

void kb_sheet_cell_print(struct kb_buf *out, const struct kb_score_sheet *s,
			 size_t part, const struct kb_sheet_row *row,
			 const struct kb_cell_style *style)
{
	const struct kb_sheet_cell c = kb_sheet_cell(s, part, row);

	if (row->is_interval) {
		print_interval(out, row, &c, style);
	} else if (row->kind == KB_ROW_MEAN) {
		print_mean(out, &c, style);
	} else if (row->is_share_alone || row->kind == KB_ROW_AT_K) {
		print_share(out, &c, style);
	} else {
		kb_buf_addf(out, "%" PRId64, c.value);
		if (!c.whole)
			return;
		kb_buf_addstr(out, " (");
		print_share(out, &c, style);
		kb_buf_addch(out, ')');
	}
}
