#include "generate/prompter.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "generate/preparation.h"
#include "generate/template.h"

void kb_prompter_release(struct kb_prompter *p)
{
	free(p->text);
	free(p->backend);
	free(p->backend_display);
	free(p->problem_statement);
	free(p->instruction);
	free(p->precision_display);
	free(p->examples_intro);
	free(p->examples_entries);
	free(p->definitions);
	free(p->practices);
	*p = (struct kb_prompter)KB_PROMPTER_INIT;
}

static char *upper(const char *text, size_t letters)
{
	char *s = kb_xstrdup(text);

	for (size_t i = 0; s[i]; i++)
		s[i] = (char)(i < letters ? toupper((unsigned char)s[i])
					  : tolower((unsigned char)s[i]));
	return s;
}

/* "CUDA", "CUTE", and else "Triton". The words and their defaults are
 * KernelBench's, case by case, since a prompt must be the same bytes as its own
 * code makes. */
static char *backend_word(const char *backend)
{
	const bool is_short = !strcmp(backend, "cuda") ||
			      !strcmp(backend, "cute");

	return upper(backend, is_short ? strlen(backend) : 1);
}

static int find_tables(struct kb_preparation *x)
{
	const struct kb_prompt_choice *c = x->choice;

	x->backend = kb_prompt_table(x->t, "backends", c->backend);
	x->option = kb_prompt_table(x->t, "options", c->option);
	x->shared = kb_prompt_member(x->t->toml, "shared", KB_JSON_OBJECT);
	if (!x->backend)
		return kb_prompt_lacks(x->t, "backend", c->backend, x->err);
	if (!x->option)
		return kb_prompt_lacks(x->t, "option", c->option, x->err);
	return 0;
}

/* The backend's own, else that of all. */
static int fill_shared(char **out, const struct kb_preparation *x,
		       const char *key)
{
	const struct kb_placeholder with[] = {
		{ "backend_display", x->p->backend_display }, { NULL, NULL },
	};
	const char *text = kb_prompt_text(x->backend, key);

	if (!text)
		text = kb_prompt_text(x->shared, key);
	return kb_prompt_fill(out, text ? text : "", with, x->t, x->err);
}

static int set_words(struct kb_preparation *x)
{
	const char *display = kb_prompt_text(x->backend, "backend_display");
	const char *name = x->choice->backend;
	int ret;

	x->p->backend = backend_word(name);
	x->p->backend_display = display ? kb_xstrdup(display)
					: upper(name, strlen(name));
	ret = fill_shared(&x->p->problem_statement, x, "problem_statement");
	return ret < 0 ? ret : fill_shared(&x->p->instruction, x,
					   "instruction");
}

static int set_precision(struct kb_preparation *x)
{
	const char *name = x->choice->precision, *display;

	if (!name)
		name = kb_prompt_text(kb_prompt_member(x->t->toml, "meta",
						       KB_JSON_OBJECT),
				      "default_precision");
	if (!name)
		name = "fp32";
	if (x->choice->precision && !kb_prompt_table(x->t, "precision", name))
		return kb_prompt_lacks(x->t, "precision", name, x->err);
	display = kb_prompt_text(kb_prompt_table(x->t, "precision", name),
				 "precision_display");
	if (display)
		x->p->precision_display = kb_xstrdup(display);
	else if (x->choice->precision)
		x->p->precision_display = upper(name, strlen(name));
	else
		x->p->precision_display =
			kb_xstrdup("FP32 (32-bit floating point)");
	return 0;
}

/* --- hardware ---------------------------------------------------------- */

/* "- key: value", or of a list "- value", a line each. */
static char *bullets(const struct kb_json *v)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	const bool named = kb_json_type(v) == KB_JSON_OBJECT;

	for (const struct kb_json *e = kb_json_first(v); e;
	     e = kb_json_next(e)) {
		if (kb_json_type(e) != KB_JSON_STRING)
			continue;
		kb_buf_addf(&out, "%s- %s%s%s", out.len ? "\n" : "",
			    named ? kb_json_key(e) : "", named ? ": " : "",
			    kb_json_string_value(e));
	}
	return kb_buf_detach(&out);
}

static int set_hardware(struct kb_preparation *x)
{
	const struct kb_json *definitions =
		kb_prompt_member(x->t->gpus, "GPU_DEFINITIONS", KB_JSON_OBJECT);
	const struct kb_json *practices =
		kb_prompt_member(x->t->gpus, "GPU_BEST_PRACTICES", KB_JSON_ARRAY);
	const struct kb_json *wants =
		kb_prompt_member(x->option, "requires_gpu", KB_JSON_BOOL);

	x->p->hardware = x->choice->hardware;
	if (wants && kb_json_bool_value(wants) && !x->choice->hardware)
		return kb_err(x->err, KB_ERR_INPUT,
			      "option '%s' wants to know the hardware",
			      x->choice->option);
	if (definitions)
		x->p->definitions = bullets(definitions);
	if (practices)
		x->p->practices = bullets(practices);
	return 0;
}

/* --- the whole --------------------------------------------------------- */

static const char *const hardware_components[] = {
	"hardware_header", "hardware_specs", "hardware_definitions",
	"hardware_best_practices",
};

static bool is_hardware(const char *component)
{
	return !strncmp(component, "hardware_", strlen("hardware_"));
}

static int add_component(struct kb_buf *out, const struct kb_preparation *x,
			 const char *name)
{
	const char *own = kb_prompt_text(x->backend, name);
	kb_auto(mem) char *text = NULL;
	int ret;

	if (out->len)
		kb_buf_addch(out, '\n');
	if (!strcmp(name, "problem_statement")) {
		kb_buf_addstr(out, x->p->problem_statement);
		return 0;
	}
	if (!strcmp(name, "instruction")) {
		kb_buf_addstr(out, x->p->instruction);
		return 0;
	}
	if (own) {
		kb_template_strip(out, own, strlen(own));
		kb_buf_addch(out, '\n');
		return 0;
	}
	ret = kb_prompt_stripped(&text, x->t,
				 is_hardware(name) ? "hardware" : "common",
				 name, x->err);
	if (ret == 0)
		kb_buf_addf(out, "%s\n", text);
	return ret;
}

static int add_hardware(struct kb_buf *out, const struct kb_preparation *x)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < KB_ARRAY_LEN(hardware_components);
	     i++)
		ret = add_component(out, x, hardware_components[i]);
	return ret;
}

/* Without an order of its own, blocks on the hardware stand before the
 * problem, or at the end if that is nowhere. */
static int add_components(struct kb_buf *out, const struct kb_preparation *x,
			  const struct kb_json *list, bool is_custom)
{
	bool wanted = x->choice->hardware && !is_custom;
	int ret = 0;

	for (const struct kb_json *v = kb_json_first(list); ret == 0 && v;
	     v = kb_json_next(v)) {
		const char *name = kb_json_type(v) == KB_JSON_STRING ?
			kb_json_string_value(v) : "";

		if (wanted && !strcmp(name, "arch_block")) {
			ret = add_hardware(out, x);
			wanted = false;
		}
		if (ret == 0)
			ret = add_component(out, x, name);
	}
	return ret < 0 || !wanted ? ret : add_hardware(out, x);
}

static bool has_hardware(const struct kb_json *list)
{
	for (const struct kb_json *v = kb_json_first(list); v;
	     v = kb_json_next(v))
		if (kb_json_type(v) == KB_JSON_STRING &&
		    is_hardware(kb_json_string_value(v)))
			return true;
	return false;
}

static int set_text(struct kb_preparation *x)
{
	const char *custom = x->choice->custom;
	const struct kb_json *of = custom ?
		kb_prompt_table(x->t, "custom_prompts", custom) : x->option;
	const struct kb_json *list =
		kb_prompt_member(of, "components", KB_JSON_ARRAY);
	kb_auto(buf) struct kb_buf parts = KB_BUF_INIT, text = KB_BUF_INIT;
	int ret;

	if (!list)
		return kb_prompt_lacks(x->t, "components of",
				       custom ? custom : x->choice->option,
				       x->err);
	if (custom && x->choice->hardware && !has_hardware(list))
		return kb_err(x->err, KB_ERR_INPUT,
			      "%s: custom prompt '%s' has no block on the hardware",
			      x->t->file, custom);
	ret = add_components(&parts, x, list, custom);
	if (ret < 0)
		return ret;
	kb_template_strip(&text, parts.data, parts.len);
	kb_buf_addch(&text, '\n');
	x->p->text = kb_buf_detach(&text);
	return 0;
}

int kb_prompter_init(struct kb_prompter *p, const struct kb_templates *t,
		     const struct kb_prompt_choice *choice,
		     struct kb_err *err)
{
	struct kb_preparation x = { .p = p, .t = t, .choice = choice,
				 .err = err };
	int ret;

	*p = (struct kb_prompter)KB_PROMPTER_INIT;
	ret = find_tables(&x);
	if (ret == 0)
		ret = set_words(&x);
	if (ret == 0)
		ret = set_precision(&x);
	if (ret == 0)
		ret = kb_preparation_set_examples(&x);
	if (ret == 0)
		ret = set_hardware(&x);
	if (ret == 0)
		ret = set_text(&x);
	if (ret < 0)
		kb_prompter_release(p);
	return ret;
}

int kb_prompter_render(struct kb_buf *out, const struct kb_prompter *p,
		       const char *source, struct kb_err *err)
{
	const struct kb_hardware none = KB_HARDWARE_INIT;
	const struct kb_hardware *h = p->hardware ? p->hardware : &none;
	kb_auto(buf) struct kb_buf lines = KB_BUF_INIT, text = KB_BUF_INIT;
	int ret;

	kb_prompt_add_lines(&lines, source);
	ret = kb_template_fill(&text, p->text, (struct kb_placeholder []) {
		{ "ref_arch_src", lines.data },
		{ "backend", p->backend },
		{ "backend_display", p->backend_display },
		{ "problem_statement", p->problem_statement },
		{ "instruction", p->instruction },
		{ "precision_display", p->precision_display },
		{ "examples_intro", p->examples_intro },
		{ "examples_entries", p->examples_entries },
		{ "gpu_name", h->name },
		{ "gpu_architecture", h->architecture },
		{ "gpu_specs_bullets", h->specs },
		{ "gpu_definitions_bullets", p->hardware ? p->definitions
							 : NULL },
		{ "gpu_best_practices_bullets", p->hardware ? p->practices
							    : NULL },
		{ NULL, NULL },
	}, err);
	if (ret < 0)
		return ret;
	kb_template_strip(out, text.data, text.len);
	kb_buf_addch(out, '\n');
	return 0;
}
