#include "prompts/ask.h"

#include <string.h>

#include "answers/messages.h"
#include "answers/request.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "json/json.h"
#include "json/utf8.h"
#include "prompts/prompter.h"
#include "prompts/prompts.h"
#include "source/runtime.h"
#include "store/bundle.h"

static int check_problem(const struct kb_problem *p, enum kb_backend backend,
			 struct kb_err *err)
{
	char key[KB_KEY_SIZE];

	if (p->runtime == KB_RUNTIME_TORCH ||
	    kb_backend_runtime(backend) != KB_RUNTIME_TORCH)
		return 0;
	kb_key_format(key, p->key);
	return kb_err(err, KB_ERR_INPUT,
		      "problem '%s' is native code, and backend '%s' writes Python: leave it out by --problems, or choose a native backend",
		      key, kb_backend_name(backend));
}

static int read_source(struct kb_buf *out, const struct kb_bundle *b,
		       const struct kb_problem *p, struct kb_err *err)
{
	int ret = kb_bundle_read(out, b, p->file, KB_PROBLEM_BYTES_MAX, err);

	if (ret == 0 && (!kb_utf8_valid(out->data, out->len) ||
			 memchr(out->data, '\0', out->len)))
		ret = kb_err(err, KB_ERR_INPUT, "'%s' is not UTF-8 text",
			     p->file);
	return ret;
}

static int render_prompt(struct kb_prompt *out, const struct kb_problem *p,
			 const struct kb_bundle *b,
			 const struct kb_prompt_source *from,
			 struct kb_err *err)
{
	kb_auto(buf) struct kb_buf source = KB_BUF_INIT, text = KB_BUF_INIT;
	int ret = read_source(&source, b, p, err);

	if (ret < 0)
		return ret;
	kb_prompter_render(&text, from->prompter, source.data);
	out->messages = kb_json_array();
	if (from->system)
		kb_message_add(out->messages, "system", from->system);
	kb_message_add(out->messages, "user", text.data);
	kb_prompt_digest(&out->digest, out->messages);
	return 0;
}

static int copy_prompt(struct kb_prompt *out, const struct kb_problem *p,
		       const struct kb_prompt_source *from, struct kb_err *err)
{
	const struct kb_prompt *found = kb_prompts_find(from->prompts, p->key);
	char key[KB_KEY_SIZE];

	kb_key_format(key, p->key);
	if (!found)
		return kb_err(err, KB_ERR_INPUT,
			      "'%s' has no prompt for problem '%s': add one, or leave the problem out by --problems",
			      from->prompts_name, key);
	out->messages = kb_json_copy(found->messages);
	out->digest = found->digest;
	return 0;
}

static void add_lines(struct kb_generation *g, struct kb_key key,
		      const struct kb_prompt *prompt)
{
	for (int i = 0; i < g->asked.samples; i++) {
		struct kb_generated *l = &g->lines[g->line_count++];

		*l = (struct kb_generated)KB_GENERATED_INIT;
		l->key = key;
		l->sample_id = i;
		l->turn = 1;
		l->is_refined = g->asked.has_refinement;
		kb_request_name(l, &g->asked, prompt);
	}
}

/* Two problems may have one prompt: of files that are the same. */
static struct kb_prompt *find_prompt(struct kb_generation *g,
				     const struct kb_digest *digest)
{
	for (size_t i = 0; i < g->prompt_count; i++)
		if (kb_digest_equal(&g->prompts[i].digest, digest))
			return &g->prompts[i];
	return NULL;
}

static int ask_problem(struct kb_generation *g, const struct kb_problem *p,
		       const struct kb_bundle *b,
		       const struct kb_prompt_source *from, struct kb_err *err)
{
	kb_auto(prompt) struct kb_prompt prompt = { .messages = NULL };
	struct kb_prompt *known;
	int ret = check_problem(p, g->asked.backend, err);

	if (ret == 0)
		ret = from->prompts ?
			copy_prompt(&prompt, p, from, err) :
			render_prompt(&prompt, p, b, from, err);
	if (ret < 0)
		return ret;
	known = find_prompt(g, &prompt.digest);
	if (!known) {
		known = &g->prompts[g->prompt_count++];
		*known = prompt;
		prompt = (struct kb_prompt){ .messages = NULL };
	}
	add_lines(g, p->key, known);
	return 0;
}

int kb_ask(struct kb_generation *g, const struct kb_suite *suite,
	   const struct kb_bundle *b, const struct kb_prompt_source *from,
	   struct kb_err *err)
{
	const struct kb_asked *a = &g->asked;
	int ret = 0;

	g->prompts = kb_xcalloc(a->problem_count, sizeof(*g->prompts));
	g->lines = kb_xcalloc(a->problem_count, (size_t)a->samples *
			      sizeof(*g->lines));
	for (size_t i = 0; ret == 0 && i < a->problem_count; i++)
		ret = ask_problem(g, kb_suite_find(suite, a->problems[i]), b,
				  from, err);
	if (ret == 0)
		kb_generation_sort(g);
	return ret;
}
