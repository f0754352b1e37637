#include "worker/query.h"

#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "confine/log.h"
#include "json/json.h"
#include "worker/launch.h"
#include "worker/task.h"

/* A line feed at the end does not begin another one. */
static const char *last_line(const struct kb_buf *text)
{
	const char *last = text->data;

	for (const char *p = text->data; p < text->data + text->len; p++)
		if (*p == '\n' && p[1])
			last = p + 1;
	return last;
}

static void add_refused(struct kb_buf *why, const struct kb_task *t)
{
	kb_auto(buf) struct kb_buf refused = KB_BUF_INIT;

	kb_log_refused(&refused, &t->process.refused);
	if (refused.len)
		kb_buf_addf(why, " %.*s", (int)refused.len - 1, refused.data);
}

/* A program that ends by itself says why in its last line. */
static void add_why(struct kb_buf *why, const struct kb_task *t,
		    const struct kb_fault *fault, const struct kb_buf *printed)
{
	const char *last = last_line(printed);
	const int len = (int)strcspn(last, "\n");

	if (!len || fault->status != KB_STATUS_EXITED)
		kb_buf_addf(why, "%s%s", fault->detail, len ? ": " : "");
	kb_buf_addf(why, "%.*s", len, last);
	add_refused(why, t);
}

int kb_query(struct kb_buf *said, struct kb_launcher *l,
	     struct kb_scratch_dir *dir, const char *const argv[],
	     struct kb_err *err)
{
	/* The limit is for candidates. Below what torch takes its import may
	 * fail, or never end: OpenBLAS asks for memory again and again. */
	kb_auto(task) struct kb_task task = {
		.process = KB_PROCESS_INIT, .log_fd = -1, .unlimited = true,
	};
	kb_auto(buf) struct kb_buf printed = KB_BUF_INIT;
	struct kb_fault fault;
	bool truncated;
	int ret = kb_task_start(&task, l, argv, dir, KB_PHASE_BUILD,
				l->load_timeout_ns, err);

	if (ret >= 0)
		ret = kb_task_wait(&task, &fault, err);
	if (ret < 0)
		return ret;
	kb_task_printed(&task, &printed, &truncated);
	if (ret)
		kb_buf_add(said, printed.data, printed.len);
	else
		add_why(said, &task, &fault, &printed);
	return ret;
}

/* The same, where no answer is a failure: of a Python, or of the compiler that
 * option `other` names. */
static int ask_program(struct kb_buf *out, struct kb_launcher *l,
		       struct kb_scratch_dir *dir, const char *const argv[],
		       const char *other, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf said = KB_BUF_INIT;
	const int ret = kb_query(&said, l, dir, argv, err);

	if (!ret)
		return kb_err(err, KB_ERR_MISSING,
			      "%s '%s' failed: %s; %s names another one",
			      other ? "compiler" : "Python", argv[0], said.data,
			      other ? other : "KB_PYTHON");
	if (ret > 0)
		kb_buf_add(out, said.data, said.len);
	return ret < 0 ? ret : 0;
}

/* Libraries may have something to say before. */
static int parse_facts(struct kb_json **out, const char *python,
		       const struct kb_buf *said, struct kb_err *err)
{
	const char *last = last_line(said);
	const size_t len = strcspn(last, "\n");

	if (kb_json_parse(out, last, len, KB_JSON_OURS, python, NULL) >= 0)
		return 0;
	return kb_err(err, KB_ERR_MISSING,
		      "Python '%s' does not say what its torch is: its last "
		      "line is '%.*s'; KB_PYTHON names another one", python,
		      (int)len, last);
}

int kb_launch_torch_facts(struct kb_json **out, struct kb_launcher *l,
			  struct kb_err *err)
{
	kb_auto(scratch_dir) struct kb_scratch_dir dir = { .work = NULL };
	kb_auto(mem) char *script = NULL;
	const char *argv[] = { l->python, "-B", NULL,
			       l->cuda ? "--cuda" : NULL, NULL };
	kb_auto(buf) struct kb_buf said = KB_BUF_INIT;
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
	ret = ask_program(&said, l, &dir, argv, NULL, err);
	return ret < 0 ? ret : parse_facts(out, l->python, &said, err);
}

/* The version that a compiler reports. */
static int query_version(struct kb_buf *out, struct kb_launcher *l,
			 const char *compiler, const char *option,
			 struct kb_err *err)
{
	kb_auto(scratch_dir) struct kb_scratch_dir dir = { .work = NULL };
	const char *const argv[] = { compiler, "--version", NULL };
	int ret = kb_scratch_make(&l->scratch, &dir, !l->other_user_why_not,
				  err);

	return ret < 0 ? ret : ask_program(out, l, &dir, argv, option, err);
}

int kb_launch_compiler_version(struct kb_buf *out, struct kb_launcher *l,
			       struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret;

	if (!l->cc)
		return kb_err(err, KB_ERR_MISSING, "there is no 'cc' in PATH");
	ret = query_version(&text, l, l->cc, "--cc", err);
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
	ret = query_version(&text, l, l->nvcc, "--nvcc", err);
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
