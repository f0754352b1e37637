#ifndef KB_AUDIT_WORDS_H
#define KB_AUDIT_WORDS_H

#include "manifest/finding.h"

struct kb_buf;
struct kb_evidence;
struct kb_evidence_view;

/*
 * Append the numbers that a finding rests on, one line for people: "largest
 * change for another input 4.4e-07, range -0.0527 to 0.0492". `v` is the
 * view of e->stated in which it was found.
 */
void kb_audit_say(struct kb_buf *text, enum kb_finding finding,
		  const struct kb_evidence_view *v, const struct kb_evidence *e);

#endif
