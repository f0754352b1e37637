#ifndef KB_SHEET_SANDBOX_NOTE_H
#define KB_SHEET_SANDBOX_NOTE_H

struct kb_buf;
struct kb_score;

#define KB_SANDBOX_USUAL "standard"

/*
 * What confined a score's candidates, by its definition: one phrase, appended,
 * without a newline. KB_SANDBOX_USUAL of most; "off" says what that means.
 */
void kb_sandbox_note_print(struct kb_buf *out, const struct kb_score *s);

#endif
