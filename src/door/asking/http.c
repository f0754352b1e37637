#include "asking/http.h"

/* CURLOPT_PROTOCOLS is the only spelling that libcurl before 7.85 has. */
#define CURL_DISABLE_DEPRECATION
#include <curl/curl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/interrupt.h"

#define UNIX "unix:"
/* A server that is there accepts at once; the long timeout is for models that
 * think. */
#define CONNECT_TIMEOUT_MS 10000L
#define POLL_MS_MAX 200		/* an interrupt is seen that soon */

struct transfer {
	struct kb_http *http;
	struct transfer *next;
	CURL *easy;
	void *tag;
	char *url;
	int64_t start_ns;
	size_t header_bytes;
	struct kb_buf body;
	const char *refused;		/* why we hung up, or NULL */
};

struct kb_http {
	CURLM *multi;
	struct curl_slist *headers;
	char *base, *socket;		/* socket: NULL for TCP */
	int64_t timeout_ms;
	struct transfer *transfers;	/* that are under way */
};

static bool starts_with(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static size_t without_slashes(const char *text, size_t len)
{
	while (len && text[len - 1] == '/')
		len--;
	return len;
}

/* The scheme is said by who types it. To guess one could send an API key in the
 * clear. */
static int set_address(struct kb_http *h, const char *server,
		       struct kb_err *err)
{
	size_t len = strlen(server);

	if (starts_with(server, UNIX "/")) {
		h->socket = kb_xstrdup(server + strlen(UNIX));
		h->base = kb_xstrdup("http://localhost");
		return 0;
	}
	if (!starts_with(server, "http://") && !starts_with(server, "https://"))
		return kb_err(err, KB_ERR_USAGE,
			      "a server is unix:/PATH, http://HOST:PORT or https://HOST, not '%s'",
			      server);
	len = without_slashes(server, len);
	/* Other clients want it said. */
	if (len > 3 && !strncmp(server + len - 3, "/v1", 3))
		len = without_slashes(server, len - 3);
	h->base = kb_xstrndup(server, len);
	return 0;
}

static void set_headers(struct kb_http *h, const char *api_key)
{
	h->headers = curl_slist_append(h->headers,
				       "Content-Type: application/json");
	/* Large bodies would wait for a 100 that few servers send. */
	h->headers = curl_slist_append(h->headers, "Expect:");
	if (api_key) {
		kb_auto(mem) char *key = kb_xasprintf(
			"Authorization: Bearer %s", api_key);

		h->headers = curl_slist_append(h->headers, key);
	}
}

int kb_http_new(struct kb_http **out, const struct kb_http_address *a,
		struct kb_err *err)
{
	kb_auto(http) struct kb_http *h = kb_xcalloc(1, sizeof(*h));
	int ret = set_address(h, a->server, err);

	if (ret == 0 && curl_global_init(CURL_GLOBAL_ALL) != CURLE_OK)
		ret = kb_err(err, KB_ERR_SYS, "libcurl does not start");
	if (ret < 0)
		return ret;
	h->timeout_ms = a->timeout_ms;
	h->multi = curl_multi_init();
	if (!h->multi)
		KB_BUG("libcurl ran out of memory");
	set_headers(h, a->api_key);
	*out = kb_steal(h);
	return 0;
}

static void drop_transfer(struct transfer *t)
{
	const struct kb_http *h = t->http;

	curl_multi_remove_handle(h->multi, t->easy);
	curl_easy_cleanup(t->easy);
	kb_buf_release(&t->body);
	free(t->url);
	free(t);
}

void kb_http_free(struct kb_http *h)
{
	if (!h)
		return;
	while (h->transfers) {
		struct transfer *t = h->transfers;

		h->transfers = t->next;
		drop_transfer(t);
	}
	if (h->multi)
		curl_multi_cleanup(h->multi);
	if (h->headers)
		curl_slist_free_all(h->headers);
	free(h->base);
	free(h->socket);
	free(h);
}

/* Taking less than there is hangs up. */
static size_t take_body(char *data, size_t size, size_t count, void *into)
{
	struct transfer *t = into;

	if (t->body.len + size * count > KB_HTTP_BODY_BYTES_MAX) {
		t->refused = "the body is too large";
		return 0;
	}
	kb_buf_add(&t->body, data, size * count);
	return size * count;
}

/* Older versions of libcurl bound a header and not how many there are, so that
 * a server could send them for ever. */
static size_t take_header(char *data, size_t size, size_t count, void *into)
{
	struct transfer *t = into;

	(void)data;
	t->header_bytes += size * count;
	if (t->header_bytes > KB_HTTP_HEADER_BYTES_MAX) {
		t->refused = "the headers are too large";
		return 0;
	}
	return size * count;
}

static void set_options(struct transfer *t, const struct kb_buf *body)
{
	const struct kb_http *h = t->http;
	CURL *easy = t->easy;

	curl_easy_setopt(easy, CURLOPT_URL, t->url);
	curl_easy_setopt(easy, CURLOPT_PRIVATE, t);
	/* No signal for timeouts, which would interrupt our own waits; no proxy
	 * from the environment, of which no record would tell; and no protocol
	 * but these two. */
	curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(easy, CURLOPT_PROXY, "");
	curl_easy_setopt(easy, CURLOPT_PROTOCOLS,
			 (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
	curl_easy_setopt(easy, CURLOPT_TIMEOUT_MS, (long)h->timeout_ms);
	curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_TIMEOUT_MS);
	curl_easy_setopt(easy, CURLOPT_HTTPHEADER, h->headers);
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
	curl_easy_setopt(easy, CURLOPT_WRITEDATA, t);
	curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_header);
	curl_easy_setopt(easy, CURLOPT_HEADERDATA, t);
	if (h->socket)
		curl_easy_setopt(easy, CURLOPT_UNIX_SOCKET_PATH, h->socket);
	if (body) {
		curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body->len);
		curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body->data);
	}
}

void kb_http_begin(struct kb_http *h, const char *path,
		   const struct kb_buf *body, void *tag)
{
	struct transfer *t = kb_xcalloc(1, sizeof(*t));

	*t = (struct transfer){
		.http = h, .next = h->transfers, .tag = tag,
		.easy = curl_easy_init(), .body = KB_BUF_INIT,
		.url = kb_xasprintf("%s%s", h->base, path),
		.start_ns = kb_clock_ns(),
	};
	if (!t->easy)
		KB_BUG("libcurl ran out of memory");
	h->transfers = t;
	set_options(t, body);
	curl_multi_add_handle(h->multi, t->easy);
}

void kb_http_reply_release(struct kb_http_reply *r)
{
	kb_buf_release(&r->body);
	free(r->failure);
	*r = (struct kb_http_reply)KB_HTTP_REPLY_INIT;
}

static void unlink_transfer(struct kb_http *h, struct transfer *t)
{
	struct transfer **at = &h->transfers;

	while (*at != t)
		at = &(*at)->next;
	*at = t->next;
}

static void finish_transfer(struct kb_http *h, struct kb_http_reply *out,
			    const CURLMsg *msg)
{
	struct transfer *t = NULL;
	const CURLcode result = msg->data.result;

	curl_easy_getinfo(msg->easy_handle, CURLINFO_PRIVATE, (char **)&t);
	*out = (struct kb_http_reply){
		.tag = t->tag, .latency_ns = kb_clock_ns() - t->start_ns,
		.body = t->body,
	};
	t->body = (struct kb_buf)KB_BUF_INIT;
	curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE,
			     &out->status);
	curl_easy_getinfo(t->easy, CURLINFO_RETRY_AFTER,
			     &out->retry_after_s);
	/* `refused` is ours and says more than libcurl's words for it, which
	 * are that writing failed. */
	if (result)
		out->failure = kb_xstrdup(t->refused ? t->refused :
					  curl_easy_strerror(result));
	unlink_transfer(h, t);
	drop_transfer(t);
}

static bool take_finished(struct kb_http *h, struct kb_http_reply *out)
{
	CURLMsg *msg;
	int left;

	while ((msg = curl_multi_info_read(h->multi, &left))) {
		if (msg->msg != CURLMSG_DONE)
			continue;
		finish_transfer(h, out, msg);
		return true;
	}
	return false;
}

int kb_http_wait(struct kb_http *h, struct kb_http_reply *out, int timeout_ms,
		 struct kb_err *err)
{
	const int64_t end_ns = kb_clock_ns() + (int64_t)timeout_ms * 1000000;
	int running;

	/* Replies that are there are handed out before an interrupt is looked
	 * at: an answer that was paid for is not dropped. */
	for (;;) {
		const int64_t left_ms = (end_ns - kb_clock_ns()) / 1000000;

		if (curl_multi_perform(h->multi, &running) != 0)
			return kb_err(err, KB_ERR_SYS, "libcurl failed");
		if (take_finished(h, out))
			return 1;
		if (kb_interrupted())
			return kb_err(err, KB_ERR_INTERRUPTED, "interrupted");
		if (left_ms <= 0)
			return 0;
		curl_multi_poll(h->multi, NULL, 0, left_ms < POLL_MS_MAX ?
				   (int)left_ms : POLL_MS_MAX, NULL);
	}
}
