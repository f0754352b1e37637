/* The examples that a prompt shows, from the templates' files. */

#include "generate/preparation.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "generate/prompter.h"
#include "generate/template.h"

#define EXAMPLE_BYTES_MAX ((size_t)1 << 20)

static int read_example(char **out, const struct kb_preparation *x,
			const char *path)
{
	kb_auto(mem) char *full = *path == '/' ? kb_xstrdup(path) :
		kb_xasprintf("%s/%s", x->t->root, path);
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT, lines = KB_BUF_INIT;
	int ret = kb_file_read(&text, AT_FDCWD, full, EXAMPLE_BYTES_MAX,
			       x->err);

	if (ret < 0)
		return ret;
	kb_prompt_add_lines(&lines, text.data);
	*out = kb_buf_detach(&lines);
	return 0;
}

struct example {
	const char *label, *input_path, *output_path;
};

static int add_example(struct kb_buf *entries, const struct kb_preparation *x,
		       const char *template, const struct example *e)
{
	kb_auto(mem) char *input = NULL, *output = NULL, *entry = NULL;
	int ret = read_example(&input, x, e->input_path);

	if (ret == 0)
		ret = read_example(&output, x, e->output_path);
	if (ret == 0) {
		const struct kb_placeholder with[] = {
			{ "example_label", e->label },
			{ "input_code", input }, { "output_code", output },
			{ "backend_display", x->p->backend_display },
			{ NULL, NULL },
		};

		ret = kb_prompt_fill(&entry, template, with, x->t, x->err);
	}
	if (ret < 0)
		return ret;
	if (entries->len)
		kb_buf_addstr(entries, "\n\n");
	kb_buf_addstr(entries, entry);
	return 0;
}

static const char *pair_part(const struct kb_json *pair, bool second)
{
	const struct kb_json *v = kb_json_type(pair) == KB_JSON_ARRAY ?
		kb_json_first(pair) : NULL;

	if (v && second)
		v = kb_json_next(v);
	return v && kb_json_type(v) == KB_JSON_STRING ?
		       kb_json_string_value(v) : NULL;
}

static int add_several(struct kb_buf *entries, const struct kb_preparation *x,
		       const char *template, const struct kb_json *pairs)
{
	int n = 1, ret = 0;

	for (const struct kb_json *v = kb_json_first(pairs); ret == 0 && v;
	     v = kb_json_next(v), n++) {
		kb_auto(mem) char *label = kb_xasprintf("Example %d:", n);
		const struct example e = { label, pair_part(v, false),
					   pair_part(v, true) };

		if (!e.input_path || !e.output_path)
			return kb_err(x->err, KB_ERR_INPUT,
				      "%s: 'few_shot_examples' is not of pairs of paths",
				      x->t->file);
		ret = add_example(entries, x, template, &e);
	}
	return ret;
}

static int add_single(struct kb_buf *entries, const struct kb_preparation *x,
		      const char *template)
{
	static const char input[] = "few_shot_example_arch";
	static const char output[] = "one_shot_new_arch";
	struct example e = { "Example:", kb_prompt_text(x->backend, input),
			     kb_prompt_text(x->backend, output) };

	if (!e.input_path)
		e.input_path = kb_prompt_text(x->shared, input);
	if (!e.input_path || !e.output_path)
		return kb_prompt_lacks(x->t, "example of backend",
				       x->choice->backend, x->err);
	return add_example(entries, x, template, &e);
}

int kb_preparation_set_examples(struct kb_preparation *x)
{
	const char *wants = kb_prompt_text(x->option, "requires_example");
	const struct kb_json *pairs = kb_prompt_member(
		x->backend, "few_shot_examples", KB_JSON_ARRAY);
	const struct kb_placeholder with[] = {
		{ "backend_display", x->p->backend_display }, { NULL, NULL },
	};
	kb_auto(mem) char *template = NULL, *intro = NULL;
	kb_auto(buf) struct kb_buf entries = KB_BUF_INIT, text = KB_BUF_INIT;
	bool several;
	int ret;

	if (!wants)
		return 0;
	several = !strcmp(wants, "few_shot") && pairs &&
		  kb_json_count(pairs) > 0;
	ret = kb_prompt_stripped(&template, x->t, "common",
				 "example_entry_template", x->err);
	if (ret == 0)
		ret = kb_prompt_stripped(&intro, x->t, "common",
					 several ? "example_intro_few_shot" :
						   "example_intro_one_shot",
					 x->err);
	if (ret == 0)
		ret = kb_prompt_fill(&x->p->examples_intro, intro, with, x->t,
				     x->err);
	if (ret == 0)
		ret = several ? add_several(&entries, x, template, pairs)
			      : add_single(&entries, x, template);
	if (ret < 0)
		return ret;
	kb_template_strip(&text, entries.data, entries.len);
	x->p->examples_entries = kb_buf_detach(&text);
	return 0;
}
