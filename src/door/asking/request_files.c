#include "asking/request_files.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "answers/request.h"
#include "asking/work.h"
#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"

char *kb_request_file_path(const struct kb_work *w, size_t n)
{
	return kb_xasprintf("%s/requests-%04zu.jsonl", w->dir, n);
}

struct files {
	const struct kb_work *work;
	struct kb_buf text;
	size_t requests, count;
};

static int flush_file(struct files *f, struct kb_err *err)
{
	kb_auto(mem) char *path = NULL;
	int ret;

	if (!f->requests)
		return 0;
	path = kb_request_file_path(f->work, ++f->count);
	ret = kb_file_replace(AT_FDCWD, path, f->text.data, f->text.len, 0666,
			      err);
	kb_buf_clear(&f->text);
	f->requests = 0;
	return ret;
}

static int add_request(struct files *f, const struct kb_generated *l,
		       const struct kb_request_limits *limits,
		       struct kb_err *err)
{
	const struct kb_generation *g = &f->work->g;
	kb_auto(buf) struct kb_buf line = KB_BUF_INIT;
	char id[KB_CUSTOM_ID_SIZE];
	int ret = 0;

	kb_request_line(&line, &g->asked, l,
			kb_generation_prompt(g, &l->prompt)->messages);
	if (line.len > limits->bytes) {
		kb_custom_id_format(id, l);
		return kb_err(err, KB_ERR_INPUT,
			      "request '%s' has %zu bytes, and a file may have %zu",
			      id, line.len, limits->bytes);
	}
	if (f->requests == limits->requests ||
	    f->text.len + line.len > limits->bytes)
		ret = flush_file(f, err);
	kb_buf_add(&f->text, line.data, line.len);
	f->requests++;
	return ret;
}

/* Delete files of an earlier call: their requests may have been answered. */
static int remove_others(const struct kb_work *w, size_t n, struct kb_err *err)
{
	for (;; n++) {
		kb_auto(mem) char *path = kb_request_file_path(w, n);

		if (unlink(path) == 0)
			continue;
		return errno == ENOENT ? 0 : kb_err_sys(err, "cannot delete '%s'",
							path);
	}
}

int kb_request_files_write(const struct kb_work *w,
			   const struct kb_request_limits *limits,
			   size_t *count, struct kb_err *err)
{
	struct files f = { .work = w, .text = KB_BUF_INIT };
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < w->g.line_count; i++)
		if (kb_work_is_open(w, &w->g.lines[i]))
			ret = add_request(&f, &w->g.lines[i], limits, err);
	if (ret == 0)
		ret = flush_file(&f, err);
	kb_buf_release(&f.text);
	*count = f.count;
	return ret < 0 ? ret : remove_others(w, f.count + 1, err);
}
