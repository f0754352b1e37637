/* What programs say of themselves: compilers and torch, asked confined. */

#include "worker/launch.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "worker/build.h"

/* A line feed at the end does not begin another one. */
static const char *last_line(const struct kb_buf *text)
{
	const char *last = text->data;

	for (const char *p = text->data; p < text->data + text->len; p++)
		if (*p == '\n' && p[1])
			last = p + 1;
	return last;
}

/* Run a query and keep what it prints; any failure is "not there". */
static int query(struct kb_buf *out, struct kb_launcher *l,
		 struct kb_scratch_dir *dir, const char *const argv[],
		 struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	struct kb_fault fault;
	int ret = kb_build_run(l, argv, dir, &text, &fault, err);

	if (ret < 0)
		return ret;
	if (!ret) {
		/* A traceback says what is wrong in its last line. */
		const char *last = last_line(&text);

		return kb_err(err, KB_ERR_MISSING, "'%s' failed%s%.*s",
			      argv[0], *last ? ": " : "",
			      (int)strcspn(last, "\n"), last);
	}
	kb_buf_add(out, text.data, text.len);
	return 0;
}

int kb_launch_torch_facts(struct kb_buf *out, struct kb_launcher *l,
			  struct kb_err *err)
{
	kb_auto(scratch_dir) struct kb_scratch_dir dir = { .work = NULL };
	kb_auto(mem) char *script = NULL;
	const char *argv[] = { l->python, "-B", NULL,
			       l->cuda ? "--cuda" : NULL, NULL };
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret;

	if (!l->python)
		return kb_err(err, KB_ERR_MISSING,
			      "there is no 'python3' in PATH");
	ret = kb_scratch_make(&l->scratch, &dir, !l->other_user_why_not, err);
	if (ret >= 0)
		ret = kb_scratch_copy(&dir, l->libexec, "kb_torch_facts.py",
				      err);
	if (ret < 0)
		return ret;
	script = kb_xasprintf("%s/kb_torch_facts.py", dir.code);
	argv[2] = script;
	ret = query(&text, l, &dir, argv, err);
	if (ret < 0)
		return ret;
	/* Libraries may have something to say before. */
	kb_buf_addstr(out, last_line(&text));
	return 0;
}

/* What a compiler says of its version. */
static int query_version(struct kb_buf *out, struct kb_launcher *l,
			 const char *compiler, struct kb_err *err)
{
	kb_auto(scratch_dir) struct kb_scratch_dir dir = { .work = NULL };
	const char *const argv[] = { compiler, "--version", NULL };
	int ret = kb_scratch_make(&l->scratch, &dir, !l->other_user_why_not,
				  err);

	return ret < 0 ? ret : query(out, l, &dir, argv, err);
}

int kb_launch_compiler_version(struct kb_buf *out, struct kb_launcher *l,
			       struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret;

	if (!l->cc)
		return kb_err(err, KB_ERR_MISSING, "there is no 'cc' in PATH");
	ret = query_version(&text, l, l->cc, err);
	if (ret < 0)
		return ret;
	kb_buf_add(out, text.data, strcspn(text.data, "\n"));
	return 0;
}

int kb_launch_nvcc_version(struct kb_buf *out, struct kb_launcher *l,
			   struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	const char *version;
	int ret;

	if (!l->nvcc)
		return kb_err(err, KB_ERR_MISSING,
			      "there is no 'nvcc' in PATH or "
			      "'/usr/local/cuda/bin'");
	ret = query_version(&text, l, l->nvcc, err);
	if (ret < 0)
		return ret;

	/* "Cuda compilation tools, release 13.0, V13.0.88" */
	version = strstr(text.data, ", V");
	if (!version)
		return kb_err(err, KB_ERR_MISSING,
			      "'%s' does not say what version it is", l->nvcc);
	version += strlen(", V");
	kb_buf_add(out, version, strcspn(version, "\n"));
	return 0;
}
