#ifndef KB_SERVING_WAITING_H
#define KB_SERVING_WAITING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "manifest/submission.h"
#include "serving/request.h"
#include "serving/verdict.h"
#include "store/bundle.h"

struct kb_client;
struct kb_err;
struct kb_job;
struct kb_serve;

/* Requests of a server from when they came until they are answered. For server.c. */
struct kb_waiting {
	struct kb_serve_request asked;
	struct kb_client *client;	/* NULL: of the spool, or nobody any more */
	char *spooled;			/* the claim there, or NULL; owned */
	struct kb_candidate candidate;
	struct kb_bundle_member member;
	struct kb_bundle bundle;	/* the candidate's file alone */
	struct kb_job *job;		/* the crew's; NULL: none any more */
	int64_t came_ns, attempts;
	struct kb_buf answer;		/* when the evidence is on the disk */
	bool is_done;			/* there is nothing more to say of it */
	bool is_held;			/* a build may yet read its file */
};

/*
 * One that came: it becomes a job, or is answered at once. `client`, or `spooled`,
 * which is given away, is whose it is. Fails with KB_ERR_SYS; what is wrong with
 * the request is its answer.
 */
int kb_waiting_take(struct kb_serve *s, struct kb_client *client, char *spooled,
		    const char *text, size_t len, struct kb_err *err);

/* How many there are without an answer; and of those that have one, how many are
 * held for builds. */
size_t kb_waiting_count(const struct kb_serve *s);
size_t kb_waiting_count_held(const struct kb_serve *s);

/* Sync the evidence, and send the answers that rest on it. */
int kb_waiting_send(struct kb_serve *s, struct kb_err *err);

/* Nobody waits for it: it is dropped unless a lane has it. `why` is as
 * kb_evidence_note() has it. */
int kb_waiting_withdraw(struct kb_serve *s, struct kb_waiting *r, const char *why,
			struct kb_err *err);

/* An answer without a verdict. */
int kb_waiting_refuse(struct kb_serve *s, struct kb_waiting *r, const char *why,
		      struct kb_err *err);

/* Refuse a request, or all, past their deadline. */
int kb_waiting_end_if_late(struct kb_serve *s, struct kb_waiting *r,
			   struct kb_err *err);
int kb_waiting_end_late(struct kb_serve *s, struct kb_err *err);

/* Drop answered requests. */
void kb_waiting_forget(struct kb_serve *s);
void kb_waiting_release(struct kb_serve *s);

/* The builds of one that has a job, which is there to be done then. */
void kb_waiting_add_builds(struct kb_serve *s, struct kb_waiting *r);

/* Is there somebody to answer? */
bool kb_waiting_is_wanted(const struct kb_waiting *r);

/* The part of the answer that belongs to the request. */
struct kb_served_as kb_waiting_as(const struct kb_serve *s,
				  const struct kb_waiting *r);

#endif
