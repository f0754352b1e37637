#ifndef KB_SHEET_STATED_NOTE_H
#define KB_SHEET_STATED_NOTE_H

#include <stdbool.h>

struct kb_buf;
struct kb_score;
struct kb_spread;

/*
 * In words what a score states of itself, appended, for every table that is
 * made of it. Names are as records have them, and not cleaned.
 */

/* "13 of the suite's 19 problems; left out: 1/12, 1/14" and so on, and whether
 * the suite is derived from another by sizes. */
void kb_selected_print(struct kb_buf *out, const struct kb_score *s);

/* "kernelbench: atol 0.0001 and rtol 0.0001, ..." */
void kb_tolerance_print(struct kb_buf *out, const struct kb_score *s);

/* "1.005x median, 0.990x to 1.020x; references: 2", or "unknown: <none>". */
void kb_spread_print(struct kb_buf *out, const struct kb_spread *spread,
		     const char *none);

/* That of the baseline's drift, without and with a warning before it. */
void kb_drift_print(struct kb_buf *out, const struct kb_score *s);
void kb_drift_note_print(struct kb_buf *out, const struct kb_score *s);

/* "the baseline has drifted by more than 3.0%" */
void kb_drift_warning_print(struct kb_buf *out, const struct kb_score *s);

/* It is of sound problems alone, by its definition. */
bool kb_score_is_of_sound(const struct kb_score *s);

/* "17 of 19 problems by the suite's audit; unsound 2, not audited 0"; or, of
 * such a score, "these alone: 17 of 19 problems by the suite's audit; left
 * out: unsound 2, not audited 0". */
void kb_sound_print(struct kb_buf *out, const struct kb_score *s);

#endif
