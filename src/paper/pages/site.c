#include "pages/site.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/file.h"
#include "base/output.h"
#include "pages/board.h"
#include "pages/board_cells.h"
#include "pages/board_data.h"
#include "pages/figures.h"
#include "pages/page_board.h"
#include "pages/page_claims.h"
#include "pages/page_generation.h"
#include "pages/page_problem.h"
#include "pages/page_run.h"
#include "pages/site_place.h"
#include "pages/view.h"
#include "store/stage.h"

#define INDEX "index.html"

/* Into a stage, which becomes the folder when all pages are there: nobody opens
 * half a site. */
static int write_file(const struct kb_stage *s, const char *name,
		      const struct kb_buf *text, struct kb_err *err)
{
	int fd = openat(s->dirfd, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			0666);
	int ret;

	if (fd < 0)
		return kb_err_sys(err, "cannot make '%s'", name);
	ret = kb_file_write_all(fd, text->data, text->len, name, err);
	/* Not synced one by one: publishing the stage does that for all. */
	if (close(fd) < 0 && ret == 0)
		ret = kb_err_sys(err, "cannot write '%s'", name);
	return ret;
}

static int write_problem(const struct kb_stage *s, const struct kb_view *v,
			 struct kb_key key, const char *home,
			 struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	char file[KB_PROBLEM_FILE_SIZE];
	int ret = kb_problem_page_print(&text, &(struct kb_problem_page){
		.view = v, .key = key, .home = home }, err);

	if (ret < 0)
		return ret;
	kb_problem_page_file(file, v, &key);
	return write_file(s, file, &text, err);
}

/* Rows of one problem lie together. */
static int write_problems(const struct kb_stage *s, const struct kb_view *v,
			  const char *home, struct kb_err *err)
{
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < v->row_count; i++)
		if (!i || kb_key_compare(v->rows[i - 1].key, v->rows[i].key))
			ret = write_problem(s, v, v->rows[i].key, home, err);
	return ret;
}

static void print_view(struct kb_buf *out, const struct kb_run_page *p)
{
	if (p->view->lineage.kind == KB_KIND_REPORT)
		kb_claims_page_print(out, p->view, p->home);
	else if (p->view->lineage.kind == KB_KIND_GENERATION)
		kb_generation_page_print(out, p->view, p->home);
	else
		kb_run_page_print(out, p);
}

/* The page of a view and those of its problems. */
static int write_view(const struct kb_stage *s, const struct kb_view *v,
		      const char *file, const char *home, struct kb_err *err)
{
	const bool has_problems = v->lineage.kind != KB_KIND_BASELINE;
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	int ret;

	print_view(&text, &(struct kb_run_page){
		.view = v, .home = home, .has_problems = has_problems });
	ret = write_file(s, file, &text, err);
	return ret < 0 || !has_problems ? ret :
	       write_problems(s, v, file, err);
}

static int write_board(const struct kb_stage *s, const struct kb_board *b,
		       struct kb_err *err)
{
	kb_auto(buf) struct kb_buf page = KB_BUF_INIT, json = KB_BUF_INIT,
				   csv = KB_BUF_INIT;
	int ret;

	kb_board_page_print(&page, b, true);
	kb_board_json_print(&json, b);
	kb_board_csv_print(&csv, b);
	ret = write_file(s, INDEX, &page, err);
	if (ret == 0)
		ret = write_file(s, "leaderboard.json", &json, err);
	return ret < 0 ? ret : write_file(s, "leaderboard.csv", &csv, err);
}

static int fill_site(const struct kb_stage *s, const struct kb_view *views,
		     size_t count, struct kb_err *err)
{
	kb_auto(board) struct kb_board b = { .views = NULL };
	int ret;

	if (count == 1)
		return write_view(s, &views[0], INDEX, NULL, err);
	kb_board_init(&b, views, count);
	ret = write_board(s, &b, err);
	for (size_t i = 0; ret == 0 && i < count; i++) {
		char file[KB_VIEW_FILE_SIZE];

		kb_view_page_file(file, &views[i]);
		ret = write_view(s, &views[i], file, INDEX, err);
	}
	return ret;
}

/* "a/b" is "b" in "a"; the caller frees both. */
static void split_path(const char *path, char **parent, char **name)
{
	size_t len = strlen(path);
	const char *slash;

	while (len > 1 && path[len - 1] == '/')
		len--;
	slash = memrchr(path, '/', len);
	*name = slash ? kb_xstrndup(slash + 1, len - (size_t)(slash + 1 - path))
		      : kb_xstrndup(path, len);
	if (!slash)
		*parent = kb_xstrdup(".");
	else
		*parent = kb_xstrndup(path, slash == path ? 1 :
				      (size_t)(slash - path));
}

int kb_site_write(const char *path, const struct kb_view *views, size_t count,
		  struct kb_err *err)
{
	struct kb_stage stage = KB_STAGE_INIT;
	kb_auto(mem) char *parent = NULL;
	kb_auto(mem) char *name = NULL;
	int ret = kb_site_check_place(path, err);

	if (ret < 0)
		return ret;
	split_path(path, &parent, &name);
	ret = kb_stage_open(&stage, parent, err);
	stage.has_many = true;
	stage.replaces = true;
	if (ret == 0)
		ret = fill_site(&stage, views, count, err);
	if (ret == 0)
		ret = kb_stage_publish(&stage, name, err);
	kb_stage_release(&stage);
	return ret;
}

int kb_site_write_file(const char *path, const struct kb_view *views,
		       size_t count, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf text = KB_BUF_INIT;
	kb_auto(board) struct kb_board b = { .views = NULL };

	if (count == 1) {
		print_view(&text, &(struct kb_run_page){ .view = &views[0] });
	} else {
		kb_board_init(&b, views, count);
		kb_board_page_print(&text, &b, false);
	}
	return kb_output_write(path, text.data, text.len, err);
}
