#include "prompts/prompter.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/self.h"
#include "prompts/hardware.h"
#include "prompts/template.h"

#define TEXT_BYTES_MAX ((size_t)1 << 20)

/* The prompts for each backend. */
static const struct backend {
	const char *texts;		/* folder of the texts; NULL: none */
	const char *display;
	const char *swish, *rms;	/* examples; rms may be NULL */
} backends[KB_BACKEND_COUNT] = {
	[KB_BACKEND_CUDA] = {
		"module",
		"CUDA C++ kernels, compiled by torch.utils.cpp_extension.load_inline",
		"swish_cuda.py", "rms_cuda.py",
	},
	[KB_BACKEND_TRITON] = {
		"module", "Triton kernels", "swish_triton.py", "rms_triton.py",
	},
	[KB_BACKEND_CUTE] = {
		"module",
		"kernels in CuTe DSL, the Python interface of CUTLASS 4",
		"swish_cute.py", NULL,
	},
	[KB_BACKEND_TILELANG] = {
		"module", "TileLang kernels", "swish_tilelang.py", NULL,
	},
	[KB_BACKEND_HIP] = {
		"module",
		"HIP C++ kernels for AMD GPUs, compiled by torch.utils.cpp_extension.load_inline",
		"swish_hip.py", NULL,
	},
	[KB_BACKEND_NATIVE_C] = {
		"native-c", "C", "swish_native.c", "rms_native.c",
	},
	[KB_BACKEND_NATIVE_CUDA] = {
		"native-cuda", "CUDA C++", "swish_native.cu", "rms_native.cu",
	},
};

/* --- names ------------------------------------------------------------- */

int kb_prompt_kind_parse(enum kb_prompt_kind *out, const char *name,
			 struct kb_err *err)
{
	static const char *const names[] = {
		[KB_PROMPT_ZERO_SHOT] = "zero_shot",
		[KB_PROMPT_ONE_SHOT] = "one_shot",
		[KB_PROMPT_FEW_SHOT] = "few_shot",
	};

	*out = KB_PROMPT_ONE_SHOT;
	for (size_t i = 0; name && i < KB_ARRAY_LEN(names); i++) {
		*out = (enum kb_prompt_kind)i;
		if (!strcmp(names[i], name))
			return 0;
	}
	return !name ? 0 : kb_err(err, KB_ERR_INPUT,
				  "no prompt '%s', there are: zero_shot, one_shot, few_shot",
				  name);
}

int kb_prompt_precision_parse(const char **out, const char *name,
			      struct kb_err *err)
{
	static const struct {
		const char *name, *display;
	} all[] = {
		{ "fp32", "FP32 (32-bit floating point)" },
		{ "fp16", "FP16 (16-bit floating point)" },
		{ "bf16", "BF16 (bfloat16)" },
	};

	for (size_t i = 0; i < KB_ARRAY_LEN(all); i++) {
		*out = all[i].display;
		if (!name || !strcmp(all[i].name, name))
			return 0;
	}
	return kb_err(err, KB_ERR_INPUT,
		      "no precision '%s', there are: fp32, fp16, bf16", name);
}

/* --- a prompt while it is made ----------------------------------------- */

struct making {
	struct kb_buf text;
	const struct kb_prompt_choice *choice;
	const struct backend *backend;
	char *folder;			/* <prefix>/share/kb/prompts */
	struct kb_err *err;
};

/* As Python reads text: lines end in LF, whatever they end in. */
static void add_lines(struct kb_buf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\r' && text[1] == '\n')
			continue;
		kb_buf_addch(out, *text == '\r' ? '\n' : *text);
	}
}

static int add_file(struct kb_buf *out, const struct making *m,
		    const char *in, const char *name)
{
	kb_auto(mem) char *path = kb_xasprintf("%s/%s%s%s", m->folder, in,
					       *in ? "/" : "", name);
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret = kb_file_read(&text, AT_FDCWD, path, TEXT_BYTES_MAX, m->err);

	if (ret == 0)
		add_lines(out, text.data);
	return ret;
}

/* An empty line stands between two parts. */
static void begin_part(struct making *m)
{
	if (m->text.len)
		kb_buf_addch(&m->text, '\n');
}

static void add_part(struct making *m, const char *text)
{
	begin_part(m);
	kb_buf_addf(&m->text, "%s\n", text);
}

static int add_text(struct making *m, const char *name)
{
	const struct kb_placeholder with[] = {
		{ "backend_display", m->backend->display }, { NULL, NULL },
	};
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret = add_file(&text, m, m->backend->texts, name);

	if (ret < 0)
		return ret;
	begin_part(m);
	return kb_template_fill(&m->text, text.data, with, m->err);
}

static int add_example(struct kb_buf *out, const struct making *m,
		       const char *label, const char *input,
		       const char *output)
{
	int ret;

	if (!output)
		return 0;
	kb_buf_addf(out, "%s%s\n\nReference:\n\n", out->len ? "\n\n" : "",
		    label);
	ret = add_file(out, m, "", input);
	kb_buf_addf(out, "\n\nWritten with %s:\n\n", m->backend->display);
	return ret < 0 ? ret : add_file(out, m, "", output);
}

static int add_examples(struct making *m)
{
	const struct backend *b = m->backend;
	const bool several = m->choice->kind == KB_PROMPT_FEW_SHOT && b->rms;
	kb_auto(buf) struct kb_buf entries = KB_BUF_INIT, whole = KB_BUF_INIT;
	int ret;

	if (m->choice->kind == KB_PROMPT_ZERO_SHOT)
		return 0;
	ret = add_example(&entries, m, several ? "Example 1:" : "Example:",
			  "swish.py", b->swish);
	if (ret == 0 && several)
		ret = add_example(&entries, m, "Example 2:", "rms.py", b->rms);
	if (ret < 0)
		return ret;
	kb_buf_addf(&whole, "%s of the form that is wanted:\n\n",
		    several ? "Examples" : "An example");
	kb_template_strip(&whole, entries.data, entries.len);
	add_part(m, whole.data);
	return 0;
}

static void add_hardware(struct making *m)
{
	const struct kb_hardware *h = m->choice->hardware;
	kb_auto(mem) char *specs = NULL;

	if (!h)
		return;
	specs = kb_xasprintf("%s (%s)\n\n%s", h->name, h->architecture,
			     h->specs);
	add_part(m, "The machine that it will be timed on:");
	add_part(m, specs);
	add_part(m, "Times are taken with caches that do not hold the inputs of the call.");
	add_part(m, "Choose tile sizes, vector widths and the number of threads for this machine.");
}

static int make_before(struct making *m)
{
	int ret = add_text(m, "statement.txt");

	if (ret == 0)
		ret = add_text(m, "interface.txt");
	if (ret == 0)
		ret = add_examples(m);
	if (ret < 0)
		return ret;
	add_hardware(m);
	add_part(m, "The reference:\n");
	return 0;
}

static int make_after(struct making *m)
{
	kb_auto(mem) char *note = kb_xasprintf(
		"\n\nFloating-point inputs, parameters and outputs are %s.\n\n",
		m->choice->precision);

	kb_buf_addstr(&m->text, note);
	return add_file(&m->text, m, m->backend->texts, "instruction.txt");
}

static void set_digest(struct kb_prompter *p)
{
	kb_auto(mem) char *whole = kb_xasprintf("%s%s", p->before, p->after);

	kb_digest_of(&p->digest, whole, strlen(whole));
}

static int make_prompt(struct kb_prompter *p, struct making *m)
{
	int ret = make_before(m);

	if (ret < 0)
		return ret;
	p->before = kb_buf_detach(&m->text);
	ret = make_after(m);
	if (ret < 0)
		return ret;
	p->after = kb_buf_detach(&m->text);
	set_digest(p);
	return 0;
}

int kb_prompter_init(struct kb_prompter *p,
		     const struct kb_prompt_choice *choice,
		     struct kb_err *err)
{
	kb_auto(mem) char *prefix = kb_self_prefix(err);
	kb_auto(mem) char *folder = NULL;
	struct making m = { .text = KB_BUF_INIT, .choice = choice,
			    .backend = &backends[choice->backend],
			    .err = err };
	int ret;

	*p = (struct kb_prompter)KB_PROMPTER_INIT;
	if (!prefix)
		return -KB_ERR_SYS;
	if (!m.backend->texts)
		return kb_err(err, KB_ERR_INPUT,
			      "kb has no prompt for backend '%s': name a file of prompts by --prompts",
			      kb_backend_name(choice->backend));
	m.folder = folder = kb_xasprintf("%s/share/kb/prompts", prefix);
	ret = make_prompt(p, &m);
	kb_buf_release(&m.text);
	if (ret < 0)
		kb_prompter_release(p);
	return ret;
}

void kb_prompter_release(struct kb_prompter *p)
{
	free(p->before);
	free(p->after);
	*p = (struct kb_prompter)KB_PROMPTER_INIT;
}

void kb_prompter_render(struct kb_buf *out, const struct kb_prompter *p,
			const char *source)
{
	kb_buf_addstr(out, p->before);
	add_lines(out, source);
	kb_buf_addstr(out, p->after);
}
