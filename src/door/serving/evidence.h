#ifndef KB_SERVING_EVIDENCE_H
#define KB_SERVING_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/runtime.h"

struct kb_err;
struct kb_json;
struct kb_result;
struct kb_session;

/*
 * The answers of kb-serve, from which others can derive them again: lines of a
 * journal, on the disk before anybody is told, which become a submission and
 * its evaluation, one pair for each policy that was asked for. There the
 * samples of a problem are numbered in the order of their verdicts.
 *
 * The journal is the session's, and has everything that the bundles are made of:
 * of a server that was killed, the next one in this store makes them.
 */

/* Begin one for a session that has its conditions. `reward` is NULL, or what is in
 * the record. Fails as kb_journal_open(). */
int kb_evidence_begin(struct kb_session *s, const char *reward,
		      struct kb_err *err);

/* A verdict, which is to be answered when the journal is synced. */
int kb_evidence_add(struct kb_session *s, const struct kb_result *r,
		    enum kb_runtime runtime, const char *code, bool is_quick,
		    struct kb_err *err);

/* A request that has none of its own: `why` is "memory", "deadline", "withdrawn" or
 * "lost". */
int kb_evidence_note(struct kb_session *s, const char *why, bool is_quick,
		     struct kb_err *err);

/* To be called again and again: others see by the journal's time that its server is
 * there. `touched_ns` is 0 at first. */
void kb_evidence_touch(const struct kb_session *s, int64_t *touched_ns);

/* Write the bundles, say which they are, and drop the journal. Nothing if nothing was
 * answered. */
int kb_evidence_close(struct kb_session *s, struct kb_err *err);

/* The same with journals of servers that are gone. */
int kb_evidence_recover(struct kb_session *s, struct kb_err *err);

#endif
