#include "manifest/prompt.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/fields.h"

void kb_prompt_digest(struct kb_digest *out, const struct kb_json *messages)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;

	kb_json_print(&text, messages);
	kb_digest_of(out, text.data, text.len);
}

void kb_prompt_release(struct kb_prompt *p)
{
	kb_json_free(p->messages);
	*p = (struct kb_prompt){ .messages = NULL };
}

struct kb_json *kb_prompt_to_json(const struct kb_prompt *p)
{
	struct kb_json *line = kb_json_object();

	kb_json_set(line, "messages", kb_json_copy(p->messages));
	kb_put_digest(line, "sha256", &p->digest);
	return line;
}

static const char *const roles[] = { "system", "user", "assistant" };

static int check_message(const struct kb_json *message, const char *where,
			 struct kb_err *err)
{
	struct kb_fields f;

	kb_fields_begin(&f, message, where, err);
	kb_fields_word(&f, "role", roles, KB_ARRAY_LEN(roles));
	kb_fields_text(&f, "content");
	return kb_fields_end(&f);
}

int kb_prompt_of_messages(struct kb_prompt *p, const struct kb_json *messages,
			  const char *where, struct kb_err *err)
{
	int ret = 0;

	*p = (struct kb_prompt){ .messages = NULL };
	if (!kb_json_count(messages))
		return kb_err(err, KB_ERR_INPUT, "%s: 'messages' is empty",
			      where);
	for (const struct kb_json *m = kb_json_first(messages);
	     m && ret == 0; m = kb_json_next(m))
		ret = check_message(m, where, err);
	if (ret < 0)
		return ret;
	p->messages = kb_json_copy(messages);
	kb_prompt_digest(&p->digest, p->messages);
	return 0;
}

int kb_prompt_from_json(struct kb_prompt *p, const struct kb_json *line,
			const char *where, struct kb_err *err)
{
	const struct kb_json *messages;
	struct kb_digest stated;
	struct kb_fields f;

	*p = (struct kb_prompt){ .messages = NULL };
	kb_fields_begin(&f, line, where, err);
	messages = kb_fields_array(&f, "messages");
	stated = kb_fields_digest(&f, "sha256");
	if (kb_fields_end(&f) == 0)
		f.ret = kb_prompt_of_messages(p, messages, where, err);
	if (f.ret < 0 || kb_digest_equal(&stated, &p->digest))
		return f.ret;
	kb_prompt_release(p);
	return kb_err(err, KB_ERR_INPUT,
		      "%s: 'sha256' is not the digest of 'messages'", where);
}
