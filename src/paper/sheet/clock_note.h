#ifndef KB_SHEET_CLOCK_NOTE_H
#define KB_SHEET_CLOCK_NOTE_H

#include <stdbool.h>

struct kb_buf;
struct kb_score;

/* By the device's clock, problems and candidates without such a time aside? */
bool kb_score_is_by_device(const struct kb_score *s);

/* What is by the call clock: "all", "none", or, in a score by the device's
 * clock, "2 problems whose reference has no device time, 1 candidate that has
 * none". Of candidates those with a time are counted. */
void kb_by_call_clock_print(struct kb_buf *out, const struct kb_score *s);

/*
 * By which clock a score is, for people: "call", "device", or "device; by the
 * call clock: " and the above.
 */
void kb_clock_note_print(struct kb_buf *out, const struct kb_score *s);

#endif
