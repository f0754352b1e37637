#ifndef KB_SHEET_NOISY_NOTE_H
#define KB_SHEET_NOISY_NOTE_H

struct kb_buf;
struct kb_score;

/* Where most speedups of a score are known to no better than a factor of two, a
 * sentence that they rank nobody, and what to do about it; else nothing. */
void kb_noisy_note_print(struct kb_buf *out, const struct kb_score *s);

#endif
