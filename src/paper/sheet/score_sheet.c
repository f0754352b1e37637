#include "sheet/score_sheet.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/numbers.h"
#include "json/json.h"
#include "json/utf8.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/score.h"
#include "manifest/timing.h"
#include "sheet/clock_note.h"
#include "sheet/hardware.h"
#include "sheet/sandbox_note.h"
#include "sheet/stated_note.h"

static const char *const note_names[] = {
	[KB_NOTE_MODEL] = "model",
	[KB_NOTE_HARDWARE] = "hardware",
	[KB_NOTE_STACK] = "stack",
	[KB_NOTE_PRESET] = "preset",
	[KB_NOTE_MODE] = "baseline_mode",
	[KB_NOTE_CLOCK] = "clock",
	[KB_NOTE_BY_CALL_CLOCK] = "by_call_clock",
	[KB_NOTE_SAMPLE] = "sample_id",
	[KB_NOTE_SELECTED] = "selected",
	[KB_NOTE_SOUND] = "sound",
	[KB_NOTE_TOLERANCE] = "tolerance",
	[KB_NOTE_SANDBOX] = "sandbox",
	[KB_NOTE_DRIFT] = "drift",
	[KB_NOTE_MISMATCHES] = "allowed_mismatches",
	[KB_NOTE_SCORE] = "score",
	[KB_NOTE_EVALUATION] = "evaluation",
	[KB_NOTE_BASELINE] = "baseline",
};

const char *kb_sheet_note_name(enum kb_sheet_note note)
{
	return note_names[note];
}

void kb_sheet_note_title(struct kb_buf *out, enum kb_sheet_note note)
{
	for (const char *p = note_names[note]; *p; p++)
		kb_buf_addch(out, *p == '_' ? ' ' : *p);
}

bool kb_sheet_note_is_id(enum kb_sheet_note note)
{
	return note == KB_NOTE_SCORE || note == KB_NOTE_EVALUATION ||
	       note == KB_NOTE_BASELINE;
}

static void print_id(struct kb_buf *out, const struct kb_digest *id)
{
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(id, hex);
	kb_buf_addstr(out, hex);
}

/* A flat value of the score's definition. */
static void print_switch(struct kb_buf *out, const struct kb_score *s,
			 const char *key, const char *otherwise)
{
	const struct kb_json *v = kb_json_find(s->definition, key);

	if (v && kb_json_type(v) == KB_JSON_STRING)
		kb_buf_addstr(out, kb_json_string_value(v));
	else if (v && kb_json_type(v) == KB_JSON_INT)
		kb_buf_addf(out, "%" PRId64, kb_json_int_value(v));
	else
		kb_buf_addstr(out, otherwise);
}

static void print_mismatches(struct kb_buf *out, const struct kb_score *s)
{
	for (size_t i = 0; i < s->allowed.count; i++)
		kb_buf_addf(out, "%s%s", i ? ", " : "",
			    s->allowed.items[i].field);
	if (!s->allowed.count)
		kb_buf_addstr(out, "none");
}

static void print_note(struct kb_buf *out, const struct kb_score_sheet *s,
		       enum kb_sheet_note note)
{
	const struct kb_json *environment =
		s->evaluation->conditions.environment;

	switch (note) {
	case KB_NOTE_MODEL:
		kb_buf_addstr(out, kb_score_model_text(s->score));
		return;
	case KB_NOTE_HARDWARE:
		kb_buf_addstr(out, kb_hardware_name(environment));
		return;
	case KB_NOTE_STACK:
		kb_stack_print(out, environment);
		return;
	case KB_NOTE_PRESET:
		print_switch(out, s->score, "preset", "none");
		return;
	case KB_NOTE_MODE:
		kb_buf_addstr(out, kb_mode_name(s->baseline->mode));
		return;
	case KB_NOTE_CLOCK:
		print_switch(out, s->score, "clock",
			     kb_clock_name(KB_CLOCK_CALL));
		return;
	case KB_NOTE_BY_CALL_CLOCK:
		kb_by_call_clock_print(out, s->score);
		return;
	case KB_NOTE_SAMPLE:
		print_switch(out, s->score, "sample_id", "not recorded");
		return;
	case KB_NOTE_SELECTED:
		kb_selected_print(out, s->score);
		return;
	case KB_NOTE_SOUND:
		kb_sound_print(out, s->score);
		return;
	case KB_NOTE_TOLERANCE:
		kb_tolerance_print(out, s->score);
		return;
	case KB_NOTE_SANDBOX:
		kb_sandbox_note_print(out, s->score);
		return;
	case KB_NOTE_DRIFT:
		kb_drift_note_print(out, s->score);
		return;
	case KB_NOTE_MISMATCHES:
		print_mismatches(out, s->score);
		return;
	case KB_NOTE_SCORE:
		print_id(out, s->id);
		return;
	case KB_NOTE_EVALUATION:
		print_id(out, &s->score->evaluation);
		return;
	default:
		print_id(out, &s->score->baseline);
	}
}

/* A cell is one line in every format that a sheet is printed in. */
void kb_sheet_text_print(struct kb_buf *out, const char *text)
{
	kb_utf8_clean_line(out, text, strlen(text));
}

void kb_sheet_note_print(struct kb_buf *out, const struct kb_score_sheet *s,
			 enum kb_sheet_note note)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	print_note(&text, s, note);
	kb_sheet_text_print(out, text.data);
}

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
