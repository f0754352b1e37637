/* asking/http.h in a build without libcurl: nothing is ever asked. */

#include "asking/http.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/err.h"

int kb_http_new(struct kb_http **out, const struct kb_http_address *a,
		struct kb_err *err)
{
	(void)out;
	(void)a;
	return kb_err(err, KB_ERR_MISSING,
		      "this program was built without libcurl and can ask no server: answer the files of 'kb-generate ask' with another program, then 'kb-generate take'");
}

void kb_http_free(struct kb_http *h)
{
	free(h);
}

void kb_http_begin(struct kb_http *h, const char *path,
		   const struct kb_buf *body, void *tag)
{
	(void)h;
	(void)path;
	(void)body;
	(void)tag;
	KB_BUG("there is no server");
}

void kb_http_reply_release(struct kb_http_reply *r)
{
	kb_buf_release(&r->body);
	free(r->failure);
	*r = (struct kb_http_reply)KB_HTTP_REPLY_INIT;
}

int kb_http_wait(struct kb_http *h, struct kb_http_reply *out, int timeout_ms,
		 struct kb_err *err)
{
	(void)h;
	(void)out;
	(void)timeout_ms;
	(void)err;
	KB_BUG("there is no server");
}
