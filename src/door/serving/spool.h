#ifndef KB_SERVING_SPOOL_H
#define KB_SERVING_SPOOL_H

#include <stddef.h>
#include <stdint.h>

struct kb_buf;
struct kb_err;

/*
 * Requests and answers as files, for where nodes share a file system and nothing
 * else. In the folder lie
 *
 *	in/NAME.json		a request, which appeared by rename(2)
 *	taken/SERVER/NAME.json	the same, which that server has claimed by rename(2)
 *	taken/SERVER/alive	what it writes every few seconds
 *	out/NAME.json		the answer, which appears by link(2), once
 *
 * NAME is up to 100 letters, digits, '.', '_' and '-', and does not begin with
 * '.'. When the `alive` of a server has not changed for the lease, by our own clock, its
 * claims go back to in/. A server that was merely stopped
 * may then answer late: the first answer is the answer. A NAME may come again, and
 * waits until its answer is taken away.
 *
 * Nothing that lies there is trusted: links are not followed, and what is not a
 * file of at most KB_REQUEST_LINE_BYTES_MAX is answered with an error.
 */
#define KB_SPOOL_NAME_BYTES_MAX 100

struct kb_spool_peer;

struct kb_spool {
	char *path, *server;
	int in_fd, out_fd, taken_fd, own_fd;
	int64_t beaten_ns, looked_ns;	/* when */
	int64_t alive_ns;		/* when a beat was written */
	int64_t lease_ns;		/* of others; we beat in a sixth of it */
	uint64_t beats;
	struct kb_spool_peer *peers;	/* other servers, as last seen */
	size_t peer_count;
};

#define KB_SPOOL_INIT { .in_fd = -1, .out_fd = -1, .taken_fd = -1, .own_fd = -1 }

/* The folder is made if it is not there. Fails with KB_ERR_SYS. */
int kb_spool_open(struct kb_spool *s, const char *path, int64_t lease_ns,
		  struct kb_err *err);

/* Claims go back, so that others have them at once. */
void kb_spool_close(struct kb_spool *s);

/* To be called again and again: say that we are alive, and see to claims of who is
 * not. A folder that was removed is made again. Fails with any kind if nothing could be
 * written for the lease, so that others take us for dead. */
int kb_spool_beat(struct kb_spool *s, struct kb_err *err);

/*
 * Claim a request. Returns 1, with the claim, which the caller frees, and its bytes;
 * 0 if there is none; -1 with the claim and, in `text`, why it is no request.
 */
int kb_spool_take(struct kb_spool *s, char **claim, struct kb_buf *text);

/* Answer it, unless it is another server's now, and give up the claim. A failure is no
 * one's but the file system's, and leaves the claim: KB_ERR_SYS. */
int kb_spool_answer(struct kb_spool *s, const char *claim, const void *text,
		    size_t len, struct kb_err *err);

#endif
