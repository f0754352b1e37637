#ifndef KB_SCORE_CLOCK_NOTE_H
#define KB_SCORE_CLOCK_NOTE_H

struct kb_buf;
struct kb_score;

/*
 * By which clock a score is, for people: "call", "device", or "device; by the
 * call clock: 2 problems whose reference has no device time, 1 candidate that
 * has none". Of problems and candidates those with a time are counted. "call"
 * as well if the record does not say.
 */
void kb_clock_note_print(struct kb_buf *out, const struct kb_score *s);

#endif
