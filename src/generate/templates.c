#include "generate/templates.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "generate/python_literal.h"
#include "generate/template.h"
#include "generate/toml.h"

void kb_templates_release(struct kb_templates *t)
{
	kb_json_free(t->toml);
	kb_json_free(t->gpus);
	free(t->file);
	free(t->root);
	*t = (struct kb_templates)KB_TEMPLATES_INIT;
}

static int read_gpus(struct kb_templates *t, const char *file,
		     struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret = kb_file_read(&text, AT_FDCWD, file, KB_PYTHON_BYTES_MAX, err);

	return ret < 0 ? ret : kb_python_literals_parse(
					&t->gpus, text.data, text.len, file,
					err);
}

int kb_templates_load(struct kb_templates *t, const char *file,
		      const char *root, const char *gpus_file,
		      struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret = kb_file_read(&text, AT_FDCWD, file, KB_TOML_BYTES_MAX, err);

	*t = (struct kb_templates)KB_TEMPLATES_INIT;
	if (ret == 0)
		ret = kb_toml_parse(&t->toml, text.data, text.len, file, err);
	if (ret == 0 && gpus_file)
		ret = read_gpus(t, gpus_file, err);
	if (ret < 0) {
		kb_templates_release(t);
		return ret;
	}
	kb_digest_of(&t->digest, text.data, text.len);
	t->file = kb_xstrdup(file);
	t->root = kb_xstrdup(root);
	return 0;
}

void kb_prompt_add_lines(struct kb_buf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\r' && text[1] == '\n')
			continue;
		kb_buf_addch(out, *text == '\r' ? '\n' : *text);
	}
}

const struct kb_json *kb_prompt_member(const struct kb_json *v,
				       const char *key,
				       enum kb_json_type want)
{
	if (!v || kb_json_type(v) != KB_JSON_OBJECT)
		return NULL;
	v = kb_json_find(v, key);
	return v && kb_json_type(v) == want ? v : NULL;
}

const char *kb_prompt_text(const struct kb_json *v, const char *key)
{
	const struct kb_json *text = kb_prompt_member(v, key, KB_JSON_STRING);

	return text ? kb_json_string_value(text) : NULL;
}

const struct kb_json *kb_prompt_table(const struct kb_templates *t,
				      const char *first, const char *second)
{
	return kb_prompt_member(kb_prompt_member(t->toml, first,
						 KB_JSON_OBJECT),
				second, KB_JSON_OBJECT);
}

int kb_prompt_lacks(const struct kb_templates *t, const char *what,
		    const char *name, struct kb_err *err)
{
	return kb_err(err, KB_ERR_INPUT, "%s: has no %s '%s'", t->file, what,
		      name);
}

int kb_prompt_stripped(char **out, const struct kb_templates *t,
		       const char *section, const char *key,
		       struct kb_err *err)
{
	const char *text = kb_prompt_text(
		kb_prompt_table(t, "templates", section), key);
	kb_auto(buf) struct kb_buf buf = KB_BUF_INIT;

	if (!text)
		return kb_prompt_lacks(t, "template", key, err);
	kb_template_strip(&buf, text, strlen(text));
	*out = kb_buf_detach(&buf);
	return 0;
}

int kb_prompt_fill(char **out, const char *text,
		   const struct kb_placeholder with[],
		   const struct kb_templates *t, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf buf = KB_BUF_INIT;

	if (kb_template_fill(&buf, text, with, err) < 0)
		return kb_err_wrap(err, "%s", t->file);
	*out = kb_buf_detach(&buf);
	return 0;
}
