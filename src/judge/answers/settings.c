#include "answers/settings.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/fields.h"
#include "manifest/record.h"

static void add_name(struct kb_buf *out, const char *name)
{
	kb_buf_addf(out, "%s\"%s\":", out->len > 1 ? "," : "", name);
}

static int add_number(struct kb_buf *out, const char *name, const char *text,
		      struct kb_err *err)
{
	if (!text)
		return 0;
	if (!kb_number_valid(text) || *text == '-')
		return kb_err(err, KB_ERR_USAGE,
			      "'%s' is not a decimal of 0 or more: '%s'", name,
			      text);
	add_name(out, name);
	kb_buf_addstr(out, text);
	return 0;
}

static void add_count(struct kb_buf *out, const char *name, int64_t n)
{
	if (n == KB_UNKNOWN)
		return;
	add_name(out, name);
	kb_buf_addf(out, "%" PRId64, n);
}

static const char *const taken[] = {
	"messages", "model", "n", "seed", "stream",
};

static int check_member(const struct kb_json *so_far, const char *name,
			struct kb_err *err)
{
	bool is_taken = kb_json_find(so_far, name);

	for (size_t i = 0; i < KB_ARRAY_LEN(taken); i++)
		is_taken |= !strcmp(taken[i], name);
	return is_taken ? kb_err(err, KB_ERR_USAGE,
				 "--body sets '%s', which is set elsewhere or never sent",
				 name) : 0;
}

/* Its text between the braces, as it is spelt. */
static int add_body(struct kb_buf *out, const char *body, struct kb_err *err)
{
	kb_auto(json) struct kb_json *v = NULL, *so_far = NULL;
	kb_auto(buf) struct kb_buf whole = KB_BUF_INIT;
	struct kb_err why = KB_ERR_INIT;
	int ret = 0;

	if (kb_json_parse(&v, body, strlen(body), KB_JSON_FOREIGN, "--body",
			  &why) < 0)
		return kb_err(err, KB_ERR_USAGE, "%s", why.msg);
	if (kb_json_type(v) != KB_JSON_OBJECT)
		return kb_err(err, KB_ERR_USAGE, "--body is no JSON object");
	kb_buf_addf(&whole, "%s}", out->data);
	ret = kb_json_parse(&so_far, whole.data, whole.len, KB_JSON_FOREIGN,
			    "sampling settings", err);
	for (const struct kb_json *m = kb_json_first(v); ret == 0 && m;
	     m = kb_json_next(m))
		ret = check_member(so_far, kb_json_key(m), err);
	if (ret < 0 || !kb_json_count(v))
		return ret;
	if (out->len > 1)
		kb_buf_addch(out, ',');
	body = strchr(body, '{') + 1;
	kb_buf_add(out, body, (size_t)(strrchr(body, '}') - body));
	return 0;
}

int kb_sampling_print(char **out, const struct kb_sampling *s,
		      struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret;

	kb_buf_addch(&text, '{');
	ret = add_number(&text, "temperature", s->temperature, err);
	if (ret == 0)
		ret = add_number(&text, "top_p", s->top_p, err);
	if (ret < 0)
		return ret;
	add_count(&text, "max_tokens", s->max_tokens);
	add_count(&text, "max_completion_tokens", s->max_completion_tokens);
	if (s->body) {
		ret = add_body(&text, s->body, err);
		if (ret < 0)
			return ret;
	}
	kb_buf_addch(&text, '}');
	*out = kb_buf_detach(&text);
	return 0;
}
