#include "sheet/notes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "json/json.h"
#include "manifest/baseline.h"
#include "manifest/evaluation.h"
#include "manifest/score.h"
#include "sheet/format.h"
#include "sheet/hardware.h"
#include "sheet/note_texts.h"
#include "sheet/score_sheet.h"

static void print_model(struct kb_buf *out, const struct kb_score *s)
{
	kb_buf_addstr(out, kb_score_model_text(s));
}

static const struct kb_json *environment_of(const struct kb_score_sheet *s)
{
	return s->evaluation ? s->evaluation->conditions.environment : NULL;
}

static void print_hardware(struct kb_buf *out, const struct kb_score_sheet *s)
{
	kb_buf_addstr(out, kb_hardware_name(environment_of(s)));
}

static void print_stack(struct kb_buf *out, const struct kb_score_sheet *s)
{
	kb_stack_print(out, environment_of(s));
}

static void print_preset(struct kb_buf *out, const struct kb_score *s)
{
	kb_buf_addstr(out, kb_json_text_or(s->definition, "preset", "none"));
}

static void print_mode(struct kb_buf *out, const struct kb_score_sheet *s)
{
	kb_buf_addstr(out, s->baseline ? kb_mode_name(s->baseline->mode) :
		      kb_json_text_or(s->score->definition, "baseline_mode",
				      "not recorded"));
}

static void print_sample(struct kb_buf *out, const struct kb_score *s)
{
	const struct kb_json *v = kb_json_find(s->definition, "sample_id");

	if (v && kb_json_type(v) == KB_JSON_INT)
		kb_buf_addf(out, "%" PRId64, kb_json_int_value(v));
	else
		kb_buf_addstr(out, "not recorded");
}

static void print_mismatches(struct kb_buf *out, const struct kb_score *s)
{
	for (size_t i = 0; i < s->allowed.count; i++)
		kb_buf_addf(out, "%s%s", i ? ", " : "",
			    s->allowed.items[i].field);
	if (!s->allowed.count)
		kb_buf_addstr(out, "none");
}

static const char *or_absent(const char *text)
{
	return text ? text : "(absent)";
}

static void print_allowed(struct kb_buf *out, const struct kb_score *s)
{
	if (!s->allowed.count)
		kb_buf_addstr(out, "none");
	for (size_t i = 0; i < s->allowed.count; i++) {
		const struct kb_mismatch *m = &s->allowed.items[i];

		kb_buf_addf(out, "%s%s: evaluation '%s', baseline '%s'",
			    i ? "; " : "ALLOWED ", m->field,
			    or_absent(m->left), or_absent(m->right));
	}
}

static void print_id(struct kb_buf *out, const struct kb_digest *id)
{
	char hex[KB_DIGEST_HEX_SIZE];

	kb_digest_format(id, hex);
	kb_buf_addstr(out, hex);
}

static void print_score(struct kb_buf *out, const struct kb_score_sheet *s)
{
	if (s->id)
		print_id(out, s->id);
}

static void print_evaluation(struct kb_buf *out, const struct kb_score *s)
{
	print_id(out, &s->evaluation);
}

static void print_baseline(struct kb_buf *out, const struct kb_score *s)
{
	print_id(out, &s->baseline);
}

enum weight {
	WEIGHT_FACT,			/* worth a line */
	WEIGHT_IF_UNUSUAL,		/* worth one if it is not the usual */
	WEIGHT_WARNING,		/* worth more than the numbers */
};

#define WARNING(print) { "warning", .of_score = (print),		\
			 .weight = WEIGHT_WARNING }

/* Every note that there is. Who adds a warning adds it here, and all forms
 * print it. */
static const struct {
	const char *name;
	kb_note_text *of_score;		/* or of the sheet */
	void (*of_sheet)(struct kb_buf *out, const struct kb_score_sheet *s);
	enum weight weight;
	const char *usual;		/* of one that is worth a line if it is
					   something else */
	bool is_id;
} notes[KB_NOTE_COUNT] = {
	[KB_NOTE_MODEL] = { "model", .of_score = print_model },
	[KB_NOTE_HARDWARE] = { "hardware", .of_sheet = print_hardware },
	[KB_NOTE_STACK] = { "stack", .of_sheet = print_stack },
	[KB_NOTE_PRESET] = { "preset", .of_score = print_preset },
	[KB_NOTE_MODE] = { "baseline_mode", .of_sheet = print_mode },
	[KB_NOTE_CLOCK] = { "clock", .of_score = kb_clock_print },
	[KB_NOTE_BY_CALL_CLOCK] = { "by_call_clock",
				    .of_score = kb_by_call_clock_print },
	[KB_NOTE_SAMPLE] = { "sample_id", .of_score = print_sample },
	[KB_NOTE_SELECTED] = { "selected", .of_score = kb_selected_print },
	[KB_NOTE_SOUND] = { "sound", .of_score = kb_sound_print },
	[KB_NOTE_TOLERANCE] = { "tolerance", .of_score = kb_tolerance_print },
	[KB_NOTE_SANDBOX] = { "sandbox", .of_score = kb_sandbox_print,
			      .weight = WEIGHT_IF_UNUSUAL,
			      .usual = KB_SANDBOX_USUAL },
	[KB_NOTE_DRIFT] = { "drift", .of_score = kb_drift_print },
	[KB_NOTE_MISMATCHES] = { "allowed_mismatches",
				 .of_score = print_mismatches },
	[KB_NOTE_SCORE] = { "score", .of_sheet = print_score, .is_id = true },
	[KB_NOTE_EVALUATION] = { "evaluation", .of_score = print_evaluation,
				 .is_id = true },
	[KB_NOTE_BASELINE] = { "baseline", .of_score = print_baseline,
			       .is_id = true },
	[KB_NOTE_CLOCKS] = { "clock", .of_score = kb_clocks_print },
	[KB_NOTE_ALLOWED] = { "mismatches", .of_score = print_allowed },
	[KB_NOTE_SEEDS] = { "seeds", .of_score = kb_seeds_note_print },
	[KB_NOTE_NOISE] = { "noise", .of_score = kb_noise_print },
	[KB_NOTE_DRIFTED] = WARNING(kb_drifted_print),
	[KB_NOTE_NOISY] = WARNING(kb_noisy_print),
	[KB_NOTE_FEW_SEEDS] = WARNING(kb_few_seeds_print),
	[KB_NOTE_IN_PLACE] = WARNING(kb_in_place_print),
	[KB_NOTE_ATTEMPTS] = WARNING(kb_attempts_print),
};

const char *kb_note_name(enum kb_note note)
{
	return notes[note].name;
}

void kb_note_title(struct kb_buf *out, enum kb_note note)
{
	for (const char *p = notes[note].name; *p; p++)
		kb_buf_addch(out, *p == '_' ? ' ' : *p);
}

bool kb_note_is_id(enum kb_note note)
{
	return notes[note].is_id;
}

bool kb_note_print(struct kb_buf *out, const struct kb_score_sheet *s,
		   enum kb_note note)
{
	const char *usual = notes[note].usual;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	if (notes[note].of_score)
		notes[note].of_score(&text, s->score);
	else
		notes[note].of_sheet(&text, s);
	kb_format_text(out, text.data);
	return text.len && (!usual || strcmp(text.data, usual));
}

/* --- warnings ----------------------------------------------------------- */

void kb_warnings_of(struct kb_warnings *out, const struct kb_score *s)
{
	const struct kb_score_sheet sheet = { .score = s };

	*out = (struct kb_warnings){ .count = 0 };
	for (int i = 0; i < KB_NOTE_COUNT; i++) {
		kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

		if (notes[i].weight == WEIGHT_WARNING &&
		    kb_note_print(&text, &sheet, (enum kb_note)i))
			out->texts[out->count++] = kb_buf_detach(&text);
	}
}

void kb_warnings_release(struct kb_warnings *w)
{
	for (size_t i = 0; i < w->count; i++)
		free(w->texts[i]);
	w->count = 0;
}

void kb_warnings_print(struct kb_buf *out, const struct kb_score *s,
		       const char *before, const char *after)
{
	kb_auto(warnings) struct kb_warnings w = { .count = 0 };

	kb_warnings_of(&w, s);
	for (size_t i = 0; i < w.count; i++)
		kb_buf_addf(out, "%s%s%s", before, w.texts[i], after);
}

void kb_warnings_join(struct kb_buf *out, const struct kb_score *s)
{
	kb_auto(warnings) struct kb_warnings w = { .count = 0 };

	kb_warnings_of(&w, s);
	for (size_t i = 0; i < w.count; i++)
		kb_buf_addf(out, "%s%s", i ? "; " : "", w.texts[i]);
}
