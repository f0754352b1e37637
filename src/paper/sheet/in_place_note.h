#ifndef KB_SHEET_IN_PLACE_NOTE_H
#define KB_SHEET_IN_PLACE_NOTE_H

struct kb_buf;
struct kb_score;

/*
 * What the evaluation did with candidates that overwrite their inputs, where
 * the score's preset wants something else: one phrase, appended, without a
 * newline. Nothing where both agree, where the preset does not mind, or where
 * it wants them accepted and none was refused for that.
 */
void kb_in_place_note_print(struct kb_buf *out, const struct kb_score *s);

#endif
