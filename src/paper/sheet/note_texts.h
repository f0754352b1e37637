#ifndef KB_SHEET_NOTE_TEXTS_H
#define KB_SHEET_NOTE_TEXTS_H

struct kb_buf;
struct kb_score;

/*
 * The words of notes (sheet/notes.h), appended without a line feed. Names are
 * as records have them, and not cleaned.
 */
typedef void kb_note_text(struct kb_buf *out, const struct kb_score *s);

/* "13 of the suite's 19 problems; left out: 1/12, 1/14" and so on, and whether
 * the suite is derived from another. */
kb_note_text kb_selected_print;

/* "17 of 19 problems by the suite's audit; unsound 2, not audited 0"; or, of
 * such a score, "these alone: 17 of 19 problems by the suite's audit; left
 * out: unsound 2, not audited 0". */
kb_note_text kb_sound_print;

/* "kernelbench: atol 0.0001 and rtol 0.0001, ..." */
kb_note_text kb_tolerance_print;

/* "1.005x median, 0.990x to 1.020x; references: 2", or "unknown: " and why: of
 * the baseline's drift, and of the references' noise, if there are intervals. */
kb_note_text kb_drift_print;
kb_note_text kb_noise_print;

/* "call" or "device"; what is by the call clock nevertheless: "all", "none", or
 * "2 problems whose reference has no device time, 1 candidate that has none",
 * where candidates with a time are counted; and both in one line. */
kb_note_text kb_clock_print;
kb_note_text kb_by_call_clock_print;
kb_note_text kb_clocks_print;

/* "off: nothing confined the candidates" */
#define KB_SANDBOX_USUAL "standard"
kb_note_text kb_sandbox_print;

/* The seeds, if there are several and the preset looks at them. */
kb_note_text kb_seeds_note_print;

/* --- warnings: nothing where there is nothing to warn of ----------------- */

/* "the baseline has drifted by more than 3.0%" */
kb_note_text kb_drifted_print;

/* Most speedups are known to no better than a factor of two. */
kb_note_text kb_noisy_print;

/* The evaluation was under fewer seeds than the preset wants. */
kb_note_text kb_few_seeds_print;

/* The evaluation did something else with candidates that overwrite their inputs
 * than the preset wants, and that matters. */
kb_note_text kb_in_place_print;

/* The evaluation has several attempts at a problem, each made when the verdict on
 * the one before was known. */
kb_note_text kb_attempts_print;

#endif
