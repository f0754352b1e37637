/* kb-report: bundles as pages that people look at. */

#include "cmd/cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/err.h"
#include "base/output.h"
#include "cli/terminal.h"
#include "pages/board.h"
#include "pages/figures.h"
#include "pages/page_pair.h"
#include "pages/pair.h"
#include "pages/site.h"
#include "pages/text_run.h"
#include "pages/view.h"
#include "store/store.h"
#include "verify/signatures.h"

static const char *store = KB_STORE_DEFAULT;
static const char *output;
static bool text;
static struct kb_signature_keys keys;

#define STORE_OPTION { .name = "store", .arg = "DIR",			\
	.help = "where bundles and their parents are",	\
	.type = KB_OPTION_STORES, .value = &store }

#define TEXT_OPTION { .name = "text", .letter = 't',			\
	.help = "print plain text instead",	\
	.type = KB_OPTION_FLAG, .value = &text }

static const struct kb_option pages_options[] = {
	KB_PUBLIC_KEY_OPTION(keys),
	{ .name = "output", .letter = 'o', .arg = "PATH",
	  .help = "a folder for pages, or one file NAME.html",
	  .type = KB_OPTION_STRING, .value = &output,
	  .otherwise = "report" },
	STORE_OPTION,
	TEXT_OPTION,
	KB_OPTION_END
};

static const struct kb_option figure_options[] = {
	KB_PUBLIC_KEY_OPTION(keys),
	{ .name = "output", .letter = 'o', .arg = "PATH",
	  .help = "the SVG file to write",
	  .type = KB_OPTION_STRING, .value = &output,
	  .otherwise = "standard output" },
	STORE_OPTION,
	KB_OPTION_END
};

static const struct kb_option compare_options[] = {
	KB_PUBLIC_KEY_OPTION(keys),
	{ .name = "output", .letter = 'o', .arg = "PATH",
	  .help = "the file to write",
	  .type = KB_OPTION_STRING, .value = &output,
	  .otherwise = "comparison.html" },
	STORE_OPTION,
	TEXT_OPTION,
	KB_OPTION_END
};

/* The bundles that the command line names. */
struct views {
	struct kb_view *items;
	size_t count;
};

static void kb_cleanup_views(struct views *v)
{
	for (size_t i = 0; i < v->count; i++)
		kb_view_release(&v->items[i]);
	free(v->items);
}

/* By id and not by name: a bundle has several names, and ranked beside itself
 * it would share every place. */
static int check_twice(const struct views *v, const char *name,
		       struct kb_err *err)
{
	const struct kb_view *last = &v->items[v->count - 1];

	for (size_t i = 0; i + 1 < v->count; i++)
		if (kb_digest_equal(&v->items[i].bundle.id, &last->bundle.id))
			return kb_err(err, KB_ERR_USAGE,
				      "'%s' is given twice", name);
	return 0;
}

static int open_views(struct views *v, int argc, char *argv[],
		      struct kb_err *err)
{
	int ret = kb_signature_keys_read(&keys, err);

	v->items = kb_xcalloc((size_t)argc, sizeof(*v->items));
	for (int i = 0; ret == 0 && i < argc; i++) {
		ret = kb_view_open(&v->items[v->count], store, argv[i], &keys,
				   err);
		if (ret < 0)
			return ret;
		v->count++;
		ret = check_twice(v, argv[i], err);
	}
	return ret;
}

/* Pages say what does not hold; so does the status. */
static int exit_status(const struct views *v)
{
	for (size_t i = 0; i < v->count; i++)
		if (!kb_board_holds(&v->items[i]))
			return KB_EXIT_NO;
	return KB_EXIT_OK;
}

static bool ends_in(const char *path, const char *end)
{
	const size_t len = strlen(path);

	return len > strlen(end) && !strcmp(path + len - strlen(end), end);
}

static bool is_file(const char *path)
{
	return ends_in(path, ".html");
}

static int make_pages(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(views) struct views v = { NULL, 0 };
	const char *path = output ? output : "report";
	int ret;

	if (!*path)
		return kb_err(err, KB_ERR_USAGE, "--output is empty");
	ret = open_views(&v, argc, argv, err);
	if (ret < 0)
		return ret;
	ret = is_file(path) ? kb_site_write_file(path, v.items, v.count, err)
			    : kb_site_write(path, v.items, v.count, err);
	if (ret < 0)
		return ret;
	if (!is_file(path))
		printf("%s/index.html\n", path);
	else if (!kb_output_is_stdout(path))
		printf("%s\n", path);
	return exit_status(&v);
}

static int check_figure_path(struct kb_err *err)
{
	return output && ends_in(output, ".pdf") ?
		kb_err(err, KB_ERR_USAGE,
		       "'%s': a figure is SVG; write figure.svg, then 'rsvg-convert -f pdf -o figure.pdf figure.svg'",
		       output) : 0;
}

static int write_figure(const struct kb_buf *svg, struct kb_err *err)
{
	if (output)
		return kb_output_write(output, svg->data, svg->len, err);
	fwrite(svg->data, 1, svg->len, stdout);
	return 0;
}

static int make_figure(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(views) struct views v = { NULL, 0 };
	kb_auto(buf) struct kb_buf svg = KB_BUF_INIT;
	enum kb_figure figure;
	int ret;

	ret = check_figure_path(err);
	if (ret == 0)
		ret = kb_figure_parse(&figure, argv[0], err);
	if (ret == 0 && argc > 2 && !kb_figure_takes_many(figure))
		ret = kb_err(err, KB_ERR_USAGE, "'%s' is of one bundle",
			     argv[0]);
	if (ret == 0)
		ret = open_views(&v, argc - 1, argv + 1, err);
	if (ret < 0)
		return ret;
	if (!kb_figure_draw(&svg, figure, v.items, v.count, KB_PLACE_FILE))
		return kb_err(err, KB_ERR_INPUT,
			      "there is nothing to draw in '%s'", argv[0]);
	ret = write_figure(&svg, err);
	return ret < 0 ? ret : exit_status(&v);
}

static int print_text(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(views) struct views v = { NULL, 0 };
	kb_auto(board) struct kb_board board = { .views = NULL };
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	int ret = open_views(&v, argc, argv, err);

	if (ret < 0)
		return ret;
	if (v.count == 1) {
		kb_view_text_print(&out, &v.items[0], kb_stdout_look());
	} else {
		kb_board_init(&board, v.items, v.count);
		kb_board_text_print(&out, &board, kb_stdout_look());
	}
	kb_stdout_print(out.data);
	return exit_status(&v);
}

static int check_text(struct kb_err *err)
{
	return text && output ?
		kb_err(err, KB_ERR_USAGE,
		       "--text and --output exclude each other") : 0;
}

static int check_candidates(const struct views *v, struct kb_err *err)
{
	for (size_t i = 0; i < v->count; i++)
		if (v->items[i].lineage.kind == KB_KIND_BASELINE ||
		    !kb_kind_has_times(v->items[i].lineage.kind))
			return kb_err(err, KB_ERR_INPUT,
				      "a %s has no candidates to compare: "
				      "give scores or evaluations",
				      kb_kind_name(v->items[i].lineage.kind));
	return 0;
}

static int write_pair(const struct kb_pair *p, struct kb_err *err)
{
	kb_auto(buf) struct kb_buf out = KB_BUF_INIT;
	const char *path = output ? output : "comparison.html";
	int ret;

	if (text) {
		kb_pair_text_print(&out, p, kb_stdout_look());
		kb_stdout_print(out.data);
		return 0;
	}
	ret = kb_pair_page_print(&out, p, err);
	if (ret >= 0)
		ret = kb_output_write(path, out.data, out.len, err);
	if (ret >= 0 && !kb_output_is_stdout(path))
		printf("%s\n", path);
	return ret;
}

static int run_compare(int argc, char *argv[], struct kb_err *err)
{
	kb_auto(views) struct views v = { NULL, 0 };
	kb_auto(pair) struct kb_pair p = { .rows = NULL };
	int ret = check_text(err);

	if (ret >= 0)
		ret = open_views(&v, argc, argv, err);
	if (ret >= 0)
		ret = check_candidates(&v, err);
	if (ret < 0)
		return ret;
	kb_pair_init(&p, &v.items[0], &v.items[1]);
	ret = write_pair(&p, err);
	return ret < 0 ? ret : exit_status(&v);
}

static int show_pages(int argc, char *argv[], struct kb_err *err)
{
	if (check_text(err) < 0)
		return -KB_ERR_USAGE;
	return text ? print_text(argc, argv, err) : make_pages(argc, argv, err);
}

static const char *figure_name(size_t i)
{
	return i < KB_FIGURE_COUNT ? kb_figure_name((enum kb_figure)i) : NULL;
}

static void print_figures(FILE *out)
{
	fputs("\nFigures:\n ", out);
	for (size_t i = 0; figure_name(i); i++)
		fprintf(out, " %s", figure_name(i));
	fputc('\n', out);
}

static const struct kb_verb verbs[] = {
	{ .operands = "BUNDLE...",
	  .options = pages_options, .run = show_pages },
	{ .name = "compare",
	  .about = "compare two bundles",
	  .operands = "FIRST SECOND",
	  .options = compare_options, .run = run_compare },
	{ .name = "figure",
	  .about = "draw one chart",
	  .operands = "NAME BUNDLE...", .operand_word = figure_name,
	  .options = figure_options, .run = make_figure },
};

const struct kb_command kb_command = {
	.name = "kb-report",
	.about = "Show scores, evaluations, baselines, generations and other tools' results as\n"
		 "pages, figures or text. Several scores make a leaderboard.",
	.example = "kb-report @last:score",
	.verbs = verbs,
	.verb_count = (int)KB_ARRAY_LEN(verbs),
	.print_more = print_figures,
	.no = "done, and the page shows a failed check",
};
