#ifndef KB_PAGES_VERDICT_H
#define KB_PAGES_VERDICT_H

#include "verify/checks.h"

struct kb_buf;

/* Print the verdict of each layer in the words of kb-verify, and each check
 * below. */
void kb_verdict_print(struct kb_buf *out, const struct kb_checks *c);

/* The summary of kb-verify, behind "ok: " or "no: ". */
void kb_verdict_line_print(struct kb_buf *out, const struct kb_checks *c);

/* The same in a word or two: "holds", "not checked: chain", "no: bytes". A
 * signature is named only if a key was given that did not sign. */
void kb_verdict_brief_print(struct kb_buf *out, const struct kb_checks *c);

/* The class of an answer in our style: "ok", "open" or "no". */
const char *kb_answer_class(enum kb_answer answer);

#endif
