#ifndef KB_ASKING_ASKING_H
#define KB_ASKING_ASKING_H

#include <stddef.h>
#include <stdint.h>

#include "asking/http.h"

struct kb_err;
struct kb_generated;
struct kb_work;

/*
 * Asking a server what is open of a generation, several requests at a time.
 * Every answer is on disk before the next is looked at, so that whatever ends
 * this, what was answered is not asked again.
 *
 * What may pass, a connection that fails, a status of 408, 425, 429 or 500 and
 * more, a reply that is not whole or no JSON, is tried again, after a pause
 * that doubles or is as long as the server asks. What may not pass, or is tried
 * in vain, is taken as a failure of the server's.
 */
#define KB_ASKING_PAUSE_MS_MAX (INT64_C(600) * 1000)
#define KB_ASKING_IN_VAIN_MAX 5	/* failures before any answer: then it ends */

struct kb_asking {
	struct kb_work *work;		/* borrowed */
	struct kb_http *http;		/* borrowed */
	int concurrency;
	int tries;			/* of a request, 1 or more */
	int64_t pause_ms;		/* before the second */
	/* Hears of every answer that was taken, and of what is tried again
	 * (then `line` is NULL). */
	void (*say)(const struct kb_asking *a, const struct kb_generated *line,
		    const char *trouble);
	struct {
		int try;		/* the one that comes, from 2 on */
		int64_t pause_ms;	/* before it */
	} again;			/* what is tried again, for `say` */
	size_t total, done;		/* of the requests that were open */
	int64_t start_ns, output_tokens;
	size_t answered;		/* and were no failures */
};

/* Ask for what the server says of its models, "/v1/models": the caller frees
 * `*out`, which is NULL if it gives no JSON. Fails with KB_ERR_INTERRUPTED. */
int kb_asking_models(char **out, struct kb_asking *a, struct kb_err *err);

/* Until everything is answered. Fails with KB_ERR_INTERRUPTED; with KB_ERR_SYS
 * if the server answers nothing. */
int kb_asking_run(struct kb_asking *a, struct kb_err *err);

#endif
