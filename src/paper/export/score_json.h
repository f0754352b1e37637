#ifndef KB_EXPORT_SCORE_JSON_H
#define KB_EXPORT_SCORE_JSON_H

struct kb_buf;
struct kb_score_sheet;

/*
 * A score as plain JSON, for whoever does not want to read our records: the
 * notes of sheet/score_sheet.h, the definition, a row a level and one for
 * all, and every candidate. Shares, speedups and times, these in
 * milliseconds, are fractions; what is not known is null.
 */
void kb_score_json_print(struct kb_buf *out, const struct kb_score_sheet *s);

#endif
