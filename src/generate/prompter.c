#include "generate/prompter.h"

#include <ctype.h>
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
#include "json/json.h"

#define EXAMPLE_BYTES_MAX ((size_t)1 << 20)

/* --- the files --------------------------------------------------------- */

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

/* Python reads text with lines that end in LF, whatever they end in. */
static void add_lines(struct kb_buf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\r' && text[1] == '\n')
			continue;
		kb_buf_addch(out, *text == '\r' ? '\n' : *text);
	}
}

/* --- looking ----------------------------------------------------------- */

static const struct kb_json *member(const struct kb_json *v, const char *key,
				    enum kb_json_type want)
{
	if (!v || kb_json_type(v) != KB_JSON_OBJECT)
		return NULL;
	v = kb_json_find(v, key);
	return v && kb_json_type(v) == want ? v : NULL;
}

static const char *text_of(const struct kb_json *v, const char *key)
{
	const struct kb_json *text = member(v, key, KB_JSON_STRING);

	return text ? kb_json_string_value(text) : NULL;
}

/* The table [first.second]. */
static const struct kb_json *table(const struct kb_templates *t,
				   const char *first, const char *second)
{
	return member(member(t->toml, first, KB_JSON_OBJECT), second,
		      KB_JSON_OBJECT);
}

static int lacks(const struct kb_templates *t, const char *what,
		 const char *name, struct kb_err *err)
{
	return kb_err(err, KB_ERR_INPUT, "%s: has no %s '%s'", t->file, what,
		      name);
}

/* A template without white space at either end. */
static int stripped(char **out, const struct kb_templates *t,
		    const char *section, const char *key, struct kb_err *err)
{
	const char *text = text_of(table(t, "templates", section), key);
	kb_auto(buf) struct kb_buf buf = KB_BUF_INIT;

	if (!text)
		return lacks(t, "template", key, err);
	kb_template_strip(&buf, text, strlen(text));
	*out = kb_buf_detach(&buf);
	return 0;
}

static int fill(char **out, const char *text,
		const struct kb_placeholder with[],
		const struct kb_templates *t, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf buf = KB_BUF_INIT;

	if (kb_template_fill(&buf, text, with, err) < 0)
		return kb_err_wrap(err, "%s", t->file);
	*out = kb_buf_detach(&buf);
	return 0;
}

/* --- one preparation --------------------------------------------------- */

struct preparation {
	struct kb_prompter *p;
	const struct kb_templates *t;
	const struct kb_prompt_choice *choice;
	const struct kb_json *backend, *option, *shared;
	struct kb_err *err;
};

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

/* "CUDA", "CUTE", and else "Triton". */
static char *backend_word(const char *backend)
{
	const bool is_short = !strcmp(backend, "cuda") ||
			      !strcmp(backend, "cute");

	return upper(backend, is_short ? strlen(backend) : 1);
}

static int find_tables(struct preparation *x)
{
	const struct kb_prompt_choice *c = x->choice;

	x->backend = table(x->t, "backends", c->backend);
	x->option = table(x->t, "options", c->option);
	x->shared = member(x->t->toml, "shared", KB_JSON_OBJECT);
	if (!x->backend)
		return lacks(x->t, "backend", c->backend, x->err);
	if (!x->option)
		return lacks(x->t, "option", c->option, x->err);
	return 0;
}

/* The backend's own, else that of all. */
static int fill_shared(char **out, const struct preparation *x,
		       const char *key)
{
	const struct kb_placeholder with[] = {
		{ "backend_display", x->p->backend_display }, { NULL, NULL },
	};
	const char *text = text_of(x->backend, key);

	if (!text)
		text = text_of(x->shared, key);
	return fill(out, text ? text : "", with, x->t, x->err);
}

static int set_words(struct preparation *x)
{
	const char *display = text_of(x->backend, "backend_display");
	const char *name = x->choice->backend;
	int ret;

	x->p->backend = backend_word(name);
	x->p->backend_display = display ? kb_xstrdup(display)
					: upper(name, strlen(name));
	ret = fill_shared(&x->p->problem_statement, x, "problem_statement");
	return ret < 0 ? ret : fill_shared(&x->p->instruction, x,
					   "instruction");
}

static int set_precision(struct preparation *x)
{
	const char *name = x->choice->precision, *display;

	if (!name)
		name = text_of(member(x->t->toml, "meta", KB_JSON_OBJECT),
			       "default_precision");
	if (!name)
		name = "fp32";
	if (x->choice->precision && !table(x->t, "precision", name))
		return lacks(x->t, "precision", name, x->err);
	display = text_of(table(x->t, "precision", name), "precision_display");
	if (display)
		x->p->precision_display = kb_xstrdup(display);
	else if (x->choice->precision)
		x->p->precision_display = upper(name, strlen(name));
	else
		x->p->precision_display =
			kb_xstrdup("FP32 (32-bit floating point)");
	return 0;
}

/* --- examples ---------------------------------------------------------- */

static int read_example(char **out, const struct preparation *x,
			const char *path)
{
	kb_auto(mem) char *full = *path == '/' ? kb_xstrdup(path) :
		kb_xasprintf("%s/%s", x->t->root, path);
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT, lines = KB_BUF_INIT;
	int ret = kb_file_read(&text, AT_FDCWD, full, EXAMPLE_BYTES_MAX,
			       x->err);

	if (ret < 0)
		return ret;
	add_lines(&lines, text.data);
	*out = kb_buf_detach(&lines);
	return 0;
}

struct example {
	const char *label, *input_path, *output_path;
};

static int add_example(struct kb_buf *entries, const struct preparation *x,
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

		ret = fill(&entry, template, with, x->t, x->err);
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

static int add_several(struct kb_buf *entries, const struct preparation *x,
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

static int add_single(struct kb_buf *entries, const struct preparation *x,
		      const char *template)
{
	static const char input[] = "few_shot_example_arch";
	static const char output[] = "one_shot_new_arch";
	struct example e = { "Example:", text_of(x->backend, input),
			     text_of(x->backend, output) };

	if (!e.input_path)
		e.input_path = text_of(x->shared, input);
	if (!e.input_path || !e.output_path)
		return lacks(x->t, "example of backend", x->choice->backend,
			     x->err);
	return add_example(entries, x, template, &e);
}

static int set_examples(struct preparation *x)
{
	const char *wants = text_of(x->option, "requires_example");
	const struct kb_json *pairs = member(x->backend, "few_shot_examples",
					     KB_JSON_ARRAY);
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
	ret = stripped(&template, x->t, "common", "example_entry_template",
		       x->err);
	if (ret == 0)
		ret = stripped(&intro, x->t, "common",
			       several ? "example_intro_few_shot" :
					 "example_intro_one_shot", x->err);
	if (ret == 0)
		ret = fill(&x->p->examples_intro, intro, with, x->t, x->err);
	if (ret == 0)
		ret = several ? add_several(&entries, x, template, pairs)
			      : add_single(&entries, x, template);
	if (ret < 0)
		return ret;
	kb_template_strip(&text, entries.data, entries.len);
	x->p->examples_entries = kb_buf_detach(&text);
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

static int set_hardware(struct preparation *x)
{
	const struct kb_json *definitions =
		member(x->t->gpus, "GPU_DEFINITIONS", KB_JSON_OBJECT);
	const struct kb_json *practices =
		member(x->t->gpus, "GPU_BEST_PRACTICES", KB_JSON_ARRAY);
	const struct kb_json *wants = member(x->option, "requires_gpu",
					     KB_JSON_BOOL);

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

static int add_component(struct kb_buf *out, const struct preparation *x,
			 const char *name)
{
	const char *own = text_of(x->backend, name);
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
	ret = stripped(&text, x->t, is_hardware(name) ? "hardware" : "common",
		       name, x->err);
	if (ret == 0)
		kb_buf_addf(out, "%s\n", text);
	return ret;
}

static int add_hardware(struct kb_buf *out, const struct preparation *x)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < KB_ARRAY_LEN(hardware_components);
	     i++)
		ret = add_component(out, x, hardware_components[i]);
	return ret;
}

/* Without an order of its own, blocks on the hardware stand before the
 * problem, or at the end if that is nowhere. */
static int add_components(struct kb_buf *out, const struct preparation *x,
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

static int set_text(struct preparation *x)
{
	const char *custom = x->choice->custom;
	const struct kb_json *of = custom ?
		table(x->t, "custom_prompts", custom) : x->option;
	const struct kb_json *list = member(of, "components", KB_JSON_ARRAY);
	kb_auto(buf) struct kb_buf parts = KB_BUF_INIT, text = KB_BUF_INIT;
	int ret;

	if (!list)
		return lacks(x->t, "components of", custom ? custom :
			     x->choice->option, x->err);
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
	struct preparation x = { .p = p, .t = t, .choice = choice,
				 .err = err };
	int ret;

	*p = (struct kb_prompter)KB_PROMPTER_INIT;
	ret = find_tables(&x);
	if (ret == 0)
		ret = set_words(&x);
	if (ret == 0)
		ret = set_precision(&x);
	if (ret == 0)
		ret = set_examples(&x);
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

	add_lines(&lines, source);
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
