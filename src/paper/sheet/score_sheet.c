#include "sheet/score_sheet.h"

#include <inttypes.h>

#include "base/buf.h"
#include "base/numbers.h"
#include "manifest/score.h"

size_t kb_sheet_overall_row(const struct kb_score_sheet *s)
{
	return s->score->level_count;
}

size_t kb_sheet_row_count(const struct kb_score_sheet *s)
{
	const bool has_sound = s->score->has_sound &&
		s->score->sound.verdicts == KB_VERDICTS_KNOWN;

	return kb_sheet_overall_row(s) + 1 + has_sound;
}

const struct kb_metrics *kb_sheet_metrics(const struct kb_score_sheet *s,
					  size_t row)
{
	if (row < kb_sheet_overall_row(s))
		return &s->score->levels[row].metrics;
	return row == kb_sheet_overall_row(s) ? &s->score->overall :
						&s->score->sound.metrics;
}

void kb_sheet_row_print(struct kb_buf *out, const struct kb_score_sheet *s,
			size_t row)
{
	if (row < kb_sheet_overall_row(s))
		kb_buf_addf(out, "%d", s->score->levels[row].level);
	else
		kb_buf_addstr(out, row == kb_sheet_overall_row(s) ?
					   "overall" : "sound");
}

/* Columns before fast_p. */
enum { COLUMN_COMPILED, COLUMN_CORRECT, COLUMN_FAST };

int64_t kb_sheet_count(const struct kb_metrics *m, size_t column)
{
	switch (column) {
	case COLUMN_COMPILED:
		return m->compiled;
	case COLUMN_CORRECT:
		return m->correct;
	default:
		return m->fast[kb_sheet_fast_index(column)];
	}
}

bool kb_sheet_column_is_fast(size_t column)
{
	return column >= COLUMN_FAST;
}

size_t kb_sheet_fast_index(size_t column)
{
	return column - COLUMN_FAST;
}

/* Two columns of fast_p fit a page of a paper, beside what is correct. */
bool kb_sheet_column_is_brief(size_t column)
{
	int p_milli;

	if (!kb_sheet_column_is_fast(column))
		return column == COLUMN_CORRECT;
	p_milli = kb_fast_p_milli[kb_sheet_fast_index(column)];
	return p_milli == 1000 || p_milli == 2000;
}

const struct kb_share *kb_sheet_share(const struct kb_metrics *m,
				      size_t column)
{
	if (!m->has_shares)
		return NULL;
	switch (column) {
	case COLUMN_COMPILED:
		return &m->shares.compiled;
	case COLUMN_CORRECT:
		return &m->shares.correct;
	default:
		return &m->shares.fast[kb_sheet_fast_index(column)];
	}
}

void kb_sheet_p_print(struct kb_buf *out, size_t column)
{
	const int p_milli = kb_fast_p_milli[kb_sheet_fast_index(column)];

	kb_buf_addf(out, "%d.%03d", p_milli / 1000, p_milli % 1000);
	while (out->data[out->len - 1] == '0')
		out->data[--out->len] = '\0';
	if (out->data[out->len - 1] == '.')
		out->data[--out->len] = '\0';
}

void kb_sheet_column_print(struct kb_buf *out, size_t column)
{
	switch (column) {
	case COLUMN_COMPILED:
		kb_buf_addstr(out, "compiled");
		return;
	case COLUMN_CORRECT:
		kb_buf_addstr(out, "correct");
		return;
	default:
		kb_buf_addstr(out, "fast_");
		kb_sheet_p_print(out, column);
	}
}

void kb_micro_print(struct kb_buf *out, int64_t micro, int digits)
{
	int64_t unit = 1, scale = 1;

	for (int i = digits; i < 6; i++)
		unit *= 10;
	for (int i = 0; i < digits; i++)
		scale *= 10;
	micro = (micro + unit / 2) / unit;
	kb_buf_addf(out, "%" PRId64 ".%0*" PRId64, micro / scale, digits,
		    micro % scale);
}

void kb_sheet_untimed_print(struct kb_buf *out, const struct kb_metrics *m)
{
	if (kb_metrics_untimed(m))
		kb_buf_addf(out, ", %" PRId64 " untimed",
			    kb_metrics_untimed(m));
}

bool kb_sheet_column_has_certainty(size_t column)
{
	return kb_sheet_column_is_fast(column) &&
	       kb_fast_p_milli[kb_sheet_fast_index(column)];
}

void kb_sheet_certain_print(struct kb_buf *out, const struct kb_metrics *m,
			    size_t column)
{
	const size_t p = kb_sheet_fast_index(column);
	const int64_t certain = m->certainty.certain[p];

	kb_buf_addf(out, "%" PRId64 " to %" PRId64, certain,
		    certain + m->certainty.undecided[p]);
}

static void print_end(struct kb_buf *out, int64_t micro)
{
	if (micro == KB_UNKNOWN)
		kb_buf_addstr(out, "unknown");
	else
		kb_micro_print(out, micro, 3);
}

bool kb_sheet_mean_interval_print(struct kb_buf *out,
				  const struct kb_metrics *m)
{
	const struct kb_certainty *c = &m->certainty;

	if (!m->has_certainty || (c->geomean_low_micro == KB_UNKNOWN &&
				  c->geomean_high_micro == KB_UNKNOWN))
		return false;
	print_end(out, c->geomean_low_micro);
	kb_buf_addstr(out, " to ");
	print_end(out, c->geomean_high_micro);
	return true;
}

bool kb_percent_print(struct kb_buf *out, int64_t part, int64_t whole)
{
	int64_t tenths;

	if (!whole)
		return false;
	tenths = (2 * part * 1000 + whole) / (2 * whole);
	kb_buf_addf(out, "%" PRId64 ".%" PRId64, tenths / 10, tenths % 10);
	return true;
}

void kb_share_print(struct kb_buf *out, int64_t part, int64_t whole,
		    const char *percent)
{
	if (!whole)
		return;
	kb_buf_addstr(out, " (");
	kb_percent_print(out, part, whole);
	kb_buf_addf(out, "%s)", percent);
}

bool kb_sheet_percent_print(struct kb_buf *out, const struct kb_metrics *m,
			    size_t column)
{
	const struct kb_share *s = kb_sheet_share(m, column);

	return s ? kb_percent_print(out, s->ppm, KB_PPM)
		 : kb_percent_print(out, kb_sheet_count(m, column),
				    m->problems);
}

void kb_sheet_share_print(struct kb_buf *out, const struct kb_metrics *m,
			  size_t column, const char *percent)
{
	const struct kb_share *s = kb_sheet_share(m, column);

	if (s)
		kb_share_print(out, s->ppm, KB_PPM, percent);
	else
		kb_share_print(out, kb_sheet_count(m, column), m->problems,
			       percent);
}
