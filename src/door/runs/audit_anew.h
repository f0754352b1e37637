#ifndef KB_RUNS_AUDIT_ANEW_H
#define KB_RUNS_AUDIT_ANEW_H

#include <stdbool.h>

struct kb_err;
struct kb_json;

/*
 * Print audits that were made before, each judged by what its evidence
 * says now, with the evidence in words if that is asked for. `names` are as
 * kb_store_open() takes them; an audit's suite is found in the same store.
 *
 * `verdicts`, unless it is NULL, gets those of all of them, which must be
 * audits of one suite, of problems as they are: see audit/verdicts.h. Where
 * several are of a problem, the last one's is taken. The caller owns it.
 */
int kb_audit_anew(int count, char *const names[], const char *store,
		  bool with_evidence, struct kb_json **verdicts,
		  struct kb_err *err);

#endif
