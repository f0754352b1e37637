#ifndef KB_SHEET_NOTES_H
#define KB_SHEET_NOTES_H

#include <stdbool.h>
#include <stddef.h>

struct kb_buf;
struct kb_score;
struct kb_score_sheet;

/*
 * The conditions that a score's numbers depend on, in words: one list for all
 * forms. A form chooses which facts it has room for. Warnings it prints as they
 * come, and need not know which there are: all of them, in every form.
 */
enum kb_note {
	/* In every table that is exported, in this order. */
	KB_NOTE_MODEL,			/* that wrote the candidates */
	KB_NOTE_HARDWARE,
	KB_NOTE_STACK,
	KB_NOTE_PRESET,			/* by whose definitions */
	KB_NOTE_MODE,			/* how the reference was run */
	KB_NOTE_CLOCK,
	KB_NOTE_BY_CALL_CLOCK,		/* nevertheless */
	KB_NOTE_SAMPLE,
	KB_NOTE_SELECTED,		/* how much of the suite */
	KB_NOTE_SOUND,			/* how many of the problems are */
	KB_NOTE_TOLERANCE,		/* under which correct was found */
	KB_NOTE_SANDBOX,		/* what confined candidates */
	KB_NOTE_DRIFT,			/* of the baseline */
	KB_NOTE_MISMATCHES,		/* fields that were allowed to differ,
					   or "none" */
	KB_NOTE_SCORE,			/* ids of bundles */
	KB_NOTE_EVALUATION,
	KB_NOTE_BASELINE,
	/* For people, who have both clocks in one line, and values of fields
	 * that were allowed to differ. */
	KB_NOTE_CLOCKS,
	KB_NOTE_ALLOWED,
	KB_NOTE_SEEDS,			/* if the preset looks at them */
	KB_NOTE_NOISE,			/* if there are intervals */
	/* Warnings. */
	KB_NOTE_DRIFTED,		/* the baseline is of another time */
	KB_NOTE_NOISY,			/* speedups rank nobody */
	KB_NOTE_FEW_SEEDS,		/* for the preset */
	KB_NOTE_IN_PLACE,		/* the preset wants other verdicts on
					   candidates that overwrite inputs */
	KB_NOTE_ATTEMPTS,		/* one of several, whose verdicts were told */
	KB_NOTE_COUNT,			/* not a note */
};

/* How many stand in every table that is exported: the first ones. */
#define KB_NOTES_EXPORTED (KB_NOTE_BASELINE + 1)

/* "hardware", "baseline_mode"...; and in words, "baseline mode", appended. A
 * warning's is "warning". */
const char *kb_note_name(enum kb_note note);
void kb_note_title(struct kb_buf *out, enum kb_note note);

/* It is the id of a bundle. */
bool kb_note_is_id(enum kb_note note);

/*
 * Append the note, by kb_format_text(). False if a form that is not a table of
 * fixed columns has no line for it: nothing was appended, or what is usual.
 *
 * Without the evaluation hardware and stack are "unknown" and "not recorded".
 */
bool kb_note_print(struct kb_buf *out, const struct kb_score_sheet *s,
		   enum kb_note note);

/* All warnings of a score. */
struct kb_warnings {
	char *texts[KB_NOTE_COUNT];	/* owned */
	size_t count;
};

void kb_warnings_of(struct kb_warnings *out, const struct kb_score *s);
void kb_warnings_release(struct kb_warnings *w);

/* Append "<before><text><after>" for each. */
void kb_warnings_print(struct kb_buf *out, const struct kb_score *s,
		       const char *before, const char *after);

/* Append them as one text, "; " between them; nothing if there are none. */
void kb_warnings_join(struct kb_buf *out, const struct kb_score *s);

/* By the device's clock, problems and candidates without such a time aside? */
bool kb_score_is_by_device(const struct kb_score *s);

static inline void kb_cleanup_warnings(struct kb_warnings *w)
{
	kb_warnings_release(w);
}

#endif
