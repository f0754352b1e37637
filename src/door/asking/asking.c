#include "asking/asking.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "answers/request.h"
#include "asking/work.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/err.h"
#include "json/json.h"
#include "json/utf8.h"

#define WAIT_MS 1000

/* One request that is open. */
struct item {
	const struct kb_generated *line;
	struct kb_buf body;		/* while it is under way */
	int tries;
	bool is_flying, is_done;
};

struct queue {
	struct kb_asking *a;
	struct item *items;
	size_t count, first;		/* those before `first` are done */
	int flying;
	int64_t not_before_ns;		/* a pause is the server's, not one
					   request's */
	int in_vain;
};

static void fill_queue(struct queue *q)
{
	const struct kb_generation *g = &q->a->work->g;

	q->items = kb_xcalloc(g->line_count + 1, sizeof(*q->items));
	for (size_t i = 0; i < g->line_count; i++)
		if (kb_work_is_open(q->a->work, &g->lines[i]))
			q->items[q->count++] = (struct item){
				.line = &g->lines[i], .body = KB_BUF_INIT,
			};
	q->a->total = q->count;
}

static void release_queue(struct queue *q)
{
	for (size_t i = 0; i < q->count; i++)
		kb_buf_release(&q->items[i].body);
	free(q->items);
}

/* A body is made when it is sent and given back when it is answered. Only as
 * many are in memory as are under way, whatever the number of samples. */
static void begin_request(struct queue *q, struct item *item)
{
	const struct kb_generation *g = &q->a->work->g;

	kb_buf_clear(&item->body);
	kb_request_body(&item->body, &g->asked, item->line,
			kb_generation_prompt(g, &item->line->prompt)->messages);
	item->is_flying = true;
	item->tries++;
	q->flying++;
	kb_http_begin(q->a->http, KB_REQUEST_URL, &item->body, item);
}

static void begin_some(struct queue *q)
{
	if (kb_clock_ns() < q->not_before_ns)
		return;
	/* Items are done in about the order that they are in, so that the
	 * search does not begin at the first each time. */
	while (q->first < q->count && q->items[q->first].is_done)
		q->first++;
	for (size_t i = q->first;
	     i < q->count && q->flying < q->a->concurrency; i++)
		if (!q->items[i].is_flying && !q->items[i].is_done)
			begin_request(q, &q->items[i]);
}

/* --- replies ------------------------------------------------------------ */

#define NO_OBJECT "the reply is no JSON object"

/* Returns the fault, or NULL if it is an object. The caller frees. */
static char *trouble_of_body(const struct kb_buf *body)
{
	kb_auto(json) struct kb_json *v = NULL;
	struct kb_err err = KB_ERR_INIT;

	if (kb_json_parse(&v, body->data, body->len, KB_JSON_FOREIGN, "reply",
			  &err) < 0)
		return kb_xasprintf(NO_OBJECT ": %s", err.msg);
	return kb_json_type(v) == KB_JSON_OBJECT ? NULL
						 : kb_xstrdup(NO_OBJECT);
}

static bool is_object(const struct kb_buf *body)
{
	kb_auto(mem) char *trouble = trouble_of_body(body);

	return !trouble;
}

/* Returns the fault, or NULL if it is an answer. The caller frees. */
static char *trouble_of(const struct kb_http_reply *r)
{
	if (r->failure)
		return kb_xstrdup(r->failure);
	if (r->status != 200)
		return kb_xasprintf("status %ld", r->status);
	return trouble_of_body(&r->body);
}

/* Failures that another try may mend: timeouts, too many requests, and faults
 * of the server. A 200 whose body is no JSON is of a server that was cut off.
 * Any other status is about the request, and would come again. */
static bool may_pass(const struct kb_http_reply *r)
{
	return r->failure || r->status == 200 || r->status == 408 ||
	       r->status == 425 || r->status == 429 || r->status >= 500;
}

/* Twice as long after each failure. What the server asks for counts instead,
 * and neither is longer than a limit, because a server could ask for a year. */
static void pause_before_next(struct queue *q, const struct item *item,
			      const struct kb_http_reply *r)
{
	int64_t ms = q->a->pause_ms;

	for (int i = 1; i < item->tries && ms < KB_ASKING_PAUSE_MS_MAX; i++)
		ms *= 2;
	if (r->retry_after_s > 0)
		ms = r->retry_after_s < KB_ASKING_PAUSE_MS_MAX / 1000 ?
			     r->retry_after_s * 1000 : KB_ASKING_PAUSE_MS_MAX;
	if (ms > KB_ASKING_PAUSE_MS_MAX)
		ms = KB_ASKING_PAUSE_MS_MAX;
	q->not_before_ns = kb_clock_ns() + ms * KB_NS_PER_MS;
	q->a->again.try = item->tries + 1;
	q->a->again.pause_ms = ms;
}

/* In the batch format. What is no JSON is left out but for what is wrong. */
static void print_answer(struct kb_buf *out, const struct item *item,
			 const struct kb_http_reply *r, const char *trouble)
{
	const bool has_body = !r->failure && is_object(&r->body);
	kb_auto(buf) struct kb_buf why = KB_BUF_INIT;
	kb_auto(json) struct kb_json *message = NULL;
	char id[KB_CUSTOM_ID_SIZE];

	kb_custom_id_format(id, item->line);
	kb_buf_addf(out, "{\"custom_id\":\"%s\",\"response\":", id);
	if (has_body) {
		kb_buf_addf(out, "{\"status_code\":%ld,\"body\":", r->status);
		kb_buf_add(out, r->body.data, r->body.len);
		kb_buf_addstr(out, "},\"error\":null}");
		return;
	}
	kb_utf8_clean(&why, trouble, strlen(trouble));
	message = kb_json_string(why.data);
	kb_buf_addstr(out, "null,\"error\":{\"message\":");
	kb_json_print(out, message);
	kb_buf_addstr(out, "}}");
}

static int take_outcome(struct queue *q, struct item *item,
			const struct kb_http_reply *r, const char *trouble,
			struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	struct kb_asking *a = q->a;
	int ret;

	print_answer(&text, item, r, trouble);
	ret = kb_work_take(a->work, &(struct kb_raw_answer){
				   .text = text.data, .len = text.len,
				   .latency_ns = r->latency_ns,
				   .name = "the server's reply" }, NULL, err);
	if (ret < 0)
		return ret;
	item->is_done = true;
	a->done++;
	a->answered += !kb_work_is_open(a->work, item->line);
	if (item->line->reply.usage.output_tokens > 0)
		a->output_tokens += item->line->reply.usage.output_tokens;
	a->say(a, item->line, trouble);
	return 0;
}

/* A server that has answered nothing yet will hardly begin to. */
static int check_in_vain(struct queue *q, const char *trouble,
			 struct kb_err *err)
{
	if (!trouble || q->a->answered ||
	    ++q->in_vain < KB_ASKING_IN_VAIN_MAX)
		return 0;
	return kb_err(err, KB_ERR_SYS, "the server answers nothing: %s",
		      trouble);
}

static int take_reply(struct queue *q, const struct kb_http_reply *r,
		      struct kb_err *err)
{
	kb_auto(mem) char *trouble = trouble_of(r);
	struct item *item = r->tag;
	int ret;

	item->is_flying = false;
	q->flying--;
	if (trouble && may_pass(r) && item->tries < q->a->tries) {
		pause_before_next(q, item, r);
		q->a->say(q->a, NULL, trouble);
		return 0;
	}
	ret = take_outcome(q, item, r, trouble, err);
	kb_buf_release(&item->body);
	item->body = (struct kb_buf)KB_BUF_INIT;
	return ret < 0 ? ret : check_in_vain(q, trouble, err);
}

/* Until a reply comes, or a pause is over. */
static int wait_ms(const struct queue *q)
{
	const int64_t left_ns = q->not_before_ns - kb_clock_ns();

	if (left_ns <= 0 || left_ns > WAIT_MS * KB_NS_PER_MS)
		return WAIT_MS;
	return (int)(left_ns / KB_NS_PER_MS) + 1;
}

int kb_asking_run(struct kb_asking *a, struct kb_err *err)
{
	struct queue q = { .a = a };
	int ret = 0;

	fill_queue(&q);
	a->start_ns = kb_clock_ns();
	while (ret >= 0 && a->done < a->total) {
		kb_auto(http_reply) struct kb_http_reply r =
			KB_HTTP_REPLY_INIT;

		begin_some(&q);
		ret = kb_http_wait(a->http, &r, wait_ms(&q), err);
		if (ret > 0)
			ret = take_reply(&q, &r, err);
	}
	release_queue(&q);
	return ret < 0 ? ret : 0;
}

int kb_asking_models(char **out, struct kb_asking *a, struct kb_err *err)
{
	kb_auto(http_reply) struct kb_http_reply r = KB_HTTP_REPLY_INIT;
	int ret = 0;

	*out = NULL;
	kb_http_begin(a->http, "/v1/models", NULL, NULL);
	while (ret == 0)
		ret = kb_http_wait(a->http, &r, WAIT_MS, err);
	if (ret < 0)
		return ret;
	/* A server need not list its models. What it says is recorded as it
	 * came and is nothing that the generation depends on. */
	if (!r.failure && r.status == 200 && is_object(&r.body) &&
	    !memchr(r.body.data, '\0', r.body.len))
		*out = kb_xstrndup(r.body.data, r.body.len);
	return 0;
}
