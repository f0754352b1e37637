#ifndef KB_PAGES_VERDICT_H
#define KB_PAGES_VERDICT_H

#include "verify/checks.h"

struct kb_buf;

/* What holds, in layers, as kb-verify says it, and each check below. */
void kb_verdict_print(struct kb_buf *out, const struct kb_checks *c);

/* The same in a word or two: "holds", "not checked: chain", "no: bytes".
 * Layers without a signature's are meant: nobody gave a key. */
void kb_verdict_brief_print(struct kb_buf *out, const struct kb_checks *c);

/* The class of an answer in our style: "ok", "open" or "no". */
const char *kb_answer_class(enum kb_answer answer);

#endif
