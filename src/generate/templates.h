#ifndef KB_GENERATE_TEMPLATES_H
#define KB_GENERATE_TEMPLATES_H

#include "generate/template.h"
#include "json/json.h"
#include "store/digest.h"

struct kb_buf;
struct kb_err;

/*
 * Templates of prompts: a file of the form of KernelBench's prompts.toml,
 * which is rendered byte for byte as its prompt_constructor_toml.py does
 * (commit 423217d). kb-generate(1) documents the form.
 *
 * Beyond that, a backend may have templates of its own: a component that is a
 * string in [backends.NAME] is taken from there.
 */
struct kb_templates {
	struct kb_json *toml;
	struct kb_digest digest;	/* of the file */
	char *file;
	char *root;			/* what paths of examples begin from */
	struct kb_json *gpus;		/* names of gpu_specs.py, or NULL */
};

#define KB_TEMPLATES_INIT { .toml = NULL }

void kb_templates_release(struct kb_templates *t);

/* Read the file of templates and, unless it is NULL, KernelBench's file of
 * GPUs. Fails with KB_ERR_MISSING, KB_ERR_INPUT, KB_ERR_SYS. */
int kb_templates_load(struct kb_templates *t, const char *file,
		      const char *root, const char *gpus_file,
		      struct kb_err *err);

/* Looking in them. What is returned is borrowed; NULL: it is not there. */

/* A member of an object, if it is of this type. */
const struct kb_json *kb_prompt_member(const struct kb_json *v,
				       const char *key,
				       enum kb_json_type want);
const char *kb_prompt_text(const struct kb_json *v, const char *key);

/* The table [first.second]. */
const struct kb_json *kb_prompt_table(const struct kb_templates *t,
				      const char *first, const char *second);

/* Fails with KB_ERR_INPUT: the file has no `what` called `name`. */
int kb_prompt_lacks(const struct kb_templates *t, const char *what,
		    const char *name, struct kb_err *err);

/* The template `key` of a section without white space at either end; the
 * caller frees. Fails with KB_ERR_INPUT. */
int kb_prompt_stripped(char **out, const struct kb_templates *t,
		       const char *section, const char *key,
		       struct kb_err *err);

/* kb_template_fill() to a string that the caller frees; the message names the
 * file. */
int kb_prompt_fill(char **out, const char *text,
		   const struct kb_placeholder with[],
		   const struct kb_templates *t, struct kb_err *err);

/* As Python reads text: lines end in LF, whatever they end in. */
void kb_prompt_add_lines(struct kb_buf *out, const char *text);

static inline void kb_cleanup_templates(struct kb_templates *t)
{
	kb_templates_release(t);
}

#endif
