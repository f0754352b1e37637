#include "prompts/prompts.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "manifest/fields.h"

void kb_prompts_release(struct kb_prompts *p)
{
	for (size_t i = 0; i < p->count; i++)
		kb_prompt_release(&p->of[i].prompt);
	free(p->of);
	*p = (struct kb_prompts)KB_PROMPTS_INIT;
}

static int by_key(const void *a, const void *b)
{
	const struct kb_problem_prompt *x = a, *y = b;

	return kb_key_compare(x->key, y->key);
}

const struct kb_prompt *kb_prompts_find(const struct kb_prompts *p,
					struct kb_key key)
{
	const struct kb_problem_prompt wanted = { .key = key };
	const struct kb_problem_prompt *found =
		p->count ? bsearch(&wanted, p->of, p->count, sizeof(*p->of),
				   by_key) : NULL;

	return found ? &found->prompt : NULL;
}

static int read_prompt(struct kb_problem_prompt *out,
		       const struct kb_json *line, const char *where,
		       struct kb_err *err)
{
	const struct kb_json *messages;
	const char *problem;
	struct kb_fields f;

	kb_fields_begin(&f, line, where, err);
	problem = kb_fields_text(&f, "problem");
	messages = kb_fields_array(&f, "messages");
	if (kb_fields_end(&f) < 0)
		return f.ret;
	if (kb_key_parse(&out->key, problem, err) < 0)
		return kb_err_wrap(err, "%s", where);
	return kb_prompt_of_messages(&out->prompt, messages, where, err);
}

static bool is_blank(const char *line, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!strchr(" \t\r", line[i]))
			return false;
	return true;
}

static int take_line(struct kb_prompts *p, size_t *capacity, const char *line,
		     size_t len, const char *where, struct kb_err *err)
{
	kb_auto(json) struct kb_json *value = NULL;
	int ret;

	if (is_blank(line, len))
		return 0;
	ret = kb_json_parse(&value, line, len, KB_JSON_FOREIGN, where, err);
	if (ret < 0)
		return ret;
	p->of = kb_grow(p->of, p->count, capacity, sizeof(*p->of));
	ret = read_prompt(&p->of[p->count], value, where, err);
	p->count += ret == 0;
	return ret;
}

static int take_lines(struct kb_prompts *p, const char *text, size_t len,
		      const char *name, struct kb_err *err)
{
	const char *const end = text + len;
	size_t number = 0, capacity = 0;
	int ret = 0;

	while (ret == 0 && text < end) {
		kb_auto(mem) char *where = kb_xasprintf("line %zu of %s",
							++number, name);
		const char *lf = memchr(text, '\n', (size_t)(end - text));
		const char *stop = lf ? lf : end;

		ret = take_line(p, &capacity, text, (size_t)(stop - text),
				where, err);
		text = lf ? lf + 1 : end;
	}
	return ret;
}

static int check_one_each(const struct kb_prompts *p, const char *name,
			  struct kb_err *err)
{
	char key[KB_KEY_SIZE];

	for (size_t i = 1; i < p->count; i++) {
		if (kb_key_compare(p->of[i - 1].key, p->of[i].key))
			continue;
		kb_key_format(key, p->of[i].key);
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' has two prompts for problem '%s'", name,
			      key);
	}
	return 0;
}

int kb_prompts_parse(struct kb_prompts *out, const void *data, size_t len,
		     const char *name, struct kb_err *err)
{
	int ret;

	*out = (struct kb_prompts)KB_PROMPTS_INIT;
	kb_digest_of(&out->digest, data, len);
	ret = take_lines(out, data, len, name, err);
	if (ret == 0 && !out->count)
		ret = kb_err(err, KB_ERR_INPUT, "'%s' has no prompt", name);
	if (ret == 0) {
		qsort(out->of, out->count, sizeof(*out->of), by_key);
		ret = check_one_each(out, name, err);
	}
	if (ret < 0)
		kb_prompts_release(out);
	return ret;
}
