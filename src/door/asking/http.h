#ifndef KB_ASKING_HTTP_H
#define KB_ASKING_HTTP_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct kb_err;

/*
 * Several requests at a time to one server, by HTTP over TCP or a unix socket.
 *
 * A reply of any server costs bounded memory and time: its body has at most
 * KB_HTTP_BODY_BYTES_MAX, its headers KB_HTTP_HEADER_BYTES_MAX, all of it comes
 * within the time limit. Nothing is unpacked and no redirect is followed.
 * Proxies of the environment are not asked: what is sent goes to the address
 * that was given, and nowhere else.
 */
#define KB_HTTP_BODY_BYTES_MAX ((size_t)16 << 20)
#define KB_HTTP_HEADER_BYTES_MAX ((size_t)256 << 10)

struct kb_http;

struct kb_http_address {
	const char *server;	/* "unix:/run/llm.sock", "http://host:8000" */
	const char *api_key;	/* sent as a bearer token, or NULL */
	int64_t timeout_ms;	/* of a request */
};

/* Caller frees with kb_http_free(). Fails with KB_ERR_USAGE if the server has
 * another form, KB_ERR_MISSING without libcurl. */
int kb_http_new(struct kb_http **out, const struct kb_http_address *a,
		struct kb_err *err);
void kb_http_free(struct kb_http *h);	/* NULL is allowed */

/* Begin a request of `path`: a POST of `body`, which is borrowed until it is
 * over, or with NULL a GET. `tag` comes back with the reply. */
void kb_http_begin(struct kb_http *h, const char *path,
		   const struct kb_buf *body, void *tag);

struct kb_http_reply {
	void *tag;
	long status;			/* 0: there was none */
	int64_t retry_after_s;		/* as the server asks; 0: it does not */
	int64_t latency_ns;
	struct kb_buf body;
	char *failure;			/* why there is no whole reply, or NULL */
};

#define KB_HTTP_REPLY_INIT { .body = KB_BUF_INIT }

void kb_http_reply_release(struct kb_http_reply *r);

/*
 * The next request that is over: returns 1, or 0 if none is within
 * `timeout_ms`. Fails with KB_ERR_INTERRUPTED, KB_ERR_SYS.
 */
int kb_http_wait(struct kb_http *h, struct kb_http_reply *out, int timeout_ms,
		 struct kb_err *err);

static inline void kb_cleanup_http(struct kb_http **h)
{
	kb_http_free(*h);
}

static inline void kb_cleanup_http_reply(struct kb_http_reply *r)
{
	kb_http_reply_release(r);
}

#endif
